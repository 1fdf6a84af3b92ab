//! The tags of an enum fit in the bits of its field.

use binfmt::BinFormat;

#[derive(BinFormat)]
struct Flags {
    #[binfmt(bits(3, of = u8))]
    kind: Kind,
    #[binfmt(bits(5))]
    rest: u8,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Kind {
    #[binfmt(tag = 7)]
    A,
    #[binfmt(tag = 9)]
    B,
}

fn main() {}
