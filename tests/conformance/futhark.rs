//! The conformance kit on streams of Futhark values, in the form in which they are written again.

use crate::support::memory::memory_of;
use binfmt::conformance::{Conformance, Sample, check};
use binfmt::dump::{self, Trace};
use binfmt::formats::futhark::{Entry, OutputStyle, Value, Writer, read, values_from_reader};
use binfmt::{Error, Result};
use std::io::{Read, Write};
use std::path::Path;

struct Futhark;

impl Futhark {
    fn style(sample: &Sample) -> OutputStyle {
        match &sample.context[..] {
            "printed" => OutputStyle::Printed,
            "text" => OutputStyle::Text,
            _ => OutputStyle::Packed,
        }
    }
}

impl Conformance for Futhark {
    type Value = Vec<Value>;

    fn name(&self) -> &str {
        "futhark"
    }

    fn samples(&self) -> Vec<Sample> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/futhark");
        let file = |name: &str| {
            let (case, ending) = name.rsplit_once('.').unwrap();
            std::fs::read(folder.join(case).join("input").with_extension(ending)).unwrap()
        };
        let mut samples = Vec::new();
        for name in [
            "scalar_i8",
            "scalar_f16",
            "arr1_bool",
            "arr1_u16",
            "arr3_u8",
            "empty_shapes",
            "nan_payload",
            "rank8",
        ] {
            samples.push(Sample::new(name, file(&format!("{name}.bin"))));
        }
        for name in ["text_c.txt", "text_c_special.txt"] {
            samples.push(Sample::new(name, file(name)).context("text"));
        }
        for name in ["text_forms.txt", "mixed_1.in", "mixed_2.in", "ws_between.bin", "random_0.in"] {
            samples.push(Sample::new(name, file(name)).not_canonical());
        }
        samples.push(
            Sample::new("printed", *b"b\x02\x01  u8\x01\0\0\0\0\0\0\0\x07\nb\x02\x00bool\x01\n")
                .context("printed"),
        );
        samples
    }

    fn decode(&self, _: &Sample, bytes: &[u8]) -> Result<Self::Value> {
        read(bytes)
    }

    fn decode_stream(&self, _: &Sample, reader: &mut dyn Read) -> Result<Self::Value> {
        values_from_reader(reader).collect()
    }

    fn encode(&self, sample: &Sample, value: &Self::Value, out: &mut dyn Write) -> Result<()> {
        let mut writer = Writer::new(out);
        for value in value {
            writer.write(value, Futhark::style(sample))?;
        }
        writer.finish().map(|_| ())
    }

    fn trace(&self, _: &Sample, bytes: &[u8]) -> Vec<Trace> {
        dump::trace_all::<Entry>(bytes).collect()
    }

    /// A stream ends wherever a value ends, and in text wherever a token does.
    fn may_end_at(&self, sample: &Sample, len: usize) -> bool {
        let mut bytes = sample.bytes.clone();
        bytes.resize(len.max(bytes.len()), 0);
        read(&bytes[..len]).is_ok()
    }

    fn writes_all_it_reads(&self) -> bool {
        true
    }

    fn peak_memory(&self, run: &mut dyn FnMut()) -> Option<usize> {
        Some(memory_of(run).1)
    }

    /// The bits of every element.
    fn same(&self, a: &Self::Value, b: &Self::Value) -> bool {
        let text = |values: &Self::Value| binfmt::encode_all(values).map_err(|e: Error| e.to_string());
        // the text form knows one NaN
        text(a) == text(b) || format!("{a:?}") == format!("{b:?}")
    }
}

#[test]
fn streams_hold() {
    let report = check(&Futhark);
    assert!(report.is_ok(), "{report}");
    assert!(report.num_checks() > 5000, "{}", report.num_checks());
}
