//! Integers on the wire in another form than their own: `as = u24`, `as = leb128`, a form of the user's own.
//!
//! A form is a type without values that reads and writes a Rust integer. As a field's wire form it stands in [`Int`], as a
//! length or tag in [`Wired`], the integer with its form: what takes a type there takes both.

use super::form::{As, DecodeAs, EncodeAs, no_blank};
use super::{Decode, Encode, Layout};
use crate::error::owned::{printed, told};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::between;
use crate::wire::source::sealed::Sealed;
use crate::wire::{Facts, IntShape, Kind, Len, Order, Shape, Sink, Sizes, Source, Varint, varint};
use core::any::type_name;
use core::fmt::{Display, LowerHex};
use core::marker::PhantomData;

/// How an integer of Rust type `T` is bytes: what `#[binfmt(as = ..)]` names.
///
/// The forms of this crate have words: `u24`, `leb128` and so on, see [`as`](crate::attributes). Another one is a type that
/// implements this trait, and is named by its path; it then serves as a field, as elements of a list, as a length
/// (`length_prefixed(as = path)`) and as a tag (`tag(u64, as = path)`).
///
/// Git's packs have offsets in groups of seven bits, high bits first, in which each further group counts from one more than
/// what was there: so no offset has two forms.
///
/// ```
/// use binfmt::{BinFormat, Error, Order, Result, Sink, Source, integer::IntegerForm};
///
/// struct PackOffset;
///
/// impl IntegerForm<u64> for PackOffset {
///     const SIZES: (usize, usize) = (1, 10);
///
///     fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<u64> {
///         let at = src.pos();
///         let mut n = 0u64;
///         loop {
///             let [b] = src.array()?;
///             let low = u64::from(b & 0x7f);
///             if b < 0x80 {
///                 return Ok(n | low);
///             }
///             n = (n | low).checked_add(1).filter(|n| n >> 57 == 0)
///                 .ok_or_else(|| Error::message("the offset does not fit in 64 bits", at))? << 7;
///         }
///     }
///
///     fn encode<O: Order, W: Sink>(mut n: u64, out: &mut W) -> Result<()> {
///         let (mut bytes, mut at) = ([0; 10], 9);
///         bytes[9] = n as u8 & 0x7f;
///         while n > 0x7f {
///             n = (n >> 7) - 1;
///             at -= 1;
///             bytes[at] = n as u8 | 0x80;
///         }
///         out.bytes(&bytes[at..], 0)
///     }
/// }
///
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct Delta {
///     #[binfmt(as = PackOffset)]
///     base: u64,
///     #[binfmt(length_prefixed(as = PackOffset))]
///     data: Vec<u8>,
/// }
///
/// let delta = Delta { base: 0x81, data: vec![7] };
/// let bytes = binfmt::to_vec(&delta)?;
/// assert_eq!(bytes, [0x80, 0x01, 1, 7]);
/// assert_eq!(binfmt::from_slice::<Delta>(&bytes)?, delta);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{T}` has no wire form `{Self}`",
    label = "not supported by `as` with this form",
    note = "`u8` to `u64`, `i8` to `i64`, and `u24`, `i24`, `u40` .. `i56` are for every integer; `leb128` and `vlq` for unsigned ones; `sleb128` and `zigzag` for signed ones"
)]
pub trait IntegerForm<T: Copy> {
    /// The least and the most bytes. A codec that takes others is an error.
    const SIZES: (usize, usize);

    /// What the bytes are, for the forms of this crate.
    #[doc(hidden)]
    const FORM: Option<IntShape> = None;

    /// Reads an integer.
    ///
    /// # Errors
    /// The bytes are not one of this form, or it does not fit in `T`.
    fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<T>;

    /// Writes an integer.
    ///
    /// # Errors
    /// It does not fit in this form.
    fn encode<O: Order, W: Sink>(value: T, out: &mut W) -> Result<()>;
}

