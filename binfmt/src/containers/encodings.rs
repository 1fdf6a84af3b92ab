//! `text = encoding(windows_1252)`: the encodings of the crate `encoding_rs` as code pages, and one that it has not.
#![allow(clippy::arithmetic_side_effects, reason = "places in a list of names")]

use super::pages::CodePage;
use crate::error::{Error, ErrorKind};
use alloc::string::String;
use alloc::vec::Vec;

mod ibm437;

/// The encodings by their labels, but UTF-8 and UTF-16, which are words of their own.
const LABELS: &[&str] = &[
    "big5",
    "euc-jp",
    "euc-kr",
    "gb18030",
    "gbk",
    "ibm866",
    "iso-2022-jp",
    "iso-8859-2",
    "iso-8859-3",
    "iso-8859-4",
    "iso-8859-5",
    "iso-8859-6",
    "iso-8859-7",
    "iso-8859-8",
    "iso-8859-10",
    "iso-8859-13",
    "iso-8859-14",
    "iso-8859-15",
    "iso-8859-16",
    "koi8-r",
    "koi8-u",
    "macintosh",
    "shift-jis",
    "windows-874",
    "windows-1250",
    "windows-1251",
    "windows-1252",
    "windows-1253",
    "windows-1254",
    "windows-1255",
    "windows-1256",
    "windows-1257",
    "windows-1258",
    "x-mac-cyrillic",
    ibm437::LABEL,
];

/// The place of the one that is not of `encoding_rs`.
const IBM437: usize = LABELS.len() - 1;

/// One of them.
#[derive(Debug)]
pub struct Encoded<const N: usize>;

/// One of them that is known only at run time, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Page(usize);

impl Page {
    /// The one that a description or a dump calls so, if this crate has it: without the feature `encoding_rs` that is `ibm437`.
    #[cfg(any(feature = "dynamic", feature = "dump"))]
    pub(crate) fn named(name: &str) -> Option<Self> {
        let place = LABELS.iter().position(|label| is(name.as_bytes(), label.as_bytes()))?;
        (cfg!(feature = "encoding_rs") || place == IBM437).then_some(Page(place))
    }

    /// That of a field: its rule `text = encoding(..)` says it.
    #[cfg(feature = "dynamic")]
    pub(crate) fn of_rules(rules: &[String]) -> Option<Self> {
        rules.iter().find_map(|rule| {
            let said = rule.strip_prefix("text")?.trim_start().strip_prefix('=')?.trim();
            Self::named(said.strip_prefix("encoding(")?.strip_suffix(')')?.trim())
        })
    }

    /// What messages call it.
    pub(crate) const fn name(self) -> &'static str {
        LABELS[self.0]
    }

    /// The text of all these bytes.
    pub(crate) fn decode(self, bytes: &[u8]) -> Result<String, Error> {
        match self.0 {
            IBM437 => ibm437::decode(bytes),
            _ => codec::decode(self.name(), bytes),
        }
    }

    /// The bytes of a text.
    pub(crate) fn encode(self, text: &str) -> Result<Vec<u8>, Error> {
        match self.0 {
            IBM437 => ibm437::encode(text),
            _ => codec::encode(self.name(), text),
        }
    }
}

/// The place of an encoding, of whose label each `-` is a `_` in the name.
///
/// # Panics
/// There is none of this name; while compiling.
#[allow(clippy::assertions_on_constants, reason = "the message names the feature that is missing")]
pub const fn encoding(name: &str) -> usize {
    let mut i = 0;
    while i < LABELS.len() {
        if is(name.as_bytes(), LABELS[i].as_bytes()) {
            assert!(
                cfg!(feature = "encoding_rs") || i == IBM437,
                "binfmt: `text = encoding(..)` needs the feature `encoding_rs` of binfmt"
            );
            return i;
        }
        i += 1;
    }
    panic!(
        "binfmt: unknown encoding: the names are those of encoding_rs in small letters, such as `windows_1252`"
    )
}

const fn is(name: &[u8], label: &[u8]) -> bool {
    let mut i = 0;
    while i < label.len() && i < name.len() {
        if name[i] != label[i] && !(name[i] == b'_' && label[i] == b'-') {
            return false;
        }
        i += 1;
    }
    name.len() == label.len()
}

impl<const N: usize> CodePage for Encoded<N> {
    const NAME: &'static str = Page(N).name();
    type Error = Error;

    fn decode(bytes: &[u8]) -> Result<String, Error> {
        Page(N).decode(bytes)
    }

    fn encode(text: &str) -> Result<Vec<u8>, Error> {
        Page(N).encode(text)
    }
}

/// An error after that many bytes.
#[cold]
fn invalid(encoding: &'static str, valid_up_to: usize) -> ErrorKind {
    ErrorKind::InvalidText { encoding, valid_up_to }
}

#[cfg(feature = "encoding_rs")]
mod codec {
    use super::{Error, ErrorKind, String, Vec, invalid};
    use encoding_rs::{DecoderResult, EncoderResult, Encoding};

    /// The encoding of a label.
    fn of(name: &'static str) -> Result<&'static Encoding, Error> {
        Encoding::for_label(name.as_bytes()).ok_or_else(|| Error::other("unknown encoding"))
    }

    fn room(n: Option<usize>) -> Result<usize, Error> {
        n.ok_or_else(|| Error::from(ErrorKind::OutOfMemory { requested: usize::MAX }))
    }

    pub(super) fn decode(name: &'static str, bytes: &[u8]) -> Result<String, Error> {
        let mut decoder = of(name)?.new_decoder_without_bom_handling();
        let most = room(decoder.max_utf8_buffer_length_without_replacement(bytes.len()))?;
        let mut text = String::new();
        if text.try_reserve_exact(most).is_err() {
            return Err(Error::from(ErrorKind::OutOfMemory { requested: most }));
        }
        match decoder.decode_to_string_without_replacement(bytes, &mut text, true) {
            (DecoderResult::Malformed(bad, after), read) => {
                let valid = read.saturating_sub(usize::from(bad)).saturating_sub(usize::from(after));
                Err(Error::new(invalid(name, valid), valid as u64))
            }
            // there is room for all of it
            (DecoderResult::InputEmpty | DecoderResult::OutputFull, _) => {
                text.shrink_to_fit();
                Ok(text)
            }
        }
    }

    pub(super) fn encode(name: &'static str, text: &str) -> Result<Vec<u8>, Error> {
        let mut encoder = of(name)?.new_encoder();
        let most = room(encoder.max_buffer_length_from_utf8_without_replacement(text.len()))?;
        let mut bytes = Vec::new();
        if bytes.try_reserve_exact(most).is_err() {
            return Err(Error::from(ErrorKind::OutOfMemory { requested: most }));
        }
        match encoder.encode_from_utf8_to_vec_without_replacement(text, &mut bytes, true) {
            (EncoderResult::Unmappable(c), read) => {
                Err(Error::from(invalid(name, read.saturating_sub(c.len_utf8()))))
            }
            (EncoderResult::InputEmpty | EncoderResult::OutputFull, _) => Ok(bytes),
        }
    }
}

#[cfg(not(feature = "encoding_rs"))]
mod codec {
    use super::{Error, String, Vec, invalid};

    pub(super) fn decode(name: &'static str, _: &[u8]) -> Result<String, Error> {
        Err(Error::from(invalid(name, 0)))
    }

    pub(super) fn encode(name: &'static str, _: &str) -> Result<Vec<u8>, Error> {
        Err(Error::from(invalid(name, 0)))
    }
}
