use binfmt::BinFormat;

const K: u8 = 4;
const ONE: u8 = 1;

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Const {
    #[binfmt(tag = K)]
    A,
    #[binfmt(tag = 4)]
    B,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum ByPlace {
    #[binfmt(tag = ONE)]
    A,
    B,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Range {
    #[binfmt(tag(1..=4))]
    A(u8),
    #[binfmt(tag = K)]
    B,
}

#[derive(BinFormat)]
#[binfmt(ctx(kind: u8), tag_from = kind)]
enum Known {
    #[binfmt(tag = K)]
    A,
    #[binfmt(tag = 4)]
    B,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Whole {
    #[binfmt(tag(0..=255))]
    A(u8),
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
#[repr(u8)]
enum Computed {
    A = 1 << 3,
    #[binfmt(tag = 9)]
    B = 20,
    #[binfmt(tag = 8)]
    C = 21,
}

fn main() {}
