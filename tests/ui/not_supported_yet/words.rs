use binfmt::BinFormat;

#[derive(BinFormat)]
struct S6 {
    #[binfmt(offset_of)]
    x: u8,
}

fn main() {}
