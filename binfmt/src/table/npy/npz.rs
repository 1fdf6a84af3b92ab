//! Several arrays in one file: a ZIP archive without compression, as `numpy.savez` writes it.
#![allow(clippy::arithmetic_side_effects, reason = "bytes that were written, which no file has 2^64 of")]

use super::survey::{Cells, changed};
use super::write::{header, put, survey};
use crate::error::{Error, Result};
use crate::table::filled::Blanks;
use crate::table::leaf::Picked;
use crate::table::{Leaf, Table, Wanted, Written, keys};
use crate::wire::amount::{after, times64};
use crate::wire::raw::bulk::try_room;
use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::Arc;

/// Writes each column of a table as an array of its own, under its name: what `numpy.load`
/// reads from a file `.npz`.
///
/// The rows are read once for as many columns as have 16 MiB together, and once before if there are texts or lists. Names are made different if two are the same, and
/// `/` in them becomes `_`.
///
/// ```
/// use binfmt::columns::{Column, Columns};
/// use binfmt::table::{ColumnsTable, Table, Wanted, npy};
/// let columns = Columns::new(vec![("a".into(), Column::from(vec![1u8, 2]))])?;
/// let table: std::sync::Arc<dyn Table> = std::sync::Arc::new(ColumnsTable::new(columns));
/// let mut file = Vec::new();
/// npy::write_each(&table, &table.schema().leaves(), &Wanted::new(), &mut file)?;
/// assert!(file.starts_with(b"PK\x03\x04") && file.windows(5).any(|name| name == b"a.npy"));
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// A column is of a type that NumPy does not have, a value is missing that is neither a float nor a time, lists have several lengths,
/// the table cannot be read, or `out` cannot be written.
pub fn write_each(
    table: &Arc<dyn Table>,
    leaves: &[Leaf],
    wanted: &Wanted,
    out: impl Write,
) -> Result<Written> {
    let mut archive = Archive::new(out);
    let rows = archive.add(table, leaves, wanted)?;
    archive.written(rows)
}

/// The same for the columns of several tables, which may have any numbers of rows. The rows that are told are those of all.
///
/// ```
/// use binfmt::columns::{Column, Columns};
/// use binfmt::table::{ColumnsTable, Table, npy};
/// use std::sync::Arc;
/// let table = |name: &str, column: Column| -> Result<Arc<dyn Table>, binfmt::Error> {
///     Ok(Arc::new(ColumnsTable::new(Columns::new(vec![(name.into(), column)])?)))
/// };
/// let tables = [table("a", vec![1u8, 2].into())?, table("b", vec![0.5f64].into())?];
/// let written = npy::write_tables(tables.iter().map(|table| (table, table.schema().leaves())), Vec::new())?;
/// assert_eq!(written.rows, 3);
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// Those of [`write_each`].
pub fn write_tables<'a>(
    tables: impl IntoIterator<Item = (&'a Arc<dyn Table>, Vec<Leaf>)>,
    out: impl Write,
) -> Result<Written> {
    let mut archive = Archive::new(out);
    let mut rows = 0;
    for (table, leaves) in tables {
        rows = after(rows, archive.add(table, &leaves, &Wanted::new())?);
    }
    archive.written(rows)
}

/// Bytes of columns that are held at once. A column that has more of them alone is not held.
const HELD: u64 = 16 << 20;

/// How many of the columns are read at once.
fn together(arrays: &[(&Leaf, Cells)], rows: u64) -> usize {
    let size = |(_, cells): &(&Leaf, Cells)| times64(cells.size(), rows);
    let mut sum = 0u64;
    let fitting = arrays.iter().take_while(|array| {
        sum = after(sum, size(array));
        sum <= HELD
    });
    fitting.count().max(1)
}

