//! What is known of a type's wire form without a value.

use super::part::{Part, VariantParts};
use crate::wire::amount::{plus, times};
use crate::wire::endian::{Endian, Order};
use core::marker::PhantomData;
use core::mem::size_of;

mod tuple;
pub(super) use tuple::together;
pub(crate) use tuple::{PutTogether, Together, TogetherBytes};
pub(crate) use tuple::{is_together, together_in};

/// "No maximum": the largest size of a type that has none.
pub const OPEN: usize = usize::MAX;

/// The sizes of `T` on the wire, in bytes, and whether `T` in memory *is* its wire form.
///
/// The last is trusted for copies of memory. Therefore its fields are private, the type is part of the type, and the
/// only constructor that can set it is `unsafe` (the derive calls it, see [`Facts::placed`]) or private to this crate (its
/// numbers).
///
/// ```
/// use binfmt::Layout;
/// assert_eq!(<(u8, u32) as Layout>::FACTS.sizes().exact(), Some(5));
/// assert_eq!(<Box<u32> as Layout>::FACTS.sizes().exact(), None);
/// ```
pub struct Facts<T: ?Sized> {
    n: Nums,
    // facts of one type are not those of another, not even of one that differs in lifetimes
    of: PhantomData<fn(*mut T)>,
}

/// The numbers of a [`Facts`], without the type that makes them trustworthy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Nums {
    pub(crate) sizes: Sizes,
    image_le: bool,
    image_be: bool,
    /// The width of the numbers that the type consists of; 0 when it is neither a number nor an array of numbers.
    number: usize,
    /// The byte order that the type fixes for itself, so that the one given from outside changes nothing.
    fixed_order: Option<Endian>,
    /// Whether decoding goes to the end of the input or region, so that nothing may stand after.
    takes_all: bool,
    /// Whether it goes there whatever the value is, so that nothing is ever left.
    leaves_none: bool,
    /// Whether the sizes are in part what is said of a codec of the user's own, which each value shows to be true or false.
    is_claimed: bool,
    /// Whether all of a value is written where it stands, and no error depends on what comes after it.
    is_in_place: bool,
}

/// Wire sizes in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Leading bytes that are always there.
    pub head: usize,
    /// Smallest size.
    pub min: usize,
    /// Largest size, `usize::MAX` when there is none.
    pub max: usize,
}

impl Sizes {
    /// The one size of a type that has only one.
    ///
    /// ```
    /// use binfmt::Layout;
    /// assert_eq!(u16::FACTS.sizes().exact(), Some(2));
    /// ```
    pub const fn exact(self) -> Option<usize> {
        if self.min == self.max { Some(self.min) } else { None }
    }
}

impl Nums {
    const fn new(head: usize, min: usize, max: usize) -> Self {
        Nums {
            sizes: Sizes { head, min, max },
            image_le: false,
            image_be: false,
            number: 0,
            fixed_order: None,
            takes_all: false,
            leaves_none: false,
            is_claimed: false,
            is_in_place: false,
        }
    }

    pub(super) const fn image<O: Order>(&self) -> bool {
        if O::LE { self.image_le } else { self.image_be }
    }

    pub(super) const fn swapped<O: Order>(&self) -> bool {
        self.number > 1 && !self.image::<O>()
    }

    pub(super) const fn number(&self) -> usize {
        self.number
    }
}

impl<T> Facts<T> {
    /// A type between `min` and `max` bytes long, of which the first `head` are always there. When in doubt about
    /// `head`, 0 is right.
    ///
    /// ```
    /// use binfmt::Facts;
    /// let facts: Facts<String> = Facts::range(1, 1, 256); // a length byte and up to 255 bytes
    /// assert_eq!(facts.sizes().max, 256);
    /// ```
    pub const fn range(head: usize, min: usize, max: usize) -> Self {
        Facts { n: Nums::new(head, min, max), of: PhantomData }
    }

    /// A type that always takes `n` bytes.
    ///
    /// ```
    /// use binfmt::Facts;
    /// assert_eq!(Facts::<bool>::exact(1).sizes().exact(), Some(1));
    /// ```
    pub const fn exact(n: usize) -> Self {
        Self::range(n, n, n)
    }

