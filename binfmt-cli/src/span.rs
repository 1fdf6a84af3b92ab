//! Ranges as they are on a command line: `10..20`, `..20`, `5..`, `10..=20`, `7`; of rows also `-10..`.

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

    /// Those of `count` that begin at `first`, counted from there.
    pub(crate) fn within(self, first: u64, count: u64) -> Range<u64> {
        let at = |n: u64| n.saturating_sub(first).min(count);
        let from = at(self.from);
        from..self.to.map_or(count, at).max(from)
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

/// Pages as they are asked for: ranges with commas between them, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pages(Vec<Span>);

impl Pages {
    /// From the first to the last.
    pub(crate) fn cover(&self) -> Span {
        let from = self.0.iter().map(|span| span.from).min().unwrap_or(0);
        let to = self.0.iter().map(|span| span.to).max_by_key(|to| to.unwrap_or(u64::MAX));
        Span { from, to: to.unwrap_or(Some(from)) }
    }

    pub(crate) fn ranges(&self) -> &[Span] {
        &self.0
    }

    /// Whether none is wanted.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|span| span.is_empty())
    }

    pub(crate) fn has(&self, page: u64) -> bool {
        self.0.iter().any(|span| span.from <= page && span.to.is_none_or(|to| page < to))
    }
}

impl From<Span> for Pages {
    fn from(span: Span) -> Self {
        Pages(vec![span])
    }
}

impl fmt::Display for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.0.iter().map(Span::to_string).collect();
        f.write_str(&all.join(","))
    }
}

impl FromStr for Pages {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let spans: Vec<Span> = text.split(',').map(|part| part.trim().parse()).collect::<Result<_, _>>()?;
        let is_before = |pair: &[Span]| pair[0].to.is_some_and(|to| to <= pair[1].from);
        match spans.windows(2).all(is_before) {
            true => Ok(Pages(spans)),
            false => Err("ranges are in ascending order, and none begins in another: ..3,4..".into()),
        }
    }
}

/// Rows as they are asked for: those that are counted from the end begin with a minus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    Front(Span),
    /// From and to, each counted from the end where it is negative.
    End(i64, Option<i64>),
}

impl Rows {
    /// Whether nothing is wanted.
    pub(crate) fn is_empty(self) -> bool {
        match self {
            Rows::Front(span) => span.is_empty(),
            Rows::End(from, to) => to == Some(from),
        }
    }

    pub(crate) fn is_from_the_end(self) -> bool {
        matches!(self, Rows::End(..))
    }

    /// Whether they go on to the end.
    pub(crate) fn is_open(self) -> bool {
        match self {
            Rows::Front(span) => span.to.is_none(),
            Rows::End(_, to) => to.is_none(),
        }
    }

    /// Which ones they are of that many; `count` is asked only if that matters.
    pub(crate) fn of<E>(self, count: impl FnOnce() -> Result<u64, E>) -> Result<Span, E> {
        let (from, to) = match self {
            Rows::Front(span) => return Ok(span),
            Rows::End(from, to) => (from, to),
        };
        let all = count()?;
        let at = |n: i64| if n < 0 { all.saturating_sub(n.unsigned_abs()) } else { n.unsigned_abs() };
        let from = at(from);
        Ok(Span { from, to: to.map(|to| at(to).max(from)) })
    }
}

impl FromStr for Rows {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_negative = |text: &str| text.trim().strip_prefix('-').is_some_and(|n| number(n).is_ok());
        let Some((from, to)) = text.split_once("..") else {
            return match is_negative(text) {
                true => Err(format!("did you mean {text}.. (up to the end)?")),
                false => text.parse().map(Rows::Front).map_err(of_rows),
            };
        };
        if !is_negative(from) && !is_negative(to) {
            return text.parse().map(Rows::Front).map_err(of_rows);
        }
        let end = |text: &str| -> Result<i64, String> {
            let (sign, digits) = match text.trim().strip_prefix('-') {
                Some(digits) => (-1, digits),
                None => (1, text),
            };
            i64::try_from(number(digits)?).map(|n| n * sign).map_err(|_| "the number is too large".to_owned())
        };
        let from = if from.trim().is_empty() { 0 } else { end(from)? };
        let to = if to.trim().is_empty() { None } else { Some(end(to)?) };
        match to {
            Some(to) if to < from && (to < 0) == (from < 0) => {
                Err(format!("it ends before it begins: did you mean {to}..{from}?"))
            }
            _ => Ok(Rows::End(from, to)),
        }
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rows::Front(span) => span.fmt(f),
            Rows::End(from, Some(to)) => write!(f, "{from}..{to}"),
            Rows::End(from, None) => write!(f, "{from}.."),
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

const EXPECTED: &str = "expected numbers counted from 0, such as 10..20, ..20, 5.., 10..=19 or 7";

/// What rows may be, beyond pages and bytes.
fn of_rows(text: String) -> String {
    if text == EXPECTED { text + ", or -10.., the last ten" } else { text }
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
        _ => EXPECTED.to_owned(),
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
    fn rows_from_the_end() {
        let of =
            |text: &str| text.parse::<Rows>().map(|rows| rows.of(|| Ok::<_, ()>(100)).unwrap().to_string());
        for (text, expected) in [
            ("-10..", "90.."),
            ("-10..-5", "90..95"),
            ("5..-5", "5..95"),
            ("..-99", "0"),
            ("-200..", "0.."),
            ("-10..95", "90..95"),
            ("-10..80", "90..90"),
            ("10..20", "10..20"),
        ] {
            assert_eq!(of(text), Ok(expected.to_owned()), "{text}");
        }
        assert_eq!(of("-5..-10"), Err("it ends before it begins: did you mean -10..-5?".to_owned()));
        assert_eq!(of("-1"), Err("did you mean -1.. (up to the end)?".to_owned()));
        assert!(of("-x..").unwrap_err().contains("counted from 0"));
        assert!(!"10..20".parse::<Rows>().unwrap().is_from_the_end());
    }
}
