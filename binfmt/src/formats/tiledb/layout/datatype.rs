//! What a value is: the datatypes of format version 3 with their numbers, sizes and fill values.

use crate::BinFormat;
use core::fmt;

/// What one value of an attribute or dimension is.
///
/// The numbers on disk are in [`Datatype::code`]. A number that the format does not have is kept, so that a schema with
/// it can be shown; nothing can be read of such a type.
///
/// ```
/// use binfmt::formats::tiledb::{Datatype, Number};
/// let datatype: Datatype = binfmt::from_slice(&[18])?;
/// assert_eq!(datatype, Datatype::DatetimeYear);
/// assert_eq!((datatype.size(), datatype.number()), (Some(8), Some(Number::I64)));
/// assert_eq!(datatype.to_string(), "DATETIME_YEAR");
/// assert_eq!(binfmt::from_slice::<Datatype>(&[99])?, Datatype::Unknown(99));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[binfmt(tag(u8))]
#[non_exhaustive]
pub enum Datatype {
    /// 32-bit signed integer.
    #[binfmt(tag = 0)]
    Int32,
    /// 64-bit signed integer.
    #[binfmt(tag = 1)]
    Int64,
    /// 32-bit float.
    #[binfmt(tag = 2)]
    Float32,
    /// 64-bit float.
    #[binfmt(tag = 3)]
    Float64,
    /// A byte that is a character.
    #[binfmt(tag = 4)]
    Char,
    /// 8-bit signed integer.
    #[binfmt(tag = 5)]
    Int8,
    /// 8-bit unsigned integer.
    #[binfmt(tag = 6)]
    Uint8,
    /// 16-bit signed integer.
    #[binfmt(tag = 7)]
    Int16,
    /// 16-bit unsigned integer.
    #[binfmt(tag = 8)]
    Uint16,
    /// 32-bit unsigned integer.
    #[binfmt(tag = 9)]
    Uint32,
    /// 64-bit unsigned integer.
    #[binfmt(tag = 10)]
    Uint64,
    /// ASCII text; nothing checks it.
    #[binfmt(tag = 11)]
    StringAscii,
    /// UTF-8 text; nothing checks it.
    #[binfmt(tag = 12)]
    StringUtf8,
    /// UTF-16 text, 2 bytes a value.
    #[binfmt(tag = 13)]
    StringUtf16,
    /// UTF-32 text, 4 bytes a value.
    #[binfmt(tag = 14)]
    StringUtf32,
    /// UCS-2 text, 2 bytes a value.
    #[binfmt(tag = 15)]
    StringUcs2,
    /// UCS-4 text, 4 bytes a value.
    #[binfmt(tag = 16)]
    StringUcs4,
    /// A datatype byte and a value, in each cell; nothing checks it.
    #[binfmt(tag = 17)]
    Any,
    /// Years since 1970, 64-bit signed, as all that follow.
    #[binfmt(tag = 18)]
    DatetimeYear,
    /// Months.
    #[binfmt(tag = 19)]
    DatetimeMonth,
    /// Weeks.
    #[binfmt(tag = 20)]
    DatetimeWeek,
    /// Days.
    #[binfmt(tag = 21)]
    DatetimeDay,
    /// Hours.
    #[binfmt(tag = 22)]
    DatetimeHr,
    /// Minutes.
    #[binfmt(tag = 23)]
    DatetimeMin,
    /// Seconds.
    #[binfmt(tag = 24)]
    DatetimeSec,
    /// Milliseconds.
    #[binfmt(tag = 25)]
    DatetimeMs,
    /// Microseconds.
    #[binfmt(tag = 26)]
    DatetimeUs,
    /// Nanoseconds.
    #[binfmt(tag = 27)]
    DatetimeNs,
    /// Picoseconds.
    #[binfmt(tag = 28)]
    DatetimePs,
    /// Femtoseconds.
    #[binfmt(tag = 29)]
    DatetimeFs,
    /// Attoseconds.
    #[binfmt(tag = 30)]
    DatetimeAs,
    /// A number that format version 3 does not have.
    #[binfmt(other)]
    Unknown(u8),
}

/// The Rust type that holds the values of a [`Datatype`].
///
/// ```
/// use binfmt::formats::tiledb::Number;
/// assert_eq!(Number::U16.size(), 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Number {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Number {
    /// Bytes of one value.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::tiledb::Number::F64.size(), 8);
    /// ```
    pub const fn size(self) -> usize {
        match self {
            Number::I8 | Number::U8 => 1,
            Number::I16 | Number::U16 => 2,
            Number::I32 | Number::U32 | Number::F32 => 4,
            Number::I64 | Number::U64 | Number::F64 => 8,
        }
    }

    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Number::F32 | Number::F64)
    }
}

