use binfmt::BinFormat;

struct Foreign;

#[derive(BinFormat)]
struct A {
    n: u8,
    #[binfmt(count = n)]
    x: Vec<Foreign>,
}

fn main() {}
