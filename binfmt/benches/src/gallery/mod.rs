//! Formats of `examples/gallery` beside the same formats in binrw and deku, on the files of the gallery.
//!
//! All do the same: they verify and make the CRC of PNG, fill in lengths and counts when writing, take flags apart, make texts
//! `String`s, and bring back an ELF file byte for byte, with its names and with what no table leads to. What the peers have no word for is
//! written beside their derive by hand, as their users do: lengths by going back, parts elsewhere by seeking. What binfmt checks beyond that
//! (that no parts overlap, that a region is used up, ranges) they are spared.

mod binrw_;
mod deku_;
mod lent;
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

use crate::{Aligned, Bench, Kind, Registry, Run, Wire};
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

/// Text in Latin 1.
fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

fn to_latin1(text: &str) -> Vec<u8> {
    text.chars().map(|c| u8::try_from(c).unwrap()).collect()
}

/// The flags of a DNS message.
#[derive(Clone, Copy, Debug)]
struct Flags {
    response: bool,
    opcode: u8,
    authoritative: bool,
    truncated: bool,
    recursion_desired: bool,
    recursion_available: bool,
    authentic: bool,
    unchecked: bool,
    code: u8,
}

impl Flags {
    fn of(bits: u16) -> Self {
        let bit = |n: u32| bits >> n & 1 == 1;
        Flags {
            response: bit(15),
            opcode: (bits >> 11 & 15) as u8,
            authoritative: bit(10),
            truncated: bit(9),
            recursion_desired: bit(8),
            recursion_available: bit(7),
            authentic: bit(5),
            unchecked: bit(4),
            code: (bits & 15) as u8,
        }
    }

    fn bits(&self) -> u16 {
        u16::from(self.response) << 15
            | u16::from(self.opcode & 15) << 11
            | u16::from(self.authoritative) << 10
            | u16::from(self.truncated) << 9
            | u16::from(self.recursion_desired) << 8
            | u16::from(self.recursion_available) << 7
            | u16::from(self.authentic) << 5
            | u16::from(self.unchecked) << 4
            | u16::from(self.code & 15)
    }
}

/// Where everything is in an ELF file that is read: its tables, each a place and a number of entries, then contents and names.
fn elf_parts(
    (segments_at, segments): (u64, usize),
    (sections_at, sections): (u64, usize),
    contents: impl Iterator<Item = (u64, u64)>,
    names: impl Iterator<Item = (u64, usize)>,
) -> Vec<(u64, u64)> {
    let tables = [(0, 64), (segments_at, 56 * segments as u64), (sections_at, 64 * sections as u64)];
    let names = names.map(|(at, len)| (at, len as u64 + 1));
    tables.into_iter().chain(contents).chain(names).map(|(at, len)| (at, at + len)).collect()
}

/// What lies between parts of a file: where it begins, and its length.
fn between(mut parts: Vec<(u64, u64)>, end: u64) -> Vec<(u64, u64)> {
    parts.sort_unstable();
    let (mut gaps, mut at) = (Vec::new(), 0);
    for (from, to) in parts.into_iter().chain([(end, end)]) {
        if from > at {
            gaps.push((at, from - at));
        }
        at = at.max(to);
    }
    gaps
}

/// A format and a file of it.
type Sample = (&'static str, &'static [u8]);

const PNG: Sample = ("PNG", sample!("palette.png"));
const ELF: Sample = ("ELF", sample!("tiny.elf"));
const DNS: Sample = ("DNS", sample!("response.dns"));
const WAV: Sample = ("WAV", sample!("stereo.wav"));
const MESSAGE_PACK: Sample = ("MessagePack", sample!("value.msgpack"));

/// An ELF file of the machine, if there is one: the shell, or what `BENCH_ELF` names.
fn program() -> Option<Sample> {
    let path = std::env::var("BENCH_ELF").unwrap_or("/bin/sh".into());
    Some(("ELF of the machine", std::fs::read(path).ok()?.leak()))
}

