//! The files of a fragment while they are put together, tile after tile.

use crate::formats::tiledb::filter::{Key, TileCodec};
use crate::formats::tiledb::fragment::TileOffsets;
use crate::formats::tiledb::read::Boxed;
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
        let at = self.bytes.len();
        self.codec.filter_sections(sections, &mut self.bytes).map_err(|e| {
            let e = e.within(Step::Index(self.offsets.len())).within(Step::Field("tiles"));
            e.within(Step::Name(self.name.clone()))
        })?;
        self.offsets.push(at as u64);
        Ok(())
    }
}

/// The one or two files of an attribute.
pub(super) struct AttributeFiles {
    pub(super) values: FragmentFile,
    /// Of a variable attribute: the file of the values (the other one has their offsets), and the sizes of its tiles.
    pub(super) var: Option<(FragmentFile, Vec<u64>)>,
    /// The values of one tile.
    buffer: Vec<u8>,
}

impl AttributeFiles {
    pub(super) fn new(schema: &ArraySchema, attribute: &Attribute, key: Option<&Key>) -> Result<Self> {
        let stem = attribute.file_stem();
        let datatype = attribute.datatype;
        let name = format!("{stem}.tdb");
        if let Some(cell) = attribute.cell_size() {
            let codec = TileCodec::new(&attribute.filters, datatype, cell, key)?;
            return Ok(AttributeFiles {
                values: FragmentFile::new(name, codec),
                var: None,
                buffer: Vec::new(),
            });
        }
        let offsets = TileCodec::new(&schema.offsets_filters, Datatype::Uint64, 8, key)?;
        let values = TileCodec::new(&attribute.filters, datatype, datatype.size().unwrap_or(0), key)?;
        let var = FragmentFile::new(format!("{stem}_var.tdb"), values);
        Ok(AttributeFiles {
            values: FragmentFile::new(name, offsets),
            var: Some((var, Vec::new())),
            buffer: Vec::new(),
        })
    }

    /// Appends a tile of these cells of the column.
    pub(super) fn tile(&mut self, column: &Column, cells: &TileCells<'_>) -> Result<()> {
        let bytes = &mut self.buffer;
        bytes.clear();
        let fill = column.datatype().fill();
        let Some((var, sizes)) = &mut self.var else {
            let n = column.cell_val_num().fixed().unwrap_or(1) as usize;
            with_values!(column.values(), values => put_fixed(values, n, fill, cells, bytes));
            return self.values.tile(&[bytes]);
        };
        let mut offsets: Vec<u8> = Vec::new();
        with_values!(column.values(), values => for cell in cells.list() {
            offsets.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            match cell.and_then(|i| values.get(column.range(i)?)) {
                Some(values) => Value::store(values, bytes),
                // a cell that nobody wrote has one fill value
                None => bytes.extend_from_slice(fill),
            }
        });
        var.tile(&[bytes])?;
        sizes.push(bytes.len() as u64);
        self.values.tile(&[&offsets])
    }
}

/// Which cells of a column make a tile.
pub(super) enum TileCells<'a> {
    /// These, in this order.
    List(&'a [usize]),
    /// Of so many cells those of a box; nobody wrote the others.
    Box { num_cells: usize, cells: &'a Boxed },
}

impl TileCells<'_> {
    /// The cell of the column for each cell of the tile.
    fn list(&self) -> Vec<Option<usize>> {
        match self {
            TileCells::List(cells) => cells.iter().copied().map(Some).collect(),
            TileCells::Box { num_cells, cells } => {
                let mut list = vec![None; *num_cells];
                cells.runs(|run| run.cells().for_each(|(from, to)| list[from] = Some(to)));
                list
            }
        }
    }
}

/// Cells of `n` values each. `column` has them all, as the caller has checked.
fn put_fixed<T: Value>(column: &[T], n: usize, fill: &[u8], cells: &TileCells<'_>, out: &mut Vec<u8>) {
    match cells {
        TileCells::List(cells) => {
            for cell in *cells {
                T::store(column.get(cell * n..(cell + 1) * n).unwrap_or_default(), out);
            }
        }
        TileCells::Box { num_cells, cells } => {
            out.resize(num_cells * n * T::SIZE, 0);
            out.chunks_exact_mut(fill.len().max(1)).for_each(|to| to.copy_from_slice(fill));
            let mut put = |at: usize, from: usize, len: usize| {
                let (at, len) = (at * n * T::SIZE, len * n);
                T::save(&column[from * n..][..len], &mut out[at..][..len * T::SIZE]);
            };
            cells.runs(|run| match run.is_contiguous() {
                true => put(run.from, run.to, run.len),
                false => run.cells().for_each(|(at, from)| put(at, from, 1)),
            });
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
    for AttributeFiles { values, var, .. } in files {
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
