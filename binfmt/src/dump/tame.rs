//! What may stand in a row as it is.

use alloc::borrow::Cow;
use alloc::string::String;

/// Whether a character speaks to a terminal and not to the reader: control characters, line ends of Unicode, and the marks
/// that turn the direction of writing around. Names and texts of a file that someone else made may have them; a dump shows
/// their numbers.
///
/// ```
/// use binfmt::dump::drives_terminal;
/// assert!("\x1b\n\u{9b}\u{2028}\u{202e}".chars().all(drives_terminal));
/// assert!(!"an ä, a 日".chars().any(drives_terminal));
/// ```
pub fn drives_terminal(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Appends a character, or its escape.
pub(super) fn push(c: char, out: &mut String) {
    if drives_terminal(c) { out.extend(c.escape_debug()) } else { out.push(c) }
}

/// Text for a row, in which it cannot begin another one.
pub(super) fn tame(text: &str) -> Cow<'_, str> {
    if !text.contains(drives_terminal) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    text.chars().for_each(|c| push(c, &mut out));
    Cow::Owned(out)
}