/// How a contender reads a file, and writes what it has read.
struct Codec<T> {
    read: fn(&[u8]) -> T,
    write: fn(&T, &mut Vec<u8>),
}

/// What is timed of a contender: it reads bytes, or writes the value of a file.
type Reads = fn(&[u8]);
type Writes = Box<dyn Fn(&mut Vec<u8>)>;

impl Registry {
    fn file<T: 'static>(&mut self, sample: Sample, name: &'static str, codec: Codec<T>) {
        let Codec { read, write } = codec;
        self.of_file(sample, (name, "read"), move |file| {
            let input = Aligned::new(file);
            Box::new(move || {
                black_box(&read(black_box(input.get())));
            })
        });
        self.writer(sample, name, move |file| {
            let value = read(file);
            Box::new(move |out| write(black_box(&value), out))
        });
    }

    fn of_file(
        &mut self,
        (workload, file): Sample,
        (name, op): (&'static str, &'static str),
        make: impl Fn(&'static [u8]) -> Run + 'static,
    ) {
        let (bytes, make) = (file.len() as u64, Box::new(move || make(file)));
        self.benches.push(Bench { workload, op, name, wire: Wire::Exact, kind: Kind::Plain, bytes, make });
    }

    fn writer(
        &mut self,
        sample: Sample,
        name: &'static str,
        writes: impl Fn(&'static [u8]) -> Writes + 'static,
    ) {
        self.of_file(sample, (name, "write"), move |file| {
            let (write, mut out) = (writes(file), Vec::new());
            write(&mut out);
            assert!(out == file, "{} {name}: bytes differ", sample.0);
            Box::new(move || {
                out.clear();
                write(&mut out);
                black_box(&out);
            })
        });
    }

    fn ours<T: for<'a> Decode<'a> + Encode + 'static>(&mut self, file: Sample) {
        let read = |bytes: &[u8]| binfmt::from_slice::<T>(bytes).unwrap();
        self.file(file, "binfmt", Codec { read, write: |v, out| binfmt::append(v, out).unwrap() });
    }

    /// The same of a value that borrows from the file.
    fn borrowed(&mut self, sample: Sample, read: Reads, writes: fn(&'static [u8]) -> Writes) {
        const NAME: &str = "binfmt (borrowed)";
        self.of_file(sample, (NAME, "read"), move |file| {
            let input = Aligned::new(file);
            Box::new(move || read(black_box(input.get())))
        });
        self.writer(sample, NAME, writes);
    }
}

/// A type that borrows, for [`Registry::borrowed`].
macro_rules! lends {
    ($r:expr, $file:expr, $ty:ty) => {
        $r.borrowed(
            $file,
            |bytes| {
                black_box(&binfmt::from_slice::<$ty>(bytes).unwrap());
            },
            |file| {
                let value = binfmt::from_slice::<$ty>(file).unwrap();
                Box::new(move |out| binfmt::append(black_box(&value), out).unwrap())
            },
        )
    };
}

/// What every reader and writer of a PNG file does: the sums of its chunks.
fn sums(file: &[u8]) -> u32 {
    let (mut rest, mut sum) = (&file[8..], 0);
    while let Some((len, chunk)) = rest.split_first_chunk() {
        let (data, more) = chunk.split_at(4 + u32::from_be_bytes(*len) as usize);
        sum ^= crc32fast::hash(data);
        rest = &more[4..];
    }
    sum
}

/// Adds every contender.
pub fn register(r: &mut Registry) {
    r.ours::<png::Png>(PNG);
    lends!(r, PNG, lent::Png<'_>);
    r.of_file(PNG, ("its CRC alone", "read"), |file| {
        Box::new(move || {
            black_box(sums(black_box(file)));
        })
    });
    for file in [ELF].into_iter().chain(program()) {
        r.ours::<elf::Elf>(file);
        lends!(r, file, lent::Elf<'_>);
    }
    r.ours::<dns::Message>(DNS);
    r.ours::<wav::Chunk>(WAV);
    r.ours::<msgpack::Value>(MESSAGE_PACK);
    binrw_::register(r);
    deku_::register(r);
}
