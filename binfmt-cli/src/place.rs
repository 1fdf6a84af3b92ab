//! Errors of the library, told with the place in the whole file.

use crate::error::Error;
use binfmt::{ErrorKind, Step};
use std::fmt::Write;

/// Where a reader began: its errors count bytes and records from there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Start {
    pub(crate) byte: u64,
    pub(crate) record: u64,
}

impl Start {
    /// The error with offset and path counted from the front of the file.
    pub(crate) fn located(self, e: &binfmt::Error) -> Error {
        self.located_below(e, 0)
    }

    /// The same without the first steps of the path.
    pub(crate) fn located_below(self, e: &binfmt::Error, steps: usize) -> Error {
        let path = self.path_below(e, steps);
        let place = match (path.is_empty(), e.offset().map(|offset| offset.saturating_add(self.byte))) {
            (true, None) => String::new(),
            (false, None) => format!("{path}: "),
            (true, Some(at)) => format!("at byte {at} ({at:#x}): "),
            (false, Some(at)) => format!("{path} at byte {at} ({at:#x}): "),
        };
        let error = Error::data(format_args!("{place}{}", e.kind()));
        if is_of_the_end(e) { error.tip("the file was cut short, or is still being written") } else { error }
    }

    /// The path, its first index counted from the front of the file.
    pub(crate) fn path(self, e: &binfmt::Error) -> String {
        self.path_below(e, 0)
    }

    fn path_below(self, e: &binfmt::Error, steps: usize) -> String {
        let mut text = String::new();
        for (i, step) in e.path().steps().skip(steps).enumerate() {
            let dot = if i > 0 { "." } else { "" };
            let written = match step {
                Step::Index(k) if i == 0 => write!(text, "[{}]", (*k as u64).saturating_add(self.record)),
                Step::Index(k) => write!(text, "[{k}]"),
                Step::Field(name) => write!(text, "{dot}{name}"),
                Step::Name(name) => write!(text, "{dot}{name}"),
                other => write!(text, "{dot}{other:?}"),
            };
            // a string takes everything
            debug_assert!(written.is_ok());
        }
        text
    }
}

/// Whether the file ends before what it has to have.
fn is_of_the_end(e: &binfmt::Error) -> bool {
    match e.kind() {
        ErrorKind::CountMismatch { of: "bytes in the file", expected, found } => found < expected,
        _ => e.is_incomplete(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_from_the_front_of_the_file() {
        let e = binfmt::decode_all::<(u8, bool)>(&[1, 1, 1, 7]).unwrap_err();
        let told = |start: Start| start.located(&e).message().unwrap().text.clone();
        let kind = e.kind().to_string();
        assert_eq!(told(Start::default()), format!("[1].1 at byte 3 (0x3): {kind}"));
        assert_eq!(told(Start { byte: 10, record: 5 }), format!("[6].1 at byte 13 (0xd): {kind}"));
    }
}
