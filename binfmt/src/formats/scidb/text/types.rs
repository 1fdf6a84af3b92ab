//! The types of SciDB values and how many bytes each takes in a binary load file.

use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::{fmt, num::NonZeroU32, str::FromStr};

use super::error::{TextError, TextErrorKind, TextKind};
use super::scan::Token;
use crate::numbers::NumberType;
use crate::wire::amount::known;

/// The type of a SciDB attribute.
///
/// The 16 built-in types are those that SciDB 19.11 registers for users; their names are case-sensitive.
///
/// ```
/// use binfmt::formats::scidb::ScidbType;
///
/// let ty: ScidbType = "datetimetz".parse().unwrap();
/// assert_eq!(ty, ScidbType::Datetimetz);
/// assert_eq!(ty.wire_size(), Some(16));
/// assert_eq!(
///     "INT64".parse::<ScidbType>().unwrap_err().to_string(),
///     "SciDB type, byte 0: unknown type `INT64`, did you mean `int64`?"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ScidbType {
    /// `bool`, 1 byte: 0 or 1.
    Bool,
    /// `char`, 1 byte: one character.
    Char,
    /// `int8`, 1 byte.
    Int8,
    /// `int16`, 2 bytes.
    Int16,
    /// `int32`, 4 bytes.
    Int32,
    /// `int64`, 8 bytes.
    Int64,
    /// `uint8`, 1 byte.
    Uint8,
    /// `uint16`, 2 bytes.
    Uint16,
    /// `uint32`, 4 bytes.
    Uint32,
    /// `uint64`, 8 bytes.
    Uint64,
    /// `float`, 4 bytes, IEEE 754.
    Float,
    /// `double`, 8 bytes, IEEE 754.
    Double,
    /// `datetime`, 8 bytes: seconds since 1970-01-01 as a signed number.
    Datetime,
    /// `datetimetz`, 16 bytes: seconds of the local wall clock since 1970-01-01, then the offset from UTC in seconds.
    Datetimetz,
    /// `string`, of any length: its bytes end with a NUL that the length counts.
    String,
    /// `binary`, of any length: raw bytes.
    Binary,
    /// A type that a SciDB plugin registers.
    User(UserType),
}

