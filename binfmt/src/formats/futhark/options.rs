//! How values are in a stream, and how they are written.

/// How a value is in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `b`, a header, and the elements.
    Binary,
    /// Text.
    Text,
}

/// How values are written one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// Binary with nothing in between: what the server protocol's `store` and futhark-data write.
    Packed,
    /// Binary, each with a newline after it: what a compiled program prints with `-b`.
    Printed,
    /// Text, each with a newline after it: what a compiled program prints.
    Text,
}

impl Style {
    /// The form of the values.
    ///
    /// ```
    /// use binfmt::formats::futhark::{Form, Style};
    /// assert_eq!(Style::Printed.form(), Form::Binary);
    /// ```
    pub const fn form(self) -> Form {
        match self {
            Style::Packed | Style::Printed => Form::Binary,
            Style::Text => Form::Text,
        }
    }

    /// What is after each value.
    pub(crate) const fn end(self) -> &'static [u8] {
        match self {
            Style::Packed => b"",
            Style::Printed | Style::Text => b"\n",
        }
    }
}
