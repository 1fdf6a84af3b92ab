//! A type with `ctx(..)` outside of a field.

use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(ctx(n: u8))]
struct Counted {
    #[binfmt(count = n)]
    bytes: Vec<u8>,
}

fn main() {
    let counted: Counted = binfmt::from_slice(&[1]).unwrap();
    binfmt::to_vec(&counted).unwrap();
}