impl ScidbType {
    /// Every built-in type.
    pub const BUILT_IN: &'static [ScidbType] = &[
        ScidbType::Bool,
        ScidbType::Char,
        ScidbType::Int8,
        ScidbType::Int16,
        ScidbType::Int32,
        ScidbType::Int64,
        ScidbType::Uint8,
        ScidbType::Uint16,
        ScidbType::Uint32,
        ScidbType::Uint64,
        ScidbType::Float,
        ScidbType::Double,
        ScidbType::Datetime,
        ScidbType::Datetimetz,
        ScidbType::String,
        ScidbType::Binary,
    ];

    /// The name in format strings and schemas.
    ///
    /// ```
    /// use binfmt::formats::scidb::ScidbType;
    ///
    /// assert_eq!(ScidbType::Uint16.name(), "uint16");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            ScidbType::Bool => "bool",
            ScidbType::Char => "char",
            ScidbType::Int8 => "int8",
            ScidbType::Int16 => "int16",
            ScidbType::Int32 => "int32",
            ScidbType::Int64 => "int64",
            ScidbType::Uint8 => "uint8",
            ScidbType::Uint16 => "uint16",
            ScidbType::Uint32 => "uint32",
            ScidbType::Uint64 => "uint64",
            ScidbType::Float => "float",
            ScidbType::Double => "double",
            ScidbType::Datetime => "datetime",
            ScidbType::Datetimetz => "datetimetz",
            ScidbType::String => "string",
            ScidbType::Binary => "binary",
            ScidbType::User(user) => &user.name,
        }
    }

    /// The number that a value is; `None` for text, for a plugin's type, and for `datetimetz`, which is two.
    ///
    /// ```
    /// use binfmt::{formats::scidb::ScidbType, numbers::NumberType};
    /// assert_eq!(ScidbType::Datetime.number_type(), Some(NumberType::I64));
    /// assert_eq!(ScidbType::String.number_type(), None);
    /// ```
    #[must_use]
    pub fn number_type(&self) -> Option<NumberType> {
        Some(match self {
            ScidbType::Bool => NumberType::Bool,
            ScidbType::Int8 => NumberType::I8,
            ScidbType::Int16 => NumberType::I16,
            ScidbType::Int32 => NumberType::I32,
            ScidbType::Int64 | ScidbType::Datetime => NumberType::I64,
            ScidbType::Char | ScidbType::Uint8 => NumberType::U8,
            ScidbType::Uint16 => NumberType::U16,
            ScidbType::Uint32 => NumberType::U32,
            ScidbType::Uint64 => NumberType::U64,
            ScidbType::Float => NumberType::F32,
            ScidbType::Double => NumberType::F64,
            ScidbType::Datetimetz | ScidbType::String | ScidbType::Binary | ScidbType::User(_) => {
                return None;
            }
        })
    }

    /// Bytes of a value in a file, without the byte of a nullable column; `None` for a type of any length.
    ///
    /// SciDB counts types in bits and a file in whole bytes: `bool` is one bit and takes a byte.
    ///
    /// ```
    /// use binfmt::formats::scidb::ScidbType;
    ///
    /// assert_eq!(ScidbType::Bool.wire_size(), Some(1));
    /// assert_eq!(ScidbType::Double.wire_size(), Some(8));
    /// assert_eq!(ScidbType::String.wire_size(), None);
    /// ```
    #[must_use]
    pub fn wire_size(&self) -> Option<usize> {
        Some(match self {
            ScidbType::Datetimetz => 16,
            ScidbType::User(user) => return user.size.and_then(|n| usize::try_from(n.get()).ok()),
            number => number.number_type()?.size(),
        })
    }

    /// Whether values have any length, so that the file tells the length of each.
    ///
    /// ```
    /// use binfmt::formats::scidb::ScidbType;
    ///
    /// assert!(ScidbType::Binary.is_variable());
    /// assert!(!ScidbType::Char.is_variable());
    /// ```
    #[must_use]
    pub fn is_variable(&self) -> bool {
        match self {
            ScidbType::String | ScidbType::Binary => true,
            ScidbType::User(user) => user.size.is_none(),
            _ => false,
        }
    }

    /// The type called `name` among the built-in ones and `user`.
    pub(super) fn find(name: &str, user: &[UserType]) -> Option<ScidbType> {
        let built_in = Self::BUILT_IN.iter().find(|ty| ty.name() == name).cloned();
        built_in.or_else(|| user.iter().find(|ty| ty.name == name).cloned().map(ScidbType::User))
    }

    /// The error for the unknown type name `token`.
    #[cold]
    pub(super) fn unknown(text: TextKind, token: &Token<'_>, name: &str, user: &[UserType]) -> TextError {
        let near = near(name, user, text == TextKind::Template);
        token.error(TextErrorKind::UnknownType { near }, text, "the name of a type")
    }
}

impl fmt::Display for ScidbType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Reads the name of a built-in type.
impl FromStr for ScidbType {
    type Err = TextError;

    fn from_str(name: &str) -> Result<Self, TextError> {
        Self::find(name, &[]).ok_or_else(|| Self::unknown(TextKind::Type, &Token::whole(name), name, &[]))
    }
}

/// A type that a SciDB plugin registers: its name, and its size because no text tells it.
///
/// Pass those that a text may name to [`Template::parse_with`](super::Template::parse_with) or
/// [`AflSchema::parse_with`](super::AflSchema::parse_with). A text with such types cannot be read where no list of them
/// can be given: by [`str::parse`] and by `serde`.
///
/// ```
/// use binfmt::formats::scidb::{ScidbType, Template, UserType};
///
/// let point = UserType::fixed("point", 16).unwrap();
/// let template = Template::parse_with("(point null, int8)", &[point.clone()]).unwrap();
/// assert_eq!(template.attributes().next().unwrap().ty(), Some(&ScidbType::User(point)));
/// assert_eq!(template.cell_len().exact(), Some(18));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UserType {
    name: String,
    size: Option<NonZeroU32>,
}

