use binfmt::BinFormat;

const K: u8 = 4;

#[derive(BinFormat)]
#[binfmt(tag(u64))]
enum Shifted {
    #[binfmt(tag = 1 << 40)]
    A,
    #[binfmt(tag = -1)]
    B,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Several {
    #[binfmt(tag = 1 | 2)]
    A,
    #[binfmt(tag = K + 1)]
    B,
    #[binfmt(tag = K as u8)]
    C,
    #[binfmt(tag = const { 7 })]
    D,
}

#[derive(BinFormat)]
#[binfmt(ctx(kind: u8), tag_from = kind)]
enum Known {
    #[binfmt(tag = K + 1)]
    A,
    #[binfmt(tag = 1 | 2)]
    B,
}

fn main() {}