    /// The sizes of a struct, from the list of its parts. That its memory is its wire form is for [`Facts::placed`] to find
    /// out.
    #[doc(hidden)]
    pub const fn fields(parts: &[Part]) -> Self {
        let (mut min, mut max) = (0usize, 0usize);
        let (mut takes_all, mut leaves_none, mut is_claimed) = (false, false, false);
        let mut is_in_place = true;
        let head = if parts.is_empty() { 0 } else { parts[0].run() };
        let mut rest = parts;
        while let [part, after @ ..] = rest {
            let sizes = part.sizes();
            min = plus(min, sizes.min);
            max = plus(max, sizes.max);
            takes_all = takes_all || part.takes_all();
            leaves_none = leaves_none || part.leaves_none();
            is_claimed = is_claimed || part.is_claimed();
            is_in_place = is_in_place && part.is_in_place();
            rest = after;
        }
        let n = Nums { takes_all, leaves_none, is_claimed, is_in_place, ..Nums::new(head, min, max) };
        Facts { n, of: PhantomData }
    }

    /// Begins to look whether the memory of a struct is its wire form; each field follows.
    ///
    /// Whoever calls this can be held to nothing that he *names*: the names in generated code are those of a module that
    /// `crate` chose. Therefore what counts is syntax alone, of which the compiler makes pointers of the fields' own types,
    /// and the facts of these types are looked up here.
    ///
    /// # Safety
    /// In one expression with this call, [`Placing::field`] or [`Placing::formed`] is called on the result for every field of
    /// `T`, each with `&raw const (*at).name`, in the order in which they are decoded, and then [`Placing::facts`].
    #[doc(hidden)]
    pub const unsafe fn placed(at: *const T) -> Placing<T> {
        Placing { at, end: 0, image_le: true, image_be: true }
    }

    /// The facts of an enum: its tag, then the parts of one variant.
    #[doc(hidden)]
    pub const fn variants<G>(tag: Facts<G>, variants: &[VariantParts]) -> Self {
        let (mut min, mut max) = (usize::MAX, 0usize);
        let (mut takes_all, mut leaves_none, mut is_claimed) = (false, !variants.is_empty(), false);
        let mut is_in_place = tag.n.is_in_place;
        let mut rest = variants;
        while let [variant, after @ ..] = rest {
            let one = Self::fields(variant.parts()).n;
            if one.sizes.min < min {
                min = one.sizes.min;
            }
            if one.sizes.max > max {
                max = one.sizes.max;
            }
            takes_all = takes_all || one.takes_all;
            leaves_none = leaves_none && one.leaves_none;
            is_claimed = is_claimed || one.is_claimed;
            is_in_place = is_in_place && one.is_in_place;
            rest = after;
        }
        if variants.is_empty() {
            min = 0;
        }
        let t = tag.n.sizes;
        let (lo, hi) = (plus(t.min, min), plus(t.max, max));
        // more bytes than the tag are always there only when every variant has the same size
        let head = if lo == hi { lo } else { t.head };
        let n = Nums { takes_all, leaves_none, is_claimed, is_in_place, ..Nums::new(head, lo, hi) };
        Facts { n, of: PhantomData }
    }

    /// The same after bytes that are always there.
    #[doc(hidden)]
    #[must_use]
    pub const fn after(mut self, parts: &[Part]) -> Self {
        let front = Self::fields(parts).n.sizes;
        let own = self.n.sizes;
        let (head, min, max) =
            (plus(front.min, own.head), plus(front.min, own.min), plus(front.max, own.max));
        self.n.sizes = Nums::new(head, min, max).sizes;
        self
    }

    /// A number whose bytes in memory are its bytes on the wire, in the machine's own order.
    pub(crate) const fn number() -> Self {
        let k = size_of::<T>();
        let le = cfg!(target_endian = "little");
        let n = Nums { image_le: le || k == 1, image_be: !le || k == 1, number: k, ..Nums::new(k, k, k) };
        Facts { n, of: PhantomData }.in_place(true)
    }

