//! Formats of `examples/gallery` beside the same formats in binrw and deku, on the files of the gallery.
//!
//! The CRC of a PNG chunk is verified and made by all: by the peers around a chunk whose data are bytes, as they have no word for
//! it. Of the rest that they have no word for they are spared: lengths are fields that are written as they were read, bits of flags
//! stay together, text is bytes, and the names and gaps of an ELF file are not written.

mod binrw_;
mod deku_;
#[allow(dead_code, missing_docs, reason = "a part of the gallery")]
#[path = "../../../../examples/gallery/dns.rs"]
mod dns;
#[allow(dead_code, missing_docs, reason = "a part of the gallery")]
#[path = "../../../../examples/gallery/elf.rs"]
mod elf;
#[allow(dead_code, missing_docs, reason = "a part of the gallery")]
#[path = "../../../../examples/gallery/msgpack.rs"]
mod msgpack;
#[allow(dead_code, missing_docs, reason = "a part of the gallery")]
#[path = "../../../../examples/gallery/png.rs"]
mod png;
#[allow(dead_code, missing_docs, reason = "a part of the gallery")]
#[path = "../../../../examples/gallery/wav.rs"]
mod wav;

use crate::{Aligned, Bench, Kind, Registry, Wire};
use binfmt::{Decode, Encode};
use std::hint::black_box;

/// The CRC of a PNG chunk.
fn crc(kind: &[u8], data: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(kind);
    hasher.update(data);
    hasher.finalize()
}

macro_rules! sample {
    ($name:literal) => {
        include_bytes!(concat!("../../../../examples/gallery/data/", $name))
    };
}

/// A format and a file of it.
type Sample = (&'static str, &'static [u8]);

const PNG: Sample = ("PNG", sample!("palette.png"));
const ELF: Sample = ("ELF", sample!("tiny.elf"));
const DNS: Sample = ("DNS", sample!("response.dns"));
const WAV: Sample = ("WAV", sample!("stereo.wav"));
const MESSAGE_PACK: Sample = ("MessagePack", sample!("value.msgpack"));

/// How a contender reads a file, and writes what it has read.
struct Codec<T> {
    read: fn(&[u8]) -> T,
    write: fn(&T, &mut Vec<u8>),
    /// Whether the bytes come back: not the gaps of an ELF file, where nobody keeps them.
    exact: bool,
}

impl Registry {
    fn file<T: 'static>(&mut self, (format, file): Sample, name: &'static str, codec: Codec<T>) {
        let Codec { read, write, exact } = codec;
        let bench = |op, make| {
            let bytes = file.len() as u64;
            Bench { workload: format, op, name, wire: Wire::Exact, kind: Kind::Plain, bytes, make }
        };
        self.benches.push(bench(
            "read",
            Box::new(move || {
                let input = Aligned::new(file);
                Box::new(move || {
                    black_box(&read(black_box(input.get())));
                })
            }),
        ));
        self.benches.push(bench(
            "write",
            Box::new(move || {
                let (value, mut out) = (read(file), Vec::new());
                write(&value, &mut out);
                assert!(
                    if exact { out == file } else { out.len() == file.len() },
                    "{format} {name}: bytes differ"
                );
                Box::new(move || {
                    out.clear();
                    write(black_box(&value), &mut out);
                    black_box(&out);
                })
            }),
        ));
    }

    fn ours<T: for<'a> Decode<'a> + Encode + 'static>(&mut self, file: Sample) {
        let read = |bytes: &[u8]| binfmt::from_slice::<T>(bytes).unwrap();
        self.file(
            file,
            "binfmt",
            Codec { read, write: |v, out| binfmt::append(v, out).unwrap(), exact: true },
        );
    }
}

/// Adds every contender.
pub fn register(r: &mut Registry) {
    r.ours::<png::Png>(PNG);
    r.ours::<elf::Elf>(ELF);
    r.ours::<dns::Message>(DNS);
    r.ours::<wav::Chunk>(WAV);
    r.ours::<msgpack::Value>(MESSAGE_PACK);
    binrw_::register(r);
    deku_::register(r);
}