impl UserType {
    /// A type whose values take `size` bytes each.
    ///
    /// # Errors
    ///
    /// A name that no text could hold (a letter, then letters, digits and `_`), one that is taken, or a size of 0.
    ///
    /// ```
    /// use binfmt::formats::scidb::UserType;
    ///
    /// assert_eq!(UserType::fixed("rational", 16).unwrap().size(), Some(16));
    /// assert!(UserType::fixed("int64", 8).is_err());
    /// ```
    pub fn fixed(name: &str, size: u32) -> Result<Self, TextError> {
        let size = NonZeroU32::new(size).ok_or_else(|| {
            Token::whole(name).error(TextErrorKind::ZeroSize, TextKind::Name, "1 byte or more")
        })?;
        Self::checked(name, Some(size))
    }

    /// A type whose values have any length.
    ///
    /// # Errors
    ///
    /// A name that no text could hold (a letter, then letters, digits and `_`), or one that is taken.
    ///
    /// ```
    /// use binfmt::formats::scidb::UserType;
    ///
    /// assert_eq!(UserType::variable("json").unwrap().size(), None);
    /// ```
    pub fn variable(name: &str) -> Result<Self, TextError> {
        Self::checked(name, None)
    }

    /// Types as people list them: `rational=16` has 16 bytes, `polygon` any number of them.
    ///
    /// # Errors
    ///
    /// A name that is not one or is taken, or a size that is not a number of bytes.
    ///
    /// ```
    /// use binfmt::formats::scidb::UserType;
    ///
    /// let types = UserType::listed(["rational=16", "polygon"]).unwrap();
    /// assert_eq!((types[0].size(), types[1].size()), (Some(16), None));
    /// assert_eq!(UserType::listed(["rational=x"]).unwrap_err(), "`rational=x`: expected a name, or a name and its bytes such as `rational=16`");
    /// ```
    pub fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Vec<Self>, String> {
        let one = |word: &str| match word.split_once('=') {
            None => Self::variable(word.trim()).map_err(|e| e.to_string()),
            Some((name, size)) => match size.trim().parse() {
                Ok(size) => Self::fixed(name.trim(), size).map_err(|e| e.to_string()),
                Err(_) => {
                    let expected = "expected a name, or a name and its bytes such as `rational=16`";
                    Err(format!("`{word}`: {expected}"))
                }
            },
        };
        words.into_iter().map(one).collect()
    }

    /// The name of the type.
    ///
    /// ```
    /// use binfmt::formats::scidb::UserType;
    ///
    /// assert_eq!(UserType::fixed("complex", 16).unwrap().name(), "complex");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of each value; `None` for a type of any length.
    ///
    /// ```
    /// use binfmt::formats::scidb::UserType;
    ///
    /// assert_eq!(UserType::fixed("complex", 16).unwrap().size(), Some(16));
    /// ```
    #[must_use]
    pub fn size(&self) -> Option<u32> {
        self.size.map(NonZeroU32::get)
    }

    fn checked(name: &str, size: Option<NonZeroU32>) -> Result<Self, TextError> {
        let bytes = name.as_bytes();
        let shaped = bytes.first().is_some_and(u8::is_ascii_alphabetic)
            && bytes.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let expected = if !shaped {
            "a letter, then letters, digits and `_`"
        } else if ScidbType::find(name, &[]).is_some() {
            "a name that is not a built-in type's"
        } else if name.eq_ignore_ascii_case("skip") || name.eq_ignore_ascii_case("null") {
            "a name that is not a keyword"
        } else {
            return Ok(UserType { name: name.to_owned(), size });
        };
        Err(Token::whole(name).error(TextErrorKind::BadName, TextKind::Name, expected))
    }
}

