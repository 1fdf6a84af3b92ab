//! ZIP: [PKWARE's APPNOTE 6.3.10](https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT); the numbers of sections are its own.
//! Read from its end: the last record says where the directory is, and that where the files are.

use binfmt::{BinFormat, Gaps, Result};
use std::fmt::Write;

/// §4.3.6, without a comment, encryption and Zip64. What is between the files is kept.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
pub struct Zip {
    #[binfmt(at(end) = 22)]
    pub end: End,
    #[binfmt(at(file) = end.directory, region = end.directory_size, count = end.num_entries)]
    pub entries: Vec<Entry>,
    #[binfmt(gaps)]
    pub gaps: Gaps,
}

/// §4.3.16
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(magic = b"PK\x05\x06", size = 22)]
pub struct End {
    pub disk: u16,
    pub directory_disk: u16,
    pub num_here: u16,
    pub num_entries: u16,
    pub directory_size: u32,
    pub directory: u32,
    #[binfmt(range = 0..=0)]
    pub comment_len: u16,
}

/// §4.3.12, and the file that it leads to.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(magic = b"PK\x01\x02")]
pub struct Entry {
    pub made_by: u16,
    pub facts: Facts,
    pub packed_size: u32,
    pub size: u32,
    #[binfmt(len_of(name, bytes, u16))]
    pub name_len: (),
    #[binfmt(len_of(extra, u16))]
    pub extra_len: (),
    #[binfmt(len_of(comment, bytes, u16))]
    pub comment_len: (),
    pub disk: u16,
    pub internal_attributes: u16,
    pub external_attributes: u32,
    pub offset: u32,
    #[binfmt(count = name_len)]
    pub name: String,
    #[binfmt(count = extra_len)]
    pub extra: Vec<u8>,
    #[binfmt(count = comment_len)]
    pub comment: String,
    #[binfmt(at(file) = offset, args(*packed_size))]
    pub file: File,
}

/// §4.3.7. Its own sizes are 0 when it was written to a stream: those of the directory count.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(packed_size: u32), magic = b"PK\x03\x04")]
pub struct File {
    pub facts: Facts,
    pub own_packed_size: u32,
    pub own_size: u32,
    #[binfmt(len_of(name, bytes, u16))]
    pub name_len: (),
    #[binfmt(len_of(extra, u16))]
    pub extra_len: (),
    #[binfmt(count = name_len)]
    pub name: String,
    #[binfmt(count = extra_len)]
    pub extra: Vec<u8>,
    #[binfmt(count = packed_size)]
    pub packed: Vec<u8>,
}

/// §4.4: what the directory repeats.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
pub struct Facts {
    pub version: u16,
    pub flags: u16,
    /// 0 is stored, 8 is deflated.
    pub method: u16,
    pub time: u16,
    pub date: u16,
    pub crc: u32,
}

/// The files.
pub fn summary(file: &[u8]) -> Result<String> {
    let zip: Zip = binfmt::from_slice(file)?;
    let mut out = format!("{} files\n", zip.entries.len());
    for Entry { name, size, packed_size, facts, .. } in &zip.entries {
        let _ = writeln!(out, "{name}: {size} bytes, {packed_size} packed by method {}", facts.method);
    }
    Ok(out)
}
