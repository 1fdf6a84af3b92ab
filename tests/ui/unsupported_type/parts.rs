//! What is inside tuples, arrays and maps says by itself how long it is.

use binfmt::BinFormat;
use std::collections::{BTreeMap, HashMap};

#[derive(BinFormat)]
struct List {
    #[binfmt(length_prefixed(u8))]
    pairs: Vec<(u8, String)>,
}

#[derive(BinFormat)]
struct Pair {
    pair: (u8, String),
}

#[derive(BinFormat)]
struct Texts {
    texts: [String; 3],
}

#[derive(BinFormat)]
struct Pairs {
    pairs: [(u8, Option<u8>); 2],
}

#[derive(BinFormat)]
struct Names {
    #[binfmt(length_prefixed(u8))]
    names: HashMap<String, u8>,
}

#[derive(BinFormat)]
struct Blobs {
    #[binfmt(length_prefixed(u8))]
    blobs: BTreeMap<u8, (u8, Vec<u8>)>,
}

#[derive(BinFormat)]
struct Long {
    parts: (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8),
}

fn main() {}
