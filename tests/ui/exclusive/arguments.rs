use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(tag_from = 1, args(1))]
    x: K,
}

fn main() {}
