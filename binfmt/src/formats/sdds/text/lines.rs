//! Text from a source, line by line.

use crate::error::{Error, ErrorKind, Result};
use crate::wire::amount::plus;
use crate::wire::ending;
use crate::wire::raw::bulk;
use crate::wire::{Cursor, Erased, Hooks, Kind, Label, Source};
use alloc::vec::Vec;

/// Puts the next line into `out`, without the line feed that ends it; false at the end of the input. A line of more than
/// `most` bytes is an error, and is not read to its end.
pub(super) fn next_line(src: &mut Erased<'_, '_>, out: &mut Vec<u8>, most: usize) -> Result<bool> {
    out.clear();
    if src.at_end()? {
        return Ok(false);
    }
    let start = src.pos();
    loop {
        let n = src.chunk()?;
        if n == 0 {
            break;
        }
        let piece = src.look(n)?;
        let end = ending::byte(piece, b'\n');
        let n = end.unwrap_or(piece.len());
        if n > most - out.len() {
            return Err(Error::new(ErrorKind::size_limit("line", None, most as u64), start));
        }
        src.charge(plus(out.len(), n).saturating_sub(out.capacity()))?;
        src.append(n, out)?;
        if end.is_some() {
            src.array::<1>()?;
            break;
        }
    }
    Ok(true)
}

/// Puts a line into `out` that begins that many bytes ahead, without the line feed that ends it, and leaves it unread; how many
/// bytes it takes with that, or `None` at the end of the input. So its parts can be named one by one when they are read.
pub(super) fn peek_line(
    src: &mut Erased<'_, '_>,
    ahead: usize,
    out: &mut Vec<u8>,
    most: usize,
) -> Result<Option<usize>> {
    out.clear();
    let at = src.pos() + ahead as u64;
    let mut wanted = ahead + 1;
    loop {
        let all = src.look(wanted)?;
        // what was looked at before is still there
        let line = &all[ahead..];
        let end = ending::byte(line, b'\n');
        if end.unwrap_or(line.len()) > most {
            return Err(Error::new(ErrorKind::size_limit("line", None, most as u64), at));
        }
        bulk::try_room(out, end.unwrap_or(line.len())).map_err(|e| e.at(at))?;
        if let Some(end) = end {
            out.extend_from_slice(&line[..end]);
            return Ok(Some(end + 1));
        }
        if all.len() < wanted {
            out.extend_from_slice(line);
            return Ok(Some(line.len()).filter(|n| *n > 0));
        }
        wanted = all.len() + 1;
    }
}

/// Steps over bytes, which are a text of this kind and have this name, and the value if they are one.
pub(super) fn name_text(
    src: &mut Erased<'_, '_>,
    label: Label<&str>,
    (of, value): (&str, Option<&str>),
    bytes: usize,
) -> Result<()> {
    src.open(label, "");
    src.charge(value.map_or(0, str::len))?;
    src.mark(if value.is_some() { Kind::Token { of, value } } else { Kind::Text(of) }, true);
    src.skip(bytes as u64)?;
    src.close();
    Ok(())
}

/// Cuts off a comment (`!` outside quotes, up to the end of the line) and turns `\!` into `!`.
///
/// Calls `moved` with the places in the result after which a backslash is missing.
pub(super) fn cut_comment(line: &mut Vec<u8>, mut moved: impl FnMut(usize)) {
    if !line.contains(&b'!') {
        return;
    }
    let mut quoted = false;
    let mut out = 0;
    let mut before = 0u8;
    for i in 0..line.len() {
        let b = line[i];
        let escaped = before == b'\\';
        before = b;
        match b {
            b'"' if !escaped => quoted = !quoted,
            b'!' if !quoted && escaped => {
                // in place of its backslash
                out -= 1;
                moved(out);
            }
            b'!' if !quoted => break,
            _ => {}
        }
        line[out] = b;
        out += 1;
    }
    line.truncate(out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Slice;

    #[test]
    fn lines_ahead_stay_unread() {
        let (mut src, mut line, mut ahead, mut lines) = (Slice::new(b"a\n\nbc"), Vec::new(), 0, Vec::new());
        while let Some(n) = peek_line(&mut src.erase(), ahead, &mut line, 2).unwrap() {
            lines.push(line.clone());
            ahead += n;
        }
        assert_eq!((lines, ahead, src.rest().len()), (vec![b"a".to_vec(), vec![], b"bc".to_vec()], 5, 5));
        assert!(peek_line(&mut src.erase(), 0, &mut line, 0).is_err());
    }

    #[test]
    fn lines_end_with_a_line_feed_or_the_input() {
        let mut src = Slice::new(b"a\n\nbc");
        let (mut line, mut lines) = (Vec::new(), Vec::new());
        while next_line(&mut src.erase(), &mut line, 2).unwrap() {
            lines.push(line.clone());
        }
        assert_eq!(lines, [&b"a"[..], b"", b"bc"]);
        let e = next_line(&mut Slice::new(b"abc\n").erase(), &mut line, 2).unwrap_err();
        assert_eq!(e.to_string(), "at byte 0x0: line exceeds the limit of 2 bytes");
    }

    #[test]
    fn comments_are_cut_outside_of_quotes() {
        for (from, to) in
            [("a ! b", "a "), (r"a\!b!c", "a!b"), (r#""a!b" c!"#, r#""a!b" c"#), (r#"\"!"#, r#"\""#)]
        {
            let mut line = from.as_bytes().to_vec();
            cut_comment(&mut line, |_| ());
            assert_eq!(core::str::from_utf8(&line), Ok(to));
        }
    }
}
