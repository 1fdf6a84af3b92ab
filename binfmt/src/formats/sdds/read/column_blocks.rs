//! Rows in the middle of pages that have one column after the other.

use super::string_index::{self, StringIndex};
use crate::error::{Error, Result};
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::page::Page;
use crate::formats::sdds::layout::table::{RowPlan, Table};
use crate::wire::Endian;
use crate::wire::amount::{after, plus, times64};
use crate::wire::raw::bulk::try_room;
use alloc::vec::Vec;
use core::ops::Range;
use std::io;

/// Reads blocks of rows of pages that have one column after the other: the values of some rows are read where they are. Where numbers
/// are follows from their size; of strings the lengths of a page are read once, by the first who asks for rows of it.
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
    /// The bytes of a value of each column; `None` of strings.
    sizes: Vec<Option<u64>>,
    /// The page that was asked for last: where its values begin, how many rows it has, and where
    /// columns are.
    page: ((u64, u64), Vec<Place>),
    /// The bytes of a block: memory that blocks need one after the other.
    room: Vec<u8>,
}

/// Where the values of a column are.
#[derive(Debug)]
enum Place {
    /// One after the other from this byte on, each of so many bytes.
    Fixed(u64, u64),
    Strings(StringIndex),
}

impl Place {
    /// The bytes in which the values of these rows are, and how many values before them. They may go on after them.
    fn of(&self, rows: &Range<u64>) -> (Range<u64>, u64) {
        match self {
            Place::Fixed(first, size) => {
                let at = |row: u64| after(*first, times64(row, *size));
                (at(rows.start)..at(rows.end), 0)
            }
            Place::Strings(index) => index.around(rows),
        }
    }
}

impl ColumnBlocks {
    /// Of pages of this header; `None` if they are text, or have one row after the other.
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
        let sizes = header.column_types().map(|kind| kind.size().map(|n| n as u64)).collect();
        let endian = header.byte_order();
        has_places(header).then(|| ColumnBlocks {
            plan,
            endian,
            sizes,
            page: ((0, 0), Vec::new()),
            room: Vec::new(),
        })
    }

    /// Where the columns of the page are, as far as these need it.
    fn places(
        &mut self,
        page: (u64, u64),
        columns: &[usize],
        fetch: &mut impl FnMut(&mut [(u64, &mut [u8])]) -> io::Result<()>,
    ) -> Result<&[Place]> {
        let (known, places) = &mut self.page;
        if *known != page {
            *known = page;
            places.clear();
        }
        let last = columns.iter().max().map_or(0, |last| plus(*last, 1));
        for size in self.sizes.iter().take(last).skip(places.len()) {
            let at = match places.last() {
                None => page.0,
                Some(Place::Fixed(first, size)) => after(*first, times64(page.1, *size)),
                Some(Place::Strings(index)) => index.end(),
            };
            places.push(match size {
                Some(size) => Place::Fixed(at, *size),
                None => Place::Strings(StringIndex::of(at, page.1, self.endian, &mut *fetch)?),
            });
        }
        Ok(places)
    }

    /// How many of these rows [`read`](Self::read) may be asked for at once, so that the strings among the columns take some 64 KiB each,
    /// where one does not take more. The page, the columns and the function are those of `read`.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Column, ColumnBlocks, DataType, Header, Mode};
    /// let mut header = Header::new(Mode::Binary);
    /// header.column_major = true;
    /// header.columns.push(Column::new("x", DataType::Short));
    /// let mut blocks = ColumnBlocks::of(&header)?.unwrap();
    /// assert_eq!(blocks.fitting((0, 1000), 5..1000, &[0], |_| Ok(()))?, 995);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The function fails.
    pub fn fitting(
        &mut self,
        page: (u64, u64),
        rows: Range<u64>,
        columns: &[usize],
        mut fetch: impl FnMut(&mut [(u64, &mut [u8])]) -> io::Result<()>,
    ) -> Result<u64> {
        let places = self.places(page, columns, &mut fetch)?;
        let ends = columns.iter().filter_map(|column| match places.get(*column) {
            Some(Place::Strings(index)) => Some(index.fitting(rows.start)),
            _ => None,
        });
        let end = ends.fold(rows.end, u64::min);
        Ok(end.saturating_sub(rows.start))
    }

    /// Rows of a page, of these columns in this order: of all `num_rows` of the page, whose values begin at the byte `start`
    /// ([`Reader::rows_offset`](super::Reader::rows_offset)). The function reads ranges of the file, each from an offset on; it is called
    /// more than once where there are strings.
    ///
    /// # Errors
    /// The function fails, or a number is not that of a row or column.
    pub fn read(
        &mut self,
        page: (u64, u64),
        rows: Range<u64>,
        columns: &[usize],
        mut fetch: impl FnMut(&mut [(u64, &mut [u8])]) -> io::Result<()>,
    ) -> Result<Page> {
        let num = rows.end.checked_sub(rows.start).filter(|_| rows.end <= page.1);
        let num = num.and_then(|num| usize::try_from(num).ok());
        let num = num.ok_or_else(|| Error::other("these are not rows of the page"))?;
        let places = self.places(page, columns, &mut fetch)?;
        let found = columns.iter().map(|column| {
            let (bytes, before) = places.get(*column)?.of(&rows);
            let len = usize::try_from(bytes.end.checked_sub(bytes.start)?).ok()?;
            Some((bytes.start, len, usize::try_from(before).ok()?))
        });
        let found: Option<Vec<(u64, usize, usize)>> = found.collect();
        let found = found.ok_or_else(|| Error::other("there is no such column"))?;
        let bytes = found.iter().fold(0, |all, (_, bytes, _)| plus(all, *bytes));
        if let Some(more) = bytes.checked_sub(self.room.len()) {
            try_room(&mut self.room, more)?;
        }
        self.room.resize(bytes, 0);
        let mut rest = self.room.as_mut_slice();
        let mut ranges = Vec::with_capacity(found.len());
        for (at, bytes, _) in &found {
            let (part, left) = rest.split_at_mut(*bytes);
            ranges.push((*at, part));
            rest = left;
        }
        fetch(&mut ranges).map_err(string_index::shorter)?;
        let ranges = ranges.iter().zip(found).map(|((_, bytes), (_, _, before))| (before, &**bytes));
        let columns = self.plan.values(columns.iter().copied().zip(ranges), num, self.endian)?;
        Ok(Page::of_rows(Table { rows: num as u64, columns }))
    }
}

/// Whether there are columns that stand one after the other.
fn has_places(header: &Header) -> bool {
    header.is_column_major() && !header.columns.is_empty()
}
