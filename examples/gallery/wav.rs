//! WAV, which is RIFF: [Multimedia Programming Interface and Data Specifications
//! 1.0](https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/Docs/riffmci.pdf), chapters 2 and 3.

use binfmt::{BinFormat, Result};
use std::fmt::Write;

/// "RIFF Chunks": four letters, the size of what follows, and a byte if that is odd. A file is one chunk.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
pub struct Chunk {
    pub id: [u8; 4],
    #[binfmt(len_of(body, bytes, u32))]
    pub size: (),
    #[binfmt(region = size, tag_from = id, align_after = 2)]
    pub body: Body,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(id: &[u8; 4]), tag_from = id)]
pub enum Body {
    /// "RIFF Forms", "LIST Chunk": chunks inside a chunk.
    #[binfmt(tag(b"RIFF" | b"LIST"))]
    List {
        form: [u8; 4],
        #[binfmt(until_eof)]
        chunks: Vec<Chunk>,
    },
    #[binfmt(tag = b"fmt ")]
    Format(Format),
    #[binfmt(other)]
    Bytes(#[binfmt(until_eof)] Vec<u8>),
}

/// "WAVE Format Chunk"
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Format {
    pub encoding: u16,
    #[binfmt(range = 1..)]
    pub channels: u16,
    pub rate: u32,
    pub bytes_per_second: u32,
    pub block_align: u16,
    pub bits: u16,
    /// What encodings other than PCM (1) add.
    #[binfmt(until_eof)]
    pub extra: Vec<u8>,
}

impl Chunk {
    /// The chunks inside a chunk.
    pub fn chunks(&self) -> &[Chunk] {
        match &self.body {
            Body::List { chunks, .. } => chunks,
            _ => &[],
        }
    }
}

/// The chunks and how deep they are.
pub fn summary(file: &[u8]) -> Result<String> {
    fn show(chunk: &Chunk, depth: usize, out: &mut String) {
        let id = String::from_utf8_lossy(&chunk.id);
        let _ = match &chunk.body {
            Body::List { form, .. } => writeln!(out, "{:depth$}{id} {}", "", String::from_utf8_lossy(form)),
            Body::Format(f) => writeln!(
                out,
                "{:depth$}{id} encoding {}, {} channels, {} Hz, {} bits",
                "", f.encoding, f.channels, f.rate, f.bits
            ),
            Body::Bytes(bytes) => writeln!(out, "{:depth$}{id} {} bytes", "", bytes.len()),
        };
        chunk.chunks().iter().for_each(|inner| show(inner, depth + 2, out));
    }
    let mut out = String::new();
    show(&binfmt::from_slice(file)?, 0, &mut out);
    Ok(out)
}
