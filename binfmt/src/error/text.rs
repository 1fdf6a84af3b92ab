//! Numbers and bytes in messages.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

pub(super) fn plural(n: u64) -> String {
    format!("{n} byte{}", if n == 1 { "" } else { "s" })
}

/// Bytes as text where they are printable ASCII, as hex otherwise.
pub(super) fn bytes_text(b: &[u8]) -> String {
    if !b.is_empty() && b.iter().all(|c| (0x20..0x7f).contains(c)) {
        return format!("{:?}", String::from_utf8_lossy(b));
    }
    let mut s = String::new();
    for (i, c) in b.iter().enumerate() {
        s.push_str(&format!("{}{c:02x}", if i > 0 { " " } else { "" }));
    }
    s
}

/// The first dimensions; a rank from the wire may be large.
pub(super) fn dims_text(dims: &[u64]) -> String {
    let shown: Vec<String> = dims.iter().take(8).map(|n| format!("{n}")).collect();
    let more = if dims.len() > shown.len() { ", .." } else { "" };
    format!("[{}{more}]", shown.join(", "))
}

/// A slice of elements that is not aligned as they are.
pub(super) fn unaligned(f: &mut fmt::Formatter<'_>, align: usize, beyond: usize) -> fmt::Result {
    let bytes = plural(beyond as u64);
    write!(
        f,
        "a slice of elements that are aligned to {align} bytes cannot be lent {bytes} beyond such a place"
    )
}

/// A name, and those that there are.
pub(super) fn unknown_name(
    f: &mut fmt::Formatter<'_>,
    of: &str,
    name: &str,
    known: &[String],
) -> fmt::Result {
    write!(f, "unknown {of} `{name}`")?;
    match known {
        [] => Ok(()),
        [only] => write!(f, ", expected `{only}`"),
        all => write!(f, ", expected one of `{}`", all.join("`, `")),
    }
}
