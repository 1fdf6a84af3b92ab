//! The rows of a part, page after page.

use super::file::SddsTable;
use super::gathered::{GATHERED, Gathered, PAGES, Piece, finished};
use super::index::{Index, PagePlace, parameters, scalar, text_bytes};
use super::input::{self, Input, leap};
use super::splits::{is_page_wanted, is_wanted};
use crate::columns::{Column, Columns, Finder, FoundRows};
use crate::error::{Error, Result, Step};
use crate::formats::sdds::error::PageError;
use crate::formats::sdds::layout::page::Page;
use crate::formats::sdds::layout::table::elements;
use crate::formats::sdds::layout::types::Mode;
use crate::formats::sdds::layout::value::{Elements, Value};
use crate::formats::sdds::read::pages::ReadPlace;
use crate::formats::sdds::read::reader::Reader;
use crate::formats::sdds::read::{ColumnBlocks, PageStart};
use crate::storage::StorageReader;
use crate::table::{Split, Task, Wanted};
use crate::wire::Stream;
use crate::wire::amount::{after, inside, natural, plus, row_after};
use crate::wire::options::{Limits, Policy};
use std::ops::Range;
use std::sync::Arc;

/// What is left of the page that is being read.
enum Current {
    /// None: the next page comes.
    Next,
    /// Columns one after the other: these rows of the page.
    Columns(Range<u64>),
    /// Rows of which no column is wanted.
    Count(u64),
    /// Rows one after the other, which the reader is at; whether they are wanted.
    Blocks(bool),
}

/// Rows of a page, or of several.
enum Rows {
    Decoded(usize, Vec<Column>),
    Found(FoundRows),
    Gathered(Vec<Piece>, FoundRows),
}

/// A page that was read, or begun.
enum Begun {
    Whole(Page),
    Blocks(PageStart),
}

pub(super) struct PageBatches {
    table: Arc<SddsTable>,
    /// Whether it is known where the pages are.
    is_indexed: bool,
    wanted: Wanted,
    /// The wanted columns, and those of them that are not constants, as columns of the file.
    columns: Vec<usize>,
    picks: Vec<usize>,
    /// The rows that are wanted from here on, and the first row of the next page, as the table counts them.
    rows: Range<i64>,
    row: i64,
    /// The page that comes next, or is being read.
    page: usize,
    current: Current,
    /// The row that the page begins with, as the table counts them.
    begun: i64,
    constants: Vec<Value>,
    /// What reads whole pages, and which one comes next.
    reader: Option<(Reader<'static, Stream<Input>>, usize)>,
    /// What comes after the rows before it.
    error: Option<Error>,
    ended: bool,
    finder: Finder,
    /// Whether rows that were found are decoded by others.
    shared: bool,
    /// Small pages, and what comes after them.
    gathered: Gathered,
    after: Option<Result<Option<Rows>>>,
    /// What reads rows of pages that have one column after the other.
    blocks: Option<ColumnBlocks>,
}

impl PageBatches {
    pub(super) fn new(
        table: Arc<SddsTable>,
        split: &Split,
        wanted: &Wanted,
        columns: Vec<usize>,
    ) -> Result<Self> {
        let constants = table.num_constants();
        let picks = columns.iter().filter_map(|column| column.checked_sub(constants)).collect();
        let page = usize::try_from(split.part).unwrap_or(usize::MAX);
        let is_whole = page == 0 && split.first == 0 && split.rows.start == 0;
        let index = if is_whole { table.index_in_front() } else { table.index() };
        let pages = index.map_or(1, |index| index.pages.len() + usize::from(index.open.is_some()));
        if page >= pages && !split.rows.is_empty() {
            return Err(Error::other(format!("there is no page {page}: the file has {pages}")));
        }
        Ok(PageBatches {
            blocks: None,
            is_indexed: index.is_some(),
            table,
            wanted: wanted.clone(),
            columns,
            picks,
            rows: split.rows.clone(),
            row: split.first,
            page,
            current: Current::Next,
            begun: 0,
            constants: Vec::new(),
            reader: None,
            error: None,
            ended: false,
            finder: Finder::default(),
            shared: false,
            gathered: Gathered::default(),
            after: None,
        })
    }

