//! One type for any number: which one it is, one of them, many of them.
//!
//! What a layout says at run time may be a number of any kind. [`NumberType`] says which one, [`Number`] holds one,
//! [`Numbers`] holds a vector of one kind, and [`Element`] ties them to the types of Rust. Values, columns and all formats
//! use these, and code that does the same for every kind is written once.
//!
//! ```
//! use binfmt::numbers::{Number, NumberType, Numbers};
//! let numbers = Numbers::from(vec![1i16, -2]);
//! assert_eq!(numbers.number_type(), NumberType::I16);
//! assert_eq!(numbers.get(1), Some(Number::I16(-2)));
//! assert_eq!(numbers.as_slice::<i16>(), Some(&[1, -2][..]));
//! assert_eq!(numbers.as_slice::<u16>(), None);
//! assert_eq!(numbers.f64s(), [1.0, -2.0]);
//! ```
//!
//! A bool is a kind of number here: it has a fixed size, and vectors contain it as they contain numbers. Nothing computes with it:
//! it is neither an integer nor a floating-point number.

#[cfg(any(feature = "futhark", feature = "sdds"))]
#[cfg_attr(
    not(all(feature = "futhark", feature = "sdds")),
    allow(dead_code, reason = "each of the two formats has precisions that the other has not")
)]
pub(crate) mod binary;
mod codec;
#[cfg(any(feature = "futhark", feature = "sdds", feature = "table"))]
pub(crate) mod decimal;
mod element;
#[cfg(feature = "sdds")]
pub(crate) mod extended;
mod f16;
mod float;
mod number;
mod order;
#[cfg(feature = "serde")]
pub(crate) mod serial;
mod table;
mod vector;

#[cfg(all(feature = "std", feature = "table"))]
pub use crate::wire::raw::widest::{Loop, in_wide_vectors};
pub use element::Element;
pub use f16::F16;
#[cfg(any(feature = "dynamic", feature = "serde"))]
pub(crate) use float::to_f32;
pub(crate) use table::with_numbers;
pub use table::{Number, NumberType, Numbers};
#[doc(hidden)]
pub use vector::{load_le, put_le, save_le};
