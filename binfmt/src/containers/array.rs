//! Arrays of any number of dimensions: how long each is, and the elements one after the other.

use crate::wire::amount::plus;
use crate::wire::source::sealed::Sealed;
use alloc::vec::Vec;
use core::ops::{Index, IndexMut};

/// Elements in `N` dimensions, see [`ArrayBase`].
///
/// ```
/// use binfmt::{Array, BinFormat};
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct Image { #[binfmt(shape(u16))] pixels: Array<u8, 2> }
/// let image: Image = binfmt::from_slice(&[2, 0, 3, 0, 1, 2, 3, 4, 5, 6])?;
/// assert_eq!(image.pixels.shape(), [2, 3]);
/// assert_eq!(image.pixels[[1, 0]], 4);
/// assert_eq!(image.pixels.as_slice(), [1, 2, 3, 4, 5, 6]);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub type Array<T, const N: usize> = ArrayBase<T, [usize; N]>;

/// Elements in a number of dimensions that is known only at run time, see [`ArrayBase`].
///
/// ```
/// use binfmt::{ArrayD, BinFormat};
/// #[derive(BinFormat, Debug, PartialEq)]
/// struct Grid { rank: u8, #[binfmt(shape(u8, rank = rank))] cells: ArrayD<u16> }
/// let grid: Grid = binfmt::from_slice(&[2, /* shape */ 1, 2, /* cells */ 7, 0, 8, 0])?;
/// assert_eq!(grid.cells.shape(), [1, 2]);
/// assert_eq!(grid.cells.get(&[0, 1]), Some(&8));
/// # Ok::<(), binfmt::Error>(())
/// ```
pub type ArrayD<T> = ArrayBase<T, Vec<usize>>;

/// Elements in several dimensions: [`Array`] where their number is part of the type, [`ArrayD`] where it is not.
///
/// The elements are kept as they stand on the wire. Whether the last index runs fastest (row-major, as in C) or the first
/// (column-major, as in Fortran) is the format's matter and not known to the value: [`get`](ArrayBase::get) and indexing
/// are for row-major elements, [`get_column_major`](ArrayBase::get_column_major) is for column-major ones, and
/// [`column_to_row_major`](ArrayBase::column_to_row_major) turns these into the others.
///
/// A dimension of 0 is kept like any other; the array has no element then. An array without dimensions has one.
///
/// Through serde it is `{"shape": [2, 3], "values": [1, 2, 3, 4, 5, 6]}`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArrayBase<T, S> {
    shape: S,
    /// As many as the product of the shape.
    values: Vec<T>,
}

impl<const N: usize> Sealed for [usize; N] {}
impl Sealed for Vec<usize> {}

/// The lengths of dimensions: `[usize; N]` or `Vec<usize>`.
pub trait Dims: Sealed + Clone + AsRef<[usize]> {
    /// How many there are, where the type says it.
    const RANK: Option<usize>;
    /// From a list; `None` where it is of another length.
    fn of(dims: Vec<usize>) -> Option<Self>;
}

impl<const N: usize> Dims for [usize; N] {
    const RANK: Option<usize> = Some(N);
    fn of(dims: Vec<usize>) -> Option<Self> {
        dims.try_into().ok()
    }
}

impl Dims for Vec<usize> {
    const RANK: Option<usize> = None;
    fn of(dims: Vec<usize>) -> Option<Self> {
        Some(dims)
    }
}

/// The number of elements; `None` where no memory could hold them, or those that there were without a dimension of 0.
fn num_items(shape: &[usize]) -> Option<usize> {
    let all = shape.iter().filter(|n| **n > 0).try_fold(1usize, |all, n| all.checked_mul(*n))?;
    let any = !shape.contains(&0);
    isize::try_from(all).ok().map(|_| if any { all } else { 0 })
}

/// The place of an element, the last index running fastest; `None` outside.
fn place<'a>(mut dims: impl Iterator<Item = (&'a usize, &'a usize)>) -> Option<usize> {
    dims.try_fold(0usize, |at, (n, i)| at.checked_mul(*n)?.checked_add(*i).filter(|_| i < n))
}

fn row_major(shape: &[usize], index: &[usize]) -> Option<usize> {
    place(shape.iter().zip(index)).filter(|_| shape.len() == index.len())
}

fn column_major(shape: &[usize], index: &[usize]) -> Option<usize> {
    place(shape.iter().zip(index).rev()).filter(|_| shape.len() == index.len())
}

/// Column-major elements of this shape as row-major ones.
fn turned<T>(shape: &[usize], values: Vec<T>) -> Vec<T> {
    // a dimension of one changes nothing, and there may be many of them
    let shape: Vec<usize> = shape.iter().copied().filter(|n| *n != 1).collect();
    if shape.len() < 2 || values.is_empty() {
        return values;
    }
    let mut from: Vec<Option<T>> = values.into_iter().map(Some).collect();
    let mut out = Vec::with_capacity(from.len());
    let mut index = alloc::vec![0usize; shape.len()];
    for _ in 0..from.len() {
        let item = column_major(&shape, &index).and_then(|at| from.get_mut(at)?.take());
        out.extend(item);
        for (i, n) in index.iter_mut().zip(&shape).rev() {
            *i = plus(*i, 1);
            if *i < *n {
                break;
            }
            *i = 0;
        }
    }
    out
}

