//! Pages as text.

mod number;
mod token;

pub(super) use token::alone;