/// A Rust integer.
pub trait AnyInteger: Copy + PartialEq + Display + LowerHex + Sealed {
    /// Bytes in memory; of `usize` and `isize` 8, so that a layout does not depend on the machine.
    const BYTES: u8;
    /// Whether it has negative numbers.
    const IS_SIGNED: bool;
    #[doc(hidden)]
    const ZERO: Self;
    /// The lowest bits of a two's complement.
    #[doc(hidden)]
    fn truncated(bits: u128) -> Self;
    /// Its two's complement, extended.
    #[doc(hidden)]
    fn extended(self) -> u128;
    /// The same integer, if it fits.
    #[doc(hidden)]
    fn of(n: i128) -> Option<Self>;
    /// The same integer, if it fits.
    #[doc(hidden)]
    fn wide(self) -> Option<i128>;
}

macro_rules! integers {
    ($($Class:ident $signed:literal $wide:ident: $($t:ident $bytes:literal)*;)*) => { $( $(
        impl Sealed for $t {}
        impl $Class for $t {}
        impl AnyInteger for $t {
            const BYTES: u8 = $bytes;
            const IS_SIGNED: bool = $signed;
            const ZERO: Self = 0;
            #[inline(always)]
            fn truncated(bits: u128) -> Self {
                bits as $t
            }
            #[inline(always)]
            fn extended(self) -> u128 {
                self as $wide as u128
            }
            #[inline(always)]
            fn of(n: i128) -> Option<Self> {
                $t::try_from(n).ok()
            }
            #[inline(always)]
            fn wide(self) -> Option<i128> {
                i128::try_from(self).ok()
            }
        }
    )* )* };
}
integers! {
    Unsigned false u128: u8 1 u16 2 u32 4 u64 8 u128 16 usize 8;
    Signed true i128: i8 1 i16 2 i32 4 i64 8 i128 16 isize 8;
}

/// A Rust integer without negative numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an unsigned integer",
    note = "`leb128` and `vlq` have no sign: use `sleb128` or `zigzag`"
)]
pub trait Unsigned: AnyInteger {}

/// A Rust integer with negative numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a signed integer",
    note = "`sleb128` and `zigzag` are for signed integers: use `leb128`"
)]
pub trait Signed: AnyInteger {}

/// That many bytes, 1 to 8, in byte order; two's complement where `SIGNED`.
///
/// ```
/// use binfmt::{BinFormat, integer::FixedInt};
/// #[derive(BinFormat)]
/// struct Pixel { #[binfmt(as = u24)] rgb: u32, #[binfmt(as = u16)] alpha: usize }
/// assert_eq!(binfmt::to_vec(&Pixel { rgb: 0x010203, alpha: 9 })?, [3, 2, 1, 9, 0]);
/// // what the word `u24` stands for
/// #[derive(BinFormat)]
/// struct Same { #[binfmt(as = FixedInt<3, false>)] rgb: u32 }
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Debug)]
pub struct FixedInt<const BYTES: usize, const SIGNED: bool>;

impl<const BYTES: usize, const SIGNED: bool> FixedInt<BYTES, SIGNED> {
    /// Bits of a `u64` that it does not have.
    const REST: u32 = {
        assert!(BYTES > 0 && BYTES <= 8, "an integer of a fixed size has 1 to 8 bytes");
        64 - 8 * BYTES as u32
    };
}

impl<T: AnyInteger, const BYTES: usize, const SIGNED: bool> IntegerForm<T> for FixedInt<BYTES, SIGNED> {
    const SIZES: (usize, usize) = (BYTES, BYTES);
    const FORM: Option<IntShape> = Some(IntShape::Fixed { bytes: BYTES as u8, signed: SIGNED });

