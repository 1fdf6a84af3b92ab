//! Values of a fixed size. `int8` to `uint64`, `float` and `double` are the numbers themselves.

use crate::BinFormat;
use alloc::string::String;

/// `bool`: a byte. 0 is false and any other byte is true; 0 and 1 are written.
#[derive(BinFormat, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[binfmt(transparent)]
pub struct Bool(#[binfmt(bool_lax)] pub bool);

/// `char`: a byte, one character.
#[derive(BinFormat, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[binfmt(transparent)]
pub struct Char(pub u8);

/// `datetime`: 8 bytes, seconds since 1970-01-01.
#[derive(BinFormat, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[binfmt(le, transparent)]
pub struct Datetime(pub i64);

/// `datetimetz`: 16 bytes. A format has no names for the two numbers.
#[derive(BinFormat, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[binfmt(le)]
pub struct Datetimetz {
    /// What the clocks there show, in seconds since 1970-01-01.
    #[binfmt(rename = "0")]
    pub seconds: i64,
    /// How far these clocks are ahead of UTC, in seconds.
    #[binfmt(rename = "1")]
    pub offset: i64,
}

/// `string(N)`: N bytes, the text and zeros after it. A text of N bytes has no NUL.
#[derive(BinFormat, Clone, Debug, Default, PartialEq, Eq, Hash)]
#[binfmt(transparent)]
pub struct FixedText<const N: usize>(#[binfmt(count = N, nul)] pub String);

/// `binary(N)`, and a type of N bytes that a plugin registers.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[binfmt(transparent)]
pub struct FixedBinary<const N: usize>(pub [u8; N]);
