//! SDDS: the self-describing data sets of accelerators.

mod ascii;
mod file;
mod header;
mod lines;
mod page;
mod pages;
mod read;
mod round;
mod table;
mod text;
mod types;
mod value;
#[cfg(feature = "std")]
mod write;
mod x87;
mod x87_text;

pub use file::File;
#[cfg(feature = "std")]
pub use header::Beneath;
pub use header::{Array, Associate, Column, Header, HeaderError, Included, Parameter, Resolver};
pub use page::{Page, RowCount};
pub use pages::PageError;
pub use read::{Open, Reader};
pub use text::Text;
pub use types::{DataType, Mode};
pub use value::{ArrayValue, Elements, Value};
#[cfg(feature = "std")]
pub use write::Writer;
pub use x87::X87;
