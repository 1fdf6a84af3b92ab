//! The kinds of errors.

#[cfg(feature = "alloc")]
use super::Error;
use super::owned::{Bytes, Static, String};
#[cfg(feature = "alloc")]
use alloc::{boxed::Box, vec::Vec};

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
    /// More bytes would be written than [`max_output`](crate::Options::max_output) allows.
    OutputLimit {
        /// Bytes that the next part needs.
        needed: usize,
        /// Bytes that may still be written.
        remaining: u64,
    },
    /// A count or length that cannot be true of the bytes that remain.
    CountTooLarge {
        /// The count on the wire.
        count: u64,
        /// The least number of bytes that this many elements take.
        needed: u64,
        /// Bytes that remain; `None` on a stream, where the count exceeds what a program can hold.
        remaining: Option<u64>,
        /// Whether a byte-sized region ends there, so that more input would not help.
        in_region: bool,
    },
    /// A length above its `max` (or `max_len`).
    LengthLimit {
        /// The length on the wire or of the value.
        length: u64,
        /// The limit.
        max: u64,
    },
    /// More elements without a byte than are read: nothing in the input bounds their number. No option raises this limit.
    TooManyEmpty {
        /// The count.
        count: u64,
        /// The limit: 65,536, and fewer when each takes memory.
        max: u64,
    },
    /// Dimensions of an array whose product is larger than any number of elements.
    #[cfg(feature = "alloc")]
    DimensionsOverflow {
        /// The dimensions, the outermost first.
        dims: Vec<u64>,
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
    /// A part that lies elsewhere (`at`), at a position where the input or region has none.
    NoPosition {
        /// The position, from the first byte of the input.
        position: i128,
        /// Where the input or region ends.
        end: u64,
        /// Whether a byte-sized region ends there, so that more input would not help.
        in_region: bool,
    },
    /// A part that lies elsewhere (`at`), in an input that is only read forward.
    ForwardOnly,
    /// More parts that lie elsewhere than the caller allowed: [`Options::max_jumps`](crate::Options::max_jumps).
    JumpLimit,
    /// More bytes in parts that lie elsewhere than the caller allowed:
    /// [`Options::max_jump_bytes`](crate::Options::max_jump_bytes).
    JumpBytesLimit {
        /// Bytes of the part.
        requested: u64,
        /// Bytes that were left.
        remaining: u64,
    },
    /// When writing: two parts that are at one place and say different bytes.
    Overlap {
        /// The position, from the first byte of the output.
        position: u64,
        /// The path of the other one, where it is known; the error has that of one.
        other: Option<String>,
    },
    /// More memory asked for than the caller allowed.
    MemoryLimit {
        /// Bytes asked for.
        requested: usize,
        /// Bytes of the budget that are left.
        remaining: usize,
    },
    /// More memory needed than the system has.
    OutOfMemory {
        /// Bytes asked for.
        requested: usize,
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
        of: Static,
    },
    /// Bytes that no variant of an enum without a tag (`untagged`) takes.
    #[cfg(feature = "alloc")]
    NoVariant {
        /// The name of the enum.
        of: Static,
        /// Why not, in the order in which they were tried: the path of each error begins with the name of the variant. Of one that contains
        /// such an enum itself it is the error of the variant in there that got farthest.
        errors: Vec<Error>,
    },
    /// Variants of enums without a tag (`untagged`) that were tried in vain more often than an input of this size may make necessary.
    TryLimit,
    /// When writing: a variant of an enum without a tag (`untagged`) that would be read back as another one.
    ReadAsAnother {
        /// The name of the enum.
        of: Static,
        /// The variant of the value.
        found: Static,
        /// The variant that is tried before it and takes its bytes.
        earlier: Static,
        /// Whether it takes bytes that follow, too: at the end of an input or region the value is read as what it is.
        with_more: bool,
    },
    /// Text that is not valid in its encoding.
    InvalidText {
        /// The encoding: `UTF-8`, `ASCII` or `Latin-1`.
        encoding: &'static str,
        /// Bytes (when writing: characters) before the first invalid one.
        valid_up_to: usize,
    },
    /// A value that does not fit the bits of its field.
    BitOverflow {
        /// The value.
        value: i128,
        /// The bits of the field.
        bits: u8,
    },
    /// The input or a region ended before the bytes that end a text.
    Unterminated {
        /// The bytes, a NUL or those of `ends`.
        end: Bytes,
        /// Bytes that the text takes at least.
        needed: usize,
        /// Bytes that are there.
        remaining: usize,
        /// Whether a byte-sized region ends there, so that more input would not help.
        in_region: bool,
    },
    /// Text without the NUL that should end it.
    MissingNul,
    /// Text with a NUL inside, where a NUL would end it.
    EmbeddedNul,
    /// Text without the bytes that should end it and be part of it.
    MissingEnd {
        /// The bytes.
        end: Bytes,
    },
    /// Text that ends with the filling which is taken off when it is read.
    TrimmedEnd {
        /// The byte of the filling.
        byte: u8,
    },
    /// Text with the bytes inside that would end it.
    EmbeddedEnd {
        /// The bytes.
        end: Bytes,
    },
    /// Fixed bytes that are different.
    Magic {
        /// The bytes that should be there.
        expected: Bytes,
        /// The bytes that are there.
        found: Bytes,
    },
    /// Padding that is not the fill byte, where `strict` asks for it.
    Padding {
        /// The fill byte.
        expected: u8,
        /// The first byte that differs.
        found: u8,
    },
    /// A value outside its `range`.
    OutOfRange {
        /// The value.
        found: String,
        /// The range as it stands in the attribute or description.
        expected: Static,
    },
    /// When writing: a length or tag that its integer type cannot hold.
    PrefixOverflow {
        /// The number that should be written.
        value: u64,
        /// The largest that the type holds.
        max: u64,
    },
    /// An integer of variable length that is longer than it needs to be.
    PaddedInteger {
        /// How it is written: `leb128`.
        form: &'static str,
    },
    /// An integer of variable length that is larger than its type, or longer than any of it.
    IntegerTooLarge {
        /// How it is written: `leb128`.
        form: &'static str,
        /// Bytes of its type.
        bytes: u8,
    },
    /// An integer that does not fit in the type that it is read into or written as.
    IntegerOverflow {
        /// The integer, and what it is (`position 301`) if that is not the value itself.
        found: String,
        /// Bits of the type.
        bits: u32,
        /// Whether the type has negative numbers.
        signed: bool,
    },
    /// A length that differs from the one that `count`, `len_of` or `each` gives.
    LengthMismatch {
        /// The length that the other field or expression gives.
        expected: i128,
        /// The length of the value.
        found: u64,
    },
    /// A number that is not the one that its expression gives.
    Computed {
        /// The expression.
        text: &'static str,
        /// The number that it gives.
        expected: i128,
        /// The number that was read.
        found: i128,
    },
    /// A checksum that is not what the bytes give.
    Checksum {
        /// The checksum that was read.
        found: String,
        /// What the bytes give.
        expected: String,
    },
    /// When writing: `Some` where the condition says absent, or `None` where it says present.
    PresenceMismatch {
        /// What the condition says.
        expected: bool,
    },
    /// When writing: a value that is not the one of `else`, where the condition says that there are no bytes.
    Otherwise {
        /// The value of `else`, as it stands in the attribute or description.
        text: Static,
    },
    /// When writing: a value that was said to come next (`peek`), and other bytes were written there.
    Peek,
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
        text: Static,
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
    /// Elements that take no byte, up to the end of the input: it is never reached.
    Endless,
    /// Borrowed data were asked of a stream, which cannot lend.
    CannotBorrow,
    /// A slice of values is lent from memory that is not aligned for them: `Vec<T>` and [`Records`](crate::Records) take any memory.
    Unaligned {
        /// What the address of the first of them is a multiple of.
        align: usize,
        /// How many bytes beyond such a multiple it is.
        beyond: usize,
    },
    /// A name that is not among those that there are.
    #[cfg(feature = "alloc")]
    UnknownName {
        /// What is named: `column`, `attribute`.
        of: &'static str,
        /// The name.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// Something that must be there, by its name.
    Missing {
        /// What is missing: `column`, `field`.
        of: &'static str,
        /// Its name.
        name: String,
    },
    /// A name that something else has already.
    Duplicate {
        /// What is named.
        of: &'static str,
        /// The name.
        name: String,
    },
    /// A key of a map, or an element of a set, that was there before.
    DuplicateKey,
    /// A number in the file that means nothing in this version of the format.
    UnknownCode {
        /// What it is the number of: `filter`, `datatype`.
        of: &'static str,
        /// The number.
        code: u64,
    },
    /// A value that cannot be what it stands for.
    Invalid {
        /// What it stands for: `tile extent`, `range`.
        of: &'static str,
        /// The value; may be empty.
        found: String,
        /// Why not; may be empty.
        reason: Static,
    },
    /// Data of a version that is not read.
    UnsupportedVersion {
        /// The version.
        found: u64,
        /// The software that writes this version, if it is known.
        writer: &'static str,
        /// The version that is read.
        expected: u64,
    },
    /// What a format, filter or function cannot do.
    Unsupported {
        /// The format, filter or function.
        by: &'static str,
        /// What it does not support.
        feature: Static,
    },
    /// A value, type or word that is not the one that belongs there.
    Mismatch {
        /// What it is about, where the path does not say so: ``column `x` ``; may be empty.
        of: Static,
        /// What belongs there.
        expected: Static,
        /// What is there.
        found: Static,
    },
    /// Another number of things than there must be.
    CountMismatch {
        /// Which things: `bytes`, `tiles`.
        of: &'static str,
        /// How many there must be.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// Data that need a key, or another one, or none.
    Key(KeyProblem),
    /// A file that must be there. The path of the error names it.
    MissingFile {
        /// What follows from it, such as `this is not a TileDB array`; may be empty.
        consequence: &'static str,
    },
    /// More bytes than the caller allowed.
    SizeLimit {
        /// What is so large: `tile`, `line`.
        of: Static,
        /// Its bytes, where they are known.
        size: Option<u64>,
        /// The limit.
        max: u64,
    },
    /// More than a program can hold.
    TooLarge {
        /// What is so large.
        of: &'static str,
    },
    /// Data that a filter or compressor refuses.
    Codec {
        /// The filter or compressor.
        codec: &'static str,
        /// Its reason.
        reason: Static,
    },
    /// An error of the user's own type, of `try_map`, `assert` or a codec: [`Error::downcast_ref`](super::Error::downcast_ref).
    #[cfg(feature = "alloc")]
    Custom(Box<dyn core::error::Error + Send + Sync>),
    /// An error of `map`, `try_map` or of a user's own codec, or a contradiction without a kind of its own.
    Message(Static),
    /// The reader or writer failed.
    #[cfg(feature = "std")]
    Io(std::io::Error),
}

/// What is wrong with the key of encrypted data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyProblem {
    /// The data are encrypted, and there is no key.
    Missing,
    /// The key is not the one that they were encrypted with, or they are damaged.
    Wrong,
    /// There is a key, and the data are not encrypted.
    Unneeded,
}
