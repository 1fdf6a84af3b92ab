//! Conditions that are none.

use binfmt::BinFormat;

#[derive(BinFormat)]
struct Binding {
    n: u8,
    #[binfmt(if(let 3 = n))]
    value: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(assert(n = 4))]
struct Assigned {
    #[binfmt(assert(n = 3))]
    n: u8,
}

fn main() {}
