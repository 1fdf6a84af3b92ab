//! The files of a fragment that hold an attribute or the coordinates.

use super::file::{TileFile, Tiles};
use crate::formats::tiledb::array::{Array, Fragment};
use crate::formats::tiledb::filter::TileCodec;
use crate::formats::tiledb::layout::Datatype;
use crate::formats::tiledb::storage::Storage;
use crate::{Error, ErrorKind, Result};

/// The files of an attribute's tiles in one fragment.
impl<S: Storage> Array<S> {
    /// The file of the fixed values, or of the offsets of variable ones.
    pub(super) fn values_file<'a>(
        &'a self,
        fragment: &'a Fragment,
        a: usize,
        needed: &'a [usize],
    ) -> Result<TileFile<'a, S>> {
        let attribute = &self.schema.attributes[a];
        let key = self.key.as_ref();
        let codec = match attribute.cell_val_num.fixed() {
            Some(n) => {
                let cell = attribute.number_type().size().checked_mul(n as usize);
                let cell = cell.ok_or(ErrorKind::TooLarge { of: "cell" })?;
                TileCodec::new(&attribute.filters, attribute.datatype, cell, key)?
            }
            None => TileCodec::new(&self.schema.offsets_filters, Datatype::Uint64, 8, key)?,
        };
        self.file(fragment, format!("{}.tdb", attribute.file_stem()), (a, false), needed, codec)
    }

    /// The file of the variable values.
    pub(super) fn var_file<'a>(
        &'a self,
        fragment: &'a Fragment,
        a: usize,
        needed: &'a [usize],
    ) -> Result<TileFile<'a, S>> {
        let attribute = &self.schema.attributes[a];
        let size = attribute.number_type().size();
        let codec = TileCodec::new(&attribute.filters, attribute.datatype, size, self.key.as_ref())?;
        let name = format!("{}_var.tdb", attribute.file_stem());
        self.file(fragment, name, (a, true), needed, codec)
    }

    /// The file of the coordinates.
    pub(super) fn coords_file<'a>(
        &'a self,
        fragment: &'a Fragment,
        needed: &'a [usize],
    ) -> Result<TileFile<'a, S>> {
        let domain = &self.schema.domain;
        let cell = domain.number_type().size() * domain.dimensions.len();
        let codec = TileCodec::new(&self.schema.coords_filters, domain.datatype, cell, self.key.as_ref())?;
        let a = self.schema.attributes.len();
        self.file(fragment, "__coords.tdb".into(), (a, false), needed, codec)
    }

    fn file<'a>(
        &'a self,
        fragment: &'a Fragment,
        name: String,
        (a, var): (usize, bool),
        needed: &'a [usize],
        codec: TileCodec,
    ) -> Result<TileFile<'a, S>> {
        let (offsets, size) = if var { fragment.var_file(a) } else { fragment.values_file(a) };
        let tiles = Tiles { path: format!("{}/{name}", fragment.name), offsets, size };
        TileFile::open(&self.storage, tiles, needed, codec, self.limit)
    }
}

impl<S> Array<S> {
    /// The error of values above the limit.
    #[cold]
    pub(super) fn above_limit(&self, a: usize) -> Error {
        let name = self.schema.attributes.get(a).map_or("", |attribute| &attribute.name);
        ErrorKind::size_limit(format!("attribute `{name}`"), None, self.limit).into()
    }
}
