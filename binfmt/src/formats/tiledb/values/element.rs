//! The Rust types that values of arrays have.

use super::column::Values;
use crate::formats::tiledb::layout::Number;

mod sealed {
    pub trait Sealed {}
}

/// A Rust type of values: the integers from 8 to 64 bits, `f32` and `f64`.
///
/// ```
/// use binfmt::formats::tiledb::{Element, Number, Values};
/// assert_eq!(u16::NUMBER, Number::U16);
/// assert_eq!(Values::from(vec![1.5f32]), Values::F32(vec![1.5]));
/// assert_eq!(Values::F32(vec![1.5]).as_slice::<f32>(), Some(&[1.5][..]));
/// ```
pub trait Element: Copy + sealed::Sealed {
    /// Which of them it is.
    const NUMBER: Number;
    /// The values, if they are of this type.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Element, Values};
    /// assert_eq!(i8::slice(&Values::U8(vec![1])), None);
    /// ```
    fn slice(values: &Values) -> Option<&[Self]>;
    /// The vector of values, if they are of this type.
    ///
    /// # Errors
    /// They are of another type: these values.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Element, Values};
    /// assert_eq!(u8::into_vec(Values::U8(vec![1])), Ok(vec![1]));
    /// ```
    fn into_vec(values: Values) -> Result<Vec<Self>, Values>;
    /// Values of this type.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Element, Values};
    /// assert_eq!(i64::values(vec![1]), Values::I64(vec![1]));
    /// ```
    fn values(values: Vec<Self>) -> Values;
}

macro_rules! elements {
    ($($name:ident $t:ident),*) => { $(
        impl sealed::Sealed for $t {}

        impl Element for $t {
            const NUMBER: Number = Number::$name;

            fn slice(values: &Values) -> Option<&[Self]> {
                match values {
                    Values::$name(values) => Some(values),
                    _ => None,
                }
            }

            fn into_vec(values: Values) -> Result<Vec<Self>, Values> {
                match values {
                    Values::$name(values) => Ok(values),
                    other => Err(other),
                }
            }

            fn values(values: Vec<Self>) -> Values {
                Values::$name(values)
            }
        }
    )* };
}
elements!(I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64, F32 f32, F64 f64);

impl<T: Element> From<Vec<T>> for Values {
    fn from(values: Vec<T>) -> Values {
        T::values(values)
    }
}

impl Values {
    /// The values, where they are of this type.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Values;
    /// let values = Values::F32(vec![0.5, 1.0]);
    /// assert_eq!(values.as_slice::<f32>(), Some(&[0.5, 1.0][..]));
    /// assert_eq!(values.as_slice::<i32>(), None);
    /// ```
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        T::slice(self)
    }
}
