//! Tuples: what is known of them, and numbers one after the other that are moved at once.
//!
//! A run of numbers is one check and then as many loads or stores as there are numbers. Each by itself would be a check that
//! the compiler has to find needless, in every struct of its user.

use super::{Facts, Known, Nums, Part, Placing};
use crate::wire::amount::inside;
use crate::wire::endian::Order;
use core::mem::{MaybeUninit, size_of};
use core::ptr::{copy_nonoverlapping, from_ref};

/// What facts are about.
trait About {
    type Type;
}

impl<T> About for Facts<T> {
    type Type = T;
}

/// Bytes that are moved at once at most.
const MOST: usize = 128;

/// A tuple whose members lie one after the other on the wire and can be read at once.
///
/// # Safety
/// `get` reads `SIZE` bytes.
pub unsafe trait Together: Sized {
    /// Bytes of all members.
    const SIZE: usize;
    /// Whether each member is bytes of a number, or its own memory, in little-endian and in big-endian byte order.
    const ORDERS: (bool, bool);

    /// The values.
    ///
    /// # Safety
    /// `from` is readable for `SIZE` bytes, and `is_together` says yes.
    unsafe fn get<O: Order>(from: *const u8) -> Self;
}

/// The same of a tuple of references, which can be written at once.
///
/// # Safety
/// `put` writes `SIZE` bytes.
pub unsafe trait PutTogether: Sized {
    /// The tuple of their values.
    type Values: Together;

    /// Writes the values.
    ///
    /// # Safety
    /// `to` is writable for the `SIZE` of the values, and `is_together` says yes of them.
    unsafe fn put<O: Order>(self, to: *mut u8);

    /// Writes the values to memory that may be more than they need; returns their bytes.
    ///
    /// # Panics
    /// As [`together`].
    fn bytes<O: Order>(self, room: &mut TogetherBytes) -> &[u8] {
        let n = together::<O, Self::Values>();
        // SAFETY: `together` says yes of them, and that they need no more than there is
        unsafe { self.put::<O>(room.0.as_mut_ptr()) };
        inside(&room.0, ..n)
    }
}

/// Memory for values that are moved at once.
#[derive(Debug)]
pub struct TogetherBytes([u8; MOST]);

impl TogetherBytes {
    pub(crate) const fn new() -> Self {
        TogetherBytes([0; MOST])
    }
}

/// Whether the members of a tuple are moved at once.
pub(crate) const fn is_together<O: Order, T: Together>() -> bool {
    let (le, be) = T::ORDERS;
    (if O::LE { le } else { be }) && T::SIZE <= MOST
}

/// The bytes of a tuple that is moved at once.
///
/// # Panics
/// When it is not: a mistake in this crate, folded away where there is none.
#[inline(always)]
pub(in crate::wire::raw) fn together<O: Order, T: Together>() -> usize {
    assert!(const { is_together::<O, T>() });
    T::SIZE
}

/// The values whose bytes are these, if there are as many as they need.
#[inline(always)]
pub(crate) fn together_in<O: Order, T: Together>(bytes: &[u8]) -> Option<T> {
    // SAFETY: `together` says yes, and there are as many bytes as it says
    (bytes.len() >= together::<O, T>()).then(|| unsafe { T::get::<O>(bytes.as_ptr()) })
}

impl Nums {
    /// Whether a value of that many bytes in memory is all of its bytes, in order or turned round.
    const fn is_moved(&self, image: bool, memory: usize) -> bool {
        let all = self.sizes.min == memory && self.sizes.max == memory && memory > 0;
        all && (image || (self.number == memory && matches!(memory, 2 | 4 | 8 | 16)))
    }
}

const fn orders<T: Known>((le, be): (bool, bool)) -> (bool, bool) {
    let n = T::KNOWN.n;
    let memory = size_of::<T>();
    (le && n.is_moved(n.image_le, memory), be && n.is_moved(n.image_be, memory))
}

