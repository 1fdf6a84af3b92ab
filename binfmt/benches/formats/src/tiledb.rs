//! TileDB: arrays of one attribute `a` and one dimension `x`.

use crate::Answer;
use crate::clock::took;
use binfmt::formats::tiledb::{
    Array, ArraySchema, Attribute, CellValNum, Cells, Column, Datatype, Dimension, Filter, Folder,
    Options, Number, TileChunks, Numbers,
};
use serde_json::Value;
use std::cell::RefCell;
use std::error::Error;
use std::fs;
use std::path::Path;

/// Bytes of a tile.
const TILE: usize = 1 << 20;

pub fn run(job: &str, args: &Value) -> Answer {
    match job {
        "read" => read(args),
        "check" => check(args),
        "write" => write(args),
        "bare" => bare(args),
        other => Err(format!("there is no job {other}").into()),
    }
}

fn text<'a>(args: &'a Value, name: &str) -> Result<&'a str, Box<dyn Error>> {
    Ok(args[name].as_str().ok_or_else(|| format!("{name} is missing"))?)
}

fn options(args: &Value) -> Options {
    Options::new().threads(args["threads"].as_u64().unwrap_or(1) as usize)
}

fn num_bytes(cells: &Cells) -> usize {
    cells.columns().iter().map(|(_, column)| column.values().len() * column.values().number_type().size()).sum()
}

thread_local! {
    /// The memory of the last result, as the other libraries read into a buffer that is there.
    static KEPT: RefCell<Cells> = RefCell::default();
}

fn read(args: &Value) -> Answer {
    let (path, options) = (text(args, "path")?, options(args));
    let mut cells = if args["fresh"] == true { Cells::default() } else { KEPT.take() };
    let mut found = Ok(());
    let mut took = took(0, || {
        found = options.open(Folder::new(path)).and_then(|array: Array| array.query().read_into(&mut cells));
    });
    found?;
    took.bytes = num_bytes(&cells);
    KEPT.set(cells);
    Ok(took)
}

/// Not for its time: what is read must be the data.
fn check(args: &Value) -> Answer {
    let array = options(args).open(Folder::new(text(args, "path")?))?;
    let cells = array.read()?;
    let column = cells.column("a").ok_or("no attribute a")?;
    if column.values().to_le_bytes() != fs::read(text(args, "data")?)? {
        return Err("something else is read".into());
    }
    Ok(took(num_bytes(&cells), || ()))
}

fn filter(args: &Value) -> Result<Filter, Box<dyn Error>> {
    let level = args["level"].as_i64().unwrap_or(-1) as i32;
    Ok(match args["filter"].as_u64() {
        Some(1) => Filter::gzip(level),
        Some(2) => Filter::zstd(level),
        Some(3) => Filter::lz4(level),
        Some(4) => Filter::rle(level),
        Some(5) => Filter::bzip2(level),
        Some(6) => Filter::double_delta(level),
        Some(7) => Filter::bit_width_reduction(256),
        Some(8) => Filter::bitshuffle(),
        Some(9) => Filter::byteshuffle(),
        Some(10) => Filter::positive_delta(1024),
        other => return Err(format!("filter {other:?}").into()),
    })
}

/// The values of a file whose ending is their type.
fn values(path: &Path) -> Result<(Datatype, Numbers), Box<dyn Error>> {
    let bytes = fs::read(path)?;
    Ok(match path.extension().and_then(|e| e.to_str()) {
        Some("f64") => (
            Datatype::Float64,
            Numbers::F64(bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect()),
        ),
        Some("i64") => (
            Datatype::Int64,
            Numbers::I64(bytes.as_chunks().0.iter().map(|b| i64::from_le_bytes(*b)).collect()),
        ),
        Some("i32") => (
            Datatype::Int32,
            Numbers::I32(bytes.as_chunks().0.iter().map(|b| i32::from_le_bytes(*b)).collect()),
        ),
        other => return Err(format!("data of type {other:?}").into()),
    })
}

fn write(args: &Value) -> Answer {
    let (path, options) = (text(args, "path")?, options(args));
    let (datatype, values) = values(Path::new(text(args, "data")?))?;
    let filters =
        args["filters"].as_array().into_iter().flatten().map(filter).collect::<Result<Vec<_>, _>>()?;
    let (len, size) = (values.len(), values.number_type().size());
    let column = Column::fixed(datatype, CellValNum::ONE, values).ok_or("no column")?;
    let extent = (TILE / size) as i64;
    let x = Dimension::new("x", Number::I64(0), Number::I64(len as i64 - 1), Number::I64(extent));
    let attribute = Attribute::new("a", datatype).filtered(filters);
    let schema = ArraySchema::dense(Datatype::Int64, [x]).attribute(attribute);
    if Path::new(path).exists() {
        fs::remove_dir_all(path)?;
    }
    let mut written = Ok(());
    let took = took(len * size, || {
        written = options
            .create(Folder::new(path), schema)
            .and_then(|mut array| array.insert().column("a", column).write())
            .map(drop);
    });
    written?;
    Ok(took)
}

/// What a library takes to decompress all parts of all chunks, each into the same memory again.
fn bare(args: &Value) -> Answer {
    let array = Array::open(text(args, "path")?)?;
    let fragment = array.fragments().first().ok_or("no fragment")?;
    let file = fs::read(array.storage().path().join(fragment.name().to_string()).join("a.tdb"))?;
    let mut parts: Vec<(usize, &[u8])> = Vec::new();
    let mut rest = file.as_slice();
    let mut len = 0;
    while !rest.is_empty() {
        let (tile, after) = binfmt::from_prefix::<TileChunks<'_>>(rest)?;
        rest = after;
        for chunk in tile.chunks {
            len += chunk.len_original as usize;
            let mut data = chunk.data;
            let words: Vec<usize> =
                chunk.metadata.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b) as usize).collect();
            for lens in words[2..].as_chunks::<2>().0 {
                let (part, after) = data.split_at(lens[1]);
                parts.push((lens[0], part));
                data = after;
            }
        }
    }
    let mut out = vec![0; parts.iter().map(|part| part.0).max().unwrap_or(0)];
    let mut undo = decompressor(text(args, "filter")?)?;
    let mut done = 0;
    let took = took(len, || {
        for (len, part) in &parts {
            done += undo(part, &mut out[..*len]);
        }
    });
    if done != parts.iter().map(|part| part.0).sum::<usize>() {
        return Err("the parts give another length".into());
    }
    Ok(took)
}

/// Gives the number of bytes; 0 for an error.
type Decompress = Box<dyn FnMut(&[u8], &mut [u8]) -> usize>;

fn decompressor(filter: &str) -> Result<Decompress, Box<dyn Error>> {
    Ok(match filter {
        "zstd" => {
            let mut zstd = zstd::bulk::Decompressor::new()?;
            Box::new(move |from, to| zstd.decompress_to_buffer(from, to).unwrap_or(0))
        }
        "lz4" => Box::new(|from, to| {
            let len = i32::try_from(to.len()).ok();
            lz4::block::decompress_to_buffer(from, len, to).unwrap_or(0)
        }),
        "gzip" => {
            let mut zlib = libdeflater::Decompressor::new();
            Box::new(move |from, to| zlib.zlib_decompress(from, to).unwrap_or(0))
        }
        other => return Err(format!("no library for {other}").into()),
    })
}
