//! Words of a line, and the escapes in them.

use super::number;
use crate::formats::sdds::layout::definition::Parameter;
use crate::formats::sdds::layout::text::{Text, is_space};
use crate::formats::sdds::layout::types::DataType;
use crate::formats::sdds::layout::value::{Elements, Value};
use crate::numbers::Numbers;
use crate::wire::amount::inside;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Text for a message; long text is cut.
pub(super) fn shown(text: &[u8]) -> String {
    const MOST: usize = 40;
    let cut = if text.len() > MOST { "…" } else { "" };
    format!("{}{cut}", String::from_utf8_lossy(text.get(..MOST).unwrap_or(text)))
}

/// The next word at or after `at`, which moves after it: in quotes (without them), or up to the next blank outside
/// quotes.
pub(super) fn next<'l>(line: &'l [u8], at: &mut usize) -> Option<&'l [u8]> {
    let rest = line.get(*at..)?;
    let blanks = rest.iter().take_while(|b| is_space(**b)).count();
    let start = *at + blanks;
    let rest = rest.get(blanks..).filter(|rest| !rest.is_empty())?;
    if let Some(inside) = rest.strip_prefix(b"\"") {
        let len = quoted(inside);
        // a quote that is not closed ends with the line
        *at = (start + len + 2).min(line.len());
        return inside.get(..len);
    }
    let mut len = plain(rest);
    if rest.get(len) == Some(&b'"') {
        len = with_quotes(rest);
    }
    *at = start + len;
    rest.get(..len)
}

/// The next word, or, where fields have a length, the next so many bytes, without the blanks around them if it is negative.
#[inline]
pub(super) fn field<'l>(line: &'l [u8], at: &mut usize, length: i32) -> Option<&'l [u8]> {
    if length == 0 {
        return next(line, at);
    }
    let width = usize::try_from(length.unsigned_abs()).unwrap_or(usize::MAX);
    let rest = line.get(*at..).filter(|rest| !rest.is_empty())?;
    let field = rest.get(..width).unwrap_or(rest);
    *at += field.len();
    Some(if length < 0 { field.trim_ascii() } else { field })
}

/// How many bytes are neither blanks nor quotes. All of those are below `#`, and what numbers and names are made of is not: eight
/// bytes are looked at together.
#[inline]
fn plain(text: &[u8]) -> usize {
    const LOW: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = u64::from_le_bytes([0x80; 8]);
    const BELOW: u64 = LOW * b'#' as u64;
    let mut at = 0;
    while let Some(word) = text.get(at..).and_then(|rest| rest.first_chunk()) {
        let word = u64::from_le_bytes(*word);
        // the lowest bit of those set here belongs to the first byte below
        let low = word.wrapping_sub(BELOW) & !word & HIGH;
        if low != 0 {
            at += low.trailing_zeros() as usize / 8;
            break;
        }
        at += 8;
    }
    let rest = inside(text, at..);
    at + rest.iter().take_while(|b| !is_space(**b) && **b != b'"').count()
}

/// How long the text is up to the quote that ends it. Two backslashes stand for one and protect nothing, but those after
/// the first two of a row are looked at one by one, as the official library does.
fn quoted(inside: &[u8]) -> usize {
    let byte = |at: usize| inside.get(at).copied();
    let (mut at, mut pair) = (0usize, None);
    loop {
        if byte(at) == Some(b'\\') && byte(at + 1) == Some(b'\\') {
            pair = Some(at + 1);
            at += 2;
        }
        let before = at.checked_sub(1);
        let protected = before.and_then(byte) == Some(b'\\') && before != pair;
        match byte(at) {
            None => return inside.len(),
            Some(b'"') if !protected => return at,
            Some(_) => at += 1,
        }
    }
}

/// How long a word is that has quotes inside: blanks between two quotes belong to it.
#[cold]
fn with_quotes(rest: &[u8]) -> usize {
    let (mut inside, mut before) = (false, 0u8);
    let goes_on = |b: &&u8| {
        if **b == b'"' && before != b'\\' {
            inside = !inside;
        }
        before = **b;
        inside || !is_space(**b)
    };
    rest.iter().take_while(goes_on).count()
}

