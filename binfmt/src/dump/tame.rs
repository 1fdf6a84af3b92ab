//! What may stand in a row as it is.

pub use crate::wire::terminal::drives_terminal;
use alloc::borrow::Cow;
use alloc::string::String;

/// Appends a character, or its escape.
pub(super) fn push(c: char, out: &mut String) {
    if drives_terminal(c) { out.extend(c.escape_debug()) } else { out.push(c) }
}

/// Text for a row, in which it cannot begin another one.
pub(super) fn tame(text: &str) -> Cow<'_, str> {
    // of most texts a look at the bytes is enough
    if text.bytes().all(|b| (b' '..0x7f).contains(&b)) || !text.contains(drives_terminal) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    text.chars().for_each(|c| push(c, &mut out));
    Cow::Owned(out)
}