/// One member.
///
/// # Safety
/// `from` is readable for the size of `T`, and `orders` says yes of this one.
#[inline(always)]
unsafe fn get<O: Order, T: Known>(from: *const u8) -> T {
    // SAFETY: any bytes are a valid `T` of which `orders` says yes: its facts say that they are its memory, or that it is a
    // number and its memory the same bytes turned round
    unsafe {
        let mut value = MaybeUninit::<T>::uninit();
        let to = value.as_mut_ptr().cast::<u8>();
        match const { T::KNOWN.n.image::<O>() } {
            true => copy_nonoverlapping(from, to, size_of::<T>()),
            false => turn::<T>(from, to),
        }
        value.assume_init()
    }
}

/// Writes one member.
///
/// # Safety
/// `to` is writable for the size of `T`, and `orders` says yes of this one.
#[inline(always)]
unsafe fn put<O: Order, T: Known>(value: &T, to: *mut u8) {
    let from = from_ref(value).cast::<u8>();
    // SAFETY: all of the memory of a `T` of which `orders` says yes is bytes of the wire, and so it is set
    unsafe {
        match const { T::KNOWN.n.image::<O>() } {
            true => copy_nonoverlapping(from, to, size_of::<T>()),
            false => turn::<T>(from, to),
        }
    }
}

/// The bytes of a number the other way round.
///
/// # Safety
/// `from` is readable and `to` writable for the size of `T`, which is 2, 4, 8 or 16, and the two do not overlap.
#[inline(always)]
unsafe fn turn<T>(from: *const u8, to: *mut u8) {
    // SAFETY: by the contract of this function
    unsafe {
        match const { size_of::<T>() } {
            2 => to.cast::<u16>().write_unaligned(from.cast::<u16>().read_unaligned().swap_bytes()),
            4 => to.cast::<u32>().write_unaligned(from.cast::<u32>().read_unaligned().swap_bytes()),
            8 => to.cast::<u64>().write_unaligned(from.cast::<u64>().read_unaligned().swap_bytes()),
            _ => to.cast::<u128>().write_unaligned(from.cast::<u128>().read_unaligned().swap_bytes()),
        }
    }
}

macro_rules! tuples {
    ($(($($T:ident $v:ident $i:tt)+))*) => { $(
        impl<$($T),+> Facts<($($T,)+)> {
            /// The facts of a tuple, from those of its members.
            pub(crate) const fn tuple(parts: &[Part], members: ($(Facts<$T>,)+)) -> Self {
                let placed = Placing { at: core::ptr::null(), end: 0, image_le: true, image_be: true };
                $( let placed = placed.next(core::mem::offset_of!(<Self as About>::Type, $i), members.$i); )+
                placed.facts(Self::fields(parts))
            }
        }
        // SAFETY: each member reads as many bytes as it has in memory, from where the one before it ends
        unsafe impl<$($T: Known),+> Together for ($($T,)+) {
            const SIZE: usize = { let size = 0usize; $( let size = size.saturating_add(size_of::<$T>()); )+ size };
            const ORDERS: (bool, bool) = { let all = (true, true); $( let all = orders::<$T>(all); )+ all };
            #[inline(always)]
            unsafe fn get<O: Order>(from: *const u8) -> Self {
                // SAFETY: by the contract of this function; the last one ends where the `SIZE` bytes do
                unsafe {
                    $( let $v = get::<O, $T>(from); let from = from.add(size_of::<$T>()); )+
                    let _ = from;
                    ($($v,)+)
                }
            }
        }
        // SAFETY: as above
        unsafe impl<$($T: Known),+> PutTogether for ($(&$T,)+) {
            type Values = ($($T,)+);
            #[inline(always)]
            unsafe fn put<O: Order>(self, to: *mut u8) {
                // SAFETY: as above
                unsafe {
                    $( put::<O, $T>(self.$i, to); let to = to.add(size_of::<$T>()); )+
                    let _ = to;
                }
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

impl<E, const N: usize> Facts<[E; N]> {
    /// The facts of an array.
    pub(crate) const fn array(item: Facts<E>) -> Self {
        // SAFETY: an array is its elements one after the other, in memory and on the wire
        unsafe { Self::repeat(item, N) }
    }
}
