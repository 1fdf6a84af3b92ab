//! A list whose elements take everything to the end is told at the list, whether or not it is ever written.

use binfmt::BinFormat;

#[derive(BinFormat)]
struct File {
    #[binfmt(length_prefixed(u8))]
    named: std::collections::BTreeMap<u8, Rest>,
    #[binfmt(until_eof)]
    atoms: Vec<Atom>,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Atom {
    A(u8),
    Rest(#[binfmt(until_eof)] Vec<u8>),
}

#[derive(BinFormat)]
struct Rest {
    #[binfmt(until_eof)]
    bytes: Vec<u8>,
}

fn main() {}
