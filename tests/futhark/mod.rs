//! Values of Futhark in both forms, and inputs of entry points.

mod arguments;
mod fixtures;
mod refusals;
mod text;