    #[inline(always)]
    fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<T> {
        let at = src.pos();
        let bytes = src.array::<BYTES>()?;
        let mut all = [0u8; 8];
        let n = if O::LE {
            all.iter_mut().zip(bytes).for_each(|(to, b)| *to = b);
            u64::from_le_bytes(all)
        } else {
            all.iter_mut().rev().zip(bytes.into_iter().rev()).for_each(|(to, b)| *to = b);
            u64::from_be_bytes(all)
        };
        let n = if SIGNED {
            i128::from((n.wrapping_shl(Self::REST) as i64).wrapping_shr(Self::REST))
        } else {
            i128::from(n)
        };
        match T::of(n) {
            Some(value) => Ok(value),
            None => Err(overflow(n as u128, true, T::BYTES.into(), T::IS_SIGNED, at)),
        }
    }

    #[inline(always)]
    fn encode<O: Order, W: Sink>(value: T, out: &mut W) -> Result<()> {
        let bits = value.extended();
        let low = (bits as u64).wrapping_shl(Self::REST);
        let back = if SIGNED {
            i128::from((low as i64).wrapping_shr(Self::REST)) as u128
        } else {
            u128::from(low.wrapping_shr(Self::REST))
        };
        // the largest of 128 bits looks like -1
        let is_huge = !T::IS_SIGNED && T::BYTES == 16 && SIGNED && value.wide().is_none();
        if back != bits || is_huge {
            return Err(overflow(bits, T::IS_SIGNED, BYTES, SIGNED, out.pos()));
        }
        let mut bytes = [0u8; BYTES];
        if O::LE {
            bytes.iter_mut().zip((bits as u64).to_le_bytes()).for_each(|(to, b)| *to = b);
        } else {
            bytes.iter_mut().rev().zip((bits as u64).to_le_bytes()).for_each(|(to, b)| *to = b);
        }
        out.array(bytes)
    }
}

/// An integer that does not fit in a type of that many bytes; `bits` are its two's complement.
#[cold]
#[inline(never)]
pub(super) fn overflow(bits: u128, negative: bool, bytes: usize, signed: bool, at: u64) -> Error {
    let found =
        if negative { printed(format_args!("{}", bits as i128)) } else { printed(format_args!("{bits}")) };
    let bits = u32::try_from(bytes).unwrap_or(16).wrapping_mul(8);
    Error::new(ErrorKind::IntegerOverflow { found, bits, signed }, at)
}

