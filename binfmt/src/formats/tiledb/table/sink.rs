//! Tables as arrays.

use super::target::{Dimensions, Kept, dimensions, kept};
use super::withheld::Withheld;
use crate::columns::Columns;
use crate::error::{Error, Result};
use crate::formats::tiledb::array::{Array, OpenOptions};
use crate::formats::tiledb::layout::{ArraySchema, ArrayType, Attribute, Dimension};
use crate::numbers::{Number, Numbers};
use crate::storage::Storage;
use crate::table::filled::{Gathered, Taking, fitted};
use crate::table::{Settings, TableSchema, TableSink, Written};
use crate::wire::amount::after;
use std::sync::Arc;

/// Rows of a fragment, if they need not be together.
const FRAGMENT: usize = 1 << 20;

/// An array that grows by fragments if its only dimension is the number of the row; else all cells are one.
pub(super) struct TileSink {
    storage: Arc<Withheld>,
    options: OpenOptions,
    array: Option<Array<Arc<Withheld>>>,
    dimensions: Dimensions,
    attributes: Vec<Kept>,
    notes: Vec<String>,
    held: Gathered,
    /// How many rows there will be, if they were counted.
    counted: Option<u64>,
    rows: u64,
    /// Rows that are in fragments.
    written: u64,
}

impl TileSink {
    pub(super) fn new(
        storage: Arc<dyn Storage>,
        options: OpenOptions,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Self> {
        let mut notes = Vec::new();
        let dimensions = dimensions(schema, settings)?;
        let attributes = kept(schema, &dimensions, &mut notes)?;
        let types = dimensions.columns.iter().map(|(_, name)| (name.clone(), dimensions.ty.clone()));
        let held =
            Gathered::new(types.chain(attributes.iter().map(|kept| (kept.name.clone(), kept.ty.clone()))));
        // what the format cannot hold is told before there is a file
        let columns = dimensions.columns.len();
        let probe = TileSink {
            storage: Withheld::new(storage),
            options,
            array: None,
            dimensions,
            attributes,
            notes,
            held,
            counted: None,
            rows: 0,
            written: 0,
        };
        if probe.storage.size(crate::formats::tiledb::array::SCHEMA_FILE)?.is_some() {
            return match settings.get("append").is_some() && settings.is_on("append")? {
                true => probe.continued(),
                false => Err(Error::other("an array exists already")),
            };
        }
        let one = probe.dimensions.ends(&Numbers::new(probe.dimensions.kind))?;
        probe.schema(&vec![one; columns.max(1)]).check()?;
        Ok(probe)
    }

    /// The same for the array that is there. Whether its domain has the coordinates is seen when they are written.
    fn continued(mut self) -> Result<Self> {
        let array = self.options.open(Arc::clone(&self.storage))?;
        let there = array.schema();
        let domain = &there.domain;
        if self.dimensions.is_dense || there.array_type != ArrayType::Sparse {
            return Err(Error::other("cells are appended to sparse arrays"));
        }
        let of_rows = self.dimensions.columns.is_empty();
        let (names, found) = (self.dimensions.names(), domain.dimensions.iter().map(|d| d.name.as_str()));
        if of_rows || domain.datatype != self.dimensions.datatype || !found.clone().eq(names.iter()) {
            let found: Vec<&str> = found.collect();
            let text =
                format!("the dimensions of the array are {} of type {}", found.join(", "), domain.datatype);
            return Err(Error::other(text));
        }
        for attribute in &there.attributes {
            let given =
                self.attributes.iter().map(Kept::attribute).find(|given| given.name == attribute.name);
            let is_same = |given: &Attribute| {
                (given.datatype, given.cell_val_num) == (attribute.datatype, attribute.cell_val_num)
            };
            if !given.as_ref().is_some_and(is_same) {
                let text = format!("attribute `{}` of the array is {}", attribute.name, attribute.datatype);
                return Err(Error::other(text));
            }
        }
        self.array = Some(array);
        Ok(self)
    }

    /// The schema, for coordinates between these.
    fn schema(&self, ends: &[[Number; 2]]) -> ArraySchema {
        let dense = self.dimensions.is_dense;
        let names = self.dimensions.names();
        let tile = |[low, high]: [Number; 2]| self.dimensions.extent(low, high, ends.len());
        let dimensions: Vec<Dimension> = names
            .into_iter()
            .zip(ends)
            .map(|(name, ends)| Dimension::new(name, ends[0], ends[1], tile(*ends)))
            .collect();
        let datatype = self.dimensions.datatype;
        let empty = match dense {
            true => ArraySchema::dense(datatype, dimensions),
            false => ArraySchema::sparse(datatype, dimensions),
        };
        self.attributes.iter().fold(empty, |schema, kept| schema.attribute(kept.attribute()))
    }

    fn array(&mut self, ends: &[[Number; 2]]) -> Result<&mut Array<Arc<Withheld>>> {
        if self.array.is_none() {
            let schema = self.schema(ends);
            self.array = Some(self.options.create(Arc::clone(&self.storage), schema)?);
        }
        self.array.as_mut().ok_or_else(|| Error::other("there is no array"))
    }

    /// Where the row numbers of that many rows are.
    fn ends_of_rows(rows: u64) -> [Number; 2] {
        let last = i64::try_from(rows.max(1)).unwrap_or(i64::MAX).saturating_sub(1);
        [Number::I64(0), Number::I64(last)]
    }

    /// Writes what is held as a fragment.
    fn end_fragment(&mut self) -> Result<()> {
        let rows = self.held.rows();
        let mut columns = self.held.take();
        let mut attributes = columns.split_off(self.dimensions.columns.len());
        let coords: Vec<Numbers> = match self.dimensions.columns.is_empty() {
            true => {
                let first = i64::try_from(self.written).unwrap_or(i64::MAX);
                let end = first.saturating_add_unsigned(rows as u64);
                vec![Numbers::I64((first..end).collect())]
            }
            false => columns.iter().filter_map(|column| column.numbers().cloned()).collect(),
        };
        let ends: Vec<[Number; 2]> = match self.dimensions.columns.is_empty() {
            true => vec![Self::ends_of_rows(self.counted.unwrap_or(self.rows))],
            false => coords.iter().map(|values| self.dimensions.ends(values)).collect::<Result<_>>()?,
        };
        let is_dense = self.dimensions.is_dense;
        if is_dense && rows == 0 {
            return Err(Error::other(
                "a dense array has a cell at least, and there is no row: say array=sparse",
            ));
        }
        if is_dense {
            let order = super::target::row_major(&coords, &ends)?;
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
        self.written = after(self.written, rows as u64);
        let array = self.array(&ends)?;
        if rows == 0 {
            return Ok(());
        }
        let insert = if is_dense { array.insert() } else { array.insert().coords(coords) };
        values.into_iter().fold(insert, |insert, (name, column)| insert.column(name, column)).write()?;
        Ok(())
    }
}

impl TableSink for TileSink {
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
            columns.push(fitted(found.take(*place)?, &self.dimensions.ty, name, self.rows)?);
        }
        for kept in &mut self.attributes {
            columns.push(kept.fit(found.take(kept.place)?, self.rows)?);
        }
        self.held.push(columns, rows)?;
        self.rows = after(self.rows, rows as u64);
        if self.counted.is_some() && self.held.rows() >= FRAGMENT {
            self.end_fragment()?;
        }
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
        let notes = self.attributes.iter().filter_map(Kept::note).collect();
        Ok(Written { notes, ..Written::new(self.rows, self.storage.reveal()?) })
    }
}
