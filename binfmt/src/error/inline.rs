//! What errors own, where there is no heap: as much as fits in the error itself.

use super::path::Step;
use super::{ErrorKind, Inner};
use core::fmt;
use core::ops::Deref;

/// Text that is always constant.
pub(crate) type Static = &'static str;

/// The beginning of a short text, such as a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct String {
    bytes: [u8; String::MOST],
    len: u8,
}

impl String {
    const MOST: usize = 23;

    /// What a value prints.
    pub(crate) fn of(text: fmt::Arguments<'_>) -> Self {
        let mut all = String { bytes: [0; String::MOST], len: 0 };
        // a text that is too long ends early
        let _ = fmt::Write::write_fmt(&mut all, text);
        all
    }
}

impl fmt::Write for String {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            let (from, to) = (usize::from(self.len), usize::from(self.len).saturating_add(c.len_utf8()));
            let room = self.bytes.get_mut(from..to).ok_or(fmt::Error)?;
            c.encode_utf8(room);
            self.len = u8::try_from(to).map_err(|_| fmt::Error)?;
        }
        Ok(())
    }
}

impl Deref for String {
    type Target = str;

    fn deref(&self) -> &str {
        core::str::from_utf8(used(&self.bytes, self.len)).unwrap_or("")
    }
}

impl fmt::Display for String {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for String {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl From<&str> for String {
    fn from(text: &str) -> Self {
        String::of(format_args!("{text}"))
    }
}

/// Bytes at fault: the first of them.
pub(crate) type Bytes = InlineBytes;

/// Bytes inside an error.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct InlineBytes {
    bytes: [u8; InlineBytes::MOST],
    len: u8,
}

impl InlineBytes {
    const MOST: usize = 16;
}

impl From<&[u8]> for InlineBytes {
    fn from(from: &[u8]) -> Self {
        let mut all = InlineBytes { bytes: [0; InlineBytes::MOST], len: 0 };
        for (to, byte) in all.bytes.iter_mut().zip(from) {
            *to = *byte;
            all.len = all.len.saturating_add(1);
        }
        all
    }
}

impl Deref for InlineBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        used(&self.bytes, self.len)
    }
}

/// The bytes that something takes of its room.
fn used(room: &[u8], len: u8) -> &[u8] {
    debug_assert!(usize::from(len) <= room.len(), "more bytes than there is room for");
    room.get(..usize::from(len)).unwrap_or(&[])
}

impl fmt::Debug for InlineBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

/// The innermost step of a path.
#[derive(Default)]
pub(super) struct Steps(Option<Step>);

impl Steps {
    pub(super) const fn new() -> Self {
        Steps(None)
    }

    /// The steps further out are left out.
    pub(super) fn push(&mut self, step: Step) {
        self.0.get_or_insert(step);
    }
}

impl Deref for Steps {
    type Target = [Step];

    fn deref(&self) -> &[Step] {
        self.0.as_slice()
    }
}

/// An error is where its `Result` is.
pub(super) type Held = Inner;

#[inline(always)]
pub(super) fn hold(inner: Inner) -> Held {
    inner
}

/// A text that takes no memory, in the place of one that would.
pub fn told(_: fmt::Arguments<'_>, text: &'static str) -> Static {
    text
}

/// The beginning of what is printed.
pub(crate) fn printed(text: fmt::Arguments<'_>) -> String {
    String::of(text)
}

/// That there was an error of the user's own type, which has no place here.
pub(crate) fn custom(_: impl core::error::Error + Send + Sync + 'static) -> ErrorKind {
    ErrorKind::Message("a function of the layout returned an error")
}
