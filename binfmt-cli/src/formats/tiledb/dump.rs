//! Every byte of an array's files: as it is stored, and what is in it without its filters.

use super::dump_cells::content;
use super::dump_writer::DumpWriter;
use super::fragment::{alone, read_all};
use super::open::{failure, key_of};
use super::place::{self, Place};
use super::survey::files;
use crate::error::{Error, Result};
use crate::format::{Job, Window};
use crate::limits::Size;
use crate::span::Span;
use binfmt::Options;
use binfmt::dump::{trace, trace_with};
use binfmt::formats::tiledb::{
    ArraySchema, Encryption, Folder, Footer, GenericTileHeader, Key, RTree, TileCodec, TileOffsets,
};
use std::io::Write;

/// Explains one file, or all files of the array.
pub(super) fn dump(job: &Job<'_>, window: &Window, out: &mut dyn Write) -> Result<()> {
    let place = place::of(job.input.path(), job.input.is_directory())?;
    let most = job.limits.max_memory.map_or(u64::MAX, |Size(bytes)| bytes);
    let mut writer = DumpWriter::new(window, most, out);
    let key = key_of(&Folder::new(&place.root), job.settings)?;
    if !place.root.join("__array_schema.tdb").is_file() {
        // the array is of a later version, which the error names
        return super::open::at(&place, job).map(|_| ());
    }
    if let Some(path) = &place.file {
        return file(&place, path, job, key.as_ref(), &mut writer);
    }
    if window.bytes != Span::ALL {
        return Err(Error::usage("--range means bytes of a file, and an array has several")
            .tip("name one of its files, such as ARRAY/__array_schema.tdb"));
    }
    let mut failed = None;
    for (i, path) in files(&place.root)?.iter().enumerate() {
        if i > 0 {
            writer.blank_line()?;
        }
        // one bad file does not hide the others
        if let Err(e) = file(&place, path, job, key.as_ref(), &mut writer) {
            match e {
                Error::Data(_) if failed.is_none() => failed = Some(e),
                Error::Data(_) => {}
                other => return Err(other),
            }
        }
    }
    failed.map_or(Ok(()), Err)
}

/// Explains one file, named by its path inside of the array.
fn file(
    place: &Place,
    path: &str,
    job: &Job<'_>,
    key: Option<&Key>,
    writer: &mut DumpWriter<'_>,
) -> Result<()> {
    let folder = Folder::new(&place.root);
    let size = std::fs::metadata(place.root.join(path)).map_or(0, |data| data.len());
    writer.heading(&format!("{path}: {}", crate::units::count(size, "byte", "bytes")))?;
    let named = |e: &binfmt::Error| failure(e).at(path);
    match path.rsplit_once('/') {
        None if path == "__array_schema.tdb" => {
            let bytes = read_all(&folder, path, writer.most)?;
            let mut at = 0;
            generic::<ArraySchema>(&bytes, &mut at, "", key, writer).map_err(|e| named(&e))?;
            rest(&bytes, at, writer)
        }
        Some((_, "__fragment_metadata.tdb")) => {
            let schema = read_all(&folder, "__array_schema.tdb", writer.most)?;
            let schema = ArraySchema::from_file(&schema, key).map_err(|e| failure(&e))?;
            metadata(&read_all(&folder, path, writer.most)?, &schema, key, writer).map_err(|e| named(&e))
        }
        Some((fragment, _)) => {
            let array = alone(&folder, fragment, &super::open::options(&folder, job)?.at(u64::MAX))?;
            let fragments = array.fragments();
            let found = fragments.iter().find_map(|fragment| {
                let file = array.data_files(fragment).into_iter().find(|file| file.path() == path);
                file.map(|file| (fragment, file))
            });
            match found {
                Some((fragment, file)) => {
                    let encrypted = super::open::is_encrypted(&folder);
                    super::dump_cells::tiles(&array, fragment, &file, encrypted, writer)
                }
                None => rest(&read_all(&folder, path, writer.most)?, 0, writer),
            }
        }
        None => rest(&read_all(&folder, path, writer.most)?, 0, writer),
    }
}

/// Bytes that are of no file that is known.
fn rest(bytes: &[u8], at: usize, writer: &mut DumpWriter<'_>) -> Result<()> {
    let bytes = bytes.get(at..).unwrap_or_default();
    if bytes.is_empty() {
        return Ok(());
    }
    writer.stored(&content::bytes(bytes).placed(at as u64, "(unknown)"))
}

