//! What an array is: its schema, its fragments, its files.

use super::cells::values_of;
use super::open::{failure, open, place};
use super::options::Options;
use super::survey::size_of;
use super::value::dimension_name;
use crate::error::Result;
use crate::format::Job;
use crate::summary::{Listing, Summary};
use crate::units;
use binfmt::formats::tiledb::{
    Array, ArraySchema, FilterPipeline, Folder, Fragment, FragmentFile, Storage, TileContent,
};
use serde_json::{Value as Json, json};

/// Tells it.
pub(super) fn inspect(options: &Options, job: &mut Job<'_>, title: &str) -> Result<Summary> {
    let array = open(options, job)?;
    let schema = array.schema();
    let mut summary = Summary::default();
    summary.worded("format", "Format", "tiledb", title.to_owned());
    summary.fact("version", "Format version", schema.version);
    summary.fact("array_type", "Array", schema.array_type.to_string());
    summary.fact("tile_order", "Tile order", schema.tile_order.to_string());
    summary.fact("cell_order", "Cell order", schema.cell_order.to_string());
    summary.fact("capacity", "Capacity", schema.capacity);
    let encrypted = super::open::is_encrypted(array.storage());
    summary.fact("encrypted", "Encrypted", encrypted);
    summary.fact("coords_filters", "Filters of coordinates", filters(&schema.coords_filters));
    summary.fact("offsets_filters", "Filters of offsets", filters(&schema.offsets_filters));
    summary.fact("fragment_count", "Fragments", array.fragments().len());
    let bytes = size_of(&place(job)?.root);
    summary.worded("bytes", "Size", bytes, units::bytes(bytes));
    tables_of_schema(schema, &mut summary);
    fragments(&array, &mut summary)?;
    Ok(summary)
}

/// Names and options of filters, in the order in which they are applied.
fn filters(pipeline: &FilterPipeline) -> String {
    let names: Vec<String> = pipeline.filters.iter().map(ToString::to_string).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn tables_of_schema(schema: &ArraySchema, summary: &mut Summary) {
    let of = schema.domain.datatype.to_string();
    let rows = schema.domain.dimensions.iter().enumerate().map(|(i, d)| {
        let [low, high] = d.domain;
        vec![
            dimension_name(schema, i).into(),
            of.clone().into(),
            json!(low),
            json!(high),
            json!(d.tile_extent),
        ]
    });
    let columns = &["name", "type", "low", "high", "tile"];
    summary.table("dimensions", Listing { title: "Dimensions", columns, rows: rows.collect() });
    let rows = schema.attributes.iter().map(|a| {
        let (of, values) = (a.datatype.to_string(), values_of(a.cell_val_num));
        vec![a.name.clone().into(), of.into(), values.into(), filters(&a.filters).into()]
    });
    let columns = &["name", "type", "values", "filters"];
    summary.table("attributes", Listing { title: "Attributes", columns, rows: rows.collect() });
}

fn fragments(array: &Array<Folder>, summary: &mut Summary) -> Result<()> {
    let (mut rows, mut files) = (Vec::new(), Vec::new());
    for fragment in array.fragments() {
        let (tiles, cells, stored) = counts(array.schema(), fragment);
        let footer = &fragment.metadata().footer;
        let (first, last) = fragment.name().timestamps();
        let domain = footer.non_empty_domain.iter().map(|[low, high]| format!("{low}..={high}"));
        let kind = if footer.dense { "dense" } else { "sparse" };
        rows.push(vec![
            fragment.name().as_str().into(),
            first.into(),
            last.into(),
            kind.into(),
            domain.collect::<Vec<_>>().join(", ").into(),
            tiles.into(),
            cells.into(),
        ]);
        for file in array.data_files(fragment) {
            files.push(file_row(array, &file, raw(stored, fragment, &file))?);
        }
    }
    let columns = &["name", "first", "last", "kind", "non_empty_domain", "tiles", "cells"];
    summary.table("fragments", Listing { title: "Fragments", columns, rows });
    let columns = &["file", "tiles", "raw", "stored", "ratio"];
    summary.table("files", Listing { title: "Files", columns, rows: files });
    let ignored = array.ignored().map_err(|e| failure(&e))?;
    if !ignored.is_empty() {
        let rows = ignored.into_iter().map(|i| vec![i.path.into(), i.reason.to_string().into()]).collect();
        summary.table("ignored", Listing { title: "Ignored", columns: &["name", "why"], rows });
    }
    Ok(())
}

fn file_row(array: &Array<Folder>, file: &FragmentFile<'_>, raw: u64) -> Result<Vec<Json>> {
    let io = |e| failure(&binfmt::Error::from(e));
    let stored = array.storage().size(file.path()).map_err(io)?;
    let ratio = stored.filter(|n| *n > 0).map(|n| (raw as f64 / n as f64 * 100.0).round() / 100.0);
    Ok(vec![file.path().into(), file.num_tiles().into(), raw.into(), json!(stored), json!(ratio)])
}

/// How much is in a fragment, as its metadata say: tiles, cells that were written, and cells that are stored.
fn counts(schema: &ArraySchema, fragment: &Fragment) -> (u64, u64, u64) {
    let (metadata, cells) = (fragment.metadata(), fragment.metadata().footer.num_cells(schema));
    if !metadata.footer.dense {
        return (metadata.footer.sparse_tile_num, cells, cells);
    }
    let tiles = metadata.tile_offsets.first().map_or(0, |list| list.values.len() as u64);
    let extents = schema.domain.dimensions.iter();
    let extents = extents.filter_map(|d| u64::try_from(d.tile_extent?.as_i128()?).ok());
    (tiles, cells, extents.fold(tiles, u64::saturating_mul))
}

/// Bytes of a file's tiles without their filters, where so many cells are stored.
fn raw(stored: u64, fragment: &Fragment, file: &FragmentFile<'_>) -> u64 {
    let TileContent::VariableValues(a) = file.content() else {
        return stored.saturating_mul(file.cell_size() as u64);
    };
    let sizes = fragment.metadata().tile_var_sizes.get(a).map_or(&[][..], |list| &list.values);
    sizes.iter().copied().fold(0, u64::saturating_add)
}
