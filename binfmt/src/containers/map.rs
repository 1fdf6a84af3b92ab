//! A function between the value on the wire and the field.

use super::check::{NumItems, form_len};
use crate::codec::field::{at_part, begin, begin_put};
use crate::codec::form::{DecodeAs, EncodeAs};
use crate::codec::{Decode, Encode, Layout};
use crate::error::{Error, Result};
use crate::wire::{Facts, Order, Part, Shape, Sink, Source};

/// `map(decode = f, ..)`.
#[inline(always)]
pub fn map<'de, O, S, F, V, T, C, G>(src: &mut S, parts: &'static [Part], i: usize, ctx: C, f: G) -> Result<T>
where
    O: Order,
    S: Source<'de>,
    F: DecodeAs<'de, V, C>,
    G: Fn(V) -> T,
{
    begin(src, parts, i)?;
    match F::decode::<O, S>(src, ctx) {
        Ok(v) => {
            src.close();
            Ok(f(v))
        }
        Err(e) => Err(at_part(e, parts, i)),
    }
}

/// `try_map(decode = f, ..)`.
#[inline(always)]
pub fn try_map<'de, O, S, F, V, T, C, G, E, R>(
    src: &mut S,
    parts: &'static [Part],
    i: usize,
    ctx: C,
    f: G,
    raised: R,
) -> Result<T>
where
    O: Order,
    S: Source<'de>,
    F: DecodeAs<'de, V, C>,
    G: Fn(V) -> Result<T, E>,
    R: Fn(E, Option<u64>) -> Error,
{
    begin(src, parts, i)?;
    let at = src.pos();
    match F::decode::<O, S>(src, ctx) {
        Ok(v) => {
            src.close();
            f(v).map_err(|e| at_part(raised(e, Some(at)), parts, i))
        }
        Err(e) => Err(at_part(e, parts, i)),
    }
}

/// `map(.., encode = g)`.
#[inline(always)]
pub fn put_map<O, W, F, V, T, C, G>(
    out: &mut W,
    parts: &'static [Part],
    i: usize,
    value: &T,
    ctx: C,
    g: G,
) -> Result<()>
where
    O: Order,
    W: Sink,
    F: EncodeAs<V, C>,
    G: Fn(&T) -> V,
{
    begin_put(out, parts, i)?;
    match F::encode::<O, W>(&g(value), out, ctx) {
        Ok(()) => Ok(()),
        Err(e) => Err(at_part(e, parts, i)),
    }
}

/// `try_map(.., encode = g)`.
#[inline(always)]
pub fn put_try_map<O, W, F, V, T, C, G, E, R>(
    out: &mut W,
    parts: &'static [Part],
    i: usize,
    value: &T,
    ctx: C,
    g: G,
    raised: R,
) -> Result<()>
where
    O: Order,
    W: Sink,
    F: EncodeAs<V, C>,
    G: Fn(&T) -> Result<V, E>,
    R: Fn(E, Option<u64>) -> Error,
{
    begin_put(out, parts, i)?;
    let done = match g(value) {
        Ok(v) => F::encode::<O, W>(&v, out, ctx),
        Err(e) => Err(raised(e, Some(out.pos()))),
    };
    match done {
        Ok(()) => Ok(()),
        Err(e) => Err(at_part(e, parts, i)),
    }
}

/// The bytes on the wire of a field with `map`.
///
/// # Errors
/// The value contradicts its layout.
pub fn map_len<F, V, T, C, G>(value: &T, ctx: C, g: G) -> Result<usize>
where
    F: EncodeAs<V, C>,
    G: Fn(&T) -> V,
{
    form_len::<F, V, C>(&g(value), ctx)
}

/// The bytes on the wire of a field with `try_map`.
///
/// # Errors
/// The function says that the value has no form on the wire, or it contradicts its layout.
pub fn try_map_len<F, V, T, C, G, E, R>(value: &T, ctx: C, g: G, raised: R) -> Result<usize>
where
    F: EncodeAs<V, C>,
    G: Fn(&T) -> Result<V, E>,
    R: Fn(E, Option<u64>) -> Error,
{
    form_len::<F, V, C>(&g(value).map_err(|e| raised(e, None))?, ctx)
}

/// The elements on the wire of a field with `map`.
pub fn map_items<V: NumItems, T, G: Fn(&T) -> V>(value: &T, g: G) -> Result<usize> {
    Ok(g(value).num_items())
}

/// The elements on the wire of a field with `try_map`.
///
/// # Errors
/// The function says that the value has no form on the wire.
pub fn try_map_items<V: NumItems, T, G, E, R>(value: &T, g: G, raised: R) -> Result<usize>
where
    G: Fn(&T) -> Result<V, E>,
    R: Fn(E, Option<u64>) -> Error,
{
    g(value).map(|wire| wire.num_items()).map_err(|e| raised(e, None))
}

/// The facts of a type that a `W` is on the wire for: its memory is not its wire form.
pub const fn mapped_facts<T, W: Layout>() -> Facts<T> {
    let sizes = W::FACTS.sizes();
    Facts::range(sizes.head, sizes.min, sizes.max).ends_as(W::FACTS)
}

/// The shape of a type in a byte order that is fixed.
pub const fn ordered<W: Layout, const LITTLE: bool>() -> Shape {
    Shape::Ordered { little: Some(LITTLE), body: || W::SHAPE }
}

/// `map(decode = f, ..)` on a struct or enum.
///
/// # Errors
/// Those of what is on the wire.
#[inline(always)]
pub fn map_whole<'de, O, S, V, T, C, G>(src: &mut S, ctx: C, f: G) -> Result<T>
where
    O: Order,
    S: Source<'de>,
    V: Decode<'de, C>,
    G: FnOnce(V) -> T,
{
    V::decode::<O, S>(src, ctx).map(f)
}

/// `try_map(decode = f, ..)` on a struct or enum.
///
/// # Errors
/// Those of what is on the wire, and of the function.
#[inline(always)]
pub fn try_map_whole<'de, O, S, V, T, C, G, E, R>(src: &mut S, ctx: C, f: G, raised: R) -> Result<T>
where
    O: Order,
    S: Source<'de>,
    V: Decode<'de, C>,
    G: FnOnce(V) -> Result<T, E>,
    R: Fn(E, Option<u64>) -> Error,
{
    let at = src.pos();
    f(V::decode::<O, S>(src, ctx)?).map_err(|e| raised(e, Some(at)))
}

/// `map(.., encode = g)` on a struct or enum.
///
/// # Errors
/// Those of what is on the wire.
#[inline(always)]
pub fn put_map_whole<O, W, V, T, C, G>(value: &T, out: &mut W, ctx: C, g: G) -> Result<()>
where
    O: Order,
    W: Sink,
    V: Encode<C>,
    G: FnOnce(&T) -> V,
{
    g(value).encode::<O, W>(out, ctx)
}

/// `try_map(.., encode = g)` on a struct or enum.
///
/// # Errors
/// Those of what is on the wire, and of the function.
#[inline(always)]
pub fn put_try_map_whole<O, W, V, T, C, G, E, R>(
    value: &T,
    out: &mut W,
    ctx: C,
    g: G,
    raised: R,
) -> Result<()>
where
    O: Order,
    W: Sink,
    V: Encode<C>,
    G: FnOnce(&T) -> Result<V, E>,
    R: Fn(E, Option<u64>) -> Error,
{
    g(value).map_err(|e| raised(e, Some(out.pos())))?.encode::<O, W>(out, ctx)
}
