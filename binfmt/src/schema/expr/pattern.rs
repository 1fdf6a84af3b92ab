//! The tags that choose a variant: `3`, `4..=7`, `1 | 2`, `b" i32"`, `_`.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "a literal is not negative, so that its negation and one less are numbers, too"
)]

use super::parse::{Parser, Token};
use super::{Why, refused, shortened};
use crate::error::Result;
use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::fmt;

/// A tag, read or computed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tag {
    Int(i128),
    Bool(bool),
    Bytes(Vec<u8>),
}

/// As messages show it, and as a pattern has it.
impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tag::Int(n) => write!(f, "{n}"),
            Tag::Bool(b) => write!(f, "{b}"),
            Tag::Bytes(b) => write!(f, "\"{}\"", b.escape_ascii()),
        }
    }
}

#[derive(Clone, Debug)]
enum Pattern {
    Any,
    One(Tag),
    Range(Option<i128>, Option<i128>),
}

impl Pattern {
    fn has(&self, tag: &Tag) -> bool {
        match (self, tag) {
            (Pattern::Any, _) => true,
            (Pattern::One(one), tag) => one == tag,
            (Pattern::Range(low, high), Tag::Int(n)) => {
                low.is_none_or(|low| low <= *n) && high.is_none_or(|high| *n <= high)
            }
            (Pattern::Range(..), _) => false,
        }
    }
}

/// The tags of a variant: their text, and what it says if it is understood.
#[derive(Clone, Debug)]
pub(crate) struct Patterns {
    text: Box<str>,
    any: Result<Vec<Pattern>, Why>,
}

impl Patterns {
    pub(crate) fn new(text: &str) -> Self {
        Patterns { text: text.into(), any: parse(text) }
    }

    fn known(&self, at: u64) -> Result<&[Pattern]> {
        match &self.any {
            Ok(any) => Ok(any),
            Err(why) => Err(refused(&self.text, why, at)),
        }
    }

    /// Whether a tag is one of these.
    pub(crate) fn matches(&self, tag: &Tag, at: u64) -> Result<bool> {
        Ok(self.known(at)?.iter().any(|pattern| pattern.has(tag)))
    }

    /// The only one, if there are no more.
    pub(crate) fn one(&self, at: u64) -> Result<Option<&Tag>> {
        Ok(if let [Pattern::One(tag)] = self.known(at)? { Some(tag) } else { None })
    }

    /// Whether `_` is among them: all tags that no other variant has, regardless of its place.
    pub(crate) fn is_rest(&self) -> bool {
        self.any.as_ref().is_ok_and(|any| any.iter().any(|pattern| matches!(pattern, Pattern::Any)))
    }

    /// The tags, as far as they are understood.
    pub(crate) fn tags(&self) -> Tags {
        let mut tags = Tags::default();
        for pattern in self.any.iter().flatten() {
            match pattern {
                Pattern::Any => {}
                Pattern::One(Tag::Int(n)) => tags.ranges.push((*n, *n)),
                Pattern::One(tag) => tags.others.push(tag.clone()),
                Pattern::Range(low, high) => {
                    let (low, high) = (low.unwrap_or(i128::MIN), high.unwrap_or(i128::MAX));
                    tags.ranges.extend((low <= high).then_some((low, high)));
                }
            }
        }
        tags.in_order()
    }

    /// Whether there is no tag; `None` if they are not understood.
    pub(crate) fn is_empty(&self) -> Option<bool> {
        let nothing = |p: &Pattern| matches!(p, Pattern::Range(Some(low), Some(high)) if low > high);
        self.any.as_ref().ok().map(|any| any.iter().all(nothing))
    }
}

/// As a pattern has them.
impl fmt::Display for Tags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for range in &self.ranges {
            f.write_str(separator)?;
            match *range {
                (low, high) if low == high => write!(f, "{low}")?,
                (i128::MIN, i128::MAX) => f.write_str("..")?,
                (i128::MIN, high) => write!(f, "..={high}")?,
                (low, i128::MAX) => write!(f, "{low}..")?,
                (low, high) => write!(f, "{low}..={high}")?,
            }
            separator = " | ";
        }
        for tag in &self.others {
            write!(f, "{separator}{tag}")?;
            separator = " | ";
        }
        Ok(())
    }
}

/// Tags as sets.
#[derive(Default)]
pub(crate) struct Tags {
    /// From and to, which are both in it; in order, and apart from each other.
    pub(crate) ranges: Vec<(i128, i128)>,
    /// Those that are not numbers, in order.
    pub(crate) others: Vec<Tag>,
}

impl Tags {
    /// The same tags, each once.
    pub(crate) fn in_order(mut self) -> Self {
        self.ranges.sort_unstable();
        self.ranges.dedup_by(|next, last| {
            let joined = next.0 <= last.1.saturating_add(1);
            if joined {
                last.1 = last.1.max(next.1);
            }
            joined
        });
        self.others.sort_unstable();
        self.others.dedup();
        self
    }

