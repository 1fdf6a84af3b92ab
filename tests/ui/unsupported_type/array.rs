use binfmt::BinFormat;

struct Foreign;

#[derive(BinFormat)]
struct A {
    x: [Foreign; 2],
}

fn main() {}
