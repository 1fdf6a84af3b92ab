//! What a field cannot hold.

use binfmt::BinFormat;

#[derive(BinFormat)]
struct Changed<'a> {
    #[binfmt(until_eof)]
    bytes: &'a mut [u8],
}

#[derive(BinFormat)]
struct Forever {
    #[binfmt(nul)]
    name: &'static str,
}

fn main() {}
