//! Checksums of bytes that are copied or gathered first.

use super::{Sum, not_held};
use crate::codec::form::EncodeAs;
use crate::error::Result;
use crate::wire::amount::between;
use crate::wire::out::patch;
use crate::wire::raw::bulk;
use crate::wire::raw::out::Grow;
use crate::wire::{Order, Out, Sink, Source};
use alloc::vec::Vec;

/// The same of a sum that covers itself: it stands at `at`, and there is `own` in its place.
///
/// # Errors
/// The source does not keep its bytes, or there is no memory for a copy.
#[inline]
pub fn sum_with_own<'de, O: Order, S: Source<'de>, F: EncodeAs<T, C>, T: Sum, C>(
    src: &S,
    (from, at): (u64, u64),
    own: T,
    ctx: C,
    f: impl Fn(&[u8]) -> T,
) -> Result<Option<T>> {
    if src.policy().ignore_checksums {
        return Ok(None);
    }
    let Some(bytes) = src.held(from) else { return Err(not_held(src.pos())) };
    let mut copy = Vec::new();
    bulk::try_room(&mut copy, bytes.len()).map_err(|e| e.at(from))?;
    copy.extend_from_slice(bytes);
    let place = usize::try_from(between(from, at)).ok().and_then(|at| copy.get_mut(at..));
    patch(place.unwrap_or(&mut []), |out| F::encode::<O, _>(&own, out, ctx))?;
    Ok(Some(f(&copy)))
}

/// Runs `write` with a sink that has memory, and writes its bytes at once.
///
/// # Errors
/// Those of `write`, and those of the sink.
#[inline]
pub fn in_memory<W: Sink>(
    out: &mut W,
    write: impl FnOnce(&mut Out<'_, Grow<'_>>) -> Result<()>,
) -> Result<()> {
    out.in_memory(write)
}
