//! Values of Futhark in both forms, and inputs of entry points.

mod arguments;
mod fixtures;
#[path = "../support/full.rs"]
mod full;
#[path = "../support/memory.rs"]
mod memory;
mod refusals;
mod text;
