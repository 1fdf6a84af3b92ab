//! ELF of 64 bits, in both byte orders: [the System V ABI](https://www.sco.com/developers/gabi/latest/contents.html), chapters 4 and 5.

use binfmt::{BinFormat, Endian, Gaps, Result};
use std::fmt::Write;

/// An executable, a library or an object file. Whatever no table leads to is kept.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Elf {
    pub ident: Ident,
    #[binfmt(endian = ident.data.order())]
    pub file: File,
    #[binfmt(gaps)]
    pub gaps: Gaps,
}

/// Chapter 4, "ELF Identification".
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(magic = b"\x7fELF", size = 16)]
pub struct Ident {
    #[binfmt(range = 2..=2)]
    pub class: u8,
    pub data: Data,
    pub version: u8,
    pub abi: u8,
    pub abi_version: u8,
    pub padding: [u8; 7],
}

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(u8))]
pub enum Data {
    Little = 1,
    Big = 2,
}

impl Data {
    pub fn order(self) -> Endian {
        match self {
            Data::Little => Endian::Little,
            Data::Big => Endian::Big,
        }
    }
}

/// Chapter 4, "ELF Header": the rest of it, and what it leads to.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct File {
    pub kind: u16,
    pub machine: u16,
    pub version: u32,
    pub entry: u64,
    pub segments_at: u64,
    pub sections_at: u64,
    pub flags: u32,
    #[binfmt(range = 64..=64)]
    pub header_size: u16,
    pub segment_size: u16,
    #[binfmt(len_of(segments))]
    pub num_segments: u16,
    pub section_size: u16,
    #[binfmt(len_of(sections))]
    pub num_sections: u16,
    /// The section with their names.
    pub names_index: u16,
    #[binfmt(at(file) = segments_at, count = num_segments)]
    pub segments: Vec<Segment>,
    #[binfmt(at(file) = sections_at, count = num_sections)]
    pub sections: Vec<Section>,
    #[binfmt(each(name_places(sections, *names_index)))]
    pub names: Vec<Name>,
}

/// Chapter 5, "Program Header".
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(size = 56)]
pub struct Segment {
    pub kind: u32,
    pub flags: u32,
    pub offset: u64,
    pub address: u64,
    pub physical: u64,
    pub file_size: u64,
    pub memory_size: u64,
    pub align: u64,
}

/// Chapter 4, "Sections", with what it contains.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Section {
    pub name: u32,
    pub kind: u32,
    pub flags: u64,
    pub address: u64,
    pub offset: u64,
    pub size: u64,
    pub link: u32,
    pub info: u32,
    pub align: u64,
    pub entry_size: u64,
    #[binfmt(if(has_bytes(*kind)), at(file) = offset, region = size, tag_from = kind)]
    pub content: Option<Content>,
}

/// Neither the unused first section, nor one of zeros (`SHT_NOBITS`).
fn has_bytes(kind: u32) -> bool {
    kind != 0 && kind != 8
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(kind: &u32), tag_from = *kind)]
pub enum Content {
    #[binfmt(tag(2 | 11))]
    Symbols(#[binfmt(until_eof)] Vec<Symbol>),
    #[binfmt(other)]
    Bytes(#[binfmt(until_eof)] Vec<u8>),
}

/// Chapter 4, "Symbol Table".
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(size = 24)]
pub struct Symbol {
    pub name: u32,
    #[binfmt(bits(4, of = u8, order = msb))]
    pub binding: u8,
    #[binfmt(bits(4))]
    pub kind: u8,
    pub visibility: u8,
    pub section: u16,
    pub value: u64,
    pub size: u64,
}

/// A name in a table of names: it ends with a NUL, and other names may end in it.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(place: u64))]
pub struct Name {
    #[binfmt(at(file) = place, nul)]
    pub text: String,
}

/// Where the names of the sections are.
fn name_places(sections: &[Section], index: u16) -> impl Iterator<Item = u64> {
    let table = sections.get(usize::from(index)).map_or(0, |table| table.offset);
    sections.iter().map(move |section| table.saturating_add(section.name.into()))
}

/// The header, then the sections.
pub fn summary(file: &[u8]) -> Result<String> {
    let Elf { ident, file, .. } = binfmt::from_slice(file)?;
    let mut out = format!("ELF, kind {}, machine {}, {:?} endian\n", file.kind, file.machine, ident.data);
    for (name, section) in file.names.iter().zip(&file.sections).skip(1) {
        let _ = match &section.content {
            Some(Content::Symbols(symbols)) => writeln!(out, "{} {} symbols", name.text, symbols.len()),
            _ => writeln!(out, "{} {} bytes", name.text, section.size),
        };
    }
    Ok(out)
}
