//! Numbers as people read them.

/// `1 cell`, `2 cells`.
pub(crate) fn count(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// `35 bytes`, `1200000 bytes (1.2 MB)`.
pub(crate) fn bytes(n: u64) -> String {
    let exact = count(n, "byte", "bytes");
    if n < 1000 { exact } else { format!("{exact} ({})", size(n)) }
}

/// `35 B`, `1.2 MB`: powers of 1000.
pub(crate) fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    let mut unit = "B";
    for next in ["kB", "MB", "GB", "TB"] {
        if value < 999.95 {
            break;
        }
        value /= 1000.0;
        unit = next;
    }
    if unit == "B" { format!("{bytes} B") } else { format!("{value:.1} {unit}") }
}

/// A word with its article, also where its letters are spelt: `an NPY file`.
pub(crate) fn with_article(title: &str) -> String {
    let mut letters = title.chars();
    let (first, second) = (letters.next().unwrap_or(' '), letters.next().unwrap_or(' '));
    let is_spelt = second.is_uppercase() && "AEFHILMNORSX".contains(first);
    let article = if is_spelt || "aeiouAEIOU".contains(first) { "an" } else { "a" };
    format!("{article} {title}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(count(1, "cell", "cells"), "1 cell");
        assert_eq!(count(0, "cell", "cells"), "0 cells");
        assert_eq!(bytes(35), "35 bytes");
        assert_eq!(bytes(1_200_000), "1200000 bytes (1.2 MB)");
        assert_eq!(size(999), "999 B");
        assert_eq!(size(1000), "1.0 kB");
        assert_eq!(size(2_147_483_648), "2.1 GB");
        assert_eq!(size(u64::MAX), "18446744.1 TB");
    }

    #[test]
    fn articles() {
        for (title, one) in [
            ("SDDS file", "an SDDS file"),
            ("NPY file", "an NPY file"),
            ("SciDB load file", "a SciDB load file"),
            ("Arrow file", "an Arrow file"),
            ("CSV file", "a CSV file"),
            ("BEAT data file", "a BEAT data file"),
        ] {
            assert_eq!(with_article(title), one);
        }
    }
}
