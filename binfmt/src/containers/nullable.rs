//! A presence byte in front of a value, as SciDB writes it: 0xFF and the value, or the code of why it is missing.

use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::plus;
use crate::wire::{Facts, Kind, Label, Order, Shape, Sink, Source};
use core::marker::PhantomData;

/// A value, or the code that says why it is missing (SciDB: "missing reason", 0..=127).
///
/// Where the code does not matter, `Option<T>` does as well; it writes the first code of the layout, which is 0.
///
/// ```
/// use binfmt::{BinFormat, Nullable};
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct Cell { #[binfmt(nullable)] a: Nullable<i16> }
/// assert_eq!(binfmt::from_slice::<Cell>(&[0x35, 0, 0])?, Cell { a: Nullable::Missing(0x35) });
/// assert_eq!(binfmt::to_vec(&Cell { a: Nullable::Value(-2) })?, [0xff, 0xfe, 0xff]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
pub enum Nullable<T> {
    /// Missing, with its code.
    #[cfg_attr(feature = "serde", serde(with = "missing"))]
    Missing(u8),
    /// A value.
    Value(T),
}

/// `{"missing": 53}`: the form of a missing value in JSON and its kin.
#[cfg(feature = "serde")]
mod missing {
    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Missing {
        missing: u8,
    }

    pub(super) fn serialize<S: serde::Serializer>(code: &u8, s: S) -> Result<S::Ok, S::Error> {
        serde::Serialize::serialize(&Missing { missing: *code }, s)
    }

    pub(super) fn deserialize<'de, D: serde::Deserializer<'de>>(d: D) -> Result<u8, D::Error> {
        <Missing as serde::Deserialize>::deserialize(d).map(|m| m.missing)
    }
}

impl<T> Nullable<T> {
    /// The value, if there is one.
    ///
    /// ```
    /// use binfmt::Nullable;
    /// assert_eq!(Nullable::Value(3).value(), Some(3));
    /// assert_eq!(Nullable::<i32>::Missing(1).value(), None);
    /// ```
    pub fn value(self) -> Option<T> {
        match self {
            Nullable::Value(v) => Some(v),
            Nullable::Missing(_) => None,
        }
    }

    /// A reference to the value, if there is one.
    ///
    /// ```
    /// use binfmt::Nullable;
    /// assert_eq!(Nullable::Value(3).as_ref(), Nullable::Value(&3));
    /// ```
    pub fn as_ref(&self) -> Nullable<&T> {
        match self {
            Nullable::Value(v) => Nullable::Value(v),
            Nullable::Missing(code) => Nullable::Missing(*code),
        }
    }

    /// The code of a missing value.
    ///
    /// ```
    /// use binfmt::Nullable;
    /// assert_eq!(Nullable::<i32>::Missing(9).missing(), Some(9));
    /// ```
    pub fn missing(&self) -> Option<u8> {
        match self {
            Nullable::Value(_) => None,
            Nullable::Missing(code) => Some(*code),
        }
    }

    /// The same with another value.
    ///
    /// ```
    /// use binfmt::Nullable;
    /// assert_eq!(Nullable::Value(2).map(|n| n * 2), Nullable::Value(4));
    /// ```
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Nullable<U> {
        match self {
            Nullable::Value(v) => Nullable::Value(f(v)),
            Nullable::Missing(code) => Nullable::Missing(code),
        }
    }
}

/// Missing for a reason that is not given: code 0.
impl<T> Default for Nullable<T> {
    fn default() -> Self {
        Nullable::Missing(0)
    }
}

impl<T> From<T> for Nullable<T> {
    fn from(v: T) -> Self {
        Nullable::Value(v)
    }
}

impl<T> From<Nullable<T>> for Option<T> {
    fn from(v: Nullable<T>) -> Self {
        v.value()
    }
}

/// `nullable`: a presence byte, then the form `F`.
///
/// `PRESENT` announces a value, `LO..=HI` are the codes of a missing one; with `ZERO` a blank body (zeros, or a length
/// of 0) follows a missing one too.
#[derive(Debug)]
pub struct Null<F, const PRESENT: u8 = 255, const LO: u8 = 0, const HI: u8 = 127, const ZERO: bool = true>(
    PhantomData<F>,
);

/// What stands in front.
pub(crate) enum Presence {
    Value,
    Missing(u8),
}

#[inline(always)]
pub(crate) fn presence<'de, S: Source<'de>>(src: &mut S, present: u8, missing: (u8, u8)) -> Result<Presence> {
    let at = src.pos();
    src.open(Label::Piece("presence"), "");
    src.mark(Kind::Presence { present, missing }, true);
    let [b] = src.array::<1>()?;
    src.close();
    if b == present {
        return Ok(Presence::Value);
    }
    if b >= missing.0 && b <= missing.1 {
        return Ok(Presence::Missing(b));
    }
    // SciDB's loader tests the sign of the byte, so 0x80..=0xFE are values too
    if src.policy().lenient_presence && present == 0xFF && missing == (0, 127) {
        return Ok(Presence::Value);
    }
    Err(invalid(b, present, missing, at))
}

/// Writes the code of a missing value.
#[inline(always)]
pub(crate) fn put_missing<W: Sink>(code: u8, missing: (u8, u8), out: &mut W) -> Result<()> {
    if code < missing.0 || code > missing.1 {
        return Err(Error::new(ErrorKind::InvalidMissingCode { found: code, missing }, out.pos()));
    }
    out.array([code])
}

#[cold]
#[inline(never)]
fn invalid(found: u8, present: u8, missing: (u8, u8), at: u64) -> Error {
    Error::new(ErrorKind::InvalidPresence { found, present, missing }, at)
}

const fn null_facts<T, U>(
    inner: Facts<T>,
    zero: bool,
    blank: bool,
    present: u8,
    missing: (u8, u8),
) -> Facts<U> {
    assert!(
        missing.0 <= missing.1 && (present < missing.0 || present > missing.1),
        "`nullable`: the presence byte must not be one of the codes of a missing value"
    );
    assert!(
        blank || !zero,
        "`nullable` writes zeros for a missing value, but this type has no fixed size and no length prefix: use `nullable(body = absent)`"
    );
    let s = inner.sizes();
    let max = plus(s.max, 1);
    let facts =
        if zero { Facts::range(plus(s.head, 1), plus(s.min, 1), max) } else { Facts::range(1, 1, max) };
    facts.ends_as(inner)
}

const fn null_shape(present: u8, missing: (u8, u8), blank: bool, body: fn() -> Shape) -> Shape {
    Shape::Nullable { present, missing, blank, body }
}

/// A type that `nullable` stands for: `Option` or `Nullable`.
pub trait Maybe {
    /// What it may hold.
    type Value;
    /// The value, or the code of a missing one; `lo` where none is kept.
    fn split(self, lo: u8) -> Result<Self::Value, u8>;
    /// The same without taking it.
    fn view(&self, lo: u8) -> Result<&Self::Value, u8>;
    /// The other way.
    fn join(value: Result<Self::Value, u8>) -> Self;
}

impl<T> Maybe for Nullable<T> {
    type Value = T;
    #[inline(always)]
    fn split(self, _: u8) -> Result<T, u8> {
        match self {
            Nullable::Value(value) => Ok(value),
            Nullable::Missing(code) => Err(code),
        }
    }
    #[inline(always)]
    fn view(&self, _: u8) -> Result<&T, u8> {
        match self {
            Nullable::Value(value) => Ok(value),
            Nullable::Missing(code) => Err(*code),
        }
    }
    #[inline(always)]
    fn join(value: Result<T, u8>) -> Self {
        match value {
            Ok(value) => Nullable::Value(value),
            Err(code) => Nullable::Missing(code),
        }
    }
}

impl<T> Maybe for Option<T> {
    type Value = T;
    #[inline(always)]
    fn split(self, lo: u8) -> Result<T, u8> {
        self.ok_or(lo)
    }
    #[inline(always)]
    fn view(&self, lo: u8) -> Result<&T, u8> {
        self.as_ref().ok_or(lo)
    }
    #[inline(always)]
    fn join(value: Result<T, u8>) -> Self {
        value.ok()
    }
}

#[diagnostic::do_not_recommend]
impl<F: As<M::Value>, M: Maybe, const PRESENT: u8, const LO: u8, const HI: u8, const ZERO: bool> As<M>
    for Null<F, PRESENT, LO, HI, ZERO>
{
    const FACTS: Facts<M> = null_facts(F::FACTS, ZERO, F::BLANK, PRESENT, (LO, HI));
    const SHAPE: Shape = null_shape(PRESENT, (LO, HI), ZERO, || F::SHAPE);
    const TREE: Tree = Tree::around(<Self as As<M>>::SHAPE, &F::TREE);
}

#[diagnostic::do_not_recommend]
impl<'de, F, M: Maybe, C, const PRESENT: u8, const LO: u8, const HI: u8, const ZERO: bool> DecodeAs<'de, M, C>
    for Null<F, PRESENT, LO, HI, ZERO>
where
    F: DecodeAs<'de, M::Value, C>,
{
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<M> {
        match presence(src, PRESENT, (LO, HI))? {
            Presence::Value => {
                src.open(Label::Value, "");
                let value = F::decode::<O, S>(src, ctx)?;
                src.close();
                Ok(M::join(Ok(value)))
            }
            Presence::Missing(code) => {
                if ZERO {
                    src.open(Label::Piece("blank"), "");
                    src.mark(Kind::Blank, true);
                    F::pass_blank::<O, S>(src)?;
                    src.close();
                }
                Ok(M::join(Err(code)))
            }
        }
    }
}

#[diagnostic::do_not_recommend]
impl<F, M: Maybe, C, const PRESENT: u8, const LO: u8, const HI: u8, const ZERO: bool> EncodeAs<M, C>
    for Null<F, PRESENT, LO, HI, ZERO>
where
    F: EncodeAs<M::Value, C>,
{
    #[inline(always)]
    fn encode<O: Order, W: Sink>(value: &M, out: &mut W, ctx: C) -> Result<()> {
        match value.view(LO) {
            Ok(v) => {
                out.array([PRESENT])?;
                F::encode::<O, W>(v, out, ctx)
            }
            Err(code) => {
                put_missing(code, (LO, HI), out)?;
                if ZERO { F::put_blank::<O, W>(out) } else { Ok(()) }
            }
        }
    }
}
