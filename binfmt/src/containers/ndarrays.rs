//! Arrays of the crate `ndarray`: as fields, and to and from the arrays of this crate.

use super::array::{Array, ArrayBase, ArrayD};
use super::shaped::Grid;
use alloc::vec::Vec;
use ndarray::{ArrayView, ArrayViewD, Dim, Dimension, IntoDimension, Ix, IxDyn, ShapeBuilder};

impl<T: Clone, D: Dimension> Grid for ndarray::Array<T, D> {
    type Item = T;
    const RANK: Option<usize> = D::NDIM;

    fn dims(&self) -> &[usize] {
        self.shape()
    }

    fn with_items<R>(&self, column: bool, put: impl FnOnce(&[T]) -> R) -> R {
        let view = if column { self.t() } else { self.view() };
        match view.as_slice() {
            Some(items) => put(items),
            None => put(&view.iter().cloned().collect::<Vec<T>>()),
        }
    }

    fn build(dims: Vec<usize>, items: Vec<T>, column: bool) -> Option<Self> {
        let dynamic = ndarray::Array::from_shape_vec(IxDyn(&dims).set_f(column), items).ok()?;
        dynamic.into_dimensionality().ok()
    }
}

impl<T, const N: usize> ArrayBase<T, [usize; N]>
where
    [Ix; N]: IntoDimension<Dim = Dim<[Ix; N]>>,
    Dim<[Ix; N]>: Dimension,
{
    /// The elements as a view of the crate `ndarray`, where the last index runs fastest.
    ///
    /// ```
    /// use binfmt::Array;
    /// let array = Array::new([2, 2], vec![1, 2, 3, 4]).unwrap();
    /// assert_eq!(array.view(), ndarray::arr2(&[[1, 2], [3, 4]]));
    /// ```
    pub fn view(&self) -> ArrayView<'_, T, Dim<[Ix; N]>> {
        self.view_by(false)
    }

    /// The same where the first index runs fastest.
    ///
    /// ```
    /// use binfmt::Array;
    /// let array = Array::new([2, 2], vec![1, 2, 3, 4]).unwrap();
    /// assert_eq!(array.view_column_major(), ndarray::arr2(&[[1, 3], [2, 4]]));
    /// ```
    pub fn view_column_major(&self) -> ArrayView<'_, T, Dim<[Ix; N]>> {
        self.view_by(true)
    }

    fn view_by(&self, column: bool) -> ArrayView<'_, T, Dim<[Ix; N]>> {
        let mut shape = [0; N];
        shape.copy_from_slice(self.shape());
        match ArrayView::from_shape(shape.into_dimension().set_f(column), self.as_slice()) {
            Ok(view) => view,
            Err(e) => panic!("as many elements as the shape says, in memory: {e}"),
        }
    }
}

impl<T> ArrayBase<T, Vec<usize>> {
    /// The elements as a view of the crate `ndarray`, where the last index runs fastest.
    ///
    /// ```
    /// use binfmt::ArrayD;
    /// let array = ArrayD::new(vec![2, 2], vec![1, 2, 3, 4]).unwrap();
    /// assert_eq!(array.view(), ndarray::arr2(&[[1, 2], [3, 4]]).into_dyn());
    /// ```
    pub fn view(&self) -> ArrayViewD<'_, T> {
        self.view_by(false)
    }

    /// The same where the first index runs fastest.
    ///
    /// ```
    /// use binfmt::ArrayD;
    /// let array = ArrayD::new(vec![2, 2], vec![1, 2, 3, 4]).unwrap();
    /// assert_eq!(array.view_column_major(), ndarray::arr2(&[[1, 3], [2, 4]]).into_dyn());
    /// ```
    pub fn view_column_major(&self) -> ArrayViewD<'_, T> {
        self.view_by(true)
    }

    fn view_by(&self, column: bool) -> ArrayViewD<'_, T> {
        match ArrayView::from_shape(IxDyn(self.shape()).set_f(column), self.as_slice()) {
            Ok(view) => view,
            Err(e) => panic!("as many elements as the shape says, in memory: {e}"),
        }
    }
}

/// The last index runs fastest.
impl<T, const N: usize> From<Array<T, N>> for ndarray::Array<T, Dim<[Ix; N]>>
where
    [Ix; N]: IntoDimension<Dim = Dim<[Ix; N]>>,
    Dim<[Ix; N]>: Dimension,
{
    fn from(array: Array<T, N>) -> Self {
        let (shape, items) = array.into_parts();
        match ndarray::Array::from_shape_vec(shape.into_dimension(), items) {
            Ok(array) => array,
            Err(e) => panic!("as many elements as the shape says, in memory: {e}"),
        }
    }
}

/// The last index runs fastest.
impl<T> From<ArrayD<T>> for ndarray::ArrayD<T> {
    fn from(array: ArrayD<T>) -> Self {
        let (shape, items) = array.into_parts();
        match ndarray::ArrayD::from_shape_vec(IxDyn(&shape), items) {
            Ok(array) => array,
            Err(e) => panic!("as many elements as the shape says, in memory: {e}"),
        }
    }
}

/// The last index runs fastest, whatever the memory of the other was.
impl<T: Clone, const N: usize> From<ndarray::Array<T, Dim<[Ix; N]>>> for Array<T, N>
where
    Dim<[Ix; N]>: Dimension,
{
    fn from(array: ndarray::Array<T, Dim<[Ix; N]>>) -> Self {
        let mut shape = [0; N];
        shape.copy_from_slice(array.shape());
        made(Array::new(shape, items(array)))
    }
}

/// The last index runs fastest, whatever the memory of the other was.
impl<T: Clone> From<ndarray::ArrayD<T>> for ArrayD<T> {
    fn from(array: ndarray::ArrayD<T>) -> Self {
        let shape = array.shape().to_vec();
        made(ArrayD::new(shape, items(array)))
    }
}

fn items<T: Clone, D: Dimension>(array: ndarray::Array<T, D>) -> Vec<T> {
    let (len, plain) = (array.len(), array.is_standard_layout());
    if !plain {
        return array.iter().cloned().collect();
    }
    // what a slice left out of it may still be in its vector
    let (mut items, offset) = array.into_raw_vec_and_offset();
    let mut items = items.split_off(offset.unwrap_or(0).min(items.len()));
    items.truncate(len);
    items
}

/// An array of another crate has as many elements as its shape says.
fn made<A>(array: Option<A>) -> A {
    match array {
        Some(array) => array,
        None => panic!("as many elements as the shape says"),
    }
}
