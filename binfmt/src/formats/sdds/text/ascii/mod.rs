//! Pages as text.

mod grow;
mod lines;
mod number;
mod partly;
mod plain;
mod read;
mod token;
mod write;
mod x87;

pub(crate) use grow::{begin_page, count_again, count_at, is_over, more_rows, row_at, rows_at};
pub(crate) use lines::TextPlace;
pub(crate) use partly::Partly;
pub(crate) use read::{is_of_the_text, read_page};
#[cfg(feature = "table")]
pub(crate) use write::count;
pub(crate) use write::{check_pages, needs_an_end, write_head, write_page, write_rows};
