use binfmt::BinFormat;

struct Foreign;

#[derive(BinFormat)]
struct Wrapper<T> {
    t: T,
}

#[derive(BinFormat)]
struct A {
    x: Wrapper<Foreign>,
}

fn main() {}