impl<T, S: Dims> ArrayBase<T, S> {
    /// An array of these elements; `None` where they are not as many as the shape says.
    ///
    /// ```
    /// use binfmt::{Array, ArrayD};
    /// assert!(Array::new([2, 2], vec![1, 2, 3, 4]).is_some());
    /// assert!(ArrayD::new(vec![2, 2], vec![1, 2, 3]).is_none());
    /// ```
    pub fn new(shape: S, values: Vec<T>) -> Option<Self> {
        (num_items(shape.as_ref()) == Some(values.len())).then_some(Self { shape, values })
    }

    /// How long each dimension is.
    ///
    /// ```
    /// use binfmt::Array;
    /// assert_eq!(Array::new([1, 2], vec!["a", "b"]).unwrap().shape(), [1, 2]);
    /// ```
    pub fn shape(&self) -> &[usize] {
        self.shape.as_ref()
    }

    /// How many dimensions there are.
    ///
    /// ```
    /// use binfmt::ArrayD;
    /// assert_eq!(ArrayD::new(vec![1, 2], vec![1, 2]).unwrap().rank(), 2);
    /// ```
    pub fn rank(&self) -> usize {
        self.shape().len()
    }

    /// How many elements there are.
    ///
    /// ```
    /// use binfmt::Array;
    /// assert_eq!(Array::new([2, 2], vec![1, 2, 3, 4]).unwrap().len(), 4);
    /// ```
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is none: a dimension is 0.
    ///
    /// ```
    /// use binfmt::Array;
    /// assert!(Array::<u8, 2>::new([3, 0], vec![]).unwrap().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The elements as they stand on the wire.
    ///
    /// ```
    /// use binfmt::Array;
    /// assert_eq!(Array::new([1, 2], vec![1, 2]).unwrap().as_slice(), [1, 2]);
    /// ```
    pub fn as_slice(&self) -> &[T] {
        &self.values
    }

    /// The elements, to be changed.
    ///
    /// ```
    /// use binfmt::Array;
    /// let mut array = Array::new([1, 2], vec![1, 2]).unwrap();
    /// array.as_mut_slice()[0] = 7;
    /// assert_eq!(array[[0, 0]], 7);
    /// ```
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// The elements without their shape.
    ///
    /// ```
    /// use binfmt::Array;
    /// assert_eq!(Array::new([1, 2], vec![1, 2]).unwrap().into_vec(), [1, 2]);
    /// ```
    pub fn into_vec(self) -> Vec<T> {
        self.values
    }

    /// The shape and the elements.
    ///
    /// ```
    /// use binfmt::Array;
    /// assert_eq!(Array::new([1, 2], vec![1, 2]).unwrap().into_parts(), ([1, 2], vec![1, 2]));
    /// ```
    pub fn into_parts(self) -> (S, Vec<T>) {
        (self.shape, self.values)
    }

    /// One element, where the last index runs fastest; `None` outside, and where there are not as many indices as
    /// dimensions.
    ///
    /// ```
    /// use binfmt::Array;
    /// let array = Array::new([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
    /// assert_eq!((array.get(&[1, 0]), array.get(&[0, 3])), (Some(&4), None));
    /// ```
    pub fn get(&self, index: &[usize]) -> Option<&T> {
        self.values.get(row_major(self.shape(), index)?)
    }

    /// One element, to be changed.
    ///
    /// ```
    /// use binfmt::Array;
    /// let mut array = Array::new([1, 2], vec![1, 2]).unwrap();
    /// *array.get_mut(&[0, 1]).unwrap() = 9;
    /// assert_eq!(array.as_slice(), [1, 9]);
    /// ```
    pub fn get_mut(&mut self, index: &[usize]) -> Option<&mut T> {
        let at = row_major(self.shape(), index)?;
        self.values.get_mut(at)
    }

    /// One element, where the first index runs fastest.
    ///
    /// ```
    /// use binfmt::Array;
    /// let array = Array::new([2, 3], vec![1, 2, 3, 4, 5, 6]).unwrap();
    /// assert_eq!(array.get_column_major(&[1, 0]), Some(&2));
    /// ```
    pub fn get_column_major(&self, index: &[usize]) -> Option<&T> {
        self.values.get(column_major(self.shape(), index)?)
    }

    /// The same array with the last index running fastest, where the first did.
    ///
    /// ```
    /// use binfmt::Array;
    /// let array = Array::new([2, 3], vec![11, 21, 12, 22, 13, 23]).unwrap().column_to_row_major();
    /// assert_eq!(array.as_slice(), [11, 12, 13, 21, 22, 23]);
    /// assert_eq!((array.shape(), array[[1, 2]]), (&[2, 3][..], 23));
    /// ```
    #[must_use]
    pub fn column_to_row_major(self) -> Self {
        let values = turned(self.shape.as_ref(), self.values);
        Self { shape: self.shape, values }
    }

