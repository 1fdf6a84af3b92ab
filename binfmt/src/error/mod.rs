//! What went wrong, at which byte (where it is about one) and at which field: as data and as one readable line.
//!
//! The source or sink makes the error, because it alone knows the offset. Generated code adds names only while the
//! error travels up, so a successful decode pays nothing for them.

use core::fmt;
use core::mem::discriminant;
use owned::{Held, Static, Steps, hold};

#[cfg(feature = "alloc")]
mod custom;
mod display;
#[cfg(feature = "alloc")]
pub(crate) mod heap;
#[cfg(not(feature = "alloc"))]
pub(crate) mod inline;
mod kind;
mod make;
mod path;
#[cfg(feature = "alloc")]
mod tell;
mod text;
#[cfg(feature = "alloc")]
mod variants;

/// What errors own, with a heap and without.
#[cfg(feature = "alloc")]
pub(crate) use heap as owned;
#[cfg(not(feature = "alloc"))]
pub(crate) use inline as owned;

pub use kind::{ErrorKind, KeyProblem};
pub use path::{Excerpt, Path, Step};

/// The result of every fallible function of this crate.
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// An error with its field path, and its byte offset where it is about a byte.
///
/// One word wide, so that a `Result` of it costs as little as possible. Without the feature `alloc` it carries all this by value,
/// of the path only the innermost step, and of texts and bytes as much as fits.
///
/// ```
/// let e = binfmt::from_slice::<(u8, u32)>(&[1, 2, 3]).unwrap_err();
/// assert_eq!(e.offset(), Some(1));
/// assert_eq!(e.path().to_string(), "1");
/// assert!(e.is_incomplete());
/// assert_eq!(e.needed(), Some(2));
/// assert_eq!(e.to_string(), "1 at byte 0x1: 4 bytes needed, 2 remain");
/// ```
pub struct Error(Held);

struct Inner {
    kind: ErrorKind,
    offset: Option<u64>,
    /// Innermost first: names are pushed while the error travels up.
    path: Steps,
}

impl Error {
    /// An error at a byte offset, without a path: for hand-written codecs. `Error::from(kind)` is one without a byte.
    ///
    /// ```
    /// use binfmt::{Error, ErrorKind};
    /// let e = Error::new(ErrorKind::Message("not a leap year".into()), 12);
    /// assert_eq!(e.to_string(), "at byte 0xc: not a leap year");
    /// ```
    #[cold]
    #[inline(never)]
    pub fn new(kind: ErrorKind, offset: u64) -> Self {
        Error(hold(Inner { kind, offset: Some(offset), path: Steps::new() }))
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

    /// An error with a text of the caller's own, at a byte offset.
    ///
    /// ```
    /// let e = binfmt::Error::message("no such page", 3);
    /// assert_eq!(e.offset(), Some(3));
    /// ```
    #[cold]
    #[inline(never)]
    pub fn message(text: impl Into<Static>, offset: u64) -> Self {
        Error::new(ErrorKind::Message(text.into()), offset)
    }

    /// An error with a text of the caller's own that is not about a byte.
    ///
    /// ```
    /// use binfmt::{Error, Step};
    /// let e = Error::other("two fields have this name").within(Step::Field("columns"));
    /// assert_eq!((e.offset(), e.to_string().as_str()), (None, "columns: two fields have this name"));
    /// ```
    #[cold]
    #[inline(never)]
    pub fn other(text: impl Into<Static>) -> Self {
        Error::from(ErrorKind::Message(text.into()))
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

    /// The byte offset of the part at fault, from the first byte of the input or output; `None` where the error is not
    /// about a byte, such as that of a column that does not exist.
    ///
    /// For a length that promises more than there is, a slice names the length, because it knows what remains; a stream
    /// names the place where the bytes ran out.
    ///
    /// ```
    /// assert_eq!(binfmt::from_slice::<(u16, bool)>(&[0, 0, 7]).unwrap_err().offset(), Some(2));
    /// ```
    pub fn offset(&self) -> Option<u64> {
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
            ErrorKind::UnexpectedEnd { needed, remaining }
            | ErrorKind::Unterminated { needed, remaining, in_region: false, .. } => {
                Some((needed as u64).saturating_sub(remaining as u64))
            }
            ErrorKind::CountTooLarge { needed, remaining: Some(r), in_region: false, .. }
                if needed != u64::MAX =>
            {
                Some(needed.saturating_sub(r))
            }
            ErrorKind::NoPosition { position, end, in_region: false } if position > 0 => {
                Some(u64::try_from(position).unwrap_or(u64::MAX).saturating_sub(end))
            }
            #[cfg(feature = "alloc")]
            ErrorKind::NoVariant { ref errors, .. } => variants::needed(errors),
            _ => None,
        }
    }

    /// Whether the bytes did not fit, and others may: not that of a limit, of the reader, or of the memory that they are in.
    pub(crate) fn is_of_bytes(&self) -> bool {
        #[cfg(feature = "std")]
        if let ErrorKind::Io(_) = self.0.kind {
            return false;
        }
        !self.0.kind.is_of_memory()
            && !matches!(
                self.0.kind,
                ErrorKind::DepthLimit { .. }
                    | ErrorKind::TooManyEmpty { .. }
                    | ErrorKind::JumpLimit
                    | ErrorKind::JumpBytesLimit { .. }
                    | ErrorKind::TryLimit
                    | ErrorKind::ForwardOnly
                    | ErrorKind::CannotBorrow
                    | ErrorKind::Unaligned { .. }
                    | ErrorKind::Unsupported { .. }
            )
    }

    /// The bytes around the place, for people: pass the whole input. Prints as nothing where the error is not about a byte.
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

    /// The same error, `bytes` further on: for decoders that were given a part of a larger input. One without a byte stays
    /// without.
    ///
    /// ```
    /// let file = [0, 0, 0, 0, 9];
    /// let e = binfmt::from_slice::<bool>(&file[4..]).unwrap_err().shifted(4);
    /// assert_eq!(e.offset(), Some(4));
    /// ```
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn shifted(mut self, bytes: u64) -> Self {
        let shift = |offset: &mut Option<u64>| *offset = offset.map(|at| at.saturating_add(bytes));
        shift(&mut self.0.offset);
        #[cfg(feature = "alloc")]
        self.parts().iter_mut().for_each(|part| shift(&mut part.0.offset));
        self
    }

    /// Whether two errors say the same of the same part, regardless of where it is.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        discriminant(self.kind()) == discriminant(other.kind())
            && self.path().steps().eq(other.path().steps())
    }

