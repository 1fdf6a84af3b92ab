//! The error of the SciDB texts (format strings and AFL schemas), which says where a text is wrong, and the `serde`
//! form of these texts.

use crate::wire::amount::known;
use alloc::{borrow::Cow, boxed::Box, string::String, vec::Vec};
use core::{fmt, ops::Range};

/// Which text an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextKind {
    /// A format string: `(int64, string null)`.
    Template,
    /// An AFL schema: `<a:int64, b:string>[i=0:*]`.
    Schema,
    /// The name of a type: `int64`.
    Type,
    /// A name that the caller gave: of an array, an attribute, a dimension or a user type.
    Name,
    /// A default value that the caller gave: `'abc'`.
    Default,
}

impl fmt::Display for TextKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TextKind::Template => "SciDB format string",
            TextKind::Schema => "SciDB schema",
            TextKind::Type => "SciDB type",
            TextKind::Name => "SciDB name",
            TextKind::Default => "SciDB default value",
        })
    }
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextErrorKind {
    /// Another token was expected here. SciDB: `SCIDB_LE_TEMPLATE_PARSE_ERROR` in a format string.
    Unexpected,
    /// No such type. SciDB: `SCIDB_LE_TYPE_NOT_REGISTERED`.
    UnknownType {
        /// Known names that resemble the unknown one, best first; may be empty.
        near: Vec<String>,
    },
    /// A size `(n)` on a type that has its own. SciDB: `SCIDB_LE_TEMPLATE_FIXED_SIZE_TYPE`.
    FixedSizeType,
    /// A size of 0. SciDB: `SCIDB_LE_TEMPLATE_PARSE_ERROR`.
    ZeroSize,
    /// A number that does not fit. SciDB's format strings take such a number modulo 2³² without a word.
    NumberTooLarge,
    /// A string literal or a comment without its end.
    Unterminated,
    /// A word that cannot be used as a name.
    BadName,
    /// A name that another attribute has.
    DuplicateName,
}

/// Where and why a format string, a schema or a name could not be read.
///
/// ```
/// use binfmt::formats::scidb::{Template, TextErrorKind};
///
/// let text = "(int64, strng null)";
/// let e = text.parse::<Template>().unwrap_err();
/// assert_eq!(e.position(), 8);
/// assert_eq!(e.to_string(), "SciDB format string, byte 8: unknown type `strng`, did you mean `string`?");
/// assert_eq!(*e.kind(), TextErrorKind::UnknownType { near: vec!["string".into()] });
/// assert_eq!(
///     e.caret(text).to_string(),
///     "(int64, strng null)\n        ^^^^^ unknown type `strng`, did you mean `string`?"
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct TextError(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    kind: TextErrorKind,
    text: TextKind,
    span: Range<usize>,
    expected: Cow<'static, str>,
    found: String,
}

impl TextError {
    /// The error about bytes `span` of a text, where `found` stands.
    #[cold]
    pub(super) fn new(
        kind: TextErrorKind,
        text: TextKind,
        span: Range<usize>,
        expected: Cow<'static, str>,
        found: String,
    ) -> Self {
        TextError(Box::new(Inner { kind, text, span, expected, found }))
    }

    /// What is wrong.
    ///
    /// ```
    /// use binfmt::formats::scidb::{Template, TextErrorKind};
    ///
    /// let e = "(int64(8))".parse::<Template>().unwrap_err();
    /// assert_eq!(*e.kind(), TextErrorKind::FixedSizeType);
    /// ```
    #[must_use]
    pub fn kind(&self) -> &TextErrorKind {
        &self.0.kind
    }

    /// Which text it is about.
    ///
    /// ```
    /// use binfmt::formats::scidb::{AflSchema, TextKind};
    ///
    /// assert_eq!("<a>".parse::<AflSchema>().unwrap_err().text_kind(), TextKind::Schema);
    /// ```
    #[must_use]
    pub fn text_kind(&self) -> TextKind {
        self.0.text
    }

    /// The byte, from 0, at which the offending token starts.
    ///
    /// ```
    /// use binfmt::formats::scidb::Template;
    ///
    /// assert_eq!("(int64,,string)".parse::<Template>().unwrap_err().position(), 7);
    /// ```
    #[must_use]
    pub fn position(&self) -> usize {
        self.0.span.start
    }

