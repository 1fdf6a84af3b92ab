//! The tiles of a file of cells, explained.

use super::dump_values;
use super::dump_writer::DumpWriter;
use super::fragment::Only;
use super::open::failure;
use crate::error::Result;
use binfmt::formats::tiledb::{Array, Column, Fragment, FragmentFile, TileContent};

/// Explains every tile that is wanted: as it is stored, then without its filters.
pub(super) fn tiles(
    array: &Array<Only>,
    fragment: &Fragment,
    file: &FragmentFile<'_>,
    encrypted: bool,
    lines: &mut DumpWriter<'_>,
) -> Result<()> {
    for tile in 0..file.num_tiles() {
        let range = file.range(tile).map_err(|e| failure(&e))?;
        if !lines.wants(range.start, range.end) {
            continue;
        }
        let stored = array.stored_tile(file, tile).map_err(|e| failure(&e))?;
        let path = format!("tiles[{tile}]");
        for part in file.pipeline().explain(file.datatype(), encrypted, &stored) {
            lines.stored(&part.placed(range.start, &path))?;
        }
        let data = array.tile(file, tile).map_err(|e| failure(&e))?;
        if !lines.take_tile(range.start, &stored) {
            continue;
        }
        lines.heading(&format!(
            "{path} without its filters: {}",
            crate::units::count(data.len() as u64, "byte", "bytes")
        ))?;
        let schema = array.schema();
        match file.content() {
            TileContent::Offsets(_) => dump_values::numbers(file.datatype(), 1, &data, "offsets", 0, lines)?,
            TileContent::Values(a) => {
                let attribute = schema.attributes.get(a);
                let name = attribute.map_or("", |a| &a.name);
                let values = attribute.and_then(|a| a.cell_val_num.fixed()).unwrap_or(1);
                dump_values::numbers(file.datatype(), values, &data, name, 0, lines)?;
            }
            TileContent::VariableValues(a) => {
                let name = schema.attributes.get(a).map_or("", |a| &a.name);
                let column = array.tile_column(fragment, a, tile).map_err(|e| failure(&e))?;
                variable(&column, &data, name, lines)?;
            }
            TileContent::Coordinates => {
                let each = data.len() / schema.domain.dimensions.len().max(1);
                for (i, part) in data.chunks(each.max(1)).enumerate() {
                    let name = super::value::dimension_name(schema, i);
                    dump_values::numbers(file.datatype(), 1, part, &name, (i * each) as u64, lines)?;
                }
            }
        }
    }
    Ok(())
}

/// Cells of variable length, each by itself.
fn variable(column: &Column, data: &[u8], name: &str, lines: &mut DumpWriter<'_>) -> Result<()> {
    let size = column.values().number_type().size();
    for (i, ends) in column.offsets().windows(2).enumerate() {
        let [from, to] = ends else { break };
        let bytes = &data[from * size..to * size];
        let path = format!("{name}[{i}]");
        let trace = match std::str::from_utf8(bytes) {
            Ok(_) if column.text(i).is_some() => dump_values::text(bytes),
            _ if column.datatype().is_text() => dump_values::bytes(bytes),
            _ => dump_values::list(column.datatype(), bytes),
        };
        lines.unfiltered(&trace.placed((from * size) as u64, &path))?;
    }
    Ok(())
}
