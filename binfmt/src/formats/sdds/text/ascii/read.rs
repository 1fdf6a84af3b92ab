//! Pages of text, read.

use super::lines::{DataLines, TextPlace};
use super::partly::Partly;
use super::plain;
use super::token::shown;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::formats::sdds::error::Failed;
use crate::formats::sdds::layout::definition::{Array, Header};
use crate::formats::sdds::layout::page::{Head, Page, RowCount};
use crate::formats::sdds::layout::table::{Chosen, Table};
use crate::formats::sdds::layout::types::DataType;
use crate::formats::sdds::layout::value::{ArrayValue, Elements, Value, no_memory};
use crate::numbers::Number;
use crate::wire::{Cursor, Erased, Hooks, Label, Source};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// Reads a page; `None` at the end of the file.
pub(crate) fn read_page(
    src: &mut Erased<'_, '_>,
    header: &Header,
    (place, partly): (&mut TextPlace, Option<&mut Partly>),
    chosen: &Chosen,
) -> Result<Option<Page>, Failed> {
    let begun = core::mem::replace(&mut place.begun, true);
    (place.cut, place.stated) = (false, None);
    let mut lines = DataLines::new(src.erase(), place).watched(partly);
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
            lines.close_page()?;
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

/// Steps over the additional lines of the header, of which comments are not part; false when the file ends before.
pub(super) fn additional_lines(lines: &mut DataLines<'_, '_>, header: &Header) -> Result<bool> {
    for _ in 0..header.additional_header_lines {
        if !lines.next()? {
            return Ok(false);
        }
    }
    lines.filled = false;
    Ok(true)
}

/// Whether the text is to blame for an error, and not what it comes from or what it may take.
pub(crate) fn is_of_the_text(e: &Error) -> bool {
    matches!(e.kind(), ErrorKind::Message(_) | ErrorKind::SizeLimit { .. })
}

/// Parameters and arrays; `None` at the end of the file.
pub(super) fn read_head(lines: &mut DataLines<'_, '_>, header: &Header, begun: bool) -> Result<Option<Head>> {
    let none = RowCount::of(0).ok_or_else(|| lines.error(String::new()))?;
    let mut head = Head { rows: none, parameters: Vec::new(), arrays: Vec::new() };
    for (i, parameter) in header.stored_parameters().enumerate() {
        // a blank line is a string that is empty
        let more =
            if parameter.data_type == DataType::String { lines.next()? } else { lines.next_filled()? };
        if !more && (i == 0 || !lines.filled) {
            // blank lines after the last page
            return Ok(None);
        }
        if !more {
            return Err(lines.ends(format!("parameter `{}`", parameter.name)));
        }
        let value = lines.alone(parameter.data_type).ok_or_else(|| {
            let (name, kind) = (&parameter.name, parameter.data_type);
            lines.error(format!("parameter `{name}`: `{}` is not a {kind}", shown(&lines.line)))
        })?;
        lines.placed(|| format!("parameter `{}`", parameter.name), None);
        if let Value::String(text) = &value {
            lines.src.charge(text.as_bytes().len())?;
        }
        if i == 0 {
            lines.open_page();
        }
        lines.src.open(Label::Field("parameters"), "");
        lines.at = lines.line.len();
        lines.name(Label::Field(&parameter.name), parameter.data_type, Some(&value))?;
        lines.src.close();
        head.parameters.push(value);
    }
    for array in &header.arrays {
        if !lines.next_filled()? {
            if !lines.filled {
                return Ok(None);
            }
            return Err(lines.ends(format!("array `{}`", array.name)));
        }
        lines.open_page();
        lines.src.open(Label::Field("arrays"), "");
        lines.src.open(Label::Field(&array.name), array.data_type.name());
        head.arrays.push(read_array(lines, array)?);
        lines.src.close();
        lines.src.close();
    }
    // what has no text at all is there once
    let nothing = head.parameters.is_empty() && head.arrays.is_empty() && header.columns.is_empty();
    Ok(if nothing && begun { None } else { Some(head) })
}

/// The sizes are in the current line, the elements in those after it.
fn read_array(lines: &mut DataLines<'_, '_>, array: &Array) -> Result<ArrayValue> {
    let name = &array.name;
    let mut sizes = Vec::new();
    for _ in 0..array.dimensions {
        match lines.value(DataType::Long, 0) {
            Ok(Some(Value::Number(Number::I32(n)))) if n >= 0 => {
                lines.placed(|| format!("array `{name}`, size {}", sizes.len()), None);
                lines.name(Label::Dimension(sizes.len()), DataType::Long, Some(&n.into()))?;
                sizes.push(n.unsigned_abs() as usize);
            }
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
                Ok(Some(value)) => {
                    lines.placed(|| format!("array `{name}`, element {}", elements.len()), None);
                    lines.name(Label::Index(elements.len()), array.data_type, Some(&value))?;
                    add(lines, &mut elements, value)?;
                }
                Ok(None) => break,
                Err(text) => {
                    return Err(lines.error(format!("array `{name}`, element {}: {text}", elements.len())));
                }
            }
        }
    }
    ArrayValue::new(&sizes, elements).ok_or_else(|| lines.error(format!("array `{name}` is too large")))
}

fn add(lines: &mut DataLines<'_, '_>, to: &mut Elements, value: Value) -> Result<()> {
    lines.src.charge(size_of::<f64>())?;
    let at = lines.src.pos();
    if let (Elements::String(column), Value::String(text)) = (&mut *to, &value) {
        let text = text.as_bytes();
        lines.src.charge(text.len())?;
        return if column.try_push(text) { Ok(()) } else { Err(no_memory(text.len(), at)) };
    }
    to.room(1, at)?;
    // a value has just been read as one of this type
    to.push(value).map_err(|_| lines.error("a value of another type".into()))
}

