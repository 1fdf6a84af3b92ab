//! What input may cost, and what is there to pay with: time, memory, stack, no heap at all.

mod depth;
mod growth;
mod heapless;
mod hostile;
mod huge_pages;
mod memory;
mod output;
#[path = "../support/mod.rs"]
mod support;
