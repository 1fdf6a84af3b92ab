//! Collections of the standard library as lists: of elements, or of keys and values.
//!
//! A list has an order, of which a hash map has none. So that one map has one form, its entries are written in the order of
//! their keys' bytes. Sorted collections are written in their own order. Each is read in any order, but no key twice.

use super::items::Items;
use super::text::{AnyBytes, TextBody};
use super::{Body, DecodeBody, EncodeBody, bounded};
use crate::codec::compound::{decode_item, encode_items};
use crate::codec::fingerprint::Tree;
use crate::codec::form::DecodeAs;
use crate::codec::{Decode, Encode, Layout};
use crate::containers::terminated::Terminated;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::amount::plus;
use crate::wire::limits::max_empty_items;
#[cfg(feature = "std")]
use crate::wire::vec_sink;
use crate::wire::{Bound, Facts, OPEN, Order, Shape, Sink, Source};
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::ffi::CString;
use alloc::vec::Vec;
#[cfg(feature = "std")]
use core::hash::{BuildHasher, Hash};
#[cfg(feature = "std")]
use std::collections::{HashMap, HashSet};

/// A key that was there before.
#[cold]
#[inline(never)]
fn twice(i: usize, at: u64) -> Error {
    Error::new(ErrorKind::DuplicateKey, at).within(Step::Index(i))
}

/// Reads `n` elements, or all to the end; `add` says whether one was new.
fn fill<'de, O: Order, S: Source<'de>, T: Decode<'de>>(
    src: &mut S,
    n: Option<usize>,
    mut add: impl FnMut(T) -> bool,
) -> Result<()> {
    src.enter()?;
    let mut i = 0usize;
    loop {
        match n {
            Some(n) if i >= n => break,
            None if src.at_end()? => break,
            _ => {}
        }
        src.charge(size_of::<T>())?;
        let at = src.pos();
        let item = decode_item::<O, S, T, ()>(src, i, ())?;
        if !add(item) {
            return Err(twice(i, at));
        }
        if src.pos() == at {
            match n {
                Some(n) => super::items::add_empty(src, n, max_empty_items::<T>())?,
                None => return Err(super::items::endless(at)),
            }
        }
        i = plus(i, 1);
    }
    src.leave();
    Ok(())
}