macro_rules! varints {
    ($($(#[$doc:meta])* $F:ident $Class:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $F;

        impl<T: $Class> IntegerForm<T> for $F {
            const SIZES: (usize, usize) = (1, Varint::$F.max_len(T::BYTES));
            const FORM: Option<IntShape> = Some(IntShape::Varint { code: Varint::$F, bytes: T::BYTES });

            #[inline(always)]
            fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<T> {
                let at = src.pos();
                let bits = varint::read(src, Varint::$F, T::BYTES)?;
                let value = T::truncated(bits);
                // `usize` may be narrower than it is on the wire
                if size_of::<T>() < usize::from(T::BYTES) && value.extended() != bits {
                    return Err(overflow(bits, T::IS_SIGNED, size_of::<T>(), T::IS_SIGNED, at));
                }
                Ok(value)
            }

            #[inline(always)]
            fn encode<O: Order, W: Sink>(value: T, out: &mut W) -> Result<()> {
                varint::write(out, Varint::$F, T::BYTES, value.extended())
            }
        }
    )* };
}
varints! {
    /// Unsigned LEB128: seven bits in each byte, low bits first.
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// #[derive(BinFormat)]
    /// struct Index { #[binfmt(as = leb128)] n: u32 }
    /// assert_eq!(binfmt::to_vec(&Index { n: 624485 })?, [0xe5, 0x8e, 0x26]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    Leb128 Unsigned;
    /// Signed LEB128: seven bits in each byte, low bits first; the last one's highest is the sign.
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// #[derive(BinFormat)]
    /// struct Constant { #[binfmt(as = sleb128)] n: i32 }
    /// assert_eq!(binfmt::to_vec(&Constant { n: -123456 })?, [0xc0, 0xbb, 0x78]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    Sleb128 Signed;
    /// 0, -1, 1, -2, .. as the unsigned LEB128 of 0, 1, 2, 3, ..
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// #[derive(BinFormat)]
    /// struct Delta { #[binfmt(as = zigzag)] n: i64 }
    /// assert_eq!(binfmt::to_vec(&Delta { n: -2 })?, [3]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    Zigzag Signed;
    /// Seven bits in each byte, high bits first, as in MIDI and ASN.1. (Git's offsets look alike, but count differently:
    /// the example of [`IntegerForm`] has them.)
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// #[derive(BinFormat)]
    /// struct Event { #[binfmt(as = vlq)] delta: u32 }
    /// assert_eq!(binfmt::to_vec(&Event { delta: 0x0fffffff })?, [0xff, 0xff, 0xff, 0x7f]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    Vlq Unsigned;
}

const fn shape<F: IntegerForm<T>, T: Copy>() -> IntShape {
    match F::FORM {
        Some(form) => form,
        None => IntShape::Custom { of: type_name::<F>, sizes: || sizes::<F, T>() },
    }
}

const fn sizes<F: IntegerForm<T>, T: Copy>() -> Sizes {
    let (min, max) = F::SIZES;
    assert!(min <= max, "`IntegerForm::SIZES`: the least is more than the most");
    Sizes { head: min, min, max }
}

const fn facts<F: IntegerForm<T>, T: Copy, A>() -> Facts<A> {
    let Sizes { head, min, max } = sizes::<F, T>();
    Facts::range(head, min, max).claimed(F::FORM.is_none()).in_place(F::FORM.is_some())
}

/// Reads an integer, and tells a tracing source what it is.
#[inline(always)]
pub(crate) fn decode<'de, O: Order, S: Source<'de>, F: IntegerForm<T>, T: Copy>(src: &mut S) -> Result<T> {
    src.mark(Kind::of(const { shape::<F, T>().shape() }), O::LE);
    if const { F::FORM.is_some() } {
        return F::decode::<O, S>(src);
    }
    let at = src.pos();
    let value = F::decode::<O, S>(src)?;
    kept::<F, T>(at, src.pos())?;
    Ok(value)
}

/// Writes an integer.
#[inline(always)]
pub(crate) fn encode<O: Order, W: Sink, F: IntegerForm<T>, T: Copy>(value: T, out: &mut W) -> Result<()> {
    if const { F::FORM.is_some() } {
        return F::encode::<O, W>(value, out);
    }
    let at = out.pos();
    F::encode::<O, W>(value, out)?;
    kept::<F, T>(at, out.pos())
}

/// A form of the user's own keeps to its sizes: those of types rest on them.
#[inline(always)]
fn kept<F: IntegerForm<T>, T: Copy>(from: u64, to: u64) -> Result<()> {
    let (min, max) = F::SIZES;
    let taken = between(from, to);
    if taken >= min as u64 && taken <= max as u64 {
        Ok(())
    } else {
        Err(another_size(taken, (min, max), from))
    }
}

#[cold]
#[inline(never)]
fn another_size(taken: u64, (min, max): (usize, usize), at: u64) -> Error {
    let short = "the integer takes another number of bytes than its form declares";
    let text =
        told(format_args!("the integer takes {taken} bytes, but its form declares {min} to {max}"), short);
    Error::message(text, at)
}

/// `as = F`: an integer, or the elements of a list.
#[derive(Debug)]
pub struct Int<F>(PhantomData<F>);

#[diagnostic::do_not_recommend]
impl<F: IntegerForm<T>, T: Copy> As<T> for Int<F> {
    const FACTS: Facts<T> = facts::<F, T, T>();
    const SHAPE: Shape = shape::<F, T>().shape();
    // of a form of variable size 0 stands for no value: one byte
    const BLANK: bool =
        matches!(F::FORM, Some(IntShape::Varint { .. })) || Self::FACTS.sizes().exact().is_some();

    #[inline(always)]
    fn put_blank<O: Order, W: Sink>(out: &mut W) -> Result<()> {
        match (F::FORM, Self::FACTS.sizes().exact()) {
            (Some(IntShape::Varint { .. }), _) => out.array([0]),
            (_, Some(n)) => out.fill(0, n as u64),
            (_, None) => Err(no_blank(out.pos())),
        }
    }

    #[inline(always)]
    fn pass_blank<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<()> {
        match (F::FORM, Self::FACTS.sizes().exact()) {
            (Some(IntShape::Varint { code, bytes }), _) => varint::pass(src, code, bytes),
            (_, Some(n)) => src.blank(n),
            (_, None) => Err(no_blank(src.pos())),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<'de, F: IntegerForm<T>, T: Copy> DecodeAs<'de, T> for Int<F> {
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<T> {
        decode::<O, S, F, T>(src)
    }
}

#[diagnostic::do_not_recommend]
impl<F: IntegerForm<T>, T: Copy> EncodeAs<T> for Int<F> {
    #[inline(always)]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, _: ()) -> Result<()> {
        encode::<O, W, F, T>(*value, out)
    }
}

/// An integer with its form, for what takes a type: lengths, tags, elements.
#[derive(Debug)]
pub struct Wired<T, F> {
    /// The integer.
    pub value: T,
    form: PhantomData<F>,
}

impl<T, F> Wired<T, F> {
    /// The integer in this form.
    #[inline(always)]
    pub const fn new(value: T) -> Self {
        Wired { value, form: PhantomData }
    }
}

impl<T: Copy, F> Clone for Wired<T, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Copy, F> Copy for Wired<T, F> {}

#[diagnostic::do_not_recommend]
impl<F: IntegerForm<T>, T: Copy> Layout for Wired<T, F> {
    const FACTS: Facts<Self> = facts::<F, T, Self>();
    const SHAPE: Shape = shape::<F, T>().shape();
}

#[diagnostic::do_not_recommend]
impl<'de, F: IntegerForm<T>, T: Copy> Decode<'de> for Wired<T, F> {
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<Self> {
        decode::<O, S, F, T>(src).map(Wired::new)
    }
}

#[diagnostic::do_not_recommend]
impl<F: IntegerForm<T>, T: Copy> Encode for Wired<T, F> {
    #[inline(always)]
    fn encode<O: Order, W: Sink>(&self, out: &mut W, _: ()) -> Result<()> {
        encode::<O, W, F, T>(self.value, out)
    }
}

impl<T: core::fmt::Display, F> core::fmt::Display for Wired<T, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.value.fmt(f)
    }
}

#[diagnostic::do_not_recommend]
impl<F: IntegerForm<T>, T: Len + AnyInteger> Len for Wired<T, F> {
    const BYTES: usize = F::SIZES.0;
    const FORM: IntShape = shape::<F, T>();
    const MAX: u64 = match Self::FORM {
        IntShape::Fixed { bytes, signed } => {
            let bits = bytes as u32 * 8 - signed as u32;
            let max = u64::MAX >> (64 - bits);
            if max < T::MAX { max } else { T::MAX }
        }
        _ => T::MAX,
    };
    #[inline(always)]
    fn wide(self) -> i128 {
        Len::wide(self.value)
    }
    #[inline(always)]
    fn of(n: u64) -> Option<Self> {
        if n <= Self::MAX { <T as Len>::of(n).map(Wired::new) } else { None }
    }
    #[inline(always)]
    fn get<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<Self> {
        F::decode::<O, S>(src).map(Wired::new)
    }
    #[inline(always)]
    fn put<O: Order, W: Sink>(self, out: &mut W) -> Result<()> {
        F::encode::<O, W>(self.value, out)
    }
}
