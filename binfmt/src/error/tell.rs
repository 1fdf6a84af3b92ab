//! What was expected and what was found, each as a text of its own.

use super::text::{bytes_text, plural};
use super::{Error, ErrorKind};
use alloc::format;
use alloc::string::{String, ToString};

impl Error {
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
            | ErrorKind::OutputFull { needed, .. }
            | ErrorKind::OutputLimit { needed, .. } => format!("{needed} bytes"),
            ErrorKind::CountTooLarge { needed, .. } => format!("{needed} bytes"),
            ErrorKind::LengthLimit { max, .. }
            | ErrorKind::TooManyEmpty { max, .. }
            | ErrorKind::PrefixOverflow { max, .. }
            | ErrorKind::TooLong { max, .. } => format!("at most {max}"),
            ErrorKind::IntegerOverflow { bits, signed, .. } => {
                format!("{}{bits}", if *signed { 'i' } else { 'u' })
            }
            ErrorKind::Unterminated { end, .. } => bytes_text(end).to_string(),
            ErrorKind::InvalidLength { .. } => "a length that is not negative".to_string(),
            ErrorKind::InvalidPresence { present, missing, .. } => {
                format!("{present:#04x}, or {}..={} for missing", missing.0, missing.1)
            }
            ErrorKind::InvalidMissingCode { missing, .. } => format!("{}..={}", missing.0, missing.1),
            ErrorKind::InvalidBool { .. } => "0 or 1".to_string(),
            ErrorKind::Magic { expected, .. } => bytes_text(expected).to_string(),
            ErrorKind::Padding { expected, .. } => format!("{expected:#04x}"),
            ErrorKind::OutOfRange { expected, .. } => expected.to_string(),
            ErrorKind::Otherwise { text } => text.to_string(),
            ErrorKind::LengthMismatch { expected, .. } => expected.to_string(),
            ErrorKind::PresenceMismatch { expected } => if *expected { "Some" } else { "None" }.to_string(),
            ErrorKind::InvalidText { encoding, .. } => (*encoding).to_string(),
            ErrorKind::Mismatch { expected, .. } => expected.to_string(),
            ErrorKind::CountMismatch { of, expected, .. } => format!("{expected} {of}"),
            ErrorKind::UnsupportedVersion { expected, .. } => format!("format version {expected}"),
            ErrorKind::SizeLimit { max, .. } => format!("at most {}", plural(*max)),
            ErrorKind::UnknownName { known, .. } if !known.is_empty() => known.join(", "),
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
            | ErrorKind::Unterminated { remaining, .. }
            | ErrorKind::OutputFull { remaining, .. } => plural(*remaining as u64).to_string(),
            ErrorKind::OutputLimit { remaining, .. } => plural(*remaining).to_string(),
            ErrorKind::CountTooLarge { remaining, .. } => plural((*remaining)?).to_string(),
            ErrorKind::TooManyEmpty { count, .. } => count.to_string(),
            ErrorKind::LengthLimit { length, .. } => length.to_string(),
            ErrorKind::PrefixOverflow { value, .. } => value.to_string(),
            ErrorKind::TooLong { found, .. } => found.to_string(),
            ErrorKind::InvalidLength { found } => found.to_string(),
            ErrorKind::InvalidPresence { found, .. } => format!("{found:#04x}"),
            ErrorKind::InvalidMissingCode { found, .. } | ErrorKind::InvalidBool { found } => {
                found.to_string()
            }
            ErrorKind::UnknownTag { found, .. }
            | ErrorKind::OutOfRange { found, .. }
            | ErrorKind::IntegerOverflow { found, .. } => found.clone(),
            ErrorKind::Magic { found, .. } => bytes_text(found).to_string(),
            ErrorKind::Padding { found, .. } => format!("{found:#04x}"),
            ErrorKind::LengthMismatch { found, .. } => found.to_string(),
            ErrorKind::PresenceMismatch { expected } => if *expected { "None" } else { "Some" }.to_string(),
            ErrorKind::VariantMismatch { found, .. } => (*found).to_string(),
            ErrorKind::TrailingBytes { count } | ErrorKind::UnconsumedRegion { count } => {
                plural(*count).to_string()
            }
            ErrorKind::Mismatch { found, .. } => found.to_string(),
            ErrorKind::CountMismatch { of, found, .. } => format!("{found} {of}"),
            ErrorKind::UnsupportedVersion { found, .. } => format!("format version {found}"),
            ErrorKind::SizeLimit { size, .. } => plural((*size)?).to_string(),
            ErrorKind::UnknownName { name, .. } | ErrorKind::Duplicate { name, .. } => name.clone(),
            ErrorKind::UnknownCode { code, .. } => code.to_string(),
            ErrorKind::Invalid { found, .. } if !found.is_empty() => found.clone(),
            _ => return None,
        })
    }
}
