//! Schemas of arrays in SciDB's language AFL, as `show()` prints them and `create array` takes them.
//!
//! ```text
//! schema     := ['not empty'] [name ['@' version]] '<' attribute (',' attribute)* '>' ['[' dimensions ']']
//! attribute  := name ':' type ['not null' | 'null'] ['default' value] ['compression' text] ['reserve' n]
//! value      := ['+' | '-'] (constant | function '(' … ')') | '(' … ')'
//! dimensions := dimension ((';' | ',') dimension)*
//! dimension  := name ['=' low ':' high [':' overlap [':' chunk]]]
//!             | name  '=' low ':' high ',' chunk ',' overlap
//! ```
//!
//! The rules are those of SciDB 19.11's AFL grammar, observed:
//!
//! * Keywords are read in any case; names and types are not. Comments (`--`, `//`, `/* */`) are spaces.
//! * An attribute **is** nullable unless it says `not null`, the reverse of a format string's column. (Before SciDB
//!   15.12 it was not; an array text from then means the reverse of what it says here.)
//! * A bound is a number, `*` (high: no limit; chunk: found out from the data) or `?` (SciDB chooses).
//! * The second form of a dimension is the old one: chunk before overlap, commas between. It displays as the first.
//! * A name that is a reserved word, such as `select`, is in double quotes.
//!
//! Bounds are numbers here; SciDB also evaluates expressions such as `0:2*1024-1`.
//!
//! No two attributes have one name: a cell could not be told from another. Read leniently otherwise: whether a bound makes sense, whether
//! two dimensions have one name and whether a default value fits its type is left to SciDB. Default values are kept as text.

use alloc::{collections::BTreeSet, string::String, vec::Vec};
use core::{fmt, str::FromStr};

use super::afl::{self, Name};
use super::attribute::AflAttribute;
use super::dimension::AflDimension;
use super::error::{TextError, TextErrorKind, TextKind};
use super::scan::{Lexeme, Scanner};
use super::types::UserType;

/// The schema of a SciDB array: what its attributes and dimensions are.
///
/// Displays as SciDB's `show()` prints it, which reads back as the same schema.
///
/// ```
/// use binfmt::formats::scidb::AflSchema;
///
/// let schema: AflSchema = "flatArray <A:int8 not null, B:int16, C:string, D:string NOT NULL>[row=0:1]".parse().unwrap();
/// assert_eq!(schema.name(), Some("flatArray"));
/// assert_eq!(schema.template().to_string(), "(int8, int16 null, string null, string)");
/// assert_eq!(schema.to_string(), "flatArray<A:int8 NOT NULL,B:int16,C:string,D:string NOT NULL> [row=0:1]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AflSchema {
    not_empty: bool,
    name: Option<String>,
    version: Option<u64>,
    /// One or more.
    attributes: Vec<AflAttribute>,
    /// Empty if the text has no dimensions: a data frame.
    dimensions: Vec<AflDimension>,
}

impl AflSchema {
    /// A schema of these attributes and dimensions, without a name; `None` if there are no attributes, or two of one name.
    ///
    /// ```
    /// use binfmt::formats::scidb::{AflAttribute, AflDimension, AflSchema, ScidbType};
    ///
    /// let a = AflAttribute::new("a", ScidbType::Int64).unwrap();
    /// let schema = AflSchema::new([a], [AflDimension::new("i").unwrap()]).unwrap();
    /// assert_eq!(schema.to_string(), "<a:int64> [i]");
    /// assert_eq!(AflSchema::new([], []), None);
    /// ```
    #[must_use]
    pub fn new(
        attributes: impl IntoIterator<Item = AflAttribute>,
        dimensions: impl IntoIterator<Item = AflDimension>,
    ) -> Option<Self> {
        let attributes: Vec<AflAttribute> = attributes.into_iter().collect();
        let names: BTreeSet<&str> = attributes.iter().map(AflAttribute::name).collect();
        let is_sound = !attributes.is_empty() && names.len() == attributes.len();
        is_sound.then(|| Self::from_parts(attributes, dimensions.into_iter().collect()))
    }

    /// `attributes` must not be empty.
    pub(super) fn from_parts(attributes: Vec<AflAttribute>, dimensions: Vec<AflDimension>) -> Self {
        AflSchema { not_empty: false, name: None, version: None, attributes, dimensions }
    }

