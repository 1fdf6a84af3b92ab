//! The words of a header: types of data, modes.

use crate::numbers::NumberType;
use core::fmt;

/// The eleven types of data.
///
/// ```
/// use binfmt::formats::sdds::DataType;
/// assert_eq!(DataType::named("ulong64"), Some(DataType::ULong64));
/// assert_eq!(DataType::ULong64.name(), "ulong64");
/// assert_eq!(DataType::ULong64.size(), Some(8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataType {
    /// 16 bits, signed.
    Short,
    /// 16 bits, unsigned.
    UShort,
    /// 32 bits, signed, on every machine.
    Long,
    /// 32 bits, unsigned.
    ULong,
    /// 64 bits, signed.
    Long64,
    /// 64 bits, unsigned.
    ULong64,
    /// IEEE 754, 32 bits.
    Float,
    /// IEEE 754, 64 bits.
    Double,
    /// The x87's 80 bits in 16 bytes.
    LongDouble,
    /// Bytes of any number.
    String,
    /// One byte.
    Character,
}

impl DataType {
    /// All of them.
    pub const ALL: [DataType; 11] = [
        DataType::Short,
        DataType::UShort,
        DataType::Long,
        DataType::ULong,
        DataType::Long64,
        DataType::ULong64,
        DataType::Float,
        DataType::Double,
        DataType::LongDouble,
        DataType::String,
        DataType::Character,
    ];

    /// The type of this name; the case counts.
    ///
    /// ```
    /// use binfmt::formats::sdds::DataType;
    /// assert_eq!(DataType::named("double"), Some(DataType::Double));
    /// assert_eq!(DataType::named("DOUBLE"), None);
    /// ```
    pub fn named(name: &str) -> Option<DataType> {
        DataType::ALL.into_iter().find(|t| t.name() == name)
    }

    /// The type that a name of CERN's dialect stands for: its control system writes types of its own, which the official
    /// library does not read. `boolean` and `char` are a byte.
    ///
    /// ```
    /// use binfmt::formats::sdds::DataType;
    /// assert_eq!(DataType::of_dialect("llong"), Some(DataType::Long64));
    /// assert_eq!(DataType::of_dialect("boolean"), Some(DataType::Character));
    /// assert_eq!(DataType::of_dialect("long64"), None);
    /// ```
    pub fn of_dialect(name: &str) -> Option<DataType> {
        match name {
            "llong" => Some(DataType::Long64),
            "boolean" | "char" => Some(DataType::Character),
            _ => None,
        }
    }

    /// The name in a header.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::DataType::Long.name(), "long");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            DataType::Short => "short",
            DataType::UShort => "ushort",
            DataType::Long => "long",
            DataType::ULong => "ulong",
            DataType::Long64 => "long64",
            DataType::ULong64 => "ulong64",
            DataType::Float => "float",
            DataType::Double => "double",
            DataType::LongDouble => "longdouble",
            DataType::String => "string",
            DataType::Character => "character",
        }
    }

    /// Bytes of a value in a binary page; `None` for a string, which has its length in front.
    ///
    /// ```
    /// use binfmt::formats::sdds::DataType;
    /// assert_eq!(DataType::LongDouble.size(), Some(16));
    /// assert_eq!(DataType::String.size(), None);
    /// ```
    pub const fn size(self) -> Option<usize> {
        match self.number_type() {
            Some(kind) => Some(kind.size()),
            None if matches!(self, DataType::LongDouble) => Some(16),
            None => None,
        }
    }

    /// The number that it is; `None` for `string`, and for `longdouble`, which has a type of its own.
    ///
    /// ```
    /// use binfmt::{formats::sdds::DataType, numbers::NumberType};
    /// assert_eq!(DataType::Long.number_type(), Some(NumberType::I32));
    /// assert_eq!(DataType::Character.number_type(), Some(NumberType::U8));
    /// ```
    pub const fn number_type(self) -> Option<NumberType> {
        Some(match self {
            DataType::Short => NumberType::I16,
            DataType::UShort => NumberType::U16,
            DataType::Long => NumberType::I32,
            DataType::ULong => NumberType::U32,
            DataType::Long64 => NumberType::I64,
            DataType::ULong64 => NumberType::U64,
            DataType::Float => NumberType::F32,
            DataType::Double => NumberType::F64,
            DataType::Character => NumberType::U8,
            DataType::LongDouble | DataType::String => return None,
        })
    }

    /// The type of a number; `None` for those that SDDS has not.
    ///
    /// ```
    /// use binfmt::{formats::sdds::DataType, numbers::NumberType};
    /// assert_eq!(DataType::of_number(NumberType::F32), Some(DataType::Float));
    /// assert_eq!(DataType::of_number(NumberType::I8), None);
    /// ```
    pub fn of_number(kind: NumberType) -> Option<DataType> {
        DataType::ALL.into_iter().find(|t| t.number_type() == Some(kind))
    }

    /// The fewest bytes that a value takes in a binary page.
    pub(crate) const fn min_size(self) -> usize {
        match self.size() {
            Some(n) => n,
            None => 4,
        }
    }

    /// The lowest version of the format that has the type.
    pub(crate) const fn version(self) -> u8 {
        match self {
            DataType::UShort | DataType::ULong => 2,
            DataType::LongDouble => 4,
            DataType::Long64 | DataType::ULong64 => 5,
            _ => 1,
        }
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How the pages are written.
///
/// ```
/// assert_eq!(binfmt::formats::sdds::Mode::Ascii.name(), "ascii");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// As bytes.
    Binary,
    /// As text.
    Ascii,
}

impl Mode {
    /// The name in a header.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::Mode::Binary.name(), "binary");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Binary => "binary",
            Mode::Ascii => "ascii",
        }
    }
}