/// Replaces escapes by what they stand for. A backslash before anything else stays.
pub(super) fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let Some((code, after)) = after.split_first().filter(|_| *first == b'\\') else {
            out.push(*first);
            continue;
        };
        let plain = match code {
            b'n' => b'\n',
            b't' => b'\t',
            b'b' => 0x08,
            b'r' => b'\r',
            b'f' => 0x0c,
            b'v' => 0x0b,
            b'a' => 0x07,
            b'\\' | b'\'' | b'"' | b'?' | b'!' => *code,
            b'0'..=b'9' => {
                let n = rest.iter().take(3).take_while(|b| b.is_ascii_digit()).count();
                let (digits, after) = rest.split_at(n);
                // the official library takes 8 and 9 for digits, too, and the lowest eight bits of the number
                out.push(
                    digits.iter().fold(0u8, |n, d| n.wrapping_mul(8).wrapping_add(d.wrapping_sub(b'0'))),
                );
                rest = after;
                continue;
            }
            _ => {
                out.push(b'\\');
                continue;
            }
        };
        out.push(plain);
        rest = after;
    }
    out
}

/// A value of a type from a word; `None` when it is not one.
pub(super) fn value(kind: DataType, word: &[u8]) -> Option<Value> {
    Some(match kind {
        DataType::Short => (number::signed(word)? as i16).into(),
        DataType::UShort => (number::unsigned(word)? as u16).into(),
        DataType::Long => (number::signed(word)? as i32).into(),
        DataType::ULong => (number::unsigned(word)? as u32).into(),
        DataType::Long64 => number::signed(word)?.into(),
        DataType::ULong64 => number::unsigned(word)?.into(),
        DataType::Float => number::as_single(word)?.into(),
        DataType::Double => number::as_double(word)?.into(),
        DataType::LongDouble => Value::LongDouble(number::as_extended(word)?),
        DataType::String => Value::String(Text::new(unescape(word))),
        // an empty word is a NUL
        DataType::Character => unescape(word).first().copied().unwrap_or(0).into(),
    })
}

/// Whether a word of which a value of a type is read is that value, from its first byte to its last.
pub(super) fn is_whole(kind: DataType, word: &[u8]) -> bool {
    is_one(kind, word) && fits(kind, word)
}

/// Whether nothing else is in a word.
fn is_one(kind: DataType, word: &[u8]) -> bool {
    match kind {
        DataType::String => true,
        DataType::Character => unescape(word).len() <= 1,
        DataType::Float | DataType::Double | DataType::LongDouble => number::is_whole_real(word),
        _ => number::is_whole_integer(word),
    }
}

/// Whether a number is not beyond what its type has.
fn fits(kind: DataType, word: &[u8]) -> bool {
    match kind {
        DataType::Short => number::is_among(word, i16::MIN.into(), i16::MAX.into()),
        DataType::UShort => number::is_among(word, 0, u16::MAX.into()),
        DataType::Long => number::is_among(word, i32::MIN.into(), i32::MAX.into()),
        DataType::ULong => number::is_among(word, 0, u32::MAX.into()),
        DataType::Long64 => number::is_among(word, i64::MIN.into(), i64::MAX.into()),
        DataType::ULong64 => number::is_among(word, 0, u64::MAX.into()),
        DataType::Float | DataType::Double => {
            let is_infinite = matches!(value(kind, word), Some(Value::Number(n)) if n.to_f64().is_infinite());
            !is_infinite || !word.iter().any(u8::is_ascii_digit)
        }
        DataType::LongDouble | DataType::String | DataType::Character => true,
    }
}

/// What is said of a word that is not the value that is read of it.
#[cold]
pub(super) fn told(kind: DataType, word: &[u8]) -> String {
    match value(kind, word) {
        Some(Value::Number(n)) if is_one(kind, word) => {
            format!("`{}` does not fit in a {kind}, and is read as {n}", shown(word))
        }
        _ => format!("only the beginning of `{}` is a {kind}", shown(word)),
    }
}

