//! What a table says of its columns before there are data.

use super::no_column::NoColumn;
use crate::columns::ColumnType;
use crate::error::Result;
use crate::schema::Name;
use std::borrow::Cow;
use std::collections::HashMap;

/// The columns of a table, and what is said of all of it.
///
/// ```
/// use binfmt::{columns::ColumnType, table::{TableField, TableSchema}};
/// let schema = TableSchema::new([TableField::new("name", ColumnType::Text)]);
/// assert_eq!((schema.position("name"), schema.position("x")), (Some(0), None));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TableSchema {
    /// The columns.
    pub fields: Vec<TableField>,
    /// What else is known, in pairs of a key (see [`keys`]) and a text.
    pub meta: Vec<(Cow<'static, str>, String)>,
}

impl TableSchema {
    /// These columns.
    ///
    /// ```
    /// assert!(binfmt::table::TableSchema::new([]).fields.is_empty());
    /// ```
    pub fn new(fields: impl IntoIterator<Item = TableField>) -> Self {
        TableSchema { fields: fields.into_iter().collect(), meta: Vec::new() }
    }

    /// Says more, unless the text is empty.
    ///
    /// ```
    /// use binfmt::table::TableSchema;
    /// let schema = TableSchema::new([]).with("a", "b").with("c", "");
    /// assert_eq!(schema.meta, [("a".into(), "b".to_owned())]);
    /// ```
    #[must_use]
    pub fn with(mut self, key: &'static str, text: impl Into<String>) -> Self {
        push(&mut self.meta, key, text.into());
        self
    }

    /// What is said under a key.
    ///
    /// ```
    /// assert_eq!(binfmt::table::TableSchema::new([]).with("a", "b").get("a"), Some("b"));
    /// ```
    pub fn get(&self, key: &str) -> Option<&str> {
        self.meta.iter().find(|(known, _)| known == key).map(|(_, text)| text.as_str())
    }

    /// The number of the first column of that name.
    ///
    /// ```
    /// assert_eq!(binfmt::table::TableSchema::default().position("a"), None);
    /// ```
    pub fn position(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    /// The places of all columns; of several with one name the first.
    pub(crate) fn positions(&self) -> HashMap<&str, usize> {
        self.fields.iter().enumerate().rev().map(|(place, field)| (field.name.as_str(), place)).collect()
    }

    /// The column at this place, for something of a file that is written: `what` is `the array has the attribute`.
    pub(crate) fn column_for(
        &self,
        place: Option<usize>,
        what: &str,
        name: &str,
    ) -> Result<(usize, &TableField)> {
        place
            .and_then(|place| Some((place, self.fields.get(place)?)))
            .ok_or_else(|| NoColumn::error(what, name, self.fields.iter().map(|field| field.name.as_str())))
    }

    /// What is told of the columns that `what`, such as `the array`, does not have.
    pub(crate) fn left_out(
        &self,
        what: &str,
        has: impl Fn(usize, &TableField) -> bool,
    ) -> impl Iterator<Item = String> {
        let others = self.fields.iter().enumerate().filter(move |(place, field)| !has(*place, field));
        others.map(move |(_, field)| format!("column `{}` is left out: {what} does not have it", field.name))
    }
}

fn push(meta: &mut Vec<(Cow<'static, str>, String)>, key: &'static str, text: String) {
    if !text.is_empty() {
        meta.push((key.into(), text));
    }
}

/// A column of a table: its name and type, and what must survive a conversion.
///
/// ```
/// use binfmt::{columns::ColumnType, numbers::NumberType, table::{TableField, keys}};
/// let field = TableField::new("s", ColumnType::Number(NumberType::F64)).with(keys::UNITS, "m");
/// assert_eq!(field.get(keys::UNITS), Some("m"));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TableField {
    /// The name. Two columns may have the same.
    pub name: Name,
    /// The type of its values.
    pub ty: ColumnType,
    /// What the values are, where the type does not say it.
    pub logical: Option<Logical>,
    /// What else is known, in pairs of a key (see [`keys`]) and a text.
    pub meta: Vec<(Cow<'static, str>, String)>,
    /// All rows of a part have the same value, by which parts are left out.
    pub constant: bool,
    /// Whether the type is not said, but what fields of text look like; a file that is written may then
    /// [ask](super::TableSink::reads) for them as another type.
    pub inferred: Option<Inferred>,
}

/// From what the type of a column of text is inferred.
///
/// ```
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{Inferred, Settings, TableFormat, csv::Csv};
/// let files = Memory::new();
/// files.write("x.csv", b"a,b\n1,\n")?;
/// let table = Csv.open(std::sync::Arc::new(files), "x.csv", &Settings::new())?;
/// let inferred: Vec<_> = table.schema().fields.iter().map(|field| field.inferred).collect();
/// assert_eq!(inferred, [Some(Inferred::Values), Some(Inferred::Nothing)]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Inferred {
    /// From its first values.
    Values,
    /// From its first values, which are times that say how far from UTC they are.
    Zoned,
    /// From nothing: no value is there, and the column takes any type.
    Nothing,
}

impl TableField {
    /// A column of this type.
    ///
    /// ```
    /// use binfmt::{columns::ColumnType, table::TableField};
    /// assert!(!TableField::new("a", ColumnType::Bytes).constant);
    /// ```
    pub fn new(name: impl Into<Name>, ty: ColumnType) -> Self {
        TableField { name: name.into(), ty, logical: None, meta: Vec::new(), constant: false, inferred: None }
    }