    /// The same array with the first index running fastest, where the last did.
    ///
    /// ```
    /// use binfmt::Array;
    /// let array = Array::new([2, 3], vec![11, 12, 13, 21, 22, 23]).unwrap().row_to_column_major();
    /// assert_eq!(array.as_slice(), [11, 21, 12, 22, 13, 23]);
    /// ```
    #[must_use]
    pub fn row_to_column_major(self) -> Self {
        // the same as the other way round, for the dimensions in the other order
        let reversed: Vec<usize> = self.shape.as_ref().iter().rev().copied().collect();
        let values = turned(&reversed, self.values);
        Self { shape: self.shape, values }
    }
}

/// No dimension is longer than 0: without elements, unless there are no dimensions.
impl<T, const N: usize> Default for ArrayBase<T, [usize; N]>
where
    T: Default,
{
    fn default() -> Self {
        // without dimensions there is one element
        let values = (0..usize::from(N == 0)).map(|_| T::default()).collect();
        ArrayBase { shape: [0; N], values }
    }
}

/// One dimension without elements.
impl<T> Default for ArrayBase<T, Vec<usize>> {
    fn default() -> Self {
        ArrayBase { shape: alloc::vec![0], values: Vec::new() }
    }
}

/// One element, where the last index runs fastest.
///
/// # Panics
/// Outside of the array.
impl<T, const N: usize> Index<[usize; N]> for ArrayBase<T, [usize; N]> {
    type Output = T;
    fn index(&self, index: [usize; N]) -> &T {
        match self.get(&index) {
            Some(value) => value,
            None => outside(&index, self.shape()),
        }
    }
}

/// One element, where the last index runs fastest.
///
/// # Panics
/// Outside of the array.
impl<T, const N: usize> IndexMut<[usize; N]> for ArrayBase<T, [usize; N]> {
    fn index_mut(&mut self, index: [usize; N]) -> &mut T {
        match row_major(&self.shape, &index).and_then(|at| self.values.get_mut(at)) {
            Some(value) => value,
            None => outside(&index, &self.shape),
        }
    }
}

/// One element, where the last index runs fastest.
///
/// # Panics
/// Outside of the array, and where there are not as many indices as dimensions.
impl<T> Index<&[usize]> for ArrayBase<T, Vec<usize>> {
    type Output = T;
    fn index(&self, index: &[usize]) -> &T {
        match self.get(index) {
            Some(value) => value,
            None => outside(index, self.shape()),
        }
    }
}

#[cold]
#[track_caller]
fn outside(index: &[usize], shape: &[usize]) -> ! {
    panic!("the index {index:?} is outside an array of shape {shape:?}")
}

impl<T, S> IntoIterator for ArrayBase<T, S> {
    type Item = T;
    type IntoIter = alloc::vec::IntoIter<T>;
    fn into_iter(self) -> Self::IntoIter {
        self.values.into_iter()
    }
}

impl<T, const N: usize> From<ArrayBase<T, [usize; N]>> for ArrayBase<T, Vec<usize>> {
    fn from(array: ArrayBase<T, [usize; N]>) -> Self {
        ArrayBase { shape: array.shape.to_vec(), values: array.values }
    }
}

/// The array itself is the error where it has another number of dimensions.
impl<T, const N: usize> TryFrom<ArrayBase<T, Vec<usize>>> for ArrayBase<T, [usize; N]> {
    type Error = ArrayBase<T, Vec<usize>>;
    fn try_from(array: ArrayBase<T, Vec<usize>>) -> Result<Self, Self::Error> {
        match <[usize; N]>::try_from(array.shape.as_slice()) {
            Ok(shape) => Ok(ArrayBase { shape, values: array.values }),
            Err(_) => Err(array),
        }
    }
}

#[cfg(feature = "serde")]
mod serial {
    use super::*;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::{Serialize, Serializer};

    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename = "Array", deny_unknown_fields)]
    struct Parts<S, V> {
        shape: S,
        values: V,
    }

    impl<T: Serialize, S: Dims> Serialize for ArrayBase<T, S> {
        fn serialize<A: Serializer>(&self, s: A) -> Result<A::Ok, A::Error> {
            Parts { shape: self.shape(), values: self.as_slice() }.serialize(s)
        }
    }

    impl<'de, T: Deserialize<'de>, S: Dims> Deserialize<'de> for ArrayBase<T, S> {
        fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
            let Parts { shape, values } = Parts::<Vec<usize>, Vec<T>>::deserialize(d)?;
            let rank = shape.len();
            let shape = S::of(shape)
                .ok_or_else(|| D::Error::invalid_length(rank, &"another number of dimensions"))?;
            ArrayBase::new(shape, values)
                .ok_or_else(|| D::Error::custom("the number of values does not match the shape"))
        }
    }
}
