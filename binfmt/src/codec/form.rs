//! Wire forms: every field attribute is a zero-sized type that says how a Rust type lies on the wire.

use super::fingerprint::Tree;
use super::{Decode, Encode, Layout};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::raw::facts::Known;
use crate::wire::{Facts, Order, Part, Shape, Sink, Source};

/// A wire form of `T`: the facts.
#[diagnostic::on_unimplemented(
    message = "`{T}` has no wire format of this kind",
    label = "not supported with these words",
    note = "`Option` needs `nullable` or `if(..)`; `Vec`, `String` and slices need `var_len`, `length_prefixed(..)`, `count = ..` or `until_eof`"
)]
pub trait As<T> {
    /// Sizes of the form.
    const FACTS: Facts<T>;
    /// What the bytes are.
    const SHAPE: Shape;
    /// What the bytes are, with what is inside.
    const TREE: Tree = Tree::of(Self::SHAPE);
    /// Whether zeros can stand for an absent value.
    const BLANK: bool = Self::FACTS.sizes().exact().is_some();

    /// Writes what stands for an absent value.
    #[inline(always)]
    fn put_blank<O: Order, W: Sink>(out: &mut W) -> Result<()> {
        put_zeros(Self::FACTS, out)
    }

    /// Steps over what stands for an absent value, as lenient as the reader is.
    #[inline(always)]
    fn pass_blank<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<()> {
        pass_zeros(Self::FACTS, src)
    }
}

#[inline(always)]
pub(super) fn put_zeros<T, W: Sink>(facts: Facts<T>, out: &mut W) -> Result<()> {
    match facts.sizes().exact() {
        Some(n) => out.fill(0, n as u64),
        None => Err(no_blank(out.pos())),
    }
}

#[inline(always)]
pub(super) fn pass_zeros<'de, T, S: Source<'de>>(facts: Facts<T>, src: &mut S) -> Result<()> {
    match facts.sizes().exact() {
        Some(n) => src.blank(n),
        None => Err(no_blank(src.pos())),
    }
}

#[cold]
pub(crate) fn no_blank(at: u64) -> Error {
    Error::new(
        ErrorKind::Message("a missing value of this type has no representation on the wire".into()),
        at,
    )
}

/// A wire form of `T`: decoding.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be decoded in this form with the context `{C}`",
    label = "not decodable",
    note = "a type with `ctx(..)` needs `args(..)` of the same types at the field; a `&str` is lent from UTF-8 and ASCII only"
)]
pub trait DecodeAs<'de, T, C = ()>: As<T> {
    /// Reads one value.
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<T>;
}

/// A wire form of `T`: encoding.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be encoded in this form with the context `{C}`",
    label = "not encodable",
    note = "a type with `ctx(..)` needs `args(..)` of the same types at the field"
)]
pub trait EncodeAs<T, C = ()>: As<T> {
    /// Writes the value.
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, ctx: C) -> Result<()>;
}

/// As the type itself says.
#[derive(Debug)]
pub struct Own;

#[diagnostic::do_not_recommend]
impl<T: Layout> As<T> for Own {
    const FACTS: Facts<T> = T::FACTS;
    const SHAPE: Shape = T::SHAPE;
    const TREE: Tree = T::TREE;
    const BLANK: bool = T::BLANK;

    #[inline(always)]
    fn put_blank<O: Order, W: Sink>(out: &mut W) -> Result<()> {
        T::put_blank::<O, W>(out)
    }

    #[inline(always)]
    fn pass_blank<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<()> {
        T::pass_blank::<O, S>(src)
    }
}

#[diagnostic::do_not_recommend]
impl<'de, C, T: Decode<'de, C>> DecodeAs<'de, T, C> for Own {
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<T> {
        T::decode::<O, S>(src, ctx)
    }
}

#[diagnostic::do_not_recommend]
impl<C, T: Encode<C>> EncodeAs<T, C> for Own {
    #[inline(always)]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, ctx: C) -> Result<()> {
        value.encode::<O, W>(out, ctx)
    }
}

impl Part {
    /// A field of Rust type `T` in wire form `F`.
    #[doc(hidden)]
    pub const fn of<F: As<T>, T>(name: &'static str, ty: &'static str) -> Part {
        Part::new((name, ty), F::FACTS.sizes(), F::SHAPE).of_facts(F::FACTS)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Layout> Known for T {
    const KNOWN: Facts<T> = T::FACTS;
}
