//! A region whose length is elsewhere: any form in as many bytes as an expression says, and what follows a value in one.

use super::counted::{ToEnd, mismatch};
use super::items::Items;
use super::padding::pass;
use crate::codec::field::{field, own, put, put_own};
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs, Own};
use crate::codec::run::record;
use crate::codec::{Decode, Encode, Layout};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::between;
use crate::wire::limits::checked;
use crate::wire::raw::link;
use crate::wire::{Bound, Facts, Kind, Label, OPEN, Order, Part, Shape, Sink, Source};
use alloc::vec::Vec;
use core::marker::PhantomData;

/// `region = expr`: the form `F` in so many bytes; the context is their number and what the form needs.
///
/// With `SKIP` the form may leave bytes over: they are ignored when reading, and `FILL` when writing.
#[derive(Debug)]
pub struct Within<F, const SKIP: bool = false, const FILL: u8 = 0>(PhantomData<F>);

const fn region(fill: Option<u8>, body: fn() -> Shape) -> Shape {
    Shape::Region { by: Bound::Sized, fill, body }
}

#[diagnostic::do_not_recommend]
impl<F: As<T>, T, const SKIP: bool, const FILL: u8> As<T> for Within<F, SKIP, FILL> {
    const FACTS: Facts<T> = Facts::range(0, 0, OPEN);
    const SHAPE: Shape = region(if SKIP { Some(FILL) } else { None }, || F::SHAPE);
    const TREE: Tree = Tree::around(Self::SHAPE, &F::TREE);
}

#[diagnostic::do_not_recommend]
impl<'de, F, T, C, const SKIP: bool, const FILL: u8> DecodeAs<'de, T, (i128, C)> for Within<F, SKIP, FILL>
where
    F: DecodeAs<'de, T, C>,
{
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, (n, ctx): (i128, C)) -> Result<T> {
        let start = src.pos();
        // on a stream only the region's own end bounds what is read inside
        let n = checked(src, n, (1, 1), u64::MAX, start)? as u64;
        let window = src.narrow(n)?;
        src.open(Label::Value, "");
        let v = F::decode::<O, S>(src, ctx)?;
        src.close();
        if SKIP {
            pass_rest(src, start, n)?;
        }
        src.widen(window)?;
        Ok(v)
    }
}

/// Steps over what is left of a region of `n` bytes.
#[inline]
pub(crate) fn pass_rest<'de, S: Source<'de>>(src: &mut S, start: u64, n: u64) -> Result<()> {
    let rest = n.saturating_sub(between(start, src.pos()));
    if rest == 0 {
        return Ok(());
    }
    src.open(Label::Piece("rest"), "");
    src.mark(Kind::Padding, true);
    pass(src, rest, 0, false)?;
    src.close();
    Ok(())
}

#[diagnostic::do_not_recommend]
impl<F, T, C, const SKIP: bool, const FILL: u8> EncodeAs<T, (i128, C)> for Within<F, SKIP, FILL>
where
    F: EncodeAs<T, C>,
{
    #[inline]
    fn encode<O: Order, W: Sink>(value: &T, out: &mut W, (n, ctx): (i128, C)) -> Result<()> {
        let (start, region) = (out.pos(), out.begin_region());
        F::encode::<O, W>(value, out, ctx)?;
        out.end_region(region)?;
        fill_rest(out, start, n, SKIP.then_some(FILL))
    }
}

/// Holds what was written since `start` to the length of its region, and fills the rest of it where it may.
#[inline]
pub(crate) fn fill_rest<W: Sink>(out: &mut W, start: u64, n: i128, fill: Option<u8>) -> Result<()> {
    let found = between(start, out.pos());
    match (u64::try_from(n), fill) {
        (Ok(n), _) if n == found => Ok(()),
        (Ok(max), Some(fill)) => match max.checked_sub(found) {
            Some(left) => out.fill(fill, left),
            None => Err(Error::new(ErrorKind::TooLong { found, max }, start)),
        },
        _ => Err(mismatch(n, found, start)),
    }
}