    /// Says what the values are.
    ///
    /// ```
    /// use binfmt::{columns::ColumnType, numbers::NumberType, table::{Logical, TableField}};
    /// let field = TableField::new("c", ColumnType::Number(NumberType::U8)).logical(Logical::Character);
    /// assert_eq!(field.logical, Some(Logical::Character));
    /// ```
    #[must_use]
    pub fn logical(self, logical: impl Into<Option<Logical>>) -> Self {
        TableField { logical: logical.into(), ..self }
    }

    /// Says more, unless the text is empty.
    ///
    /// ```
    /// # use binfmt::{columns::ColumnType, table::{TableField, keys}};
    /// assert_eq!(TableField::new("a", ColumnType::Bytes).with(keys::NATIVE, "binary").get(keys::NATIVE), Some("binary"));
    /// ```
    #[must_use]
    pub fn with(mut self, key: &'static str, text: impl Into<String>) -> Self {
        push(&mut self.meta, key, text.into());
        self
    }

    /// Says that all rows of a part have the same value.
    ///
    /// ```
    /// # use binfmt::{columns::ColumnType, table::TableField};
    /// assert!(TableField::new("page", ColumnType::Text).constant().constant);
    /// ```
    #[must_use]
    pub fn constant(self) -> Self {
        TableField { constant: true, ..self }
    }

    /// What its values are called: the name of its type, but for times that of their unit.
    ///
    /// ```
    /// use binfmt::{columns::ColumnType, numbers::NumberType, table::{Logical, TableField, TimeUnit}};
    /// let field = TableField::new("day", ColumnType::Number(NumberType::I64));
    /// assert_eq!(field.type_name(), "i64");
    /// assert_eq!(field.logical(Logical::Timestamp(TimeUnit::Day)).type_name(), "time[D]");
    /// ```
    pub fn type_name(&self) -> String {
        let unit = match self.logical {
            Some(Logical::Timestamp(unit)) => format!("time[{unit}]"),
            Some(Logical::Duration(unit)) => format!("duration[{unit}]"),
            _ => return self.ty.to_string(),
        };
        renamed(&self.ty, &unit)
    }

    /// What becomes of times where numbers have no units.
    pub(crate) fn uncounted(&self) -> Option<String> {
        let what = match &self.logical {
            Some(Logical::Timestamp(unit)) => format!("{unit} since 1970"),
            Some(Logical::Duration(unit)) => unit.to_string(),
            _ => return None,
        };
        Some(format!(
            "column `{}`: its times become numbers, and that they count {what} is left out",
            self.name
        ))
    }

    /// What becomes of numbers that text has no form for.
    pub(crate) fn as_text(&self) -> Option<String> {
        let what = match &self.logical {
            Some(Logical::Complex) => "complex numbers become lists of the real and the imaginary part",
            Some(Logical::X87) => "numbers of 80 bits become the hexadecimal digits of their bytes",
            _ => return self.uncounted(),
        };
        Some(format!("column `{}`: its {what}", self.name))
    }

    /// What is said under a key.
    ///
    /// ```
    /// # use binfmt::{columns::ColumnType, table::TableField};
    /// assert_eq!(TableField::new("a", ColumnType::Bytes).get("units"), None);
    /// ```
    pub fn get(&self, key: &str) -> Option<&str> {
        self.meta.iter().find(|(known, _)| known == key).map(|(_, text)| text.as_str())
    }
}

/// A type whose numbers are called otherwise.
fn renamed(ty: &ColumnType, number: &str) -> String {
    match ty {
        ColumnType::Number(_) => number.to_owned(),
        ColumnType::Nullable { values, .. } | ColumnType::Optional(values) => {
            format!("{}?", renamed(values, number))
        }
        ColumnType::List(items) => format!("[{}]", renamed(items, number)),
        ColumnType::Array { len, items } => format!("[{}; {len}]", renamed(items, number)),
        ty => ty.to_string(),
    }
}

/// What the values of a column are, where their type does not say it.
///
/// ```
/// use binfmt::table::{Logical, TimeUnit};
/// assert_ne!(Logical::Timestamp(TimeUnit::Second), Logical::Duration(TimeUnit::Second));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Logical {
    /// Units of time since the beginning of 1970.
    Timestamp(TimeUnit),
    /// Units of time.
    Duration(TimeUnit),
    /// A record of seconds since 1970 in local time, and of the offset of local time in seconds.
    TimestampWithOffset,
    /// One character in a byte, or a text in a fixed number of bytes.
    Character,
    /// A text in UTF-16 or UTF-32: one unit of 16 or 32 bits, or several.
    CodeUnits,
    /// A complex number: the real and the imaginary part.
    Complex,
    /// The ten bytes of an 80-bit floating-point number, little-endian.
    X87,
    /// An array with these lengths in each row, in the elements of a [`ColumnType::Array`].
    Tensor {
        /// The lengths of its dimensions.
        shape: Vec<u64>,
        /// Whether the first index is the fastest, and not the last.
        column_major: bool,
    },
}

