//! The arrays of a file as a table: a row for each element.

use super::gathered::repeated;
use super::index::{self, parameters};
use super::input::Input;
use super::schema;
use super::splits::is_wanted;
use crate::columns::{Column, Columns, ListColumn, NullableColumn};
use crate::error::{Error, ErrorKind, Result};
use crate::formats::sdds::layout::definition::{Array, Header};
use crate::formats::sdds::layout::value::{ArrayValue, Elements, Value};
use crate::formats::sdds::layout::x87::X87;
use crate::formats::sdds::read::reader::Reader;
use crate::numbers::with_numbers;
use crate::table::{Batches, Estimate, ScalarRange, Split, Table, TableSchema, Wanted, cut};
use crate::wire::Stream;
use crate::wire::amount::{natural, plus};
use std::ops::Range;
use std::sync::Arc;

/// The most dimensions that have columns of numbers.
const DIMENSIONS: usize = 32;

/// The code of an element that is there.
const PRESENT: u8 = 0xff;

/// Elements side by side, page after page. A page has as many rows as its longest array has elements; those of the others are missing
/// in the last of them. Of several dimensions the last index runs fastest.
#[derive(Debug)]
pub(super) struct ArraysTable {
    schema: TableSchema,
    /// The arrays.
    columns: Vec<Column>,
    pages: Vec<PageOfArrays>,
    /// Columns with the numbers of the pages.
    numbers: usize,
    /// Columns with the numbers of the elements: in their page, then in each dimension.
    indices: usize,
}

/// The rows of a page, and its parameters.
#[derive(Debug)]
struct PageOfArrays {
    rows: Range<usize>,
    constants: Vec<Value>,
    /// The sizes of all arrays that have the most dimensions, if those are the sizes of the page.
    sizes: Option<Vec<usize>>,
}

/// What a table of arrays has besides them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beside {
    /// The numbers of the pages.
    pub(super) numbers: bool,
    /// The numbers of the elements.
    pub(super) indices: bool,
}

/// The elements of an array of all pages.
struct Gathered {
    elements: Elements,
    /// Up to the last element that is missing.
    codes: Vec<u8>,
}

impl ArraysTable {
    /// Reads the arrays of these names, or all (`*`), and steps over the rows.
    pub(super) fn read(
        reader: Reader<'static, Stream<Input>>,
        names: &str,
        (beside, memory): (Beside, usize),
    ) -> Result<Self> {
        let mut reader = reader.columns(&[])?;
        let header = reader.file_header().clone();
        let chosen = chosen(&header, names)?;
        let arrays: Vec<&Array> = chosen.iter().filter_map(|i| header.arrays.get(*i)).collect();
        let none =
            |array: &&Array| Gathered { elements: Elements::empty(array.data_type), codes: Vec::new() };
        let mut gathered: Vec<Gathered> = arrays.iter().map(none).collect();
        let (mut pages, mut rows) = (Vec::new(), 0usize);
        while let Some(page) = reader.next_page()? {
            let values: Vec<&ArrayValue> = chosen.iter().filter_map(|i| page.arrays().get(*i)).collect();
            let num = values.iter().map(|value| value.elements().len()).max().unwrap_or(0);
            let end = plus(rows, num);
            if plus(end, pages.len()) > memory {
                return Err(ErrorKind::size_limit("table of arrays", None, memory as u64).into());
            }
            for (all, value) in gathered.iter_mut().zip(&values) {
                all.add(value.elements(), num)?;
            }
            let constants = parameters(&page, &header);
            pages.push(PageOfArrays { rows: rows..end, constants, sizes: sizes(&values, num) });
            rows = end;
        }
        let columns: Option<Vec<Column>> = gathered.into_iter().map(Gathered::into_column).collect();
        let columns =
            columns.ok_or_else(|| Error::other("the elements of a page are not as many as its rows"))?;
        let types: Vec<_> = columns.iter().map(Column::column_type).collect();
        let most = arrays.iter().map(|array| array.dimensions).max();
        let dimensions = most.and_then(|most| usize::try_from(most).ok()).filter(|most| *most <= DIMENSIONS);
        let dimensions = dimensions.filter(|_| pages.iter().all(|page| page.sizes.is_some()));
        let indices: Vec<String> = match beside.indices {
            true => names_of_indices(dimensions.unwrap_or(0)),
            false => Vec::new(),
        };
        let schema = schema::of_arrays(&header, (beside.numbers, &indices), &arrays, &types);
        let (numbers, indices) = (usize::from(beside.numbers), indices.len());
        Ok(ArraysTable { schema, columns, pages, numbers, indices })
    }

