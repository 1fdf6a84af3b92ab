//! The files of an attribute.

use super::file::{Output, Positions};
use super::tiles::{Content, Cut, Tiles};
use crate::Result;
use crate::formats::tiledb::filter::TileCodec;
use crate::formats::tiledb::layout::{ArraySchema, Attribute, Datatype};
use crate::formats::tiledb::storage::Storage;
use crate::formats::tiledb::values::Column;

/// Writes the one or two files of an attribute; the second is that of variable values.
pub(super) fn attribute<S: Storage>(
    output: &Output<'_, S>,
    schema: &ArraySchema,
    attribute: &Attribute,
    column: &Column,
    cut: Cut<'_>,
) -> Result<(Positions, Option<Positions>)> {
    let stem = attribute.file_stem();
    let Attribute { datatype, filters, .. } = attribute;
    let name = format!("{stem}.tdb");
    let tiles = |content| Tiles { content, cut };
    if let Some(cell) = attribute.cell_size() {
        let codec = || TileCodec::new(filters, *datatype, cell, output.key);
        return Ok((output.file(&name, &tiles(Content::Fixed(column)), codec)?, None));
    }
    let codec = || TileCodec::new(filters, *datatype, attribute.number_type().size(), output.key);
    let var = output.file(&format!("{stem}_var.tdb"), &tiles(Content::Values(column)), codec)?;
    let codec = || TileCodec::new(&schema.offsets_filters, Datatype::Uint64, 8, output.key);
    Ok((output.file(&name, &tiles(Content::Offsets(column)), codec)?, Some(var)))
}
