//! The conformance kit on objects and data files of the BEAT platform.

// some of it is for other tests
#[allow(dead_code)]
#[path = "../support/beat.rs"]
mod support;

use crate::memory::memory_of;
use binfmt::conformance::{Conformance, Sample, check};
use binfmt::dump::{self, Trace};
use binfmt::formats::beat::{DataFile, Declaration, Object};
use binfmt::{Options, Result};
use std::io::{Read, Write};
use support::{cases, prefix};

fn declaration(sample: &Sample) -> Declaration {
    Declaration::load(&sample.context, prefix()).unwrap()
}

/// The cases that are small enough for every byte to be changed.
fn samples(ending: &str, most: usize) -> Vec<Sample> {
    let cases = cases(ending).into_iter().filter(|case| case.bytes.len() <= most);
    cases.map(|case| Sample::new(&case.name, &case.bytes[..]).context(case.format())).collect()
}

struct Objects;

impl Conformance for Objects {
    type Value = Object;

    fn name(&self) -> &str {
        "beat objects"
    }

    fn samples(&self) -> Vec<Sample> {
        // beside a dimension of 0 any other may stand: no length there makes the file too short
        let mut samples = samples("bin", 110);
        samples.retain(|sample| !sample.name.starts_with("a3e_"));
        samples
    }

    fn decode(&self, sample: &Sample, bytes: &[u8]) -> Result<Object> {
        binfmt::from_slice_with(bytes, &Options::new().ctx(&declaration(sample)))
    }

    fn decode_stream(&self, sample: &Sample, reader: &mut dyn Read) -> Result<Object> {
        binfmt::from_reader_with(reader, &Options::new().ctx(&declaration(sample)))
    }

    fn encode(&self, sample: &Sample, value: &Object, out: &mut dyn Write) -> Result<()> {
        binfmt::to_writer_with(value, out, &Options::new().ctx(&declaration(sample))).map(|_| ())
    }

    fn trace(&self, sample: &Sample, bytes: &[u8]) -> Vec<Trace> {
        vec![dump::trace_with::<Object, _>(bytes, &Options::new().ctx(&declaration(sample)))]
    }

    fn may_end_at(&self, _: &Sample, _: usize) -> bool {
        false
    }

    fn writes_all_it_reads(&self) -> bool {
        true
    }

    fn peak_memory(&self, run: &mut dyn FnMut()) -> Option<usize> {
        Some(memory_of(run).1)
    }
}

struct Files;

impl Conformance for Files {
    type Value = DataFile<Object>;

    fn name(&self) -> &str {
        "beat files"
    }

    fn samples(&self) -> Vec<Sample> {
        samples("data", 600)
    }

    fn decode(&self, sample: &Sample, bytes: &[u8]) -> Result<Self::Value> {
        binfmt::from_slice_with(bytes, &Options::new().ctx(&declaration(sample)))
    }

    fn decode_stream(&self, sample: &Sample, reader: &mut dyn Read) -> Result<Self::Value> {
        binfmt::from_reader_with(reader, &Options::new().ctx(&declaration(sample)))
    }

    fn encode(&self, sample: &Sample, value: &Self::Value, out: &mut dyn Write) -> Result<()> {
        binfmt::to_writer_with(value, out, &Options::new().ctx(&declaration(sample))).map(|_| ())
    }

    fn trace(&self, sample: &Sample, bytes: &[u8]) -> Vec<Trace> {
        vec![dump::trace_with::<DataFile<Object>, _>(bytes, &Options::new().ctx(&declaration(sample)))]
    }

    /// After the second line, and after each chunk.
    fn may_end_at(&self, sample: &Sample, len: usize) -> bool {
        let whole = &self.trace(sample, &sample.bytes)[0];
        let header = sample.bytes.iter().enumerate().filter(|(_, c)| **c == b'\n').nth(1).map(|(i, _)| i + 1);
        let chunks =
            whole.nodes().filter(|node| node.piece() == Some("newline")).map(|node| node.range().end);
        header == Some(len) || chunks.into_iter().any(|end| end == len as u64)
    }

    fn writes_all_it_reads(&self) -> bool {
        true
    }

    fn peak_memory(&self, run: &mut dyn FnMut()) -> Option<usize> {
        Some(memory_of(run).1)
    }
}

#[test]
fn objects_hold() {
    let report = check(&Objects);
    assert!(report.is_ok(), "{report}");
    assert!(report.num_checks() > 5000, "{}", report.num_checks());
}

#[test]
fn files_hold() {
    let report = check(&Files);
    assert!(report.is_ok(), "{report}");
    assert!(report.num_checks() > 3000, "{}", report.num_checks());
}
