//! Pages of text whose rows are read as they are written.

use super::lines::{DataLines, TextPlace};
use super::partly::Partly;
use super::read::{additional_lines, read_head, row_count, rows};
use crate::error::{Result, Step};
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::page::Head;
use crate::formats::sdds::layout::table::{Chosen, Table};
use crate::wire::{Cursor, Erased, Source};
use core::ops::Range;

/// What is before the rows of a page, and how many it says they are, if it does; `None` if no page begins. The place moves
/// after it.
pub(crate) fn begin_page(
    src: &mut Erased<'_, '_>,
    header: &Header,
    (place, partly): (&mut TextPlace, Option<&mut Partly>),
) -> Result<Option<(Head, Option<u64>)>> {
    let begun = core::mem::replace(&mut place.begun, true);
    place.cut = false;
    let mut lines = DataLines::new(src.erase(), place).watched(partly);
    if !begun && !additional_lines(&mut lines, header)? {
        return Ok(None);
    }
    let Some(head) = read_head(&mut lines, header, begun)? else { return Ok(None) };
    let mut stated = None;
    if !header.columns.is_empty() && !header.no_row_counts {
        stated = row_count(&mut lines)?;
        if stated.is_none() {
            return Ok(None);
        }
    }
    if header.no_row_counts && !lines.has_more()? && head.parameters.is_empty() && head.arrays.is_empty() {
        // a page of columns alone is there when something of it is
        return Ok(None);
    }
    lines.place.row = (lines.src.pos(), lines.place.lines);
    Ok(Some((head, stated)))
}

/// The number of rows again, from a source that is at [`count_at`]: the program that writes the file changes it.
pub(crate) fn count_again(src: &mut Erased<'_, '_>, mut place: TextPlace) -> Result<Option<u64>> {
    row_count(&mut DataLines::new(src.erase(), &mut place))
}

/// Where the line with the number of rows begins.
pub(crate) fn count_at(place: &TextPlace) -> u64 {
    place.count_at
}

/// Where the first row begins that was not read.
pub(crate) fn row_at(place: &TextPlace) -> u64 {
    place.row.0
}

/// Whether the page has ended with the rows that were read, in a file that does not count them.
pub(crate) fn is_over(place: &TextPlace) -> bool {
    place.over
}

/// The rows of these numbers that are chosen, from a source that is at [`row_at`], where the first of them begins; `None` when the file
/// ends where a page would begin. An error leaves the whole rows before.
pub(crate) fn rows_at(
    src: &mut Erased<'_, '_>,
    header: &Header,
    (place, partly): (&mut TextPlace, Option<&mut Partly>),
    chosen: &Chosen,
    (wanted, stated): (Range<u64>, Option<u64>),
    table: &mut Table,
) -> Result<Option<u64>> {
    place.cut = false;
    place.lines = place.row.1;
    let mut lines = DataLines::new(src.erase(), place).watched(partly);
    let has_more = header.stored_parameters().next().is_some() || !header.arrays.is_empty();
    lines.filled = has_more || wanted.start > 0;
    rows(&mut lines, header, chosen, table, (wanted, stated))
}

/// Rows of a page after the `first` ones, from a source that is at [`row_at`]; whether it is whole then. An error that
/// says that the text ends leaves the whole rows before.
pub(crate) fn more_rows(
    src: &mut Erased<'_, '_>,
    header: &Header,
    place: &mut TextPlace,
    (first, stated): (u64, Option<u64>),
    table: &mut Table,
) -> Result<bool> {
    if header.columns.is_empty() {
        return Ok(true);
    }
    let read = rows_at(src, header, (place, None), &Chosen::ALL, (first..u64::MAX, stated), table);
    let is_cut = place.cut;
    place.stated = None;
    match read {
        Ok(found) => Ok(found.is_some() && !is_cut),
        Err(_) if is_cut => Ok(false),
        Err(e) => Err(e.within(Step::Field("table"))),
    }
}