    /// The same error, at this byte if it is at none: for decoders that know where a part begins whose error does not.
    ///
    /// ```
    /// use binfmt::Error;
    /// assert_eq!(Error::other("wrong key").or_at(4).to_string(), "at byte 0x4: wrong key");
    /// assert_eq!(Error::message("wrong key", 2).or_at(4).offset(), Some(2));
    /// ```
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn or_at(mut self, offset: u64) -> Self {
        self.0.offset = self.0.offset.or(Some(offset));
        self
    }

    /// The end of the input or region in a text that these bytes end.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub(crate) fn unterminated(mut self, end: &[u8]) -> Self {
        let (needed, remaining, in_region) = match self.0.kind {
            ErrorKind::UnexpectedEnd { needed, remaining } => (needed, remaining, false),
            ErrorKind::RegionEnd { needed, remaining } => (needed, remaining, true),
            _ => return self,
        };
        self.0.kind = ErrorKind::Unterminated { end: end.into(), needed, remaining, in_region };
        self
    }

    /// The end of the input inside a longer item, of which that many bytes were still to come.
    #[cfg(feature = "alloc")]
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

    /// The error of a part of the input, as one of all of it: that many bytes, and that many rows, are before.
    #[cfg(any(feature = "dynamic", feature = "dump", all(feature = "futhark", feature = "std")))]
    #[cold]
    pub(crate) fn moved(mut self, bytes: u64, rows: usize) -> Self {
        self = self.shifted(bytes);
        if let Some(Step::Index(row)) = self.0.path.last_mut() {
            *row = row.saturating_add(rows);
        }
        self
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn relocate(mut self, kind: ErrorKind, offset: u64) -> Self {
        self.0.kind = kind;
        self.0.offset = Some(offset);
        self
    }

    /// What this says, at the path of another one.
    #[cfg(feature = "alloc")]
    #[cold]
    #[inline(never)]
    pub(crate) fn at_path_of(mut self, mut other: Error) -> Self {
        core::mem::swap(&mut self.0.kind, &mut other.0.kind);
        other.0.offset = self.0.offset;
        other
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path();
        match (self.0.path.is_empty(), self.0.offset) {
            (true, None) => {}
            (false, None) => write!(f, "{path}: ")?,
            (true, Some(offset)) => write!(f, "at byte {offset:#x}: ")?,
            (false, Some(offset)) => write!(f, "{path} at byte {offset:#x}: ")?,
        }
        write!(f, "{}", self.0.kind)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("offset", &self.0.offset)
            .field("path", &format_args!("\"{}\"", self.path()))
            .finish()
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match &self.0.kind {
            #[cfg(feature = "std")]
            ErrorKind::Io(e) => Some(e),
            #[cfg(feature = "alloc")]
            ErrorKind::Custom(e) => Some(&**e),
            _ => None,
        }
    }
}

impl From<ErrorKind> for Error {
    /// An error that is not about a byte.
    #[cold]
    #[inline(never)]
    fn from(kind: ErrorKind) -> Self {
        Error(hold(Inner { kind, offset: None, path: Steps::new() }))
    }
}

#[cfg(feature = "std")]
impl From<std::io::Error> for Error {
    /// What the system refuses: to open a file, for example.
    #[cold]
    fn from(e: std::io::Error) -> Self {
        Error::from(ErrorKind::Io(e))
    }
}

#[cfg(feature = "std")]
impl From<Error> for std::io::Error {
    /// Keeps the kind of an I/O error; the end of the input is `UnexpectedEof`, a missing file
    /// `NotFound`, what is not supported `Unsupported`, memory that the system does not have `OutOfMemory`, everything else
    /// `InvalidData`.
    fn from(e: Error) -> Self {
        let kind = match e.kind() {
            ErrorKind::Io(io) => io.kind(),
            ErrorKind::UnexpectedEnd { .. } | ErrorKind::Unterminated { in_region: false, .. } => {
                std::io::ErrorKind::UnexpectedEof
            }
            ErrorKind::MissingFile { .. } => std::io::ErrorKind::NotFound,
            ErrorKind::Unsupported { .. } | ErrorKind::UnsupportedVersion { .. } => {
                std::io::ErrorKind::Unsupported
            }
            ErrorKind::OutOfMemory { .. } => std::io::ErrorKind::OutOfMemory,
            _ => std::io::ErrorKind::InvalidData,
        };
        std::io::Error::new(kind, e)
    }
}
