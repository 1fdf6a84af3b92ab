//! What went wrong, where in the bytes, and at which field: as data and as one readable line.
//!
//! The source or sink makes the error, because it alone knows the offset. Generated code adds names only while the
//! error travels up, so a successful decode pays nothing for them.

use alloc::{borrow::Cow, boxed::Box, format, string::String, string::ToString, vec::Vec};
use core::fmt;
use kind::{bytes_text, plural};

mod kind;
mod path;

pub use kind::ErrorKind;
pub use path::{Excerpt, Path, Step};

/// The result of every fallible function of this crate.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// An error with its byte offset and field path.
///
/// One word wide, so that a `Result` of it costs as little as possible.
///
/// ```
/// let e = binfmt::from_slice::<(u8, u32)>(&[1, 2, 3]).unwrap_err();
/// assert_eq!(e.offset(), 1);
/// assert_eq!(e.path().to_string(), "1");
/// assert!(e.is_incomplete());
/// assert_eq!(e.needed(), Some(2));
/// assert_eq!(e.to_string(), "1 at byte 0x1: 4 bytes needed, 2 remain");
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    offset: u64,
    /// Innermost first: names are pushed while the error travels up.
    path: Vec<Step>,
}

impl Error {
    /// An error at a byte offset, without a path: for hand-written codecs.
    ///
    /// ```
    /// use binfmt::{Error, ErrorKind};
    /// let e = Error::new(ErrorKind::Message("not a leap year".into()), 12);
    /// assert_eq!(e.to_string(), "at byte 0xc: not a leap year");
    /// ```
    #[cold]
    #[inline(never)]
    pub fn new(kind: ErrorKind, offset: u64) -> Self {
        Error(Box::new(Inner { kind, offset, path: Vec::new() }))
    }

    /// Takes values and never the source: a source whose address escapes would live in memory instead of in registers.
    #[cold]
    #[inline(never)]
    pub(crate) fn short(needed: usize, remaining: usize, offset: u64, in_region: bool) -> Self {
        let kind = if in_region {
            ErrorKind::RegionEnd { needed, remaining }
        } else {
            ErrorKind::UnexpectedEnd { needed, remaining }
        };
        Error::new(kind, offset)
    }

    /// An error with a text of the caller's own.
    ///
    /// ```
    /// let e = binfmt::Error::message("no such page", 3);
    /// assert_eq!(e.offset(), 3);
    /// ```
    #[cold]
    #[inline(never)]
    pub fn message(text: impl Into<Cow<'static, str>>, offset: u64) -> Self {
        Error::new(ErrorKind::Message(text.into()), offset)
    }

    /// What went wrong.
    ///
    /// ```
    /// use binfmt::ErrorKind;
    /// let e = binfmt::from_slice::<bool>(&[2]).unwrap_err();
    /// assert!(matches!(e.kind(), ErrorKind::InvalidBool { found: 2 }));
    /// ```
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The byte offset of the part at fault, from the first byte of the input or output.
    ///
    /// For a length that promises more than there is, a slice names the length, because it knows what remains; a stream
    /// names the place where the bytes ran out.
    ///
    /// ```
    /// assert_eq!(binfmt::from_slice::<(u16, bool)>(&[0, 0, 7]).unwrap_err().offset(), 2);
    /// ```
    pub fn offset(&self) -> u64 {
        self.0.offset
    }

