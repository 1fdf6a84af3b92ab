//! Values one after the other, and the fields of a struct as the input of a program.

mod arguments;
mod values;

pub use arguments::write_arguments;
#[cfg(feature = "std")]
pub use arguments::write_arguments_to;
#[cfg(feature = "std")]
pub use values::Writer;
pub use values::write;
