use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(zzzz)]
    x: u8,
}

fn main() {}
