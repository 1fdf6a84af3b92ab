//! Arrays, tuples, boxes: what is put together of other types and says itself how long it is.

use super::fingerprint::Tree;
use super::refuse::{assert_ends, assert_item};
use super::{Decode, Encode, Layout};
use crate::error::{Error, Result, Step};
use crate::wire::limits::too_many;
use crate::wire::raw::facts::is_together;
use crate::wire::raw::{bulk, link};
use crate::wire::{Facts, Label, Order, Part, Shape, Sink, Source};

use super::form::Own;

#[diagnostic::do_not_recommend]
impl<T: Layout, const N: usize> Layout for [T; N] {
    const FACTS: Facts<Self> = Facts::array(T::FACTS);
    const SHAPE: Shape = Shape::Array { num: N, item: || T::SHAPE };
    const TREE: Tree = Tree::around(Self::SHAPE, &T::TREE);
    const CTX: &'static [&'static str] = T::CTX;
}

#[diagnostic::do_not_recommend]
impl<'de, C: Copy, T: Decode<'de, C>, const N: usize> Decode<'de, C> for [T; N] {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Self> {
        let (at, left) = (src.pos(), src.left());
        let cut = |e, src: &S| cut(e, at, (N, T::FACTS.sizes().min), left, src.in_region());
        if const { <[T; N] as Layout>::FACTS.is_plain::<O>() } {
            match src.plain::<O, Self>(Self::FACTS) {
                Ok(Some(v)) => return Ok(v),
                Ok(None) => {}
                Err(e) => return Err(cut(e, src)),
            }
        }
        match bulk::array(|i| decode_item::<O, S, T, C>(src, i, ctx)) {
            Ok(v) => Ok(v),
            Err(e) => Err(cut(e, src)),
        }
    }
}

/// What is said of an array that is cut short: the same as of any list of so many elements, which is asked for before the first.
#[cold]
#[inline(never)]
fn cut(e: Error, at: u64, (n, min): (usize, usize), left: Option<usize>, in_region: bool) -> Error {
    match left.and_then(|left| left.checked_div(min)) {
        Some(most) if n > most => too_many(n as u64, min, left, in_region, at),
        _ => e,
    }
}

#[diagnostic::do_not_recommend]
impl<C: Copy, T: Encode<C>, const N: usize> Encode<C> for [T; N] {
    #[inline]
    fn encode<O: Order, W: Sink>(&self, out: &mut W, ctx: C) -> Result<()> {
        const {
            if N > 1 {
                assert_item(T::FACTS);
            }
        };
        // a known number of bytes is a part of its run, which goes on after it
        if const { is_together::<O, (Self,)>() } {
            return out.together::<O, _>((self,));
        }
        encode_items::<O, W, T, C>(self, out, ctx)
    }
}

/// Items one after the other: at once where their memory is their wire form, else one by one.
#[inline(always)]
pub(crate) fn encode_items<O: Order, W: Sink, T: Encode<C>, C: Copy>(
    items: &[T],
    out: &mut W,
    ctx: C,
) -> Result<()> {
    if const { T::FACTS.is_bulk::<O>() } {
        return out.bulk::<O, T>(T::FACTS, items);
    }
    for (i, item) in items.iter().enumerate() {
        if let Err(e) = item.encode::<O, W>(out, ctx) {
            return Err(e.within(Step::Index(i)));
        }
    }
    Ok(())
}

macro_rules! tuples {
    ($(($($T:ident $v:ident $i:tt)+))*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($T: Layout),+> Layout for ($($T,)+) {
            const PARTS: &'static [Part] = &link([$(
                Part::of::<Own, $T>(stringify!($i), "")
            ),+]);
            const FACTS: Facts<Self> = {
                assert_ends(Self::PARTS);
                Facts::<Self>::tuple(Self::PARTS, ($($T::FACTS,)+))
            };
            const SHAPE: Shape = super::run::record::<Self>("");
            const TREE: Tree = Tree::record::<Self>("", &[$($T::TREE),+], &[], &[]);
        }
        #[diagnostic::do_not_recommend]
        impl<'de, $($T: Decode<'de>),+> Decode<'de> for ($($T,)+) {
            #[inline]
            fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: ()) -> Result<Self> {
                $( let $v = super::field::own::<O, S, $T, ()>(src, Self::PARTS, $i, ctx)?; )+
                Ok(($($v,)+))
            }
        }
        #[diagnostic::do_not_recommend]
        impl<$($T: Encode),+> Encode for ($($T,)+) {
            #[inline]
            fn encode<O: Order, W: Sink>(&self, out: &mut W, ctx: ()) -> Result<()> {
                $( super::field::put_own::<O, W, $T, ()>(out, Self::PARTS, $i, &self.$i, ctx)?; )+
                Ok(())
            }
        }
    )* };
}

tuples! {
    (A a 0)
    (A a 0 B b 1)
    (A a 0 B b 1 C c 2)
    (A a 0 B b 1 C c 2 D d 3)
    (A a 0 B b 1 C c 2 D d 3 E e 4)
    (A a 0 B b 1 C c 2 D d 3 E e 4 F f 5)
    (A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6)
    (A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7)
    (A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7 I i 8)
    (A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7 I i 8 J j 9)
    (A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7 I i 8 J j 9 K k 10)
    (A a 0 B b 1 C c 2 D d 3 E e 4 F f 5 G g 6 H h 7 I i 8 J j 9 K k 10 L l 11)
}

/// One element; its index is the step that an error gets.
#[inline(always)]
pub(crate) fn decode_item<'de, O: Order, S: Source<'de>, T: Decode<'de, C>, C>(
    src: &mut S,
    i: usize,
    ctx: C,
) -> Result<T> {
    // a tracing source has no span for each number: the sequence shows them in one line
    if src.is_heard() && !T::SHAPE.is_scalar() {
        src.open(Label::Index(i), "");
    }
    match T::decode::<O, S>(src, ctx) {
        Ok(v) => {
            if src.is_heard() && !T::SHAPE.is_scalar() {
                src.close();
            }
            Ok(v)
        }
        Err(e) => Err(e.within(Step::Index(i))),
    }
}

const _: () = assert!(match cfg!(feature = "alloc") {
    true => size_of::<Result<(), Error>>() == size_of::<usize>(),
    // by value
    false => size_of::<Result<(), Error>>() <= 128,
});
