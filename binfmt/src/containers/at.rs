//! `at = expr`: a part that lies elsewhere.
//!
//! When reading, the source goes there and comes back. When writing, the part is encoded by itself, with the positions that it
//! will have, and waits in the sink until everything is written that comes one after the other.

use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::between;
use crate::wire::elsewhere::landing::{FLOATING, Landing};
use crate::wire::elsewhere::{Offset, cannot_place, distance, position, position_before, position_in};
use crate::wire::limits::Len;
use crate::wire::out::patch;
use crate::wire::raw::IntShape;
use crate::wire::{Facts, Label, OPEN, Order, Origin, Shape, Sink, Source};
use alloc::format;
use core::marker::PhantomData;

/// The form `F` at a position; the context is where positions begin to count, the position, and what the form needs.
///
/// `FROM` is the number of an [`Origin`].
#[derive(Debug)]
pub struct At<F, const FROM: u8>(PhantomData<F>);

#[diagnostic::do_not_recommend]
impl<F: As<T>, T, const FROM: u8> As<T> for At<F, FROM> {
    const FACTS: Facts<T> = Facts::range(0, 0, OPEN);
    const SHAPE: Shape = Shape::At { from: Origin::of(FROM), body: || F::SHAPE };
    const TREE: Tree = Tree::around(Self::SHAPE, &F::TREE);
}

#[diagnostic::do_not_recommend]
impl<'de, F, T, C, const FROM: u8> DecodeAs<'de, T, ((u64, i128), C)> for At<F, FROM>
where
    F: DecodeAs<'de, T, C>,
{
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ((base, n), ctx): ((u64, i128), C)) -> Result<T> {
        elsewhere(src, (base, n), Origin::of(FROM), |src| F::decode::<O, S>(src, ctx))
    }
}

/// Reads at another place.
#[inline]
pub(crate) fn elsewhere<'de, S: Source<'de>, T>(
    src: &mut S,
    (base, n): (u64, i128),
    from: Origin,
    read: impl FnOnce(&mut S) -> Result<T>,
) -> Result<T> {
    let to = match from {
        Origin::End => position_before(src.end()?, base, n, src.pos())?,
        Origin::Container | Origin::File => position(base, n, src.pos())?,
    };
    let jump = src.jump(to, from == Origin::File)?;
    src.count_jump()?;
    src.open(Label::Value, "");
    let before = src.visits().map(|visits| visits.0.enter(from));
    let v = read(src)?;
    src.close();
    src.count_jumped(between(to, src.pos()))?;
    note(src, to)?;
    if let (Some(before), Some(visits)) = (before, src.visits()) {
        visits.0.leave(before);
    }
    src.land(jump)?;
    Ok(v)
}

/// Notes what was read from a position on, if something wants to know it.
#[inline]
fn note<'de, S: Source<'de>>(src: &mut S, from: u64) -> Result<()> {
    let (to, cost) = (src.pos(), src.visits().map_or(0, |visits| visits.0.cost()));
    if cost == 0 {
        return Ok(());
    }
    src.charge(cost)?;
    src.visits().map_or(Ok(()), |visits| visits.0.add((from, to)))
}

#[diagnostic::do_not_recommend]
impl<F, T, C, const FROM: u8> EncodeAs<T, ((u64, i128), C)> for At<F, FROM>
where
    F: EncodeAs<T, C>,
{
    #[inline]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, (at, ctx): ((u64, i128), C)) -> Result<()> {
        put_elsewhere(out, at, Origin::of(FROM), Typed::<O, F, T, C> { value, ctx, form: PhantomData })
    }
}

/// What is written to a sink of any type: a part goes to another one than what is around it.
pub(crate) trait Elsewhere {
    fn put<W: Sink>(self, out: &mut W) -> Result<()>;
}

struct Typed<'v, O, F, T, C> {
    value: &'v T,
    ctx: C,
    form: PhantomData<(O, F)>,
}

impl<O: Order, F: EncodeAs<T, C>, T, C> Elsewhere for Typed<'_, O, F, T, C> {
    #[inline]
    fn put<W: Sink>(self, out: &mut W) -> Result<()> {
        F::encode::<O, W>(self.value, out, self.ctx)
    }
}

/// Writes to another place.
#[inline]
pub(crate) fn put_elsewhere<W: Sink>(
    out: &mut W,
    (base, n): (u64, i128),
    from: Origin,
    part: impl Elsewhere,
) -> Result<()> {
    let (to, place) = match from {
        Origin::Container => (position_in(base, n, out.pos())?, Landing::Container),
        Origin::File => (position_in(base, n, out.pos())?, Landing::File),
        Origin::End => (float(out)?, Landing::End(distance(n, out.pos())?)),
    };
    if W::COUNT {
        let before = out.jump(to);
        part.put(out)?;
        out.land(to, before, place);
        return Ok(());
    }
    out.part(to, place, |out| part.put(out))
}

/// The first position of a part that lies after all others.
///
/// # Errors
/// There are too many.
#[inline]
pub fn float<W: Sink>(out: &mut W) -> Result<u64> {
    if W::COUNT {
        return Ok(FLOATING);
    }
    let at = out.pos();
    match out.parts().placed {
        Some(placed) => placed.float(at),
        None => Err(cannot_place(at)),
    }
}

/// `offset_of(field, auto)`: the number that was written at `at` is filled in, when the part has come to its place.
///
/// # Errors
/// There is no memory to note it.
#[inline]
pub fn offset<O: Order, W: Sink, F: EncodeAs<N>, N: Len + TryFrom<i128>>(
    out: &mut W,
    at: u64,
    (base, float): (u64, u64),
    name: &'static str,
) -> Result<()> {
    const {
        let sizes = F::FACTS.sizes();
        assert!(
            sizes.min == sizes.max,
            "binfmt: `offset_of` is filled in later, so it needs an integer of a fixed size"
        );
    }
    match out.parts().placed {
        Some(placed) => placed.fill_in(Offset { at, base, float, put: put_offset::<O, F, N>, name }),
        None => Ok(()),
    }
}

fn put_offset<O: Order, F: EncodeAs<N>, N: Len + TryFrom<i128>>(bytes: &mut [u8], n: i128) -> Result<()> {
    let value = N::try_from(n).map_err(|_| no_room::<F, N>(n))?;
    match patch(bytes, |out| F::encode::<O, _>(&value, out, ())) {
        Ok(()) => Ok(()),
        Err(e) if matches!(e.kind(), ErrorKind::IntegerOverflow { .. }) => Err(no_room::<F, N>(n)),
        Err(e) => Err(e),
    }
}

/// A position that the number cannot say.
#[cold]
fn no_room<F: As<N>, N: Len>(n: i128) -> Error {
    let (bytes, signed) = match (F::SHAPE, N::FORM) {
        (Shape::Int { bytes, signed }, _) | (_, IntShape::Fixed { bytes, signed }) => (bytes, signed),
        _ => (16, true),
    };
    let kind =
        ErrorKind::IntegerOverflow { found: format!("position {n}"), bits: u32::from(bytes) * 8, signed };
    Error::new(kind, 0)
}
