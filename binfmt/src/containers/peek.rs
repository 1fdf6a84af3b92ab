//! `peek`: a value that is read and left unread, and `tag(peek u8)`, a tag that belongs to what it chooses.
//!
//! When writing there is nothing to write: what follows has the bytes. When that is written, the two are compared in the memory
//! of the sink; a sink without memory gets the bytes of the whole struct at once, as with checksums.

use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::codec::{Decode, Layout};
use crate::error::Result;
#[cfg(feature = "alloc")]
use crate::error::{Error, ErrorKind, Step};
#[cfg(feature = "alloc")]
use crate::wire::amount::after;
use crate::wire::amount::between;
use crate::wire::raw::Slice;
#[cfg(feature = "alloc")]
use crate::wire::sink::must_reach;
use crate::wire::{Facts, Label, OPEN, Order, Shape, Sink, Source};
use core::marker::PhantomData;

/// The form `F` of the bytes that come next, which stay unread.
#[derive(Debug)]
pub struct Peek<F>(PhantomData<F>);

#[diagnostic::do_not_recommend]
impl<F: As<T>, T> As<T> for Peek<F> {
    const FACTS: Facts<T> = Facts::range(0, 0, OPEN);
    const SHAPE: Shape = Shape::Peeked { body: || F::SHAPE };
    const TREE: Tree = Tree::around(Self::SHAPE, &F::TREE);
    const BLANK: bool = false;
}

#[diagnostic::do_not_recommend]
impl<'de, F: DecodeAs<'de, T, C>, T, C> DecodeAs<'de, T, C> for Peek<F> {
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<T> {
        let is_fixed = F::FACTS.sizes().exact().is_some();
        ahead(src, is_fixed, |src| F::decode::<O, S>(src, ctx))
    }
}

/// Reads and goes back. What has no fixed size may have others inside, so its bytes are counted.
#[inline(always)]
pub(crate) fn ahead<'de, S: Source<'de>, T>(
    src: &mut S,
    is_fixed: bool,
    read: impl FnOnce(&mut S) -> Result<T>,
) -> Result<T> {
    let (start, held) = (src.pos(), src.hold());
    src.open(Label::Piece("peek"), "");
    let v = read(src)?;
    src.close();
    if !is_fixed {
        src.count_peeked(between(start, src.pos()))?;
    }
    src.rewind(start);
    src.release(held);
    Ok(v)
}

#[diagnostic::do_not_recommend]
impl<F: EncodeAs<T, C>, T, C> EncodeAs<T, C> for Peek<F> {
    #[inline(always)]
    fn encode<O: Order, W: Sink>(_: &T, _: &mut W, _: C) -> Result<()> {
        Ok(())
    }
}

/// The bytes since a place, where the sink has them.
pub(crate) fn written<W: Sink>(out: &mut W, at: u64) -> Option<&[u8]> {
    if W::MEMORY { Some(out.memory_from(at)) } else { None }
}

/// A tag that is left unread, as it belongs to what it chooses.
#[derive(Debug)]
pub struct Peeked<T> {
    /// The tag.
    pub value: T,
}

impl<T: Layout> Layout for Peeked<T> {
    const FACTS: Facts<Self> = Facts::range(0, 0, OPEN);
    const SHAPE: Shape = Shape::Peeked { body: || T::SHAPE };
    const TREE: Tree = Tree::around(Self::SHAPE, &T::TREE);
}

impl<'de, T: Decode<'de>> Decode<'de> for Peeked<T> {
    #[inline(always)]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: ()) -> Result<Self> {
        let is_fixed = T::FACTS.sizes().exact().is_some();
        let value = ahead(src, is_fixed, |src| T::decode::<O, S>(src, ctx))?;
        Ok(Peeked { value })
    }
}

/// The tag that the bytes since a place begin with, if they are in memory and it is whole; what follows must have the rest of it.
///
/// # Errors
/// The sink cannot know what follows.
#[inline]
pub fn put_peeked_tag<O: Order, W: Sink, T: for<'a> Decode<'a>>(out: &mut W, at: u64) -> Result<Option<T>> {
    let Some(bytes) = written(out, at) else { return Ok(None) };
    match T::decode::<O, _>(&mut Slice::new(bytes), ()) {
        Ok(tag) => Ok(Some(tag)),
        Err(_) => goes_on(out, at, T::FACTS.sizes().min).map(|()| None),
    }
}

/// After a variant that is shorter than its tag there must be more.
#[cold]
pub(crate) fn goes_on<W: Sink>(out: &mut W, at: u64, least: usize) -> Result<()> {
    #[cfg(feature = "alloc")]
    {
        let to = after(at, least as u64).max(after(out.pos(), 1));
        must_reach(out, to, || Error::new(ErrorKind::Peek, at).within(Step::Field("tag")))
    }
    #[cfg(not(feature = "alloc"))]
    {
        let _ = (out, at, least);
        Ok(())
    }
}

#[cfg(feature = "alloc")]
mod written;
#[cfg(feature = "alloc")]
pub use written::is_ahead;
#[cfg(feature = "dynamic")]
pub(crate) use written::same;
