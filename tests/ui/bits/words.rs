use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(bits(8, of = u8), count = 3)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(bits(8, of = u8), pad_before = 3)]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(bits(8, of = u8), nullable)]
    x: Option<u8>,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(bits(8, of = u8), reserved(1))]
    x: (),
}

#[derive(BinFormat)]
struct Pair(u8, u8);

#[derive(BinFormat)]
struct S5 {
    #[binfmt(bits(8, of = u8))]
    x: Pair,
}

fn main() {}
