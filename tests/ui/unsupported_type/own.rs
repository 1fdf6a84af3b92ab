use binfmt::BinFormat;

struct Foreign;

#[derive(BinFormat)]
struct A {
    n: u8,
    x: Foreign,
}

fn main() {}
