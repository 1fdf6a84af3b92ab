//! The small words of AFL: names, numbers, default values, string literals.

use alloc::{borrow::ToOwned, string::String};
use core::{fmt, str::FromStr};

use super::error::{TextError, TextErrorKind, TextKind};
use super::scan::{Lexeme, Scanner, Token};

/// Words of AFL that cannot be names unless they are in double quotes.
const RESERVED: &[&str] =
    &["and", "emptytag", "fn", "in", "let", "not", "null", "or", "select", "true", "false", "where"];

/// The reserved words that are constants.
const CONSTANTS: &[&str] = &["null", "true", "false"];
/// Constants too, and reserved in this case only.
const REALS: &[&str] = &["inf", "nan", "NaN"];

/// Takes a name, in double quotes or not.
pub(super) fn name<'t>(scanner: &mut Scanner<'t>, expected: &'static str) -> Result<&'t str, TextError> {
    match scanner.next.kind {
        Lexeme::Name(name) if is_reserved(name) => {
            Err(scanner.unexpected(alloc::format!("{expected} (a reserved word needs double quotes)")))
        }
        Lexeme::Name(name) | Lexeme::Quoted(name) => {
            scanner.take();
            Ok(name)
        }
        _ => Err(scanner.unexpected(expected)),
    }
}

fn is_reserved(name: &str) -> bool {
    RESERVED.iter().any(|word| word.eq_ignore_ascii_case(name)) || REALS.contains(&name)
}

/// Checks a name that the caller gives, without double quotes.
pub(super) fn checked_name(name: &str) -> Result<String, TextError> {
    let mut bytes = name.bytes();
    let shaped = bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'$'))
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$'));
    if shaped {
        return Ok(name.to_owned());
    }
    let expected = "a letter, `_` or `$`, then letters, digits, `_` and `$`";
    Err(Token::whole(name).error(TextErrorKind::BadName, TextKind::Name, expected))
}

/// Takes `name`, `namespace.name` or `name@version`.
pub(super) fn array_name(
    scanner: &mut Scanner<'_>,
    expected: &'static str,
) -> Result<(String, Option<u64>), TextError> {
    let mut full = name(scanner, expected)?.to_owned();
    while scanner.take_mark('.') {
        full.push('.');
        full.push_str(name(scanner, "the name of an array")?);
    }
    let version = if scanner.take_mark('@') { Some(number(scanner)?) } else { None };
    Ok((full, version))
}

/// Takes a number without a sign.
pub(super) fn number<N: FromStr>(scanner: &mut Scanner<'_>) -> Result<N, TextError> {
    let Lexeme::Number(digits) = scanner.next.kind else {
        return Err(scanner.unexpected("a number"));
    };
    if digits.contains(|c: char| !c.is_ascii_digit()) {
        return Err(scanner.unexpected("a whole number"));
    }
    let value = digits.parse();
    let value = value.map_err(|_| scanner.error(TextErrorKind::NumberTooLarge, "a smaller number"))?;
    scanner.take();
    Ok(value)
}

/// Takes a default value and returns its text.
///
/// Beyond the grammar, what `show()` prints for types that it cannot print is read too: `UNKNOWN` and `<type>`.
pub(super) fn default_value(scanner: &mut Scanner<'_>) -> Result<String, TextError> {
    const EXPECTED: &str = "a default value";
    let start = scanner.next.start;
    let signed = scanner.take_mark('-') || scanner.take_mark('+');
    match scanner.next.kind {
        Lexeme::Number(_) | Lexeme::Literal(_) => {
            scanner.take();
        }
        Lexeme::Name(word) => {
            let constant = CONSTANTS.iter().any(|w| w.eq_ignore_ascii_case(word)) || REALS.contains(&word);
            if is_reserved(word) && !constant {
                return Err(scanner.unexpected(EXPECTED));
            }
            scanner.take();
            if !constant && scanner.next.is_mark('(') {
                parenthesised(scanner)?;
            }
        }
        Lexeme::Quoted(_) => {
            scanner.take();
            if !scanner.next.is_mark('(') {
                return Err(scanner.unexpected("`(` and the arguments"));
            }
            parenthesised(scanner)?;
        }
        Lexeme::Mark('(') if !signed => parenthesised(scanner)?,
        Lexeme::Mark('<') if !signed => {
            scanner.take();
            name(scanner, "the name of a type")?;
            scanner.require('>', "`>`")?;
        }
        _ => return Err(scanner.unexpected(EXPECTED)),
    }
    Ok(scanner.since(start).to_owned())
}

/// Takes everything from `(` to its `)`.
fn parenthesised(scanner: &mut Scanner<'_>) -> Result<(), TextError> {
    let mut depth = 0_usize;
    loop {
        match scanner.next.kind {
            Lexeme::Mark('(') => depth += 1,
            Lexeme::Mark(')') => depth -= 1,
            Lexeme::End | Lexeme::Open(_) | Lexeme::Stray(_) => return Err(scanner.unexpected("`)`")),
            _ => {}
        }
        scanner.take();
        if depth == 0 {
            return Ok(());
        }
    }
}

/// The value of a string literal: C's escapes that SciDB knows, others left as they are.
pub(super) fn unescape(quoted: &str) -> String {
    let inner = quoted.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(quoted);
    let mut value = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            value.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => value.push('\n'),
            Some('t') => value.push('\t'),
            Some('r') => value.push('\r'),
            Some('f') => value.push('\x0C'),
            Some('v') => value.push('\x0B'),
            Some(c @ ('\'' | '\\')) => value.push(c),
            Some(other) => value.extend(['\\', other]),
            None => value.push('\\'),
        }
    }
    value
}

/// A string as a literal.
pub(super) struct Quoted<'a>(pub(super) &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("'")?;
        for c in self.0.chars() {
            if matches!(c, '\'' | '\\') {
                f.write_str("\\")?;
            }
            fmt::Write::write_char(f, c)?;
        }
        f.write_str("'")
    }
}

/// A name, in double quotes if it would be read as a reserved word.
pub(super) struct Name<'a>(pub(super) &'a str);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if is_reserved(self.0) { write!(f, "\"{}\"", self.0) } else { f.write_str(self.0) }
    }
}
