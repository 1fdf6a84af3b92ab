//! SDDS: tables of the official C library and of numpy, read and written.

use crate::{Answer, clock};
use binfmt::formats::sdds::{Elements, File, Header, Options, Page, Writer};
use binfmt::numbers::Number;
use serde_json::Value;
use std::error::Error;
use std::fs;
use std::path::Path;

/// What one job says; `path` is the file that is read.
pub fn run(job: &str, args: &Value) -> Answer {
    let text = |name: &str| args[name].as_str().ok_or(format!("no {name}"));
    let path = Path::new(text("path")?);
    match job {
        "read" => read(path, text("from")?),
        "write" => write(path, Path::new(text("to")?)),
        "nothing" => Ok(clock::took(0, || ())),
        "sums" => sums(path, &args["sums"]),
        other => Err(format!("sdds has no job {other}").into()),
    }
}

/// The first page, from the file by its name, or from the file as it is mapped; and the map, for whoever has a clock running
/// to drop it afterwards, as the library closes its file.
fn first_page(path: &Path, from: &str) -> Result<(Header, Page, Option<memmap2::Mmap>), Box<dyn Error>> {
    let read = match from {
        "file" => {
            let mut reader = Options::new().file(path)?;
            reader.next_page()?.map(|page| (reader.header().clone(), page, None))
        }
        "map" => {
            let file = fs::File::open(path)?;
            // SAFETY: nobody writes to the file while a job runs
            let map = unsafe { memmap2::Mmap::map(&file)? };
            let mut reader = Options::new().slice(&map)?;
            let read = reader.next_page()?.map(|page| (reader.header().clone(), page));
            read.map(|(header, page)| (header, page, Some(map)))
        }
        other => return Err(format!("from a {other}?").into()),
    };
    Ok(read.ok_or("a file without pages")?)
}

fn read(path: &Path, from: &str) -> Answer {
    let mut failed = None;
    let mut took = clock::took(0, || first_page(path, from).map_err(|e| failed = Some(e)).ok());
    took.bytes = fs::metadata(path)?.len() as usize;
    failed.map_or(Ok(took), Err)
}

/// Writes what another file holds, which is read before.
fn write(like: &Path, to: &Path) -> Answer {
    let (header, page, _) = first_page(like, "file")?;
    let mut failed: Option<binfmt::Error> = None;
    let mut took = clock::took(0, || {
        let written = (|| {
            let out = fs::File::create(to).map_err(|e| binfmt::Error::message(e.to_string(), 0))?;
            let mut writer = Writer::new(out, header)?;
            writer.write_page(&page)?;
            writer.finish()
        })();
        written.map_err(|e| failed = Some(e)).ok()
    });
    took.bytes = fs::metadata(to)?.len() as usize;
    failed.map_or(Ok(took), |e| Err(e.into()))
}

/// Compares each column with the sum that the other side made of it.
fn sums(path: &Path, theirs: &Value) -> Answer {
    for from in ["file", "map"] {
        let (header, page, _) = first_page(path, from)?;
        let ours: Vec<u64> = page.columns().iter().map(sum).collect();
        if *theirs != Value::from(ours.clone()) {
            return Err(format!("{}: the sums are {ours:?} here, {theirs} there", path.display()).into());
        }
        // and the page is the same as the one of the file as a value, which is read another way
        let file: File = binfmt::from_slice(&fs::read(path)?)?;
        if file.header != header || file.pages != [page] {
            return Err(format!("{}: two ways of reading differ", path.display()).into());
        }
    }
    Ok(clock::took(0, || ()))
}

/// The bits of a number.
fn bits(n: Number) -> u64 {
    match n {
        Number::F32(x) => u64::from(x.to_bits()),
        Number::F64(x) => x.to_bits(),
        Number::I16(x) => u64::from(x as u16),
        Number::I32(x) => u64::from(x as u32),
        n => n.as_i128().unwrap_or(0) as u64,
    }
}

/// Bits of the numbers, or bytes of the strings, each weighed with its place.
fn sum(values: &Elements) -> u64 {
    fn weighed(bits: impl Iterator<Item = u64>) -> u64 {
        bits.zip(1u64..).fold(0, |sum, (bits, i)| sum.wrapping_add(bits.wrapping_mul(2 * i + 1)))
    }
    match values {
        Elements::Numbers(v) => weighed((0..v.len()).filter_map(|i| v.get(i)).map(bits)),
        Elements::LongDouble(v) => weighed(v.iter().flat_map(|x| x.to_le_bytes()).map(u64::from)),
        Elements::String(v) => {
            weighed(v.iter().flat_map(|s| s.iter().copied().chain([0])).map(u64::from))
        }
    }
}
