//! Ranges as they are on a command line: `10..20`, `..20`, `5..`, `10..=20`, `7`.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Rows, pages or bytes, counted from 0: from the first to before the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: u64,
    /// `None`: to the end.
    pub(crate) to: Option<u64>,
}

impl Span {
    pub(crate) const ALL: Span = Span { from: 0, to: None };

    /// Whether nothing is wanted.
    pub(crate) fn is_empty(self) -> bool {
        self.to == Some(self.from)
    }

    /// How many there are of `all`.
    pub(crate) fn count_of(self, all: u64) -> u64 {
        self.to.map_or(all, |to| to.min(all)).saturating_sub(self.from)
    }

    /// Those of `count` that begin at `first`, counted from there.
    pub(crate) fn within(self, first: u64, count: u64) -> Range<u64> {
        let at = |n: u64| n.saturating_sub(first).min(count);
        let from = at(self.from);
        from..self.to.map_or(count, at).max(from)
    }

    /// How many are wanted at most.
    pub(crate) fn count(self) -> u64 {
        self.count_of(u64::MAX)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to {
            Some(to) if to.checked_sub(1) == Some(self.from) => write!(f, "{}", self.from),
            Some(to) => write!(f, "{}..{to}", self.from),
            None => write!(f, "{}..", self.from),
        }
    }
}

impl FromStr for Span {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((from, to)) = text.split_once("..") else {
            return single(text);
        };
        let from = if from.trim().is_empty() { 0 } else { number(from)? };
        let to = match (to.strip_prefix('='), to.trim().is_empty()) {
            (Some(last), _) => Some(number(last)?.checked_add(1).ok_or("the number is too large")?),
            (None, true) => None,
            (None, false) => Some(number(to)?),
        };
        match to {
            Some(to) if to < from => Err(format!("it ends before it begins: did you mean {to}..{from}?")),
            _ => Ok(Span { from, to }),
        }
    }
}

fn single(text: &str) -> Result<Span, String> {
    let other = ["-", ":", ",", "..."].iter().find_map(|sign| text.split_once(sign));
    if let Some((a, b)) = other
        && let (Ok(a), Ok(b)) = (number(a), number(b))
    {
        return Err(format!("did you mean {a}..{b} (without {b}) or {a}..={b} (with {b})?"));
    }
    let n = number(text)?;
    Ok(Span { from: n, to: Some(n.checked_add(1).ok_or("the number is too large")?) })
}

/// A number, decimal or hexadecimal (`0x10`), with `_` where it helps.
fn number(text: &str) -> Result<u64, String> {
    let digits = text.trim().replace('_', "");
    let parsed = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    parsed.map_err(|e| match e.kind() {
        std::num::IntErrorKind::PosOverflow => "the number is too large".to_owned(),
        _ => "expected numbers counted from 0, such as 10..20, ..20, 5.., 10..=19 or 7".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(text: &str) -> Result<(u64, Option<u64>), String> {
        text.parse::<Span>().map(|s| (s.from, s.to))
    }

    #[test]
    fn every_form() {
        assert_eq!(span("10..20"), Ok((10, Some(20))));
        assert_eq!(span("..20"), Ok((0, Some(20))));
        assert_eq!(span("5.."), Ok((5, None)));
        assert_eq!(span(".."), Ok((0, None)));
        assert_eq!(span("10..=20"), Ok((10, Some(21))));
        assert_eq!(span("..=0"), Ok((0, Some(1))));
        assert_eq!(span("7"), Ok((7, Some(8))));
        assert_eq!(span("0x10..0x20"), Ok((16, Some(32))));
        assert_eq!(span("1_000..2_000"), Ok((1000, Some(2000))));
        assert_eq!(span("3..3"), Ok((3, Some(3))));
        for text in ["10..20", "0..20", "5..", "7", "3..3"] {
            assert_eq!(text.parse::<Span>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_range_is_explained() {
        assert!(span("20..10").unwrap_err().contains("10..20"));
        assert!(span("10-20").unwrap_err().contains("10..=20"));
        assert!(span("10:20").unwrap_err().contains("10..20"));
        assert!(span("1...2").unwrap_err().contains("10..20"));
        assert!(span("x").unwrap_err().contains("counted from 0"));
        assert!(span("-1..").is_err());
        assert!(span("99999999999999999999").unwrap_err().contains("too large"));
        assert!(span("..=18446744073709551615").unwrap_err().contains("too large"));
    }

    #[test]
    fn counts() {
        assert_eq!(Span::ALL.count_of(7), 7);
        assert_eq!(Span { from: 5, to: Some(10) }.count_of(7), 2);
        assert_eq!(Span { from: 9, to: Some(10) }.count_of(7), 0);
    }
}
