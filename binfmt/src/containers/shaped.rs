//! `shape`: dimensions in front of elements.

use super::array::{ArrayBase, Dims};
use super::counted::mismatch;
use super::items::Items;
use super::prefixed::{put_len, read_dim};
use super::{Body, DecodeBody};
use crate::codec::compound::encode_items;
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs};
use crate::codec::{Decode, Encode, Layout};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::times;
use crate::wire::limits::{Len, checked};
use crate::wire::{Facts, IntShape, Label, OPEN, Order, Shape, Sink, Source};
use alloc::vec::Vec;
use core::marker::PhantomData;

/// A type of elements in several dimensions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an array of several dimensions",
    label = "no array",
    note = "`shape` is for `Array<T, N>` and `ArrayD<T>`; with the feature `ndarray` for `ndarray::Array` too"
)]
pub trait Grid: Sized {
    /// The element.
    type Item;
    /// The number of dimensions, where the type says it.
    const RANK: Option<usize>;
    /// The lengths of the dimensions.
    fn dims(&self) -> &[usize];
    /// Calls `put` with the elements, the first index running fastest with `column`.
    fn with_items<R>(&self, column: bool, put: impl FnOnce(&[Self::Item]) -> R) -> R;
    /// An array of as many elements as the dimensions say; `None` where their number does not fit this type.
    fn build(dims: Vec<usize>, items: Vec<Self::Item>, column: bool) -> Option<Self>;
}

impl<T, S: Dims> Grid for ArrayBase<T, S> {
    type Item = T;
    const RANK: Option<usize> = S::RANK;
    fn dims(&self) -> &[usize] {
        self.shape()
    }
    #[inline(always)]
    fn with_items<R>(&self, _: bool, put: impl FnOnce(&[T]) -> R) -> R {
        put(self.as_slice())
    }
    #[inline(always)]
    fn build(dims: Vec<usize>, items: Vec<T>, _: bool) -> Option<Self> {
        ArrayBase::new(S::of(dims)?, items)
    }
}

/// `shape(D)`: the dimensions, each an integer of type `D`, then the elements. Their number is that of the type.
pub type Shaped<D, const COLUMN: bool> = ShapedIn<D, OwnRank, COLUMN>;

/// `shape(D, rank = N)` with a literal.
pub type ShapedTo<D, const N: usize, const COLUMN: bool> = ShapedIn<D, SaidRank<N>, COLUMN>;

/// As many dimensions as `R` says.
#[derive(Debug)]
pub struct ShapedIn<D, R, const COLUMN: bool>(PhantomData<(D, R)>);

/// The number of dimensions of an `A`, as far as the layout says it.
pub trait Rank<A> {
    /// For descriptions.
    const SAID: Option<usize>;
    /// For the codec.
    const RANK: usize;
}

/// That of the type.
#[derive(Debug)]
pub struct OwnRank;

impl<A: Grid> Rank<A> for OwnRank {
    const SAID: Option<usize> = A::RANK;
    const RANK: usize = own_rank::<A>();
}

/// That of the attribute.
#[derive(Debug)]
pub struct SaidRank<const N: usize>;

impl<A: Grid, const N: usize> Rank<A> for SaidRank<N> {
    const SAID: Option<usize> = Some(N);
    const RANK: usize = said_rank::<A>(N);
}

/// `shape(D, rank = expr)`: the context is the number of dimensions and what each element needs.
#[derive(Debug)]
pub struct ShapedBy<D, const COLUMN: bool>(PhantomData<D>);

const fn shaped<D: Len>(rank: Option<usize>, column_major: bool, item: fn() -> Shape) -> Shape {
    match D::FORM {
        IntShape::Fixed { bytes, signed } => {
            Shape::Shaped { dim_bytes: bytes, dim_signed: signed, rank, column_major, item }
        }
        _ => panic!("`shape`: a dimension needs an integer of a fixed size"),
    }
}

/// The least size: the dimensions.
const fn facts<D: Len, A>(rank: Option<usize>) -> Facts<A> {
    let head = match rank {
        Some(n) => times(n, D::BYTES),
        None => 0,
    };
    Facts::range(head, head, OPEN)
}

const fn own_rank<A: Grid>() -> usize {
    match A::RANK {
        Some(n) => n,
        None => panic!("`shape`: the rank of this type is unknown: use `shape(.., rank = <number>)`"),
    }
}

const fn said_rank<A: Grid>(n: usize) -> usize {
    if let Some(own) = A::RANK {
        assert!(own == n, "`shape(.., rank = N)`: the type has a different number of dimensions");
    }
    n
}

impl<D: Len, R: Rank<A>, A: Grid<Item: Layout>, const COLUMN: bool> As<A> for ShapedIn<D, R, COLUMN> {
    const FACTS: Facts<A> = facts::<D, A>(Some(R::RANK));
    const SHAPE: Shape = shaped::<D>(R::SAID, COLUMN, || <A::Item as Layout>::SHAPE);
    const TREE: Tree = Tree::around(<Self as As<A>>::SHAPE, &<A::Item as Layout>::TREE);
}

