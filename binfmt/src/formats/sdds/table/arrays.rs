//! The arrays of a file as a table: a row for each element.

use super::gathered::repeated;
use super::index::parameters;
use super::input::Input;
use super::schema;
use crate::columns::{Column, Columns, ListColumn, NullableColumn};
use crate::error::{Error, ErrorKind, Result};
use crate::formats::sdds::layout::definition::{Array, Header};
use crate::formats::sdds::layout::page::Page;
use crate::formats::sdds::layout::value::{ArrayValue, Elements, Value};
use crate::formats::sdds::layout::x87::X87;
use crate::formats::sdds::read::reader::Reader;
use crate::numbers::with_numbers;
use crate::table::{Batches, Estimate, Split, Table, TableSchema, Wanted, cut};
use crate::wire::Stream;
use crate::wire::amount::{natural, plus};
use std::ops::Range;
use std::sync::Arc;

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
}

/// The rows of a page, and its parameters.
#[derive(Debug)]
struct PageOfArrays {
    rows: Range<usize>,
    constants: Vec<Value>,
}

/// The elements of an array of all pages.
struct Gathered {
    elements: Elements,
    codes: Vec<u8>,
    has_missing: bool,
}

impl ArraysTable {
    /// Reads the arrays of these names, or all (`*`), and steps over the rows.
    pub(super) fn read(
        reader: Reader<'static, Stream<Input>>,
        names: &str,
        (numbers, memory): (bool, usize),
    ) -> Result<Self> {
        let mut reader = reader.columns(&[])?;
        let header = reader.file_header().clone();
        let chosen = chosen(&header, names)?;
        let arrays: Vec<&Array> = chosen.iter().filter_map(|i| header.arrays.get(*i)).collect();
        let none = |array: &&Array| Gathered {
            elements: Elements::empty(array.data_type),
            codes: Vec::new(),
            has_missing: false,
        };
        let mut gathered: Vec<Gathered> = arrays.iter().map(none).collect();
        let (mut pages, mut rows) = (Vec::new(), 0usize);
        while let Some(page) = reader.next_page()? {
            let values: Vec<&ArrayValue> = chosen.iter().filter_map(|i| page.arrays().get(*i)).collect();
            let num = values.iter().map(|value| value.elements().len()).max().unwrap_or(0);
            let end = plus(rows, num);
            if plus(end, pages.len()) > memory {
                return Err(ErrorKind::size_limit("table of arrays", None, memory as u64).into());
            }
            for (all, value) in gathered.iter_mut().zip(values) {
                all.add(value.elements(), num)?;
            }
            pages.push(PageOfArrays { rows: rows..end, constants: parameters(&page, &header) });
            rows = end;
        }
        let columns: Option<Vec<Column>> = gathered.into_iter().map(Gathered::into_column).collect();
        let columns =
            columns.ok_or_else(|| Error::other("the elements of a page are not as many as its rows"))?;
        let types: Vec<_> = columns.iter().map(Column::column_type).collect();
        let schema = schema::of_arrays(&header, numbers, &arrays, &types);
        Ok(ArraysTable { schema, columns, pages, numbers: usize::from(numbers) })
    }

    fn num_constants(&self) -> usize {
        self.schema.fields.len() - self.columns.len()
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
            Some(array) => self.columns.get(array).map(|column| column.part(rows.clone())),
            None if *i < self.numbers => Some(Column::from(vec![number as i64; rows.len()])),
            None => page.constants.get(*i - self.numbers).map(|value| repeated(value, rows.len())),
        };
        let named = |i: &usize| Some((self.schema.fields.get(*i)?.name.clone(), column(i)?));
        Columns::of_rows(rows.len(), wanted.iter().filter_map(named).collect())
    }
}

/// The places of arrays of these names among all.
fn chosen(header: &Header, names: &str) -> Result<Vec<usize>> {
    if names == "*" {
        return Ok((0..header.arrays.len()).collect());
    }
    let known = || header.arrays.iter().map(|array| array.name.as_str());
    let place = |name: &str| known().position(|known| known == name);
    let unknown = |name: &str| Error::from(ErrorKind::unknown("array", name, known()));
    names.split(',').map(|name| place(name).ok_or_else(|| unknown(name))).collect()
}

impl Gathered {
    /// Adds the elements of a page that has so many rows.
    fn add(&mut self, elements: &Elements, rows: usize) -> Result<()> {
        let len = elements.len();
        append(&mut self.elements, elements)?;
        let end = plus(self.codes.len(), rows);
        self.codes.resize(plus(self.codes.len(), len), PRESENT);
        if rows > len {
            self.has_missing = true;
            self.codes.resize(end, 0);
            pad(&mut self.elements, rows - len);
        }
        Ok(())
    }

    /// `None` if there is not a code for each element.
    fn into_column(self) -> Option<Column> {
        let column = Column::from(self.elements);
        match self.has_missing {
            true => {
                Some(Column::Nullable(Box::new(NullableColumn::from_parts(self.codes, column, PRESENT)?)))
            }
            false => Some(column),
        }
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
    pub(super) fn new(header: &Header) -> Self {
        let list = |array: &Array| (ListColumn::new(), Elements::empty(array.data_type), vec![0]);
        Lists(header.arrays.iter().map(list).collect())
    }

    pub(super) fn add(&mut self, page: &Page) -> Result<()> {
        for ((shapes, all, ends), value) in self.0.iter_mut().zip(page.arrays()) {
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
                if rows.is_empty() {
                    page += 1;
                    continue;
                }
                row = rows.end;
                return Some(Ok(self.batch((page, of), &rows, &columns)));
            }
        })))
    }
}
