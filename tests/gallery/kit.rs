//! Every format answers the conformance kit (round trips, streams, dumps, damage), and run-time values agree with its types.

use crate::gallery::formats::{FORMATS, dns, elf, gpt, msgpack, pcap, png, protobuf, sqlite, tar, wav, zip};
use crate::support::memory::memory_of;
use binfmt::conformance::{Conformance, Sample, check};
use binfmt::dump::{self, Trace};
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{DecodeOwned, Encode, Endian, Error, ErrorKind, Options, Result};
use flate2::read::GzDecoder;
use std::fmt::Debug;
use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::Path;

/// A file of the gallery, or what it contains if it is compressed.
pub(crate) fn sample(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/gallery/data").join(name);
    let bytes = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    if !name.ends_with(".gz") {
        return bytes;
    }
    let mut content = Vec::new();
    GzDecoder::new(&bytes[..]).read_to_end(&mut content).unwrap();
    content
}

/// A type of the gallery, and files of it.
struct Files<T> {
    name: &'static str,
    files: &'static [&'static str],
    /// The lengths at which a file could be cut without a trace.
    ends: fn(&T) -> Vec<usize>,
    /// Whether its parts lie anywhere.
    seeks: bool,
    /// Whether bytes after the last part are kept.
    keeps_more: bool,
}

impl<T: Encode + DecodeOwned + Debug> Conformance for Files<T> {
    type Value = T;
    fn name(&self) -> &str {
        self.name
    }
    fn samples(&self) -> Vec<Sample> {
        // of disks the first blocks, which have the tables: every byte is looked at many times
        let front = |name: &str, mut bytes: Vec<u8>| {
            bytes.truncate(if name.contains(".img") { 3 * 512 } else { bytes.len() });
            bytes
        };
        self.files.iter().map(|name| Sample::new(*name, front(name, sample(name)))).collect()
    }
    fn decode(&self, _: &Sample, bytes: &[u8]) -> Result<T> {
        binfmt::from_slice(bytes)
    }
    fn decode_stream(&self, _: &Sample, reader: &mut dyn Read) -> Result<T> {
        if !self.seeks {
            return binfmt::from_reader(reader);
        }
        let mut file = Vec::new();
        reader.read_to_end(&mut file).map_err(|e| Error::new(ErrorKind::Io(e), file.len() as u64))?;
        binfmt::from_seeker(Cursor::new(file))
    }
    fn encode(&self, _: &Sample, value: &T, out: &mut dyn Write) -> Result<()> {
        binfmt::to_writer(value, out).map(|_| ())
    }
    fn trace(&self, _: &Sample, bytes: &[u8]) -> Vec<Trace> {
        vec![dump::trace::<T>(bytes)]
    }
    fn may_end_at(&self, sample: &Sample, len: usize) -> bool {
        let value = binfmt::from_slice(&sample.bytes).unwrap();
        (self.ends)(&value).contains(&len) || (self.keeps_more && len > sample.bytes.len())
    }
    fn writes_all_it_reads(&self) -> bool {
        true
    }
    fn peak_memory(&self, run: &mut dyn FnMut()) -> Option<usize> {
        Some(memory_of(run).1)
    }
}

/// The kit's answers.
fn answers<T: Encode + DecodeOwned + Debug>(
    name: &'static str,
    files: &'static [&'static str],
    ends: fn(&T) -> Vec<usize>,
) {
    let report = check(&Files { name, files, ends, seeks: false, keeps_more: false });
    assert!(report.is_ok(), "{report}");
}

/// Those of a format whose parts lie anywhere.
fn answers_anywhere<T: Encode + DecodeOwned + Debug>(
    name: &'static str,
    files: &'static [&'static str],
    keeps_more: bool,
) {
    let report = check(&Files::<T> { name, files, ends: |_| vec![], seeks: true, keeps_more });
    assert!(report.is_ok(), "{report}");
}