impl<D: Len, A: Grid<Item: Layout>, const COLUMN: bool> As<A> for ShapedBy<D, COLUMN> {
    const FACTS: Facts<A> = facts::<D, A>(None);
    const SHAPE: Shape = shaped::<D>(None, COLUMN, || <A::Item as Layout>::SHAPE);
    const TREE: Tree = Tree::around(<Self as As<A>>::SHAPE, &<A::Item as Layout>::TREE);
}

/// The dimensions and the elements.
#[inline]
fn decode<'de, O, S, D, A, C>(src: &mut S, rank: i128, column: bool, ctx: C) -> Result<A>
where
    O: Order,
    S: Source<'de>,
    D: Len + Decode<'de>,
    A: Grid<Item: Decode<'de, C>>,
    C: Copy,
{
    let at = src.pos();
    let rank = checked(src, rank, (D::BYTES, D::BYTES), u64::MAX, at)?;
    if let Some(own) = A::RANK
        && own != rank
    {
        return Err(mismatch(own as i128, rank as u64, at));
    }
    let mut dims: Vec<usize> = Vec::new();
    let mut all = 1i128;
    for i in 0..rank {
        src.charge(size_of::<usize>())?;
        let at = src.pos();
        let n = read_dim::<O, D, S>(src, i)?;
        match usize::try_from(n) {
            Ok(dim) => dims.push(dim),
            Err(_) => return Err(Error::new(ErrorKind::InvalidLength { found: n }, at)),
        }
        all = all.saturating_mul(n);
    }
    if all > u64::MAX as i128 {
        return Err(overflow(dims.iter().map(|n| *n as u64), at));
    }
    let sizes = (<Items as Body<Vec<A::Item>>>::ITEM_MIN, <Items as Body<Vec<A::Item>>>::ITEM_MAX);
    let n = checked(src, all, sizes, u64::MAX, at)?;
    src.open(Label::Value, "");
    let items = <Items as DecodeBody<'de, Vec<A::Item>, C>>::body::<O, S>(src, n, ctx)?;
    src.close();
    match A::build(dims, items, column) {
        Some(array) => Ok(array),
        None => Err(too_large(at)),
    }
}

/// More elements than any number of them.
#[cold]
pub(crate) fn overflow(dims: impl Iterator<Item = u64>, at: u64) -> Error {
    Error::new(ErrorKind::DimensionsOverflow { dims: dims.collect() }, at)
}

#[cold]
fn too_large(at: u64) -> Error {
    Error::new(ErrorKind::TooLarge { of: "array" }, at)
}

#[inline]
fn encode<O, W, D, A, C>(array: &A, rank: i128, column: bool, out: &mut W, ctx: C) -> Result<()>
where
    O: Order,
    W: Sink,
    D: Len + Encode,
    A: Grid<Item: Encode<C>>,
    C: Copy,
{
    let dims = array.dims();
    if rank != dims.len() as i128 {
        return Err(mismatch(rank, dims.len() as u64, out.pos()));
    }
    for n in dims {
        put_len::<O, D, W>(out, *n, u64::MAX, false)?;
    }
    array.with_items(column, |items| encode_items::<O, W, A::Item, C>(items, out, ctx))
}

impl<'de, D, R, A, C, const COLUMN: bool> DecodeAs<'de, A, C> for ShapedIn<D, R, COLUMN>
where
    D: Len + Decode<'de>,
    R: Rank<A>,
    A: Grid<Item: Decode<'de, C>>,
    C: Copy,
{
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, ctx: C) -> Result<A> {
        decode::<O, S, D, A, C>(src, const { R::RANK } as i128, COLUMN, ctx)
    }
}

impl<D, R, A, C, const COLUMN: bool> EncodeAs<A, C> for ShapedIn<D, R, COLUMN>
where
    D: Len + Encode,
    R: Rank<A>,
    A: Grid<Item: Encode<C>>,
    C: Copy,
{
    #[inline]
    fn encode<O: Order, W: Sink>(array: &A, out: &mut W, ctx: C) -> Result<()> {
        encode::<O, W, D, A, C>(array, const { R::RANK } as i128, COLUMN, out, ctx)
    }
}

impl<'de, D, A, C, const COLUMN: bool> DecodeAs<'de, A, (i128, C)> for ShapedBy<D, COLUMN>
where
    D: Len + Decode<'de>,
    A: Grid<Item: Decode<'de, C>>,
    C: Copy,
{
    #[inline]
    fn decode<O: Order, S: Source<'de>>(src: &mut S, (rank, ctx): (i128, C)) -> Result<A> {
        decode::<O, S, D, A, C>(src, rank, COLUMN, ctx)
    }
}

impl<D, A, C, const COLUMN: bool> EncodeAs<A, (i128, C)> for ShapedBy<D, COLUMN>
where
    D: Len + Encode,
    A: Grid<Item: Encode<C>>,
    C: Copy,
{
    #[inline]
    fn encode<O: Order, W: Sink>(array: &A, out: &mut W, (rank, ctx): (i128, C)) -> Result<()> {
        encode::<O, W, D, A, C>(array, rank, COLUMN, out, ctx)
    }
}
