//! What a header defines: parameters, arrays, columns.

use super::text::Text;
use super::types::{DataType, Mode};
use crate::wire::Endian;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// All that is before the pages.
///
/// ```
/// use binfmt::formats::sdds::{Column, DataType, Header, Mode};
/// let text = b"SDDS1\n&column name=s, units=m, type=double &end\n&data mode=ascii &end\n1\n2.5\n";
/// let (header, size) = Header::parse(text)?;
/// assert_eq!(size, 70);
/// assert_eq!(header.mode, Mode::Ascii);
/// assert_eq!(header.columns, [Column::new("s", DataType::Double).units("m")]);
/// assert_eq!(
///     String::from_utf8(header.to_bytes()?).unwrap(),
///     "SDDS1\n&column name=s, units=m, type=double,  &end\n&data mode=ascii, &end\n"
/// );
/// # Ok::<(), binfmt::formats::sdds::HeaderError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// 1 to 5, as the first line says. What is written says the lowest that will do: [`required_version`](Self::required_version).
    pub version: u8,
    /// `&description text`.
    pub text: Option<Text>,
    /// `&description contents`.
    pub contents: Option<Text>,
    /// In the order of the header.
    pub parameters: Vec<Parameter>,
    /// In the order of the header.
    pub arrays: Vec<Array>,
    /// In the order of the header.
    pub columns: Vec<Column>,
    /// `&associate` commands, which the official library reads over and never writes. Nor are they written here.
    pub associates: Vec<Associate>,
    /// Definitions whose types are not of the format, but of [CERN's dialect](DataType::of_dialect). They are read as what they
    /// stand for, and the names of the format are written.
    pub dialect: Vec<DialectType>,
    /// `mode`.
    pub mode: Mode,
    /// The byte order that the header declares, in a comment or in `&data`.
    pub endian: Option<Endian>,
    /// `column_major_order`: whether the columns of a binary page stand one after the other.
    pub column_major: bool,
    /// `fixed_row_count`: a program is (or was) adding rows to the last page, whose row count may be too large.
    pub fixed_row_count: bool,
    /// `no_row_counts`: in ascii, a blank line ends a page.
    pub no_row_counts: bool,
    /// `lines_per_row`: lines that a row takes in ascii; 0 when line breaks mean nothing.
    pub lines_per_row: u32,
    /// `additional_header_lines`: lines before the first ascii page that are stepped over. Never written.
    pub additional_header_lines: u32,
}

/// The type of a definition in [CERN's dialect](DataType::of_dialect).
///
/// ```
/// use binfmt::formats::sdds::Header;
/// let (header, _) = Header::parse(b"SDDS1\n&array name=on, type=boolean &end\n&data mode=ascii &end\n")?;
/// let found = &header.dialect[0];
/// assert_eq!((found.command, found.name.as_str(), found.type_name.as_str()), ("array", "on", "boolean"));
/// # Ok::<(), binfmt::formats::sdds::HeaderError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DialectType {
    /// What is defined: [`Definition::COMMAND`].
    pub command: &'static str,
    /// The name of the definition.
    pub name: String,
    /// The name of its type, as the header says it.
    pub type_name: String,
}