    /// Whether it is a single tag.
    pub(crate) fn is_one(&self) -> bool {
        match (&self.ranges[..], &self.others[..]) {
            ([(low, high)], []) => low == high,
            ([], [_]) => true,
            _ => false,
        }
    }

    /// Whether another set has all of these.
    pub(crate) fn is_within(&self, other: &Tags) -> bool {
        let has = |(low, high): &(i128, i128)| {
            let after = other.ranges.partition_point(|(from, _)| from <= low);
            after.checked_sub(1).and_then(|at| other.ranges.get(at)).is_some_and(|(_, to)| high <= to)
        };
        self.ranges.iter().all(has) && self.others.iter().all(|own| other.others.binary_search(own).is_ok())
    }
}

fn parse(text: &str) -> Result<Vec<Pattern>, Why> {
    let mut parser = Parser::new(text)?;
    let mut any = Vec::new();
    parser.take("|");
    loop {
        any.push(one(&mut parser)?);
        if !parser.take("|") {
            parser.end()?;
            return Ok(any);
        }
    }
}

fn one(parser: &mut Parser) -> Result<Pattern, Why> {
    if parser.take("..=") {
        return Ok(Pattern::Range(None, Some(int(parser)?)));
    }
    if parser.take("(") {
        parser.enter()?;
        let inner = one(parser)?;
        parser.leave();
        return if parser.take(")") { Ok(inner) } else { Err("`)` is missing".into()) };
    }
    let minus = parser.take("-");
    let low = match parser.next() {
        Some(Token::Name(name)) if name == "_" => return Ok(Pattern::Any),
        Some(Token::Name(name)) if name == "true" => return Ok(Pattern::One(Tag::Bool(true))),
        Some(Token::Name(name)) if name == "false" => return Ok(Pattern::One(Tag::Bool(false))),
        Some(Token::Bytes(b)) => return Ok(Pattern::One(Tag::Bytes(b))),
        Some(Token::Int(n)) => signed(minus, n),
        Some(Token::Name(name)) => return Err(format!("`{}` is not known here", shortened(&name)).into()),
        _ => return Err("this is not a pattern of tags".into()),
    };
    if parser.take("..=") {
        Ok(Pattern::Range(Some(low), Some(int(parser)?)))
    } else if parser.take("..") {
        Ok(Pattern::Range(Some(low), exclusive(parser)?))
    } else {
        Ok(Pattern::One(Tag::Int(low)))
    }
}

/// What follows `..`: a number that is not included, or nothing.
fn exclusive(parser: &mut Parser) -> Result<Option<i128>, Why> {
    if parser.at_number() { Ok(Some(int(parser)? - 1)) } else { Ok(None) }
}

fn int(parser: &mut Parser) -> Result<i128, Why> {
    let minus = parser.take("-");
    match parser.next() {
        Some(Token::Int(n)) => Ok(signed(minus, n)),
        _ => Err("a number is missing".into()),
    }
}

fn signed(minus: bool, n: i128) -> i128 {
    if minus { -n } else { n }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn matches(pattern: &str, tag: &Tag) -> Result<bool> {
        Patterns::new(pattern).matches(tag, 2)
    }

    #[test]
    fn patterns() {
        for (pattern, inside, outside) in [
            ("3", 3, 4),
            ("-3", -3, 3),
            ("4..=7", 7, 8),
            ("4..7", 4, 7),
            ("200..", 200, 199),
            ("..=7", -1, 8),
            ("1 | 0x02 | 9..=10", 9, 3),
        ] {
            assert!(matches(pattern, &Tag::Int(inside)).unwrap(), "{pattern}");
            assert!(!matches(pattern, &Tag::Int(outside)).unwrap(), "{pattern}");
        }
        assert!(matches("_", &Tag::Int(5)).unwrap());
        assert!(matches("b\" i32\"", &Tag::Bytes(b" i32".to_vec())).unwrap());
        assert!(!matches("b\" i32\"", &Tag::Bytes(b" i64".to_vec())).unwrap());
        let e = matches("A_CONST", &Tag::Int(5)).unwrap_err();
        assert_eq!(e.to_string(), "at byte 0x2: `A_CONST` cannot be computed: `A_CONST` is not known here");
    }

    #[test]
    fn brackets_without_end() {
        let text = "(".repeat(100_000);
        let e = matches(&text, &Tag::Int(1)).unwrap_err();
        assert!(e.to_string().ends_with("cannot be computed: this is too long"), "{e}");
        assert!(matches("((((1))))", &Tag::Int(1)).unwrap());
    }

    #[test]
    fn one_tag_or_several() {
        let one = |text| Patterns::new(text).one(0).unwrap().cloned();
        assert_eq!(one("3"), Some(Tag::Int(3)));
        assert_eq!(one("3 | 4"), None);
        assert_eq!(one("_"), None);
    }
}
