//! Whether a `format_string` is one for its type.

use crate::formats::sdds::layout::types::DataType;
use alloc::format;
use alloc::string::String;

impl DataType {
    /// What is wrong with a format for values of this type; `None` if nothing is.
    ///
    /// The rule is that of the official library, which refuses a header with any other: after the first `%` that no
    /// other `%` follows stand signs, digits, points and blanks (for a string only `-` and digits, for a character nothing),
    /// and the conversion. Of an integer one byte of any kind may be before the conversion, of `short` and `ushort`
    /// it must be `h`; what follows the conversion is not looked at.
    pub(super) fn misfit(self, format: &[u8]) -> Option<String> {
        let (conversions, example): (&[u8], _) = match self {
            DataType::Float | DataType::Double | DataType::LongDouble => (b"fegEG", "%15.8e"),
            DataType::Short => (b"d", "%6hd"),
            DataType::UShort => (b"u", "%6hu"),
            DataType::Long | DataType::Long64 => (b"d", "%10ld"),
            DataType::ULong | DataType::ULong64 => (b"u", "%10lu"),
            DataType::String => (b"s", "%-20s"),
            DataType::Character => (b"c", "%c"),
        };
        let fits = conversion(format).is_some_and(|rest| {
            let flags = rest.iter().position(|b| conversions.contains(b)).and_then(|n| rest.get(..n));
            flags.is_some_and(|flags| self.takes(flags))
        });
        let shown = || String::from_utf8_lossy(format).into_owned();
        (!fits).then(|| format!("`{}` is not a format for {self}, such as `{example}`", shown()))
    }

    /// Whether these bytes may be between `%` and the conversion.
    fn takes(self, flags: &[u8]) -> bool {
        let of =
            |flags: &[u8], allowed: &[u8]| flags.iter().all(|b| b.is_ascii_digit() || allowed.contains(b));
        match self {
            DataType::Float | DataType::Double | DataType::LongDouble => of(flags, b"-+. "),
            DataType::Short | DataType::UShort => flags.strip_suffix(b"h").is_some_and(|f| of(f, b"-+. ")),
            DataType::Long | DataType::ULong | DataType::Long64 | DataType::ULong64 => {
                flags.split_last().is_none_or(|(_, f)| of(f, b"-+. "))
            }
            DataType::String => of(flags, b"-"),
            DataType::Character => flags.is_empty(),
        }
    }
}

/// What is after the first `%` that is not followed by another.
fn conversion(format: &[u8]) -> Option<&[u8]> {
    let mut rest = format;
    loop {
        let at = rest.iter().position(|b| *b == b'%')?;
        rest = rest.get(at + 1..)?;
        if rest.first() != Some(&b'%') {
            return Some(rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// What `SDDS_VerifyPrintfFormat` of the wheel soliday.sdds 5.7.6 says.
    #[test]
    fn formats_are_those_of_the_official_library() {
        let floats = "float double longdouble";
        for (format, wanted) in [
            ("%e", floats),
            ("%12.5e", floats),
            ("%8.4fm", floats),
            ("%G", floats),
            ("%d", "long long64"),
            ("%ld", "long long64"),
            ("%*d", "long long64"),
            ("% d", "long long64"),
            ("%5d%%", "long long64"),
            ("%8ld", "long long64"),
            ("%hd", "short long long64"),
            ("%hu", "ushort ulong ulong64"),
            ("%u", "ulong ulong64"),
            ("%lu", "ulong ulong64"),
            ("%s", "string"),
            ("%-10s", "string"),
            ("x%s", "string"),
            ("%%s", "string"),
            ("%s %s", "string"),
            ("%c", "character"),
        ] {
            let fit = DataType::ALL.into_iter().filter(|t| t.misfit(format.as_bytes()).is_none());
            assert_eq!(fit.map(DataType::name).collect::<Vec<_>>().join(" "), wanted, "{format}");
        }
        for format in [
            "", " ", "%", "abc", "100%%", "%lf", "%Le", "%lld", "%hhd", "%i", "%x", "%a", "%10.10s", "%lc",
            "%ls",
        ] {
            assert!(DataType::ALL.into_iter().all(|t| t.misfit(format.as_bytes()).is_some()), "{format}");
        }
    }
}
