//! Values as arrays, of this crate and of others.

mod array;
#[cfg(feature = "ndarray")]
mod ndarrays;