    /// `[E; N]`, or a `repr(C)` struct of `N` values of one type.
    ///
    /// # Safety
    /// `T` has the memory layout of `[E; count]`, and its wire form is `count` times the one of `E`.
    pub(crate) const unsafe fn repeat<E>(item: Facts<E>, count: usize) -> Self {
        let s = item.n.sizes;
        // no tail padding between the elements
        let tight = s.min == size_of::<E>() && s.min == s.max;
        let (min, max) = (times(s.min, count), times(s.max, count));
        let head = if s.min == s.max {
            min
        } else if count > 0 {
            s.head
        } else {
            0
        };
        let n = Nums {
            image_le: item.n.image_le && tight,
            image_be: item.n.image_be && tight,
            number: if tight { item.n.number } else { 0 },
            takes_all: item.n.takes_all && count > 0,
            leaves_none: item.n.leaves_none && count > 0,
            is_claimed: item.n.is_claimed,
            is_in_place: item.n.is_in_place,
            ..Nums::new(head, min, max)
        };
        Facts { n, of: PhantomData }
    }

    /// The facts with which a newtype in memory carries on: for `repr(transparent)` and `repr(C)` types of other crates.
    #[cfg(any(feature = "f16", feature = "complex"))]
    pub(crate) const fn of_numbers<E>(count: usize) -> Self {
        assert!(size_of::<T>() == times(size_of::<E>(), count));
        // SAFETY: the implementations in `codec::extra` are the callers: types documented as `repr(C)` or
        // `repr(transparent)` over that many numbers
        unsafe { Self::repeat(Facts::<E>::number(), count) }
    }

    /// The wire sizes.
    ///
    /// ```
    /// use binfmt::Layout;
    /// let s = <[u16; 3] as Layout>::FACTS.sizes();
    /// assert_eq!((s.min, s.max), (6, 6));
    /// ```
    pub const fn sizes(&self) -> Sizes {
        self.n.sizes
    }

    /// Whether a `T` in memory is its wire form in byte order `O`, so that whole slices are copied at once.
    ///
    /// ```
    /// use binfmt::{Layout, Le};
    /// assert!(u8::FACTS.is_plain::<Le>());
    /// assert!(!bool::FACTS.is_plain::<Le>()); // 2 is not a bool
    /// ```
    pub const fn is_plain<O: Order>(&self) -> bool {
        self.n.image::<O>()
    }

    /// Whether whole slices of `T` move at once in byte order `O`: by a copy, or by one pass that turns the bytes of
    /// each number round.
    pub(crate) const fn is_bulk<O: Order>(&self) -> bool {
        self.n.sizes.min > 0 && (self.n.image::<O>() || self.n.swapped::<O>())
    }

    /// The same facts of a type whose decoder goes to the end of the input, or of the region in which the value stands.
    /// What is derived refuses to build when something stands after it.
    ///
    /// ```
    /// use binfmt::Facts;
    /// struct Rest(Vec<u8>);
    /// let facts: Facts<Rest> = Facts::range(0, 0, usize::MAX).to_end();
    /// assert_eq!(facts.sizes().min, 0);
    /// ```
    #[must_use]
    pub const fn to_end(mut self) -> Self {
        self.n.takes_all = true;
        self.n.leaves_none = true;
        self
    }

    /// The same facts of something that is not always there: then it leaves what remains.
    #[must_use]
    pub(crate) const fn at_times(mut self) -> Self {
        self.n.leaves_none = false;
        self
    }

    /// The same facts of something that ends where a `U` ends.
    #[must_use]
    pub(crate) const fn ends_as<U>(mut self, inner: Facts<U>) -> Self {
        self.n.takes_all = inner.n.takes_all;
        self.n.leaves_none = inner.n.leaves_none;
        self.n.is_claimed = inner.n.is_claimed;
        self.n.is_in_place = inner.n.is_in_place;
        self
    }

    /// The same facts, of which the sizes are what is said of a codec of the user's own if `is_claimed`.
    #[must_use]
    pub(crate) const fn claimed(mut self, is_claimed: bool) -> Self {
        self.n.is_claimed = is_claimed;
        self
    }

    /// The same facts of a type of which all is written where it stands, if `is_in_place`.
    #[must_use]
    pub(crate) const fn in_place(mut self, is_in_place: bool) -> Self {
        self.n.is_in_place = is_in_place;
        self
    }

    /// Whether all of a value is known to be written where it stands, and no error depends on what comes after it.
    pub(crate) const fn is_in_place(&self) -> bool {
        self.n.is_in_place
    }

