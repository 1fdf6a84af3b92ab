//! Whether a text may be an expression: what a description says in any Rust, as far as that shows without a compiler.
//!
//! Texts that are not understood are kept, as those of a type's own program may be any Rust. But each is one word of a line: it has all its
//! brackets and quotes, and nothing that ends the word or the line. Where an operand is missing, nothing could ever understand it.
#![allow(clippy::arithmetic_side_effects, reason = "places in a text")]

use super::{parse, shortened};
use crate::codec::fingerprint::pieces::{RULES, bare, quoted};
use alloc::borrow::Cow;
use alloc::format;
use alloc::vec::Vec;

/// What is wrong with a text, and at which of its bytes.
#[derive(Debug, PartialEq)]
pub(crate) struct Flaw {
    pub(crate) at: usize,
    pub(crate) text: Cow<'static, str>,
}

fn found(at: usize, text: impl Into<Cow<'static, str>>) -> Option<Flaw> {
    Some(Flaw { at, text: text.into() })
}

/// What is wrong with a text that is to be an expression.
pub(crate) fn of_expression(text: &str) -> Option<Flaw> {
    let end = text.trim_end().len();
    if text.trim().is_empty() {
        return found(end, "an expression is missing");
    }
    let missing = || parse::is_cut(text).then(|| Flaw { at: end, text: "an operand is missing".into() });
    of_word(text).or_else(|| of_operators(text)).or_else(missing)
}

/// What is wrong with a text that is to be one word of a line.
pub(crate) fn of_word(text: &str) -> Option<Flaw> {
    of_brackets(text).or_else(|| of_marks(text))
}

/// What is wrong with a text that is to be a rule: one of the words that say more of values than of bytes, or what is passed to a type.
pub(crate) fn of_rule(text: &str) -> Option<Flaw> {
    let name = text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
    let rest = text.get(name.len()..).unwrap_or("").trim_start();
    let value = rest.strip_prefix('=').map(str::trim_start);
    let is_known = match name {
        "args" => value.is_none(),
        "tag_from" => value.is_some(),
        "text" => value.is_some_and(|value| value.starts_with("with(") || value.starts_with("encoding(")),
        name => RULES.contains(&name),
    };
    if !is_known {
        return found(0, format!("unknown rule `{}`", shortened(text)));
    }
    if let Some(flaw) = of_word(text) {
        return Some(flaw);
    }
    let at = text.len() - rest.len() + 1;
    let mut flaw =
        match (rest.strip_prefix('='), rest.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))) {
            (Some(value), _) => of_expression(value)?,
            (_, Some("")) if ["args", "ctx"].contains(&name) => return None,
            (_, Some(inside)) => of_inside(inside)?,
            _ => return found(text.len(), format!("`{name}` does not say what")),
        };
    flaw.at += at;
    Some(flaw)
}

/// What is wrong with what stands in the brackets of a word.
pub(crate) fn of_inside(text: &str) -> Option<Flaw> {
    match text.trim().is_empty() {
        true => found(0, "an expression is missing"),
        false => of_brackets(text).or_else(|| of_operators(text)),
    }
}

/// Brackets and quotes that are not closed, or close nothing.
pub(crate) fn of_brackets(text: &str) -> Option<Flaw> {
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut next = 0;
    for (at, c, _) in bare(text) {
        if let Some(flaw) = of_quotes(text, next..at) {
            return Some(flaw);
        }
        next = at + c.len_utf8();
        let opening = match c {
            '(' | '[' | '{' => {
                open.push((at, c));
                continue;
            }
            ')' => '(',
            ']' => '[',
            '}' => '{',
            _ => continue,
        };
        match open.pop() {
            Some((_, last)) if last == opening => {}
            Some((_, last)) => return found(at, format!("`{c}` does not close `{last}`")),
            None => return found(at, format!("`{c}` closes nothing")),
        }
    }
    if let Some(flaw) = of_quotes(text, next..text.len()) {
        return Some(flaw);
    }
    open.last().and_then(|(at, c)| found(*at, format!("`{c}` is not closed")))
}

/// Quotes in what is quoted that are not closed.
fn of_quotes(text: &str, mut range: core::ops::Range<usize>) -> Option<Flaw> {
    while let Some(rest) = text.get(range.clone()).filter(|rest| !rest.is_empty()) {
        let len = quoted(rest.as_bytes());
        let inside = rest.get(..len)?;
        let quote = inside.chars().next()?;
        let mut chars = inside.chars().skip(1);
        let mut closed = false;
        while let Some(c) = chars.next() {
            closed = c == quote;
            if c == '\\' {
                chars.next();
            }
        }
        if !closed {
            return found(range.start, "a quote is not closed");
        }
        range.start += len;
    }
    None
}