/// A generic tile: its header, its chunks, and what is in it.
fn generic<T: for<'de> binfmt::Decode<'de>>(
    file: &[u8],
    at: &mut usize,
    name: &str,
    key: Option<&Key>,
    writer: &mut DumpWriter<'_>,
) -> binfmt::Result<()> {
    let dot = |part: &str| if name.is_empty() { part.to_owned() } else { format!("{name}.{part}") };
    let shown = |e: Result<()>| e.map_err(|_| binfmt::Error::other("cannot write"));
    let bytes = file.get(*at..).unwrap_or_default();
    let found = binfmt::from_prefix::<GenericTileHeader>(bytes);
    let len = found.as_ref().map_or(bytes.len(), |(_, after)| bytes.len() - after.len());
    let traced =
        trace::<GenericTileHeader>(bytes.get(..len).unwrap_or_default()).placed(*at as u64, &dot("header"));
    shown(writer.stored(&traced))?;
    let (header, after) = found.map_err(|e| e.shifted(*at as u64))?;
    let len_tile = usize::try_from(header.persisted_size).unwrap_or(usize::MAX).min(after.len());
    let tile = after.get(..len_tile).unwrap_or_default();
    let encrypted = header.encryption == Encryption::Aes256Gcm;
    for part in header.pipeline.explain(header.datatype, encrypted, tile) {
        shown(writer.stored(&part.placed((*at + len) as u64, &dot("tile"))))?;
    }
    let cell = usize::try_from(header.cell_size).unwrap_or(usize::MAX);
    let mut codec = TileCodec::new(&header.pipeline, header.datatype, cell, key.filter(|_| encrypted))?;
    if header.tile_size > writer.most {
        let text =
            format!("a tile of {} bytes is larger than the limit of {}", header.tile_size, writer.most);
        return Err(binfmt::Error::message(text, *at as u64));
    }
    let mut data = zeros(header.tile_size).ok_or_else(|| {
        binfmt::Error::message(format!("no memory for a tile of {} bytes", header.tile_size), *at as u64)
    })?;
    codec.unfilter(tile, &mut data).map_err(|e| e.shifted((*at + len) as u64).or_at((*at + len) as u64))?;
    if writer.take_tile((*at + len) as u64, tile) {
        shown(writer.heading(&format!("{} without its filters: {} bytes", dot("tile"), data.len())))?;
        let inner = trace::<T>(&data);
        let inner = if name.is_empty() { inner } else { inner.placed(0, name) };
        shown(writer.unfiltered(&inner))?;
    }
    *at += len + len_tile;
    Ok(())
}

/// So many zeros, if there is memory for them.
fn zeros(n: u64) -> Option<Vec<u8>> {
    let n = usize::try_from(n).ok()?;
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(n).ok()?;
    zeros.resize(n, 0);
    Some(zeros)
}

/// The tiles of a fragment's metadata one after the other, then the footer.
fn metadata(
    file: &[u8],
    schema: &ArraySchema,
    key: Option<&Key>,
    writer: &mut DumpWriter<'_>,
) -> binfmt::Result<()> {
    let size = Footer::size(schema).unwrap_or(usize::MAX);
    let end = file.len().saturating_sub(size);
    let body = file.get(..end).unwrap_or_default();
    let n = schema.attributes.len();
    let mut at = 0;
    generic::<RTree>(body, &mut at, "rtree", key, writer)?;
    for (list, count) in [("tile_offsets", n + 1), ("tile_var_offsets", n), ("tile_var_sizes", n)] {
        for i in 0..count {
            generic::<TileOffsets>(body, &mut at, &format!("{list}[{i}]"), key, writer)?;
        }
    }
    let shown = |e: Result<()>| e.map_err(|_| binfmt::Error::other("cannot write"));
    if at < end {
        shown(rest(body, at, writer))?;
    }
    let footer = trace_with::<Footer, _>(file.get(end..).unwrap_or_default(), &Options::new().ctx(schema));
    let e = footer.error().map(|e| binfmt::Error::message(e.kind().to_string(), end as u64));
    shown(writer.stored(&footer.placed(end as u64, "footer")))?;
    e.map_or(Ok(()), Err)
}
