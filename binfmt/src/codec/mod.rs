//! The three traits, and how types and wire forms of fields implement them.

pub(crate) mod compound;
pub(crate) mod duration;
#[cfg(any(feature = "f16", feature = "complex"))]
mod extra;
pub(crate) mod field;
pub(crate) mod fingerprint;
pub(crate) mod form;
pub(crate) mod integer;
#[cfg(feature = "alloc")]
mod pointers;
pub(crate) mod refuse;
pub(crate) mod renamed;
pub(crate) mod run;
pub(crate) mod scalar;
pub(crate) mod standard;

use self::fingerprint::Tree;
use crate::error::Result;
use crate::wire::{Counter, Facts, Le, Order, Part, Shape, Sink, Source, VariantParts};

/// What is known of a type's wire form without a value: its sizes, its parts, whether it is plain memory.
///
/// One implementation serves both byte orders and both directions. Derived by
/// [`BinFormat`](macro@crate::BinFormat); by hand it takes one line:
///
/// ```
/// use binfmt::{Facts, Layout};
/// struct Rgb565(u8, u8, u8);
/// impl Layout for Rgb565 {
///     const FACTS: Facts<Self> = Facts::exact(2);
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no wire format of its own",
    label = "no wire format",
    note = "a type of your own: add `#[derive(BinFormat)]` to it; a type of another crate: `#[binfmt(with = module)]` or `map(..)`",
    note = "`Option` needs `nullable` or `if(..)`; `Vec`, `String` and slices need `var_len`, `length_prefixed(..)`, `count = ..` or `until_eof`"
)]
pub trait Layout: Sized {
    /// Sizes on the wire, and whether memory is wire.
    const FACTS: Facts<Self>;
    /// The parts of a struct in wire order; empty for anything else.
    const PARTS: &'static [Part] = &[];
    /// The variants of an enum; empty for anything else.
    const VARIANTS: &'static [VariantParts] = &[];
    /// What the bytes are: what a [`Schema`](crate::schema::Schema) is made from. A codec by hand may take over the
    /// shape of the type that it reads and writes; without it, its bytes are opaque to a schema.
    const SHAPE: Shape = run::foreign::<Self>();
    /// What the bytes are, with what is inside, for a fingerprint while compiling.
    #[doc(hidden)]
    const TREE: Tree = Tree::of(Self::SHAPE);
    /// The names of the context that `Decode` and `Encode` take, in order.
    #[doc(hidden)]
    const CTX: &'static [&'static str] = &[];
    /// The fields that descriptions call otherwise than expressions do, with both names.
    #[doc(hidden)]
    const RENAMED: &'static [(&'static str, &'static str)] = &[];
    /// Whether a value may be missing: zeros of its size, or what a `transparent` struct passes on of its field's form.
    #[doc(hidden)]
    const BLANK: bool = Self::FACTS.sizes().exact().is_some();

    /// Writes what is in the place of a missing value.
    #[doc(hidden)]
    #[inline(always)]
    fn put_blank<O: Order, W: Sink>(out: &mut W) -> Result<()> {
        form::put_zeros(Self::FACTS, out)
    }

    /// Steps over what is in the place of a missing value, as lenient as the reader is.
    #[doc(hidden)]
    #[inline(always)]
    fn pass_blank<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<()> {
        form::pass_zeros(Self::FACTS, src)
    }
}

