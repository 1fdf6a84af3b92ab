use binfmt::BinFormat;
use std::borrow::Cow;

#[derive(BinFormat)]
struct Numbers<'a> {
    #[binfmt(count = 2)]
    x: &'a [u32],
}

#[derive(BinFormat)]
struct Records<'a> {
    #[binfmt(count = 2)]
    x: &'a [Record],
}

#[derive(BinFormat)]
struct Cows<'a> {
    #[binfmt(count = 2, borrow)]
    x: Cow<'a, [(u8, u8)]>,
}

#[derive(BinFormat)]
struct Record {
    x: u8,
}

fn main() {}
