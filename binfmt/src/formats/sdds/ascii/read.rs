//! Pages of text, read.

use super::token;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::formats::sdds::header::{Array, Header};
use crate::formats::sdds::lines::{cut_comment, next_line};
use crate::formats::sdds::page::{Head, Page, RowCount};
use crate::formats::sdds::pages::Failed;
use crate::formats::sdds::table::{Chosen, Table};
use crate::formats::sdds::text::is_space;
use crate::formats::sdds::types::DataType;
use crate::formats::sdds::value::{ArrayValue, Elements, Value};
use crate::wire::Source;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Where the text is read, from page to page.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::formats::sdds) struct Place {
    /// Lines behind the header that were read.
    pub(super) lines: usize,
    /// Whether a page was read.
    pub(super) begun: bool,
    /// Whether the text ended where more of the last page could have been.
    pub(in crate::formats::sdds) cut: bool,
    /// The rows that the last page states, where it has fewer and may.
    pub(in crate::formats::sdds) stated: Option<u64>,
    /// Where the line with the number of rows begins.
    pub(super) count_at: u64,
    /// Where the first row that was not read begins, and how many lines are before.
    pub(super) row: (u64, usize),
}

/// The lines of a page.
pub(super) struct Lines<'a, S> {
    pub(super) src: &'a mut S,
    pub(super) place: &'a mut Place,
    line: Vec<u8>,
    /// Where the line begins, and how much of it has been used.
    start: u64,
    at: usize,
    /// Whether any line of the page had more than blanks.
    pub(super) filled: bool,
}

impl<'a, 'de, S: Source<'de>> Lines<'a, S> {
    pub(super) fn new(src: &'a mut S, place: &'a mut Place) -> Self {
        Lines { src, place, line: Vec::new(), start: 0, at: 0, filled: false }
    }

    /// The next line as it is; false at the end.
    fn raw(&mut self) -> Result<bool> {
        self.start = self.src.pos();
        self.at = 0;
        let more = next_line(self.src, self.place.lines, &mut self.line, usize::MAX)?;
        self.place.lines = self.place.lines.saturating_add(usize::from(more));
        Ok(more)
    }