/// Every datatype with its name in TileDB's own programs, in the order of the numbers.
const NAMES: [(Datatype, &str); 31] = [
    (Datatype::Int32, "INT32"),
    (Datatype::Int64, "INT64"),
    (Datatype::Float32, "FLOAT32"),
    (Datatype::Float64, "FLOAT64"),
    (Datatype::Char, "CHAR"),
    (Datatype::Int8, "INT8"),
    (Datatype::Uint8, "UINT8"),
    (Datatype::Int16, "INT16"),
    (Datatype::Uint16, "UINT16"),
    (Datatype::Uint32, "UINT32"),
    (Datatype::Uint64, "UINT64"),
    (Datatype::StringAscii, "STRING_ASCII"),
    (Datatype::StringUtf8, "STRING_UTF8"),
    (Datatype::StringUtf16, "STRING_UTF16"),
    (Datatype::StringUtf32, "STRING_UTF32"),
    (Datatype::StringUcs2, "STRING_UCS2"),
    (Datatype::StringUcs4, "STRING_UCS4"),
    (Datatype::Any, "ANY"),
    (Datatype::DatetimeYear, "DATETIME_YEAR"),
    (Datatype::DatetimeMonth, "DATETIME_MONTH"),
    (Datatype::DatetimeWeek, "DATETIME_WEEK"),
    (Datatype::DatetimeDay, "DATETIME_DAY"),
    (Datatype::DatetimeHr, "DATETIME_HR"),
    (Datatype::DatetimeMin, "DATETIME_MIN"),
    (Datatype::DatetimeSec, "DATETIME_SEC"),
    (Datatype::DatetimeMs, "DATETIME_MS"),
    (Datatype::DatetimeUs, "DATETIME_US"),
    (Datatype::DatetimeNs, "DATETIME_NS"),
    (Datatype::DatetimePs, "DATETIME_PS"),
    (Datatype::DatetimeFs, "DATETIME_FS"),
    (Datatype::DatetimeAs, "DATETIME_AS"),
];

impl Datatype {
    /// The datatype of this name, such as `INT32`.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Datatype;
    /// assert_eq!(Datatype::named("STRING_UTF8"), Some(Datatype::StringUtf8));
    /// assert_eq!(Datatype::named("utf8"), None);
    /// ```
    pub fn named(name: &str) -> Option<Datatype> {
        NAMES.iter().find(|(_, n)| *n == name).map(|(datatype, _)| *datatype)
    }

    /// The number on disk.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Datatype;
    /// assert_eq!((Datatype::Uint64.code(), Datatype::Unknown(77).code()), (10, 77));
    /// ```
    pub fn code(self) -> u8 {
        match self {
            Datatype::Unknown(code) => code,
            known => NAMES.iter().position(|(datatype, _)| *datatype == known).unwrap_or(0) as u8,
        }
    }

    /// The Rust type of a value; `None` for an unknown number.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Datatype, Number};
    /// assert_eq!(Datatype::Char.number(), Some(Number::U8));
    /// ```
    pub const fn number(self) -> Option<Number> {
        use Datatype::*;
        Some(match self {
            Int8 => Number::I8,
            Char | Uint8 | StringAscii | StringUtf8 | Any => Number::U8,
            Int16 => Number::I16,
            Uint16 | StringUtf16 | StringUcs2 => Number::U16,
            Int32 => Number::I32,
            Uint32 | StringUtf32 | StringUcs4 => Number::U32,
            Uint64 => Number::U64,
            Float32 => Number::F32,
            Float64 => Number::F64,
            Unknown(_) => return None,
            // 64-bit integers and everything that counts time
            _ => Number::I64,
        })
    }

    /// Bytes of one value; `None` for an unknown number.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::tiledb::Datatype::StringUcs2.size(), Some(2));
    /// ```
    pub const fn size(self) -> Option<usize> {
        match self.number() {
            Some(number) => Some(number.size()),
            None => None,
        }
    }

    /// Whether values are characters, or bytes that are no numbers: text of any encoding, `CHAR` and `ANY`.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Datatype;
    /// assert!(Datatype::Char.is_text() && !Datatype::Uint8.is_text());
    /// ```
    pub const fn is_text(self) -> bool {
        matches!(self, Datatype::Char) || self.is_string()
    }

    /// The text types and `ANY`.
    pub(crate) const fn is_string(self) -> bool {
        use Datatype::*;
        matches!(self, StringAscii | StringUtf8 | StringUtf16 | StringUtf32 | StringUcs2 | StringUcs4 | Any)
    }

    /// Whether values count something: integers and times, which the dimensions of dense arrays are.
    pub(crate) fn is_integer(self) -> bool {
        self.number().is_some_and(|number| !number.is_float()) && !self.is_text()
    }

    /// The eight types of integers: times are none to filters, although they are stored as such.
    pub(crate) const fn is_plain_integer(self) -> bool {
        use Datatype::*;
        matches!(self, Int8 | Uint8 | Int16 | Uint16 | Int32 | Uint32 | Int64 | Uint64)
    }

    /// What a cell holds that was never written, little-endian; empty for an unknown number.
    ///
    /// The smallest value of signed integers and times, the largest of unsigned ones, a quiet NaN, 0x80 for `CHAR`, 0
    /// for text and `ANY`.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Datatype;
    /// assert_eq!(Datatype::Int16.fill(), i16::MIN.to_le_bytes());
    /// assert_eq!(Datatype::Char.fill(), [0x80]);
    /// ```
    pub const fn fill(self) -> &'static [u8] {
        match self {
            Datatype::Char => &[0x80],
            _ if self.is_string() => match self.size() {
                Some(4) => &[0; 4],
                Some(2) => &[0; 2],
                _ => &[0],
            },
            _ => match self.number() {
                None => &[],
                Some(Number::I8) => &[0x80],
                Some(Number::I16) => &[0, 0x80],
                Some(Number::I32) => &[0, 0, 0, 0x80],
                Some(Number::I64) => &[0, 0, 0, 0, 0, 0, 0, 0x80],
                Some(Number::U8) => &[0xff],
                Some(Number::U16) => &[0xff; 2],
                Some(Number::U32) => &[0xff; 4],
                Some(Number::U64) => &[0xff; 8],
                Some(Number::F32) => &[0, 0, 0xc0, 0x7f],
                Some(Number::F64) => &[0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
            },
        }
    }
}

/// The name in TileDB's own programs.
impl fmt::Display for Datatype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.iter().find(|(datatype, _)| datatype == self) {
            Some((_, name)) => f.write_str(name),
            None => write!(f, "unknown datatype {}", self.code()),
        }
    }
}
