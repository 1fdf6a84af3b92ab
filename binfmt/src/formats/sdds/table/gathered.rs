//! Rows of small pages that are read together, and what is constant in each page.

use super::file::SddsTable;
use crate::columns::{BytesColumn, Column, Columns};
use crate::error::{Error, Result};
use crate::formats::sdds::layout::types::DataType;
use crate::formats::sdds::layout::value::{Elements, Value};
use crate::numbers::with_numbers;
use crate::wire::amount::known;

/// Bytes of rows that are gathered, with what is constant in them.
pub(super) const GATHERED: usize = 256 << 10;

/// Pages that are gathered at most: what is constant in each is memory of its own, which is 4 KiB where a thread has none to share.
pub(super) const PAGES: usize = 512;

/// Pages that are read as one.
#[derive(Default)]
pub(super) struct Gathered {
    /// The bytes of their rows.
    pub(super) bytes: Vec<u8>,
    pub(super) pieces: Vec<Piece>,
    pub(super) rows: usize,
    /// About how many bytes they are in all, as a batch.
    pub(super) size: usize,
}

/// Rows of one page in a batch.
pub(super) struct Piece {
    pub(super) page: usize,
    pub(super) constants: Vec<Value>,
    pub(super) rows: usize,
}

/// The columns of some rows, of at most as many as the pieces have, with the numbers of the pages and their constants among them, and their
/// names.
pub(super) fn finished(
    table: &SddsTable,
    pieces: &[Piece],
    wanted: &[usize],
    rows: usize,
    columns: Vec<Column>,
) -> Result<Columns> {
    let mut columns = columns.into_iter();
    let of = |i: &usize| {
        let column = match i.checked_sub(table.numbers) {
            None => Some(Ok(numbers(pieces, rows))),
            Some(i) if i + table.numbers < table.num_constants() => {
                table.header.parameters.get(i).map(|said| constant(said.data_type, pieces, i, rows))
            }
            Some(_) => columns.next().map(Ok),
        };
        let name = table.schema.fields.get(*i)?.name.clone();
        Some(column?.map(|column| (name, column)))
    };
    let all = wanted.iter().filter_map(of).collect::<Result<_>>()?;
    Ok(Columns::of_rows(rows, all))
}

/// The pieces with how many of the rows are theirs.
fn runs(pieces: &[Piece], mut rows: usize) -> impl Iterator<Item = (&Piece, usize)> {
    pieces.iter().map(move |piece| {
        let of_piece = piece.rows.min(rows);
        rows -= of_piece;
        (piece, of_piece)
    })
}

/// The number of the page in each row.
fn numbers(pieces: &[Piece], rows: usize) -> Column {
    let mut all: Vec<i64> = Vec::with_capacity(rows);
    for (piece, rows) in runs(pieces, rows) {
        all.resize(all.len() + rows, piece.page as i64);
    }
    Column::from(all)
}

/// The value of a parameter in each row.
fn constant(kind: DataType, pieces: &[Piece], parameter: usize, rows: usize) -> Result<Column> {
    if let [piece] = pieces {
        return piece.constants.get(parameter).map(|value| repeated(value, rows)).ok_or_else(other_type);
    }
    let mut all = Elements::empty(kind);
    for (piece, rows) in runs(pieces, rows) {
        let value = piece.constants.get(parameter).ok_or_else(other_type)?;
        match (&mut all, value) {
            (Elements::String(all), Value::String(text)) => (0..rows).for_each(|_| all.push(text.as_bytes())),
            _ => (0..rows).try_for_each(|_| all.push(value.clone()).map_err(|_| other_type()))?,
        }
    }
    Ok(Column::from(all))
}

fn other_type() -> Error {
    Error::other("a parameter has not the type of its header")
}

/// The same value in all rows.
pub(super) fn repeated(value: &Value, rows: usize) -> Column {
    match value {
        Value::Number(n) => with_numbers!(*n, one x => Column::from(vec![x; rows])),
        Value::LongDouble(x) => Column::FixedBytes { size: 10, rows, bytes: x.to_le_bytes().repeat(rows) },
        Value::String(text) => {
            let text = text.as_bytes();
            let ends = (0..=rows).map(|row| row * text.len()).collect();
            Column::Text(known(BytesColumn::from_parts(ends, text.repeat(rows))))
        }
    }
}
