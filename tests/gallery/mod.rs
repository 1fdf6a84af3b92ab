//! The formats of `examples/gallery`: files of real software are read, written back byte for byte, and damaged.

#[path = "../../examples/gallery/formats.rs"]
mod formats;

mod anywhere;
mod kit;
mod machine;
