//! The cells of one tile of a fragment, as they are stored: no other fragment is looked at.

use super::data_file::{FragmentFile, TileContent};
use crate::formats::tiledb::array::{AnyArray, Array, Fragment};
use crate::formats::tiledb::storage::{Storage, in_file};
use crate::formats::tiledb::values::Column;
use crate::numbers::Numbers;
use crate::{Error, ErrorKind, Result, Step};

impl<S: Storage> Array<S> {
    /// The cells of an attribute in one tile of a fragment, in the order of the file.
    ///
    /// Tiles of dense fragments are whole: cells outside what was written contain the fill value.
    ///
    /// # Errors
    /// There is no such attribute or tile, or it is damaged.
    ///
    /// ```no_run
    /// let array = binfmt::formats::tiledb::Array::open("array")?;
    /// println!("{:?}", array.tile_column(&array.fragments()[0], 0, 0)?.values());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn tile_column(&self, fragment: &Fragment, attribute: usize, tile: usize) -> Result<Column> {
        self.any().tile_column(fragment, attribute, tile)
    }

    /// The coordinates of the cells in one tile of a sparse fragment, for each dimension.
    ///
    /// # Errors
    /// The fragment is dense, or there is no such tile, or it is damaged.
    ///
    /// ```no_run
    /// let array = binfmt::formats::tiledb::Array::open("array")?;
    /// println!("{:?}", array.tile_coords(&array.fragments()[0], 0)?);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn tile_coords(&self, fragment: &Fragment, tile: usize) -> Result<Vec<Numbers>> {
        self.any().tile_coords(fragment, tile)
    }
}

impl AnyArray<'_> {
    pub(crate) fn tile_column(&self, fragment: &Fragment, attribute: usize, tile: usize) -> Result<Column> {
        let of = self.schema.attributes.get(attribute);
        let of = of.ok_or_else(|| ErrorKind::invalid("number of an attribute", attribute, ""))?;
        let files = self.data_files(fragment);
        let find = |content| files.iter().find(|file| file.content() == content);
        match find(TileContent::Values(attribute)) {
            Some(file) => {
                let values = self.tile_values(file, tile)?;
                let column = Column::fixed(of.datatype, of.cell_val_num, values);
                column.ok_or_else(|| wrong(file, tile, "the tile ends inside a cell"))
            }
            None => match find(TileContent::Offsets(attribute))
                .zip(find(TileContent::VariableValues(attribute)))
            {
                Some((offsets, values)) => {
                    let starts = self.tile_values(offsets, tile)?;
                    let values = self.tile_values(values, tile)?;
                    let ends = element_offsets(&starts, &values);
                    let column = ends.and_then(|ends| Column::variable(of.datatype, values, ends));
                    column.ok_or_else(|| wrong(offsets, tile, "the offsets do not fit the values"))
                }
                None => Err(ErrorKind::Missing { of: "files of attribute", name: of.name.clone() }.into()),
            },
        }
    }

    pub(crate) fn tile_coords(&self, fragment: &Fragment, tile: usize) -> Result<Vec<Numbers>> {
        let files = self.data_files(fragment);
        let file = files.iter().find(|file| file.content() == TileContent::Coordinates);
        let file = file.ok_or_else(|| ErrorKind::unsupported("a dense fragment", "coordinates"))?;
        let data = self.tile(file, tile)?;
        let dims = self.schema.domain.dimensions.len().max(1);
        let number = file.datatype().number_type();
        let parts = data.chunks((data.len() / dims).max(1));
        let values = parts.map(|part| number.and_then(|number| Numbers::from_le_bytes(number, part)));
        let values: Option<Vec<Numbers>> = values.collect();
        values
            .filter(|values| values.len() == dims && values.iter().all(|v| v.len() == values[0].len()))
            .ok_or_else(|| wrong(file, tile, "the tile ends inside a coordinate"))
    }

    fn tile_values(&self, file: &FragmentFile<'_>, tile: usize) -> Result<Numbers> {
        let data = self.tile(file, tile)?;
        let number = file.datatype().number_type();
        let values = number.and_then(|number| Numbers::from_le_bytes(number, &data));
        values.ok_or_else(|| wrong(file, tile, "the tile ends inside a value"))
    }
}

/// Where cells begin, in values, and where the last one ends; `None` if the bytes are not such places.
fn element_offsets(starts: &Numbers, values: &Numbers) -> Option<Vec<usize>> {
    let Numbers::U64(starts) = starts else { return None };
    let size = values.number_type().size();
    let place = |start: &u64| usize::try_from(*start).ok().filter(|at| at % size == 0).map(|at| at / size);
    starts.iter().map(place).chain([Some(values.len())]).collect()
}

fn wrong(file: &FragmentFile<'_>, tile: usize, text: &'static str) -> Error {
    let at = file.range(tile).map_or(0, |range| range.start);
    in_file(
        Error::new(ErrorKind::invalid("tile", tile, text), at)
            .within(Step::Index(tile))
            .within(Step::Field("tiles")),
        file.path(),
    )
}
