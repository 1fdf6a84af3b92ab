//! Rows in the middle of pages that have one column after the other.

use crate::error::{Error, Result};
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::page::Page;
use crate::formats::sdds::layout::table::{RowPlan, Table};
use crate::formats::sdds::layout::types::Mode;
use crate::wire::Endian;
use crate::wire::amount::{after, plus, times64};
use crate::wire::raw::bulk::try_room;
use alloc::vec::Vec;
use core::ops::Range;
use std::io;

/// Reads blocks of rows of pages that have one column after the other, of values whose size their type says: of such a page the
/// values of some rows are read where they are, and nothing else.
///
/// ```
/// use binfmt::formats::sdds::{ColumnBlocks, Elements, Options};
/// let file = b"SDDS1\n!# big-endian\n&column name=x, type=short &end\n&column name=n, type=character &end\n\
///     &data mode=binary, column_major_order=1 &end\n\0\0\0\x03\0\x01\0\x02\0\x03abc";
/// let mut reader = Options::new().slice(file)?.columns(&[])?;
/// let mut blocks = ColumnBlocks::of(reader.file_header())?.unwrap();
/// let rows = reader.next_page()?.unwrap().rows();
/// let page = (reader.rows_offset(), rows);
/// let last = blocks.read(page, 1..3, &[1, 0], |ranges| {
///     for (at, out) in ranges {
///         out.copy_from_slice(&file[*at as usize..][..out.len()]);
///     }
///     Ok(())
/// })?;
/// assert_eq!(last.columns(), [Elements::from(b"bc".to_vec()), Elements::from(vec![2i16, 3])]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Debug)]
pub struct ColumnBlocks {
    plan: RowPlan,
    endian: Endian,
    /// The bytes of a value of each column.
    sizes: Vec<u64>,
    /// The bytes of a block: memory that blocks need one after the other.
    room: Vec<u8>,
}

impl ColumnBlocks {
    /// Of pages of this header; `None` if the place of a value does not follow from the number of its row: in text, in pages of rows,
    /// and beside strings.
    ///
    /// ```
    /// use binfmt::formats::sdds::{ColumnBlocks, Header, Mode};
    /// assert!(ColumnBlocks::of(&Header::new(Mode::Ascii))?.is_none());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Two columns have one name.
    pub fn of(header: &Header) -> Result<Option<Self>> {
        Ok(match has_places(header) {
            true => Self::with(RowPlan::new(header)?, header),
            false => None,
        })
    }

    /// The same with a plan that was made of this header.
    pub(crate) fn with(plan: RowPlan, header: &Header) -> Option<Self> {
        let sizes = header.column_types().map(|kind| kind.size().map(|n| n as u64)).collect::<Option<_>>()?;
        let endian = header.byte_order();
        has_places(header).then(|| ColumnBlocks { plan, endian, sizes, room: Vec::new() })
    }

    /// Rows of a page, of these columns in this order: of all `num_rows` of the page, whose values begin at the byte `start`
    /// ([`Reader::rows_offset`](super::Reader::rows_offset)). The function reads ranges of the file, each from an offset on.
    ///
    /// # Errors
    /// The function fails, or a number is not that of a row or column.
    pub fn read(
        &mut self,
        (start, num_rows): (u64, u64),
        rows: Range<u64>,
        columns: &[usize],
        fetch: impl FnOnce(&mut [(u64, &mut [u8])]) -> io::Result<()>,
    ) -> Result<Page> {
        let num = rows.end.checked_sub(rows.start).filter(|_| rows.end <= num_rows);
        let num = num.and_then(|num| usize::try_from(num).ok());
        let num = num.ok_or_else(|| Error::other("these are not rows of the page"))?;
        let places = columns.iter().map(|column| {
            let (before, size) = (self.sizes.get(..*column)?, *self.sizes.get(*column)?);
            let first = after(start, times64(num_rows, before.iter().sum()));
            Some((after(first, times64(rows.start, size)), num.checked_mul(size as usize)?))
        });
        let places: Option<Vec<(u64, usize)>> = places.collect();
        let places = places.ok_or_else(|| Error::other("there is no such column"))?;
        let bytes = places.iter().fold(0, |all, (_, bytes)| plus(all, *bytes));
        if let Some(more) = bytes.checked_sub(self.room.len()) {
            try_room(&mut self.room, more)?;
        }
        self.room.resize(bytes, 0);
        let mut rest = self.room.as_mut_slice();
        let mut ranges = Vec::with_capacity(places.len());
        for (at, bytes) in places {
            let (part, left) = rest.split_at_mut(bytes);
            ranges.push((at, part));
            rest = left;
        }
        fetch(&mut ranges).map_err(|e| match e.kind() {
            io::ErrorKind::UnexpectedEof => Error::other("the file has become shorter"),
            _ => e.into(),
        })?;
        let ranges = ranges.iter().map(|(_, bytes)| &**bytes);
        let columns = self.plan.values(columns.iter().copied().zip(ranges), num, self.endian)?;
        Ok(Page::of_rows(Table { rows: num as u64, columns }))
    }
}

/// Whether the place of a value follows from the number of its row.
fn has_places(header: &Header) -> bool {
    header.mode == Mode::Binary
        && header.column_major
        && !header.columns.is_empty()
        && header.column_types().all(|kind| kind.size().is_some())
}
