//! A page that is read once more: for how many rows it has, and for its columns one after the other.

use super::Pages;
use crate::error::{Error, Result};
use crate::formats::sdds::blocks::{self, BLOCK, rows_at_once};
use crate::formats::sdds::damage::Damage;
use crate::formats::sdds::open::damaged;
use crate::input::FromAnywhere;
use binfmt::formats::sdds::{Elements, Page, PageError, PageStart, StreamReader};
use std::io::SeekFrom;

impl Pages<'_> {
    /// The page that was begun with the number of its rows, if that is only known when they are read and they can be read once more.
    pub(in crate::formats::sdds) fn counted(&self, mut start: PageStart) -> Result<PageStart> {
        if !start.is_counted()
            && let Some(mut again) = self.again(&[])?
        {
            let mut rows = 0;
            while let Ok(Some(block)) = again.next_rows(1 << 16) {
                rows += block.rows();
            }
            start.rows = rows;
        }
        Ok(start)
    }

    /// The page that was begun from its front, to be read once more: these columns of it.
    fn again(&self, names: &[&str]) -> Result<Option<StreamReader<Box<dyn FromAnywhere>>>> {
        let Some(again) = &self.again else { return Ok(None) };
        let mut file = again.open().map_err(Error::input)?;
        file.seek(SeekFrom::Start(self.reader.page_offset())).map_err(Error::input)?;
        let wrong = |e: &binfmt::Error| damaged(self.compression, e);
        let again = self.reader.again(file).columns(names).map_err(|e| wrong(&e))?;
        let mut again = again.rows(self.rows.from..self.rows.to.unwrap_or(u64::MAX));
        again.begin_page().map_err(|e| wrong(e.error()))?;
        Ok(Some(again))
    }

    /// The values of a wanted column of the page that was begun, block by block.
    pub(in crate::formats::sdds) fn column(
        &mut self,
        number: usize,
        mut take: impl FnMut(&Elements) -> Result<()>,
    ) -> Result<(), Damage> {
        let Some(pick) = self.picks.get(number).copied() else { return Ok(()) };
        let (mut taken, (rows, _)) = (0, self.begun);
        let mut take = |block: &Page| -> Result<()> {
            taken += block.rows();
            blocks::only(block).map_or(Ok(()), &mut take)
        };
        if let Some(ranges) = &mut self.ranges {
            let to = self.rows.to.map_or(rows, |to| to.min(rows));
            let (mut from, page) = (self.rows.from, (self.reader.rows_offset(), rows));
            while from < to {
                let n = (to - from).min(rows_at_once(&self.shown));
                let block = ranges.read(page, (from..from + n, false), &[pick])?;
                from += block.rows();
                take(&block)?;
            }
            return Ok(());
        }
        let name = self.shown.columns.get(number).map_or("", |column| column.name.as_str());
        let Some(mut again) = self.again(&[name])? else { return Ok(()) };
        let wrong = |e: PageError| damaged(self.compression, e.error());
        let most = usize::try_from(rows_at_once(&self.shown)).unwrap_or(usize::MAX);
        loop {
            match again.next_rows_within(most, BLOCK) {
                Ok(Some(block)) => take(&block)?,
                Ok(None) => return Ok(()),
                Err(e) => return Err(Damage::from(wrong(e)).after(taken)),
            }
        }
    }
}
