//! SQLite 3: [the format of its files](https://www.sqlite.org/fileformat2.html); the numbers of sections are its own.

use binfmt::{BinFormat, Gaps, Result};
use std::fmt::Write;

/// §1.2 and §1.6: the header, and the tree that each page has. What is deleted, unused pages and those of long values are kept
/// as they are.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be)]
pub struct Database {
    pub header: Header,
    #[binfmt(each(header.pages()))]
    pub pages: Vec<Page>,
    #[binfmt(gaps)]
    pub gaps: Gaps,
}

/// §1.3
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(magic = b"SQLite format 3\0", size = 100)]
pub struct Header {
    /// 1 is 65536.
    #[binfmt(assert(*page_size == 1 || page_size.is_power_of_two() && *page_size >= 512))]
    pub page_size: u16,
    pub write_version: u8,
    pub read_version: u8,
    pub reserved_in_page: u8,
    pub fractions: [u8; 3],
    pub changes: u32,
    pub num_pages: u32,
    pub first_free_page: u32,
    pub num_free_pages: u32,
    pub schema_cookie: u32,
    pub schema_format: u32,
    pub cache_size: u32,
    pub largest_root: u32,
    /// UTF-8, UTF-16le, UTF-16be.
    #[binfmt(range = 1..=3)]
    pub encoding: u32,
    pub user_version: u32,
    pub incremental_vacuum: u32,
    pub application: u32,
    pub reserved: [u8; 20],
    pub valid_for: u32,
    pub library_version: u32,
}

impl Header {
    /// Where the trees begin, and the pages that they are in: the header is in the first.
    pub fn pages(&self) -> impl Iterator<Item = (u64, u64)> + use<> {
        let size = if self.page_size == 1 { 1 << 16 } else { u64::from(self.page_size) };
        (0..u64::from(self.num_pages))
            .map(move |page| (if page == 0 { 100 } else { page * size }, page * size))
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(place: u64, page: u64))]
pub struct Page {
    #[binfmt(at(file) = place, args(page))]
    pub tree: Tree,
}

/// §1.6: a node of a table's tree has rows or leads to other nodes; that of an index has keys.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(page: u64), tag(u8))]
pub enum Tree {
    #[binfmt(tag = 2)]
    IndexInterior {
        head: Head,
        last: u32,
        #[binfmt(count = head.num_cells, args(page))]
        cells: Vec<Pointer<(u32, Key)>>,
    },
    #[binfmt(tag = 5)]
    TableInterior {
        head: Head,
        last: u32,
        #[binfmt(count = head.num_cells, args(page))]
        cells: Vec<Pointer<Child>>,
    },
    #[binfmt(tag = 10)]
    IndexLeaf {
        head: Head,
        #[binfmt(count = head.num_cells, args(page))]
        cells: Vec<Pointer<Key>>,
    },
    #[binfmt(tag = 13)]
    TableLeaf {
        head: Head,
        #[binfmt(count = head.num_cells, args(page))]
        cells: Vec<Pointer<Row>>,
    },
    /// Not a tree.
    #[binfmt(other)]
    Other { tag: u8 },
}

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
pub struct Head {
    pub first_free: u16,
    pub num_cells: u16,
    pub content: u16,
    pub fragmented: u8,
}

/// The pointer to a cell, and the cell.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(page: u64))]
pub struct Pointer<T> {
    pub place: u16,
    #[binfmt(at(file) = page + place)]
    pub cell: T,
}

/// Rows up to this one are on that page.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
pub struct Child {
    pub page: u32,
    #[binfmt(as = vlq)]
    pub row: u64,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Row {
    #[binfmt(len_of(record, bytes, vlq))]
    pub len: (),
    #[binfmt(as = vlq)]
    pub number: u64,
    #[binfmt(region = len)]
    pub record: Record,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Key {
    #[binfmt(length_prefixed(vlq, in = bytes))]
    pub record: Record,
}

/// §2.1: the types of the values, after their length in bytes, then the values.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Record {
    #[binfmt(length_prefixed(u8, in = bytes, inclusive), as = vlq)]
    pub types: Vec<u64>,
    #[binfmt(each(types.iter().copied()))]
    pub values: Vec<Value>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(code: u64), tag_from = if code < 12 { code } else { 12 + code % 2 })]
pub enum Value {
    #[binfmt(tag = 0)]
    Null,
    #[binfmt(tag = 1)]
    I8(i8),
    #[binfmt(tag = 2)]
    I16(i16),
    #[binfmt(tag = 3)]
    I24(#[binfmt(as = i24)] i32),
    #[binfmt(tag = 4)]
    I32(i32),
    #[binfmt(tag = 5)]
    I48(#[binfmt(as = i48)] i64),
    #[binfmt(tag = 6)]
    I64(i64),
    #[binfmt(tag = 7)]
    F64(f64),
    #[binfmt(tag = 8)]
    Zero,
    #[binfmt(tag = 9)]
    One,
    #[binfmt(tag = 12)]
    Blob(#[binfmt(count = (code - 12) / 2)] Vec<u8>),
    #[binfmt(tag = 13)]
    Text(#[binfmt(count = (code - 13) / 2)] String),
}

/// The rows of all tables, that of the tables first.
pub fn summary(file: &[u8]) -> Result<String> {
    let database: Database = binfmt::from_slice(file)?;
    let mut out = format!("{} pages of {} bytes\n", database.pages.len(), database.header.page_size);
    for (i, page) in (1..).zip(&database.pages) {
        if let Tree::TableLeaf { cells, .. } = &page.tree {
            for Pointer { cell: Row { number, record, .. }, .. } in cells {
                let _ = writeln!(out, "page {i}, row {number}: {:?}", record.values);
            }
        }
    }
    Ok(out)
}
