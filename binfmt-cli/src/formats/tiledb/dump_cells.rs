//! The tiles of a file of cells, explained.

use super::dump_writer::DumpWriter;
use super::fragment::Only;
use super::open::failure;
use crate::error::Result;
use binfmt::formats::tiledb::{Array, Column, DataFile, Fragment, TileContent};

/// Explains every tile that is wanted: as it is stored, then without its filters.
pub(super) fn tiles(
    array: &Array<Only>,
    fragment: &Fragment,
    file: &DataFile<'_>,
    encrypted: bool,
    writer: &mut DumpWriter<'_>,
) -> Result<()> {
    for tile in 0..file.num_tiles() {
        let range = file.range(tile).map_err(|e| failure(&e))?;
        if !writer.wants(range.start, range.end) {
            continue;
        }
        let stored = array.stored_tile(file, tile).map_err(|e| failure(&e))?;
        let path = format!("tiles[{tile}]");
        for part in file.pipeline().explain(file.datatype(), encrypted, &stored) {
            writer.stored(&part.placed(range.start, &path))?;
        }
        let data = array.tile(file, tile).map_err(|e| failure(&e))?;
        if !writer.take_tile(range.start, &stored) {
            continue;
        }
        writer.heading(&format!(
            "{path} without its filters: {}",
            crate::units::count(data.len() as u64, "byte", "bytes")
        ))?;
        let schema = array.schema();
        match file.content() {
            TileContent::Offsets(_) => content::numbers(file.datatype(), 1, &data, "offsets", 0, writer)?,
            TileContent::Values(a) => {
                let attribute = schema.attributes.get(a);
                let name = attribute.map_or("", |a| &a.name);
                let values = attribute.and_then(|a| a.cell_val_num.fixed()).unwrap_or(1);
                content::numbers(file.datatype(), values, &data, name, 0, writer)?;
            }
            TileContent::VariableValues(a) => {
                let name = schema.attributes.get(a).map_or("", |a| &a.name);
                let column = array.tile_column(fragment, a, tile).map_err(|e| failure(&e))?;
                variable(&column, &data, name, writer)?;
            }
            TileContent::Coordinates => {
                let each = data.len() / schema.domain.dimensions.len().max(1);
                for (i, part) in data.chunks(each.max(1)).enumerate() {
                    let name = super::value::dimension_name(schema, i);
                    content::numbers(file.datatype(), 1, part, &name, (i * each) as u64, writer)?;
                }
            }
        }
    }
    Ok(())
}

/// Cells of variable length, each by itself.
fn variable(column: &Column, data: &[u8], name: &str, writer: &mut DumpWriter<'_>) -> Result<()> {
    let size = column.values().number_type().size();
    for (i, ends) in column.offsets().windows(2).enumerate() {
        let [from, to] = ends else { break };
        let bytes = data.get(from * size..to * size).unwrap_or_default();
        let path = format!("{name}[{i}]");
        let trace = match std::str::from_utf8(bytes) {
            Ok(_) if column.text(i).is_some() => content::text(bytes),
            _ if column.datatype().is_text() => content::bytes(bytes),
            _ => content::list(column.datatype(), bytes),
        };
        writer.unfiltered(&trace.placed((from * size) as u64, &path))?;
    }
    Ok(())
}

/// Explanations of bytes whose type is known at run time only.
pub(super) mod content {
    use crate::error::Result;
    use crate::formats::tiledb::dump_writer::DumpWriter;
    use binfmt::dump::{Trace, trace_all_with, trace_with};
    use binfmt::formats::tiledb::{Datatype, Number, NumberType};
    use binfmt::{BinFormat, Options};

    /// So many values.
    #[derive(BinFormat, Debug)]
    #[binfmt(le, transparent, ctx(kind: NumberType, len: usize))]
    struct List(#[binfmt(count = len, args(kind))] Vec<Number>);

    #[derive(BinFormat, Debug)]
    #[binfmt(transparent, ctx(len: usize))]
    struct Text<'a>(#[binfmt(count = len)] &'a str);

    #[derive(BinFormat, Debug)]
    #[binfmt(transparent, ctx(len: usize))]
    struct Bytes<'a>(#[binfmt(count = len)] &'a [u8]);

    pub(in super::super) fn text(bytes: &[u8]) -> Trace {
        trace_with::<Text<'_>, usize>(bytes, &Options::new().ctx(bytes.len()))
    }

    pub(in super::super) fn bytes(bytes: &[u8]) -> Trace {
        trace_with::<Bytes<'_>, usize>(bytes, &Options::new().ctx(bytes.len()))
    }

    /// One cell of several values.
    pub(in super::super) fn list(datatype: Datatype, bytes: &[u8]) -> Trace {
        let kind = kind(datatype);
        trace_with::<List, _>(bytes, &Options::new().ctx((kind, bytes.len() / kind.size())))
    }

    /// Cells of so many values each, that stand `at` a place.
    pub(in super::super) fn numbers(
        datatype: Datatype,
        values: u32,
        bytes: &[u8],
        name: &str,
        at: u64,
        writer: &mut DumpWriter<'_>,
    ) -> Result<()> {
        let show = |trace: Trace| writer.unfiltered(&trace.placed(at, name));
        if values == 1 {
            return trace_all_with::<Number, _>(bytes, &Options::new().ctx(kind(datatype)))
                .try_for_each(show);
        }
        let options = Options::new().ctx((kind(datatype), values as usize));
        trace_all_with::<List, _>(bytes, &options).try_for_each(show)
    }

    /// The numbers of a type; unknown ones are bytes.
    fn kind(datatype: Datatype) -> NumberType {
        datatype.number_type().unwrap_or(NumberType::U8)
    }
}