/// A unit of time.
///
/// ```
/// assert_eq!(binfmt::table::TimeUnit::Milli.to_string(), "ms");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum TimeUnit {
    /// Years.
    Year,
    /// Months.
    Month,
    /// Weeks.
    Week,
    /// Days.
    Day,
    /// Hours.
    Hour,
    /// Minutes.
    Minute,
    /// Seconds.
    Second,
    /// 10⁻³ seconds.
    Milli,
    /// 10⁻⁶ seconds.
    Micro,
    /// 10⁻⁹ seconds.
    Nano,
    /// 10⁻¹² seconds.
    Pico,
    /// 10⁻¹⁵ seconds.
    Femto,
    /// 10⁻¹⁸ seconds.
    Atto,
}

impl TimeUnit {
    pub(super) const ALL: [TimeUnit; 13] = [
        TimeUnit::Year,
        TimeUnit::Month,
        TimeUnit::Week,
        TimeUnit::Day,
        TimeUnit::Hour,
        TimeUnit::Minute,
        TimeUnit::Second,
        TimeUnit::Milli,
        TimeUnit::Micro,
        TimeUnit::Nano,
        TimeUnit::Pico,
        TimeUnit::Femto,
        TimeUnit::Atto,
    ];

    /// The unit of a name such as `ms`.
    ///
    /// ```
    /// use binfmt::table::TimeUnit;
    /// assert_eq!(TimeUnit::named("ms"), Some(TimeUnit::Milli));
    /// ```
    pub fn named(name: &str) -> Option<TimeUnit> {
        TimeUnit::ALL.into_iter().find(|unit| unit.to_string() == name)
    }

    /// Counts of it as units of a number, where a format has no times: `s since 1970-01-01`.
    ///
    /// ```
    /// assert_eq!(binfmt::table::TimeUnit::Milli.units(), "ms since 1970-01-01");
    /// ```
    pub fn units(self) -> String {
        format!("{self}{SINCE}")
    }

    /// The unit of such units, and of no others.
    ///
    /// ```
    /// use binfmt::table::TimeUnit;
    /// assert_eq!(TimeUnit::of_units("ms since 1970-01-01"), Some(TimeUnit::Milli));
    /// assert_eq!(TimeUnit::of_units("ms"), None);
    /// ```
    pub fn of_units(units: &str) -> Option<TimeUnit> {
        TimeUnit::named(units.strip_suffix(SINCE)?)
    }
}

const SINCE: &str = " since 1970-01-01";

/// As NumPy has it: `Y`, `M`, `W`, `D`, `h`, `m`, `s`, `ms` ..
impl std::fmt::Display for TimeUnit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            TimeUnit::Year => "Y",
            TimeUnit::Month => "M",
            TimeUnit::Week => "W",
            TimeUnit::Day => "D",
            TimeUnit::Hour => "h",
            TimeUnit::Minute => "m",
            TimeUnit::Second => "s",
            TimeUnit::Milli => "ms",
            TimeUnit::Micro => "us",
            TimeUnit::Nano => "ns",
            TimeUnit::Pico => "ps",
            TimeUnit::Femto => "fs",
            TimeUnit::Atto => "as",
        })
    }
}

/// Keys of what is said of a table and of its columns. Formats have others of their own, after their name and a colon.
pub mod keys {
    /// The format of the file.
    pub const FORMAT: &str = "binfmt:format";
    /// The layout of a row, in the text form of descriptions.
    pub const SCHEMA: &str = "binfmt:schema";
    /// `true` of a table of one row that stands for a single value, and not for a list with one element.
    pub const SINGLE: &str = "binfmt:single";
    /// `true` of a column that is not in the file: the numbers of rows or pages.
    pub const ADDED: &str = "binfmt:added";
    /// `true` of a table whose rows have names of their own: one that none of them has is the column of missing values.
    pub const OPEN: &str = "binfmt:open";
    /// The unit of the values.
    pub const UNITS: &str = "units";
    /// What the values are, in the words of the file.
    pub const DESCRIPTION: &str = "description";
    /// What the format calls the type.
    pub const NATIVE: &str = "binfmt:native";
    /// The same of the fields of records in a column: a line for each, `.inner.field type`.
    pub const NATIVE_INSIDE: &str = "binfmt:native-inside";
    /// `any` for a text that might not be UTF-8, because nothing has checked it.
    pub const ENCODING: &str = "binfmt:encoding";
}
