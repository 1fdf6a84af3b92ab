use binfmt::BinFormat;
use std::borrow::Cow;

#[derive(BinFormat)]
struct Numbers<'a> {
    #[binfmt(count = 2)]
    x: &'a [bool],
}

#[derive(BinFormat)]
struct Tuples<'a> {
    #[binfmt(count = 2)]
    x: &'a [(u8, u16)],
}

#[derive(BinFormat)]
struct Cows<'a> {
    #[binfmt(count = 2, borrow)]
    x: Cow<'a, [(u8, u8)]>,
}

fn main() {}
