//! Columns that are written when all their rows are there: what is more than a few megabytes waits in a file without a name.

use super::filled::{Gathered, size};
use crate::codec::Decode;
use crate::columns::{BytesColumn, Column, ColumnData, ColumnType};
use crate::error::{Error, Result};
use crate::numbers::{NumberType, Numbers};
use crate::schema::Name;
use crate::storage::unnamed_file;
use crate::wire::amount::{after, between, known, times};
use crate::wire::raw::bulk::try_room;
use crate::wire::{Le, Slice};
use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;

/// The bytes of columns that are in memory.
const HELD: u64 = 8 << 20;

/// Batches of columns of fixed types.
#[derive(Debug)]
pub(crate) struct Aside {
    types: Vec<ColumnType>,
    held: Gathered,
    /// About how many bytes are held.
    bytes: u64,
    rows: u64,
    file: Option<File>,
    parts: Vec<Part>,
    end: u64,
}

/// Rows that are in the file, and where each of their columns is.
#[derive(Debug)]
struct Part {
    rows: usize,
    columns: Vec<Range<u64>>,
}

impl Aside {
    pub(crate) fn new(types: impl IntoIterator<Item = (Name, ColumnType)>) -> Self {
        let types: Vec<(Name, ColumnType)> = types.into_iter().collect();
        Aside {
            types: types.iter().map(|(_, ty)| ty.clone()).collect(),
            held: Gathered::new(types),
            bytes: 0,
            rows: 0,
            file: None,
            parts: Vec::new(),
            end: 0,
        }
    }

    /// All rows that were added.
    #[cfg(feature = "sdds")]
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// Whether some of them are not in memory.
    pub(crate) fn is_in_file(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Adds these rows.
    pub(crate) fn push(&mut self, more: Vec<Column>, rows: usize) -> Result<()> {
        self.bytes = more.iter().fold(self.bytes, |sum, column| after(sum, size(column)));
        self.held.push(more, rows)?;
        self.rows = after(self.rows, rows as u64);
        if self.bytes < HELD { Ok(()) } else { self.put() }
    }

    /// The rows that are in memory, which are all of them unless some are [in a file](Self::is_in_file).
    pub(crate) fn take(&mut self) -> Vec<Column> {
        (self.bytes, self.rows) = (0, 0);
        self.held.take()
    }

    fn put(&mut self) -> Result<()> {
        let rows = self.held.rows();
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(unnamed_file()?),
        };
        file.seek(SeekFrom::Start(self.end))?;
        let (mut out, mut columns) = (BufWriter::new(file), Vec::new());
        for column in self.held.take() {
            let mut bytes = Vec::new();
            write(&column, &mut bytes)?;
            out.write_all(&bytes)?;
            let start = self.end;
            self.end = after(start, bytes.len() as u64);
            columns.push(start..self.end);
        }
        out.flush()?;
        try_room(&mut self.parts, 1)?;
        self.parts.push(Part { rows, columns });
        self.bytes = 0;
        Ok(())
    }

    /// The rows of these columns, one part after the other. After them there are none.
    #[cfg(feature = "sdds")]
    pub(crate) fn drain(&mut self, mut take: impl FnMut(Vec<Column>, usize) -> Result<()>) -> Result<()> {
        for part in &self.parts {
            let read = |(column, ty)| read_part(self.file.as_mut(), part, column, ty);
            take(self.types.iter().enumerate().map(read).collect::<Result<_>>()?, part.rows)?;
        }
        let rows = self.held.rows();
        let held = self.held.take();
        if rows > 0 {
            take(held, rows)?;
        }
        self.clear();
        Ok(())
    }

    /// The rows of one column after those of the other, part after part, each with the number of the column. After them there are none.
    pub(crate) fn drain_columns(&mut self, mut take: impl FnMut(usize, Column) -> Result<()>) -> Result<()> {
        let rows = self.held.rows();
        for ((column, ty), held) in self.types.iter().enumerate().zip(self.held.take()) {
            for part in &self.parts {
                take(column, read_part(self.file.as_mut(), part, column, ty)?)?;
            }
            if rows > 0 {
                take(column, held)?;
            }
        }
        self.clear();
        Ok(())
    }

    fn clear(&mut self) {
        self.parts.clear();
        (self.bytes, self.rows, self.end) = (0, 0, 0);
    }
}

fn read_part(file: Option<&mut File>, part: &Part, column: usize, ty: &ColumnType) -> Result<Column> {
    let (Some(file), Some(place)) = (file, part.columns.get(column)) else {
        return Err(Error::other("there is no such column"));
    };
    let len = usize::try_from(between(place.start, place.end)).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    try_room(&mut bytes, len)?;
    file.seek(SeekFrom::Start(place.start))?;
    file.take(len as u64).read_to_end(&mut bytes)?;
    read(ty, part.rows, &mut bytes.as_slice())
}

/// A column as bytes, which nobody else reads.
fn write(column: &Column, out: &mut Vec<u8>) -> Result<()> {
    match column {
        Column::Numbers(of) => numbers(of, out),
        Column::FixedBytes { bytes, .. } => put(bytes, out),
        Column::Array { items, .. } => write(items, out),
        Column::Text(texts) | Column::Bytes(texts) => {
            numbers(&Numbers::U64(texts.offsets().iter().skip(1).map(|end| *end as u64).collect()), out)?;
            put(texts.items(), out)
        }
        other => Err(Error::other(format!("{} cannot be put aside", other.column_type()))),
    }
}

