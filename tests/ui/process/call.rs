//! `process` has two functions.

use binfmt::BinFormat;

#[derive(BinFormat)]
struct Masked {
    #[binfmt(process(xor(5)), until_eof)]
    bytes: Vec<u8>,
}

fn main() {}
