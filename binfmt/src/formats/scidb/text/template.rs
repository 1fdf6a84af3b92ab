//! Format strings: what the fields of a binary load file are, in order.
//!
//! ```text
//! format := '(' column (',' column)* ')' | 'opaque'
//! column := type ['(' n ')'] ['null'] | 'skip' ['(' n ')'] ['null']
//! ```
//!
//! The rules are those of `TemplateParser` in SciDB 19.11, observed:
//!
//! * Spaces (C's `isspace`) are free between tokens. `skip`, `null` and `opaque` are read in any case, names of types
//!   are not.
//! * A column is **not** nullable unless it says `null`, the reverse of a schema's attribute; `not null` is an error.
//! * `string(n)` and `binary(n)` take n bytes and have no length before them. On another type `(n)` is an error.
//! * Attributes are named nowhere in a format string, only their order counts.
//!
//! One difference: SciDB reads a number modulo 2³², so `string(4294967297)` is a `string(1)` to it. Here a number
//! above [`TemplateColumn::MAX_SIZE`] is an error.

use alloc::vec::Vec;
use core::{fmt, num::NonZeroU32, ops::Add, str::FromStr};

use super::error::{TextError, TextErrorKind, TextKind};
use super::scan::{Lexeme, Scanner};
use super::types::{ScidbType, UserType};

/// What is in every cell of a file: a format string, read.
///
/// Displays as the canonical text, which reads back as the same template.
///
/// ```
/// use binfmt::formats::scidb::Template;
///
/// let template: Template = "( int64,SKIP(4),  string NULL )".parse().unwrap();
/// assert_eq!(template.to_string(), "(int64, skip(4), string null)");
/// assert_eq!(template.columns().unwrap().len(), 3);
/// assert_eq!(template.attributes().count(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Template(Form);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// One or more.
    Columns(Vec<TemplateColumn>),
    Opaque,
}

impl Template {
    /// The format `opaque`: a dump of SciDB's own chunks, which has no columns.
    pub const OPAQUE: Template = Template(Form::Opaque);

    /// A template of these columns; `None` without any.
    ///
    /// ```
    /// use binfmt::formats::scidb::{TemplateColumn, ScidbType, Template};
    ///
    /// let template = Template::new([TemplateColumn::new(ScidbType::Int8), TemplateColumn::new(ScidbType::Binary).nullable()]);
    /// assert_eq!(template.unwrap().to_string(), "(int8, binary null)");
    /// assert_eq!(Template::new([]), None);
    /// ```
    #[must_use]
    pub fn new(columns: impl IntoIterator<Item = TemplateColumn>) -> Option<Self> {
        let columns: Vec<TemplateColumn> = columns.into_iter().collect();
        (!columns.is_empty()).then_some(Template(Form::Columns(columns)))
    }

    /// Reads a format string that may name the types of `user` too.
    ///
    /// # Errors
    ///
    /// [`TextError`], with the byte where the text is wrong.
    ///
    /// ```
    /// use binfmt::formats::scidb::{Template, UserType};
    ///
    /// let types = [UserType::fixed("rational", 16).unwrap()];
    /// assert!(Template::parse_with("(rational null)", &types).is_ok());
    /// assert!(Template::parse_with("(rational null)", &[]).is_err());
    /// ```
    pub fn parse_with(text: &str, user: &[UserType]) -> Result<Self, TextError> {
        let mut scanner = Scanner::new(text, TextKind::Template);
        let template = if scanner.take_mark('(') {
            let mut columns = Vec::new();
            loop {
                columns.push(TemplateColumn::parse(&mut scanner, user)?);
                if scanner.take_mark(')') {
                    break;
                }
                let expected = match columns.last() {
                    Some(c) if c.nullable => "`,` or `)`",
                    Some(c) if c.size.is_some() || !c.may_have_size() => "`null`, `,` or `)`",
                    _ => "`(`, `null`, `,` or `)`",
                };
                scanner.require(',', expected)?;
            }
            Template(Form::Columns(columns))
        } else if scanner.take_word("opaque") {
            Template::OPAQUE
        } else {
            return Err(scanner.unexpected("`(` or `opaque`"));
        };
        if scanner.next.kind == Lexeme::End {
            Ok(template)
        } else {
            Err(scanner.unexpected("the end of the text"))
        }
    }

