//! SDDS: the self-describing data sets of accelerators.

mod ascii;
mod header;
mod lines;
mod round;
mod text;
mod types;
mod value;
mod x87;
mod x87_text;

#[cfg(feature = "std")]
pub use header::Beneath;
pub use header::{Array, Associate, Column, Header, HeaderError, Included, Parameter, Resolver};
pub use text::Text;
pub use types::{DataType, Mode};
pub use value::{ArrayValue, Elements, Value};
pub use x87::X87;
