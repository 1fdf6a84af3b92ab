//! The two lines before the chunks of a data file, and the codec that reads them.

use super::digits::shown;
use super::name::FormatName;
use crate::error::{Error, ErrorKind, Result};
use crate::wire::{Cursor, Erased, Hooks, Kind, Label, Order, Sink, Source};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// The longest line that is read.
pub(crate) const MAX_LINE: usize = 4096;
/// The first line of every data file.
const BINARY: &[u8] = b"binary";

/// A line without its newline. No more than the longest line is looked at, and of a reader nothing after the line.
fn line(src: &mut Erased<'_, '_>) -> Result<Vec<u8>> {
    const MOST: usize = MAX_LINE + 1;
    let mut len = 0;
    let n = loop {
        let seen = src.look(len + 1)?;
        // what was seen before is still there, and is shorter than the longest line
        let new = &seen[len..seen.len().min(MOST)];
        if let Some(n) = new.iter().position(|c| *c == b'\n') {
            break len + n;
        }
        if seen.len() >= MOST {
            return Err(Error::new(ErrorKind::size_limit("line", None, MAX_LINE as u64), src.pos()));
        }
        if seen.len() == len {
            // the input ends without a newline, as this says
            break src.find(b'\n')?;
        }
        len = seen.len();
    };
    src.mark(Kind::Text("ASCII"), true);
    let line = src.take(n)?.bytes().to_vec();
    src.skip(1)?;
    if src.is_heard() {
        let value = String::from_utf8_lossy(&line);
        src.mark(Kind::Token { of: "ASCII", value: Some(value.trim()) }, true);
    }
    Ok(line)
}

/// The name of the format, after the line of the encoding. Like all functions of a field, it is called with a byte order.
#[allow(clippy::extra_unused_type_parameters)]
pub(crate) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<String> {
    both(src.erase())
}

fn both(mut src: Erased<'_, '_>) -> Result<String> {
    src.open(Label::Piece("encoding"), "");
    let at = src.pos();
    encoding(&line(&mut src)?, at)?;
    src.close();
    src.open(Label::Value, "");
    let at = src.pos();
    let format = format_name(&line(&mut src)?, at)?;
    src.close();
    Ok(format)
}

#[allow(clippy::extra_unused_type_parameters)]
pub(crate) fn encode<O: Order, W: Sink>(format: &str, out: &mut W) -> Result<()> {
    put_line(BINARY, out)?;
    format_name(format.as_bytes(), out.pos())?;
    put_line(format.as_bytes(), out)
}

fn put_line<W: Sink>(line: &[u8], out: &mut W) -> Result<()> {
    out.bytes(line, 1)?;
    out.array(*b"\n")
}

/// The first line.
pub(crate) fn encoding(line: &[u8], at: u64) -> Result<()> {
    match line {
        BINARY => Ok(()),
        b"json" => {
            Err(Error::new(ErrorKind::unsupported("binfmt", "BEAT files with the encoding `json`"), at))
        }
        other => Err(Error::new(ErrorKind::mismatch("", "the line `binary`", shown(other)), at)),
    }
}

/// The second line.
pub(crate) fn format_name(line: &[u8], at: u64) -> Result<String> {
    let expected = "the name of a format, `user/name/version`";
    let wrong = || Error::new(ErrorKind::mismatch("", expected, shown(line)), at);
    let text = core::str::from_utf8(line).map_err(|_| wrong())?;
    let is_analysis = text.strip_prefix("analysis:").is_some_and(|name| !name.is_empty());
    if is_analysis || FormatName::parse(text).is_some() { Ok(text.to_owned()) } else { Err(wrong()) }
}
