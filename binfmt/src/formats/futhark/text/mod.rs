//! The text form: tokens, numbers, values, and what compiled programs print.

mod float;
pub(super) mod number;
pub(super) mod parse;
#[cfg(feature = "std")]
pub(super) mod passed;
pub(super) mod print;
mod scan;
