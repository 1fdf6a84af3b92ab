//! Pages whose rows are counted when they end: the number, which comes before them, is then put in its place.

use crate::error::Result;
use crate::formats::sdds::layout::page::Page;
use crate::formats::sdds::layout::types::Mode;
use crate::formats::sdds::pack::Packed;
use crate::formats::sdds::text::ascii;
use crate::formats::sdds::write::Writer;
use crate::storage::StorageWriter;
use crate::wire::Endian;
use crate::wire::amount::{between, plus};

/// The most rows of such a page: of more the number is longer.
const MOST: u64 = i32::MAX as u64;

/// Whether rows may be written before they are counted: in a file that can be changed, whose rows come one after the other.
pub(super) fn can_be(writer: &mut Writer<Packed<StorageWriter>>) -> Result<bool> {
    let comes_in_rows = !writer.header().is_column_major() && !writer.header().columns.is_empty();
    match writer.get_mut().plain() {
        Some(out) if comes_in_rows => Ok(out.patch(0, &[])?),
        _ => Ok(false),
    }
}

/// Begins a page: where its number of rows is in the file.
pub(super) fn begin(writer: &mut Writer<Packed<StorageWriter>>, content: &Page) -> Result<u64> {
    let bytes =
        |writer: &mut Writer<Packed<StorageWriter>>| writer.get_mut().plain().map_or(0, |out| out.bytes());
    let start = bytes(writer);
    writer.begin_page(content, MOST)?;
    Ok(match writer.header().mode {
        Mode::Binary => start,
        // the last line before the rows
        Mode::Ascii => between(plus(ascii::count(MOST).len(), 1) as u64, bytes(writer)),
    })
}

/// Ends the page with the number of its rows.
pub(super) fn end(writer: &mut Writer<Packed<StorageWriter>>, count_at: u64) -> Result<()> {
    let rows = between(writer.cut_page(), MOST);
    let number = i32::try_from(rows).unwrap_or(i32::MAX);
    let bytes = match (writer.header().mode, writer.header().byte_order()) {
        (Mode::Ascii, _) => ascii::count(rows).into_bytes(),
        (Mode::Binary, Endian::Little) => number.to_le_bytes().to_vec(),
        (Mode::Binary, Endian::Big) => number.to_be_bytes().to_vec(),
    };
    if let Some(out) = writer.get_mut().plain() {
        out.patch(count_at, &bytes)?;
    }
    Ok(())
}
