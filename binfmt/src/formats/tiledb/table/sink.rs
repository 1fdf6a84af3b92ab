//! Tables as arrays.

use super::choice::Choice;
use super::target::{Dimensions, Kept, dimensions, dimensions_of, kept, kept_of};
use super::withheld::Withheld;
use crate::columns::Columns;
use crate::error::{Error, Result};
use crate::formats::tiledb::array::{Array, Options, SCHEMA_FILE};
use crate::formats::tiledb::layout::{ArraySchema, Dimension};
use crate::numbers::{Number, Numbers};
use crate::storage::Storage;
use crate::table::csv::CellType;
use crate::table::filled;
use crate::table::filled::{Blanks, Gathered, Taking};
use crate::table::{Settings, TableSchema, TableSink, Written};
use crate::wire::amount::after;
use std::sync::Arc;

/// Rows of a fragment, if they need not be together and nothing else is said.
const FRAGMENT: usize = 1 << 20;

/// The bytes of the cells of a fragment, if nothing is said of its rows.
const FRAGMENT_BYTES: u64 = 8 << 20;

/// The last row that a sparse array has room for: its last tile, which begins there at the latest, ends within the type.
const LAST_ROW: i64 = i64::MAX - (1 << 20);

/// The number after those of the rows that an array has.
fn next_row(array: &Array<Arc<Withheld>>) -> i128 {
    let footers = array.fragments().iter().map(|fragment| &fragment.metadata().footer);
    let written = footers.filter(|footer| !footer.null_non_empty_domain);
    let last = written.filter_map(|footer| footer.non_empty_domain.first()?[1].as_i128()).max();
    let first = array.schema().domain.dimensions.first().and_then(|row| row.domain[0].as_i128());
    last.map(|last| last.saturating_add(1)).or(first).unwrap_or(0)
}

/// An array that grows by fragments if its only dimension is the number of the row; else all cells are one.
pub(super) struct TileSink {
    storage: Arc<Withheld>,
    options: Options,
    array: Option<Array<Arc<Withheld>>>,
    dimensions: Dimensions,
    attributes: Vec<Kept>,
    choice: Choice,
    notes: Vec<String>,
    held: Gathered,
    /// How many rows there will be, if they were counted.
    counted: Option<u64>,
    rows: u64,
    /// The number of the row that the next fragment begins with, if rows are numbered.
    next: i128,
    /// Rows of a fragment.
    fragment: usize,
    /// The most bytes of a fragment, and how many are held.
    most_bytes: u64,
    bytes: u64,
}