    /// The columns, of which there is at least one; `None` for [`OPAQUE`](Self::OPAQUE).
    ///
    /// ```
    /// use binfmt::formats::scidb::Template;
    ///
    /// let template: Template = "(skip, int8)".parse().unwrap();
    /// assert!(template.columns().unwrap()[0].is_skip());
    /// assert_eq!(Template::OPAQUE.columns(), None);
    /// ```
    #[must_use]
    pub fn columns(&self) -> Option<&[TemplateColumn]> {
        match &self.0 {
            Form::Columns(columns) => Some(columns),
            Form::Opaque => None,
        }
    }

    /// The columns that contain an attribute: all but `skip`. Empty for [`OPAQUE`](Self::OPAQUE).
    ///
    /// ```
    /// use binfmt::formats::scidb::{ScidbType, Template};
    ///
    /// let template: Template = "(skip(3), int8, skip, float null)".parse().unwrap();
    /// let types: Vec<_> = template.attributes().filter_map(|c| c.ty()).collect();
    /// assert_eq!(types, [&ScidbType::Int8, &ScidbType::Float]);
    /// ```
    pub fn attributes(&self) -> impl Iterator<Item = &TemplateColumn> + '_ {
        self.columns().into_iter().flatten().filter(|column| !column.is_skip())
    }

    /// The number of bytes that a cell can take. Of [`OPAQUE`](Self::OPAQUE) nothing is known.
    ///
    /// ```
    /// use binfmt::formats::scidb::Template;
    ///
    /// let fixed: Template = "(int64, double null, string(10))".parse().unwrap();
    /// assert_eq!(fixed.cell_len().exact(), Some(8 + 9 + 10));
    /// let open: Template = "(int64, string null)".parse().unwrap();
    /// assert_eq!((open.cell_len().min(), open.cell_len().max()), (8 + 5, None));
    /// ```
    #[must_use]
    pub fn cell_len(&self) -> WireLen {
        match &self.0 {
            Form::Columns(columns) => {
                columns.iter().map(TemplateColumn::wire_len).fold(WireLen::ZERO, WireLen::add)
            }
            Form::Opaque => WireLen { min: 0, max: None },
        }
    }
}

/// Reads a format string whose types are built in.
impl FromStr for Template {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::parse_with(text, &[])
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(columns) = self.columns() else { return f.write_str("opaque") };
        for (i, column) in columns.iter().enumerate() {
            f.write_str(if i == 0 { "(" } else { ", " })?;
            fmt::Display::fmt(column, f)?;
        }
        f.write_str(")")
    }
}

/// One column of a format string: an attribute of the array, or bytes to step over.
///
/// ```
/// use binfmt::formats::scidb::{TemplateColumn, ColumnLength, ScidbType};
///
/// let column = TemplateColumn::new(ScidbType::String).nullable();
/// assert_eq!(column.to_string(), "string null");
/// assert_eq!(column.length(), ColumnLength::Prefixed);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TemplateColumn {
    /// `None` for `skip`.
    ty: Option<ScidbType>,
    /// The (n), only where the type has no size of its own.
    size: Option<NonZeroU32>,
    nullable: bool,
}

/// How the bytes of a column are delimited, after the byte of a nullable one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ColumnLength {
    /// That many bytes.
    Fixed(u32),
    /// A little-endian `u32`, then as many bytes as it says.
    Prefixed,
}

impl TemplateColumn {
    /// The largest n of `string(n)`, `binary(n)` and `skip(n)`: SciDB keeps it in a C `int`.
    pub const MAX_SIZE: u32 = i32::MAX.unsigned_abs();

    /// A column of type `ty`, not nullable.
    ///
    /// ```
    /// use binfmt::formats::scidb::{TemplateColumn, ScidbType};
    ///
    /// assert_eq!(TemplateColumn::new(ScidbType::Int16).to_string(), "int16");
    /// ```
    #[must_use]
    pub fn new(ty: ScidbType) -> Self {
        TemplateColumn { ty: Some(ty), size: None, nullable: false }
    }

    /// Bytes that belong to no attribute: a length-prefixed field, stepped over when read and empty when written.
    ///
    /// ```
    /// use binfmt::formats::scidb::{TemplateColumn, ColumnLength};
    ///
    /// assert_eq!(TemplateColumn::skip().to_string(), "skip");
    /// assert_eq!(TemplateColumn::skip().length(), ColumnLength::Prefixed);
    /// ```
    #[must_use]
    pub fn skip() -> Self {
        TemplateColumn { ty: None, size: None, nullable: false }
    }

