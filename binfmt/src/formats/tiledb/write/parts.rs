//! The files of a fragment, and what each contains.

use super::file::{Output, Positions};
use super::tiles::{Content, Cut, Tiles};
use crate::Result;
use crate::formats::tiledb::filter::{Key, TileCodec};
use crate::formats::tiledb::layout::{ArraySchema, Attribute, Datatype, TileOffsets};
use crate::formats::tiledb::metadata::FragmentMetadata;
use crate::formats::tiledb::values::Column;
use crate::numbers::Numbers;

/// A file of a fragment; attributes are numbers in the schema.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    /// The coordinates of cells.
    Coords,
    /// A fixed number of values for each cell.
    Fixed(usize),
    /// Variable values.
    Values(usize),
    /// Where variable cells begin.
    Offsets(usize),
}

impl Part {
    /// The files of all attributes.
    pub(super) fn of_attributes(schema: &ArraySchema) -> impl Iterator<Item = Part> {
        schema.attributes.iter().enumerate().flat_map(|(a, attribute)| match attribute.cell_size() {
            Some(_) => vec![Part::Fixed(a)],
            None => vec![Part::Values(a), Part::Offsets(a)],
        })
    }

    /// The name of the file.
    pub(super) fn name(self, schema: &ArraySchema) -> String {
        match self {
            Part::Coords => "__coords.tdb".into(),
            Part::Fixed(a) | Part::Offsets(a) => format!("{}.tdb", schema.attributes[a].file_stem()),
            Part::Values(a) => format!("{}_var.tdb", schema.attributes[a].file_stem()),
        }
    }

    /// What its tiles go through.
    pub(super) fn codec(self, schema: &ArraySchema, key: Option<&Key>) -> Result<TileCodec> {
        match self {
            Part::Coords => {
                let domain = &schema.domain;
                let size = domain.number_type().size();
                let cell = size * domain.dimensions.len();
                Ok(TileCodec::new(&schema.coords_filters, domain.datatype, cell, key)?.of_values(size))
            }
            Part::Offsets(_) => TileCodec::new(&schema.offsets_filters, Datatype::Uint64, 8, key),
            Part::Fixed(a) | Part::Values(a) => {
                let own @ Attribute { datatype, filters, .. } = &schema.attributes[a];
                let cell = own.cell_size().unwrap_or(own.number_type().size());
                TileCodec::new(filters, *datatype, cell, key)
            }
        }
    }

    /// What it contains of cells, whose columns are those of the schema.
    pub(super) fn content<'a>(self, coords: &'a [Numbers], columns: &[&'a Column]) -> Content<'a> {
        match self {
            Part::Coords => Content::Coords(coords),
            Part::Fixed(a) => Content::Fixed(columns[a]),
            Part::Values(a) => Content::Values(columns[a]),
            Part::Offsets(a) => Content::Offsets(columns[a]),
        }
    }
}

/// Writes files of cells that are in memory, one after the other.
pub(super) fn write(
    output: &Output<'_>,
    schema: &ArraySchema,
    parts: impl Iterator<Item = Part>,
    (coords, columns): (&[Numbers], &[&Column]),
    cut: Cut<'_>,
) -> Result<Vec<(Part, Positions)>> {
    let one = |part: Part| {
        let tiles = Tiles { content: part.content(coords, columns), cut };
        let codec = || part.codec(schema, output.key);
        Ok((part, output.file(&part.name(schema), &tiles, codec)?))
    };
    parts.map(one).collect()
}

/// Fills in what the files say. Lists of files that do not exist are there all the same, and contain zeros.
pub(super) fn finish(
    schema: &ArraySchema,
    files: Vec<(Part, Positions)>,
    num_tiles: usize,
    metadata: &mut FragmentMetadata,
) {
    let attributes = schema.attributes.len();
    let zeros = |lists: usize| vec![TileOffsets { values: vec![0; num_tiles] }; lists];
    metadata.tile_offsets = zeros(attributes + 1);
    (metadata.tile_var_offsets, metadata.tile_var_sizes) = (zeros(attributes), zeros(attributes));
    let footer = &mut metadata.footer;
    (footer.file_sizes, footer.file_var_sizes) = (vec![0; attributes + 1], vec![0; attributes]);
    for (part, Positions { offsets: values, size, raw }) in files {
        let place = match part {
            Part::Coords => attributes,
            Part::Fixed(a) | Part::Offsets(a) => a,
            Part::Values(a) => {
                metadata.tile_var_offsets[a] = TileOffsets { values };
                metadata.tile_var_sizes[a] = TileOffsets { values: raw };
                footer.file_var_sizes[a] = size;
                continue;
            }
        };
        metadata.tile_offsets[place] = TileOffsets { values };
        footer.file_sizes[place] = size;
    }
    // positions of the lists: computed when the file is put together
    footer.tile_offsets = vec![0; attributes + 1];
    footer.tile_var_offsets = vec![0; attributes];
    footer.tile_var_sizes = vec![0; attributes];
}
