//! Runs of plain fields: one call for several of them, which costs a user's compiler a fraction of one call each.

#![allow(clippy::arithmetic_side_effects, reason = "computed when compiling, where an overflow is an error")]

use super::field::{at_part, begin, begin_put, enter};
use super::form::Own;
use super::{Decode, Encode, Layout};
use crate::error::Result;
use crate::wire::{Order, Part, Shape, Sink, Source, TypeOf, Variant};
use core::any::type_name;

/// A tuple of number types that are decoded one after the other, each as its own type says.
pub trait Run<'de>: Sized {
    /// Reads them; the first is part `first`.
    fn read<O: Order, S: Source<'de>>(src: &mut S, parts: &'static [Part], first: usize) -> Result<Self>;
}

/// A tuple of references to numbers that are encoded one after the other.
pub trait PutRun {
    /// Writes them; the first is part `first`.
    fn write<O: Order, W: Sink>(self, out: &mut W, parts: &'static [Part], first: usize) -> Result<()>;
}

/// The sizes of a tuple's members.
pub trait RunParts {
    /// A part for each, without a name.
    const LIST: &'static [Part];
}

/// Reads a run of plain fields.
#[inline(always)]
pub fn plains<'de, O: Order, S: Source<'de>, R: Run<'de>>(
    src: &mut S,
    parts: &'static [Part],
    first: usize,
) -> Result<R> {
    R::read::<O, S>(src, parts, first)
}

/// Writes a run of plain fields.
#[inline(always)]
pub fn put_plains<O: Order, W: Sink, R: PutRun>(
    out: &mut W,
    parts: &'static [Part],
    first: usize,
    run: R,
) -> Result<()> {
    run.write::<O, W>(out, parts, first)
}

/// The parts of a run: names and types from the derive, the rest from the types themselves.
pub const fn plain_parts<R: RunParts, const N: usize>(
    fields: [(&'static str, &'static str); N],
) -> [Part; N] {
    let mut parts = [Part::NONE; N];
    let mut i = 0usize;
    while i < N {
        let (name, ty) = fields[i];
        parts[i] = R::LIST[i].named(name, ty);
        i += 1;
    }
    parts
}

/// The same parts, each with its documentation.
pub const fn plain_docs<const N: usize>(mut parts: [Part; N], docs: [&'static str; N]) -> [Part; N] {
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

const fn variants_of<T: Layout>() -> &'static [Variant] {
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
    Shape::Choice { name, notes: &[], variants: variants_of::<T>, tag, of: type_of::<T>() }
}

/// The shape of an enum whose tag is elsewhere.
pub const fn choice_from<T: Layout>(name: &'static str) -> Shape {
    Shape::Choice { name, notes: &[], variants: variants_of::<T>, tag: None, of: type_of::<T>() }
}

/// The shape of a type with a codec by hand.
pub(crate) const fn foreign<T: Layout>() -> Shape {
    Shape::Foreign { of: type_name::<T>, sizes: || T::FACTS.sizes() }
}

macro_rules! runs {
    ($(($($T:ident $v:ident $i:tt)+))*) => { $(
        #[diagnostic::do_not_recommend]
        impl<'de, $($T: Decode<'de>),+> Run<'de> for ($($T,)+) {
            #[inline(always)]
            fn read<O: Order, S: Source<'de>>(src: &mut S, parts: &'static [Part], first: usize) -> Result<Self> {
                // the parts before the others are numbers, so a run can begin at the first only
                begin(src, parts, first)?;
                $(
                    if $i > 0 {
                        enter(src, parts, first.wrapping_add($i))?;
                    }
                    let $v = match $T::decode::<O, S>(src, ()) {
                        Ok(v) => v,
                        Err(e) => return Err(at_part(e, parts, first.wrapping_add($i))),
                    };
                    src.close();
                )+
                Ok(($($v,)+))
            }
        }
        #[diagnostic::do_not_recommend]
        impl<$($T: Encode),+> PutRun for ($(&$T,)+) {
            #[inline(always)]
            fn write<O: Order, W: Sink>(self, out: &mut W, parts: &'static [Part], first: usize) -> Result<()> {
                begin_put(out, parts, first)?;
                $(
                    if let Err(e) = self.$i.encode::<O, W>(out, ()) {
                        return Err(at_part(e, parts, first.wrapping_add($i)));
                    }
                )+
                Ok(())
            }
        }
        #[diagnostic::do_not_recommend]
        impl<$($T: Layout),+> RunParts for ($($T,)+) {
            const LIST: &'static [Part] = &[$(Part::of::<Own, $T>("", "")),+];
        }
    )* };
}
runs! {
    (A a 0 B b 1)
    (A a 0 B b 1 C c 2)
    (A a 0 B b 1 C c 2 D d 3)
    (A a 0 B b 1 C c 2 D d 3 E e 4)
    (A a 0 B b 1 C c 2 D d 3 E e 4 F f 5)
    (A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6)
    (A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7)
}
