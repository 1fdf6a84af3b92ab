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
pub enum OutputStyle {
    /// Binary with nothing in between: what the server protocol's `store` and futhark-data write.
    Packed,
    /// Binary, each with a newline after it: what a compiled program prints with `-b`.
    Printed,
    /// Text, each with a newline after it: what a compiled program prints.
    Text,
}

impl OutputStyle {
    /// The form of the values.
    ///
    /// ```
    /// use binfmt::formats::futhark::{Form, OutputStyle};
    /// assert_eq!(OutputStyle::Printed.form(), Form::Binary);
    /// ```
    pub const fn form(self) -> Form {
        match self {
            OutputStyle::Packed | OutputStyle::Printed => Form::Binary,
            OutputStyle::Text => Form::Text,
        }
    }

    /// What is after each value.
    pub(crate) const fn end(self) -> &'static [u8] {
        match self {
            OutputStyle::Packed => b"",
            OutputStyle::Printed | OutputStyle::Text => b"\n",
        }
    }
}