    /// Gives the column `n` bytes in place of a length prefix: `string(n)`, `binary(n)` or `skip(n)`.
    ///
    /// `None` if the type has its own size, or if `n` is 0 or above [`MAX_SIZE`](Self::MAX_SIZE).
    ///
    /// ```
    /// use binfmt::formats::scidb::{TemplateColumn, ScidbType};
    ///
    /// assert_eq!(TemplateColumn::skip().with_size(4).unwrap().to_string(), "skip(4)");
    /// assert_eq!(TemplateColumn::new(ScidbType::Int8).with_size(4), None);
    /// ```
    #[must_use]
    pub fn with_size(self, n: u32) -> Option<Self> {
        let size = NonZeroU32::new(n).filter(|n| n.get() <= Self::MAX_SIZE)?;
        self.may_have_size().then_some(TemplateColumn { size: Some(size), ..self })
    }

    /// Puts a byte before the value: 0xFF, or the code of why it is missing.
    ///
    /// ```
    /// use binfmt::formats::scidb::{TemplateColumn, ScidbType};
    ///
    /// assert_eq!(TemplateColumn::new(ScidbType::Int16).nullable().to_string(), "int16 null");
    /// ```
    #[must_use]
    pub fn nullable(self) -> Self {
        TemplateColumn { nullable: true, ..self }
    }

    /// The type; `None` for `skip`.
    ///
    /// ```
    /// use binfmt::formats::scidb::{TemplateColumn, ScidbType};
    ///
    /// assert_eq!(TemplateColumn::new(ScidbType::Bool).ty(), Some(&ScidbType::Bool));
    /// assert_eq!(TemplateColumn::skip().ty(), None);
    /// ```
    #[must_use]
    pub fn ty(&self) -> Option<&ScidbType> {
        self.ty.as_ref()
    }

    /// Whether this is a `skip`.
    ///
    /// ```
    /// assert!(binfmt::formats::scidb::TemplateColumn::skip().is_skip());
    /// ```
    #[must_use]
    pub fn is_skip(&self) -> bool {
        self.ty.is_none()
    }

    /// The (n) that the format string gives.
    ///
    /// ```
    /// use binfmt::formats::scidb::{TemplateColumn, ScidbType};
    ///
    /// assert_eq!(TemplateColumn::new(ScidbType::String).with_size(10).unwrap().size(), Some(10));
    /// assert_eq!(TemplateColumn::new(ScidbType::Int64).size(), None);
    /// ```
    #[must_use]
    pub fn size(&self) -> Option<u32> {
        self.size.map(NonZeroU32::get)
    }

    /// Whether a byte before the value tells if it is there.
    ///
    /// ```
    /// use binfmt::formats::scidb::TemplateColumn;
    ///
    /// assert!(!TemplateColumn::skip().is_nullable());
    /// assert!(TemplateColumn::skip().nullable().is_nullable());
    /// ```
    #[must_use]
    pub fn is_nullable(&self) -> bool {
        self.nullable
    }

    /// How the bytes are delimited. A missing value has the same extent: n zero bytes, or a length of 0.
    ///
    /// ```
    /// use binfmt::formats::scidb::{TemplateColumn, ColumnLength, ScidbType};
    ///
    /// assert_eq!(TemplateColumn::new(ScidbType::Double).length(), ColumnLength::Fixed(8));
    /// assert_eq!(TemplateColumn::new(ScidbType::Binary).length(), ColumnLength::Prefixed);
    /// assert_eq!(TemplateColumn::skip().with_size(3).unwrap().length(), ColumnLength::Fixed(3));
    /// ```
    #[must_use]
    pub fn length(&self) -> ColumnLength {
        let own = self.ty.as_ref().and_then(ScidbType::wire_size).and_then(|n| u32::try_from(n).ok());
        match self.size().or(own) {
            Some(n) => ColumnLength::Fixed(n),
            None => ColumnLength::Prefixed,
        }
    }

    /// The number of bytes that the column can take in a cell, with the byte of a nullable one.
    ///
    /// ```
    /// use binfmt::formats::scidb::{TemplateColumn, ScidbType};
    ///
    /// assert_eq!(TemplateColumn::new(ScidbType::Int16).nullable().wire_len().exact(), Some(3));
    /// ```
    #[must_use]
    pub fn wire_len(&self) -> WireLen {
        let flag = u64::from(self.nullable);
        match self.length() {
            ColumnLength::Fixed(n) => WireLen { min: flag + u64::from(n), max: Some(flag + u64::from(n)) },
            ColumnLength::Prefixed => WireLen { min: flag + 4, max: None },
        }
    }