    fn num_constants(&self) -> usize {
        self.schema.fields.len() - self.columns.len() - self.indices
    }

    /// The wanted columns of some rows of a page.
    fn batch(
        &self,
        (number, page): (usize, &PageOfArrays),
        rows: &Range<usize>,
        wanted: &[usize],
    ) -> Columns {
        let constants = self.num_constants();
        let column = |i: &usize| match i.checked_sub(constants) {
            Some(index) if index < self.indices => Some(page.indices(index, rows)),
            Some(i) => self.columns.get(i - self.indices).map(|column| column.part(rows.clone())),
            None if *i < self.numbers => Some(Column::from(vec![number as i64; rows.len()])),
            None => page.constants.get(*i - self.numbers).map(|value| repeated(value, rows.len())),
        };
        let named = |i: &usize| Some((self.schema.fields.get(*i)?.name.clone(), column(i)?));
        Columns::of_rows(rows.len(), wanted.iter().filter_map(named).collect())
    }
}

/// The sizes that all arrays of the most dimensions have, if no array has more elements than so many.
fn sizes(values: &[&ArrayValue], most: usize) -> Option<Vec<usize>> {
    let dimensions = values.iter().map(|value| value.sizes().len()).max()?;
    let mut all = values.iter().map(|value| value.sizes()).filter(|sizes| sizes.len() == dimensions);
    let first = all.next()?;
    let sizes: Vec<usize> = first.iter().map(|size| usize::try_from(*size).ok()).collect::<Option<_>>()?;
    let elements = sizes.iter().try_fold(1usize, |all, size| all.checked_mul(*size))?;
    (elements == most && all.all(|other| other == first)).then_some(sizes)
}

/// The names of the columns of the numbers of elements: of one dimension there is the number in the page alone.
fn names_of_indices(dimensions: usize) -> Vec<String> {
    let of_each = (0..dimensions).filter(|_| dimensions > 1).map(|dimension| format!("_index{dimension}"));
    std::iter::once("_index".to_owned()).chain(of_each).collect()
}

impl PageOfArrays {
    /// The numbers of some elements, in the page or in a dimension.
    fn indices(&self, index: usize, rows: &Range<usize>) -> Column {
        let elements = rows.start - self.rows.start..rows.end - self.rows.start;
        let Some((size, after)) = index.checked_sub(1).and_then(|dimension| {
            let (size, after) = self.sizes.as_ref()?.get(dimension..)?.split_first()?;
            Some((*size, after.iter().product::<usize>()))
        }) else {
            return Column::from(elements.map(|element| element as i64).collect::<Vec<_>>());
        };
        // where there are elements no size is 0
        let of = |element: usize| (element / after.max(1) % size.max(1)) as i64;
        Column::from(elements.map(of).collect::<Vec<_>>())
    }
}

/// The places of arrays of these names among all.
pub(super) fn chosen(header: &Header, names: &str) -> Result<Vec<usize>> {
    if header.arrays.is_empty() {
        return Err(Error::other("the file has no arrays"));
    }
    if names.trim() == "*" {
        return Ok((0..header.arrays.len()).collect());
    }
    let known = || header.arrays.iter().map(|array| array.name.as_str());
    let place = |name: &str| known().position(|known| known == name);
    let unknown = |name: &str| Error::from(ErrorKind::unknown("array", name, known()));
    let mut found = Vec::new();
    for name in names.split(',').map(str::trim) {
        let place = place(name).ok_or_else(|| unknown(name))?;
        if !found.contains(&place) {
            found.push(place);
        }
    }
    Ok(found)
}

impl Gathered {
    /// Adds the elements of a page that has so many rows.
    fn add(&mut self, elements: &Elements, rows: usize) -> Result<()> {
        append(&mut self.elements, elements)?;
        let missing = rows.saturating_sub(elements.len());
        if missing > 0 {
            let there = self.elements.len();
            self.codes.resize(there, PRESENT);
            self.codes.resize(plus(there, missing), 0);
            pad(&mut self.elements, missing);
        }
        Ok(())
    }

    /// `None` if there is not a code for each element.
    fn into_column(mut self) -> Option<Column> {
        if self.codes.is_empty() {
            return Some(Column::from(self.elements));
        }
        self.codes.resize(self.elements.len(), PRESENT);
        let column = Column::from(self.elements);
        Some(Column::Nullable(Box::new(NullableColumn::from_parts(self.codes, column, PRESENT)?)))
    }
}

