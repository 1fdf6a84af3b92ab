//! The cells that were asked for, block by block.

use super::blocks::{Blocks, blocks};
use super::open::{failure, open};
use super::options::Options;
use super::subarray::{self, Span, ends};
use super::value::{dimension_name, is_number, show_cell};
use crate::error::Result;
use crate::format::Job;
use crate::pick::Pick;
use crate::table::{Column, Head, Rows, Shown, Tables, show_time};
use binfmt::formats::tiledb::{Array, ArraySchema, CellValNum, Cells, Folder, Layout, Storage};

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

    pub(super) fn blocks(&self, array: &Array<Folder>, attributes: &[usize]) -> Blocks {
        blocks(array, self.region.clone(), attributes, self.order)
    }
}

/// Reads a part of an array.
pub(super) fn read(
    array: &Array<impl Storage>,
    block: &[Span],
    attributes: &[usize],
    order: Layout,
    cells: &mut Cells,
) -> Result<()> {
    let names = attributes.iter().filter_map(|a| array.schema().attributes.get(*a)).map(|a| a.name.as_str());
    let mut query = array.query().attributes(names).order(order);
    for (i, span) in block.iter().enumerate() {
        query = query.range_of(i, *span);
    }
    query.read_into(cells).map_err(|e| failure(&e))
}

/// Writes the cells as a table.
pub(super) fn table(options: &Options, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
    let array = open(options, job)?;
    let wanted = Wanted::of(options, pick, array.schema())?;
    let head = Head { columns: heads(array.schema(), &wanted.columns), ..Head::default() };
    out.begin(&head)?;
    let attributes = wanted.attributes();
    let (mut cells, mut before) = (Cells::default(), 0_u64);
    for block in wanted.blocks(&array, &attributes) {
        if pick.rows.to.is_some_and(|to| before >= to) {
            break;
        }
        let sizes =
            block.iter().map(ends).map(|[low, high]| u64::try_from(high - low + 1).unwrap_or(u64::MAX));
        let size = sizes.fold(1, u64::saturating_mul);
        // only a dense array tells the number of cells beforehand
        let is_dense = array.schema().array_type == binfmt::formats::tiledb::ArrayType::Dense;
        if is_dense && before.saturating_add(size) <= pick.rows.from {
            before = before.saturating_add(size);
            continue;
        }
        read(&array, &block, &attributes, wanted.order, &mut cells)?;
        let count = cells.num_cells() as u64;
        let shown = pick.rows.within(before, count);
        let low: Vec<i128> = block.iter().map(|span| ends(span)[0]).collect();
        let (from, rows) = (shown.start as usize, (shown.end - shown.start) as usize);
        let (columns, order) = (&wanted.columns, wanted.order);
        let heads = &head.columns;
        out.rows(&Block { cells: &cells, attributes: &attributes, columns, heads, order, low, from, rows })?;
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
struct Block<'a> {
    cells: &'a Cells,
    attributes: &'a [usize],
    columns: &'a [CellColumn],
    heads: &'a [Column],
    order: Layout,
    /// The first coordinates of a dense block.
    low: Vec<i128>,
    from: usize,
    rows: usize,
}

impl Block<'_> {
    /// The coordinate of a cell of a dense block.
    fn coordinate(&self, shape: &[usize], cell: usize, dimension: usize) -> i128 {
        let faster: usize = match self.order {
            Layout::ColumnMajor => shape.iter().take(dimension).product(),
            _ => shape.iter().skip(dimension + 1).product(),
        };
        let width = shape.get(dimension).copied().unwrap_or(1).max(1);
        let low = self.low.get(dimension).copied().unwrap_or_default();
        low + (cell / faster.max(1) % width) as i128
    }
}

impl Rows for Block<'_> {
    fn num_rows(&self) -> usize {
        self.rows
    }

    fn show<'a>(&'a self, row: usize, column: usize, room: &'a mut Vec<u8>) -> Shown<'a> {
        let cell = row + self.from;
        let time = self.heads.get(column).and_then(|head| head.time);
        let shown = match (self.columns.get(column), self.cells.shape()) {
            (Some(CellColumn::Dimension(d)), Some(shape)) => {
                let at = self.coordinate(shape, cell, *d);
                let at_time = time.zip(i64::try_from(at).ok());
                *room = at_time.map_or_else(|| at.to_string(), |(unit, n)| unit.format_time(n)).into_bytes();
                Some(Shown::Plain(room))
            }
            (Some(CellColumn::Dimension(d)), None) => {
                let coords = self.cells.coords().get(*d);
                coords
                    .and_then(|(_, values)| values.get(cell))
                    .map(|value| show_time(value.into(), time, room))
            }
            (Some(CellColumn::Attribute(a)), _) => {
                let place = self.attributes.iter().position(|known| known == a);
                let column = place.and_then(|place| self.cells.columns().get(place));
                column.map(|(_, column)| show_cell(column, cell, time, room))
            }
            (None, _) => None,
        };
        shown.unwrap_or(Shown::Missing(None))
    }
}

/// How many values a cell has, for people.
pub(super) fn values_of(number: CellValNum) -> String {
    number.fixed().map_or_else(|| "var".to_owned(), |n| n.to_string())
}
