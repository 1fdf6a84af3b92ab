//! Values and the arrays of this crate.

use crate::error::{Error, ErrorKind, Result};
use crate::formats::futhark::layout::Value;
use crate::numbers::Element;
use crate::{Array, ArrayD};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The error of a value that is not an array of `T` with this rank, or with any.
#[cold]
pub(super) fn another<T: Element>(rank: Option<usize>, found: String) -> Error {
    let expected = match rank {
        Some(rank) => format!("{}{}", "[]".repeat(rank), T::TYPE),
        None => format!("elements of {}", T::TYPE),
    };
    ErrorKind::mismatch("", expected, found).into()
}

impl Value {
    /// The elements as an array of `N` dimensions, without copying them.
    ///
    /// ```
    /// use binfmt::Array;
    /// use binfmt::formats::futhark::Value;
    /// let array: Array<u8, 2> = Value::from_text("[[1u8, 2], [3, 4]]")?.into_array()?;
    /// assert_eq!(array[[1, 0]], 3);
    /// let e = Value::from(1i8).into_array::<i8, 1>().unwrap_err();
    /// assert_eq!(e.to_string(), "expected []i8, found i8");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The value is of another type or rank.
    pub fn into_array<T: Element, const N: usize>(self) -> Result<Array<T, N>> {
        let found = self.type_name();
        let array = self.into_dynamic().and_then(|array| Array::try_from(array).ok());
        array.ok_or_else(|| another::<T>(Some(N), found))
    }

    /// The elements as an array of as many dimensions as there are.
    ///
    /// ```
    /// use binfmt::formats::futhark::Value;
    /// assert!(Value::from(1i8).into_array_d::<i8>()?.shape().is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The value is of another type.
    pub fn into_array_d<T: Element>(self) -> Result<ArrayD<T>> {
        let found = self.type_name();
        self.into_dynamic().ok_or_else(|| another::<T>(None, found))
    }

    fn into_dynamic<T: Element>(self) -> Option<ArrayD<T>> {
        let (dims, elements) = self.into_sized()?;
        ArrayD::new(dims, elements)
    }

    /// Dimensions and elements, when they are of type `T`.
    pub(super) fn into_sized<T: Element>(self) -> Option<(Vec<usize>, Vec<T>)> {
        let (dims, elements) = self.into_parts();
        let dims: Result<Vec<usize>, _> = dims.into_iter().map(usize::try_from).collect();
        Some((dims.ok()?, elements.into_vec().ok()?))
    }

    /// The value of an array.
    ///
    /// ```
    /// use binfmt::Array;
    /// use binfmt::formats::futhark::Value;
    /// let array = Array::new([2, 1], vec![true, false]).unwrap();
    /// assert_eq!(Value::from_array(array)?.to_string(), "[[true], [false]]");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There are more than 127 dimensions.
    pub fn from_array<T: Element>(array: impl Into<ArrayD<T>>) -> Result<Value> {
        let (dims, elements) = array.into().into_parts();
        let dims: Vec<u64> = dims.into_iter().map(|n| n as u64).collect();
        Value::new(dims, elements)
    }
}
