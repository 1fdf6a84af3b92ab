use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Pattern {
    #[binfmt(tag = 1)]
    A,
    #[binfmt(tag(2..=4), other)]
    B(u8),
}

#[derive(BinFormat)]
#[binfmt(ctx(kind: u8), tag_from = kind)]
enum Elsewhere {
    #[binfmt(tag = 1)]
    A,
    #[binfmt(tag = 2, other)]
    B,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Twice {
    #[binfmt(tag = 1)]
    A,
    #[binfmt(tag = 1, other)]
    B,
}

fn main() {}
