use binfmt::BinFormat;

#[derive(BinFormat)]
enum A {
    X,
}

#[derive(BinFormat)]
enum B {
    X(u8),
}

#[derive(BinFormat)]
#[binfmt(tag)]
enum C {
    X,
}

#[derive(BinFormat)]
#[binfmt(tag(f32))]
enum D {
    X,
}

#[derive(BinFormat)]
#[binfmt(tag_from = k, ctx(k: u8))]
enum E {
    X,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum F {}

fn main() {}