/// Marks outside brackets and quotes that end a word or line.
fn of_marks(text: &str) -> Option<Flaw> {
    if let Some(at) = text.find(char::is_control) {
        return found(at, "a control character means nothing here");
    }
    let rest = |at: usize| text.get(at..).unwrap_or("");
    for (at, c, depth) in bare(text) {
        match c {
            '/' if rest(at).starts_with("//") || rest(at).starts_with("/*") => {
                return found(at, "a comment is no part of an expression");
            }
            ',' | ';' if depth == 0 => return found(at, format!("`{c}` stands in no brackets")),
            _ => {}
        }
    }
    None
}

/// Operators beside which an operand is missing. What macros are told may be anything.
fn of_operators(text: &str) -> Option<Flaw> {
    // before the first of them
    let mut last = ('(', 0);
    let (mut has_angle, mut next) = (false, 0);
    for (at, c, _) in bare(text).chain([(text.len(), ')', 0)]) {
        let is_quoted = next < at;
        next = at + c.len_utf8();
        if c.is_whitespace() {
            continue;
        }
        if is_quoted {
            last = ('"', at);
        }
        let (before, place) = last;
        let opens = matches!(before, '(' | '[' | '{' | ',' | ';');
        let closes = matches!(c, ')' | ']' | '}' | ',' | ';');
        if before == '!' && matches!(c, '(' | '[' | '{') && is_macro(text, place) {
            return None;
        }
        if closes && ("+-*/%^&|<=".contains(before) || (before == '>' && !has_angle)) {
            return found(place, format!("an operand is missing after `{before}`"));
        }
        if opens && "+/%^=>".contains(c) {
            return found(at, format!("an operand is missing before `{c}`"));
        }
        has_angle |= c == '<';
        last = (c, at);
    }
    None
}

/// Whether the `!` at a place follows a name.
fn is_macro(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

#[cfg(test)]
mod tests {
    use super::{of_expression, of_rule};

    #[test]
    fn what_may_be_rust_is_none() {
        for text in [
            "n",
            "*n & 1 == 1",
            "|x| *x == 0",
            "f(a, b)",
            "(1, 2)",
            "size_of::<Vec<u8>>()",
            "x as Vec<u8>",
            "<T as A>::B",
            "..",
            "1..",
            "..=7",
            "-1",
            "matches!(n, 1 | 2 => )",
            "b','",
            "\"a\\\"(\"",
            "&'a T",
            "if a { 1 } else { 2 }",
            "!a.is_empty()",
            "x?",
            "[0; 3].to_vec()",
            "a < b && c > d",
            "1.",
            "a || b",
            "move || 3",
        ] {
            assert_eq!(of_expression(text), None, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_an_expression() {
        for (text, at) in [
            ("", 0),
            ("  ", 0),
            ("(", 0),
            ("n)", 1),
            ("(n]", 2),
            ("n >", 2),
            ("n >)", 3),
            ("f(n >)", 4),
            ("f(n) +", 5),
            ("* ", 0),
            ("/ n", 0),
            ("(== n)", 1),
            ("n &&", 3),
            ("n as", 4),
            ("n.", 2),
            ("!", 1),
            ("a, b", 1),
            ("a; b", 1),
            ("a // b", 2),
            ("\"a", 0),
            ("a \"b\\\"", 2),
            ("n\u{1}", 1),
        ] {
            assert_eq!(of_expression(text).map(|flaw| flaw.at), Some(at), "{text}");
        }
    }

    #[test]
    fn rules() {
        for text in [
            "range = 1..",
            "ctx()",
            "args(n, *m)",
            "assert(a < b, \"no, (\")",
            "text = encoding(ibm437)",
            "tag_from = n",
        ] {
            assert_eq!(of_rule(text), None, "{text}");
        }
        for (text, at) in [
            ("", 0),
            ("rnage = 1", 0),
            ("range", 5),
            ("range =", 7),
            ("range = 1..=", 11),
            ("assert()", 7),
            ("assert(x", 6),
            ("map(a), b", 6),
            ("text = latin1", 0),
            ("args(a)(b)", 6),
        ] {
            assert_eq!(of_rule(text).map(|flaw| flaw.at), Some(at), "{text}");
        }
    }
}