/// Names that other software gives to SciDB's types.
const FOREIGN: &[(&str, &str)] = &[
    ("blob", "binary"),
    ("boolean", "bool"),
    ("byte", "uint8"),
    ("bytes", "binary"),
    ("f32", "float"),
    ("f64", "double"),
    ("float32", "float"),
    ("float64", "double"),
    ("i16", "int16"),
    ("i32", "int32"),
    ("i64", "int64"),
    ("i8", "int8"),
    ("int", "int32"),
    ("integer", "int32"),
    ("long", "int64"),
    ("real", "double"),
    ("short", "int16"),
    ("str", "string"),
    ("text", "string"),
    ("timestamp", "datetime"),
    ("timestamptz", "datetimetz"),
    ("u16", "uint16"),
    ("u32", "uint32"),
    ("u64", "uint64"),
    ("u8", "uint8"),
    ("uint", "uint32"),
    ("utf8", "string"),
    ("varchar", "string"),
];

/// Known names that resemble `name`, best first, at most three.
fn near(name: &str, user: &[UserType], skip: bool) -> Vec<String> {
    /// Longer words are not slips of the pen.
    const LONGEST: usize = 24;
    const SHOWN: usize = 3;
    if name.len() > LONGEST {
        return Vec::new();
    }
    if let Some((_, ours)) = FOREIGN.iter().find(|(foreign, _)| foreign.eq_ignore_ascii_case(name)) {
        return [(*ours).to_owned()].into();
    }
    let known = ScidbType::BUILT_IN.iter().map(ScidbType::name).chain(user.iter().map(|ty| ty.name.as_str()));
    let mut found: Vec<(usize, &str)> = known
        .chain(skip.then_some("skip"))
        .map(|known| (distance(name, known), known))
        .filter(|(d, known)| *d <= (known.len() / 3).max(1))
        .collect();
    found.sort_by_key(|(d, _)| *d);
    // A name that differs only in case is what was meant; its neighbours would be noise.
    let best = found.first().map_or(0, |(d, _)| *d);
    found.iter().filter(|(d, _)| *d == best).take(SHOWN).map(|(_, known)| (*known).to_owned()).collect()
}

/// The number of letters to insert, delete or replace that turns one word into the other, case aside.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (cell, y) in row.iter_mut().skip(1).zip(b.bytes()) {
            let replaced = diagonal + usize::from(!x.eq_ignore_ascii_case(&y));
            diagonal = *cell;
            left = replaced.min(diagonal + 1).min(left + 1);
            *cell = left;
        }
    }
    known(row.last().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_name_is_read_back() {
        for ty in ScidbType::BUILT_IN {
            assert_eq!(ScidbType::find(ty.name(), &[]).as_ref(), Some(ty));
            assert_eq!(ty.is_variable(), ty.wire_size().is_none());
        }
    }

    #[test]
    fn near_names() {
        for (name, best) in [("INT64", "int64"), ("sting", "string"), ("text", "string"), ("skp", "skip")] {
            assert_eq!(near(name, &[], true), [best]);
        }
        assert_eq!(near("int9", &[], true), ["int8"]);
        assert!(near("elephant", &[], true).is_empty());
        assert!(near(&"a".repeat(1000), &[], true).is_empty());
        let json = [UserType::variable("json").unwrap()];
        assert_eq!(near("jsn", &json, false), ["json"]);
    }

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("Kitten", "sitting"), 3);
    }

    #[test]
    fn names_of_user_types() {
        for bad in ["", "1a", "_a", "a b", "ä", "string", "skip", "SKIP", "null"] {
            assert!(UserType::variable(bad).is_err(), "{bad}");
        }
        assert!(UserType::fixed("a", 0).is_err());
    }
}
