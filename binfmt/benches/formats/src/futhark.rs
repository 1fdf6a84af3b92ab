//! Futhark values: arrays in both forms, from a mapped file into vectors and from vectors into memory.

use crate::Answer;
use crate::clock::took;
use binfmt::formats::futhark::{OutputStyle, arguments, read, write};
use binfmt::{Array, BinFormat};
use memmap2::{Mmap, MmapOptions};
use serde_json::Value as Json;
use std::fs::File;

pub fn run(job: &str, args: &Json) -> Answer {
    let path = args["path"].as_str().ok_or("no path")?;
    // SAFETY: nobody changes the file, which is in a folder of this benchmark.
    let map = unsafe { MmapOptions::new().populate().map(&File::open(path)?)? };
    match job {
        "array" => array(&map, args),
        "value" => Ok(took(map.len(), || read(&map).unwrap())),
        // the elements alone, into a vector of their own
        "memcpy" => Ok(took(map.len(), || map[15..].to_vec())),
        "write" => {
            let style = if args["form"] == "text" { OutputStyle::Text } else { OutputStyle::Packed };
            let values = read(&map)?;
            let bytes = write(&values, style)?.len();
            Ok(took(bytes, || write(&values, style).unwrap()))
        }
        // what writing 64 MB cannot fall below
        "copy" => Ok(took(map.len(), || map.to_vec())),
        "same" => {
            let bytes = write(&read(&map)?, OutputStyle::Packed)?;
            std::fs::write(args["out"].as_str().ok_or("no out")?, &bytes)?;
            Ok(took(bytes.len(), || ()))
        }
        other => Err(format!("there is no job futhark.{other}").into()),
    }
}

/// Reads the only argument of an entry point, whose type is known.
fn array(map: &Mmap, args: &Json) -> Answer {
    macro_rules! typed {
        ($t:ident, $rank:literal) => {{
            #[derive(BinFormat)]
            #[binfmt(le)]
            struct Args {
                #[binfmt(shape(u64))]
                _array: Array<$t, $rank>,
            }
            Ok(took(map.len(), || arguments::<Args>(map).unwrap()))
        }};
    }
    match (args["type"].as_str().unwrap_or_default(), args["rank"].as_u64().unwrap_or(1)) {
        ("f64", 1) => typed!(f64, 1),
        ("f64", 2) => typed!(f64, 2),
        ("f32", 1) => typed!(f32, 1),
        ("i32", 1) => typed!(i32, 1),
        ("i64", 1) => typed!(i64, 1),
        (other, rank) => Err(format!("no job reads {other} of rank {rank}").into()),
    }
}
