//! What generated code names. Not for use by hand: it may change in any version.

pub use core;

pub use crate::codec::field::{at_part, field, own, put, put_own};
pub use crate::codec::form::{As, DecodeAs, EncodeAs, Own};
pub use crate::codec::run::{parts_of, plain_parts, plains, put_plains, splice, variants_of};
pub use crate::codec::scalar::BoolLax;
pub use crate::codec::{Decode, Encode, Layout};
pub use crate::containers::check::{
    assert_ctx, assert_size, count, failed_assert, flag, form_len, in_range, len_of, num_items,
};
pub use crate::containers::counted::{Counted, Each, Exact, ToEnd, Until};
pub use crate::containers::items::Items;
pub use crate::containers::magic::{magic_bytes, magic_num, put_magic_bytes, put_magic_num};
pub use crate::containers::map::{map, put_map, put_try_map, try_map};
pub use crate::containers::nullable::{Null, Nullable};
pub use crate::containers::optional::If;
pub use crate::containers::order::{Dyn, In};
pub use crate::containers::padding::{PadTo, align, pad, put_align, put_pad};
pub use crate::containers::prefixed::{Region, Var};
pub use crate::containers::tag::{facts, no_tag, no_variant, put_tag, tag, tag_mismatch, unknown_tag};
pub use crate::containers::terminated::Terminated;
pub use crate::containers::text::{AnyBytes, Ascii, Latin1, Lend, Text, Utf8};
pub use crate::error::{Error, Result};
pub use crate::wire::raw::link;
pub use crate::wire::{Be, Endian, Facts, Le, OPEN, Order, Part, Shape, Sink, Source, Variant};
