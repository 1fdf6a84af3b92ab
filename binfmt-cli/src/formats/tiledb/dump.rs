//! Every byte of an array's files: as it is stored, and what is in it without its filters.

use super::dump_values;
use super::dump_writer::DumpWriter;
use super::fragment::{alone, read_all};
use super::open::{failure, key_of, open_options};
use super::options::Options;
use super::place::{self, Place};
use super::survey::files;
use crate::error::{Error, Result};
use crate::format::{Job, Window};
use crate::limits::Size;
use crate::span::Span;
use binfmt::dump::{trace, trace_with};
use binfmt::formats::tiledb::{
    self, ArraySchema, Encryption, Folder, Footer, GenericTileHeader, Key, RTree, TileCodec, TileOffsets,
};
use std::io::Write;

/// Explains one file, or all files of the array.
pub(super) fn dump(options: &Options, job: &Job<'_>, window: &Window, out: &mut dyn Write) -> Result<()> {
    let place = place::of(job.input.path(), job.input.is_directory())?;
    let most = job.limits.max_memory.map_or(u64::MAX, |Size(bytes)| bytes);
    let mut lines = DumpWriter::new(window, most, out);
    let key = key_of(&Folder::new(&place.root), options)?;
    if !place.root.join("__array_schema.tdb").is_file() {
        // the array is of a later version, which the error names
        return super::open::at(&place, options, job).map(|_| ());
    }
    let open = open_options(&Folder::new(&place.root), options, job)?.at(u64::MAX);
    if let Some(path) = &place.file {
        return file(&place, path, &open, key.as_ref(), &mut lines);
    }
    if window.bytes != Span::ALL {
        return Err(Error::usage("--range means bytes of a file, and an array has several")
            .tip("name one of its files, such as ARRAY/__array_schema.tdb"));
    }
    let mut failed = None;
    for (i, path) in files(&place.root)?.iter().enumerate() {
        if i > 0 {
            lines.blank_line()?;
        }
        // one bad file does not hide the others
        if let Err(e) = file(&place, path, &open, key.as_ref(), &mut lines) {
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
    key: Option<&Key>,
    lines: &mut DumpWriter<'_>,
) -> Result<()> {
    let folder = Folder::new(&place.root);
    let size = std::fs::metadata(place.root.join(path)).map_or(0, |data| data.len());
    lines.heading(&format!("{path}: {}", crate::units::count(size, "byte", "bytes")))?;
    match path.rsplit_once('/') {
        None if path == "__array_schema.tdb" => {
            let bytes = read_all(&folder, path, lines.most)?;
            let mut at = 0;
            generic::<ArraySchema>(&bytes, &mut at, "", key, lines).map_err(|e| e.at(path))?;
            rest(&bytes, at, lines)
        }
        Some((_, "__fragment_metadata.tdb")) => {
            let schema = read_all(&folder, "__array_schema.tdb", lines.most)?;
            let schema = ArraySchema::from_file(&schema, key).map_err(|e| failure(&e))?;
            metadata(&read_all(&folder, path, lines.most)?, &schema, key, lines).map_err(|e| e.at(path))
        }
        Some((fragment, _)) => {
            let array = alone(&folder, fragment, open)?;
            let fragments = array.fragments();
            let found = fragments.iter().find_map(|fragment| {
                let file = array.data_files(fragment).into_iter().find(|file| file.path() == path);
                file.map(|file| (fragment, file))
            });
            match found {
                Some((fragment, file)) => {
                    let encrypted = super::open::is_encrypted(&folder);
                    super::dump_cells::tiles(&array, fragment, &file, encrypted, lines)
                }
                None => rest(&read_all(&folder, path, lines.most)?, 0, lines),
            }
        }
        None => rest(&read_all(&folder, path, lines.most)?, 0, lines),
    }
}

/// Bytes that are of no file that is known.
fn rest(bytes: &[u8], at: usize, lines: &mut DumpWriter<'_>) -> Result<()> {
    let bytes = &bytes[at..];
    if bytes.is_empty() {
        return Ok(());
    }
    lines.stored(&dump_values::bytes(bytes).placed(at as u64, "(unknown)"))
}

/// A generic tile: its header, its chunks, and what is in it.
fn generic<T: for<'de> binfmt::Decode<'de>>(
    file: &[u8],
    at: &mut usize,
    name: &str,
    key: Option<&Key>,
    lines: &mut DumpWriter<'_>,
) -> Result<()> {
    let dot = |part: &str| if name.is_empty() { part.to_owned() } else { format!("{name}.{part}") };
    let bytes = &file[*at..];
    let found = binfmt::from_prefix::<GenericTileHeader>(bytes);
    let len = found.as_ref().map_or(bytes.len(), |(_, rest)| bytes.len() - rest.len());
    let traced = trace::<GenericTileHeader>(&bytes[..len]).placed(*at as u64, &dot("header"));
    lines.stored(&traced)?;
    let (header, rest) = found.map_err(|e| failure(&e.shifted(*at as u64)))?;
    let len_tile = usize::try_from(header.persisted_size).unwrap_or(usize::MAX).min(rest.len());
    let tile = &rest[..len_tile];
    let encrypted = header.encryption == Encryption::Aes256Gcm;
    for part in header.pipeline.explain(header.datatype, encrypted, tile) {
        lines.stored(&part.placed((*at + len) as u64, &dot("tile")))?;
    }
    let cell = usize::try_from(header.cell_size).unwrap_or(usize::MAX);
    let codec = TileCodec::new(&header.pipeline, header.datatype, cell, key.filter(|_| encrypted));
    let mut codec = codec.map_err(|e| failure(&e))?;
    let refused = |text: String| failure(&binfmt::Error::message(text, *at as u64));
    if header.tile_size > lines.most {
        let text = format!("a tile of {} bytes is larger than the limit of {}", header.tile_size, lines.most);
        return Err(refused(text));
    }
    let mut data = zeros(header.tile_size)
        .ok_or_else(|| refused(format!("no memory for a tile of {} bytes", header.tile_size)))?;
    let from = (*at + len) as u64;
    codec.unfilter(tile, &mut data).map_err(|e| failure(&e.shifted(from).or_at(from)))?;
    if lines.take_tile((*at + len) as u64, tile) {
        lines.heading(&format!("{} without its filters: {} bytes", dot("tile"), data.len()))?;
        let inner = trace::<T>(&data);
        let inner = if name.is_empty() { inner } else { inner.placed(0, name) };
        lines.unfiltered(&inner)?;
    }
    *at += len + len_tile;
    Ok(())
}

/// That many zeros, if there is memory for them.
fn zeros(n: u64) -> Option<Vec<u8>> {
    let n = usize::try_from(n).ok()?;
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(n).ok()?;
    zeros.resize(n, 0);
    Some(zeros)
}

/// The tiles of a fragment's metadata one after the other, then the footer.
fn metadata(file: &[u8], schema: &ArraySchema, key: Option<&Key>, lines: &mut DumpWriter<'_>) -> Result<()> {
    let size = Footer::size(schema).unwrap_or(usize::MAX);
    let end = file.len().saturating_sub(size);
    let body = &file[..end];
    let n = schema.attributes.len();
    let mut at = 0;
    generic::<RTree>(body, &mut at, "rtree", key, lines)?;
    for (list, count) in [("tile_offsets", n + 1), ("tile_var_offsets", n), ("tile_var_sizes", n)] {
        for i in 0..count {
            generic::<TileOffsets>(body, &mut at, &format!("{list}[{i}]"), key, lines)?;
        }
    }
    if at < end {
        rest(body, at, lines)?;
    }
    let footer = trace_with::<Footer, _>(&file[end..], &binfmt::Options::new().ctx(schema));
    let e = footer.error().map(|e| failure(&binfmt::Error::message(e.kind().to_string(), end as u64)));
    lines.stored(&footer.placed(end as u64, "footer"))?;
    e.map_or(Ok(()), Err)
}
