//! A part that is decoded when it is asked for.

use crate::codec::fingerprint::Tree;
use crate::codec::{Decode, Encode, Layout};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::{Be, Cursor, Endian, Facts, Le, OPEN, Order, Shape, Sink, Slice, Source};
use core::fmt;
use core::marker::PhantomData;

/// A `T` that is decoded when [`get`](Lazy::get) asks for it, from the bytes of the input that it borrows.
///
/// It takes everything to the end of its region, so it stands where something gives it an end: a
/// [`region`](crate::attributes#region), mostly of a part elsewhere ([`at`](crate::attributes#at)), or
/// `length_prefixed(.., in = bytes)`. It is written as the bytes that it borrows, or as the value that it was made from. Descriptions,
/// dumps and fingerprints have the `T`.
///
/// ```
/// use binfmt::{BinFormat, Lazy, from_slice, to_vec};
/// #[derive(BinFormat, Clone, Debug, PartialEq)]
/// struct Page { #[binfmt(length_prefixed(u8))] rows: Vec<u16> }
/// #[derive(BinFormat, Debug)]
/// struct File<'a> {
///     place: u8,
///     len: u8,
///     #[binfmt(at = place, region = len)]
///     page: Lazy<'a, Page>,
/// }
/// let bytes = [3, 5, 0, /* 3: page */ 2, 1, 0, 7, 0];
/// let mut file: File<'_> = from_slice(&bytes)?;
/// assert_eq!(file.page.bytes(), Some(&bytes[3..]));
/// assert_eq!(file.page.get()?.rows, [1, 7]);
/// assert_eq!(to_vec(&file)?, bytes);
/// file.page = Page { rows: vec![1, 8] }.into();
/// assert_eq!(to_vec(&file)?, [3, 5, 0, 2, 1, 0, 8, 0]);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// The last parameter is the type of the context that `T` takes (`args(..)`), which is kept with the bytes.
#[derive(Clone)]
pub struct Lazy<'a, T, C = ()> {
    part: Part<'a, T, C>,
}

#[derive(Clone)]
enum Part<'a, T, C> {
    /// The bytes, at their place in the input, with what the decoder needs.
    Held {
        src: Slice<'a>,
        order: Endian,
        ctx: C,
        of: PhantomData<fn() -> T>,
    },
    Value(T),
}

impl<'a, T, C> Lazy<'a, T, C> {
    /// The bytes that it borrows; nothing if it was made from a value.
    ///
    /// ```
    /// use binfmt::Lazy;
    /// let lazy: Lazy<'_, u16> = binfmt::from_slice(&[1, 0])?;
    /// assert_eq!(lazy.bytes(), Some(&[1, 0][..]));
    /// assert_eq!(Lazy::<u16>::from(1).bytes(), None);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn bytes(&self) -> Option<&'a [u8]> {
        match &self.part {
            Part::Held { src, .. } => Some(src.rest()),
            Part::Value(_) => None,
        }
    }

    /// The value: decoded each time, with the limits of the decoder that has found it, or a copy of the one that it was made from.
    ///
    /// ```
    /// use binfmt::Lazy;
    /// let lazy: Lazy<'_, (u8, u8)> = binfmt::from_slice(&[1, 2, 3])?;
    /// assert_eq!(lazy.get().unwrap_err().to_string(), "at byte 0x2: 1 byte left over in the region");
    /// assert_eq!(Lazy::<u16>::from(1).get()?, 1);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The bytes are not a value of this type, or have more after it. Positions are those in the whole input, and names those in the value.
    pub fn get(&self) -> Result<T>
    where
        T: Decode<'a, C> + Clone,
        C: Copy,
    {
        match &self.part {
            Part::Held { src, order, ctx, .. } => decoded(src, *order, *ctx),
            Part::Value(value) => Ok(value.clone()),
        }
    }
}

fn decoded<'a, T: Decode<'a, C>, C>(src: &Slice<'a>, order: Endian, ctx: C) -> Result<T> {
    let mut src = src.clone();
    let value = match order {
        Endian::Little => T::decode::<Le, _>(&mut src, ctx)?,
        Endian::Big => T::decode::<Be, _>(&mut src, ctx)?,
    };
    match src.left_over() {
        None | Some(0) => Ok(value),
        Some(count) => {
            Err(Error::new(ErrorKind::UnconsumedRegion { count: count as u64 }, Cursor::pos(&src)))
        }
    }
}

impl<T, C> From<T> for Lazy<'_, T, C> {
    /// What is written as this value.
    ///
    /// ```
    /// assert_eq!(binfmt::to_vec(&binfmt::Lazy::<u16>::from(3))?, [3, 0]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    fn from(value: T) -> Self {
        Lazy { part: Part::Value(value) }
    }
}

impl<T: fmt::Debug, C> fmt::Debug for Lazy<'_, T, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.part {
            Part::Held { src, .. } => write!(f, "Lazy({} bytes)", src.rest().len()),
            Part::Value(value) => f.debug_tuple("Lazy").field(value).finish(),
        }
    }
}

/// The same bytes, or the same value. Bytes that are not a value equal none.
impl<'a, T: Decode<'a, C> + Clone + PartialEq, C: Copy> PartialEq for Lazy<'a, T, C> {
    fn eq(&self, other: &Self) -> bool {
        match (self.bytes(), other.bytes()) {
            (Some(a), Some(b)) => a == b,
            _ => matches!((self.get(), other.get()), (Ok(a), Ok(b)) if a == b),
        }
    }
}

impl<T: Layout, C> Layout for Lazy<'_, T, C> {
    const FACTS: Facts<Self> = Facts::range(0, 0, OPEN).to_end();
    const SHAPE: Shape = Shape::Boxed { body: || T::SHAPE };
    const TREE: Tree = Tree::around(Self::SHAPE, &T::TREE);
}

#[diagnostic::do_not_recommend]
impl<'de: 'a, 'a, T: Decode<'de, C>, C: Copy> Decode<'de, C> for Lazy<'a, T, C> {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Self> {
        let Some(held) = src.lend() else {
            return Err(Error::new(ErrorKind::CannotBorrow, src.pos()));
        };
        match src.is_heard() {
            // a dump has what is inside
            true => drop(T::decode::<O, S>(src, ctx)?),
            false => src.skip(held.rest().len() as u64)?,
        }
        Ok(Lazy { part: Part::Held { src: held, order: Endian::of::<O>(), ctx, of: PhantomData } })
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: Decode<'a, C> + Encode<C>, C: Copy> Encode<C> for Lazy<'a, T, C> {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, with: C) -> Result<()> {
        match &self.part {
            Part::Held { src, order, .. } if *order == Endian::of::<O>() => out.bytes(src.rest(), 0),
            Part::Held { src, order, ctx, .. } => {
                decoded::<T, C>(src, *order, *ctx)?.encode::<O, W>(out, with)
            }
            Part::Value(value) => value.encode::<O, W>(out, with),
        }
    }
}
