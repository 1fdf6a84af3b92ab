//! Numbers and bytes in messages.

use core::fmt::{self, Display, Formatter};

/// A number of bytes.
pub(super) fn plural(n: u64) -> impl Display {
    Plural(n)
}

struct Plural(u64);

impl Display for Plural {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} byte{}", self.0, if self.0 == 1 { "" } else { "s" })
    }
}

/// Bytes as text where they are printable ASCII, as hex otherwise.
pub(super) fn bytes_text(b: &[u8]) -> impl Display {
    Shown(b)
}

struct Shown<'b>(&'b [u8]);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let is_text = !self.0.is_empty() && self.0.iter().all(|c| (0x20..0x7f).contains(c));
        if let (true, Ok(text)) = (is_text, core::str::from_utf8(self.0)) {
            return write!(f, "{text:?}");
        }
        for (i, c) in self.0.iter().enumerate() {
            write!(f, "{}{c:02x}", if i > 0 { " " } else { "" })?;
        }
        Ok(())
    }
}

/// A slice of elements that is not aligned as they are.
pub(super) fn unaligned(f: &mut Formatter<'_>, align: usize, beyond: usize) -> fmt::Result {
    let bytes = plural(beyond as u64);
    write!(
        f,
        "a slice of elements that are aligned to {align} bytes cannot be lent {bytes} beyond such a place"
    )
}
