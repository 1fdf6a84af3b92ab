//! What texts of a file may do to a terminal.

/// Whether a character speaks to a terminal and not to the reader: control characters, line ends of Unicode, and the marks
/// that turn the direction of writing around. Names and texts of a file that someone else made may have them; a dump shows
/// their numbers.
///
/// ```
/// use binfmt::dump::drives_terminal;
/// assert!("\x1b\n\u{9b}\u{2028}\u{202e}".chars().all(drives_terminal));
/// assert!(!"an ä, a 日".chars().any(drives_terminal));
/// ```
#[cfg_attr(not(feature = "dump"), allow(unreachable_pub, reason = "public with dumps"))]
pub fn drives_terminal(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
