//! Rows of plain text, read where they lie in memory.

use super::lines::DataLines;
use super::token;
use crate::error::Result;
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::table::{Chosen, Table};
use crate::formats::sdds::layout::text::is_space;
use crate::wire::Cursor;
use crate::wire::amount::{between, inside, plus};
use crate::wire::{Source, ending};

/// Text that is looked at together: what it becomes is charged afterwards.
const WINDOW: usize = 32 << 10;

/// Reads rows of one line each as far as whole lines of them are in memory, at most so many, of which all are wanted or none; how many
/// they were.
///
/// Anything but plain words stops it before that row: a comment in it, a blank line, a word that is not a value. So what is wrong is told in
/// one place, by who reads line by line.
pub(super) fn rows(
    lines: &mut DataLines<'_, '_>,
    header: &Header,
    chosen: &Chosen,
    (most, keep): (u64, bool),
    table: &mut Table,
) -> Result<u64> {
    if lines.src.is_heard() || header.lines_per_row != 1 {
        return Ok(0);
    }
    let at = lines.src.pos();
    let text = lines.src.look(1)?;
    let text = text.get(..WINDOW).unwrap_or(text);
    let wanted = keep && !table.columns.is_empty();
    if wanted {
        // a value is a byte or more, and has one after it
        let room = most.min((text.len() / (2 * header.columns.len()).max(1)) as u64);
        table.columns.iter_mut().try_for_each(|column| column.room(room as usize, at))?;
    }
    let texts_before = table.text_bytes();
    let has_widths = header.columns.iter().any(|column| column.field_length != 0);
    let (mut rows, mut passed, mut ended) = (0, 0, 0);
    while rows < most {
        let rest = inside(text, passed..);
        let Some(line) = ending::byte(rest, b'\n').and_then(|n| rest.get(..n)) else { break };
        if line.first() != Some(&b'!') {
            let is_row = match wanted {
                false => line.iter().find(|b| !is_space(**b)).is_some_and(|b| *b != b'!'),
                // a comment, or a protected `!`, moves what comes after it
                true => {
                    !(has_widths && line.contains(&b'!'))
                        && row(line, header, (chosen, lines.partly.is_some()), table).is_some()
                }
            };
            if !is_row {
                break;
            }
            rows += 1;
        }
        passed += line.len() + 1;
        ended += 1;
    }
    let whole = table.rows as usize + if keep { rows as usize } else { 0 };
    table.rows = whole as u64;
    if wanted {
        table.columns.iter_mut().for_each(|column| column.truncate(whole));
        let texts = between(texts_before as u64, table.text_bytes() as u64) as usize;
        lines.src.charge(plus(rows as usize * table.columns.len() * size_of::<f64>(), texts))?;
    }
    lines.src.skip(passed as u64)?;
    lines.pass(ended, rows > 0);
    Ok(rows)
}

/// Adds the values of a line; `None`, after some of them, if one is missing or is not one, or if a comment may be among them. After the last
/// one nothing counts. What `is_watched` may only have values that are one from the first byte to the last.
fn row(line: &[u8], header: &Header, (chosen, is_watched): (&Chosen, bool), table: &mut Table) -> Option<()> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let (mut at, mut columns) = (0, table.columns.iter_mut());
    for (i, column) in header.columns.iter().enumerate() {
        let word = token::field(line, &mut at, column.field_length)?;
        if chosen.keeps(i) {
            token::push((column.data_type, is_watched), word, columns.next()?)?;
        } else if word.contains(&b'!') {
            return None;
        }
    }
    Some(())
}
