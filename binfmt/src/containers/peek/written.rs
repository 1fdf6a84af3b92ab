//! Whether what was written is what was said to come.

use super::written;
use crate::codec::form::EncodeAs;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::amount::after;
use crate::wire::elsewhere::Placed;
use crate::wire::out::bytes_apart;
use crate::wire::sink::must_reach;
use crate::wire::{Order, Sink};
use alloc::vec::Vec;

/// What was written at a place begins with a value, as far as both go.
///
/// # Errors
/// It does not.
#[inline]
pub fn is_ahead<O: Order, W: Sink, F: EncodeAs<T, C>, T, C>(
    out: &mut W,
    at: u64,
    value: &T,
    ctx: C,
    name: &'static str,
) -> Result<()> {
    if !W::COUNT && written(out, at).is_none() {
        return Ok(());
    }
    let own = bytes_apart(out, at, |out| F::encode::<O, _>(value, out, ctx));
    own.and_then(|own| same(out, at, own)).map_err(|e| e.within(Step::Field(name)))
}

/// Holds what was written at a place to the bytes of a value that was said to be there. If there are more of them, something must follow.
/// Parts of the value that lie elsewhere are written there, where others must say the same.
pub(crate) fn same<W: Sink>(out: &mut W, at: u64, (own, parts): (Vec<u8>, Placed)) -> Result<()> {
    if !W::COUNT && !W::MEMORY {
        return Ok(());
    }
    for (position, landing, bytes) in parts.given(at)? {
        if W::COUNT {
            let before = out.jump(position);
            out.bytes(bytes, 0)?;
            out.land(position, before, landing);
        } else {
            out.part(position, landing, |out| out.bytes(bytes, 0))?;
        }
    }
    let Some(found) = written(out, at) else { return Ok(()) };
    if found.iter().zip(&own).any(|(a, b)| a != b) {
        return Err(Error::new(ErrorKind::Peek, at));
    }
    match found.len() < own.len() {
        true => must_reach(out, after(at, own.len() as u64), || Error::new(ErrorKind::Peek, at)),
        false => Ok(()),
    }
}
