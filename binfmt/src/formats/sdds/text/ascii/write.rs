//! Pages of text, written as the official library writes them, but so that every number and text reads back.

use crate::error::{Error, ErrorKind, Result};
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::page::Page;
use crate::formats::sdds::layout::text::is_space;
use crate::formats::sdds::layout::value::{ArrayValue, Elements, Value};
use crate::numbers::Number;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Text is passed on in pieces of about this size.
const BLOCK: usize = 32 << 10;

/// Elements of an array in a line.
const IN_A_LINE: usize = 6;

/// Text on its way out.
struct Output<'o> {
    text: Vec<u8>,
    out: &'o mut dyn FnMut(&[u8]) -> Result<()>,
}

impl Output<'_> {
    fn flush(&mut self, least: usize) -> Result<()> {
        if self.text.len() > least {
            (self.out)(&self.text)?;
            self.text.clear();
        }
        Ok(())
    }

    fn add(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
    }
}

/// Writes a page, the `number`th from 1; `parted` says that a blank line is after the one before.
pub(crate) fn write_page(
    page: &Page,
    header: &Header,
    (number, parted): (usize, bool),
    out: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    page.check(header)?;
    write_head(page, page.table.rows, header, (number, parted), out)?;
    write_rows(&page.table.columns, header, out)
}

/// Writes what is before the rows of a page that has that many of them.
pub(crate) fn write_head(
    page: &Page,
    rows: u64,
    header: &Header,
    (number, parted): (usize, bool),
    out: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let columns = header.columns.len();
    if columns > 0 && header.lines_per_row as usize > columns {
        let reason = "larger than the number of columns";
        return Err(ErrorKind::invalid("lines_per_row", header.lines_per_row, reason).into());
    }
    let mut out = Output { text: Vec::new(), out };
    if header.no_row_counts && number > 1 && !parted && columns > 0 {
        out.add("\n");
    }
    out.add(&format!("! page number {number}\n"));
    for value in &page.head.parameters {
        put(value, &mut out.text);
        out.add("\n");
    }
    for (definition, value) in header.arrays.iter().zip(&page.head.arrays) {
        put_array(value, &definition.name, &mut out)?;
    }
    if columns > 0 && !header.no_row_counts {
        out.add(&format!("{}\n", count(rows)));
    }
    out.flush(0)
}

/// A number of rows, as wide as each: it may be put in the place of another.
pub(crate) fn count(rows: u64) -> String {
    format!("{rows:20}")
}

/// Writes rows.
pub(crate) fn write_rows(
    columns: &[Elements],
    header: &Header,
    out: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let mut out = Output { text: Vec::new(), out };
    let lines = (header.lines_per_row as usize).max(1);
    let in_a_line = (columns.len() / lines).max(1);
    for row in 0..columns.first().map_or(0, Elements::len) {
        for (i, values) in columns.iter().enumerate() {
            let Some(value) = values.get(row) else { continue };
            put(&value, &mut out.text);
            let done = i + 1;
            let line = done / in_a_line;
            let breaks = done.is_multiple_of(in_a_line) && line < lines;
            out.add(if breaks { "\n" } else { " " });
        }
        out.add("\n");
        out.flush(BLOCK)?;
    }
    out.flush(0)
}

/// Whether the page needs a blank line after it, without which readers do not see it where nothing follows.
pub(crate) fn needs_an_end(page: &Page, header: &Header) -> bool {
    header.no_row_counts && page.table.rows == 0 && !header.columns.is_empty()
}

/// Whether the text of that many pages says how many there are. Where rows alone make a page, and are not counted, the official library sees
/// a page without rows where there is none; where pages have nothing to write, there always seems to be one.
pub(crate) fn check_pages(header: &Header, pages: usize) -> Result<()> {
    if header.stored_parameters().next().is_some() || !header.arrays.is_empty() {
        return Ok(());
    }
    match (header.columns.is_empty(), pages) {
        (true, 1) => Ok(()),
        (true, n) => Err(Error::other(format!(
            "an ascii file in which no page has a value of its own has one page, and not {n}"
        ))),
        (false, 0) if header.no_row_counts => Err(Error::other(
            "an ascii file with `no_row_counts` and no page: readers would see a page without rows",
        )),
        (false, _) => Ok(()),
    }
}

fn put_array(value: &ArrayValue, name: &str, out: &mut Output<'_>) -> Result<()> {
    for size in value.sizes() {
        out.add(&format!("{size} "));
    }
    out.add(&format!("          ! {}-dimensional array {name}:\n", value.sizes().len()));
    for (i, element) in value.elements().iter().enumerate() {
        match i {
            0 => {}
            i if i.is_multiple_of(IN_A_LINE) => out.add("\n"),
            _ => out.add(" "),
        }
        put(&element, &mut out.text);
        out.flush(BLOCK)?;
    }
    if !value.elements().is_empty() {
        out.add("\n");
    }
    Ok(())
}