/// A value and the bytes after it, up to the end of its region or of the input.
///
/// A box that a later version of its format has made longer is read by a program that knows the first version, and written
/// back byte for byte. The type is what [`region(.., rest = keep)`](crate::attributes#region) reads, and stands wherever something
/// ends a value.
///
/// ```
/// use binfmt::{BinFormat, Kept};
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct Header { width: u16 }
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct File { #[binfmt(length_prefixed(u8, in = bytes))] header: Kept<Header>, n: u8 }
/// let bytes = [4, 7, 0, /* unknown */ 1, 2, /* n */ 9];
/// let file: File = binfmt::from_slice(&bytes)?;
/// assert_eq!(file.header.value, Header { width: 7 });
/// assert_eq!(file.header.rest, [1, 2]);
/// assert_eq!(binfmt::to_vec(&file)?, bytes);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kept<T> {
    /// The value.
    pub value: T,
    /// The bytes after it.
    pub rest: Vec<u8>,
}

impl<T> From<T> for Kept<T> {
    /// A value with nothing after it.
    ///
    /// ```
    /// let kept = binfmt::Kept::from(7u8);
    /// assert_eq!((kept.value, kept.rest.len()), (7, 0));
    /// ```
    fn from(value: T) -> Self {
        Kept { value, rest: Vec::new() }
    }
}

/// What follows the value.
type Rest = ToEnd<Items>;

impl<T: Layout> Layout for Kept<T> {
    const PARTS: &'static [Part] =
        &link([Part::of::<Own, T>("value", "T"), Part::of::<Rest, Vec<u8>>("rest", "Vec<u8>")]);
    const FACTS: Facts<Self> = Facts::fields(<Self as Layout>::PARTS);
    const SHAPE: Shape = record::<Self>("Kept");
    const TREE: Tree = Tree::record::<Self>("", &[T::TREE, <Rest as As<Vec<u8>>>::TREE], &[], &[]);
}

impl<'de, T: Decode<'de, C>, C> Decode<'de, C> for Kept<T> {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Self> {
        let parts = <Self as Layout>::PARTS;
        let value = own::<O, S, T, C>(src, parts, 0, ctx)?;
        let rest = field::<O, S, Rest, Vec<u8>, ()>(src, parts, 1, ())?;
        Ok(Kept { value, rest })
    }
}

impl<T: Encode<C>, C> Encode<C> for Kept<T> {
    #[inline]
    fn encode<O: Order, W: Sink>(&self, out: &mut W, ctx: C) -> Result<()> {
        let parts = <Self as Layout>::PARTS;
        put_own::<O, W, T, C>(out, parts, 0, &self.value, ctx)?;
        put::<O, W, Rest, Vec<u8>, ()>(out, parts, 1, &self.rest, ())
    }
}

/// `rest = keep`: a [`Kept`] and nothing else.
#[derive(Debug)]
pub struct Keep;

#[diagnostic::do_not_recommend]
impl<T: Layout> As<Kept<T>> for Keep {
    const FACTS: Facts<Kept<T>> = <Kept<T> as Layout>::FACTS;
    const SHAPE: Shape = <Kept<T> as Layout>::SHAPE;
    const TREE: Tree = <Kept<T> as Layout>::TREE;
}

#[diagnostic::do_not_recommend]
impl<'de, T: Decode<'de, C>, C> DecodeAs<'de, Kept<T>, C> for Keep {
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<Kept<T>> {
        Kept::decode::<O, S>(src, ctx)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Encode<C>, C> EncodeAs<Kept<T>, C> for Keep {
    #[inline]
    fn encode<O: Order, W: Sink>(value: &Kept<T>, out: &mut W, ctx: C) -> Result<()> {
        value.encode::<O, W>(out, ctx)
    }
}
