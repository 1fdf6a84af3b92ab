//! How each kind of error reads.

#[cfg(feature = "alloc")]
use super::custom::{dims_text, unknown_name};
use super::kind::{ErrorKind, KeyProblem};
use super::text::{bytes_text, plural, unaligned};
#[cfg(feature = "alloc")]
use super::variants::show;
use core::fmt;

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::UnexpectedEnd { needed, remaining } => {
                write!(f, "{} needed, {remaining} remain", plural(*needed as u64))
            }
            ErrorKind::RegionEnd { needed, remaining } => {
                write!(f, "{} needed, {remaining} remain in the region", plural(*needed as u64))
            }
            ErrorKind::OutputFull { needed, remaining } => {
                write!(f, "{} of room needed, {remaining} remain in the output", plural(*needed as u64))
            }
            ErrorKind::OutputLimit { needed, remaining } => write!(
                f,
                "{} would be written, `Options::max_output` leaves {remaining}",
                plural(*needed as u64)
            ),
            ErrorKind::CountTooLarge { count, needed, remaining: Some(r), .. } => {
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
            ErrorKind::TooManyEmpty { count, max } => write!(
                f,
                "length {count} exceeds the limit of {max} for elements of zero size, which no option raises"
            ),
            #[cfg(feature = "alloc")]
            ErrorKind::DimensionsOverflow { dims } => {
                write!(f, "the product of the dimensions {} overflows", dims_text(dims))
            }
            ErrorKind::InvalidLength { found } => write!(f, "{found} is not a valid length"),
            ErrorKind::DepthLimit { max } => write!(f, "nested deeper than {max} levels"),
            ErrorKind::NoPosition { position, .. } if *position < 0 => {
                write!(f, "position {position} is before the first byte")
            }
            ErrorKind::NoPosition { position, end, in_region } => {
                let what = if *in_region { "region" } else { "input" };
                write!(f, "position {position} is beyond the end of the {what}, {end}")
            }
            ErrorKind::ForwardOnly => f.write_str(
                "this part lies elsewhere, and a stream is only read forward: use `from_slice` or `from_seeker`",
            ),
            ErrorKind::JumpLimit => {
                f.write_str("more parts that lie elsewhere than `Options::max_jumps` allows")
            }
            ErrorKind::JumpBytesLimit { requested, remaining } => write!(
                f,
                "{} in a part that lies elsewhere, `Options::max_jump_bytes` leaves {remaining}",
                plural(*requested)
            ),
            ErrorKind::Overlap { position, other: Some(other) } => {
                write!(f, "this part and `{other}` are at position {position}, and their bytes differ")
            }
            ErrorKind::Overlap { position, other: None } => {
                write!(f, "two parts are at position {position}, and their bytes differ")
            }
            ErrorKind::MemoryLimit { requested, remaining } => {
                write!(f, "{} of memory needed, the limit leaves {remaining}", plural(*requested as u64))
            }
            ErrorKind::OutOfMemory { requested } => {
                write!(f, "cannot allocate {}", plural(*requested as u64))
            }
            ErrorKind::InvalidPresence { found, present, missing } => write!(
                f,
                "presence byte {found:#04x} is neither {present:#04x} (a value follows) nor a code of a missing value ({}..={})",
                missing.0, missing.1
            ),
            ErrorKind::MissingNotBlank => f.write_str("the bytes of a missing value are not all zero"),
            ErrorKind::InvalidBool { found } => write!(f, "{found:#04x} is not a bool, expected 0 or 1"),
            ErrorKind::UnknownTag { found, of } => write!(f, "{found} is not a tag of {of}"),
            #[cfg(feature = "alloc")]
            ErrorKind::NoVariant { of, errors } => show(f, of, errors),
            ErrorKind::TryLimit => {
                f.write_str("variants without a tag are tried more often than an input of this size needs")
            }
            ErrorKind::ReadAsAnother { of, found, earlier, with_more } => {
                let verb = if *with_more { "can be" } else { "would be" };
                let more = if *with_more { ", with bytes that follow it" } else { "" };
                write!(f, "variant {of}::{found} {verb} read back as {of}::{earlier}{more}")
            }
            ErrorKind::InvalidText { encoding, .. } => write!(f, "invalid {encoding} text"),
            ErrorKind::BitOverflow { value, bits } => {
                write!(f, "{value} does not fit in {bits} bit{}", if *bits == 1 { "" } else { "s" })
            }
            ErrorKind::Unterminated { end, remaining, in_region, .. } => {
                let place = if *in_region { " in the region" } else { "" };
                let verb = if *remaining == 1 { "remains" } else { "remain" };
                match end.iter().all(|byte| *byte == 0) {
                    true => f.write_str("no NUL")?,
                    false => write!(f, "no terminator {}", bytes_text(end))?,
                }
                write!(f, " in the {} that {verb}{place}", plural(*remaining as u64))
            }
            ErrorKind::MissingNul => f.write_str("text without its terminating NUL"),
            ErrorKind::EmbeddedNul => f.write_str("NUL inside NUL-terminated text"),
            ErrorKind::MissingEnd { end } => write!(f, "text without its terminator {}", bytes_text(end)),
            ErrorKind::TrimmedEnd { byte } => {
                write!(f, "text that ends with {}, which is taken off when it is read", bytes_text(&[*byte]))
            }
            ErrorKind::EmbeddedEnd { end } => write!(f, "terminator {} inside the text", bytes_text(end)),
            ErrorKind::Magic { expected, found } => {
                write!(f, "expected the bytes {}, found {}", bytes_text(expected), bytes_text(found))
            }
            ErrorKind::Padding { expected, found } => {
                write!(f, "padding byte {found:#04x}, expected {expected:#04x}")
            }
            ErrorKind::OutOfRange { found, expected } => write!(f, "{found} is not in {expected}"),
            ErrorKind::PrefixOverflow { value, max } => {
                write!(f, "length {value} does not fit in its prefix, which holds at most {max}")
            }
            ErrorKind::PaddedInteger { form } => write!(f, "{form} with more bytes than the integer needs"),
            ErrorKind::IntegerTooLarge { form, bytes } => {
                write!(f, "{form} does not fit in {} bits", u32::from(*bytes) * 8)
            }
            ErrorKind::IntegerOverflow { found, bits, signed } => {
                write!(f, "{found} does not fit in {}{bits}", if *signed { 'i' } else { 'u' })
            }
            ErrorKind::LengthMismatch { expected, found } => {
                write!(f, "the layout requires a length of {expected}, the value has {found}")
            }
            // an expression without a value is told as the largest number
            ErrorKind::Computed { text, expected: i128::MAX, found } => {
                write!(f, "found {found}, and `{text}` has no value")
            }
            ErrorKind::Computed { text, expected, found } => {
                write!(f, "expected {expected} (`{text}`), found {found}")
            }
            ErrorKind::Checksum { found, expected } => {
                write!(f, "checksum is {found}, the bytes give {expected}")
            }
            ErrorKind::PresenceMismatch { expected } => f.write_str(match expected {
                true => "None, where the condition says that a value is present",
                false => "Some, where the condition says that no value is present",
            }),
            ErrorKind::Otherwise { text } => {
                write!(f, "a value other than `{text}`, where the condition says that no value is present")
            }
            ErrorKind::Peek => f.write_str("the value is not what is written after it, where it is read"),
            ErrorKind::InvalidMissingCode { found, missing } => {
                write!(f, "missing code {found} is outside {}..={}", missing.0, missing.1)
            }
            ErrorKind::VariantMismatch { of, found } => {
                write!(f, "variant {of}::{found} contradicts the tag")
            }
            ErrorKind::TooLong { found, max } => write!(f, "{} long, at most {max} fit", plural(*found)),
            ErrorKind::Until => f.write_str("`until` must hold for the last element and for no other"),
            ErrorKind::Assertion { text } => f.write_str(text),
            ErrorKind::TrailingBytes { count } => write!(f, "{} after the value", plural(*count)),
            ErrorKind::UnconsumedRegion { count } => {
                write!(f, "{} left over in the region", plural(*count))
            }
            ErrorKind::Endless => f.write_str("elements of zero size never reach the end of the input"),
            ErrorKind::Unaligned { align, beyond } => unaligned(f, *align, *beyond),
            ErrorKind::CannotBorrow => f.write_str("a stream cannot lend bytes: decode into an owned type"),
            #[cfg(feature = "alloc")]
            ErrorKind::UnknownName { of, name, known } => unknown_name(f, of, name, known),
            ErrorKind::Missing { of, name } => write!(f, "missing {of} `{name}`"),
            ErrorKind::Duplicate { of, name } => write!(f, "duplicate {of} `{name}`"),
            ErrorKind::DuplicateKey => f.write_str("the key is there already"),
            ErrorKind::UnknownCode { of, code } => write!(f, "unknown {of} {code}"),
            ErrorKind::Invalid { of, found, reason } => {
                let space = if found.is_empty() { "" } else { " " };
                let colon = if reason.is_empty() { "" } else { ": " };
                write!(f, "invalid {of}{space}{found}{colon}{reason}")
            }
            ErrorKind::UnsupportedVersion { found, writer: "", expected } => {
                write!(f, "unsupported format version {found}, expected {expected}")
            }
            ErrorKind::UnsupportedVersion { found, writer, expected } => {
                write!(f, "unsupported format version {found}, which {writer} writes; expected {expected}")
            }
            ErrorKind::Unsupported { by, feature } => write!(f, "{by} does not support {feature}"),
            ErrorKind::Mismatch { of, expected, found } => {
                let colon = if of.is_empty() { "" } else { ": " };
                write!(f, "{of}{colon}expected {expected}, found {found}")
            }
            ErrorKind::CountMismatch { of, expected, found } => {
                write!(f, "expected {expected} {of}, found {found}")
            }
            ErrorKind::Key(KeyProblem::Missing) => f.write_str("encrypted: a key is needed"),
            ErrorKind::Key(KeyProblem::Wrong) => f.write_str("wrong key, or damaged data"),
            ErrorKind::Key(KeyProblem::Unneeded) => f.write_str("not encrypted, but a key was given"),
            ErrorKind::MissingFile { consequence: "" } => f.write_str("no such file"),
            ErrorKind::MissingFile { consequence } => write!(f, "no such file: {consequence}"),
            ErrorKind::SizeLimit { of, size: Some(size), max } => {
                write!(f, "{of} of {} exceeds the limit of {max}", plural(*size))
            }
            ErrorKind::SizeLimit { of, size: None, max } => {
                write!(f, "{of} exceeds the limit of {}", plural(*max))
            }
            ErrorKind::TooLarge { of } => write!(f, "{of} does not fit in memory"),
            ErrorKind::Codec { codec, reason } => write!(f, "{codec}: {reason}"),
            #[cfg(feature = "alloc")]
            ErrorKind::Custom(error) => write!(f, "{error}"),
            ErrorKind::Message(text) => f.write_str(text),
            #[cfg(feature = "std")]
            ErrorKind::Io(e) => write!(f, "{e}"),
        }
    }
}
