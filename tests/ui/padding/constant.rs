use binfmt::BinFormat;

const ZERO: usize = 0;

#[derive(BinFormat)]
struct S {
    #[binfmt(align_before = ZERO)]
    x: u8,
}

fn main() {}
