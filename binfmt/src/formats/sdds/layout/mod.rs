//! What is in a binary page, and what a header defines.

pub(super) mod definition;
pub(super) mod describe;
mod named;
pub(super) mod page;
pub(super) mod table;
pub(super) mod text;
pub(super) mod types;
pub(super) mod value;
pub(super) mod x87;
