//! BEAT objects and data files: nested records, known when compiling and when running, and one large array.

use crate::Answer;
use crate::clock::took;
use binfmt::formats::beat::{DataSet, Writer, Declaration, Object};
use binfmt::{Array, BinFormat, Options};
use memmap2::{Mmap, MmapOptions};
use serde_json::Value as Json;
use std::fs::File;
use std::path::Path;

/// What `beat.py` declares as `user/rec/1`.
#[derive(BinFormat, Debug)]
#[binfmt(le, key_order = lexicographic, len = u64)]
struct Record {
    id: i64,
    #[binfmt(var_len)]
    name: String,
    score: f64,
    #[binfmt(bool_lax)]
    ok: bool,
    z: [f32; 2],
    pos: Position,
    #[binfmt(var_len)]
    vec: Vec<f64>,
    #[binfmt(var_len)]
    tags: Vec<Tag>,
    #[binfmt(var_len)]
    pts: Vec<Point>,
}

#[derive(BinFormat, Debug)]
#[binfmt(le, key_order = lexicographic)]
struct Position {
    x: f32,
    y: f32,
}

#[derive(BinFormat, Debug)]
#[binfmt(le, key_order = lexicographic)]
struct Point {
    a: i32,
    b: i16,
}

#[derive(BinFormat, Debug)]
#[binfmt(le, len = u64)]
struct Tag(#[binfmt(var_len)] String);

/// What `beat.py` declares as `user/vec/1`.
#[derive(BinFormat, Debug)]
#[binfmt(le, key_order = lexicographic)]
struct Vector {
    #[binfmt(shape(u64))]
    v: Array<f64, 1>,
}

fn map(args: &Json) -> Result<Mmap, Box<dyn std::error::Error>> {
    let path = args["path"].as_str().ok_or("no path")?;
    // SAFETY: nobody changes the file, which is in a folder of this benchmark.
    Ok(unsafe { MmapOptions::new().populate().map(&File::open(path)?)? })
}

pub fn run(job: &str, args: &Json) -> Answer {
    let text = |name: &str| args[name].as_str().unwrap_or_default();
    match job {
        "read_set" => return read_set(text("base")),
        "write_set" => return write_set(text("base"), &map(args)?),
        _ => {}
    }
    let map = map(args)?;
    let declaration = Declaration::load(text("format"), text("prefix"))?;
    let options = Options::new().ctx(&declaration);
    match job {
        "check" => {
            declaration.check_struct::<Record>()?;

            let typed: Vec<Record> = binfmt::decode_all(&map)?;
            let objects: Vec<Object> = binfmt::decode_all_with(&map, &options)?;
            let same = binfmt::encode_all(&typed)? == map[..] && binfmt::encode_all_with(&objects, &options)? == map[..];
            if same { Ok(took(map.len(), || ())) } else { Err("records are written otherwise than they are read".into()) }
        }
        "read" => Ok(took(map.len(), || binfmt::decode_all::<Record>(&map).unwrap())),
        "read_object" => Ok(took(map.len(), || binfmt::decode_all_with::<Object, _>(&map, &options).unwrap())),
        // each read, looked at, and dropped
        "pass_objects" => Ok(took(map.len(), || {
            binfmt::records_with::<Object, _>(&map, &options).map(|object| object.unwrap().0.get("id").is_some()).filter(|x| *x).count()
        })),
        "write" => {
            let records: Vec<Record> = binfmt::decode_all(&map)?;
            Ok(took(map.len(), || binfmt::encode_all(&records).unwrap()))
        }
        "write_object" => {
            let objects: Vec<Object> = binfmt::decode_all_with(&map, &options)?;
            Ok(took(map.len(), || binfmt::encode_all_with(&objects, &options).unwrap()))
        }
        "read_array" => Ok(took(map.len(), || binfmt::from_slice::<Vector>(&map).unwrap())),
        "read_array_object" => {
            Ok(took(map.len(), || binfmt::from_slice_with::<Object, _>(&map, &options).unwrap()))
        }
        "write_array" => {
            let array: Vector = binfmt::from_slice(&map)?;
            Ok(took(map.len(), || binfmt::to_vec(&array).unwrap()))
        }
        "memcpy" => Ok(took(map.len(), || map.to_vec())),
        other => Err(format!("there is no job beat.{other}").into()),
    }
}

/// A whole set: found, checked with its checksums, every chunk decoded.
fn read_set(base: &str) -> Answer {
    let mut bytes = 0;
    for path in DataSet::open(base)?.files() {
        bytes += std::fs::metadata(&path.path)?.len() as usize;
    }
    Ok(took(bytes, || {
        let set = DataSet::open(base).unwrap();
        set.verify().unwrap();
        set.within(0..=u64::MAX).map(|chunk| chunk.unwrap().decode::<Record>().unwrap()).collect::<Vec<_>>()
    }))
}

/// A set of one file: data, index, and both checksums.
fn write_set(base: &str, map: &Mmap) -> Answer {
    let records: Vec<Record> = binfmt::decode_all(map)?;
    if let Some(folder) = Path::new(base).parent() {
        std::fs::create_dir_all(folder)?;
    }
    let last = records.len() as u64 - 1;
    Ok(took(map.len(), || {
        let mut writer = Writer::create(base, "user/rec/1", 0, last).unwrap();
        for (i, record) in records.iter().enumerate() {
            writer.write(i as u64, i as u64, record).unwrap();
        }
        writer.finish().unwrap();
    }))
}