macro_rules! collections {
    ($([$($g:tt)*] $List:ty = $Item:ty, [$($decode:tt)*] [$($encode:tt)*] $new:expr, |$all:ident, $item:ident| $add:expr,
        |$v:ident, $out:ident| $put:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($g)*> Body<$List> for Items
        where
            $Item: Layout,
        {
            const ITEM_MIN: usize = <$Item as Layout>::FACTS.sizes().min;
            const IS_CLAIMED: bool = <$Item as Layout>::FACTS.is_claimed();
            const ITEM_MAX: usize = <$Item as Layout>::FACTS.sizes().max;
            const SHAPE: Shape = Shape::Sequence { item: || <$Item as Layout>::SHAPE };
            const TREE: Tree = Tree::around(<Self as Body<$List>>::SHAPE, &<$Item as Layout>::TREE);
            #[inline(always)]
            fn len(v: &$List) -> usize {
                v.len()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<'de, $($g)*> DecodeBody<'de, $List> for Items
        where
            $Item: Decode<'de>,
            $($decode)*
        {
            fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, _: ()) -> Result<$List> {
                let mut $all = $new;
                fill::<O, S, $Item>(src, Some(n), |$item| $add)?;
                Ok($all)
            }

            fn to_end<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<$List> {
                let mut $all = $new;
                fill::<O, S, $Item>(src, None, |$item| $add)?;
                Ok($all)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($g)*> EncodeBody<$List> for Items
        where
            $Item: Layout,
            $($encode)*
        {
            fn put<O: Order, W: Sink>($v: &$List, $out: &mut W, _: ()) -> Result<()> {
                $put
            }
        }
    )* };
}

collections! {
    [K, V] BTreeMap<K, V> = (K, V), [K: Ord] [K: Encode, V: Encode] BTreeMap::new(),
        |all, item| all.insert(item.0, item.1).is_none(),
        |v, out| put_pairs::<O, W, K, V>(v.iter(), out);
    [T] BTreeSet<T> = T, [T: Ord] [T: Encode] BTreeSet::new(),
        |all, item| all.insert(item),
        |v, out| put_all::<O, W, T>(v.iter(), out);
}

#[cfg(feature = "std")]
collections! {
    [K, V, H] HashMap<K, V, H> = (K, V), [K: Eq + Hash, H: BuildHasher + Default] [K: Encode, V: Encode]
        HashMap::with_hasher(H::default()),
        |all, item| all.insert(item.0, item.1).is_none(),
        |v, out| put_pairs::<O, W, K, V>(in_order::<O, W, K, _>(v.iter(), |(key, _)| key).into_iter(), out);
    [T, H] HashSet<T, H> = T, [T: Eq + Hash, H: BuildHasher + Default] [T: Encode]
        HashSet::with_hasher(H::default()),
        |all, item| all.insert(item),
        |v, out| put_all::<O, W, T>(in_order::<O, W, T, _>(v.iter(), |item| item).into_iter(), out);
}

fn put_all<'v, O: Order, W: Sink, T: Encode + 'v>(
    all: impl Iterator<Item = &'v T>,
    out: &mut W,
) -> Result<()> {
    for (i, item) in all.enumerate() {
        if let Err(e) = item.encode::<O, W>(out, ()) {
            return Err(e.within(Step::Index(i)));
        }
    }
    Ok(())
}

fn put_pairs<'v, O: Order, W: Sink, K: Encode + 'v, V: Encode + 'v>(
    all: impl Iterator<Item = (&'v K, &'v V)>,
    out: &mut W,
) -> Result<()> {
    for (i, (key, value)) in all.enumerate() {
        let pair = match key.encode::<O, W>(out, ()) {
            Ok(()) => value.encode::<O, W>(out, ()).map_err(|e| e.within(Step::Field("1"))),
            Err(e) => Err(e.within(Step::Field("0"))),
        };
        if let Err(e) = pair {
            return Err(e.within(Step::Index(i)));
        }
    }
    Ok(())
}

/// Entries in the order of their keys' bytes; whoever counts takes them as they come.
#[cfg(feature = "std")]
fn in_order<O: Order, W: Sink, K: Encode, T>(all: impl Iterator<Item = T>, key: impl Fn(&T) -> &K) -> Vec<T> {
    if W::COUNT {
        return all.collect();
    }
    let mut keyed: Vec<(Vec<u8>, T)> = Vec::new();
    for item in all {
        let mut bytes = Vec::new();
        // a key that cannot be written has no bytes: it comes first, and its error is told where it is written
        let _ = vec_sink(&mut bytes, 0, |bytes| key(&item).encode::<O, _>(bytes, ()));
        keyed.push((bytes, item));
    }
    keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
    keyed.into_iter().map(|(_, item)| item).collect()
}

// a queue: its two halves one after the other
#[diagnostic::do_not_recommend]
impl<T: Layout> Body<VecDeque<T>> for Items {
    const ITEM_MIN: usize = <Items as Body<Vec<T>>>::ITEM_MIN;
    const IS_CLAIMED: bool = <Items as Body<Vec<T>>>::IS_CLAIMED;
    const ITEM_MAX: usize = <Items as Body<Vec<T>>>::ITEM_MAX;
    const SHAPE: Shape = <Items as Body<Vec<T>>>::SHAPE;
    const TREE: Tree = <Items as Body<Vec<T>>>::TREE;
    #[inline(always)]
    fn len(v: &VecDeque<T>) -> usize {
        v.len()
    }
}

#[diagnostic::do_not_recommend]
impl<'de, C: Copy, T: Decode<'de, C>> DecodeBody<'de, VecDeque<T>, C> for Items {
    #[inline(always)]
    fn item_min(ctx: &C) -> usize {
        T::min_size(ctx)
    }

    #[inline]
    fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, ctx: C) -> Result<VecDeque<T>> {
        <Items as DecodeBody<'de, Vec<T>, C>>::body::<O, S>(src, n, ctx).map(VecDeque::from)
    }

    fn to_end<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<VecDeque<T>> {
        <Items as DecodeBody<'de, Vec<T>, C>>::to_end::<O, S>(src, ctx).map(VecDeque::from)
    }
}

#[diagnostic::do_not_recommend]
impl<C: Copy, T: Encode<C>> EncodeBody<VecDeque<T>, C> for Items {
    #[inline]
    fn put<O: Order, W: Sink>(v: &VecDeque<T>, out: &mut W, ctx: C) -> Result<()> {
        let (front, back) = v.as_slices();
        if back.is_empty() {
            return encode_items::<O, W, T, C>(front, out, ctx);
        }
        for (i, item) in v.iter().enumerate() {
            if let Err(e) = item.encode::<O, W>(out, ctx) {
                return Err(e.within(Step::Index(i)));
            }
        }
        Ok(())
    }
}

type UpToNul = Terminated<TextBody<AnyBytes, true>>;

// bytes up to a NUL, which says itself where they end
#[diagnostic::do_not_recommend]
impl Layout for CString {
    const FACTS: Facts<Self> = Facts::range(1, 1, OPEN);
    const SHAPE: Shape = bounded(Bound::Terminated, || <TextBody<AnyBytes, true> as Body<Vec<u8>>>::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &<TextBody<AnyBytes, true> as Body<Vec<u8>>>::TREE);
}

#[diagnostic::do_not_recommend]
impl<'de> Decode<'de> for CString {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: ()) -> Result<Self> {
        let at = src.pos();
        let bytes = <UpToNul as DecodeAs<'de, Vec<u8>>>::decode::<O, S>(src, ctx)?;
        CString::new(bytes).map_err(|_| Error::new(ErrorKind::EmbeddedNul, at))
    }
}

#[diagnostic::do_not_recommend]
impl Encode for CString {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, _: ()) -> Result<()> {
        out.bytes(self.as_bytes_with_nul(), 0)
    }
}
