//! PNG and ELF of the gallery that borrow their bytes and texts from the file: `&'a [u8]` in place of `Vec<u8>`, `&'a str` of `String`.

use super::elf::{Ident, Segment, Symbol};
use super::png::Header;
use binfmt::{BinFormat, Gaps};

#[derive(BinFormat)]
#[binfmt(be, magic = b"\x89PNG\r\n\x1a\n")]
pub struct Png<'a> {
    #[binfmt(until_eof)]
    chunks: Vec<Chunk<'a>>,
}

#[derive(BinFormat)]
struct Chunk<'a> {
    #[binfmt(len_of(data, bytes, u32))]
    len: (),
    kind: [u8; 4],
    #[binfmt(region = len, tag_from = kind)]
    data: Data<'a>,
    #[binfmt(checksum(u32 = crc32fast::hash, over = kind..=data))]
    crc: (),
}

#[derive(BinFormat)]
#[binfmt(ctx(kind: &[u8; 4]), tag_from = kind)]
enum Data<'a> {
    #[binfmt(tag = b"IHDR")]
    Header(Header),
    #[binfmt(tag = b"PLTE")]
    Palette(#[binfmt(until_eof)] &'a [[u8; 3]]),
    #[binfmt(tag = b"gAMA")]
    Gamma(u32),
    #[binfmt(tag = b"pHYs")]
    PixelSize {
        x: u32,
        y: u32,
        #[binfmt(range = 0..=1)]
        unit: u8,
    },
    // Latin 1 cannot be lent as a `str`
    #[binfmt(tag = b"tEXt")]
    Text {
        #[binfmt(nul, text = latin1)]
        keyword: String,
        #[binfmt(until_eof, text = latin1)]
        text: String,
    },
    #[binfmt(tag = b"iTXt")]
    Utf8Text {
        #[binfmt(nul, text = latin1)]
        keyword: String,
        compressed: bool,
        method: u8,
        #[binfmt(nul, text = ascii)]
        language: &'a str,
        #[binfmt(nul)]
        translated: &'a str,
        #[binfmt(until_eof)]
        text: &'a [u8],
    },
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
    Other(#[binfmt(until_eof)] &'a [u8]),
}

#[derive(BinFormat)]
pub struct Elf<'a> {
    ident: Ident,
    #[binfmt(endian = ident.data.order())]
    file: File<'a>,
    #[binfmt(gaps)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct File<'a> {
    kind: u16,
    machine: u16,
    version: u32,
    entry: u64,
    segments_at: u64,
    sections_at: u64,
    flags: u32,
    #[binfmt(range = 64..=64)]
    header_size: u16,
    segment_size: u16,
    #[binfmt(len_of(segments))]
    num_segments: u16,
    section_size: u16,
    #[binfmt(len_of(sections))]
    num_sections: u16,
    names_index: u16,
    #[binfmt(at(file) = segments_at, count = num_segments)]
    segments: Vec<Segment>,
    #[binfmt(at(file) = sections_at, count = num_sections)]
    sections: Vec<Section<'a>>,
    #[binfmt(each(name_places(sections, *names_index)))]
    names: Vec<Name<'a>>,
}

#[derive(BinFormat)]
struct Section<'a> {
    name: u32,
    kind: u32,
    flags: u64,
    address: u64,
    offset: u64,
    size: u64,
    link: u32,
    info: u32,
    align: u64,
    entry_size: u64,
    #[binfmt(if(!matches!(*kind, 0 | 8)), at(file) = offset, region = size, tag_from = kind)]
    content: Option<Content<'a>>,
}

#[derive(BinFormat)]
#[binfmt(ctx(kind: &u32), tag_from = *kind)]
enum Content<'a> {
    #[binfmt(tag(2 | 11))]
    Symbols(#[binfmt(until_eof)] Vec<Symbol>),
    #[binfmt(other)]
    Bytes(#[binfmt(until_eof)] &'a [u8]),
}

#[derive(BinFormat)]
#[binfmt(ctx(place: u64))]
struct Name<'a> {
    #[binfmt(at(file) = place, nul)]
    text: &'a str,
}

fn name_places(sections: &[Section<'_>], index: u16) -> impl Iterator<Item = u64> {
    let table = sections.get(usize::from(index)).map_or(0, |table| table.offset);
    sections.iter().map(move |section| table.saturating_add(section.name.into()))
}