    /// Reads a schema that may name the types of `user` too.
    ///
    /// # Errors
    ///
    /// [`TextError`], with the byte where the text is wrong.
    ///
    /// ```
    /// use binfmt::formats::scidb::{AflSchema, UserType};
    ///
    /// let types = [UserType::fixed("point", 16).unwrap()];
    /// let schema = AflSchema::parse_with("<p:point>[i=0:*]", &types).unwrap();
    /// assert_eq!(schema.template().cell_len().exact(), Some(17));
    /// ```
    pub fn parse_with(text: &str, user: &[UserType]) -> Result<Self, TextError> {
        let scanner = &mut Scanner::new(text, TextKind::Schema);
        let not_empty = scanner.take_word("not");
        if not_empty && !scanner.take_word("empty") {
            return Err(scanner.unexpected("`empty`"));
        }
        let (name, version) = if scanner.next.is_mark('<') {
            (None, None)
        } else {
            let (name, version) = afl::array_name(scanner, "`<` or the name of an array")?;
            (Some(name), version)
        };
        scanner.require('<', "`<`")?;
        let (mut attributes, mut names) = (Vec::new(), BTreeSet::new());
        loop {
            let place = scanner.next;
            let attribute = AflAttribute::parse(scanner, user)?;
            if !names.insert(String::from(attribute.name())) {
                return Err(place.error(TextErrorKind::DuplicateName, TextKind::Schema, "another name"));
            }
            attributes.push(attribute);
            if scanner.take_mark('>') {
                break;
            }
            if !scanner.take_mark(',') {
                return Err(AflAttribute::out_of_place(scanner));
            }
        }
        let mut dimensions = Vec::new();
        if scanner.take_mark('[') {
            loop {
                dimensions.push(AflDimension::parse(scanner)?);
                if scanner.take_mark(']') {
                    break;
                }
                if !scanner.take_mark(';') && !scanner.take_mark(',') {
                    return Err(AflDimension::out_of_place(scanner));
                }
            }
        }
        match scanner.next.kind {
            Lexeme::End => Ok(AflSchema { not_empty, name, version, attributes, dimensions }),
            _ if dimensions.is_empty() => Err(scanner.unexpected("`[` or the end of the text")),
            _ => Err(scanner.unexpected("the end of the text")),
        }
    }

    /// Names the array; the name may have a version: `name@2`.
    ///
    /// # Errors
    ///
    /// [`TextError`] if `name` is not the name of an array.
    ///
    /// ```
    /// use binfmt::formats::scidb::AflSchema;
    ///
    /// let schema = "<a:int8>".parse::<AflSchema>().unwrap().with_name("flat@2").unwrap();
    /// assert_eq!(schema.to_string(), "flat@2<a:int8>");
    /// assert!(schema.with_name("a b").is_err());
    /// ```
    pub fn with_name(self, name: &str) -> Result<Self, TextError> {
        let scanner = &mut Scanner::new(name, TextKind::Name);
        let (name, version) = afl::array_name(scanner, "the name of an array")?;
        match scanner.next.kind {
            Lexeme::End => Ok(AflSchema { name: Some(name), version, ..self }),
            _ => Err(scanner.unexpected("the end of the name")),
        }
    }

    /// The name of the array, with that of its namespace if the text has one (`public.flat`).
    ///
    /// ```
    /// use binfmt::formats::scidb::AflSchema;
    ///
    /// assert_eq!("public.flat@3<a:int8>[i]".parse::<AflSchema>().unwrap().name(), Some("public.flat"));
    /// assert_eq!("<a:int8>[i]".parse::<AflSchema>().unwrap().name(), None);
    /// ```
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The version of the array, written after its name.
    ///
    /// ```
    /// use binfmt::formats::scidb::AflSchema;
    ///
    /// assert_eq!("flat@3<a:int8>[i]".parse::<AflSchema>().unwrap().version(), Some(3));
    /// ```
    #[must_use]
    pub fn version(&self) -> Option<u64> {
        self.version
    }

    /// Whether cells of the array may be absent; not so if the text begins with `not empty`.
    ///
    /// ```
    /// use binfmt::formats::scidb::AflSchema;
    ///
    /// assert!("<a:int8>[i]".parse::<AflSchema>().unwrap().is_emptyable());
    /// assert!(!"not empty flat<a:int8>[i]".parse::<AflSchema>().unwrap().is_emptyable());
    /// ```
    #[must_use]
    pub fn is_emptyable(&self) -> bool {
        !self.not_empty
    }

    /// The attributes, of which there is at least one.
    ///
    /// ```
    /// use binfmt::formats::scidb::AflSchema;
    ///
    /// let schema: AflSchema = "<a:int8, b:string>[i]".parse().unwrap();
    /// assert_eq!(schema.attributes()[1].name(), "b");
    /// ```
    #[must_use]
    pub fn attributes(&self) -> &[AflAttribute] {
        &self.attributes
    }

    /// The dimensions; none if the text has none, as of a data frame.
    ///
    /// ```
    /// use binfmt::formats::scidb::AflSchema;
    ///
    /// let schema: AflSchema = "<a:int8>[i=0:*; j=-5:5:0:10]".parse().unwrap();
    /// assert_eq!(schema.dimensions()[1].name(), "j");
    /// assert!("<a:int8>".parse::<AflSchema>().unwrap().dimensions().is_empty());
    /// ```
    #[must_use]
    pub fn dimensions(&self) -> &[AflDimension] {
        &self.dimensions
    }
}

/// Reads a schema whose types are built in.
impl FromStr for AflSchema {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::parse_with(text, &[])
    }
}

impl fmt::Display for AflSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.not_empty { "not empty " } else { "" })?;
        for (i, part) in self.name.iter().flat_map(|name| name.split('.')).enumerate() {
            f.write_str(if i == 0 { "" } else { "." })?;
            write!(f, "{}", Name(part))?;
        }
        if let Some(version) = self.version {
            write!(f, "@{version}")?;
        }
        for (i, attribute) in self.attributes.iter().enumerate() {
            write!(f, "{}{attribute}", if i == 0 { "<" } else { "," })?;
        }
        f.write_str(">")?;
        for (i, dimension) in self.dimensions.iter().enumerate() {
            write!(f, "{}{dimension}", if i == 0 { " [" } else { "; " })?;
        }
        f.write_str(if self.dimensions.is_empty() { "" } else { "]" })
    }
}