    /// Where the pages are, if it is read from there.
    fn index<'t>(&self, table: &'t SddsTable) -> Option<&'t Index> {
        if self.is_indexed { table.index() } else { None }
    }

    /// The same rows for several threads.
    pub(super) fn into_tasks(self) -> impl Iterator<Item = Task> + Send {
        PageTasks(PageBatches { shared: true, ..self })
    }

    fn batch(&mut self) -> Result<Option<Columns>> {
        let Some(rows) = self.rows_of_page()? else { return Ok(None) };
        // none is left for others
        let mut batches = self.task(rows)();
        batches.pop().transpose()
    }

    /// What makes a batch of rows, or the rows before a damaged one and its error.
    fn task(&self, rows: Rows) -> Task {
        // the page was passed when its rows began to come
        let of_page = |rows| vec![Piece { page: self.page - 1, constants: self.constants.clone(), rows }];
        let (table, columns) = (Arc::clone(&self.table), self.columns.clone());
        let made = move |pieces: &[Piece], rows, found| finished(&table, pieces, &columns, rows, found);
        let (pieces, found) = match rows {
            Rows::Decoded(rows, found) => {
                let pieces = of_page(rows);
                return Box::new(move || vec![made(&pieces, rows, found)]);
            }
            Rows::Found(found) => (of_page(usize::MAX), found),
            Rows::Gathered(pieces, found) => (pieces, found),
        };
        let (order, picks) = (self.table.header.byte_order(), self.picks.clone());
        Box::new(move || {
            let batches = found.decode().into_iter().map(|batch| {
                let page = pieces.first().map_or(0, |piece| piece.page);
                let batch = batch.map_err(|e| inside_page(page, e))?;
                let rows = batch.num_rows();
                let columns = batch.into_columns().into_iter().map(|(_, column)| column);
                let all = elements(columns, order)?;
                made(&pieces, rows, in_order(&picks, all.into_iter().map(Column::from).collect()))
            });
            batches.collect()
        })
    }

    /// The next rows: of pages that were gathered before those after them.
    fn rows_of_page(&mut self) -> Result<Option<Rows>> {
        if let Some(rows) = self.after.take() {
            return rows;
        }
        let rows = self.next_of_page();
        match self.gathered_rows()? {
            Some(gathered) => {
                self.after = Some(rows);
                Ok(Some(gathered))
            }
            None => rows,
        }
    }

    /// The rows of the pages that were gathered.
    fn gathered_rows(&mut self) -> Result<Option<Rows>> {
        let Gathered { bytes, pieces, rows, .. } = std::mem::take(&mut self.gathered);
        match &mut self.reader {
            Some((reader, _)) if rows > 0 => {
                Ok(Some(Rows::Gathered(pieces, reader.gathered(&self.finder, bytes, rows)?)))
            }
            _ => Ok(None),
        }
    }

    /// The next rows that are not gathered, or those that were if no more fit.
    fn next_of_page(&mut self) -> Result<Option<Rows>> {
        loop {
            if let Some(e) = self.error.take() {
                return Err(e);
            }
            if let Some(rows) = self.more_of_page()? {
                return Ok(Some(rows));
            }
            if self.error.is_some() {
                continue;
            }
            if self.ended || self.rows.is_empty() {
                return Ok(None);
            }
            if let Some((rows, columns)) = self.next_page()? {
                return Ok(Some(Rows::Decoded(rows, columns)));
            }
        }
    }

    /// More rows of the page that is being read.
    fn more_of_page(&mut self) -> Result<Option<Rows>> {
        let most = self.wanted.batch_rows.max(1);
        let found = match &mut self.current {
            Current::Next => return Ok(None),
            Current::Count(left) => {
                let rows = usize::try_from(*left).unwrap_or(usize::MAX).min(most);
                *left -= rows as u64;
                (rows > 0).then(|| (rows, Vec::new()))
            }
            Current::Columns(left) => {
                let rows = left.start..left.end.min(left.start.saturating_add(most as u64));
                match rows.is_empty() {
                    true => None,
                    false => Some(self.columns_of(rows)?),
                }
            }
            Current::Blocks(is_wanted) => {
                let is_wanted = *is_wanted;
                return self.next_block(is_wanted, most);
            }
        };
        if found.is_none() {
            self.current = Current::Next;
        }
        Ok(found.map(|(rows, columns)| Rows::Decoded(rows, columns)))
    }

    /// Goes to the next page: either its rows come then, or here are all that it has.
    fn next_page(&mut self) -> Result<Option<(usize, Vec<Column>)>> {
        if self.row >= self.rows.end {
            self.ended = true;
            return Ok(None);
        }
        let table = Arc::clone(&self.table);
        let Some(place) = self.index(&table).and_then(|index| index.pages.get(self.page)) else {
            return self.read_page(None);
        };
        let rows = place.rows.start.max(self.rows.start)..place.rows.end.min(self.rows.end);
        let skipped = rows.is_empty() || !is_page_wanted(&self.wanted, table.numbers, self.page, place);
        if skipped {
            self.page += 1;
            self.row = place.rows.end;
            self.ended |= place.rows.start >= self.rows.end;
            return Ok(None);
        }
        let of_page =
            (rows.start - place.rows.start).unsigned_abs()..(rows.end - place.rows.start).unsigned_abs();
        self.current = match self.begin(place, of_page.clone())? {
            Some(current) => current,
            None => {
                self.row = rows.start;
                return self.read_page(Some((place, of_page)));
            }
        };
        self.constants.clone_from(&place.parameters);
        self.page += 1;
        self.row = place.rows.end;
        Ok(None)
    }

    /// How many rows of a page are read, unless the page is read as a whole.
    fn begin(&mut self, place: &PagePlace, rows: Range<u64>) -> Result<Option<Current>> {
        let count = rows.end - rows.start;
        if self.picks.is_empty() {
            return Ok(Some(Current::Count(count)));
        }
        let table = &self.table;
        let is_small = count <= self.wanted.batch_rows as u64 && place.is_small(&self.wanted);
        if is_small || !(table.header.mode == Mode::Binary && table.header.column_major) {
            return Ok(None);
        }
        if self.blocks.is_none() {
            self.blocks = ColumnBlocks::with(table.plan()?.clone(), &table.header);
        }
        Ok(self.blocks.as_ref().map(|_| Current::Columns(rows)))
    }

    /// The first of these rows of a page whose columns come one after the other, in one request.
    fn columns_of(&mut self, rows: Range<u64>) -> Result<(usize, Vec<Column>)> {
        let table = Arc::clone(&self.table);
        let place = self.index(&table).and_then(|index| index.pages.get(self.page - 1));
        let (Some(place), Some(blocks)) = (place, &mut self.blocks) else {
            return Err(Error::other("there is no such page"));
        };
        let page = (place.table, (place.rows.end - place.rows.start).unsigned_abs());
        let fetch = |ranges: &mut [(u64, &mut [u8])]| table.storage.read_ranges(&table.path, ranges);
        let count = blocks.fitting(page, rows.clone(), &self.picks, fetch)?;
        let rows = rows.start..after(rows.start, count);
        let block = blocks.read(page, rows.clone(), &self.picks, fetch)?;
        if let Current::Columns(left) = &mut self.current {
            left.start = rows.end;
        }
        Ok((block.rows() as usize, block.into_columns().into_iter().map(Column::from).collect()))
    }

    /// A reader that comes to the next page.
    fn reader(&mut self) -> Result<&mut Reader<'static, Stream<Input>>> {
        let page = self.page;
        if self.reader.as_ref().is_none_or(|(_, next)| *next != page) {
            let reader = self.reader_at()?;
            self.reader = Some((reader, page));
        }
        match &mut self.reader {
            Some((reader, next)) => {
                *next += 1;
                Ok(reader)
            }
            None => Err(Error::other("there is no reader")),
        }
    }

    fn reader_at(&self) -> Result<Reader<'static, Stream<Input>>> {
        let table = &self.table;
        let wanted = self.picks.iter().filter_map(|i| table.header.columns.get(*i));
        let mut names: Vec<&str> = wanted.map(|c| c.name.as_str()).collect();
        if names.is_empty() {
            // rows that are cut off are counted by what they have
            names.extend(table.header.columns.first().map(|c| c.name.as_str()));
        }
        let Some(index) = self.index(table) else {
            return input::whole(&table.storage, &table.path, table.said)?.0.columns(&names);
        };
        let known = index.pages.get(self.page).map(|page| (page.offset, page.text, page.rows.start));
        let open = index.open.map(|(offset, text)| (offset, text, index.rows()));
        let Some((offset, text, rows)) = known.or(open) else {
            return Err(Error::other(format!("there is no page {}", self.page)));
        };
        let input = StorageReader::new(Arc::clone(&table.storage), &table.path, offset..u64::MAX)?;
        let stream = Stream::with(Input::Plain(input), Limits::DEFAULT, Policy::STRICT, false);
        let stream = stream.starting_at(offset).leaping(leap);
        let reader = Reader::after_header(stream, Arc::clone(&table.header)).within(table.said.memory);
        let place = ReadPlace::at(self.page, natural(rows), text, &table.header);
        let mut reader = reader.at_page(place);
        if table.header.mode == Mode::Binary {
            // what is wrong with it is told with the page
            *reader.plan() = table.plan().ok().cloned();
        }
        reader.columns(&names)
    }

    /// Begins the next page, whose rows come in blocks, for one after the other are all that is known of it.
    fn read_page(&mut self, place: Option<(&PagePlace, Range<u64>)>) -> Result<Option<(usize, Vec<Column>)>> {
        let last = self.is_indexed && place.is_none();
        let has_open = self.index(&self.table).is_some_and(|index| index.open.is_some());
        if last && (self.ended || !has_open) {
            self.ended = true;
            return Ok(None);
        }
        let is_gathered = self.table.header.mode == Mode::Binary && !self.table.header.column_major;
        let is_small = place.as_ref().is_some_and(|(place, _)| place.is_small(&self.wanted) && !is_gathered);
        let reader = self.reader()?;
        reader.choose_rows(place.map_or(0..u64::MAX, |(_, rows)| rows));
        let begun = match is_small {
            true => reader.next_page().map(|page| page.map(Begun::Whole)),
            false => reader.begin_page().map(|start| start.map(Begun::Blocks)),
        };
        let begun = begun.unwrap_or_else(|e| {
            // what there is of a page that is one block comes before its error
            let (page, e) = e.into_parts();
            self.error = Some(e);
            self.ended = true;
            page.map(Begun::Whole)
        });
        let start = match begun {
            Some(Begun::Blocks(start)) => start,
            Some(Begun::Whole(page)) => {
                self.ended |= last;
                let is_wanted = self.begin_page_of(&page);
                let found = self.block_of(page, is_wanted);
                self.ended |= self.row >= self.rows.end;
                return found;
            }
            None => {
                self.ended = true;
                return Ok(None);
            }
        };
        self.ended |= last;
        let is_wanted = self.begin_page_of(&start.content);
        self.current = Current::Blocks(is_wanted);
        Ok(None)
    }

    /// The parameters of the page that begins, and whether its rows are wanted.
    fn begin_page_of(&mut self, page: &Page) -> bool {
        let number = self.page;
        self.page += 1;
        self.constants = parameters(page, &self.table.header);
        self.begun = self.row;
        let values = self.constants.iter().map(scalar);
        is_wanted(&self.wanted, self.table.numbers, number, values)
    }

    /// How many rows may still come: of a part that another program made the first may have any number.
    fn left(&self) -> usize {
        usize::try_from(natural(self.rows.end.saturating_sub(self.row))).unwrap_or(usize::MAX)
    }

    /// The next rows of the page that has been begun.
    fn next_block(&mut self, is_wanted: bool, most: usize) -> Result<Option<Rows>> {
        while self.row < self.rows.end {
            if is_wanted && self.row == self.begun && self.rows.start <= self.row {
                if self.gather()? {
                    break;
                }
                if let Some(rows) = self.gathered_rows()? {
                    return Ok(Some(rows));
                }
            }
            let left = self.left();
            let Some((reader, _)) = &mut self.reader else { return Ok(None) };
            let most = (most.min(left), self.wanted.batch_bytes);
            if self.shared
                && (is_wanted && self.rows.start <= self.row)
                && let Some(found) =
                    reader.next_found(&mut self.finder, most).map_err(PageError::into_error)?
            {
                self.row = row_after(self.row, found.num_rows());
                return Ok(Some(Rows::Found(found)));
            }
            match reader.next_rows_within(most.0, most.1) {
                Ok(Some(block)) => {
                    if let Some((rows, columns)) = self.block_of(block, is_wanted)? {
                        return Ok(Some(Rows::Decoded(rows, columns)));
                    }
                }
                Ok(None) => break,
                Err(e) => {
                    self.error = Some(e.into_error());
                    self.ended = true;
                    break;
                }
            }
        }
        if !self.is_indexed {
            self.table.empty.add(self.page - 1, self.row == self.begun);
        }
        self.ended |= self.row >= self.rows.end;
        self.current = Current::Next;
        Ok(None)
    }

    /// Adds the page that was begun to others that are read with it, if it is small and all of it is wanted.
    fn gather(&mut self) -> Result<bool> {
        let left = self.left();
        let Gathered { bytes, pieces, rows, size } = &mut self.gathered;
        let Some((reader, _)) = self.reader.as_mut().filter(|_| pieces.len() < PAGES) else {
            return Ok(false);
        };
        let most = usize::try_from(self.wanted.batch_bytes).unwrap_or(usize::MAX).min(GATHERED);
        let Some(room) = most.checked_sub(*size) else { return Ok(false) };
        // a text is in each row of a batch
        let texts = text_bytes(&self.constants).max(1);
        let most_rows = self.wanted.batch_rows.min(room / texts);
        let Some(more_rows) = most_rows.checked_sub(*rows) else { return Ok(false) };
        let had = bytes.len();
        let Some(count) = reader.gather(&self.finder, (more_rows.min(left), room), bytes)? else {
            return Ok(false);
        };
        if count > 0 {
            *size = plus(*size, bytes.len() - had + size_of_val(self.constants.as_slice()) + count * texts);
            *rows = plus(*rows, count);
            pieces.push(Piece {
                page: self.page - 1,
                constants: std::mem::take(&mut self.constants),
                rows: count,
            });
            self.row = row_after(self.row, count as u64);
        }
        Ok(true)
    }

    /// The wanted rows of a block.
    fn block_of(&mut self, block: Page, is_wanted: bool) -> Result<Option<(usize, Vec<Column>)>> {
        let first = self.row;
        let end = row_after(first, block.rows());
        self.row = end;
        let from = self.rows.start.saturating_sub(first).clamp(0, end - first) as usize;
        let to = self.rows.end.saturating_sub(first).clamp(0, end - first) as usize;
        if from >= to || !is_wanted {
            return Ok(None);
        }
        let trimmed = |mut column: Elements| {
            column.truncate(to);
            column.drop_front(from);
            Column::from(column)
        };
        let found: Vec<Column> = block.into_columns().into_iter().map(trimmed).collect();
        Ok(Some((to - from, in_order(&self.picks, found))))
    }
}

