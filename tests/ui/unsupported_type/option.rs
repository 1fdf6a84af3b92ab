use binfmt::BinFormat;

struct Foreign;

#[derive(BinFormat)]
struct A {
    #[binfmt(nullable)]
    x: Option<Foreign>,
}

fn main() {}