/// A value as one word.
fn put(value: &Value, out: &mut Vec<u8>) {
    let text = match value {
        Value::Number(Number::U8(b)) => {
            escape(*b, false, out);
            return;
        }
        Value::Number(Number::F32(x)) => {
            format!("{:>15}", special(f64::from(*x)).unwrap_or_else(|| as_c(&format!("{x:.8e}"))))
        }
        Value::Number(Number::F64(x)) => format!("{:>22}", special(*x).unwrap_or_else(|| double(*x))),
        Value::Number(n) => format!("{n}"),
        Value::LongDouble(x) => format!("{:>22}", format!("{x}")),
        Value::String(text) => {
            put_string(text.as_bytes(), out);
            return;
        }
    };
    out.extend_from_slice(text.as_bytes());
}

/// The words for what is not a number.
fn special(x: f64) -> Option<String> {
    let sign = if x.is_sign_negative() { "-" } else { "" };
    let word = if x.is_nan() {
        "nan"
    } else if x.is_infinite() {
        "inf"
    } else {
        return None;
    };
    Some(format!("{sign}{word}"))
}

/// With the 16 digits of the official library where they say which number it is, else with 17, which always do.
fn double(x: f64) -> String {
    let short = format!("{x:.15e}");
    match short.parse::<f64>() {
        Ok(back) if back.to_bits() == x.to_bits() => as_c(&short),
        _ => as_c(&format!("{x:.16e}")),
    }
}

/// `1.5e-7` as `1.5e-07`.
fn as_c(text: &str) -> String {
    let Some((mantissa, exponent)) = text.split_once('e') else { return text.into() };
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    format!("{mantissa}e{sign}{digits:0>2}")
}

fn put_string(text: &[u8], out: &mut Vec<u8>) {
    let quoted = text.is_empty() || text.iter().any(|b| is_space(*b));
    if quoted {
        out.push(b'"');
    }
    let mut before = 0;
    for (i, b) in text.iter().enumerate() {
        let is_last = i + 1 == text.len();
        // of several backslashes in quotes the official library does not always know which stand for one, and which protect
        // the quote after them
        let doubtful = match b {
            b'\\' => before == b'\\' || is_last,
            b'"' => before == b'\\',
            _ => false,
        };
        if quoted && doubtful {
            octal(*b, out);
        } else {
            escape(*b, true, out);
        }
        before = *b;
    }
    if quoted {
        out.push(b'"');
    }
}

fn escape(b: u8, blank: bool, out: &mut Vec<u8>) {
    match b {
        b'!' | b'\\' | b'"' => out.extend_from_slice(&[b'\\', b]),
        b' ' if blank => out.push(b),
        b'\x21'..=b'\x7e' => out.push(b),
        _ => octal(b, out),
    }
}

/// In three digits: the official library writes eleven for bytes above 127, and cannot read them.
fn octal(b: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(format!("\\{b:03o}").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sdds::layout::text::Text;
    use crate::formats::sdds::layout::x87::X87;
    use crate::formats::sdds::text::ascii::token;
    use crate::formats::sdds::text::lines::cut_comment;

    fn text(value: Value) -> String {
        let mut out = Vec::new();
        put(&value, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn words_as_the_official_library_writes_them() {
        assert_eq!(text(Value::from(1.0)), " 1.000000000000000e+00");
        assert_eq!(text(Value::from(-1e-30)), "-1.000000000000000e-30");
        assert_eq!(text(Value::from(f64::MAX)), "1.7976931348623157e+308");
        assert_eq!(text(Value::from(f64::NEG_INFINITY)), "                  -inf");
        assert_eq!(text(Value::from(f32::MAX)), " 3.40282347e+38");
        assert_eq!(text(Value::LongDouble(X87::from(-1.0))), "-1.000000000000000000e+00");
        assert_eq!(text(Value::from(b' ')), "\\040");
        assert_eq!(text(Value::String("".into())), "\"\"");
        assert_eq!(text(Value::String("a!b".into())), "a\\!b");
        assert_eq!(text(Value::String("ä b".into())), "\"\\303\\244 b\"");
    }

    #[test]
    fn every_text_comes_back() {
        let pieces: [&[u8]; 9] = [b"a", b" ", b"\\", b"\"", b"!", b"\xff", b"\0", b"\n", b"7"];
        let all = pieces.iter().flat_map(|a| pieces.map(|b| [*a, b].concat()));
        for text in all.clone().flat_map(|a| all.clone().map(move |b| [a.clone(), b].concat())) {
            let value = Value::String(Text::new(text.as_slice()));
            let mut line = Vec::new();
            put(&value, &mut line);
            line.extend_from_slice(b" 1");
            cut_comment(&mut line, |_| ());
            let word = token::next(&line, &mut 0).unwrap();
            assert_eq!(
                token::value(value.data_type().unwrap(), word),
                Some(value),
                "{}",
                line.escape_ascii()
            );
        }
    }

    #[test]
    fn every_double_comes_back() {
        let mut bits = 1u64;
        for _ in 0..2000 {
            bits = bits.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let x = f64::from_bits(bits);
            if !x.is_nan() {
                assert_eq!(
                    token::value(crate::formats::sdds::DataType::Double, text(Value::from(x)).as_bytes()),
                    Some(Value::from(x))
                );
            }
        }
    }
}