impl TileSink {
    pub(super) fn new(
        storage: Arc<dyn Storage>,
        options: Options,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Self> {
        let mut notes = Vec::new();
        let storage = Withheld::new(storage);
        let is_there = storage.size(SCHEMA_FILE)?.is_some();
        let append = settings.is_on("append")?;
        if append && !is_there {
            return Err(Error::other("setting `append`: there is no array to append to"));
        }
        if is_there && !append {
            return Err(Error::other("an array exists already"));
        }
        let choice = Choice::new(settings)?;
        let array = if is_there { Some(options.open(Arc::clone(&storage))?) } else { None };
        let (dimensions, attributes) = match &array {
            Some(array) => {
                (dimensions_of(array.schema(), schema)?, kept_of(array.schema(), schema, &mut notes)?)
            }
            None => {
                let dimensions = dimensions(schema, settings)?;
                let attributes = kept(schema, &dimensions, &mut notes)?;
                (dimensions, attributes)
            }
        };
        let types = dimensions.columns.iter().map(|(_, name)| (name.clone(), dimensions.ty.clone()));
        let held =
            Gathered::new(types.chain(attributes.iter().map(|kept| (kept.name.clone(), kept.ty.clone()))));
        let next = array.as_ref().map_or(0, next_row);
        let fragment = settings.number("fragment_rows")?;
        // what the format cannot hold is told before there is a file
        let columns = dimensions.columns.len();
        let probe = TileSink {
            storage,
            options,
            array,
            dimensions,
            attributes,
            choice,
            notes,
            held,
            counted: None,
            rows: 0,
            next,
            fragment: fragment.unwrap_or(FRAGMENT).max(1),
            most_bytes: fragment.map_or(FRAGMENT_BYTES, |_| u64::MAX),
            bytes: 0,
        };
        if probe.array.is_some() {
            return Ok(probe);
        }
        let one = probe.dimensions.ends(&Numbers::new(probe.dimensions.kind))?;
        probe.schema(&vec![one; columns.max(1)])?.check()?;
        Ok(probe)
    }

    /// The schema, for coordinates between these.
    fn schema(&self, ends: &[[Number; 2]]) -> Result<ArraySchema> {
        let dense = self.dimensions.is_dense;
        let mut dimensions = Vec::new();
        for (place, (name, [low, high])) in self.dimensions.names().into_iter().zip(ends).enumerate() {
            let said = self.choice.tile(place, ends.len())?;
            let tile = self.dimensions.extent(*low, *high, ends.len(), said);
            dimensions.push(Dimension::new(name, *low, *high, tile));
        }
        let datatype = self.dimensions.datatype;
        let empty = match dense {
            true => ArraySchema::dense(datatype, dimensions),
            false => ArraySchema::sparse(datatype, dimensions),
        };
        let filtered = |kept: &Kept| kept.attribute().filtered(self.choice.filters.iter().cloned());
        Ok(self.attributes.iter().fold(empty, |schema, kept| schema.attribute(filtered(kept))))
    }

    fn array(&mut self, ends: &[[Number; 2]]) -> Result<&mut Array<Arc<Withheld>>> {
        if self.array.is_none() {
            let schema = self.schema(ends)?;
            self.array = Some(self.options.create(Arc::clone(&self.storage), schema)?);
        }
        self.array.as_mut().ok_or_else(|| Error::other("there is no array"))
    }

    /// Between which the numbers of rows may be: a dense array has that many cells, others may get more.
    fn ends_of_rows(&self, rows: u64) -> [Number; 2] {
        let last = match self.dimensions.is_dense {
            true => i64::try_from(rows.max(1)).unwrap_or(i64::MAX).saturating_sub(1),
            false => LAST_ROW,
        };
        [Number::I64(0), Number::I64(last)]
    }

    /// Writes what is held as a fragment.
    fn end_fragment(&mut self) -> Result<()> {
        let rows = self.held.rows();
        let mut columns = self.held.take();
        let mut attributes = columns.split_off(self.dimensions.columns.len());
        let coords: Vec<Numbers> = match self.dimensions.columns.is_empty() {
            true => {
                let array = self.array.as_ref().and_then(|array| array.schema().domain.dimensions.first());
                vec![self.dimensions.rows(self.next, rows, array.map(|row| row.domain[1]))?]
            }
            false => columns.iter().filter_map(|column| column.numbers().cloned()).collect(),
        };
        let ends: Vec<[Number; 2]> = match self.dimensions.columns.is_empty() {
            true => vec![self.ends_of_rows(self.counted.unwrap_or(self.rows))],
            false => coords.iter().map(|values| self.dimensions.ends(values)).collect::<Result<_>>()?,
        };
        let is_dense = self.dimensions.is_dense;
        if is_dense && rows == 0 {
            return Err(Error::other(
                "a dense array has a cell at least, and there is no row: say array=sparse",
            ));
        }
        // the cells of this fragment, which are not all of the array
        let own: Vec<[Number; 2]> =
            coords.iter().map(|values| self.dimensions.ends(values)).collect::<Result<_>>()?;
        if is_dense {
            let order = super::target::row_major(&coords, &own)?;
            attributes = attributes.iter().map(|column| column.take(&order)).collect();
        }
        let kept = std::mem::take(&mut self.attributes);
        let values = kept
            .iter()
            .zip(attributes)
            .map(|(kept, column)| Ok((kept.name.to_string(), kept.values(column)?)));
        let values = values.collect::<Result<Vec<_>>>();
        self.attributes = kept;
        let values = values?;
        self.next = self.next.saturating_add(rows as i128);
        let array = self.array(&ends)?;
        if rows == 0 {
            return Ok(());
        }
        let insert = match is_dense {
            true => own.iter().enumerate().fold(array.insert(), |insert, (dimension, [low, high])| {
                insert.range_of(dimension, *low..=*high)
            }),
            false => array.insert().coords(coords),
        };
        values.into_iter().fold(insert, |insert, (name, column)| insert.column(name, column)).write()?;
        self.array.as_mut().into_iter().for_each(|array| array.any_mut().keep_newest());
        Ok(())
    }
}

impl TableSink for TileSink {
    fn reads(&self) -> Vec<(usize, CellType)> {
        let attributes = self.attributes.iter().filter_map(|kept| Some((kept.place, kept.read?)));
        self.dimensions.reads.iter().copied().chain(attributes).collect()
    }

