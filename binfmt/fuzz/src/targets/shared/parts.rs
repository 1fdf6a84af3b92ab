//! Structs whose parts are elsewhere, in each other, and at places that are found, with functions that may fail.

use super::faults::{called, spared, tried};
use binfmt::BinFormat;

/// What stands in parts where no function is: a value at run time knows none.
pub(crate) type Plain = (u16, u8);

/// Parts from each base, some far enough to leave gaps, and parts in them.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Volume<N> {
    n: u8,
    place: u8,
    label: N,
    #[binfmt(at(file) = place * 16)]
    block: Block<N>,
    #[binfmt(if(*n & 1 == 1), at = *n)]
    item: Option<Block<N>>,
    #[binfmt(if(*n & 2 == 2), length_prefixed(u16, in = bytes))]
    region: Option<Block<N>>,
    #[binfmt(if(*n & 4 == 4), at(file) = 2000, count = 1 + *n / 16)]
    far: Option<Vec<N>>,
    #[binfmt(at(end) = 4)]
    end: (u16, u16),
}

/// Bytes, then a part that counts from here.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Block<N> {
    len: u8,
    place: u16,
    #[binfmt(count = len * 8)]
    data: Vec<u8>,
    last: N,
    #[binfmt(if(*place > 0), at = place, count = 1 + *len % 4)]
    below: Option<Vec<N>>,
    #[binfmt(if(*place > 500), at(file) = place, length_prefixed(u8))]
    text: Option<String>,
}

/// Functions wherever one may be.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Noted {
    #[binfmt(map(decode = told, encode = asked))]
    a: u16,
    #[binfmt(try_map(decode = tried_from, encode = tried_back))]
    b: u8,
}

/// Functions of bytes, of items and of numbers around them.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Checked {
    #[binfmt(length_prefixed(u16))]
    list: Vec<Noted>,
    #[binfmt(until = is_last)]
    ended: Vec<u8>,
    #[binfmt(length_prefixed(u16, in = bytes), process(decode = turned, encode = turned))]
    turned: Vec<u16>,
    #[binfmt(checksum(u16 = summed, over = list..=ended))]
    sum: (),
    pairs: [(Noted, u32); 2],
    #[binfmt(until_eof)]
    rest: Vec<Noted>,
}

/// Parts that find their places, in each other, in a region and at the end.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Book<N> {
    n: u8,
    #[binfmt(offset_of(pages, auto))]
    place: u32,
    #[binfmt(offset_of(title, u16))]
    title_at: (),
    #[binfmt(at = place, count = n % 5)]
    pages: Vec<Page<N>>,
    #[binfmt(at(file) = title_at, length_prefixed(u8))]
    title: String,
    #[binfmt(length_prefixed(u16, in = bytes))]
    inside: Page<N>,
    #[binfmt(at(end) = 3)]
    end: (u8, u16),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Page<N> {
    len: u8,
    #[binfmt(offset_of(cells, u16))]
    cells_at: (),
    #[binfmt(offset_of(notes, auto))]
    notes_at: u16,
    #[binfmt(at(file) = cells_at, count = len * 4)]
    cells: Vec<u8>,
    #[binfmt(if(*len > 2), at = notes_at, count = 2)]
    notes: Option<Vec<N>>,
    last: N,
}

/// A part far from the front whose bytes are any others.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Far<T> {
    #[binfmt(at(file) = 512)]
    pub(crate) part: T,
    pub(crate) after: u8,
}

/// More bytes than there are in a part, which is written between others.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Wide {
    pub(crate) n: u32,
    #[binfmt(pad_before = 0x7fff_ffff_ffff_fff0)]
    pub(crate) x: u32,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Around {
    pub(crate) head: Vec64,
    #[binfmt(at(file) = 1000)]
    pub(crate) a: [u8; 256],
    #[binfmt(at(file) = 700)]
    pub(crate) b: Wide,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Vec64 {
    #[binfmt(length_prefixed(u8))]
    pub(crate) items: Vec<u64>,
}

fn told(n: u16) -> u16 {
    called();
    n.wrapping_add(1)
}

fn asked(n: &u16) -> u16 {
    called();
    n.wrapping_sub(1)
}

fn tried_from(n: u8) -> Result<u8, &'static str> {
    tried()?;
    Ok(n)
}

fn tried_back(n: &u8) -> Result<u8, &'static str> {
    tried()?;
    Ok(*n)
}

fn is_last(byte: &u8) -> bool {
    called();
    *byte == 0
}

fn turned(bytes: &[u8]) -> Vec<u8> {
    called();
    spared(|| bytes.iter().map(|byte| !byte).collect())
}

fn summed(bytes: &[u8]) -> u16 {
    called();
    bytes.iter().fold(0, |sum, byte| sum.wrapping_mul(3).wrapping_add(u16::from(*byte)))
}