/// The rows; how many they are, or `None` when the file ends where a page would begin.
fn read_rows(
    lines: &mut DataLines<'_, '_>,
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
    rows(lines, header, chosen, table, (0..u64::MAX, stated))
}

/// The number of rows; `None` when the file ends where a page would begin.
pub(super) fn row_count(lines: &mut DataLines<'_, '_>) -> Result<Option<u64>> {
    if !lines.next_filled()? {
        return if lines.filled { Err(lines.ends("the number of rows".into())) } else { Ok(None) };
    }
    lines.place.count_at = lines.start;
    match lines.value(DataType::Long64, 0) {
        Ok(Some(Value::Number(Number::I64(n)))) if n >= 0 => {
            lines.open_page();
            lines.placed(|| "the number of rows".into(), None);
            lines.name(Label::Field("rows"), DataType::Long64, Some(&n.into()))?;
            Ok(Some(n.unsigned_abs()))
        }
        _ => Err(lines.error(format!("`{}` is not a number of rows", shown(&lines.line)))),
    }
}

/// The rows of these numbers, up to the number that is stated, or, without that number, to a blank line. How many
/// there are of those that were chosen, or `None` when the file ends where a page would begin.
pub(super) fn rows(
    lines: &mut DataLines<'_, '_>,
    header: &Header,
    chosen: &Chosen,
    table: &mut Table,
    (wanted, stated): (Range<u64>, Option<u64>),
) -> Result<Option<u64>> {
    // the line of the row count has nothing more
    lines.at = lines.line.len();
    (lines.place.stated, lines.place.over) = (stated, false);
    let mut row = wanted.start;
    lines.place.row = (lines.src.pos(), lines.place.lines);
    let end = stated.map_or(wanted.end, |rows| rows.min(wanted.end));
    while row < end {
        let keep = chosen.rows.contains(&row);
        let most = chosen.alike(row).min(end - row);
        let plain = plain::rows(lines, header, chosen, (most, keep), table)?;
        if plain > 0 {
            row += plain;
            lines.place.row = (lines.src.pos(), lines.place.lines);
            continue;
        }
        // where line breaks mean nothing, a row may begin in the line of the one before
        if header.lines_per_row != 0 || lines.is_used() {
            let more = if stated.is_some() && header.lines_per_row == 0 {
                lines.next_filled()?
            } else {
                lines.next()?
            };
            match stated {
                Some(rows) if !more => return Err(lines.ends(format!("row {row} of {rows}"))),
                None if !more && row == 0 && !lines.filled => return Ok(None),
                None if !more => {
                    (lines.place.cut, lines.place.over) = (true, true);
                    break;
                }
                None if lines.is_blank() => {
                    lines.place.over = true;
                    break;
                }
                _ => {}
            }
        }
        lines.open_page();
        lines.src.open(Label::Field("table"), "");
        lines.src.open(Label::Index(usize::try_from(row).unwrap_or(usize::MAX)), "row");
        let done = read_row(lines, header, chosen, keep.then_some(row), table);
        if let Err(e) = done {
            let whole = usize::try_from(table.rows).unwrap_or(usize::MAX);
            table.columns.iter_mut().for_each(|column| column.truncate(whole));
            return Err(e.within(Step::Index(usize::try_from(row).unwrap_or(usize::MAX))));
        }
        lines.src.close();
        lines.src.close();
        table.rows += u64::from(keep);
        if chosen.passes(&lines.src) {
            table.columns.iter_mut().for_each(|column| column.truncate(0));
        }
        row += 1;
        lines.place.row = (lines.src.pos(), lines.place.lines);
    }
    Ok(Some(table.rows))
}

/// A row, whose first line is the current one, and its number if it is wanted.
fn read_row(
    lines: &mut DataLines<'_, '_>,
    header: &Header,
    chosen: &Chosen,
    row: Option<u64>,
    table: &mut Table,
) -> Result<()> {
    let keep = row.is_some();
    if header.lines_per_row as usize > header.columns.len() {
        let text = format!("`lines_per_row` is {}, larger than the number of columns", header.lines_per_row);
        return Err(lines.error(text));
    }
    let is_wanted = keep && !table.columns.is_empty();
    if header.lines_per_row == 1 && !is_wanted && !lines.is_cut && !lines.is_blank() {
        // what is in a line that nobody wants is not looked at, unless it may be half a line
        return Ok(());
    }
    let mut used = 1u32;
    let mut columns = table.columns.iter_mut();
    for (i, column) in header.columns.iter().enumerate() {
        let kept = if chosen.keeps(i) { columns.next() } else { None };
        let name = &column.name;
        loop {
            let value = match &kept {
                Some(_) if keep => lines.value(column.data_type, column.field_length),
                // a word that is not wanted may be anything
                _ => Ok(lines.word(column.field_length).map(|_| Value::from(0u8))),
            };
            match value {
                Ok(Some(value)) => {
                    lines.placed(|| format!("column `{name}`"), row);
                    let kept = kept.filter(|_| keep);
                    lines.name(Label::Field(name), column.data_type, kept.is_some().then_some(&value))?;
                    if let Some(elements) = kept {
                        add(lines, elements, value)?;
                    }
                    break;
                }
                Ok(None) if header.lines_per_row == 0 || used < header.lines_per_row => {
                    used += 1;
                    if !lines.next()? {
                        return Err(lines.ends(format!("the value of column `{name}`")));
                    }
                    if lines.is_blank() {
                        let text = format!("a blank line where the value of column `{name}` should be");
                        return Err(lines.error(text));
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
