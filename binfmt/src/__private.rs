//! What generated code names. Not for use by hand: it may change in any version.

#[cfg(feature = "alloc")]
mod owned;
#[cfg(feature = "alloc")]
pub use owned::*;

pub use core;
pub use core::result::Result::{Err, Ok};

pub use crate::codec::field::{by_codec, field, open, own, put, put_own};
pub use crate::codec::fingerprint::{ConstValue, DescribedPart, Tree, VariantTree, described, pinned};
pub use crate::codec::form::{As, DecodeAs, EncodeAs, Own};
pub use crate::codec::integer::{FixedInt, Int, IntegerForm, Leb128, Sleb128, Vlq, Wired, Zigzag};
pub use crate::codec::refuse::{
    ItemFacts, NoItemFacts, assert_apart, assert_ctx, assert_ended, assert_last, assert_size, assert_tags,
    takes_all,
};
pub use crate::codec::renamed::{Names, NoNames, described_path, name_of, place};
pub use crate::codec::run::{choice, choice_from, put_run, record, run, run_docs, run_parts, splice};
pub use crate::codec::scalar::BoolLax;
pub use crate::codec::{Decode, Encode, Layout};
pub use crate::containers::arithmetic::{Wide, kept, wide};
pub use crate::containers::bits::{BitRun, Bits};
pub use crate::containers::check::{
    count, counted, failed_assert, flag, form_len, in_range, keeps_size, len_of, measured, named, num_items,
};
pub use crate::containers::checksum::{Sum, in_memory, is_sum, put_sum, sum};
pub use crate::containers::computed::{
    after_start, calc, hidden_len, is_calc, is_calc_array, is_hidden_len, longer, taken_from,
};
pub use crate::containers::counted::{Counted, Exact, ToEnd};
pub use crate::containers::ends::{Ends, end};
pub use crate::containers::filled::{
    RegionLen, as_given, fill_hidden_len, fills_in, in_place, is_said, longer_by,
};
pub use crate::containers::integers::IntArray;
pub use crate::containers::items::Items;
pub use crate::containers::magic::{
    WithMagic, magic_bytes, magic_num, magic_text, put_magic_bytes, put_magic_num,
};
pub use crate::containers::map::{
    map, map_items, map_len, map_whole, mapped_facts, ordered, put_map, put_map_whole, put_try_map,
    put_try_map_whole, try_map, try_map_items, try_map_len, try_map_whole,
};
pub use crate::containers::nullable::Null;
pub use crate::containers::optional::{If, IfElse, otherwise};
pub use crate::containers::order::{Dyn, In};
pub use crate::containers::packed::{BitArray, BitItems};
pub use crate::containers::padding::{PadTo, align, pad, put_align, put_pad};
pub use crate::containers::peek::{Peek, Peeked, put_peeked_tag};
pub use crate::containers::prefixed::{Region, Var};
pub use crate::containers::raised::{AsText, Raised};
pub use crate::containers::region::InRegion;
pub use crate::containers::tag::{
    Constant, NoLiteral, Tagged, chosen, no_tag, no_variant, put_tag, tag, tag_bytes, tag_mismatch, tag_text,
    unknown_tag,
};
pub use crate::containers::tail::{Tail, after_tail};
pub use crate::containers::terminated::Terminated;
pub use crate::containers::text::{AnyBytes, Ascii, Latin1, Lend, TextBody, Utf8};
pub use crate::containers::trimmed::Trimmed;
pub use crate::containers::untagged::{Tries, Untagged, is_none_before, tried};
pub use crate::error::Result;
pub use crate::error::owned::told;
pub use crate::wire::raw::{Slice, link};
pub use crate::wire::{
    Be, Counter, Endian, Facts, Hooks, Le, Note, OPEN, Order, Part, Shape, Sink, Source, VariantParts,
};

/// The type itself, if it has a wire format in the form `W`.
///
/// Generated code names a type of the user's own this way, so that a type without a wire format is one message
/// and not one for each impl: rustc knows no more of the type than that, and says the same thing only once. The
/// second parameter is there so that two impls could fit, as rustc looks into their bounds then.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no wire format",
    label = "no wire format that fits the words of this field",
    note = "a type of your own, this or one inside: add `#[derive(BinFormat)]` to it; a type of another crate: `#[binfmt(with = module)]` or `map(..)`",
    note = "`Option` needs `nullable` or `if(..)`; `Vec`, `String`, `&str` and `&[u8]` need `var_len`, `length_prefixed(..)`, `count = ..` or `until_eof`; `&[T]` is lent where the memory of `T` is its bytes, else use `Vec<T>`"
)]
pub trait Coded<F, M> {
    /// The type.
    type Type;
}

#[diagnostic::do_not_recommend]
impl<F: As<T>, T> Coded<F, Yes> for T {
    type Type = T;
}

#[diagnostic::do_not_recommend]
impl<F, T: Never> Coded<F, No> for T {
    type Type = T;
}

#[derive(Debug)]
pub struct Yes;
#[derive(Debug)]
pub struct No;
/// No type has this.
pub trait Never {}

/// The same type, through which rustc infers nothing.
pub trait Same {
    /// The type.
    type Type;
}

impl<T> Same for T {
    type Type = T;
}

/// A value that was read.
#[inline(always)]
pub fn taken<T>(value: T) -> <T as Same>::Type {
    value
}

/// A value to be written.
#[inline(always)]
pub fn given<T>(value: &<T as Same>::Type) -> &T {
    value
}

/// The facts of a `T` in wire form `F`.
pub const fn form_facts<F: As<T>, T>() -> Facts<<T as Same>::Type> {
    F::FACTS
}

/// The words of `#[binfmt(..)]`: a derive names them where they stand, for editors.
#[cfg(feature = "derive")]
pub mod words {
    binfmt_derive::words!();
}