/// A type that is decoded from bytes. `C` is what its parent must supply (`ctx(..)`), `()` when nothing.
///
/// ```
/// use binfmt::{Decode, Error, Facts, Layout, Order, Result, Source};
/// # #[derive(Debug, PartialEq)]
/// struct Rgb565(u8, u8, u8);
/// # impl Layout for Rgb565 { const FACTS: Facts<Self> = Facts::exact(2); }
/// impl<'de> Decode<'de> for Rgb565 {
///     fn decode<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<Self> {
///         let n = u16::decode::<O, S>(src, ())?;
///         Ok(Rgb565((n >> 11) as u8, (n >> 5 & 63) as u8, (n & 31) as u8))
///     }
/// }
/// assert_eq!(binfmt::from_slice::<Rgb565>(&[0x1f, 0xf8])?, Rgb565(31, 0, 31));
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be decoded with the context `{C}`",
    label = "not decodable",
    note = "a type of your own: add `#[derive(BinFormat)]` to it; with `ctx(..)` it needs `args(..)` of the same types at the field, and outside of one a function such as `from_slice_with`, with `Options::ctx`"
)]
pub trait Decode<'de, C = ()>: Layout {
    /// Reads one value.
    ///
    /// # Errors
    /// The input ends, or the bytes are not a value of this type.
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Self>;

    /// The smallest size with this context, where it says more than the type alone.
    #[doc(hidden)]
    #[inline(always)]
    fn min_size(_: &C) -> usize {
        Self::FACTS.sizes().min
    }
}

/// A type that is encoded to bytes. `C` is what its parent must supply (`ctx(..)`), `()` when nothing.
///
/// ```
/// use binfmt::{Encode, Error, Facts, Layout, Order, Result, Sink};
/// struct Rgb565(u8, u8, u8);
/// # impl Layout for Rgb565 { const FACTS: Facts<Self> = Facts::exact(2); }
/// impl Encode for Rgb565 {
///     fn encode<O: Order, W: Sink>(&self, out: &mut W, _: ()) -> Result<()> {
///         let n = u16::from(self.0) << 11 | u16::from(self.1) << 5 | u16::from(self.2);
///         n.encode::<O, W>(out, ())
///     }
/// }
/// assert_eq!(binfmt::to_vec(&Rgb565(31, 0, 31))?, [0x1f, 0xf8]);
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be encoded with the context `{C}`",
    label = "not encodable",
    note = "a type of your own: add `#[derive(BinFormat)]` to it; with `ctx(..)` it needs `args(..)` of the same types at the field, and outside of one a function such as `to_vec_with`, with `Options::ctx`"
)]
pub trait Encode<C = ()>: Layout {
    /// Writes the value.
    ///
    /// # Errors
    /// The output is full or fails, or the value contradicts its layout.
    fn encode<O: Order, W: Sink>(&self, out: &mut W, ctx: C) -> Result<()>;

    /// The size of this value on the wire, in bytes: what `encode` writes, measured.
    ///
    /// # Errors
    /// The value contradicts its layout, so that it has no size.
    fn encoded_len(&self, ctx: C) -> Result<usize> {
        if let Some(n) = Self::FACTS.proven() {
            return Ok(n);
        }
        let mut out = Counter::new();
        // the byte order does not change a length
        self.encode::<Le, Counter>(&mut out, ctx)?;
        Ok(usize::try_from(out.all()).unwrap_or(usize::MAX))
    }
}

/// A type that keeps nothing borrowed from the input: what streams decode into.
#[diagnostic::on_unimplemented(
    message = "`{Self}` borrows from the input (or cannot be decoded), and a stream cannot lend",
    label = "borrows from the input",
    note = "use owned types (`String` for `&str`, `Vec<u8>` for `&[u8]`), or decode from a slice"
)]
pub trait DecodeOwned<C = ()>: for<'de> Decode<'de, C> {}

#[diagnostic::do_not_recommend]
impl<C, T: for<'de> Decode<'de, C>> DecodeOwned<C> for T {}

/// Runs one of two instances of the same code: the byte order is chosen here, once for a whole call. A type that fixes
/// its own has one instance only.
macro_rules! in_order {
    ($T:ty, $options:expr, $O:ident => $body:expr) => {
        if const { <$T as $crate::Layout>::FACTS.is_fixed_order() }
            || $options.endian == $crate::wire::Endian::Little
        {
            type $O = $crate::wire::Le;
            $body
        } else {
            type $O = $crate::wire::Be;
            $body
        }
    };
}
pub(crate) use in_order;
