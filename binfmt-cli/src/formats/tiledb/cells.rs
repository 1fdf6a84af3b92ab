//! The cells that were asked for, batch by batch.

use super::open::{failure, open};
use super::options::Options;
use super::subarray::{self, Span};
use super::value::{dimension_name, is_number, show_cell};
use crate::error::Result;
use crate::format::Job;
use crate::pick::Pick;
use crate::table::{Column, Head, Rows, Shown, Tables, show_time};
use binfmt::formats::tiledb::{
    Array, ArraySchema, ArrayType, Batches, CellValNum, Cells, Folder, Layout, Query, Storage,
};

/// Bytes of cells of a dense array that are read at once: as many, or a row of tiles, so that none is read twice.
const AT_ONCE: u64 = 16 << 20;
/// The most of them.
const MOST: u64 = 256 << 20;
/// The same of a sparse array: while its cells are sorted they take several times as much.
const AT_ONCE_SPARSE: u64 = 6 << 20;

/// What a column of a table contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellColumn {
    Dimension(usize),
    Attribute(usize),
}

/// What is read of an array.
pub(super) struct Wanted {
    pub(super) region: Vec<Span>,
    pub(super) order: Layout,
    /// The columns, as they were asked for.
    pub(super) columns: Vec<CellColumn>,
}

impl Wanted {
    /// What the command line says.
    pub(super) fn of(options: &Options, pick: &Pick, schema: &ArraySchema) -> Result<Self> {
        let dims = schema.domain.dimensions.len();
        let attributes = schema.attributes.iter().map(|a| a.name.clone());
        let names: Vec<String> = (0..dims).map(|i| dimension_name(schema, i)).chain(attributes).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let of = |i: usize| if i < dims { CellColumn::Dimension(i) } else { CellColumn::Attribute(i - dims) };
        Ok(Wanted {
            region: subarray::wanted(options, schema)?,
            order: options.order(),
            columns: pick.columns_of(&names)?.into_iter().map(of).collect(),
        })
    }

    /// The attributes among the columns, each once.
    pub(super) fn attributes(&self) -> Vec<usize> {
        let mut attributes = Vec::new();
        for column in &self.columns {
            if let CellColumn::Attribute(a) = column
                && !attributes.contains(a)
            {
                attributes.push(*a);
            }
        }
        attributes
    }

    /// The cells with these attributes.
    pub(super) fn query<'a>(&self, array: &'a Array<Folder>, attributes: &[usize]) -> Query<'a, Folder> {
        query(array, &self.region, attributes).order(self.order)
    }
}

/// The cells of a region with these attributes.
pub(super) fn query<'a, S: Storage>(
    array: &'a Array<S>,
    region: &[Span],
    attributes: &[usize],
) -> Query<'a, S> {
    let names = attributes.iter().filter_map(|a| array.schema().attributes.get(*a)).map(|a| a.name.as_str());
    let ranges = region.iter().enumerate();
    ranges.fold(array.query().attributes(names), |query, (i, span)| query.range_of(i, *span))
}

/// The same in parts that fit in memory, of which so many cells are wanted.
pub(super) fn batches<'a, S: Storage>(
    schema: &ArraySchema,
    query: &Query<'a, S>,
    wanted: u64,
) -> Result<Batches<'a, S>> {
    query.check_unwritten(wanted).map_err(|e| failure(&e))?;
    Ok(query.batches(match schema.array_type {
        ArrayType::Dense => query.bytes_of_tiles().clamp(AT_ONCE, MOST),
        _ => AT_ONCE_SPARSE,
    }))
}

/// Writes the cells as a table.
pub(super) fn table(options: &Options, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
    let array = open(options, job)?;
    let wanted = Wanted::of(options, pick, array.schema())?;
    let head = Head { columns: heads(array.schema(), &wanted.columns), ..Head::default() };
    out.begin(&head)?;
    let attributes = wanted.attributes();
    let rows = pick.rows.from..pick.rows.to.unwrap_or(u64::MAX);
    let most = rows.end.saturating_sub(rows.start);
    let query = wanted.query(&array, &attributes).narrowed_to(rows);
    let (query, mut before) = query.map_err(|e| failure(&e))?;
    let mut batches = batches(array.schema(), &query, most)?;
    while pick.rows.to.is_none_or(|to| before < to)
        && let Some(cells) = batches.next().transpose().map_err(|e| failure(&e))?
    {
        let count = cells.num_cells() as u64;
        let shown = pick.rows.within(before, count);
        let (from, rows) = (shown.start as usize, (shown.end - shown.start) as usize);
        let (columns, heads) = (&wanted.columns, &head.columns);
        out.rows(&Batch { cells: &cells, attributes: &attributes, columns, heads, from, rows })?;
        before = before.saturating_add(count);
    }
    out.end()
}

fn heads(schema: &ArraySchema, columns: &[CellColumn]) -> Vec<Column> {
    let head = |column: &CellColumn| match column {
        CellColumn::Dimension(i) => Column {
            name: dimension_name(schema, *i),
            is_number: true,
            time: schema.domain.dimensions.get(*i).and_then(|_| schema.domain.datatype.time_unit()),
        },
        CellColumn::Attribute(a) => {
            let attribute = schema.attributes.get(*a);
            Column {
                name: attribute.map(|a| a.name.clone()).unwrap_or_default(),
                is_number: attribute.is_some_and(|a| is_number(a.datatype, a.cell_val_num)),
                time: attribute
                    .filter(|a| a.cell_val_num == CellValNum::ONE)
                    .and_then(|a| a.datatype.time_unit()),
            }
        }
    };
    columns.iter().map(head).collect()
}

/// Some cells as rows of a table.
struct Batch<'a> {
    cells: &'a Cells,
    attributes: &'a [usize],
    columns: &'a [CellColumn],
    heads: &'a [Column],
    from: usize,
    rows: usize,
}

impl Rows for Batch<'_> {
    fn num_rows(&self) -> usize {
        self.rows
    }

    fn show<'a>(&'a self, row: usize, column: usize, room: &'a mut Vec<u8>) -> Shown<'a> {
        let cell = row + self.from;
        let time = self.heads.get(column).and_then(|head| head.time);
        let shown = match self.columns.get(column) {
            Some(CellColumn::Dimension(d)) => {
                self.cells.coordinate_of(*d, cell).map(|value| show_time(value.into(), time, room))
            }
            Some(CellColumn::Attribute(a)) => {
                let place = self.attributes.iter().position(|known| known == a);
                let column = place.and_then(|place| self.cells.columns().get(place));
                column.map(|(_, column)| show_cell(column, cell, time, room))
            }
            None => None,
        };
        shown.unwrap_or(Shown::Missing(None))
    }
}

/// How many values a cell has, for people.
pub(super) fn values_of(number: CellValNum) -> String {
    number.fixed().map_or_else(|| "var".to_owned(), |n| n.to_string())
}
