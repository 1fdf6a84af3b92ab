//! Elements of any number of bits in a vector or box.

use super::{BitItems, has_zeros, of_element, tell, too_many};
use crate::codec::{DecodeOwned, Layout};
use crate::containers::DecodeBody;
use crate::containers::bits::is_signed;
use crate::containers::bytes::BLOCK;
use crate::error::Result;
use crate::wire::amount::{num_in, plus, times};
use crate::wire::packing::{GROUP, Packing};
use crate::wire::raw::bulk;
use crate::wire::{Order, Source};
use alloc::vec::Vec;
use core::ops::Deref;

/// How elements are read.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    pub(crate) packing: Packing,
    /// Whether the bits that are left of the last byte must be zero.
    pub(crate) strict: bool,
    pub(crate) signed: bool,
    pub(crate) little: bool,
}

impl Reading {
    /// Appends `n` elements, which `make` makes of their bits. On a stream memory grows with what has arrived.
    #[inline(always)]
    pub(crate) fn read<'de, S: Source<'de>, T>(
        self,
        src: &mut S,
        n: usize,
        v: &mut Vec<T>,
        make: impl FnMut(u128) -> Result<T>,
    ) -> Result<()> {
        let needed = self.packing.bytes(n);
        let most = match src.left() {
            Some(left) if needed > left => return Err(too_many(n, needed, src)),
            Some(_) => n,
            None => self.block(),
        };
        tell(src, (self.packing, self.signed), n, self.little);
        self.blocks(src, (n, most), v, make)
    }

    /// Appends all elements to the end of the input or region: as many as its bytes have in full.
    pub(crate) fn read_to_end<'de, S: Source<'de>, T>(
        self,
        src: &mut S,
        v: &mut Vec<T>,
        mut make: impl FnMut(u128) -> Result<T>,
    ) -> Result<()> {
        let group = self.packing.group();
        loop {
            let here = src.look(group)?.len();
            let is_last = here < group;
            let n = match is_last {
                true => self.packing.num_in(here),
                false => times(num_in(here, group), GROUP).min(self.block()),
            };
            self.blocks(src, (n, n), v, &mut make)?;
            if is_last {
                break;
            }
        }
        if !src.at_end()? {
            // a part of an element
            src.take(self.packing.bytes(1))?;
        }
        tell(src, (self.packing, self.signed), v.len(), self.little);
        Ok(())
    }

    /// The elements that are read at a time where their bytes have yet to come: a number of groups.
    fn block(self) -> usize {
        times(num_in(BLOCK, self.packing.group()), GROUP)
    }

    #[inline(always)]
    fn blocks<'de, S: Source<'de>, T>(
        self,
        src: &mut S,
        (n, most): (usize, usize),
        v: &mut Vec<T>,
        mut make: impl FnMut(u128) -> Result<T>,
    ) -> Result<()> {
        let end = plus(v.len(), n);
        while v.len() < end {
            let n = end.wrapping_sub(v.len()).min(most);
            src.charge(times(n, size_of::<T>()))?;
            let (at, before) = (src.pos(), v.len());
            match v.is_empty() {
                true => bulk::try_room_exact(v, n),
                false => bulk::try_room(v, n),
            }
            .map_err(|e| e.at(at))?;
            let bytes = src.take(self.packing.bytes(n))?.bytes();
            if self.strict {
                has_zeros(self.packing, n, bytes, at)?;
            }
            let mut done = 0_usize;
            self.packing.groups(bytes, n, |bytes, n| {
                let first = done;
                done = done.wrapping_add(n);
                let mut one = |i: usize| {
                    let (place, made) = (first.wrapping_add(i), make(self.packing.get(bytes, i)));
                    made.map_err(|e| of_element(e, self.packing, (before, place), at))
                };
                if n == GROUP {
                    let group: [T; GROUP] = bulk::array(one)?;
                    v.extend(group);
                    return Ok(());
                }
                for i in 0..n {
                    v.push(one(i)?);
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

impl<const WIDTH: u8, const ORDER: u8, const STRICT: bool> BitItems<WIDTH, ORDER, STRICT> {
    #[inline(always)]
    fn reading<O: Order, T: Layout>() -> Reading {
        let signed = const { is_signed::<T>() };
        Reading { packing: Self::packing::<O>(), strict: STRICT, signed, little: O::LE }
    }
}

#[diagnostic::do_not_recommend]
impl<'de, T, L, const WIDTH: u8, const ORDER: u8, const STRICT: bool> DecodeBody<'de, L>
    for BitItems<WIDTH, ORDER, STRICT>
where
    T: Layout + DecodeOwned,
    L: Deref<Target = [T]> + From<Vec<T>>,
{
    #[inline]
    fn body<O: Order, S: Source<'de>>(src: &mut S, n: usize, _: ()) -> Result<L> {
        let mut v = Vec::new();
        Self::reading::<O, T>().read(src, n, &mut v, Self::element::<O, T>)?;
        Ok(L::from(v))
    }

    fn to_end<O: Order, S: Source<'de>>(src: &mut S, _: ()) -> Result<L> {
        let mut v = Vec::new();
        Self::reading::<O, T>().read_to_end(src, &mut v, Self::element::<O, T>)?;
        Ok(L::from(v))
    }
}