/// Columns in the order of the file as they are wanted.
fn in_order(picks: &[usize], found: Vec<Column>) -> Vec<Column> {
    let mut sorted = picks.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted == picks {
        return found;
    }
    let mut found: Vec<Option<Column>> = found.into_iter().map(Some).collect();
    let of = |(i, pick): (usize, &usize)| {
        let column = found.get_mut(sorted.binary_search(pick).ok()?)?;
        if inside(picks, i + 1..).contains(pick) { column.clone() } else { column.take() }
    };
    picks.iter().enumerate().filter_map(of).collect()
}

/// An error of a row, which has its number in the page.
fn inside_page(page: usize, e: Error) -> Error {
    e.within(Step::Field("table")).within(Step::Index(page)).within(Step::Field("pages"))
}

/// The same rows, decoded by others.
struct PageTasks(PageBatches);

impl Iterator for PageTasks {
    type Item = Task;

    fn next(&mut self) -> Option<Task> {
        match self.0.rows_of_page() {
            Ok(rows) => rows.map(|rows| self.0.task(rows)),
            Err(e) => {
                self.0.ended = true;
                self.0.current = Current::Next;
                Some(Box::new(|| vec![Err(e)]))
            }
        }
    }
}

impl Iterator for PageBatches {
    type Item = Result<Columns>;

    fn next(&mut self) -> Option<Result<Columns>> {
        let batch = self.batch();
        if batch.is_err() {
            self.ended = true;
            self.current = Current::Next;
        }
        batch.transpose()
    }
}
