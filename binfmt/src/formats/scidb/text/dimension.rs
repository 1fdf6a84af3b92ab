//! One dimension of an AFL schema.

use alloc::{borrow::ToOwned, string::String};
use core::fmt;

use super::afl::{self, Name};
use super::error::{TextError, TextErrorKind};
use super::scan::{Lexeme, Scanner, Token};

/// One dimension of a schema. A load file contains no coordinates, so nothing of this is in its bytes.
///
/// ```
/// use binfmt::formats::scidb::{DimensionBound, AflDimension};
///
/// let i = AflDimension::new("i").unwrap().with_bounds(DimensionBound::Number(0), DimensionBound::Star);
/// assert_eq!(i.to_string(), "i=0:*");
/// let i = i.with_chunk(DimensionBound::Number(10), DimensionBound::Number(1000));
/// assert_eq!(i.to_string(), "i=0:*:10:1000");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AflDimension {
    name: String,
    bounds: Option<Bounds>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Bounds {
    low: DimensionBound,
    high: DimensionBound,
    overlap: Option<DimensionBound>,
    /// Only with an overlap.
    chunk: Option<DimensionBound>,
}

impl Bounds {
    /// What a name alone stands for.
    const WHOLE: Bounds =
        Bounds { low: DimensionBound::Number(0), high: DimensionBound::Star, overlap: None, chunk: None };
}

/// A number in a dimension, or the sign that stands for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DimensionBound {
    /// A number.
    Number(i64),
    /// `*`: as a high bound, no limit; as a chunk length, to be found out from the data.
    Star,
    /// `?`: SciDB chooses.
    Question,
}

impl fmt::Display for DimensionBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DimensionBound::Number(n) => fmt::Display::fmt(n, f),
            DimensionBound::Star => f.write_str("*"),
            DimensionBound::Question => f.write_str("?"),
        }
    }
}

impl AflDimension {
    /// A dimension of which only the name is given.
    ///
    /// # Errors
    ///
    /// [`TextError`] unless `name` is a letter, `_` or `$`, then letters, digits, `_` and `$`.
    ///
    /// ```
    /// use binfmt::formats::scidb::AflDimension;
    ///
    /// assert_eq!(AflDimension::new("i").unwrap().to_string(), "i");
    /// ```
    pub fn new(name: &str) -> Result<Self, TextError> {
        Ok(AflDimension { name: afl::checked_name(name)?, bounds: None })
    }

    /// Sets the lowest and the highest coordinate. A low bound of `*` does not exist and becomes `?`.
    ///
    /// ```
    /// use binfmt::formats::scidb::{DimensionBound, AflDimension};
    ///
    /// let i = AflDimension::new("i").unwrap().with_bounds(DimensionBound::Number(-3), DimensionBound::Number(9));
    /// assert_eq!((i.low(), i.high()), (Some(DimensionBound::Number(-3)), Some(DimensionBound::Number(9))));
    /// ```
    #[must_use]
    pub fn with_bounds(self, low: DimensionBound, high: DimensionBound) -> Self {
        let bounds = Bounds { low: low.no_star(), high, ..self.bounds.unwrap_or(Bounds::WHOLE) };
        AflDimension { bounds: Some(bounds), ..self }
    }

    /// Sets the overlap of chunks and their length; without bounds, these become `0:*`. An overlap of `*` does not
    /// exist and becomes `?`.
    ///
    /// ```
    /// use binfmt::formats::scidb::{DimensionBound, AflDimension};
    ///
    /// let i = AflDimension::new("i").unwrap().with_chunk(DimensionBound::Number(0), DimensionBound::Star);
    /// assert_eq!(i.to_string(), "i=0:*:0:*");
    /// ```
    #[must_use]
    pub fn with_chunk(self, overlap: DimensionBound, chunk: DimensionBound) -> Self {
        let bounds = self.bounds.unwrap_or(Bounds::WHOLE);
        let bounds = Bounds { overlap: Some(overlap.no_star()), chunk: Some(chunk), ..bounds };
        AflDimension { bounds: Some(bounds), ..self }
    }

    /// The name.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::scidb::AflDimension::new("row").unwrap().name(), "row");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The lowest coordinate, if given.
    ///
    /// ```
    /// use binfmt::formats::scidb::{DimensionBound, AflSchema};
    ///
    /// let schema: AflSchema = "<a:int8>[i=-5:*; j]".parse().unwrap();
    /// assert_eq!(schema.dimensions()[0].low(), Some(DimensionBound::Number(-5)));
    /// assert_eq!(schema.dimensions()[1].low(), None);
    /// ```
    #[must_use]
    pub fn low(&self) -> Option<DimensionBound> {
        self.bounds.map(|b| b.low)
    }