/// Adds a value of a type from a word of a line that may have a comment; `None` when it is not one, or may begin the comment, or, if it is to be
/// one from its first byte to its last, when it is not. There is room for it.
#[inline]
pub(super) fn push((kind, to_the_last): (DataType, bool), word: &[u8], to: &mut Elements) -> Option<()> {
    if let (DataType::Double, Elements::Numbers(Numbers::F64(numbers))) = (kind, &mut *to)
        && let Some(x) = number::whole_double(word)
        && !(to_the_last && x.is_infinite())
    {
        // what most values are
        numbers.push(x);
        return Some(());
    }
    if word.contains(&b'!') || to_the_last && !is_whole(kind, word) {
        return None;
    }
    match to {
        Elements::String(texts) if !word.contains(&b'\\') => texts.try_push(word).then_some(()),
        _ => to.push(value(kind, word)?).ok(),
    }
}

/// A value that has a line of its own, or is a fixed value: a string is the whole line unless it begins with a quote.
pub(super) fn alone(kind: DataType, line: &[u8]) -> Option<Value> {
    if kind == DataType::String && line.first() != Some(&b'"') {
        return Some(Value::String(Text::new(unescape(line))));
    }
    value(kind, next(line, &mut 0)?)
}

impl Parameter {
    /// The value of `fixed_value`, or why it is not of the parameter's type; `None` when the pages have the values.
    ///
    /// ```
    /// use binfmt::formats::sdds::{DataType, Parameter, Value};
    /// let p = Parameter::new("n", DataType::Long);
    /// assert!(p.fixed().is_none());
    /// assert_eq!(p.clone().fixed_value("42").fixed(), Some(Ok(Value::from(42i32))));
    /// assert_eq!(p.fixed_value("abc").fixed(), Some(Err("the fixed value `abc` is not a long".into())));
    /// ```
    pub fn fixed(&self) -> Option<core::result::Result<Value, String>> {
        let text = self.fixed_value.as_ref()?;
        let value = alone(self.data_type, text.as_bytes());
        Some(value.ok_or_else(|| format!("the fixed value `{text}` is not a {}", self.data_type)))
    }

    /// What is to be said of `fixed_value` where its text is not the value that is read of it.
    pub(crate) fn partly_fixed(&self) -> Option<String> {
        let (kind, text) = (self.data_type, self.fixed_value.as_ref()?);
        let word = next(text.as_bytes(), &mut 0)?;
        (kind != DataType::String && !is_whole(kind, word)).then(|| told(kind, word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn words_and_escapes() {
        let line = br#"  1.5 "two \"words\"" "" x "#;
        let mut at = 0;
        let mut words = Vec::new();
        while let Some(word) = next(line, &mut at) {
            words.push(word);
        }
        assert_eq!(words, [&b"1.5"[..], br#"two \"words\""#, b"", b"x"]);
        for (line, word) in [
            (&br#""a\\" b"#[..], &br"a\\"[..]),
            (br#""a\\\" b" c"#, br#"a\\\" b"#),
            (br#""\\\\" b" c"#, br#"\\\\" b"#),
            (br#"a"b c"d e"#, br#"a"b c"d"#),
            (br#"a\"b c"#, br#"a\"b"#),
        ] {
            assert_eq!(next(line, &mut 0), Some(word), "{}", line.escape_ascii());
        }
        assert_eq!(unescape(br"\101\7\q\!\\n\"), *b"A\x07\\q!\\n\\");
    }

    #[test]
    fn plain_words_end_with_blanks_and_quotes() {
        for len in 0..20 {
            for end in 0..=255u8 {
                let word = [vec![b'9'; len].as_slice(), &[end], b"\x8012345678 "].concat();
                let goes_on = !is_space(end) && end != b'"';
                assert_eq!(plain(&word), if goes_on { len + 10 } else { len }, "{len} {end}");
            }
        }
    }

    #[test]
    fn values_alone() {
        assert_eq!(alone(DataType::String, b"  a b "), Some(Value::String("  a b ".into())));
        assert_eq!(alone(DataType::String, b"\"a b\" c"), Some(Value::String("a b".into())));
        assert_eq!(alone(DataType::Long, b" 12 34"), Some(Value::from(12i32)));
        assert_eq!(alone(DataType::Long, b" "), None);
        assert_eq!(alone(DataType::Character, b"\\040"), Some(Value::from(b' ')));
    }
}
