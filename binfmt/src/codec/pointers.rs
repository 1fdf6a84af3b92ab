//! Pointers to one value: the value.

use super::fingerprint::Tree;
use super::{Decode, Encode, Layout};
use crate::error::Result;
use crate::wire::raw::bulk;
use crate::wire::{Facts, OPEN, Order, Shape, Sink, Source};
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::sync::Arc;

// breaks the cycle of a recursive type: its facts must not ask for the inner ones
#[diagnostic::do_not_recommend]
impl<T: Layout> Layout for Box<T> {
    const FACTS: Facts<Self> = Facts::range(0, 0, OPEN);
    const SHAPE: Shape = Shape::Boxed { body: || T::SHAPE };
    const TREE: Tree = Tree::around(Self::SHAPE, &T::TREE);
    const RENAMED: &'static [(&'static str, &'static str)] = T::RENAMED;
}

#[diagnostic::do_not_recommend]
impl<'de, C, T: Decode<'de, C>> Decode<'de, C> for Box<T> {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Self> {
        src.enter()?;
        src.charge(size_of::<T>())?;
        let at = src.pos();
        let v = bulk::boxed(T::decode::<O, S>(src, ctx)?).map_err(|e| e.at(at))?;
        src.leave();
        Ok(v)
    }
}

#[diagnostic::do_not_recommend]
impl<C, T: Encode<C>> Encode<C> for Box<T> {
    #[inline]
    fn encode<O: Order, W: Sink>(&self, out: &mut W, ctx: C) -> Result<()> {
        (**self).encode::<O, W>(out, ctx)
    }
}

macro_rules! pointers {
    ($($P:ident)*) => { $(
        // as of a box: the facts of a recursive type must not ask for the inner ones
        #[diagnostic::do_not_recommend]
        impl<T: Layout> Layout for $P<T> {
            const FACTS: Facts<Self> = Facts::range(0, 0, OPEN);
            const SHAPE: Shape = Shape::Boxed { body: || T::SHAPE };
            const TREE: Tree = Tree::around(Self::SHAPE, &T::TREE);
    const RENAMED: &'static [(&'static str, &'static str)] = T::RENAMED;
        }

        #[diagnostic::do_not_recommend]
        impl<'de, C, T: Decode<'de, C>> Decode<'de, C> for $P<T> {
            #[inline]
            fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Self> {
                src.enter()?;
                // beside the value two counts
                src.charge(size_of::<(usize, usize, T)>())?;
                let value = T::decode::<O, S>(src, ctx)?;
                src.leave();
                Ok($P::new(value))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<C, T: Encode<C>> Encode<C> for $P<T> {
            #[inline]
            fn encode<O: Order, W: Sink>(&self, out: &mut W, ctx: C) -> Result<()> {
                (**self).encode::<O, W>(out, ctx)
            }
        }
    )* };
}
pointers!(Rc Arc);