impl Header {
    /// The names of the types in [`dialect`](Self::dialect), each once.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode};
    /// assert!(Header::new(Mode::Ascii).dialect_names().is_empty());
    /// ```
    pub fn dialect_names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for found in &self.dialect {
            if !names.contains(&found.type_name.as_str()) {
                names.push(found.type_name.as_str());
            }
        }
        names
    }

    /// A header without definitions, of version 1, little-endian where it is binary.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode};
    /// assert_eq!(Header::new(Mode::Ascii).to_bytes()?, b"SDDS1\n&data mode=ascii, &end\n");
    /// # Ok::<(), binfmt::formats::sdds::HeaderError>(())
    /// ```
    pub fn new(mode: Mode) -> Self {
        Header {
            version: 1,
            text: None,
            contents: None,
            parameters: Vec::new(),
            arrays: Vec::new(),
            columns: Vec::new(),
            associates: Vec::new(),
            dialect: Vec::new(),
            mode,
            endian: (mode == Mode::Binary).then_some(Endian::Little),
            column_major: false,
            fixed_row_count: false,
            no_row_counts: false,
            lines_per_row: 1,
            additional_header_lines: 0,
        }
    }

    /// The byte order of the binary pages: the declared one, else that of this machine.
    ///
    /// ```
    /// use binfmt::{Endian, formats::sdds::{Header, Mode}};
    /// assert_eq!(Header::new(Mode::Binary).byte_order(), Endian::Little);
    /// ```
    pub fn byte_order(&self) -> Endian {
        self.endian.unwrap_or(Endian::native())
    }

    /// The parameters that each page has a value of: those without `fixed_value`.
    ///
    /// ```
    /// use binfmt::formats::sdds::{DataType, Header, Mode, Parameter};
    /// let mut header = Header::new(Mode::Binary);
    /// header.parameters.push(Parameter::new("a", DataType::Long).fixed_value("3"));
    /// header.parameters.push(Parameter::new("b", DataType::Long));
    /// assert_eq!(header.stored_parameters().next().unwrap().name, "b");
    /// ```
    pub fn stored_parameters(&self) -> impl Iterator<Item = &Parameter> + Clone {
        self.parameters.iter().filter(|p| p.fixed_value.is_none())
    }

    /// Whether the columns of a page stand one after the other: [`column_major`](Self::column_major) means nothing in ascii.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode};
    /// let mut header = Header::new(Mode::Ascii);
    /// header.column_major = true;
    /// assert!(!header.is_column_major());
    /// header.mode = Mode::Binary;
    /// assert!(header.is_column_major());
    /// ```
    pub fn is_column_major(&self) -> bool {
        self.column_major && self.mode == Mode::Binary
    }

    /// The place of a column, found by its name.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Column, DataType, Header, Mode};
    /// let mut header = Header::new(Mode::Binary);
    /// header.columns.push(Column::new("x", DataType::Long));
    /// assert_eq!(header.column_index("x"), Some(0));
    /// ```
    pub fn column_index(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.name == name)
    }

    /// The lowest version of the format that has what this header says: the rule of the official library.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Column, DataType, Header, Mode};
    /// let mut header = Header::new(Mode::Binary);
    /// assert_eq!(header.required_version(), 1);
    /// header.column_major = true;
    /// assert_eq!(header.required_version(), 3);
    /// header.columns.push(Column::new("id", DataType::ULong64));
    /// assert_eq!(header.required_version(), 5);
    /// ```
    pub fn required_version(&self) -> u8 {
        let types = (self.parameters.iter().map(|p| p.data_type))
            .chain(self.arrays.iter().map(|a| a.data_type))
            .chain(self.columns.iter().map(|c| c.data_type));
        let order = if self.is_column_major() { 3 } else { 1 };
        types.map(DataType::version).fold(order, u8::max)
    }
}

/// What parameters, arrays and columns have in common: a name, a type, and texts that have tags in the header.
///
/// ```
/// use binfmt::formats::sdds::{Column, DataType, Definition};
/// let mut c = Column::new("x", DataType::Double).units("m");
/// assert_eq!((Column::TAGS[1], c.texts()[1]), ("units", &Some("m".into())));
/// *c.texts_mut()[0] = Some("X".into());
/// assert_eq!((c.name(), c.data_type()), ("x", DataType::Double));
/// assert_eq!(c.symbol.unwrap(), "X");
/// ```
pub trait Definition {
    /// The name of its command.
    const COMMAND: &'static str;
    /// The tags of the texts, in the order of the header.
    const TAGS: &'static [&'static str];
    /// Its name.
    fn name(&self) -> &str;
    /// Its type.
    fn data_type(&self) -> DataType;
    /// The text of each tag.
    fn texts(&self) -> Vec<&Option<Text>>;
    /// The same, to be set.
    fn texts_mut(&mut self) -> Vec<&mut Option<Text>>;
}

