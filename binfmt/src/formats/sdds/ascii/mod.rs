//! Pages as text.

mod grow;
mod lines;
mod number;
mod read;
mod token;
mod write;
mod x87;

pub(super) use grow::{begin_page, count_again, count_at, more_rows, row_at};
pub(super) use lines::TextPlace;
pub(super) use read::read_page;
pub(super) use write::{can_be_without_pages, needs_an_end, no_page, write_page};
