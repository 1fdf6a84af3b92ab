//! Runs of fields: one call for several of them, which costs a user's compiler a fraction of one call each.
//!
//! A run is a tuple of types and a tuple of their wire forms, or [`Own`] where each type has its own: then nothing but the
//! types is looked up. The names and the values are tuples of the same length, so that the compiler checks one expression and
//! not one for each field. Numbers are moved at once, so that it has little to optimise.

#![allow(clippy::arithmetic_side_effects, reason = "computed when compiling, where an overflow is an error")]

use super::field::{at_part, begin, begin_put, enter};
use super::form::{As, DecodeAs, EncodeAs, Own};
use super::{Decode, Encode, Layout};
use crate::error::Result;
use crate::wire::raw::facts::{Together, is_together};
use crate::wire::{Order, Part, Shape, Sink, Source, TypeOf, VariantParts};
use core::any::type_name;

/// The forms of fields that are read one after the other, of types `V`: a tuple of them, or [`Own`] where each type has its
/// own.
pub trait Run<'de, V> {
    /// Reads them; the first is part `first`.
    fn read<O: Order, S: Source<'de>>(src: &mut S, parts: &'static [Part], first: usize) -> Result<V>;
}

/// The forms of fields whose values, a tuple `V` of references, are written one after the other.
pub trait PutRun<V> {
    /// Writes them; the first is part `first`.
    fn write<O: Order, W: Sink>(values: V, out: &mut W, parts: &'static [Part], first: usize) -> Result<()>;
}

/// The parts of fields of types `V` in these forms.
pub trait RunParts<V> {
    /// A part for each, without a name.
    const LIST: &'static [Part];
}

/// Reads a run of fields in forms `F`.
#[inline(always)]
pub fn run<'de, O: Order, S: Source<'de>, F: Run<'de, V>, V>(
    src: &mut S,
    parts: &'static [Part],
    first: usize,
) -> Result<V> {
    F::read::<O, S>(src, parts, first)
}

/// Writes a run of fields in forms `F`.
#[inline(always)]
pub fn put_run<O: Order, W: Sink, F: PutRun<V>, V>(
    out: &mut W,
    parts: &'static [Part],
    first: usize,
    values: V,
) -> Result<()> {
    F::write::<O, W>(values, out, parts, first)
}

