//! What the derive makes, beside the bytes of its words: errors, memory, types of other crates, and code that is safe
//! whatever the user's own names are.

mod columns_memory;
mod crate_path;
mod errors;
mod forbid_unsafe;
mod number_types;
