//! The conformance kit on objects and data files of the BEAT platform.

// some of it is for other tests
#[allow(dead_code)]
use crate::conformance::typed::typed;
use crate::support::beat::{cases, prefix};
use crate::support::memory::memory_of;
use binfmt::conformance::{Conformance, Sample, check};
use binfmt::dump::{self, Trace};
use binfmt::formats::beat::{DataFile, Declaration, Object};
use binfmt::{Options, Result};
use std::io::{Read, Write};

fn declaration(sample: &Sample) -> Declaration {
    Declaration::load(&sample.context, prefix()).unwrap()
}

/// The cases that are small enough for every byte to be changed.
fn samples(ending: &str, most: usize) -> Vec<Sample> {
    let cases = cases(ending).into_iter().filter(|case| case.bytes.len() <= most);
    cases.map(|case| Sample::new(&case.name, &case.bytes[..]).context(case.format())).collect()
}

typed!(
    Objects,
    Object,
    "beat objects",
    {
        // beside a dimension of 0 any other may be: no length there makes the file too short
        let mut samples = samples("bin", 110);
        samples.retain(|sample| !sample.name.starts_with("a3e_"));
        samples
    },
    |sample| &declaration(sample),
    |_, _, _| false
);

typed!(
    Files,
    DataFile<Object>,
    "beat files",
    samples("data", 600),
    |sample| &declaration(sample),
    // after the second line, and after each chunk
    |files, sample, len| {
        let whole = &files.trace(sample, &sample.bytes)[0];
        let header = sample.bytes.iter().enumerate().filter(|(_, c)| **c == b'\n').nth(1).map(|(i, _)| i + 1);
        let chunks =
            whole.nodes().filter(|node| node.piece() == Some("newline")).map(|node| node.range().end);
        header == Some(len) || chunks.into_iter().any(|end| end == len as u64)
    }
);

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
