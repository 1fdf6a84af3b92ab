//! The formats of the gallery, for the program beside it and for the tests, which both include this file.

#![allow(missing_docs, unreachable_pub, reason = "a specification says what its fields mean")]

pub mod dns;
pub mod elf;
pub mod gpt;
pub mod msgpack;
pub mod pcap;
pub mod png;
pub mod protobuf;
pub mod sqlite;
pub mod wav;
pub mod zip;

/// A format, and a function that says what a file of it contains.
pub struct Format {
    pub name: &'static str,
    /// A file in `data/`.
    pub sample: &'static str,
    pub summary: fn(&[u8]) -> binfmt::Result<String>,
}

pub const FORMATS: &[Format] = &[
    Format { name: "dns", sample: "response.dns", summary: dns::summary },
    Format { name: "elf", sample: "tiny.elf", summary: elf::summary },
    Format { name: "gpt", sample: "gpt.img.gz", summary: gpt::summary },
    Format { name: "msgpack", sample: "value.msgpack", summary: msgpack::summary },
    Format { name: "pcap", sample: "packets.pcap", summary: pcap::summary },
    Format { name: "png", sample: "palette.png", summary: png::summary },
    Format { name: "protobuf", sample: "point.protobuf", summary: protobuf::summary },
    Format { name: "sqlite", sample: "towns.sqlite", summary: sqlite::summary },
    Format { name: "wav", sample: "mono.wav", summary: wav::summary },
    Format { name: "zip", sample: "files.zip", summary: zip::summary },
];