    /// The number that SciDB's own message shows for this format string, or `None` if it shows none.
    ///
    /// SciDB 19.11's `TemplateParser` gives the place where its scanner stands: after the offending token, or at it
    /// if no token can begin with that character. Errors about types have no number, nor have schemas.
    ///
    /// ```
    /// use binfmt::formats::scidb::Template;
    ///
    /// let at = |text: &str| text.parse::<Template>().unwrap_err().scidb_position();
    /// assert_eq!(at("(int64,,string)"), Some(8));
    /// assert_eq!(at("(string(-1))"), Some(8));
    /// assert_eq!(at("(foo)"), None);
    /// ```
    #[must_use]
    pub fn scidb_position(&self) -> Option<usize> {
        let shown = matches!(self.0.kind, TextErrorKind::Unexpected | TextErrorKind::ZeroSize);
        (shown && self.0.text == TextKind::Template).then_some(self.0.span.end)
    }

    /// What could have been there.
    ///
    /// ```
    /// use binfmt::formats::scidb::Template;
    ///
    /// assert_eq!("()".parse::<Template>().unwrap_err().expected(), "a type name or `skip`");
    /// ```
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.0.expected
    }

    /// What is there: the token in backquotes, shortened if it is long, or `the end of the text`.
    ///
    /// ```
    /// use binfmt::formats::scidb::Template;
    ///
    /// assert_eq!("()".parse::<Template>().unwrap_err().found(), "`)`");
    /// assert_eq!("(int8".parse::<Template>().unwrap_err().found(), "the end of the text");
    /// ```
    #[must_use]
    pub fn found(&self) -> &str {
        &self.0.found
    }

    /// Shows the line of `text` (the text that was parsed) with carets under the offending token.
    ///
    /// ```
    /// use binfmt::formats::scidb::AflSchema;
    ///
    /// let text = "<a:int8 NULL NOT, b:string>[i]";
    /// let e = text.parse::<AflSchema>().unwrap_err();
    /// assert!(e.caret(text).to_string().starts_with("<a:int8 NULL NOT, b:string>[i]\n             ^^^ expected"));
    /// ```
    #[must_use]
    pub fn caret<'a>(&'a self, text: &'a str) -> Caret<'a> {
        Caret { error: self, text }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { kind, expected, found, .. } = &*self.0;
        match kind {
            TextErrorKind::UnknownType { near } => {
                write!(f, "unknown type {found}")?;
                for (i, name) in near.iter().enumerate() {
                    f.write_str(if i == 0 { ", did you mean " } else { " or " })?;
                    write!(f, "`{name}`")?;
                }
                f.write_str(if near.is_empty() { "" } else { "?" })
            }
            TextErrorKind::FixedSizeType => write!(f, "size {found} on a type that has its own, {expected}"),
            TextErrorKind::ZeroSize => write!(f, "a size of 0, expected {expected}"),
            TextErrorKind::NumberTooLarge => write!(f, "number {found} is too large, expected {expected}"),
            TextErrorKind::Unterminated => write!(f, "{found}, expected {expected}"),
            TextErrorKind::BadName => write!(f, "{found} cannot be a name, expected {expected}"),
            TextErrorKind::DuplicateName => write!(f, "a second attribute {found}"),
            TextErrorKind::Unexpected => write!(f, "expected {expected}, found {found}"),
        }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, byte {}: ", self.0.text, self.0.span.start)?;
        self.message(f)
    }
}

impl fmt::Debug for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TextError({self})")
    }
}

impl core::error::Error for TextError {}

/// A [`TextError`] drawn under the text, made by [`TextError::caret`].
#[derive(Clone, Copy, Debug)]
pub struct Caret<'a> {
    error: &'a TextError,
    text: &'a str,
}

impl Caret<'_> {
    /// Characters of the line on each side of the place.
    const SHOWN: usize = 80;
}

impl fmt::Display for Caret<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The text may be another than the one that was parsed, so no position is trusted to be inside it.
        let at = floor(self.text, self.error.0.span.start);
        let (before, after) = self.text.split_at(at);
        let head = before.rsplit_once('\n').map_or(before, |(_, line)| line);
        let tail = after.split_once('\n').map_or(after, |(line, _)| line);
        let (head, cut_head) = match head.char_indices().rev().nth(Self::SHOWN - 1) {
            Some((i, _)) if i > 0 => (&head[i..], "…"),
            _ => (head, ""),
        };
        let (tail, cut_tail) = match tail.char_indices().nth(Self::SHOWN) {
            Some((i, _)) => (&tail[..i], "…"),
            None => (tail, ""),
        };
        writeln!(f, "{cut_head}{head}{tail}{cut_tail}")?;
        for c in cut_head.chars().chain(head.chars()) {
            f.write_str(if c == '\t' { "\t" } else { " " })?;
        }
        // an error at the end of the text has one mark, too
        let marked = floor(tail, self.error.0.span.end.max(at) - at);
        for _ in 0..tail[..marked].chars().count().max(1) {
            f.write_str("^")?;
        }
        f.write_str(" ")?;
        self.error.message(f)
    }
}

/// The last character boundary of `text` at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    known((0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)))
}
