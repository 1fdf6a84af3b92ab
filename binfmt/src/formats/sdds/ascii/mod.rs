//! Pages as text.

mod number;
mod read;
mod token;
mod write;

pub(super) use read::{Place, read_page};
pub(super) use token::alone;
pub(super) use write::{is_invisible, write_page};
