//! Values and the arrays of the crate `ndarray`.

use super::array::another;
use crate::error::Result;
use crate::formats::futhark::layout::Value;
use crate::numbers::Element;
use crate::wire::raw::bulk::try_room_exact;
use alloc::vec::Vec;
use ndarray::{Array, ArrayBase, ArrayD, ArrayViewD, Data, Dimension, IxDyn};

impl Value {
    /// The elements as an array of the crate `ndarray`, without copying them. `D` is the number of dimensions; a value
    /// may have any with [`ndarray::IxDyn`](type@ndarray::IxDyn).
    ///
    /// ```
    /// use binfmt::formats::futhark::Value;
    /// use ndarray::{Array2, ArrayD, arr2};
    /// let value = Value::from_text("[[1u8, 2], [3, 4]]")?;
    /// let grid: Array2<u8> = value.clone().into_ndarray()?;
    /// assert_eq!(grid, arr2(&[[1, 2], [3, 4]]));
    /// let grid: ArrayD<u8> = value.clone().into_ndarray()?;
    /// assert_eq!(grid.shape(), [2, 2]);
    ///
    /// let e = value.clone().into_ndarray::<f64, ndarray::Ix2>().unwrap_err();
    /// assert_eq!(e.to_string(), "expected [][]f64, found [2][2]u8");
    /// let e = value.into_ndarray::<u8, ndarray::Ix1>().unwrap_err();
    /// assert_eq!(e.to_string(), "expected []u8, found [2][2]u8");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The value is of another type or rank.
    pub fn into_ndarray<T: Element, D: Dimension>(self) -> Result<Array<T, D>> {
        let found = self.type_name();
        let array = self.into_sized().and_then(|(dims, elements)| {
            ArrayD::from_shape_vec(IxDyn(&dims), elements).ok()?.into_dimensionality().ok()
        });
        array.ok_or_else(|| another::<T>(D::NDIM, found))
    }

    /// A view of the elements for the crate `ndarray`; `None` when they are of another type.
    ///
    /// ```
    /// use binfmt::formats::futhark::Value;
    /// let value = Value::from_text("[[1u8, 2], [3, 4]]")?;
    /// assert_eq!(value.view::<u8>().unwrap()[[1, 0]], 3);
    /// assert!(value.view::<i8>().is_none());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn view<T: Element>(&self) -> Option<ArrayViewD<'_, T>> {
        let dims: Option<Vec<usize>> = self.dims().iter().map(|n| usize::try_from(*n).ok()).collect();
        ArrayViewD::from_shape(IxDyn(&dims?), self.as_slice()?).ok()
    }

    /// The value of an array of the crate `ndarray`, in any order of its elements in memory; they are copied.
    ///
    /// ```
    /// use binfmt::formats::futhark::Value;
    /// let grid = ndarray::arr2(&[[1i8, 2, 3], [4, 5, 6]]);
    /// assert_eq!(Value::from_ndarray(&grid.t())?.to_string(), "[[1i8, 4i8], [2i8, 5i8], [3i8, 6i8]]");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There are more than 127 dimensions, or there is no memory for the copy.
    pub fn from_ndarray<T: Element, S: Data<Elem = T>, D: Dimension>(
        array: &ArrayBase<S, D>,
    ) -> Result<Value> {
        let dims: Vec<u64> = array.shape().iter().map(|n| *n as u64).collect();
        let mut elements = Vec::new();
        try_room_exact(&mut elements, array.len())?;
        match array.as_slice() {
            Some(all) => elements.extend_from_slice(all),
            None => elements.extend(array.iter().copied()),
        }
        Value::new(dims, elements)
    }
}
