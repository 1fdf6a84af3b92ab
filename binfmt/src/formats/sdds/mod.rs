//! SDDS: the self-describing data sets of accelerators.

mod ascii;
mod file;
mod follow;
mod header;
mod lines;
mod pack;
mod page;
mod pages;
mod read;
mod round;
mod table;
mod text;
mod types;
mod value;
mod write;
mod x87;
mod x87_text;

pub use file::File;
pub use follow::{Follower, News};
pub use header::Beneath;
pub use header::{Array, Associate, Column, Header, HeaderError, Included, Parameter, Resolver};
pub use pack::{Compression, Packed, Unpacked};
pub use page::{Page, RowCount};
pub use pages::PageError;
pub use read::{Open, Reader};
pub use text::Text;
pub use types::{DataType, Mode};
pub use value::{ArrayValue, Elements, Value};
pub use write::Writer;
pub use x87::X87;