/// The parts of a run: names and types from the derive, the rest from the types themselves.
pub const fn run_parts<F: RunParts<V>, V, const N: usize>(
    names: [&'static str; N],
    types: [&'static str; N],
) -> [Part; N] {
    let mut parts = [Part::NONE; N];
    let mut i = 0usize;
    while i < N {
        parts[i] = F::LIST[i].named(names[i], types[i]);
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

const fn shape_of<F: As<T>, T>() -> Shape {
    F::SHAPE
}

const fn type_of<T: Layout>() -> TypeOf {
    TypeOf { name: type_name::<T>, order: || T::FACTS.fixed() }
}

/// The shape of a struct; without a name that of a tuple.
pub const fn record<T: Layout>(name: &'static str) -> Shape {
    Shape::Record { name, notes: &[], parts: parts_of::<T>, of: type_of::<T>() }
}

/// The shape of an enum with a tag of type `G` in front, in a form.
pub const fn choice<T: Layout, F: As<G>, G>(name: &'static str) -> Shape {
    let tag = Some(shape_of::<F, G> as fn() -> Shape);
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

/// Whether a source hears nothing of the fields of a run, and their values are moved at once.
#[inline(always)]
fn at_once<'de, O: Order, S: Source<'de>, V: Together>(src: &S) -> bool {
    (const { is_together::<O, V>() }) && !src.is_heard() && !src.wants_fields()
}

/// Whether the bytes that are checked for together go on after a field.
const fn goes_on<F: As<T>, T>() -> bool {
    F::FACTS.sizes().exact().is_some()
}

macro_rules! runs {
    ($(($A:ident $F:ident $a:ident $($T:ident $G:ident $v:ident $i:tt $B:ident $H:ident)*))*) => { $(
        runs! { @read [$A: Decode<'de> $(, $T: Decode<'de>)*] Own => (src parts first) {
            if at_once::<O, S, ($A, $($T,)*)>(src) {
                begin(src, parts, first)?;
                return src.together::<O, ($A, $($T,)*)>();
            }
        } $A Own $a $($T Own $v $i $B Own)* }
        runs! { @read [$A, $F: DecodeAs<'de, $A> $(, $T, $G: DecodeAs<'de, $T>)*] ($F, $($G,)*) => (src parts first) {}
            $A $F $a $($T $G $v $i $B $H)* }
        runs! { @put [$A: Encode $(, $T: Encode)*] Own => (values out parts first) {
            if const { is_together::<O, ($A, $($T,)*)>() } {
                begin_put(out, parts, first)?;
                return out.together::<O, _>(values);
            }
        } $A Own $a $($T Own $v $i $B Own)* }
        runs! { @put [$A, $F: EncodeAs<$A> $(, $T, $G: EncodeAs<$T>)*] ($F, $($G,)*) => (values out parts first) {}
            $A $F $a $($T $G $v $i $B $H)* }
        #[diagnostic::do_not_recommend]
        impl<$A: Layout, $($T: Layout),*> RunParts<($A, $($T,)*)> for Own {
            const LIST: &'static [Part] = &[Part::of::<Own, $A>("", ""), $(Part::of::<Own, $T>("", "")),*];
        }
        #[diagnostic::do_not_recommend]
        impl<$A, $F: As<$A>, $($T, $G: As<$T>),*> RunParts<($A, $($T,)*)> for ($F, $($G,)*) {
            const LIST: &'static [Part] = &[Part::of::<$F, $A>("", ""), $(Part::of::<$G, $T>("", "")),*];
        }
    )* };
    (@read [$($bounds:tt)*] $Forms:ty => ($src:ident $parts:ident $first:ident) { $($at_once:tt)* }
        $A:ident $F:ident $a:ident $($T:ident $G:ident $v:ident $i:tt $B:ident $H:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<'de, $($bounds)*> Run<'de, ($A, $($T,)*)> for $Forms {
            #[inline(always)]
            fn read<O: Order, S: Source<'de>>(
                $src: &mut S,
                $parts: &'static [Part],
                $first: usize,
            ) -> Result<($A, $($T,)*)> {
                $($at_once)*
                begin($src, $parts, $first)?;
                let $a = match <$F as DecodeAs<'de, $A>>::decode::<O, S>($src, ()) {
                    Ok(v) => v,
                    Err(e) => return Err(at_part(e, $parts, $first)),
                };
                if $src.is_heard() {
                    $src.close();
                }
                $(
                    let at = $first.wrapping_add($i);
                    if const { goes_on::<$H, $B>() } {
                        enter($src, $parts, at)?;
                    } else {
                        begin($src, $parts, at)?;
                    }
                    let $v = match <$G as DecodeAs<'de, $T>>::decode::<O, S>($src, ()) {
                        Ok(v) => v,
                        Err(e) => return Err(at_part(e, $parts, at)),
                    };
                    if $src.is_heard() {
                        $src.close();
                    }
                )*
                Ok(($a, $($v,)*))
            }
        }
    };
    (@put [$($bounds:tt)*] $Forms:ty => ($values:ident $out:ident $parts:ident $first:ident) { $($at_once:tt)* }
        $A:ident $F:ident $a:ident $($T:ident $G:ident $v:ident $i:tt $B:ident $H:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<'a, $($bounds)*> PutRun<(&'a $A, $(&'a $T,)*)> for $Forms {
            #[inline(always)]
            fn write<O: Order, W: Sink>(
                $values: (&'a $A, $(&'a $T,)*),
                $out: &mut W,
                $parts: &'static [Part],
                $first: usize,
            ) -> Result<()> {
                $($at_once)*
                let ($a, $($v,)*) = $values;
                begin_put($out, $parts, $first)?;
                if let Err(e) = <$F as EncodeAs<$A>>::encode::<O, W>($a, $out, ()) {
                    return Err(at_part(e, $parts, $first));
                }
                $(
                    let at = $first.wrapping_add($i);
                    if const { !goes_on::<$H, $B>() } {
                        begin_put($out, $parts, at)?;
                    }
                    if let Err(e) = <$G as EncodeAs<$T>>::encode::<O, W>($v, $out, ()) {
                        return Err(at_part(e, $parts, at));
                    }
                )*
                Ok(())
            }
        }
    };
}
runs! {
    (A F0 a B F1 b 1 A F0)
    (A F0 a B F1 b 1 A F0 C F2 c 2 B F1)
    (A F0 a B F1 b 1 A F0 C F2 c 2 B F1 D F3 d 3 C F2)
    (A F0 a B F1 b 1 A F0 C F2 c 2 B F1 D F3 d 3 C F2 E F4 e 4 D F3)
    (A F0 a B F1 b 1 A F0 C F2 c 2 B F1 D F3 d 3 C F2 E F4 e 4 D F3 G F5 f 5 E F4)
    (A F0 a B F1 b 1 A F0 C F2 c 2 B F1 D F3 d 3 C F2 E F4 e 4 D F3 G F5 f 5 E F4 H F6 g 6 G F5)
    (A F0 a B F1 b 1 A F0 C F2 c 2 B F1 D F3 d 3 C F2 E F4 e 4 D F3 G F5 f 5 E F4 H F6 g 6 G F5 I F7 h 7 H F6)
}
