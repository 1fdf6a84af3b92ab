#![deny(unused_variables)]

use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(ctx(rows: u8, columns: u8, _kept: u8))]
struct Table {
    #[binfmt(count = rows)]
    cells: Vec<u8>,
}

// what a message names is used
#[derive(BinFormat)]
#[binfmt(ctx(max: u8, kind: u8), tag_from = kind, assert(true, "{max}"))]
enum Used {
    #[binfmt(tag = 1)]
    One,
}

fn main() {}