    /// The highest coordinate, if given.
    ///
    /// ```
    /// use binfmt::formats::scidb::{DimensionBound, AflSchema};
    ///
    /// let schema: AflSchema = "<a:int8>[i=-5:*]".parse().unwrap();
    /// assert_eq!(schema.dimensions()[0].high(), Some(DimensionBound::Star));
    /// ```
    #[must_use]
    pub fn high(&self) -> Option<DimensionBound> {
        self.bounds.map(|b| b.high)
    }

    /// How far chunks overlap, if given.
    ///
    /// ```
    /// use binfmt::formats::scidb::{DimensionBound, AflSchema};
    ///
    /// let schema: AflSchema = "<a:int8>[i=0:99:2:10, j=0:99,10,2]".parse().unwrap();
    /// assert!(schema.dimensions().iter().all(|d| d.overlap() == Some(DimensionBound::Number(2))));
    /// ```
    #[must_use]
    pub fn overlap(&self) -> Option<DimensionBound> {
        self.bounds.and_then(|b| b.overlap)
    }

    /// The length of a chunk (SciDB: chunk interval), if given.
    ///
    /// ```
    /// use binfmt::formats::scidb::{DimensionBound, AflSchema};
    ///
    /// let schema: AflSchema = "<a:int8>[i=0:99:2:10, j=0:99,10,2]".parse().unwrap();
    /// assert!(schema.dimensions().iter().all(|d| d.chunk() == Some(DimensionBound::Number(10))));
    /// ```
    #[must_use]
    pub fn chunk(&self) -> Option<DimensionBound> {
        self.bounds.and_then(|b| b.chunk)
    }

    /// The error for what stands where `;` or `]` should.
    #[cold]
    pub(super) fn out_of_place(scanner: &Scanner<'_>) -> TextError {
        let operator = matches!(scanner.next.kind, Lexeme::Mark('+' | '-' | '*' | '/' | '%'));
        scanner.unexpected(if operator { "`;` or `]` (expressions are not evaluated)" } else { "`;` or `]`" })
    }

    pub(super) fn parse(scanner: &mut Scanner<'_>) -> Result<Self, TextError> {
        let name = afl::name(scanner, "the name of a dimension")?.to_owned();
        if !scanner.take_mark('=') {
            return Ok(AflDimension { name, bounds: None });
        }
        let low = DimensionBound::parse(scanner, false)?;
        scanner.require(':', "`:` and the high bound")?;
        let high = DimensionBound::parse(scanner, true)?;
        let (mut overlap, mut chunk) = (None, None);
        if scanner.take_mark(':') {
            overlap = Some(DimensionBound::parse(scanner, false)?);
            if scanner.take_mark(':') {
                chunk = Some(DimensionBound::parse(scanner, true)?);
            }
        } else if scanner.next.is_mark(',') && DimensionBound::begins(&scanner.second()) {
            // After a comma a name begins the next dimension, anything else is the old form.
            scanner.take();
            chunk = Some(DimensionBound::parse(scanner, true)?);
            scanner.require(',', "`,` and the overlap")?;
            overlap = Some(DimensionBound::parse(scanner, false)?);
        }
        Ok(AflDimension { name, bounds: Some(Bounds { low, high, overlap, chunk }) })
    }
}

impl fmt::Display for AflDimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Name(&self.name))?;
        let Some(Bounds { low, high, overlap, chunk }) = self.bounds else { return Ok(()) };
        write!(f, "={low}:{high}")?;
        for bound in overlap.into_iter().chain(chunk) {
            write!(f, ":{bound}")?;
        }
        Ok(())
    }
}

impl DimensionBound {
    fn no_star(self) -> Self {
        if self == DimensionBound::Star { DimensionBound::Question } else { self }
    }

    fn begins(token: &Token<'_>) -> bool {
        matches!(token.kind, Lexeme::Number(_) | Lexeme::Mark('*' | '?' | '+' | '-'))
    }

    fn parse(scanner: &mut Scanner<'_>, star: bool) -> Result<Self, TextError> {
        if scanner.take_mark('?') {
            return Ok(DimensionBound::Question);
        }
        if star && scanner.take_mark('*') {
            return Ok(DimensionBound::Star);
        }
        let negative = scanner.take_mark('-');
        if !negative {
            scanner.take_mark('+');
        }
        let Lexeme::Number(digits) = scanner.next.kind else {
            return Err(scanner.unexpected(if star { "a number, `*` or `?`" } else { "a number or `?`" }));
        };
        if digits.contains(|c: char| !c.is_ascii_digit()) {
            return Err(scanner.unexpected("a whole number"));
        }
        // Read as i128 because the least i64 has no positive counterpart.
        let value = digits.parse::<i128>().ok().map(|n| if negative { -n } else { n });
        let value = value.and_then(|n| i64::try_from(n).ok());
        let value = value.ok_or_else(|| scanner.error(TextErrorKind::NumberTooLarge, "a 64-bit number"))?;
        scanner.take();
        Ok(DimensionBound::Number(value))
    }
}