/// Writes some columns, of which one alone goes right into the archive.
fn write_group<W: Write>(
    table: &Arc<dyn Table>,
    group: &[(&Leaf, Cells)],
    wanted: &Wanted,
    archive: &mut Archive<W>,
    (rows, is_single): (u64, bool),
) -> Result<()> {
    let leaves: Vec<Leaf> = group.iter().map(|(leaf, _)| (*leaf).clone()).collect();
    let picked = Picked::of(&leaves);
    let mut found: Vec<Vec<u8>> = group.iter().map(|_| Vec::new()).collect();
    if group.len() > 1 {
        for ((_, cells), bytes) in group.iter().zip(&mut found) {
            try_room(bytes, usize::try_from(times64(cells.size(), rows)).unwrap_or(usize::MAX))?;
        }
    }
    let mut written = 0u64;
    let mut begun = None;
    for batch in Arc::clone(table).batches(&picked.wanted(wanted))? {
        let batch = batch?;
        written = after(written, batch.num_rows() as u64);
        let columns = picked.columns(&batch)?;
        for (((leaf, cells), column), bytes) in group.iter().zip(columns).zip(&mut found) {
            archive.blanks.add(&leaf.name, column);
            if !cells.has_no_elements() {
                put(std::slice::from_ref(cells), &[column], batch.num_rows(), bytes)?;
            }
        }
        if let ([(leaf, cells)], [bytes]) = (group, found.as_mut_slice()) {
            if begun.is_none() {
                begun = Some(archive.array(leaf, cells, (rows, is_single))?);
            }
            archive.put(bytes)?;
            bytes.clear();
        }
    }
    if written != rows {
        return Err(changed());
    }
    for ((leaf, cells), bytes) in group.iter().zip(&found) {
        let (name, start, first) = match begun.take() {
            Some(begun) => begun,
            None => archive.array(leaf, cells, (rows, is_single))?,
        };
        archive.put(bytes)?;
        archive.end(name, start, first)?;
    }
    Ok(())
}

/// A file in the archive.
#[derive(Debug)]
struct Entry {
    name: String,
    /// Where it begins in the archive.
    start: u64,
    bytes: u64,
    crc: u32,
}

struct Archive<W> {
    out: Sum<W>,
    entries: Vec<Entry>,
    /// Their names.
    names: HashSet<String>,
    /// Which arrays have other names than their columns.
    renamed: Vec<String>,
    blanks: Blanks,
}

/// Version 4.5: sizes of 64 bits.
const VERSION: u16 = 45;
/// Sizes come after the bytes, and names are UTF-8.
const FLAGS: u16 = 0x0808;
/// The first day that an archive knows, so that the same columns are the same file.
const DATE: u16 = 0x21;
/// The number stands among the additional ones, with 64 bits.
const LARGE: u32 = u32::MAX;

impl<W: Write> Archive<W> {
    fn new(out: W) -> Self {
        Archive {
            out: Sum { out, crc: Crc::new(), bytes: 0 },
            entries: Vec::new(),
            names: HashSet::new(),
            blanks: Blanks::of("NPZ"),
            renamed: Vec::new(),
        }
    }

    /// Writes the columns of a table, and tells how many rows they have.
    fn add(&mut self, table: &Arc<dyn Table>, leaves: &[Leaf], wanted: &Wanted) -> Result<u64> {
        if leaves.is_empty() {
            return Err(Error::other("an array needs a column"));
        }
        let schema = table.schema();
        let cells = leaves.iter().map(|leaf| Cells::of(leaf, schema.fields.get(leaf.column)));
        let mut cells: Vec<Cells> = cells.collect::<Result<_>>()?;
        let rows = survey(table, leaves, wanted, &mut cells)?;
        let is_single = schema.get(keys::SINGLE).is_some() && rows == 1;
        let arrays: Vec<(&Leaf, Cells)> = leaves.iter().zip(cells).collect();
        let mut rest = arrays.as_slice();
        while !rest.is_empty() {
            let (group, left) = rest.split_at(together(rest, rows));
            write_group(table, group, wanted, self, (rows, is_single))?;
            rest = left;
        }
        Ok(rows)
    }

