//! Every byte of an array's files: as it is stored, and what is in it without its filters.

use super::open::{failure, failure_below, open_options};
use super::options::Options;
use super::place::{self, Place};
use super::survey::files;
use crate::error::{Error, Result};
use crate::format::{Aim, Job, Window};
use crate::span::Span;
use crate::units::count;
use binfmt::Step;
use binfmt::formats::tiledb::{self, Explained, Folder};
use std::io::Write;

/// What has cells where `find` has bytes, which are those of whole tiles.
pub(super) const CELLS: &str = "bytes are found in all tiles; binfmt cat --where 'a = 7' --subarray '1..3, ..' shows cells that have a value";

/// Explains one file, or all files of the array.
pub(super) fn dump(options: &Options, job: &Job<'_>, window: &Window, out: &mut dyn Write) -> Result<()> {
    let place = place::of(job.input.path(), job.input.is_directory())?;
    let open = open_options(&Folder::new(&place.root), options, job)?;
    if !place.root.join("__array_schema.tdb").is_file() {
        // the array is of a later version, which the error names
        return super::open::at(&place, options, job).map(|_| ());
    }
    if let Some(path) = &place.file {
        return file(&place, path, &open, window, out);
    }
    if window.bytes != Span::ALL {
        return Err(Error::usage("--range means bytes of a file, and an array has several")
            .tip("name one of its files, such as ARRAY/__array_schema.tdb"));
    }
    let mut failed = None;
    for (i, path) in files(&place.root)?.iter().enumerate() {
        if i > 0 && matches!(window.aim, Aim::Lines) {
            writeln!(out).map_err(Error::output)?;
        }
        // one bad file does not hide the others
        if let Err(e) = file(&place, path, &open, &window.in_file(path), out) {
            match e {
                Error::Data(_) if failed.is_none() => failed = Some(e),
                Error::Data(_) => {}
                other => return Err(other),
            }
        }
    }
    failed.map_or(Ok(()), Err)
}

/// Explains one file, named by its path inside the array.
fn file(
    place: &Place,
    path: &str,
    open: &tiledb::Options,
    window: &Window,
    out: &mut dyn Write,
) -> Result<()> {
    let bytes = |n: u64| count(n, "byte", "bytes");
    let size = std::fs::metadata(place.root.join(path)).map_or(0, |data| data.len());
    window.heading(&format!("{path}: {}", bytes(size)), out)?;
    let wanted = window.bytes.from..window.bytes.to.unwrap_or(u64::MAX);
    let mut written = Ok(());
    let explained = open.explain(&Folder::new(&place.root), path, wanted, |part| {
        written = match part {
            Explained::Stored(trace) => window.show(&trace, out),
            Explained::Tile(name, len) => {
                window.heading(&format!("{name} without its filters: {}", bytes(len as u64)), out)
            }
            Explained::Unfiltered(trace, chunks) => {
                let bytes = Span { from: chunks.start, to: Some(chunks.end) };
                Window { bytes, ..window.clone() }.show_inner(&trace, out)
            }
            _ => Ok(()),
        };
        written.is_ok()
    });
    written?;
    let is_of_cells = path.contains('/') && !path.ends_with("/__fragment_metadata.tdb");
    explained.map_err(|e| match e.path().steps().next() {
        Some(Step::Name(name)) if *name == *path && !is_of_cells => failure_below(&e, 1).at(path),
        _ => failure(&e),
    })
}
