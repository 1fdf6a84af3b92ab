//! Every format's answers to the conformance kit, and the kit itself.

mod beat;
mod failing_reader;
mod futhark;
mod kit;
mod tiledb;
mod typed;

use crate::support::memory::memory_of;
use binfmt::conformance::{Conformance, Sample, check};
use binfmt::dump::{self, Trace};
use binfmt::formats::scidb::{Reader, Template, Writer};
use binfmt::value::{Program, Value};
use binfmt::{Options, Result};
use std::io::{Read, Write};
use std::path::Path;

/// The files of `tests/data/<format>` with their content, those that are damaged left out.
fn samples(format: &str, input: &str, context: impl Fn(&serde_json::Value) -> Option<Sample>) -> Vec<Sample> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(format);
    let mut samples = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_dir() {
            continue;
        }
        let content = std::fs::read_to_string(path.join("content.json")).unwrap();
        if let Some(sample) = context(&serde_json::from_str(&content).unwrap()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let bytes = std::fs::read(path.join(input)).unwrap();
            samples.push(Sample { name, bytes, ..sample });
        }
    }
    samples.sort_by(|a, b| a.name.cmp(&b.name));
    samples
}

/// SciDB: the context is the format string.
struct Scidb;

impl Scidb {
    fn cell(sample: &Sample) -> Program {
        Program::new(&sample.context.parse::<Template>().unwrap().description()).unwrap()
    }
}

impl Conformance for Scidb {
    type Value = Vec<Value>;

    fn name(&self) -> &str {
        "SciDB"
    }

    fn samples(&self) -> Vec<Sample> {
        samples("scidb", "input.bin", |content| {
            let sample = Sample::new("", []).context(content["format"].as_str()?);
            let damaged = content.get("cells_before_error").is_some();
            let sample = if content.get("hand_made").is_some() { sample.not_canonical() } else { sample };
            (!damaged).then_some(sample)
        })
    }

    fn decode(&self, sample: &Sample, bytes: &[u8]) -> Result<Vec<Value>> {
        Reader::new().values(bytes, &Self::cell(sample)).collect()
    }

    fn decode_stream(&self, sample: &Sample, reader: &mut dyn Read) -> Result<Vec<Value>> {
        Reader::new().values_from_reader(reader, &Self::cell(sample)).collect()
    }

    fn encode(&self, sample: &Sample, cells: &Vec<Value>, out: &mut dyn Write) -> Result<()> {
        let cell = Self::cell(sample);
        let mut writer = Writer::new(out);
        for value in cells {
            writer.write_with(value, &cell)?;
        }
        writer.finish().map(|_| ())
    }

    fn trace(&self, sample: &Sample, bytes: &[u8]) -> Vec<Trace> {
        let cell = Self::cell(sample);
        let options: Options<_> = Reader::new().options().ctx(&cell);
        dump::trace_all_with::<Value, _>(bytes, &options).collect()
    }

    /// A file has no end of its own: it may end after every cell.
    fn may_end_at(&self, sample: &Sample, len: usize) -> bool {
        let ends = self.trace(sample, &sample.bytes).iter().any(|cell| cell.range().end == len as u64);
        // a byte after the last cell may be a whole one
        let one_more = len == sample.bytes.len() + 1 && self.decode(sample, &[0]).is_ok();
        len == 0 || ends || one_more
    }

    /// The loader takes a `string(n)` of n bytes without a NUL, which SciDB never writes.
    fn writes_all_it_reads(&self) -> bool {
        false
    }

    fn peak_memory(&self, run: &mut dyn FnMut()) -> Option<usize> {
        Some(memory_of(run).1)
    }
}

#[test]
fn scidb() {
    let report = check(&Scidb);
    assert!(report.num_checks() > 10_000, "{report}");
    assert!(report.is_ok(), "{report}");
}