/// The values of the type's own description are written as the same bytes. Of a type that asks methods of its own there are none.
fn has_values<T: Describe>(files: &[&str]) {
    let program = Program::new(&T::SCHEMA.description()).unwrap();
    for name in files {
        let bytes = sample(name);
        let options = Options::new().ctx(&program);
        let value: Value =
            binfmt::from_slice_with(&bytes, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(binfmt::to_vec_with(&value, &options).unwrap() == bytes, "{name} as a run-time value");
    }
}

/// The ends of parts that are one after the other from `start` on, in the order of the file.
fn ends<T: Encode<C>, C: Copy>(start: usize, parts: &[T], options: &Options<C>) -> Vec<usize> {
    let lens = parts.iter().map(|part| binfmt::encoded_len_with(part, options).unwrap());
    let sums = lens.scan(start, |at, len| {
        *at += len;
        Some(*at)
    });
    [start].into_iter().chain(sums).collect()
}

#[test]
fn png() {
    let big = |png: &png::Png| ends(8, &png.chunks, &Options::new().endian(Endian::Big));
    answers::<png::Png>("PNG", &["palette.png"], big);
    has_values::<png::Png>(&["palette.png"]);
}

#[test]
fn wav() {
    const FILES: &[&str] = &["stereo.wav", "mono.wav"];
    answers::<wav::Chunk>("WAV", FILES, |_| vec![]);
    has_values::<wav::Chunk>(FILES);
}

#[test]
fn tar() {
    let ends = |archive: &tar::Archive| ends(0, &archive.records, &Options::new());
    answers::<tar::Archive>("TAR", &["files.tar"], ends);
}

#[test]
fn dns() {
    answers::<dns::Message>("DNS", &["query.dns", "response.dns"], |_| vec![]);
}

#[test]
fn msgpack() {
    const FILES: &[&str] = &["value.msgpack", "float.msgpack"];
    answers::<msgpack::Value>("MessagePack", FILES, |_| vec![]);
    has_values::<msgpack::Value>(FILES);
}

#[test]
fn protobuf() {
    const FILES: &[&str] = &["point.protobuf", "struct.protobuf", "minus.protobuf", "float.protobuf"];
    answers::<protobuf::Message>("protocol buffers", FILES, |message| {
        ends(0, &message.fields, &Options::new())
    });
    answers::<protobuf::Struct>("Struct", &["struct.protobuf"], |value| {
        ends(0, &value.fields, &Options::new())
    });
    has_values::<protobuf::Struct>(&["struct.protobuf"]);
}

#[test]
fn pcap() {
    answers::<pcap::Capture>("pcap", &["packets.pcap"], |capture| {
        let options = Options::new().ctx(capture.content.link_type);
        ends(24, &capture.content.packets, &options)
    });
}

#[test]
fn gpt() {
    answers::<gpt::Disk>("MBR", &["mbr.img.gz"], |_| vec![512, 1024]);
    answers::<gpt::Disk>("GPT", &["gpt.img.gz"], |_| vec![]);
    for name in ["mbr.img.gz", "gpt.img.gz"] {
        let bytes = sample(name);
        let disk: gpt::Disk = binfmt::from_slice(&bytes).unwrap();
        assert!(binfmt::to_vec(&disk).unwrap() == bytes, "{name}");
    }
}

#[test]
fn elf() {
    answers_anywhere::<elf::Elf>("ELF", &["tiny.elf"], true);
}

#[test]
fn zip() {
    answers_anywhere::<zip::Zip>("ZIP", &["files.zip", "streamed.zip"], false);
}

#[test]
fn sqlite() {
    answers_anywhere::<sqlite::Database>("SQLite", &["few.sqlite"], true);
}

/// Each format of the list describes its sample.
#[test]
fn summaries() {
    for format in FORMATS {
        let text = (format.summary)(&sample(format.sample)).unwrap();
        assert!(text.lines().count() > 1, "{}: {text}", format.name);
        println!("{text}");
    }
}
