//! SDDS by pages: what a table of all rows does not show, and files made of pages.

mod header;
mod read;
mod write;

pub(crate) use read::Pages;
pub(crate) use write::sdds_write;
