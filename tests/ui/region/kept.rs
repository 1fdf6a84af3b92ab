use binfmt::BinFormat;

#[derive(BinFormat)]
struct Pair(u8, u8);

#[derive(BinFormat)]
struct Outer {
    #[binfmt(region(1, rest = keep))]
    pair: Pair,
}

fn main() {}
