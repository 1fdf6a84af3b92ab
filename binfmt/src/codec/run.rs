//! Runs of fields: one call for several of them, which costs a user's compiler a fraction of one call each.
//!
//! A run is a tuple of types, of which each stands for a field: the field's own type, or [`Of`] with a wire form. The names
//! and the values are tuples of the same length, so that the compiler checks one expression and not one for each field.

#![allow(clippy::arithmetic_side_effects, reason = "computed when compiling, where an overflow is an error")]

use super::field::{at_part, begin, begin_put, enter};
use super::form::{As, DecodeAs, EncodeAs, Own};
use super::{Decode, Encode, Layout};
use crate::error::Result;
use crate::wire::{Order, Part, Shape, Sink, Source, TypeOf, VariantParts};
use core::any::type_name;
use core::marker::PhantomData;

/// A field of type `T` in wire form `W`, as a member of a run.
#[derive(Debug)]
pub struct Of<W, T>(PhantomData<(W, T)>);

/// A field of a run: its part.
pub trait Member {
    /// Without a name.
    const PART: Part;
    /// Whether the bytes that are checked for together go on after it.
    const GOES_ON: bool = Self::PART.sizes().exact().is_some();
}

/// A field of a run that can be read.
pub trait ReadMember<'de>: Member {
    /// The field's type.
    type Value;
    /// Reads it.
    fn read<O: Order, S: Source<'de>>(src: &mut S) -> Result<Self::Value>;
}

/// A field of a run that can be written.
pub trait PutMember: Member {
    /// The field's type.
    type Value;
    /// Writes it.
    fn write<O: Order, W: Sink>(value: &Self::Value, out: &mut W) -> Result<()>;
}

#[diagnostic::do_not_recommend]
impl<T: Layout> Member for T {
    const PART: Part = Part::of::<Own, T>("", "");
}

#[diagnostic::do_not_recommend]
impl<W: As<T>, T> Member for Of<W, T> {
    const PART: Part = Part::of::<W, T>("", "");
}

#[diagnostic::do_not_recommend]
impl<'de, T: Decode<'de>> ReadMember<'de> for T {
    type Value = T;
    #[inline(always)]
    fn read<O: Order, S: Source<'de>>(src: &mut S) -> Result<T> {
        T::decode::<O, S>(src, ())
    }
}

#[diagnostic::do_not_recommend]
impl<'de, W: DecodeAs<'de, T>, T> ReadMember<'de> for Of<W, T> {
    type Value = T;
    #[inline(always)]
    fn read<O: Order, S: Source<'de>>(src: &mut S) -> Result<T> {
        W::decode::<O, S>(src, ())
    }
}

#[diagnostic::do_not_recommend]
impl<T: Encode> PutMember for T {
    type Value = T;
    #[inline(always)]
    fn write<O: Order, W: Sink>(value: &T, out: &mut W) -> Result<()> {
        value.encode::<O, W>(out, ())
    }
}

#[diagnostic::do_not_recommend]
impl<F: EncodeAs<T>, T> PutMember for Of<F, T> {
    type Value = T;
    #[inline(always)]
    fn write<O: Order, W: Sink>(value: &T, out: &mut W) -> Result<()> {
        F::encode::<O, W>(value, out, ())
    }
}

/// A tuple of fields that are read one after the other.
pub trait Run<'de> {
    /// A tuple of their values.
    type Values;
    /// Reads them; the first is part `first`.
    fn read<O: Order, S: Source<'de>>(
        src: &mut S,
        parts: &'static [Part],
        first: usize,
    ) -> Result<Self::Values>;
}

/// A tuple of fields whose values, `V`, are written one after the other.
pub trait PutRun<V> {
    /// Writes them; the first is part `first`.
    fn write<O: Order, W: Sink>(values: V, out: &mut W, parts: &'static [Part], first: usize) -> Result<()>;
}

/// The parts of a tuple of fields.
pub trait RunParts {
    /// A part for each, without a name.
    const LIST: &'static [Part];
}

/// Reads a run of fields.
#[inline(always)]
pub fn run<'de, O: Order, S: Source<'de>, R: Run<'de>>(
    src: &mut S,
    parts: &'static [Part],
    first: usize,
) -> Result<R::Values> {
    R::read::<O, S>(src, parts, first)
}

/// Writes a run of fields.
#[inline(always)]
pub fn put_run<O: Order, W: Sink, R: PutRun<V>, V>(
    out: &mut W,
    parts: &'static [Part],
    first: usize,
    values: V,
) -> Result<()> {
    R::write::<O, W>(values, out, parts, first)
}