    fn written(mut self, rows: u64) -> Result<Written> {
        let mut notes = self.blanks.notes();
        notes.append(&mut self.renamed);
        Ok(Written { notes, ..Written::new(rows, self.finish()?) })
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes).map_err(Error::from)
    }

    /// Begins an array with its header: its name, where its entry begins, and where its bytes do.
    fn array(&mut self, leaf: &Leaf, cells: &Cells, rows: (u64, bool)) -> Result<(String, u64, u64)> {
        let file = |name: &str| format!("{name}.npy");
        let mut called = leaf.name.replace('/', "_");
        if !self.names.insert(file(&called)) {
            called = format!("{}_{called}", self.entries.len());
            self.names.insert(file(&called));
        }
        if called != *leaf.name {
            self.renamed.push(format!("column `{}` becomes the array `{called}`", leaf.name));
        }
        let name = file(&called);
        let start = self.out.bytes;
        self.begin(&name)?;
        let first = self.out.bytes;
        self.out.crc = Crc::new();
        self.put(&header(std::slice::from_ref(cells), rows.0, rows.1).to_bytes())?;
        Ok((name, start, first))
    }

    fn begin(&mut self, name: &str) -> Result<()> {
        let mut head = b"PK\x03\x04".to_vec();
        for n in [VERSION, FLAGS, 0, 0, DATE] {
            head.extend(n.to_le_bytes());
        }
        for n in [0, LARGE, LARGE] {
            head.extend(n.to_le_bytes());
        }
        head.extend(length(name)?.to_le_bytes());
        head.extend(20u16.to_le_bytes());
        head.extend(name.as_bytes());
        head.extend([1, 0, 16, 0]);
        head.extend([0; 16]);
        self.put(&head)
    }

    fn end(&mut self, name: String, start: u64, first: u64) -> Result<()> {
        let (bytes, crc) = (self.out.bytes - first, self.out.crc.value());
        let mut tail = b"PK\x07\x08".to_vec();
        tail.extend(crc.to_le_bytes());
        tail.extend(bytes.to_le_bytes());
        tail.extend(bytes.to_le_bytes());
        self.entries.push(Entry { name, start, bytes, crc });
        self.put(&tail)
    }

    /// Writes the directory at the end, and tells how many bytes there are.
    fn finish(mut self) -> Result<u64> {
        let start = self.out.bytes;
        let mut list = Vec::new();
        for entry in &self.entries {
            list.extend(b"PK\x01\x02");
            for n in [VERSION, VERSION, FLAGS, 0, 0, DATE] {
                list.extend(n.to_le_bytes());
            }
            for n in [entry.crc, LARGE, LARGE] {
                list.extend(n.to_le_bytes());
            }
            for n in [length(&entry.name)?, 28, 0, 0, 0] {
                list.extend(n.to_le_bytes());
            }
            for n in [0, LARGE] {
                list.extend(n.to_le_bytes());
            }
            list.extend(entry.name.as_bytes());
            list.extend([1, 0, 24, 0]);
            for n in [entry.bytes, entry.bytes, entry.start] {
                list.extend(n.to_le_bytes());
            }
        }
        let count = self.entries.len() as u64;
        let (size, end) = (list.len() as u64, start + list.len() as u64);
        list.extend(b"PK\x06\x06");
        list.extend(44u64.to_le_bytes());
        list.extend([VERSION.to_le_bytes(), VERSION.to_le_bytes()].concat());
        list.extend([0; 8]);
        for n in [count, count, size, start] {
            list.extend(n.to_le_bytes());
        }
        list.extend(b"PK\x06\x07\0\0\0\0");
        list.extend(end.to_le_bytes());
        list.extend(1u32.to_le_bytes());
        list.extend(b"PK\x05\x06\0\0\0\0");
        list.extend([0xff; 12]);
        list.extend([0; 2]);
        self.put(&list)?;
        self.out.flush()?;
        Ok(self.out.bytes)
    }
}

fn length(name: &str) -> Result<u16> {
    u16::try_from(name.len()).map_err(|_| Error::other("the name of a column has more than 65535 bytes"))
}

/// Counts what is written, and sums it up.
struct Sum<W> {
    out: W,
    crc: Crc,
    bytes: u64,
}

impl<W: Write> Write for Sum<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.out.write(bytes)?;
        self.crc.add(bytes.get(..n).unwrap_or_default());
        self.bytes += n as u64;
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// CRC-32 as ZIP has it.
#[derive(Clone, Copy)]
struct Crc(u32);

/// What each byte does to the sum.
const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let (mut sum, mut bit) = (i as u32, 0);
        while bit < 8 {
            sum = if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 };
            bit += 1;
        }
        table[i] = sum;
        i += 1;
    }
    table
};

impl Crc {
    fn new() -> Self {
        Crc(u32::MAX)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = TABLE[usize::from((self.0 as u8) ^ byte)] ^ (self.0 >> 8);
        }
    }

    fn value(self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_that_of_zip() {
        let mut crc = Crc::new();
        crc.add(b"1234");
        crc.add(b"56789");
        assert_eq!(crc.value(), 0xcbf4_3926);
    }
}
