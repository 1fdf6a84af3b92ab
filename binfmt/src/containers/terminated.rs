//! Text and bytes that end at a NUL, with no length in front.

use super::{Body, DecodeBody, EncodeBody, bounded};
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::{after, plus};
use crate::wire::{Bound, Facts, OPEN, Order, Shape, Sink, Source};
use core::marker::PhantomData;

/// `nul` without a length: the body `B`, which ends with its NUL.
#[derive(Debug)]
pub struct Terminated<B>(PhantomData<B>);

#[diagnostic::do_not_recommend]
impl<B: Body<T>, T> As<T> for Terminated<B> {
    const FACTS: Facts<T> = Facts::range(1, 1, OPEN);
    const SHAPE: Shape = bounded(Bound::Terminated, || B::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &B::TREE);
    const BLANK: bool = true;

    fn put_blank<O: Order, W: Sink>(out: &mut W) -> Result<()> {
        out.array([0])
    }

    fn pass_blank<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<()> {
        let at = src.pos();
        let n = src.find(0)?;
        if n > 0 && src.policy().blank_missing {
            return Err(Error::new(ErrorKind::MissingNotBlank, at));
        }
        src.skip(after(n as u64, 1))
    }
}

#[diagnostic::do_not_recommend]
impl<'de, B: DecodeBody<'de, T, C>, T, C> DecodeAs<'de, T, C> for Terminated<B> {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<T> {
        let n = plus(src.find(0)?, 1);
        B::body::<O, S>(src, n, ctx)
    }
}

#[diagnostic::do_not_recommend]
impl<B: EncodeBody<T>, T: TextBytes> EncodeAs<T> for Terminated<B> {
    #[inline]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, ctx: ()) -> Result<()> {
        if value.text_bytes().contains(&0) {
            return Err(Error::new(ErrorKind::EmbeddedNul, out.pos()));
        }
        B::put::<O, W>(value, out, ctx)
    }
}

/// The bytes of text and byte types, whatever owns them.
pub trait TextBytes {
    /// The bytes.
    fn text_bytes(&self) -> &[u8];
}

macro_rules! text_bytes {
    ($($t:ty, |$v:ident| $b:expr;)*) => { $(
        impl TextBytes for $t {
            #[inline]
            fn text_bytes(&self) -> &[u8] {
                let $v = self;
                $b
            }
        }
    )* };
}
text_bytes! {
    alloc::string::String, |v| v.as_bytes();
    alloc::boxed::Box<str>, |v| v.as_bytes();
    &str, |v| v.as_bytes();
    alloc::borrow::Cow<'_, str>, |v| v.as_bytes();
    alloc::vec::Vec<u8>, |v| v;
    alloc::boxed::Box<[u8]>, |v| v;
    &[u8], |v| v;
    alloc::borrow::Cow<'_, [u8]>, |v| v;
}
