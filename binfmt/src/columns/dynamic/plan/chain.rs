//! Rows that are a chain of texts: each run but the last ends with a length in four bytes, and that many bytes follow.
//!
//! Most rows with text are like this. Here nothing has to be asked for a run: where the next one begins is one load, two
//! comparisons and an addition, and each row waits for the one before it, so that is all the time that finding rows takes.

use super::super::column::ColumnRef;
use super::place::{Node, Run, Tail};
use super::scatter::is_encoded;
use super::walk::{Starts, Unfinished};
use crate::columns::BytesColumn;
use crate::schema::Encoding;
use crate::wire::Endian;
use crate::wire::raw::short::copy_front;
use alloc::vec::Vec;
use core::ops::Range;

/// The runs of such a row.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    links: Vec<Link>,
    /// Bytes of the last run, which nothing follows.
    last: usize,
    /// The byte order of all lengths.
    order: Option<Endian>,
    /// Whether each length is that of a column's text, and the other columns have all other bytes.
    alone: bool,
}

/// A run that ends with a length.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// Its bytes, those of the length with them.
    len: usize,
    /// The largest length.
    most: u32,
    /// The column of the text, and how it is encoded.
    text: Option<(usize, Encoding)>,
}

impl Chain {
    /// `None` for rows that are not one, or of one size.
    pub(super) fn of(runs: &[Run], nodes: &[Node], dense: bool) -> Option<Chain> {
        let [links @ .., Run { len: last, tail: Tail::Nothing }] = runs else { return None };
        let mut order = None;
        let link = |(at, run): (usize, &Run)| match &run.tail {
            Tail::Items(prefix, 1) if prefix.bytes == 4 && !prefix.inclusive => {
                let most = if prefix.signed { i32::MAX as u32 } else { u32::MAX };
                let most = u32::try_from(prefix.max).map_or(most, |max| max.min(most));
                let same = *order.get_or_insert(prefix.order) == prefix.order;
                same.then_some(Link { len: run.len, most, text: text_of(nodes, at) })
            }
            _ => None,
        };
        let links: Vec<Link> = links.iter().enumerate().map(link).collect::<Option<_>>()?;
        let alone = dense && links.iter().all(|link| link.text.is_some());
        Some(Chain { links, last: *last, order: order?, alone })
    }

    fn is_little(&self, little: bool) -> bool {
        self.order.map_or(little, |order| order == Endian::Little)
    }

    /// Notes where the runs of whole rows begin, of at most `rows` from `pos` on; how many rows, where they end, and why there
    /// are no more.
    pub(super) fn walk(
        &self,
        bytes: &[u8],
        pos: usize,
        rows: usize,
        little: bool,
        starts: &mut Starts,
    ) -> (usize, usize, Option<Unfinished>) {
        match self.is_little(little) {
            true => self.walk_as(bytes, pos, rows, starts, u32::from_le_bytes),
            false => self.walk_as(bytes, pos, rows, starts, u32::from_be_bytes),
        }
    }

    #[inline(always)]
    fn walk_as(
        &self,
        bytes: &[u8],
        pos: usize,
        rows: usize,
        starts: &mut Starts,
        number: impl Fn([u8; 4]) -> u32,
    ) -> (usize, usize, Option<Unfinished>) {
        let mut end = pos;
        for (row, places) in starts.rows_mut(rows).enumerate() {
            let note = |run: usize, at: usize| {
                if let Some(place) = places.get_mut(run) {
                    *place = at;
                }
            };
            match self.row(bytes, end, note, &number) {
                Ok(next) => end = next,
                Err(why) => return (row, end, Some(why)),
            }
        }
        (rows, end, (rows == 0).then_some(Unfinished::Short))
    }

    /// How many rows of at most `most` are whole, and where they end; no row begins after `enough` bytes.
    pub(super) fn step_over(
        &self,
        bytes: &[u8],
        most: usize,
        enough: usize,
        little: bool,
    ) -> (usize, usize, Option<Unfinished>) {
        match self.is_little(little) {
            true => self.step_over_as(bytes, (most, enough), u32::from_le_bytes),
            false => self.step_over_as(bytes, (most, enough), u32::from_be_bytes),
        }
    }

    #[inline(always)]
    fn step_over_as(
        &self,
        bytes: &[u8],
        (most, enough): (usize, usize),
        number: impl Fn([u8; 4]) -> u32,
    ) -> (usize, usize, Option<Unfinished>) {
        let (mut row, mut end) = (0usize, 0usize);
        while row < most && end < enough {
            match self.row(bytes, end, |_, _| {}, &number) {
                Ok(next) => end = next,
                Err(why) => return (row, end, Some(why)),
            }
            row = row.wrapping_add(1);
        }
        (row, end, None)
    }