    fn may_have_size(&self) -> bool {
        self.ty.as_ref().is_none_or(ScidbType::is_variable)
    }

    fn parse(scanner: &mut Scanner<'_>, user: &[UserType]) -> Result<Self, TextError> {
        let Lexeme::Name(name) = scanner.next.kind else {
            return Err(scanner.unexpected("a type name or `skip`"));
        };
        let mut column = if name.eq_ignore_ascii_case("skip") {
            TemplateColumn::skip()
        } else {
            let ty = ScidbType::find(name, user);
            TemplateColumn::new(
                ty.ok_or_else(|| ScidbType::unknown(TextKind::Template, &scanner.next, name, user))?,
            )
        };
        scanner.take();
        if scanner.take_mark('(') {
            column.size = Some(column.parse_size(scanner)?);
            scanner.require(')', "`)`")?;
        }
        column.nullable = scanner.take_word("null");
        Ok(column)
    }

    /// The number in the parentheses. The checks come in SciDB's order, so that a text with two mistakes gets the
    /// same complaint.
    fn parse_size(&self, scanner: &mut Scanner<'_>) -> Result<NonZeroU32, TextError> {
        const RANGE: &str = "a number of bytes from 1 to 2147483647";
        let Lexeme::Number(digits) = scanner.next.kind else {
            return Err(scanner.unexpected(RANGE));
        };
        if !self.may_have_size() {
            let expected = "only string, binary and skip take a size";
            return Err(scanner.error(TextErrorKind::FixedSizeType, expected));
        }
        let number = digits.bytes().try_fold(0_u32, |n, digit| {
            let n = n.checked_mul(10)?.checked_add(u32::from(digit.wrapping_sub(b'0')))?;
            (n <= Self::MAX_SIZE).then_some(n)
        });
        let number = number.ok_or_else(|| scanner.error(TextErrorKind::NumberTooLarge, RANGE))?;
        let size = NonZeroU32::new(number);
        let size = size.ok_or_else(|| scanner.error(TextErrorKind::ZeroSize, RANGE))?;
        scanner.take();
        Ok(size)
    }
}

impl fmt::Display for TemplateColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.ty.as_ref().map_or("skip", ScidbType::name))?;
        if let Some(n) = self.size {
            write!(f, "({n})")?;
        }
        f.write_str(if self.nullable { " null" } else { "" })
    }
}

/// The fewest and the most bytes that something takes in a file.
///
/// ```
/// use binfmt::formats::scidb::Template;
///
/// let len = "(int8, string)".parse::<Template>().unwrap().cell_len();
/// assert_eq!((len.min(), len.max(), len.exact()), (5, None, None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WireLen {
    min: u64,
    max: Option<u64>,
}

impl WireLen {
    const ZERO: WireLen = WireLen { min: 0, max: Some(0) };

    /// The fewest bytes.
    ///
    /// ```
    /// # use binfmt::formats::scidb::{TemplateColumn, ScidbType};
    /// assert_eq!(TemplateColumn::new(ScidbType::String).wire_len().min(), 4);
    /// ```
    #[must_use]
    pub fn min(&self) -> u64 {
        self.min
    }

    /// The most bytes; `None` if a column has any length.
    ///
    /// ```
    /// # use binfmt::formats::scidb::{TemplateColumn, ScidbType};
    /// assert_eq!(TemplateColumn::new(ScidbType::Int8).wire_len().max(), Some(1));
    /// ```
    #[must_use]
    pub fn max(&self) -> Option<u64> {
        self.max
    }

    /// The number of bytes, if it is always the same.
    ///
    /// ```
    /// # use binfmt::formats::scidb::{TemplateColumn, ScidbType};
    /// assert_eq!(TemplateColumn::new(ScidbType::Datetimetz).wire_len().exact(), Some(16));
    /// ```
    #[must_use]
    pub fn exact(&self) -> Option<u64> {
        self.max.filter(|max| *max == self.min)
    }
}

/// One length after the other.
impl Add for WireLen {
    type Output = WireLen;

    fn add(self, next: WireLen) -> WireLen {
        // each is below 2^32, so that no memory holds as many columns as would overflow
        WireLen { min: self.min + next.min, max: self.max.zip(next.max).map(|(a, b)| a + b) }
    }
}
