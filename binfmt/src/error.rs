//! What went wrong, where in the bytes, and at which field: as data and as one readable line.
//!
//! The source or sink makes the error, because it alone knows the offset. Generated code adds names only while the
//! error travels up, so a successful decode pays nothing for them.

use alloc::{borrow::Cow, boxed::Box, format, string::String, string::ToString, vec::Vec};
use core::fmt;

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

/// One step of a field path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// A field, by its name on the wire (a tuple field by its number).
    Field(&'static str),
    /// A column or another name that is known only at run time.
    Name(String),
    /// An element, by its index from 0.
    Index(usize),
}

/// What went wrong. The numbers are those of the bytes or of the value at fault.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input ended: more bytes would help.
    UnexpectedEnd {
        /// Bytes that the next part needs.
        needed: usize,
        /// Bytes that are there.
        remaining: usize,
    },
    /// A byte-sized region ended inside a value: more input would not help.
    RegionEnd {
        /// Bytes that the next part needs.
        needed: usize,
        /// Bytes that are left of the region.
        remaining: usize,
    },
    /// An output of fixed size is full.
    OutputFull {
        /// Bytes that the next part needs.
        needed: usize,
        /// Bytes of room that are left.
        remaining: usize,
    },
    /// A count or length that cannot be true of the bytes that remain.
    CountTooLarge {
        /// The count on the wire.
        count: u64,
        /// The least number of bytes that so many elements take.
        needed: u64,
        /// Bytes that remain; `None` on a stream, where the count exceeds what a program can hold.
        remaining: Option<u64>,
    },
    /// A length above its `max` (or `max_len`).
    LengthLimit {
        /// The length on the wire or of the value.
        length: u64,
        /// The limit.
        max: u64,
    },
    /// A negative length, or an inclusive one that is smaller than its own prefix.
    InvalidLength {
        /// The number on the wire.
        found: i128,
    },
    /// Nested deeper than the limit.
    DepthLimit {
        /// The limit that was reached.
        max: u32,
    },
    /// More memory asked for than the caller allowed.
    MemoryLimit {
        /// Bytes asked for.
        requested: usize,
        /// Bytes of the budget that are left.
        remaining: usize,
    },
    /// A presence byte that is neither "present" nor a code of a missing value.
    InvalidPresence {
        /// The byte.
        found: u8,
        /// The byte of a present value.
        present: u8,
        /// Smallest and largest byte of a missing value.
        missing: (u8, u8),
    },
    /// The body of a missing value holds other bytes than zeros, and the caller asked for strictness.
    MissingNotBlank,
    /// A bool that is neither 0 nor 1.
    InvalidBool {
        /// The byte.
        found: u8,
    },
    /// A tag that belongs to no variant.
    UnknownTag {
        /// The tag as text: a number, or the bytes.
        found: String,
        /// The name of the enum.
        of: &'static str,
    },
    /// Text that is not valid in its encoding.
    InvalidText {
        /// The encoding: `UTF-8`, `ASCII` or `Latin-1`.
        encoding: &'static str,
        /// Bytes (when writing: characters) before the first invalid one.
        valid_up_to: usize,
    },
    /// Text without the NUL that should end it.
    MissingNul,
    /// Text with a NUL inside, where a NUL would end it.
    EmbeddedNul,
    /// Fixed bytes that are different.
    Magic {
        /// The bytes that should be there.
        expected: Vec<u8>,
        /// The bytes that are there.
        found: Vec<u8>,
    },
    /// Padding that is not the fill byte, where `strict` asks for it.
    Padding {
        /// The fill byte.
        expected: u8,
        /// The first byte that differs.
        found: u8,
    },
    /// A value outside of its `range`.
    OutOfRange {
        /// The value.
        found: String,
        /// The range as it stands in the attribute.
        expected: &'static str,
    },
    /// When writing: a length or tag that its integer type cannot hold.
    PrefixOverflow {
        /// The number that should be written.
        value: u64,
        /// The largest that the type holds.
        max: u64,
    },
    /// A length that differs from the one that `count`, `len_of` or `each` gives.
    LengthMismatch {
        /// The length that the other field or expression gives.
        expected: i128,
        /// The length of the value.
        found: u64,
    },
    /// When writing: `Some` where the condition says absent, or `None` where it says present.
    PresenceMismatch {
        /// What the condition says.
        expected: bool,
    },
    /// When writing: a missing code that is not one of the codes of the format.
    InvalidMissingCode {
        /// The code.
        found: u8,
        /// Smallest and largest code.
        missing: (u8, u8),
    },
    /// When writing: a variant that contradicts the tag given from outside.
    VariantMismatch {
        /// The name of the enum.
        of: &'static str,
        /// The variant of the value.
        found: &'static str,
    },
    /// A value longer than the room that `pad_to` or a fixed size gives it.
    TooLong {
        /// Its size in bytes.
        found: u64,
        /// The room.
        max: u64,
    },
    /// Elements that do not end where `until` says, or end before.
    Until,
    /// An assertion of the layout that does not hold.
    Assertion {
        /// Its text.
        text: &'static str,
    },
    /// Bytes after the value.
    TrailingBytes {
        /// How many.
        count: u64,
    },
    /// Bytes left of a byte-sized region.
    UnconsumedRegion {
        /// How many.
        count: u64,
    },
    /// Borrowed data were asked of a stream, which cannot lend.
    CannotBorrow,
    /// An error of `map`, `try_map` or of a user's own codec.
    Message(Cow<'static, str>),
    /// The reader or writer failed.
    #[cfg(feature = "std")]
    Io(std::io::Error),
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
            ErrorKind::CountTooLarge { needed, remaining: Some(r), .. } if needed != u64::MAX => {
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

    #[cold]
    #[inline(never)]
    pub(crate) fn relocate(mut self, kind: ErrorKind, offset: u64) -> Self {
        self.0.kind = kind;
        self.0.offset = offset;
        self
    }
}

fn plural(n: u64) -> String {
    format!("{n} byte{}", if n == 1 { "" } else { "s" })
}

/// Bytes as text where they are printable ASCII, as hex otherwise.
fn bytes_text(b: &[u8]) -> String {
    if !b.is_empty() && b.iter().all(|c| (0x20..0x7f).contains(c)) {
        return format!("{:?}", String::from_utf8_lossy(b));
    }
    let mut s = String::new();
    for (i, c) in b.iter().enumerate() {
        s.push_str(&format!("{}{c:02x}", if i > 0 { " " } else { "" }));
    }
    s
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::UnexpectedEnd { needed, remaining } => {
                write!(f, "{} needed, {remaining} remain", plural(*needed as u64))
            }
            ErrorKind::RegionEnd { needed, remaining } => {
                write!(
                    f,
                    "{} needed, {remaining} remain of the region that the length before it gives",
                    plural(*needed as u64)
                )
            }
            ErrorKind::OutputFull { needed, remaining } => {
                write!(f, "room for {} needed, {remaining} remain in the output", plural(*needed as u64))
            }
            ErrorKind::CountTooLarge { count, needed, remaining: Some(r) } => {
                if *needed == u64::MAX {
                    write!(f, "count {count} is larger than the input can hold, {r} bytes remain")
                } else {
                    write!(f, "count {count} needs {}, {r} remain", plural(*needed))
                }
            }
            ErrorKind::CountTooLarge { count, .. } => {
                write!(f, "count {count} is larger than a program can hold")
            }
            ErrorKind::LengthLimit { length, max } => write!(f, "length {length} exceeds the limit of {max}"),
            ErrorKind::InvalidLength { found } => write!(f, "{found} is no valid length"),
            ErrorKind::DepthLimit { max } => write!(f, "nested deeper than {max} levels"),
            ErrorKind::MemoryLimit { requested, remaining } => {
                write!(f, "{} of memory needed, the limit leaves {remaining}", plural(*requested as u64))
            }
            ErrorKind::InvalidPresence { found, present, missing } => write!(
                f,
                "presence byte {found:#04x} is neither {present:#04x} (a value follows) nor a code of a missing value ({}..={})",
                missing.0, missing.1
            ),
            ErrorKind::MissingNotBlank => f.write_str("the bytes of a missing value are not all zero"),
            ErrorKind::InvalidBool { found } => write!(f, "{found:#04x} is no bool, expected 0 or 1"),
            ErrorKind::UnknownTag { found, of } => write!(f, "{found} is no tag of {of}"),
            ErrorKind::InvalidText { encoding, .. } => write!(f, "invalid {encoding} text"),
            ErrorKind::MissingNul => f.write_str("text without the NUL that ends it"),
            ErrorKind::EmbeddedNul => f.write_str("a NUL inside text that a NUL ends"),
            ErrorKind::Magic { expected, found } => {
                write!(f, "expected the bytes {}, found {}", bytes_text(expected), bytes_text(found))
            }
            ErrorKind::Padding { expected, found } => {
                write!(f, "padding byte {found:#04x}, expected {expected:#04x}")
            }
            ErrorKind::OutOfRange { found, expected } => write!(f, "{found} is not in {expected}"),
            ErrorKind::PrefixOverflow { value, max } => {
                write!(f, "length {value} does not fit its prefix, which holds at most {max}")
            }
            ErrorKind::LengthMismatch { expected, found } => {
                write!(f, "the layout gives a length of {expected}, the value has {found}")
            }
            ErrorKind::PresenceMismatch { expected: true } => {
                f.write_str("None, where the condition says that a value is present")
            }
            ErrorKind::PresenceMismatch { expected: false } => {
                f.write_str("Some, where the condition says that no value is present")
            }
            ErrorKind::InvalidMissingCode { found, missing } => {
                write!(f, "missing code {found} is outside of {}..={}", missing.0, missing.1)
            }
            ErrorKind::VariantMismatch { of, found } => {
                write!(f, "variant {of}::{found} contradicts the tag")
            }
            ErrorKind::TooLong { found, max } => write!(f, "{} long, at most {max} fit", plural(*found)),
            ErrorKind::Until => {
                f.write_str("the last element, and no other, must be the one that ends the sequence")
            }
            ErrorKind::Assertion { text } => f.write_str(text),
            ErrorKind::TrailingBytes { count } => write!(f, "{} after the value", plural(*count)),
            ErrorKind::UnconsumedRegion { count } => {
                write!(f, "{} left over of the region that the length before it gives", plural(*count))
            }
            ErrorKind::CannotBorrow => f.write_str("a stream cannot lend bytes: decode into an owned type"),
            ErrorKind::Message(text) => f.write_str(text),
            #[cfg(feature = "std")]
            ErrorKind::Io(e) => write!(f, "{e}"),
        }
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

/// The path of a field, outermost step first. Prints as `fragment.tile_offsets[3]`.
#[derive(Clone, Copy)]
pub struct Path<'a>(&'a [Step]);

