//! What is wrong inside of other types: told at the field.

use binfmt::BinFormat;

#[derive(BinFormat)]
struct ToTheEnd {
    #[binfmt(until_eof)]
    a: Vec<u8>,
}

#[derive(BinFormat)]
struct InArray {
    a: [ToTheEnd; 2],
}

#[derive(BinFormat)]
struct InTuple {
    a: (u8, ToTheEnd, u8),
}

#[derive(BinFormat)]
struct InPairs {
    #[binfmt(length_prefixed(u8))]
    a: Vec<(u8, ToTheEnd)>,
    #[binfmt(length_prefixed(u8))]
    b: Vec<[ToTheEnd; 1]>,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Wide {
    #[binfmt(tag = 16)]
    A,
    #[binfmt(tag = 1)]
    Counted,
}

#[derive(BinFormat)]
struct TagsOfPackedBits {
    #[binfmt(count = 2, bits(4))]
    a: Vec<Wide>,
}

#[derive(BinFormat)]
#[binfmt(ctx(n: u8))]
struct Counted {
    #[binfmt(count = n)]
    a: Vec<u8>,
}

#[derive(BinFormat)]
struct ListWithoutArguments {
    n: u8,
    #[binfmt(count = n)]
    list: Vec<Counted>,
}

#[derive(BinFormat)]
struct RegionWithoutArguments {
    n: u8,
    #[binfmt(region = n)]
    b: Counted,
}

#[derive(BinFormat)]
struct TooManyArguments {
    n: u8,
    #[binfmt(args(*n, 3))]
    b: Counted,
}

fn main() {}