    /// The end of the row at `pos`; tells where its runs begin.
    #[inline(always)]
    fn row(
        &self,
        bytes: &[u8],
        pos: usize,
        mut note: impl FnMut(usize, usize),
        number: &impl Fn([u8; 4]) -> u32,
    ) -> Result<usize, Unfinished> {
        let mut rest = bytes.get(pos..).ok_or(Unfinished::Short)?;
        let here = |rest: &[u8]| bytes.len().wrapping_sub(rest.len());
        for (run, link) in self.links.iter().enumerate() {
            note(run, here(rest));
            let (run, after) = rest.split_at_checked(link.len).ok_or(Unfinished::Short)?;
            let len = number(*run.last_chunk::<4>().ok_or(Unfinished::Doubtful)?);
            if len > link.most {
                return Err(Unfinished::Doubtful);
            }
            rest = after.get(len as usize..).ok_or(Unfinished::Short)?;
        }
        note(self.links.len(), here(rest));
        rest = rest.get(self.last..).ok_or(Unfinished::Short)?;
        Ok(here(rest))
    }
}

/// The column whose texts are at the tail of a run, and their encoding.
fn text_of(nodes: &[Node], at: usize) -> Option<(usize, Encoding)> {
    nodes.iter().enumerate().find_map(|(column, node)| match node {
        Node::Text { run, nul: false, encoding, .. } if *run == at => Some((column, *encoding)),
        Node::Bytes { run, .. } if *run == at => Some((column, Encoding::Any)),
        _ => None,
    })
}

/// Writing: texts first, row after row, then the other columns. A text may be copied with what stands after it, because all that
/// follows in the row, and in the rows after it, is written later.
impl Chain {
    /// Whether rows can be written like this.
    pub(super) fn is_alone(&self) -> bool {
        self.alone
    }

    /// How many bytes rows will take, after those from the first text on were dropped that is not in its encoding.
    pub(super) fn measure(&self, columns: &[ColumnRef<'_>], rows: &mut Range<usize>) -> Option<usize> {
        let checked = |link: &&Link| !matches!(link.text, Some((_, Encoding::Any)));
        for link in self.links.iter().filter(checked) {
            let (v, encoding) = link.column(columns)?;
            let (start, end) = (*v.offsets().get(rows.start)?, *v.offsets().get(rows.end)?);
            if !v.items().get(start..end)?.is_ascii() {
                let is_text = |row: &usize| v.get(*row).is_some_and(|text| is_encoded(text, encoding));
                rows.end = rows.clone().find(|row| !is_text(row)).unwrap_or(rows.end);
            }
        }
        let fixed = self.links.iter().try_fold(self.last, |all, link| all.checked_add(link.len))?;
        let mut all = fixed.checked_mul(rows.len())?;
        for link in &self.links {
            let offsets = link.column(columns)?.0.offsets();
            let texts = offsets.get(rows.end)?.checked_sub(*offsets.get(rows.start)?)?;
            all = all.checked_add(texts)?;
        }
        (rows.start < rows.end).then_some(all)
    }

    /// Writes the texts and their lengths into room for whole rows, and notes where the runs begin; returns how many rows are
    /// beyond doubt.
    pub(super) fn put(
        &self,
        columns: &[ColumnRef<'_>],
        rows: Range<usize>,
        little: bool,
        starts: &mut Starts,
        room: &mut [u8],
    ) -> usize {
        match self.is_little(little) {
            true => self.put_as(columns, rows, starts, room, u32::to_le_bytes),
            false => self.put_as(columns, rows, starts, room, u32::to_be_bytes),
        }
    }

    #[inline(always)]
    fn put_as(
        &self,
        columns: &[ColumnRef<'_>],
        rows: Range<usize>,
        starts: &mut Starts,
        room: &mut [u8],
        number: impl Fn(u32) -> [u8; 4],
    ) -> usize {
        let mut end = 0usize;
        for (done, (row, places)) in rows.clone().zip(starts.rows_mut(rows.len())).enumerate() {
            match self.put_row(columns, row, places, (room, end), &number) {
                Some(next) => end = next,
                None => {
                    // the places of the rows before it are of use, and this is where they end
                    if let Some(place) = places.first_mut() {
                        *place = end;
                    }
                    return done;
                }
            }
        }
        rows.len()
    }

    /// Writes the texts of a row; where the row after it begins.
    #[inline(always)]
    fn put_row(
        &self,
        columns: &[ColumnRef<'_>],
        row: usize,
        places: &mut [usize],
        (room, mut pos): (&mut [u8], usize),
        number: &impl Fn(u32) -> [u8; 4],
    ) -> Option<usize> {
        let (last, places) = places.split_last_mut()?;
        for (link, place) in self.links.iter().zip(places) {
            *place = pos;
            let (text, len) = link.column(columns)?.0.front(row)?;
            let count = u32::try_from(len).ok().filter(|count| *count <= link.most)?;
            let front = pos.checked_add(link.len)?;
            let room = room.get_mut(front.checked_sub(4)?..)?;
            let (to, room) = room.split_first_chunk_mut::<4>()?;
            *to = number(count);
            copy_front(text, len, room)?;
            pos = front.checked_add(len)?;
        }
        *last = pos;
        pos.checked_add(self.last)
    }
}

impl Link {
    #[inline(always)]
    fn column<'c>(&self, columns: &[ColumnRef<'c>]) -> Option<(&'c BytesColumn, Encoding)> {
        let (column, encoding) = self.text?;
        match *columns.get(column)? {
            ColumnRef::Text(v) | ColumnRef::Bytes(v) => Some((v, encoding)),
            _ => None,
        }
    }
}
