//! Bytes as they are, for files of which nothing is known.

use crate::error::{Error, Result};
use crate::input::Input;
use crate::span::Span;
use std::io::{Read, Write};

/// Bytes in a line.
pub(crate) const LINE: usize = 16;

/// Writes the bytes of a range, 16 in a line, with their letters. Lines that are like the one before are a `*`.
pub(crate) fn dump(input: &mut Input, bytes: Span, out: &mut dyn Write) -> Result<()> {
    let begin = bytes.from - bytes.from % LINE as u64;
    let mut reader = input.reader(begin)?.take(bytes.to.map_or(u64::MAX, |to| to.saturating_sub(begin)));
    let (mut line, mut last, mut is_repeated) = (Vec::new(), Vec::new(), false);
    let mut at = begin;
    loop {
        line.clear();
        reader.by_ref().take(LINE as u64).read_to_end(&mut line).map_err(Error::input)?;
        if line.is_empty() {
            // how long the repetition is
            return if is_repeated { writeln!(out, "{at:#010x}").map_err(Error::output) } else { Ok(()) };
        }
        if line == last && line.len() == LINE {
            if !is_repeated {
                writeln!(out, "*").map_err(Error::output)?;
            }
            is_repeated = true;
        } else {
            is_repeated = false;
            out.write_all(row(at, &line, bytes.from).as_bytes()).map_err(Error::output)?;
        }
        at += line.len() as u64;
        std::mem::swap(&mut line, &mut last);
    }
}

/// A line; bytes before the first one that is wanted are left blank.
fn row(at: u64, bytes: &[u8], from: u64) -> String {
    let mut text = format!("{at:#010x}  ");
    let is_wanted = |i: usize| at + i as u64 >= from;
    for (i, byte) in bytes.iter().enumerate() {
        let gap = if i == LINE / 2 { " " } else { "" };
        match is_wanted(i) {
            true => text.push_str(&format!("{gap}{byte:02x} ")),
            false => text.push_str(&format!("{gap}   ")),
        }
    }
    let width = 12 + 3 * LINE + 1;
    text.push_str(&" ".repeat(width.saturating_sub(text.len()) + 1));
    for (i, byte) in bytes.iter().enumerate() {
        let shown = if (b' '..0x7f).contains(byte) { char::from(*byte) } else { '.' };
        text.push(if is_wanted(i) { shown } else { ' ' });
    }
    text.push('\n');
    text
}
