//! The tag in front of an enum.

use crate::codec::fingerprint::ConstValue;
use crate::codec::form::{DecodeAs, EncodeAs};
use crate::codec::integer::AnyInteger;
use crate::error::owned::{String, printed};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::{Facts, Kind, Label, Order, Sink, Source};
use core::fmt::{Debug, Display};

/// A value that knows its tag: an enum whose variants have one each, or keep it.
///
/// The derive implements it for enums with `tag(..)`, and for those with `tag_from` if that is a parameter of `ctx(..)`. A struct
/// writes the tag elsewhere with it: `calc(u8 = body.tag())` on a field of type `()`.
///
/// ```
/// use binfmt::{BinFormat, Tagged};
/// #[derive(BinFormat, Debug, PartialEq)]
/// #[binfmt(ctx(kind: u8), tag_from = kind)]
/// enum Body {
///     #[binfmt(tag = 1)]
///     Size(u16),
///     #[binfmt(tag = 4)]
///     Flag(bool),
/// }
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct Message {
///     #[binfmt(calc(u8 = body.tag()))]
///     kind: (),
///     len: u8,
///     #[binfmt(tag_from = *kind)]
///     body: Body,
/// }
/// let message = Message { kind: (), len: 1, body: Body::Flag(true) };
/// assert_eq!(message.body.tag(), 4);
/// assert_eq!(binfmt::to_vec(&message)?, [4, 1, 1]);
/// assert_eq!(binfmt::from_slice::<Message>(&[4, 1, 1])?, message);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub trait Tagged {
    /// The type of the tag.
    type Tag;

    /// The tag that the value has, or would have, on the wire.
    fn tag(&self) -> Self::Tag;
}

/// No tag on the wire.
pub const fn no_tag() -> Facts<()> {
    Facts::exact(0)
}

/// Reads a tag.
#[inline(always)]
pub fn tag<'de, O: Order, S: Source<'de>, F: DecodeAs<'de, T, C>, T, C>(src: &mut S, ctx: C) -> Result<T> {
    src.open(Label::Piece("tag"), "");
    match F::decode::<O, S>(src, ctx) {
        Ok(v) => {
            src.close();
            Ok(v)
        }
        Err(e) => Err(e.within(Step::Field("tag"))),
    }
}

/// Names the variant to a tracing source.
#[inline(always)]
pub fn chosen<'de, S: Source<'de>>(src: &mut S, variant: &'static str) {
    if src.is_heard() {
        src.mark(Kind::Variant(variant), true);
    }
}

/// Writes a tag.
#[inline(always)]
pub fn put_tag<O: Order, W: Sink, F: EncodeAs<T, C>, T, C>(out: &mut W, value: &T, ctx: C) -> Result<()> {
    F::encode::<O, W>(value, out, ctx)
}

/// What a tag looks like in a message.
pub trait TagValue {
    /// As text.
    fn text(&self) -> String;
    /// As a pattern of it alone.
    fn pattern(&self) -> String {
        self.text()
    }
}

impl<T: AnyInteger> TagValue for T {
    fn text(&self) -> String {
        printed(format_args!("{self}"))
    }
}

impl TagValue for bool {
    fn text(&self) -> String {
        printed(format_args!("{self}"))
    }
}

impl<const N: usize> TagValue for [u8; N] {
    fn text(&self) -> String {
        printed(format_args!("\"{}\"", self.escape_ascii()))
    }
    fn pattern(&self) -> String {
        printed(format_args!("b{}", self.text()))
    }
}

/// A constant tag as a description has it.
pub fn tag_text<T: TagValue>(tag: T) -> String {
    tag.pattern()
}

/// A type whose values have a literal in the expressions of a description.
pub trait Literal: Display {}

impl<T: AnyInteger> Literal for T {}
impl Literal for bool {}

/// A constant of a type that has no name.
#[derive(Debug)]
pub struct Constant<'c, T>(pub &'c T, pub NoLiteral);

/// A constant that has no literal here.
#[derive(Debug)]
pub struct NoLiteral;

impl<T: Literal> Constant<'_, T> {
    /// Its value as a literal. Of any other type this method is the one of [`NoLiteral`]: it is found after the
    /// reference.
    pub fn literal(&self) -> Option<String> {
        Some(printed(format_args!("{}", self.0)))
    }
}

macro_rules! values {
    ($($t:ident)*) => { $(
        impl Constant<'_, $t> {
            /// Its value, while compiling.
            pub const fn value(&self) -> ConstValue {
                #[allow(unused_comparisons, reason = "of unsigned numbers none is below 0")]
                let negative = *self.0 < 0;
                let amount = *self.0 as u128;
                ConstValue::Int { negative, amount: if negative { amount.wrapping_neg() } else { amount } }
            }
        }
    )* };
}
values!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize);

impl Constant<'_, bool> {
    /// Its value, while compiling.
    pub const fn value(&self) -> ConstValue {
        ConstValue::Bool(*self.0)
    }
}

impl<const N: usize> Constant<'static, [u8; N]> {
    /// Its value, while compiling.
    pub const fn value(&self) -> ConstValue {
        ConstValue::Bytes(self.0)
    }
}

impl<T> core::ops::Deref for Constant<'_, T> {
    type Target = NoLiteral;

    fn deref(&self) -> &NoLiteral {
        &self.1
    }
}

impl NoLiteral {
    /// None.
    pub fn literal(&self) -> Option<String> {
        None
    }
}

/// A tag of no variant.
#[cold]
#[inline(never)]
pub fn unknown_tag(at: u64, tag: impl TagValue, of: &'static str) -> Error {
    Error::new(ErrorKind::UnknownTag { found: tag.text(), of: of.into() }, at)
}

/// Bytes that are a tag, or a reference to some.
#[diagnostic::on_unimplemented(
    message = "a byte string is no tag of the type `{Self}`",
    label = "expected bytes, such as `[u8; 4]` or a reference to them"
)]
pub trait TagBytes {
    /// What byte strings refer to.
    type Bytes: ?Sized;
    /// The bytes.
    fn bytes(&self) -> &Self::Bytes;
}

impl<const N: usize> TagBytes for [u8; N] {
    type Bytes = [u8; N];
    #[inline(always)]
    fn bytes(&self) -> &[u8; N] {
        self
    }
}

impl TagBytes for [u8] {
    type Bytes = [u8];
    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        self
    }
}

impl<T: TagBytes + ?Sized> TagBytes for &T {
    type Bytes = T::Bytes;
    #[inline(always)]
    fn bytes(&self) -> &T::Bytes {
        T::bytes(self)
    }
}

/// What byte strings are compared with.
#[inline(always)]
pub fn tag_bytes<T: TagBytes + ?Sized>(tag: &T) -> &T::Bytes {
    tag.bytes()
}

/// A tag from elsewhere that is of no variant.
#[cold]
#[inline(never)]
pub fn no_variant(at: u64, of: &'static str, tag: &dyn Debug) -> Error {
    let found = printed(format_args!("{tag:?}"));
    Error::new(ErrorKind::UnknownTag { found, of: of.into() }, at)
}

/// When writing: a variant that the tag from elsewhere does not name.
#[cold]
#[inline(never)]
pub fn tag_mismatch(at: u64, of: &'static str, variant: &'static str) -> Error {
    Error::new(ErrorKind::VariantMismatch { of, found: variant }, at)
}
