//! Schemas and cells in JSON.

mod cells;
mod numbers;
mod schema;

pub use cells::{FragmentContent, FragmentSeed};