    fn looks_at(&self) -> Option<Vec<usize>> {
        self.dimensions.columns.is_empty().then(Vec::new)
    }

    fn look(&mut self, rows: &Columns) -> Result<()> {
        self.counted =
            Some(self.counted.map_or(rows.num_rows() as u64, |n| after(n, rows.num_rows() as u64)));
        Ok(())
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn write(&mut self, batch: Columns) -> Result<()> {
        let rows = batch.num_rows();
        let mut found = Taking::of(batch);
        let mut columns = Vec::new();
        for (place, name) in &self.dimensions.columns {
            let column = found.take(*place)?;
            columns.push(Blanks::of("a dimension of TileDB").fitted(
                column,
                &self.dimensions.ty,
                name,
                self.rows,
            )?);
        }
        let is_there = self.array.is_some();
        for kept in &mut self.attributes {
            columns.push(kept.fit(found.take(kept.place)?, self.rows, is_there)?);
        }
        let bytes = columns.iter().fold(0, |sum, column| after(sum, filled::size(column)));
        let is_full = self.held.rows() >= self.fragment || after(self.bytes, bytes) > self.most_bytes;
        if self.counted.is_some() && is_full && self.held.rows() > 0 {
            self.end_fragment()?;
            self.bytes = 0;
        }
        self.bytes = after(self.bytes, bytes);
        self.held.push(columns, rows)?;
        self.rows = after(self.rows, rows as u64);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Written> {
        if self.counted.is_some_and(|rows| rows != self.rows) {
            return Err(Error::other("the file has changed while it was read"));
        }
        if self.held.rows() > 0 || self.array.is_none() {
            self.end_fragment()?;
        }
        drop(self.array.take());
        let notes = self.attributes.iter().flat_map(Kept::notes).collect();
        Ok(Written { notes, ..Written::new(self.rows, self.storage.reveal()?) })
    }
}

#[cfg(test)]
mod tests {
    use crate::formats::tiledb::array::Options;
    use crate::formats::tiledb::layout::{ArraySchema, Attribute, CellValNum, Datatype, Dimension};
    use crate::formats::tiledb::values::Column;
    use crate::numbers::{Number, Numbers};
    use crate::storage::Memory;

    #[test]
    fn fragments_come_after_those_that_are_not_kept() {
        let x = Dimension::new("x", Number::I32(1), Number::I32(9), Number::I32(3));
        let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
        let files = Memory::new();
        let mut array = Options::new().create(&files, schema).unwrap();
        for n in 1..=4 {
            let a = Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::I32(vec![n])).unwrap();
            array.insert().range("x", 1..=1).column("a", a).write().unwrap();
            array.any_mut().keep_newest();
            assert_eq!(array.fragments().len(), 1);
        }
        let array = Options::new().open(&files).unwrap();
        assert_eq!(array.fragments().len(), 4);
        let times: std::collections::BTreeSet<_> =
            array.fragments().iter().map(|fragment| fragment.name().timestamps()).collect();
        assert_eq!(times.len(), 4);
        assert_eq!(
            array.query().range("x", 1..=1).read().unwrap().column("a").unwrap().values().get(0),
            Some(Number::I32(4))
        );
    }
}
