use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(ctx(n: u8))]
struct A {
    n: u8,
}

fn main() {}
