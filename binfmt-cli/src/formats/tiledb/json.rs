//! The JSON form of an array, written: what was asked for, or all fragments by themselves.

use super::cells::{Wanted, batches};
use super::fragment::{alone, each_column, each_column_of, each_coords, is_dense};
use super::open::{failure, is_encrypted, open, open_options};
use super::options::Options;
use super::subarray::ends;
use crate::error::{Error, Result};
use crate::format::Job;
use crate::json::JsonWriter;
use crate::pick::Pick;
use binfmt::formats::tiledb::{Array, ArraySchema, ArrayType, Column, Folder, Fragment, Layout, Numbers};
use serde_json::{Value as Json, json};
use std::io::Write;

type Out<'a, 'w> = &'a mut JsonWriter<&'w mut dyn Write>;

/// Writes the cells that were asked for, whichever fragment they are of.
pub(super) fn cells(options: &Options, job: &mut Job<'_>, pick: &Pick, out: Out<'_, '_>) -> Result<()> {
    if pick.rows != crate::span::Span::ALL {
        return Err(Error::usage("--rows and --json do not go together").tip("choose cells with --subarray"));
    }
    let array = open(options, job)?;
    let wanted = Wanted::of(options, pick, array.schema())?;
    let attributes = wanted.attributes();
    front(&array, &attributes, out)?;
    out.member_list("fragments")?;
    for fragment in array.fragments() {
        out.item(&facts(fragment))?;
    }
    out.end()?;
    let is_dense = array.schema().array_type == ArrayType::Dense;
    if is_dense && options.subarray.is_given() {
        out.member("subarray", &wanted.region.iter().map(ends).collect::<Vec<_>>())?;
    }
    if wanted.order == Layout::ColumnMajor {
        out.member("order", "col")?;
    }
    if !is_dense {
        out.member_list("coords")?;
        for cells in batches(array.schema(), &wanted.query(&array, &[]), u64::MAX)? {
            let cells = cells.map_err(|e| failure(&e))?;
            let coords: Vec<&Numbers> = cells.coords().iter().map(|(_, values)| values).collect();
            coordinates(&coords, out)?;
        }
        out.end()?;
    }
    out.member_object("attributes")?;
    for a in attributes {
        out.member_list(name(array.schema(), a))?;
        each_column_of(array.schema(), &wanted.query(&array, &[a]), |column| items(column, out))?;
        out.end()?;
    }
    out.end()?;
    out.end()
}

/// Writes the document of which the array can be made again: every fragment with its cells.
pub(super) fn document(options: &Options, job: &mut Job<'_>, out: Out<'_, '_>) -> Result<()> {
    if options.chooses_cells() {
        // what was asked for is not the whole array
        return cells(options, job, &Pick::ALL, out);
    }
    let array = open(options, job)?;
    let schema = array.schema();
    let attributes: Vec<usize> = (0..schema.attributes.len()).collect();
    front(&array, &attributes, out)?;
    out.member_list("fragments")?;
    let open = open_options(array.storage(), options, job)?;
    for fragment in array.fragments() {
        out.object()?;
        out.members(&facts(fragment))?;
        let only = alone(array.storage(), fragment.name().as_str(), &open)?;
        if !is_dense(schema, fragment) {
            out.member_list("coords")?;
            each_coords(&only, |coords| coordinates(&coords.iter().collect::<Vec<_>>(), out))?;
            out.end()?;
        }
        out.member_object("attributes")?;
        for a in &attributes {
            out.member_list(name(schema, *a))?;
            each_column(&only, *a, |column| items(column, out))?;
            out.end()?;
        }
        out.end()?;
        out.end()?;
    }
    out.end()?;
    out.end()
}

/// The members of both documents before the cells.
fn front(array: &Array<Folder>, attributes: &[usize], out: Out<'_, '_>) -> Result<()> {
    out.object()?;
    out.member("format", "tiledb")?;
    if is_encrypted(array.storage()) {
        out.member("encrypted", &true)?;
    }
    let mut schema = array.schema().clone();
    let all = std::mem::take(&mut schema.attributes);
    schema.attributes = attributes.iter().filter_map(|a| all.get(*a).cloned()).collect();
    out.member("schema", &schema)
}

fn name(schema: &ArraySchema, a: usize) -> &str {
    schema.attributes.get(a).map_or("", |a| &a.name)
}

/// What a fragment is, apart from its cells.
fn facts(fragment: &Fragment) -> Json {
    let footer = &fragment.metadata().footer;
    let (first, last) = fragment.name().timestamps();
    json!({
        "name": fragment.name().as_str(),
        "timestamps": [first, last],
        "dense": footer.dense,
        "non_empty_domain": footer.non_empty_domain,
    })
}

fn items(column: &Column, out: Out<'_, '_>) -> Result<()> {
    (0..column.num_cells()).try_for_each(|i| out.item(&column.value(i)))?;
    out.flush()
}

fn coordinates(coords: &[&Numbers], out: Out<'_, '_>) -> Result<()> {
    for i in 0..coords.first().map_or(0, |values| values.len()) {
        let cell: Vec<_> = coords.iter().filter_map(|values| values.get(i)).collect();
        out.item(&cell)?;
    }
    out.flush()
}