/// Which fields of a struct are its texts.
macro_rules! definition {
    ($type:ident, $command:literal, $($text:ident),*) => {
        impl Definition for $type {
            const COMMAND: &'static str = $command;
            const TAGS: &'static [&'static str] = &[$(stringify!($text)),*];

            fn name(&self) -> &str {
                &self.name
            }

            fn data_type(&self) -> DataType {
                self.data_type
            }

            fn texts(&self) -> Vec<&Option<Text>> {
                vec![$(&self.$text),*]
            }

            fn texts_mut(&mut self) -> Vec<&mut Option<Text>> {
                vec![$(&mut self.$text),*]
            }
        }
    };
}
definition!(Parameter, "parameter", symbol, units, description, format_string, fixed_value);
definition!(Array, "array", symbol, units, description, format_string, group_name);
definition!(Column, "column", symbol, units, description, format_string);

/// Builder methods that set a field: `fn units(self, impl Into<Text>)`.
macro_rules! setters {
    ($($(#[$doc:meta])* $field:ident;)*) => { $(
        $(#[$doc])*
        #[must_use]
        pub fn $field(mut self, text: impl Into<Text>) -> Self {
            self.$field = Some(text.into());
            self
        }
    )* };
}

/// A value that each page has one of.
///
/// ```
/// use binfmt::formats::sdds::{DataType, Parameter};
/// let p = Parameter::new("Energy", DataType::Double).units("GeV").symbol("E");
/// assert_eq!(p.units.unwrap(), "GeV");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its type.
    pub data_type: DataType,
    /// How it is written in formulas, with `$` codes.
    pub symbol: Option<Text>,
    /// Its units.
    pub units: Option<Text>,
    /// What it is.
    pub description: Option<Text>,
    /// A printf format for people.
    pub format_string: Option<Text>,
    /// The value on every page, as text; the pages then contain none. See [`Parameter::fixed`].
    pub fixed_value: Option<Text>,
}

impl Parameter {
    /// A parameter with a name and a type.
    ///
    /// ```
    /// use binfmt::formats::sdds::{DataType, Parameter};
    /// assert_eq!(Parameter::new("Step", DataType::Long).fixed_value, None);
    /// ```
    pub fn new(name: impl Into<String>, data_type: DataType) -> Self {
        Parameter {
            name: name.into(),
            data_type,
            symbol: None,
            units: None,
            description: None,
            format_string: None,
            fixed_value: None,
        }
    }

    setters! {
        /// Sets the symbol.
        ///
        /// ```
        /// use binfmt::formats::sdds::{DataType, Parameter};
        /// assert_eq!(Parameter::new("t", DataType::Long).symbol("τ").symbol.unwrap(), "τ");
        /// ```
        symbol;
        /// Sets the units.
        ///
        /// ```
        /// use binfmt::formats::sdds::{DataType, Parameter};
        /// assert_eq!(Parameter::new("t", DataType::Long).units("s").units.unwrap(), "s");
        /// ```
        units;
        /// Sets the description.
        ///
        /// ```
        /// use binfmt::formats::sdds::{DataType, Parameter};
        /// assert_eq!(Parameter::new("t", DataType::Long).description("time").description.unwrap(), "time");
        /// ```
        description;
        /// Sets the value of every page, as text in the form of an ascii page.
        ///
        /// ```
        /// use binfmt::formats::sdds::{DataType, Parameter};
        /// assert_eq!(Parameter::new("t", DataType::Long).fixed_value("3").fixed_value.unwrap(), "3");
        /// ```
        fixed_value;
    }
}

/// Values in any number of dimensions, whose sizes each page says.
///
/// ```
/// use binfmt::formats::sdds::{Array, DataType};
/// assert_eq!(Array::new("image", DataType::UShort, 2).dimensions, 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Array {
    /// Its name.
    pub name: String,
    /// The type of its elements.
    pub data_type: DataType,
    /// The number of dimensions, at least 1.
    pub dimensions: u32,
    /// How it is written in formulas, with `$` codes.
    pub symbol: Option<Text>,
    /// Its units.
    pub units: Option<Text>,
    /// What it is.
    pub description: Option<Text>,
    /// A printf format for people.
    pub format_string: Option<Text>,
    /// Arrays of one name belong together.
    pub group_name: Option<Text>,
    /// Bytes of an element in ascii, see [`Column::field_length`]. Never written.
    pub field_length: i32,
}