impl<'a> Path<'a> {
    /// The steps, outermost first.
    ///
    /// ```
    /// use binfmt::Step;
    /// let e = binfmt::from_slice::<[u16; 2]>(&[1, 2, 3]).unwrap_err();
    /// assert_eq!(e.path().steps().count(), 0); // a whole array of numbers is read at once
    /// let e = binfmt::from_slice::<[bool; 2]>(&[1, 2]).unwrap_err();
    /// assert_eq!(e.path().steps().next(), Some(&Step::Index(1)));
    /// ```
    pub fn steps(self) -> impl Iterator<Item = &'a Step> {
        self.0.iter().rev()
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps().enumerate() {
            match step {
                Step::Field(name) => write!(f, "{}{name}", if i > 0 { "." } else { "" })?,
                Step::Name(name) => write!(f, "{}{name}", if i > 0 { "." } else { "" })?,
                Step::Index(k) => write!(f, "[{k}]")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({self})")
    }
}

/// The bytes around an offset: one row of up to 16, with `>` before the byte at fault.
#[derive(Clone, Copy, Debug)]
pub struct Excerpt<'a> {
    input: &'a [u8],
    offset: u64,
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = usize::try_from(self.offset).unwrap_or(usize::MAX).min(self.input.len());
        let from = at.saturating_sub(8);
        let to = from.saturating_add(16).min(self.input.len());
        write!(f, "{from:#010x} ")?;
        for (i, b) in self.input.iter().enumerate().take(to).skip(from) {
            write!(f, "{}{b:02x}", if i == at { '>' } else { ' ' })?;
        }
        if at == self.input.len() { f.write_str(">end") } else { Ok(()) }
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
