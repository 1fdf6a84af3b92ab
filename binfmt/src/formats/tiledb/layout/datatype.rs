//! What a value is: the datatypes of format version 3 with their numbers, sizes and fill values.

use crate::BinFormat;
use crate::codec::{Decode, Encode};
use crate::containers::tag::no_variant;
use crate::error::Result;
use crate::numbers::{Number, NumberType};
use crate::wire::amount::known;
use crate::wire::{Order, Sink, Source};
use core::fmt;

/// What one value of an attribute or dimension is.
///
/// The numbers on disk are in [`Datatype::code`]. A number that the format does not have is kept, so that a schema with
/// it can be shown; nothing can be read of such a type.
///
/// ```
/// use binfmt::formats::tiledb::{Datatype, NumberType};
/// let datatype: Datatype = binfmt::from_slice(&[18])?;
/// assert_eq!(datatype, Datatype::DatetimeYear);
/// assert_eq!((datatype.size(), datatype.number_type()), (Some(8), Some(NumberType::I64)));
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
            datatype => known(NAMES.iter().position(|(other, _)| *other == datatype)) as u8,
        }
    }

    /// The Rust type of a value; `None` for an unknown number.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Datatype, NumberType};
    /// assert_eq!(Datatype::Char.number_type(), Some(NumberType::U8));
    /// ```
    pub const fn number_type(self) -> Option<NumberType> {
        use Datatype::*;
        Some(match self {
            Int8 => NumberType::I8,
            Char | Uint8 | StringAscii | StringUtf8 | Any => NumberType::U8,
            Int16 => NumberType::I16,
            Uint16 | StringUtf16 | StringUcs2 => NumberType::U16,
            Int32 => NumberType::I32,
            Uint32 | StringUtf32 | StringUcs4 => NumberType::U32,
            Uint64 => NumberType::U64,
            Float32 => NumberType::F32,
            Float64 => NumberType::F64,
            Unknown(_) => return None,
            // 64-bit integers and everything that counts time
            _ => NumberType::I64,
        })
    }

    /// Bytes of one value; `None` for an unknown number.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::tiledb::Datatype::StringUcs2.size(), Some(2));
    /// ```
    pub const fn size(self) -> Option<usize> {
        match self.number_type() {
            Some(number) => Some(number.size()),
            None => None,
        }
    }

    /// Whether values are characters, or bytes that are not numbers: text of any encoding, `CHAR` and `ANY`.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Datatype;
    /// assert!(Datatype::Char.is_text() && !Datatype::Uint8.is_text());
    /// ```
    pub const fn is_text(self) -> bool {
        matches!(self, Datatype::Char) || self.is_string()
    }

    /// Whether cells of any number of values are texts, a byte each: `CHAR`, ASCII and UTF-8.
    ///
    /// ```
    /// use binfmt::formats::tiledb::Datatype;
    /// assert!(Datatype::Char.is_byte_text() && !Datatype::StringUtf16.is_byte_text());
    /// ```
    pub const fn is_byte_text(self) -> bool {
        matches!(self, Datatype::Char | Datatype::StringAscii | Datatype::StringUtf8)
    }

    /// The text types and `ANY`.
    pub(crate) const fn is_string(self) -> bool {
        use Datatype::*;
        matches!(self, StringAscii | StringUtf8 | StringUtf16 | StringUtf32 | StringUcs2 | StringUcs4 | Any)
    }

    /// Whether values count something: integers and times, which the dimensions of dense arrays are.
    pub(crate) fn is_integer(self) -> bool {
        self.number_type().is_some_and(|number| !number.is_float()) && !self.is_text()
    }

    /// The eight types of integers: to filters times are not integers, although they are stored as such.
    pub(crate) const fn is_plain_integer(self) -> bool {
        use Datatype::*;
        matches!(self, Int8 | Uint8 | Int16 | Uint16 | Int32 | Uint32 | Int64 | Uint64)
    }

    /// What a cell contains that was never written, little-endian; empty for an unknown number.
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
            _ => match self.number_type() {
                None => &[],
                Some(NumberType::I8) => &[0x80],
                Some(NumberType::I16) => &[0, 0x80],
                Some(NumberType::I32) => &[0, 0, 0, 0x80],
                Some(NumberType::I64) => &[0, 0, 0, 0, 0, 0, 0, 0x80],
                Some(NumberType::U8) => &[0xff],
                Some(NumberType::U16) => &[0xff; 2],
                Some(NumberType::U32) => &[0xff; 4],
                Some(NumberType::U64) => &[0xff; 8],
                Some(NumberType::F32) => &[0, 0, 0xc0, 0x7f],
                Some(NumberType::F64) => &[0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
                Some(_) => &[],
            },
        }
    }
}

/// A number of a datatype.
impl<'de> Decode<'de, Datatype> for Number {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, datatype: Datatype) -> Result<Self> {
        match datatype.number_type() {
            Some(kind) => Number::decode::<O, _>(src, kind),
            None => Err(no_variant(src.pos(), "Number", &format_args!("{datatype}"))),
        }
    }
}

impl Encode<Datatype> for Number {
    fn encode<O: Order, W: Sink>(&self, out: &mut W, datatype: Datatype) -> Result<()> {
        match datatype.number_type() {
            Some(kind) => self.encode::<O, W>(out, kind),
            None => Err(no_variant(out.pos(), "Number", &format_args!("{datatype}"))),
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
