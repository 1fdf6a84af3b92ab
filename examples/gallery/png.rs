//! PNG: [W3C PNG, third edition](https://www.w3.org/TR/png-3/); the numbers of sections are its own.

use binfmt::{BinFormat, Result};
use std::fmt::Write;

/// §5.2: the signature, then chunks to the end.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be, magic = b"\x89PNG\r\n\x1a\n")]
pub struct Png {
    #[binfmt(until_eof)]
    pub chunks: Vec<Chunk>,
}

/// §5.3: how long its data are, four letters that say what they are, the data, and the CRC of the last two.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Chunk {
    #[binfmt(len_of(data, bytes, u32))]
    pub len: (),
    pub kind: [u8; 4],
    #[binfmt(region = len, tag_from = kind)]
    pub data: Data,
    #[binfmt(checksum(u32 = crc32fast::hash, over = kind..=data))]
    pub crc: (),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(kind: &[u8; 4]), tag_from = kind)]
pub enum Data {
    #[binfmt(tag = b"IHDR")]
    Header(Header),
    /// §11.2.2
    #[binfmt(tag = b"PLTE")]
    Palette(#[binfmt(until_eof)] Vec<[u8; 3]>),
    /// §11.3.2.2: in 100,000ths.
    #[binfmt(tag = b"gAMA")]
    Gamma(u32),
    /// §11.3.4.3
    #[binfmt(tag = b"pHYs")]
    PixelSize {
        x: u32,
        y: u32,
        #[binfmt(range = 0..=1)]
        unit: u8,
    },
    /// §11.3.3.2
    #[binfmt(tag = b"tEXt")]
    Text {
        #[binfmt(nul, text = latin1)]
        keyword: String,
        #[binfmt(until_eof, text = latin1)]
        text: String,
    },
    /// §11.3.3.4; the text is compressed if it says so.
    #[binfmt(tag = b"iTXt")]
    Utf8Text {
        #[binfmt(nul, text = latin1)]
        keyword: String,
        compressed: bool,
        method: u8,
        #[binfmt(nul, text = ascii)]
        language: String,
        #[binfmt(nul)]
        translated: String,
        #[binfmt(until_eof)]
        text: Vec<u8>,
    },
    /// §11.3.5.1
    #[binfmt(tag = b"tIME")]
    Time {
        year: u16,
        #[binfmt(range = 1..=12)]
        month: u8,
        #[binfmt(range = 1..=31)]
        day: u8,
        clock: [u8; 3],
    },
    #[binfmt(tag = b"IEND")]
    End,
    #[binfmt(other)]
    Other(#[binfmt(until_eof)] Vec<u8>),
}

/// §11.2.1
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(size = 13, assert(*width > 0 && *height > 0, "an image without pixels"))]
pub struct Header {
    pub width: u32,
    pub height: u32,
    pub depth: u8,
    pub color: Color,
    #[binfmt(magic = [0u8, 0u8])]
    pub interlaced: bool,
}

/// §6.1
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(u8))]
pub enum Color {
    Gray = 0,
    Rgb = 2,
    Indexed = 3,
    GrayAlpha = 4,
    RgbAlpha = 6,
}

/// The image and its texts, then its chunks.
pub fn summary(file: &[u8]) -> Result<String> {
    let png: Png = binfmt::from_slice(file)?;
    let mut out = String::new();
    for chunk in &png.chunks {
        let kind = String::from_utf8_lossy(&chunk.kind);
        let _ = match &chunk.data {
            Data::Header(h) => {
                writeln!(out, "{kind} {} x {}, {} bits {:?}", h.width, h.height, h.depth, h.color)
            }
            Data::Other(bytes) => writeln!(out, "{kind} {} bytes", bytes.len()),
            data => writeln!(out, "{kind} {data:?}"),
        };
    }
    Ok(out)
}
