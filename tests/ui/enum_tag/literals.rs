//! Literals of another type than the tag.

use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(tag([u8; 4]))]
enum Text {
    #[binfmt(tag = "abcd")]
    A(u8),
    #[binfmt(tag = b"abc")]
    B(u8),
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Number {
    #[binfmt(tag = 'a')]
    A(u8),
    #[binfmt(tag = "b")]
    B(u8),
}

#[derive(BinFormat)]
#[binfmt(ctx(kind: &[u8; 2]), tag_from = kind)]
enum Elsewhere {
    #[binfmt(tag = b"ab" | b"abc")]
    A(u8),
    #[binfmt(other)]
    B(u8),
}

fn main() {}
