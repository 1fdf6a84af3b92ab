//! The text of a schema, read: the other direction of what a schema prints.
//!
//! A line is cut into pieces that know their place (`piece`), lines into a tree by their indentation (`line`), the words of a type
//! are understood one by one (`word`), and what they say together is a type (`types`).

mod line;
mod piece;
mod types;
mod word;

use super::types::{Description, Type};
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;
use line::Line;
use piece::Piece;
pub(super) use types::is_type;

/// Why a text is not a layout, and where.
///
/// ```
/// use binfmt::schema::Description;
/// let e = "Point: record\n  x: f33\n".parse::<Description>().unwrap_err();
/// assert_eq!(e.to_string(), "line 2, column 6: unknown type `f33`, did you mean `f32`?");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    line: usize,
    column: usize,
    text: String,
}

impl SyntaxError {
    /// The line, counted from 1.
    ///
    /// ```
    /// use binfmt::schema::Description;
    /// assert_eq!("\n\n?".parse::<Description>().unwrap_err().line(), 3);
    /// ```
    pub fn line(&self) -> usize {
        self.line
    }

    /// The character of the line, counted from 1.
    ///
    /// ```
    /// use binfmt::schema::Description;
    /// assert_eq!("bool, lax".parse::<Description>().unwrap_err().column(), 7);
    /// ```
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong.
    ///
    /// ```
    /// use binfmt::schema::Description;
    /// assert_eq!("".parse::<Description>().unwrap_err().message(), "there is no type");
    /// ```
    pub fn message(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.text)
    }
}

impl core::error::Error for SyntaxError {}

/// Reads what [`Display`](fmt::Display) writes, in the notation that [the module](crate::schema#as-text) explains. A comment of
/// two slashes is the documentation of what is before it, or of nothing on a line of its own.
///
/// ```
/// use binfmt::schema::Description;
/// let text = "\
/// Reading: record, le
///   sensor: u16
///   celsius: f32, nullable  // In degrees.
///   place: text, length_prefixed(u32)
/// ";
/// let layout: Description = text.parse()?;
/// assert_eq!(layout.to_string(), text);
/// # Ok::<(), binfmt::schema::SyntaxError>(())
/// ```
impl FromStr for Description {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        let text = line::without_tabs(text);
        let lines = line::tree(&text)?;
        let Some((first, rest)) = lines.split_first() else {
            return Err(SyntaxError { line: 1, column: 1, text: "there is no type".to_string() });
        };
        let mut found =
            Definitions { types: BTreeMap::new(), places: BTreeMap::new(), named: alloc::vec::Vec::new() };
        let root = match first.named() {
            Some((name, words)) => Type::Named(found.define(name, words, first)?),
            None => types::whole(first.words, first, "", &mut found.named)?,
        };
        for line in rest {
            let (name, words) =
                line.named().ok_or_else(|| line.words.error("a definition is a name, a colon and a type"))?;
            found.define(name, words, line)?;
        }
        found.check()?;
        Ok(Description { root, definitions: found.types })
    }
}

/// The parts of a text between commas outside quotes and brackets; of an empty text none.
pub(super) fn parts(text: &str) -> alloc::vec::Vec<&str> {
    split(text, ',')
}

/// What a mark separates that is in no brackets.
pub(crate) fn split(text: &str, mark: char) -> alloc::vec::Vec<&str> {
    let all = Piece::line(text, 1).split(mark);
    all.into_iter().map(|piece| piece.text).filter(|text| !text.is_empty()).collect()
}

/// What has a name.
struct Definitions<'a> {
    types: BTreeMap<String, Type>,
    /// Where each was defined.
    places: BTreeMap<String, Piece<'a>>,
    /// The names that types mention.
    named: alloc::vec::Vec<(Piece<'a>, String)>,
}

impl<'a> Definitions<'a> {
    fn define(&mut self, name: Piece<'a>, words: Piece<'a>, line: &Line<'a>) -> Result<String, SyntaxError> {
        let text = name.name()?;
        if let Some(first) = self.places.insert(text.clone(), name) {
            return Err(name.second("definition of", &text, first));
        }
        let ty = types::whole(words, line, &text, &mut self.named)?;
        self.types.insert(text.clone(), ty);
        Ok(text)
    }

    /// Whether all names are those of definitions.
    fn check(&self) -> Result<(), SyntaxError> {
        match self.named.iter().find(|(_, name)| !self.types.contains_key(name)) {
            None => Ok(()),
            Some((piece, name)) => {
                let known = self.types.keys().map(String::as_str).chain(types::NAMES.iter().copied());
                Err(piece.unknown("type", name, known))
            }
        }
    }
}