fn numbers(of: &Numbers, out: &mut Vec<u8>) -> Result<()> {
    try_room(out, times(of.len(), of.number_type().size()))?;
    Numbers::put_le_bytes(of, out);
    Ok(())
}

fn put(bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
    try_room(out, bytes.len())?;
    out.extend_from_slice(bytes);
    Ok(())
}

/// So many rows of a column from the bytes that it was [written](write) as.
fn read(ty: &ColumnType, rows: usize, from: &mut &[u8]) -> Result<Column> {
    let lost = || Error::other("what was put aside is not there");
    Ok(match ty {
        ColumnType::Number(kind) => Column::Numbers(numbers_of(*kind, rows, from)?),
        ColumnType::FixedBytes(size) => {
            let bytes = taken(from, times(rows, *size)).to_vec();
            Column::FixedBytes { size: *size, rows, bytes }
        }
        ColumnType::Array { len, items } => {
            let items = Box::new(read(items, times(rows, *len), from)?);
            Column::Array { len: *len, rows, items }
        }
        ColumnType::Text | ColumnType::Bytes => {
            let Numbers::U64(ends) = numbers_of(NumberType::U64, rows, from)? else { return Err(lost()) };
            let ends: Vec<usize> = [0].into_iter().chain(ends).map(|end| end as usize).collect();
            let bytes = taken(from, known(ends.last().copied())).to_vec();
            let texts = BytesColumn::from_parts(ends, bytes).ok_or_else(lost)?;
            if *ty == ColumnType::Text { Column::Text(texts) } else { Column::Bytes(texts) }
        }
        other => return Err(Error::other(format!("{other} cannot be put aside"))),
    })
}

fn taken<'a>(from: &mut &'a [u8], bytes: usize) -> &'a [u8] {
    let (front, rest) = from.split_at(bytes.min(from.len()));
    *from = rest;
    front
}

fn numbers_of(kind: NumberType, count: usize, from: &mut &[u8]) -> Result<Numbers> {
    let mut src = Slice::new(from);
    let numbers = Numbers::decode::<Le, _>(&mut src, (kind, count as u64))?;
    taken(from, times(count, kind.size()));
    Ok(numbers)
}

#[cfg(all(test, feature = "sdds"))]
mod tests {
    use super::*;

    /// Three columns of every kind, of these rows.
    fn columns(rows: Range<u32>) -> Vec<Column> {
        let count = rows.len();
        let texts: Vec<String> =
            rows.clone().map(|i| format!("{i}{}", "x".repeat(i as usize % 1000))).collect();
        let pairs: Vec<u16> = rows.clone().flat_map(|i| [i as u16, 7]).collect();
        let bytes = rows.clone().flat_map(|i| [i as u8; 10]).collect();
        vec![
            Column::from(rows.map(f64::from).collect::<Vec<_>>()),
            Column::FixedBytes { size: 10, rows: count, bytes },
            Column::Text(texts.iter().map(String::as_bytes).collect()),
            Column::Array { len: 2, rows: count, items: Box::new(Column::from(pairs)) },
        ]
    }

    fn thousand(batch: u32) -> Range<u32> {
        let from = batch.saturating_mul(1000);
        from..from.saturating_add(1000)
    }

    fn gathered(batches: u32) -> Aside {
        let types = columns(0..0).into_iter().map(|column| ("c".into(), column.column_type()));
        let mut aside = Aside::new(types);
        (0..batches).map(thousand).for_each(|rows| aside.push(columns(rows), 1000).unwrap());
        aside
    }

    fn joined(parts: Vec<Column>) -> Column {
        let mut parts = parts.into_iter();
        let mut all = parts.next().unwrap();
        assert!(parts.all(|part| crate::table::filled::append(&mut all, &part)));
        all
    }

    #[test]
    fn rows_come_back_as_they_were() {
        let mut small = gathered(2);
        assert!(!small.is_in_file() && small.take() == columns(0..2000));
        for again in 0..2 {
            let mut large = gathered(35);
            // a second page in the same file
            if again == 1 {
                large.drain(|_, _| Ok(())).unwrap();
                assert_eq!((large.rows(), large.is_in_file()), (0, false));
                (0..35).map(thousand).for_each(|rows| large.push(columns(rows), 1000).unwrap());
            }
            assert!(large.is_in_file() && large.rows() == 35_000);
            let mut found: Vec<Vec<Column>> = vec![Vec::new(); 4];
            large
                .drain_columns(|place, column| {
                    found[place].push(column);
                    Ok(())
                })
                .unwrap();
            assert!(found[0].len() > 2);
            let found: Vec<Column> = found.into_iter().map(joined).collect();
            assert!(found == columns(0..35_000));
        }
        let (mut all, mut rows) = (Vec::new(), 0);
        gathered(35)
            .drain(|columns, of| {
                rows += of;
                all.extend(columns.into_iter().next());
                Ok(())
            })
            .unwrap();
        assert!(joined(all) == columns(0..35_000).remove(0) && rows == 35_000);
    }
}
