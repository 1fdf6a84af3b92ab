//! Cells of dense arrays that were never written: nothing that is stored bounds their number.

use super::query::{AnyQuery, Query};
use crate::formats::tiledb::array::Fragment;
use crate::formats::tiledb::layout::{ArrayType, Attribute, Dimension};
use crate::formats::tiledb::storage::Storage;
use crate::numbers::Number;
use crate::wire::amount::{after, natural, times64};
use crate::{ErrorKind, Result};

impl<S: Storage> Query<'_, S> {
    /// Whether the cells in the ranges that were never written, of which at most so many are wanted, take no more bytes than the
    /// [limit](crate::formats::tiledb::Options::limit): the schema of a dense array may say any domain, and each cell of it is read, with
    /// the fill value if there is no other. For those who read all of an array in [batches](Query::batches).
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I64(0), Number::I64(1 << 50), Number::I64(10));
    /// let schema = ArraySchema::dense(Datatype::Int64, [x]).attribute(Attribute::new("a", Datatype::Int32));
    /// let array = Options::new().create(Memory::new(), schema)?;
    /// assert!(array.query().check_unwritten(100).is_ok());
    /// assert!(array.query().range("x", 5..50).check_unwritten(u64::MAX).is_ok());
    /// let e = array.query().check_unwritten(u64::MAX).unwrap_err();
    /// assert!(e.to_string().ends_with("exceeds the limit of 1073741824"), "{e}");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// They take more, or a bound of a range is not a coordinate.
    pub fn check_unwritten(&self, wanted: u64) -> Result<()> {
        self.any().check_unwritten(wanted)
    }
}

impl AnyQuery<'_> {
    fn check_unwritten(self, wanted: u64) -> Result<()> {
        let (array, schema) = (self.array, &self.array.schema);
        if schema.array_type != ArrayType::Dense {
            return Ok(());
        }
        let width = |[low, high]: [u64; 2]| high.checked_sub(low).map_or(0, |n| after(n, 1));
        let cells = self.keys()?.into_iter().map(width).fold(1, times64).min(wanted);
        let written = array.fragments.iter().map(|fragment| self.stored(fragment)).fold(0, after);
        // a value of any size has a place at least
        let size = |a: &Attribute| a.cell_size().unwrap_or(size_of::<u64>()) as u64;
        let each = schema.attributes.iter().map(size).fold(0, after).max(1);
        let bytes = times64(cells.saturating_sub(written), each);
        match bytes > array.limit {
            true => {
                let of = "the domain, with cells that were never written,";
                Err(ErrorKind::size_limit(of, Some(bytes), array.limit).into())
            }
            false => Ok(()),
        }
    }

    /// How many cells a fragment has at most, as its tiles say: what it says of its domain is not backed by any bytes.
    fn stored(self, fragment: &Fragment) -> u64 {
        let (schema, metadata) = (&self.array.schema, &fragment.metadata);
        let extent = |d: &Dimension| d.tile_extent.and_then(Number::as_i128).map_or(1, natural);
        // a tile with more is not read
        let tile = schema.domain.dimensions.iter().map(extent).fold(1, times64).min(self.array.limit);
        let tiles = metadata.tile_offsets.iter().map(|list| list.values.len() as u64).max().unwrap_or(0);
        metadata.footer.num_cells(schema).min(times64(tiles, tile))
    }
}
