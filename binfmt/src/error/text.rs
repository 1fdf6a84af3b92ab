//! Numbers and bytes in messages.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

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