    /// The one size of a type that has only one, unless it is what somebody says of a codec of his own.
    pub(crate) const fn proven(&self) -> Option<usize> {
        if self.n.is_claimed { None } else { self.n.sizes.exact() }
    }

    /// Whether the sizes are in part what is said of a codec of the user's own.
    pub(crate) const fn is_claimed(&self) -> bool {
        self.n.is_claimed
    }

    /// Whether decoding goes to the end of the input or region.
    pub(crate) const fn takes_all(&self) -> bool {
        self.n.takes_all
    }

    /// Whether nothing of the input or region is left after it, whatever the value is.
    pub(crate) const fn leaves_none(&self) -> bool {
        self.n.leaves_none
    }

    pub(crate) const fn nums(&self) -> Nums {
        self.n
    }

    /// A struct that fixes its byte order is the same in both.
    #[doc(hidden)]
    #[must_use]
    pub const fn fixed_order<O: Order>(mut self) -> Self {
        let image = self.n.image::<O>();
        self.n.image_le = image;
        self.n.image_be = image;
        self.n.number = 0;
        self.n.fixed_order = Some(if O::LE { Endian::Little } else { Endian::Big });
        self
    }

    /// Whether the byte order given from outside changes nothing: one instance of the code is enough.
    pub(crate) const fn is_fixed_order(&self) -> bool {
        self.n.fixed_order.is_some()
    }

    /// The byte order that the type fixes for itself.
    pub(crate) const fn fixed(&self) -> Option<Endian> {
        self.n.fixed_order
    }

    /// Decoding is more than copying: checks, transformations, wire bytes without a field.
    #[doc(hidden)]
    #[must_use]
    pub const fn no_image(mut self) -> Self {
        self.n.image_le = false;
        self.n.image_be = false;
        self.n.number = 0;
        self
    }
}

/// How far the fields of a `T` are known to lie in memory as they lie on the wire.
#[doc(hidden)]
pub struct Placing<T> {
    at: *const T,
    /// The bytes that the fields so far take.
    end: usize,
    image_le: bool,
    image_be: bool,
}

/// The facts of a type that has a wire form of its own: [`Layout`](crate::Layout) as far as this module needs it.
#[doc(hidden)]
pub trait Known: Sized {
    #[doc(hidden)]
    const KNOWN: Facts<Self>;
}

impl<T> Placing<T> {
    /// The next field, in its own form.
    ///
    /// # Safety
    /// See [`Facts::placed`].
    #[must_use]
    pub const unsafe fn field<F: Known>(self, field: *const F) -> Self {
        // SAFETY: the caller's promise
        unsafe { self.formed(field, F::KNOWN) }
    }

    /// The next field, in a form with these facts.
    ///
    /// # Safety
    /// See [`Facts::placed`].
    #[must_use]
    pub const unsafe fn formed<F>(self, field: *const F, facts: Facts<F>) -> Self {
        // SAFETY: the caller's promise: both point into one value. Elsewhere the compiler refuses this constant.
        let offset = unsafe { field.byte_offset_from(self.at) };
        self.next(offset as usize, facts)
    }

    const fn next<F>(mut self, offset: usize, facts: Facts<F>) -> Self {
        let Nums { sizes, image_le, image_be, .. } = facts.n;
        // a field is in its place when its bytes on the wire are its bytes in memory, all of them
        let placed = offset == self.end && sizes.min == size_of::<F>() && sizes.min == sizes.max;
        self.image_le = self.image_le && placed && image_le;
        self.image_be = self.image_be && placed && image_be;
        self.end = plus(self.end, sizes.min);
        self
    }

    /// What is known now, for a struct of these sizes.
    #[must_use]
    pub const fn facts(self, mut facts: Facts<T>) -> Facts<T> {
        let sizes = facts.n.sizes;
        // bytes of the wire that belong to no field have no place in memory
        let all = sizes.min == self.end && sizes.max == self.end;
        facts.n.image_le = all && self.image_le;
        facts.n.image_be = all && self.image_be;
        facts
    }
}

impl<T> core::fmt::Debug for Placing<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Placing").field("end", &self.end).finish_non_exhaustive()
    }
}

impl<T: ?Sized> Clone for Facts<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Facts<T> {}

impl<T: ?Sized> core::fmt::Debug for Facts<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Facts").field("sizes", &self.n.sizes).finish_non_exhaustive()
    }
}