    /// The next line that is no comment, without the comment at its end.
    fn next(&mut self) -> Result<bool> {
        while self.raw()? {
            if self.line.first() != Some(&b'!') {
                if self.line.last() == Some(&b'\r') {
                    self.line.pop();
                }
                cut_comment(&mut self.line, |_| ());
                self.filled |= !self.is_blank();
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_blank(&self) -> bool {
        self.line.iter().all(|b| is_space(*b))
    }

    /// The next line that is not blank.
    fn next_filled(&mut self) -> Result<bool> {
        while self.next()? {
            if !self.is_blank() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    #[cold]
    fn error(&self, text: String) -> Error {
        let at = self.start.saturating_add(self.at.min(self.line.len()) as u64);
        Error::message(format!("line {} of the data: {text}", self.place.lines), at)
    }

    #[cold]
    fn ends(&mut self, before: String) -> Error {
        self.place.cut = true;
        Error::message(format!("the file ends before {before}"), self.src.pos())
    }

    /// The next word of the line, or the next field of so many bytes.
    fn word(&mut self, field_length: i32) -> Option<&[u8]> {
        if field_length == 0 {
            return token::next(&self.line, &mut self.at);
        }
        let from = self.at;
        let width = usize::try_from(field_length.unsigned_abs()).unwrap_or(usize::MAX);
        let field = self.line.get(from..).filter(|rest| !rest.is_empty())?;
        self.at = from.saturating_add(width).min(self.line.len());
        let field = field.get(..width).unwrap_or(field);
        Some(if field_length < 0 { field.trim_ascii() } else { field })
    }

    /// The next value of the line; `Ok(None)` when there is nothing left of it.
    fn value(&mut self, kind: DataType, field_length: i32) -> Result<Option<Value>, String> {
        let before = self.at;
        let Some(word) = self.word(field_length) else { return Ok(None) };
        if let Some(value) = token::value(kind, word) {
            return Ok(Some(value));
        }
        let text = format!("`{}` is no {kind}", shown(word));
        // the error points at the word
        let blanks = self.line.iter().skip(before).take_while(|b| is_space(**b)).count();
        self.at = before.saturating_add(blanks);
        Err(text)
    }
}

/// Text for a message; long text is cut.
fn shown(text: &[u8]) -> String {
    const MOST: usize = 40;
    let cut = if text.len() > MOST { "…" } else { "" };
    format!("{}{cut}", String::from_utf8_lossy(text.get(..MOST).unwrap_or(text)))
}

/// Reads a page; `None` at the end of the file.
pub(in crate::formats::sdds) fn read_page<'de, S: Source<'de>>(
    src: &mut S,
    header: &Header,
    place: &mut Place,
    chosen: &Chosen,
) -> Result<Option<Page>, Failed> {
    let begun = core::mem::replace(&mut place.begun, true);
    (place.cut, place.stated) = (false, None);
    let mut lines = Lines::new(src, place);
    if !begun && !additional_lines(&mut lines, header)? {
        return Ok(None);
    }
    let Some(head) = read_head(&mut lines, header, begun)? else { return Ok(None) };
    let mut page = Page { head, table: Table::empty(header, chosen) };
    let mut read = read_rows(&mut lines, header, chosen, &mut page.table);
    if header.fixed_row_count && lines.place.stated.is_some() && read.as_ref().is_err_and(is_of_the_text) {
        // the program that writes the file has not yet put the true number of rows there
        read = Ok(Some(page.table.rows));
    } else {
        lines.place.stated = None;
    }
    let rows = read.and_then(|rows| match rows {
        // a page of columns alone and without row counts is there when something of it is
        None => Ok(None),
        Some(rows) => RowCount::of(rows).map(Some).ok_or_else(|| lines.error("too many rows".into())),
    });
    match rows {
        Ok(None) => Ok(None),
        Ok(Some(rows)) => {
            page.head.rows = rows;
            Ok(Some(page))
        }
        Err(error) => {
            if let Some(rows) = RowCount::of(page.table.rows) {
                page.head.rows = rows;
            }
            Err(Failed { error: error.within(Step::Field("table")), page: Some(page) })
        }
    }
}

/// Steps over the additional lines of the header, of which comments are none; false when the file ends before.
pub(super) fn additional_lines<'de, S: Source<'de>>(
    lines: &mut Lines<'_, S>,
    header: &Header,
) -> Result<bool> {
    for _ in 0..header.additional_header_lines {
        if !lines.next()? {
            return Ok(false);
        }
    }
    lines.filled = false;
    Ok(true)
}

/// Whether the text is to blame, and not what it comes from or what it may take.
fn is_of_the_text(e: &Error) -> bool {
    matches!(e.kind(), ErrorKind::Message(_))
}

/// Parameters and arrays; `None` at the end of the file.
pub(super) fn read_head<'de, S: Source<'de>>(
    lines: &mut Lines<'_, S>,
    header: &Header,
    begun: bool,
) -> Result<Option<Head>> {
    let none = RowCount::of(0).ok_or_else(|| lines.error(String::new()))?;
    let mut head = Head { rows: none, parameters: Vec::new(), arrays: Vec::new() };
    for (i, parameter) in header.stored_parameters().enumerate() {
        // a blank line is a string that is empty
        let more =
            if parameter.data_type == DataType::String { lines.next()? } else { lines.next_filled()? };
        if !more && (i == 0 || !lines.filled) {
            // blank lines behind the last page
            return Ok(None);
        }
        if !more {
            return Err(lines.ends(format!("parameter `{}`", parameter.name)));
        }
        let value = token::alone(parameter.data_type, &lines.line).ok_or_else(|| {
            let (name, kind) = (&parameter.name, parameter.data_type);
            lines.error(format!("parameter `{name}`: `{}` is no {kind}", shown(&lines.line)))
        })?;
        head.parameters.push(value);
    }
    for array in &header.arrays {
        if !lines.next_filled()? {
            if !lines.filled {
                return Ok(None);
            }
            return Err(lines.ends(format!("array `{}`", array.name)));
        }
        head.arrays.push(read_array(lines, array)?);
    }
    // what has no text at all is there once
    let nothing = head.parameters.is_empty() && head.arrays.is_empty() && header.columns.is_empty();
    Ok(if nothing && begun { None } else { Some(head) })
}

/// The sizes stand in the current line, the elements in those behind it.
fn read_array<'de, S: Source<'de>>(lines: &mut Lines<'_, S>, array: &Array) -> Result<ArrayValue> {
    let name = &array.name;
    let mut sizes = Vec::new();
    for _ in 0..array.dimensions {
        match lines.value(DataType::Long, 0) {
            Ok(Some(Value::Long(n))) if n >= 0 => sizes.push(n.unsigned_abs() as usize),
            Ok(Some(_)) => return Err(lines.error(format!("array `{name}`: a size is negative"))),
            Ok(None) => {
                let found = sizes.len();
                let text = format!("array `{name}` has {} dimensions, found {found} sizes", array.dimensions);
                return Err(lines.error(text));
            }
            Err(text) => return Err(lines.error(format!("array `{name}`: size {text}"))),
        }
    }
    let count = if sizes.contains(&0) {
        Some(0)
    } else {
        sizes.iter().try_fold(1usize, |n, size| n.checked_mul(*size))
    };
    let Some(count) = count else {
        return Err(lines.error(format!("array `{name}` is larger than a program can hold")));
    };
    let mut elements = Elements::empty(array.data_type);
    while elements.len() < count {
        if !lines.next()? {
            return Err(lines.ends(format!("element {} of array `{name}`", elements.len())));
        }
        if lines.is_blank() {
            let text = format!("a blank line where element {} of array `{name}` should be", elements.len());
            return Err(lines.error(text));
        }
        while elements.len() < count {
            match lines.value(array.data_type, array.field_length) {
                Ok(Some(value)) => add(lines, &mut elements, value)?,
                Ok(None) => break,
                Err(text) => {
                    return Err(lines.error(format!("array `{name}`, element {}: {text}", elements.len())));
                }
            }
        }
    }
    ArrayValue::new(&sizes, elements).ok_or_else(|| lines.error(format!("array `{name}` is too large")))
}

fn add<'de, S: Source<'de>>(lines: &mut Lines<'_, S>, to: &mut Elements, value: Value) -> Result<()> {
    lines.src.charge(size_of::<f64>())?;
    // a value has just been read as one of this type
    to.push(value).map_err(|_| lines.error("a value of another type".into()))
}

/// The rows; how many they are, or `None` when the file ends where a page would begin.
fn read_rows<'de, S: Source<'de>>(
    lines: &mut Lines<'_, S>,
    header: &Header,
    chosen: &Chosen,
    table: &mut Table,
) -> Result<Option<u64>> {
    if header.columns.is_empty() {
        return Ok(Some(0));
    }
    let stated = if header.no_row_counts { None } else { row_count(lines)? };
    if stated.is_none() && !header.no_row_counts {
        return Ok(None);
    }
    rows(lines, header, chosen, table, (0, stated))
}

/// The number of rows; `None` when the file ends where a page would begin.
pub(super) fn row_count<'de, S: Source<'de>>(lines: &mut Lines<'_, S>) -> Result<Option<u64>> {
    if !lines.next_filled()? {
        return if lines.filled { Err(lines.ends("the number of rows".into())) } else { Ok(None) };
    }
    lines.place.count_at = lines.start;
    match lines.value(DataType::Long64, 0) {
        Ok(Some(Value::Long64(n))) if n >= 0 => Ok(Some(n.unsigned_abs())),
        _ => Err(lines.error(format!("`{}` is no number of rows", shown(&lines.line)))),
    }
}

/// Rows from the `first` on, up to the number that is stated, or to where nobody counts them to a blank line. How many
/// there are of those that were chosen, or `None` when the file ends where a page would begin.
pub(super) fn rows<'de, S: Source<'de>>(
    lines: &mut Lines<'_, S>,
    header: &Header,
    chosen: &Chosen,
    table: &mut Table,
    (first, stated): (u64, Option<u64>),
) -> Result<Option<u64>> {
    lines.at = usize::MAX;
    lines.place.stated = stated;
    let mut row = first;
    lines.place.row = (lines.src.pos(), lines.place.lines);
    while stated.is_none_or(|rows| row < rows) {
        // where line breaks mean nothing, a row may begin in the line of the one before
        if header.lines_per_row != 0
            || lines.line.get(lines.at..).is_none_or(|rest| rest.iter().all(|b| is_space(*b)))
        {
            let more = if stated.is_some() && header.lines_per_row == 0 {
                lines.next_filled()?
            } else {
                lines.next()?
            };
            match stated {
                Some(rows) if !more => return Err(lines.ends(format!("row {row} of {rows}"))),
                None if !more && row == 0 && !lines.filled => return Ok(None),
                None if !more => {
                    lines.place.cut = true;
                    break;
                }
                None if lines.is_blank() => break,
                _ => {}
            }
        }
        let keep = chosen.rows.contains(&row);
        let done = read_row(lines, header, chosen, keep, table);
        if let Err(e) = done {
            let whole = usize::try_from(table.rows).unwrap_or(usize::MAX);
            table.columns.iter_mut().for_each(|column| column.truncate(whole));
            return Err(e.within(Step::Index(usize::try_from(row).unwrap_or(usize::MAX))));
        }
        table.rows = table.rows.saturating_add(u64::from(keep));
        row = row.saturating_add(1);
        lines.place.row = (lines.src.pos(), lines.place.lines);
    }
    Ok(Some(table.rows))
}

/// A row, whose first line is the current one.
fn read_row<'de, S: Source<'de>>(
    lines: &mut Lines<'_, S>,
    header: &Header,
    chosen: &Chosen,
    keep: bool,
    table: &mut Table,
) -> Result<()> {
    if header.lines_per_row as usize > header.columns.len() {
        let text = format!("`lines_per_row` is {}, larger than the number of columns", header.lines_per_row);
        return Err(lines.error(text));
    }
    let mut used = 1u32;
    let mut columns = table.columns.iter_mut();
    for (i, column) in header.columns.iter().enumerate() {
        let kept = if chosen.keeps(i) { columns.next() } else { None };
        let name = &column.name;
        loop {
            let value = match &kept {
                Some(_) if keep => lines.value(column.data_type, column.field_length),
                // a word that nobody wants may be anything
                _ => Ok(lines.word(column.field_length).map(|_| Value::Character(0))),
            };
            match value {
                Ok(Some(value)) => {
                    if let Some(elements) = kept.filter(|_| keep) {
                        add(lines, elements, value)?;
                    }
                    break;
                }
                Ok(None) if header.lines_per_row == 0 || used < header.lines_per_row => {
                    used = used.saturating_add(1);
                    if !lines.next()? {
                        return Err(lines.ends(format!("the value of column `{name}`")));
                    }
                }
                Ok(None) => return Err(lines.error(format!("no value for column `{name}`"))),
                Err(text) => return Err(lines.error(format!("column `{name}`: {text}"))),
            }
        }
    }
    if used < header.lines_per_row {
        let of = header.lines_per_row;
        return Err(lines.error(format!("the row has all its columns in {used} of its {of} lines")));
    }
    Ok(())
}