impl Array {
    /// An array with a name, a type and a number of dimensions.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Array, DataType};
    /// assert_eq!(Array::new("a", DataType::Long, 1).field_length, 0);
    /// ```
    pub fn new(name: impl Into<String>, data_type: DataType, dimensions: u32) -> Self {
        Array {
            name: name.into(),
            data_type,
            dimensions,
            symbol: None,
            units: None,
            description: None,
            format_string: None,
            group_name: None,
            field_length: 0,
        }
    }

    setters! {
        /// Sets the units.
        ///
        /// ```
        /// use binfmt::formats::sdds::{Array, DataType};
        /// assert_eq!(Array::new("a", DataType::Long, 1).units("s").units.unwrap(), "s");
        /// ```
        units;
        /// Sets the description.
        ///
        /// ```
        /// use binfmt::formats::sdds::{Array, DataType};
        /// assert_eq!(Array::new("a", DataType::Long, 1).description("x").description.unwrap(), "x");
        /// ```
        description;
        /// Sets the group.
        ///
        /// ```
        /// use binfmt::formats::sdds::{Array, DataType};
        /// assert_eq!(Array::new("a", DataType::Long, 1).group_name("g").group_name.unwrap(), "g");
        /// ```
        group_name;
    }
}

/// A value that each row has one of.
///
/// ```
/// use binfmt::formats::sdds::{Column, DataType};
/// let c = Column::new("betax", DataType::Double).units("m").symbol("$gb$r$bx$n");
/// assert_eq!(c.symbol.unwrap(), "$gb$r$bx$n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type.
    pub data_type: DataType,
    /// How it is written in formulas, with `$` codes.
    pub symbol: Option<Text>,
    /// Its units.
    pub units: Option<Text>,
    /// What it is.
    pub description: Option<Text>,
    /// A printf format for people.
    pub format_string: Option<Text>,
    /// Bytes of a value in ascii, blanks included; when negative, blanks around a string are cut off. 0: up to the next
    /// blank. The official library does not write it, nor is it written here.
    pub field_length: i32,
}

impl Column {
    /// A column with a name and a type.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Column, DataType};
    /// assert_eq!(Column::new("x", DataType::Double).units, None);
    /// ```
    pub fn new(name: impl Into<String>, data_type: DataType) -> Self {
        Column {
            name: name.into(),
            data_type,
            symbol: None,
            units: None,
            description: None,
            format_string: None,
            field_length: 0,
        }
    }

    setters! {
        /// Sets the symbol.
        ///
        /// ```
        /// use binfmt::formats::sdds::{Column, DataType};
        /// assert_eq!(Column::new("t", DataType::Long).symbol("τ").symbol.unwrap(), "τ");
        /// ```
        symbol;
        /// Sets the units.
        ///
        /// ```
        /// use binfmt::formats::sdds::{Column, DataType};
        /// assert_eq!(Column::new("t", DataType::Long).units("s").units.unwrap(), "s");
        /// ```
        units;
        /// Sets the description.
        ///
        /// ```
        /// use binfmt::formats::sdds::{Column, DataType};
        /// assert_eq!(Column::new("t", DataType::Long).description("time").description.unwrap(), "time");
        /// ```
        description;
    }
}

/// A file that belongs to this one.
///
/// ```
/// let (header, _) = binfmt::formats::sdds::Header::parse(
///     b"SDDS1\n&associate filename=orbit.sdds &end\n&data mode=ascii &end\n",
/// )?;
/// assert_eq!(header.associates[0].filename.as_ref().unwrap(), &"orbit.sdds");
/// # Ok::<(), binfmt::formats::sdds::HeaderError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Associate {
    /// Its name.
    pub name: Option<Text>,
    /// The file.
    pub filename: Option<Text>,
    /// Where the file is.
    pub path: Option<Text>,
    /// What it is.
    pub description: Option<Text>,
    /// What is in it.
    pub contents: Option<Text>,
    /// Whether it is an SDDS file.
    pub sdds: bool,
}