    /// The path of the field at fault, outermost first; empty at the top.
    ///
    /// ```
    /// let e = binfmt::from_slice::<[(u8, bool); 2]>(&[0, 1, 0, 9]).unwrap_err();
    /// assert_eq!(e.path().to_string(), "[1].1");
    /// ```
    pub fn path(&self) -> Path<'_> {
        Path(&self.0.path)
    }

    /// Whether more input would help: for parsers that are fed piece by piece.
    ///
    /// ```
    /// assert!(binfmt::from_slice::<u32>(&[1]).unwrap_err().is_incomplete());
    /// assert!(!binfmt::from_slice::<bool>(&[9]).unwrap_err().is_incomplete());
    /// ```
    pub fn is_incomplete(&self) -> bool {
        self.needed().is_some()
    }

    /// At least how many bytes more are needed, when more input would help.
    ///
    /// ```
    /// assert_eq!(binfmt::from_slice::<u32>(&[1]).unwrap_err().needed(), Some(3));
    /// ```
    pub fn needed(&self) -> Option<u64> {
        match self.0.kind {
            ErrorKind::UnexpectedEnd { needed, remaining } => {
                Some((needed as u64).saturating_sub(remaining as u64))
            }
            ErrorKind::CountTooLarge { needed, remaining: Some(r), in_region: false, .. }
                if needed != u64::MAX =>
            {
                Some(needed.saturating_sub(r))
            }
            _ => None,
        }
    }

    /// What should have been there, where one thing should.
    ///
    /// ```
    /// let e = binfmt::from_slice::<bool>(&[9]).unwrap_err();
    /// assert_eq!((e.expected().as_deref(), e.found().as_deref()), (Some("0 or 1"), Some("9")));
    /// ```
    pub fn expected(&self) -> Option<String> {
        Some(match &self.0.kind {
            ErrorKind::UnexpectedEnd { needed, .. }
            | ErrorKind::RegionEnd { needed, .. }
            | ErrorKind::OutputFull { needed, .. } => format!("{needed} bytes"),
            ErrorKind::CountTooLarge { needed, .. } => format!("{needed} bytes"),
            ErrorKind::LengthLimit { max, .. }
            | ErrorKind::TooManyEmpty { max, .. }
            | ErrorKind::PrefixOverflow { max, .. }
            | ErrorKind::TooLong { max, .. } => format!("at most {max}"),
            ErrorKind::InvalidLength { .. } => "a length that is not negative".to_string(),
            ErrorKind::InvalidPresence { present, missing, .. } => {
                format!("{present:#04x}, or {}..={} for missing", missing.0, missing.1)
            }
            ErrorKind::InvalidMissingCode { missing, .. } => format!("{}..={}", missing.0, missing.1),
            ErrorKind::InvalidBool { .. } => "0 or 1".to_string(),
            ErrorKind::Magic { expected, .. } => bytes_text(expected),
            ErrorKind::Padding { expected, .. } => format!("{expected:#04x}"),
            ErrorKind::OutOfRange { expected, .. } => (*expected).to_string(),
            ErrorKind::LengthMismatch { expected, .. } => expected.to_string(),
            ErrorKind::PresenceMismatch { expected } => if *expected { "Some" } else { "None" }.to_string(),
            ErrorKind::InvalidText { encoding, .. } => (*encoding).to_string(),
            _ => return None,
        })
    }

    /// What was there instead, where it can be told in a few words.
    ///
    /// ```
    /// let e = binfmt::from_slice::<u32>(&[9]).unwrap_err();
    /// assert_eq!(e.found().as_deref(), Some("1 byte"));
    /// ```
    pub fn found(&self) -> Option<String> {
        Some(match &self.0.kind {
            ErrorKind::UnexpectedEnd { remaining, .. }
            | ErrorKind::RegionEnd { remaining, .. }
            | ErrorKind::OutputFull { remaining, .. } => plural(*remaining as u64),
            ErrorKind::CountTooLarge { remaining, .. } => plural((*remaining)?),
            ErrorKind::TooManyEmpty { count, .. } => count.to_string(),
            ErrorKind::LengthLimit { length, .. } => length.to_string(),
            ErrorKind::PrefixOverflow { value, .. } => value.to_string(),
            ErrorKind::TooLong { found, .. } => found.to_string(),
            ErrorKind::InvalidLength { found } => found.to_string(),
            ErrorKind::InvalidPresence { found, .. } => format!("{found:#04x}"),
            ErrorKind::InvalidMissingCode { found, .. } | ErrorKind::InvalidBool { found } => {
                found.to_string()
            }
            ErrorKind::UnknownTag { found, .. } | ErrorKind::OutOfRange { found, .. } => found.clone(),
            ErrorKind::Magic { found, .. } => bytes_text(found),
            ErrorKind::Padding { found, .. } => format!("{found:#04x}"),
            ErrorKind::LengthMismatch { found, .. } => found.to_string(),
            ErrorKind::PresenceMismatch { expected } => if *expected { "None" } else { "Some" }.to_string(),
            ErrorKind::VariantMismatch { found, .. } => (*found).to_string(),
            ErrorKind::TrailingBytes { count } | ErrorKind::UnconsumedRegion { count } => plural(*count),
            _ => return None,
        })
    }

    /// The bytes around the place, for people: pass the whole input.
    ///
    /// ```
    /// let input = [1, 0, 0, 0, 9];
    /// let e = binfmt::from_slice::<(u32, bool)>(&input).unwrap_err();
    /// assert_eq!(e.excerpt(&input).to_string(), "0x00000000  01 00 00 00>09");
    /// ```
    pub fn excerpt<'a>(&self, input: &'a [u8]) -> Excerpt<'a> {
        Excerpt { input, offset: self.0.offset }
    }

    /// Adds the outer step of a path: for hand-written codecs that call others.
    ///
    /// ```
    /// use binfmt::{Error, Step};
    /// let e = Error::message("bad", 0).within(Step::Index(3)).within(Step::Field("rows"));
    /// assert_eq!(e.path().to_string(), "rows[3]");
    /// ```
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn within(mut self, step: Step) -> Self {
        if step != Step::Field("") {
            self.0.path.push(step);
        }
        self
    }

    /// The same error, `bytes` further on: for decoders that were given a part of a larger input.
    ///
    /// ```
    /// let file = [0, 0, 0, 0, 9];
    /// let e = binfmt::from_slice::<bool>(&file[4..]).unwrap_err().shifted(4);
    /// assert_eq!(e.offset(), 4);
    /// ```
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn shifted(mut self, bytes: u64) -> Self {
        self.0.offset = self.0.offset.saturating_add(bytes);
        self
    }

    /// The end of the input inside of a longer item, of which so many bytes were still to come.
    #[cfg(feature = "std")]
    #[cold]
    #[inline(never)]
    pub(crate) fn of_item(mut self, item: u64) -> Self {
        if let ErrorKind::UnexpectedEnd { needed, .. } | ErrorKind::RegionEnd { needed, .. } =
            &mut self.0.kind
        {
            *needed = usize::try_from(item).unwrap_or(usize::MAX);
        }
        self
    }

    /// The error of a part of the input, as one of all of it: so many bytes, and so many rows, are before.
    #[cold]
    pub(crate) fn moved(mut self, bytes: u64, rows: usize) -> Self {
        self.0.offset = self.0.offset.saturating_add(bytes);
        if let Some(Step::Index(row)) = self.0.path.last_mut() {
            *row = row.saturating_add(rows);
        }
        self
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn relocate(mut self, kind: ErrorKind, offset: u64) -> Self {
        self.0.kind = kind;
        self.0.offset = offset;
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.path.is_empty() {
            write!(f, "{} ", self.path())?;
        }
        write!(f, "at byte {:#x}: {}", self.0.offset, self.0.kind)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("offset", &self.0.offset)
            .field("path", &self.path().to_string())
            .finish()
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.0.kind {
            #[cfg(feature = "std")]
            ErrorKind::Io(e) => Some(e),
            _ => None,
        }
    }
}

#[cfg(feature = "std")]
impl From<Error> for std::io::Error {
    /// Keeps the kind of an I/O error; the end of the input is `UnexpectedEof`, everything else `InvalidData`.
    fn from(e: Error) -> Self {
        let kind = match e.kind() {
            ErrorKind::Io(io) => io.kind(),
            ErrorKind::UnexpectedEnd { .. } => std::io::ErrorKind::UnexpectedEof,
            _ => std::io::ErrorKind::InvalidData,
        };
        std::io::Error::new(kind, e)
    }
}