/// The parts of a run: names and types from the derive, the rest from the types themselves.
pub const fn run_parts<R: RunParts, const N: usize>(
    names: [&'static str; N],
    types: [&'static str; N],
) -> [Part; N] {
    let mut parts = [Part::NONE; N];
    let mut i = 0usize;
    while i < N {
        parts[i] = R::LIST[i].named(names[i], types[i]);
        i += 1;
    }
    parts
}

/// The same parts, each with its documentation.
pub const fn run_docs<const N: usize>(mut parts: [Part; N], docs: [&'static str; N]) -> [Part; N] {
    let mut i = 0usize;
    while i < N {
        parts[i] = parts[i].doc(docs[i]);
        i += 1;
    }
    parts
}

/// A list of parts with some of them put in.
pub const fn splice<const N: usize, const K: usize>(
    mut all: [Part; N],
    at: usize,
    some: [Part; K],
) -> [Part; N] {
    let mut i = 0usize;
    while i < K {
        all[at + i] = some[i];
        i += 1;
    }
    all
}

// functions, because recursive types have descriptions too
const fn parts_of<T: Layout>() -> &'static [Part] {
    T::PARTS
}

const fn variants_of<T: Layout>() -> &'static [VariantParts] {
    T::VARIANTS
}

const fn shape_of<T: Layout>() -> Shape {
    T::SHAPE
}

const fn type_of<T: Layout>() -> TypeOf {
    TypeOf { name: type_name::<T>, order: || T::FACTS.fixed() }
}

/// The shape of a struct; without a name that of a tuple.
pub const fn record<T: Layout>(name: &'static str) -> Shape {
    Shape::Record { name, notes: &[], parts: parts_of::<T>, of: type_of::<T>() }
}

/// The shape of an enum with a tag of type `G` in front.
pub const fn choice<T: Layout, G: Layout>(name: &'static str) -> Shape {
    let tag = Some(shape_of::<G> as fn() -> Shape);
    Shape::Choice {
        name,
        notes: &[],
        variants: variants_of::<T>,
        tag,
        front: parts_of::<T>,
        of: type_of::<T>(),
    }
}

/// The shape of an enum whose tag is elsewhere.
pub const fn choice_from<T: Layout>(name: &'static str) -> Shape {
    Shape::Choice {
        name,
        notes: &[],
        variants: variants_of::<T>,
        tag: None,
        front: parts_of::<T>,
        of: type_of::<T>(),
    }
}

/// The shape of a type with a codec by hand.
pub(crate) const fn foreign<T: Layout>() -> Shape {
    Shape::Foreign { of: type_name::<T>, sizes: || T::FACTS.sizes() }
}

macro_rules! runs {
    ($(($A:ident $a:ident $($T:ident $v:ident $i:tt $Before:ident)*))*) => { $(
        #[diagnostic::do_not_recommend]
        impl<'de, $A: ReadMember<'de>, $($T: ReadMember<'de>),*> Run<'de> for ($A, $($T,)*) {
            type Values = ($A::Value, $($T::Value,)*);
            #[inline(always)]
            fn read<O: Order, S: Source<'de>>(
                src: &mut S,
                parts: &'static [Part],
                first: usize,
            ) -> Result<Self::Values> {
                begin(src, parts, first)?;
                let $a = match $A::read::<O, S>(src) {
                    Ok(v) => v,
                    Err(e) => return Err(at_part(e, parts, first)),
                };
                src.close();
                $(
                    let at = first.wrapping_add($i);
                    if const { $Before::GOES_ON } {
                        enter(src, parts, at)?;
                    } else {
                        begin(src, parts, at)?;
                    }
                    let $v = match $T::read::<O, S>(src) {
                        Ok(v) => v,
                        Err(e) => return Err(at_part(e, parts, at)),
                    };
                    src.close();
                )*
                Ok(($a, $($v,)*))
            }
        }
        #[diagnostic::do_not_recommend]
        impl<'a, $A: PutMember, $($T: PutMember),*> PutRun<(&'a $A::Value, $(&'a $T::Value,)*)> for ($A, $($T,)*) {
            #[inline(always)]
            fn write<O: Order, W: Sink>(
                ($a, $($v,)*): (&'a $A::Value, $(&'a $T::Value,)*),
                out: &mut W,
                parts: &'static [Part],
                first: usize,
            ) -> Result<()> {
                begin_put(out, parts, first)?;
                if let Err(e) = $A::write::<O, W>($a, out) {
                    return Err(at_part(e, parts, first));
                }
                $(
                    let at = first.wrapping_add($i);
                    if const { !$Before::GOES_ON } {
                        begin_put(out, parts, at)?;
                    }
                    if let Err(e) = $T::write::<O, W>($v, out) {
                        return Err(at_part(e, parts, at));
                    }
                )*
                Ok(())
            }
        }
        #[diagnostic::do_not_recommend]
        impl<$A: Member, $($T: Member),*> RunParts for ($A, $($T,)*) {
            const LIST: &'static [Part] = &[$A::PART, $($T::PART),*];
        }
    )* };
}
runs! {
    (A a B b 1 A)
    (A a B b 1 A C c 2 B)
    (A a B b 1 A C c 2 B D d 3 C)
    (A a B b 1 A C c 2 B D d 3 C E e 4 D)
    (A a B b 1 A C c 2 B D d 3 C E e 4 D F f 5 E)
    (A a B b 1 A C c 2 B D d 3 C E e 4 D F f 5 E G g 6 F)
    (A a B b 1 A C c 2 B D d 3 C E e 4 D F f 5 E G g 6 F H h 7 G)
}
