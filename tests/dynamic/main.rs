//! Layouts that are known at run time: values and columns of them, beside the codec that the derive makes.

mod arguments;
mod columns;
#[path = "../support/composite.rs"]
mod composite;
#[path = "../support/full.rs"]
mod full;
#[path = "../support/memory.rs"]
mod memory;
mod numbers;
mod one_meaning;
#[path = "../support/random.rs"]
mod random;
mod random_layouts;
mod spans;
mod typed;
#[path = "../support/types.rs"]
mod types;
mod value;
mod value_memory;
#[path = "../support/wire.rs"]
mod wire;
