//! The files of a fragment while they are put together, tile after tile.

use crate::formats::tiledb::filter::{Key, TileCodec};
use crate::formats::tiledb::fragment::TileOffsets;
use crate::formats::tiledb::schema::{ArraySchema, Attribute};
use crate::formats::tiledb::values::{Column, Value, Values, with_values};
use crate::formats::tiledb::{Datatype, FragmentMetadata};
use crate::{Result, Step};

/// A file of tiles.
pub(super) struct FragmentFile {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    pub(super) offsets: Vec<u64>,
    codec: TileCodec,
}

impl FragmentFile {
    pub(super) fn new(name: String, codec: TileCodec) -> Self {
        FragmentFile { name, bytes: Vec::new(), offsets: Vec::new(), codec }
    }

    /// Appends a tile of these sections, no two of which share a chunk.
    pub(super) fn tile(&mut self, sections: &[&[u8]]) -> Result<()> {
        let tile = self.codec.filter_sections(sections).map_err(|e| {
            let e = e.within(Step::Index(self.offsets.len())).within(Step::Field("tiles"));
            e.within(Step::Name(self.name.clone()))
        })?;
        self.offsets.push(self.bytes.len() as u64);
        self.bytes.extend_from_slice(&tile);
        Ok(())
    }
}

/// The one or two files of an attribute.
pub(super) struct AttributeFiles {
    pub(super) values: FragmentFile,
    /// Of a variable attribute: the file of the values (the other one has their offsets), and the sizes of its tiles.
    pub(super) var: Option<(FragmentFile, Vec<u64>)>,
}

impl AttributeFiles {
    pub(super) fn new(schema: &ArraySchema, attribute: &Attribute, key: Option<&Key>) -> Result<Self> {
        let stem = attribute.file_stem();
        let datatype = attribute.datatype;
        let name = format!("{stem}.tdb");
        if let Some(cell) = attribute.cell_size() {
            let codec = TileCodec::new(&attribute.filters, datatype, cell, key)?;
            return Ok(AttributeFiles { values: FragmentFile::new(name, codec), var: None });
        }
        let offsets = TileCodec::new(&schema.offsets_filters, Datatype::Uint64, 8, key)?;
        let values = TileCodec::new(&attribute.filters, datatype, datatype.size().unwrap_or(0), key)?;
        let var = FragmentFile::new(format!("{stem}_var.tdb"), values);
        Ok(AttributeFiles { values: FragmentFile::new(name, offsets), var: Some((var, Vec::new())) })
    }

    /// Appends a tile whose cells are these of the column; `None` is a cell that nobody wrote.
    pub(super) fn tile(&mut self, column: &Column, cells: impl Iterator<Item = Option<usize>>) -> Result<()> {
        let fill = column.datatype().fill();
        let mut bytes = Vec::new();
        let Some((var, sizes)) = &mut self.var else {
            let n = column.cell_val_num().fixed().unwrap_or(1) as usize;
            with_values!(column.values(), values => put_fixed(values, n, fill, cells, &mut bytes));
            return self.values.tile(&[&bytes]);
        };
        let mut offsets: Vec<u8> = Vec::new();
        with_values!(column.values(), values => {
            let mut cell = |range: Option<std::ops::Range<usize>>, values: &[_]| {
                offsets.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
                match range.and_then(|range| values.get(range)) {
                    Some(values) => Value::store(values, &mut bytes),
                    None => bytes.extend_from_slice(fill),
                }
            };
            for i in cells {
                cell(i.and_then(|i| column.range(i)), values);
            }
        });
        var.tile(&[&bytes])?;
        sizes.push(bytes.len() as u64);
        self.values.tile(&[&offsets])
    }
}

/// Cells of `n` values each.
fn put_fixed<T: Value>(
    values: &[T],
    n: usize,
    fill: &[u8],
    cells: impl Iterator<Item = Option<usize>>,
    out: &mut Vec<u8>,
) {
    for cell in cells {
        match cell.and_then(|i| values.get(i * n..(i + 1) * n)) {
            Some(values) => T::store(values, out),
            None => (0..n).for_each(|_| out.extend_from_slice(fill)),
        }
    }
}

/// Fills in what the files say: positions and sizes of tiles.
pub(super) fn finish(
    files: Vec<AttributeFiles>,
    coords: Option<FragmentFile>,
    num_tiles: usize,
    metadata: &mut FragmentMetadata,
) -> Vec<FragmentFile> {
    let zeros = || TileOffsets { values: vec![0; num_tiles] };
    let footer = &mut metadata.footer;
    let mut out = Vec::new();
    for AttributeFiles { values, var } in files {
        metadata.tile_offsets.push(TileOffsets { values: values.offsets.clone() });
        footer.file_sizes.push(values.bytes.len() as u64);
        out.push(values);
        match var {
            Some((var, sizes)) => {
                metadata.tile_var_offsets.push(TileOffsets { values: var.offsets.clone() });
                metadata.tile_var_sizes.push(TileOffsets { values: sizes });
                footer.file_var_sizes.push(var.bytes.len() as u64);
                out.push(var);
            }
            // lists of files that do not exist are there all the same
            None => {
                metadata.tile_var_offsets.push(zeros());
                metadata.tile_var_sizes.push(zeros());
                footer.file_var_sizes.push(0);
            }
        }
    }
    let coords_offsets = coords.as_ref().map(|file| TileOffsets { values: file.offsets.clone() });
    metadata.tile_offsets.push(coords_offsets.unwrap_or_else(zeros));
    footer.file_sizes.push(coords.as_ref().map_or(0, |file| file.bytes.len() as u64));
    out.extend(coords);
    let (attributes, files) = (footer.file_var_sizes.len(), footer.file_sizes.len());
    // positions of the lists: worked out when the file is put together
    footer.tile_offsets = vec![0; files];
    footer.tile_var_offsets = vec![0; attributes];
    footer.tile_var_sizes = vec![0; attributes];
    out
}