/// Adds elements of the same type.
fn append(all: &mut Elements, more: &Elements) -> Result<()> {
    let is_one_type = match (all, more) {
        (Elements::Numbers(all), Elements::Numbers(more)) => all.append(more),
        (Elements::LongDouble(all), Elements::LongDouble(more)) => {
            all.extend_from_slice(more);
            true
        }
        (Elements::String(all), Elements::String(more)) => {
            (0..more.len()).filter_map(|i| more.get(i)).for_each(|text| all.push(text));
            true
        }
        _ => false,
    };
    match is_one_type {
        true => Ok(()),
        false => Err(Error::other("an array has not the type of its header")),
    }
}

/// Adds so many elements, which stand for missing ones.
fn pad(all: &mut Elements, num: usize) {
    match all {
        Elements::Numbers(all) => with_numbers!(all, v => v.resize(v.len() + num, Default::default())),
        Elements::LongDouble(all) => all.resize(all.len() + num, X87::from(0.0)),
        Elements::String(all) => (0..num).for_each(|_| all.push(b"")),
    }
}

/// Arrays as lists, one for each page.
pub(super) struct Lists(Vec<(ListColumn<Vec<u64>>, Elements, Vec<usize>)>);

impl Lists {
    pub(super) fn new(arrays: &[&Array]) -> Self {
        let list = |array: &&Array| (ListColumn::new(), Elements::empty(array.data_type), vec![0]);
        Lists(arrays.iter().map(list).collect())
    }

    /// Adds those of a page.
    pub(super) fn add<'a>(&mut self, values: impl Iterator<Item = &'a ArrayValue>) -> Result<()> {
        for ((shapes, all, ends), value) in self.0.iter_mut().zip(values) {
            append(all, value.elements())?;
            ends.push(all.len());
            let shape: Vec<u64> = value.sizes().iter().map(|size| size.unsigned_abs().into()).collect();
            shapes.push(&shape);
        }
        Ok(())
    }

    /// The columns; the shapes are said where there are several dimensions.
    pub(super) fn into_columns(self) -> impl Iterator<Item = Option<Column>> {
        self.0.into_iter().map(|(shapes, all, ends)| {
            let items = ListColumn::from_parts(ends, Column::from(all))?;
            let is_flat = (0..shapes.len()).all(|i| shapes.get(i).is_some_and(|shape| shape.len() == 1));
            Some(match is_flat {
                true => Column::List(Box::new(items)),
                false => Column::Shaped { shapes, items: Box::new(items) },
            })
        })
    }
}

impl Table for ArraysTable {
    fn schema(&self) -> &TableSchema {
        &self.schema
    }

    fn num_rows(&self) -> Estimate {
        Estimate::Exact(self.pages.last().map_or(0, |page| page.rows.end) as u64)
    }

    fn left_out(&self) -> Vec<String> {
        let has_parameters = self.num_constants() > self.numbers;
        match self.pages.iter().filter(|page| page.rows.is_empty()).count() {
            n if n > 0 && has_parameters => {
                vec!["a page whose arrays are empty is left out, and the values of its parameters".to_owned()]
            }
            _ => Vec::new(),
        }
    }

    fn bounds(&self, column: usize) -> Option<ScalarRange> {
        let pages = || self.pages.iter().enumerate().filter(|(_, page)| !page.rows.is_empty());
        match column.checked_sub(self.numbers) {
            None => Some(ScalarRange::of(pages().next()?.0 as i64..=pages().next_back()?.0 as i64)),
            Some(parameter) => index::bounds(pages().map(|(_, page)| page.constants.get(parameter))),
        }
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        wanted.columns_of(&self.schema)?;
        let rows = self.pages.last().map_or(0, |page| page.rows.end);
        Ok(cut(wanted.rows_of(i64::try_from(rows).ok()), parts).map(Split::of_rows).collect())
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let columns = wanted.columns_of(&self.schema)?;
        let place = |row: i64| usize::try_from(natural(row)).unwrap_or(usize::MAX);
        let (start, end) = (place(split.rows.start), place(split.rows.end));
        let most = usize::try_from(wanted.limit.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
        let (end, step) = (end.min(plus(start, most)), wanted.batch_rows.max(1));
        let wanted = wanted.clone();
        let mut page = self.pages.partition_point(|page| page.rows.end <= start);
        let mut row = start;
        Ok(Box::new(std::iter::from_fn(move || {
            loop {
                let of = self.pages.get(page)?;
                row = row.max(of.rows.start);
                if row >= end {
                    return None;
                }
                let rows = row..of.rows.end.min(end).min(plus(row, step));
                let values = of.constants.iter().map(index::scalar);
                if rows.is_empty() || !is_wanted(&wanted, self.numbers, page, values) {
                    page += 1;
                    continue;
                }
                row = rows.end;
                return Some(Ok(self.batch((page, of), &rows, &columns)));
            }
        })))
    }
}
