use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(le, be)]
struct A(u8);

#[derive(BinFormat)]
#[binfmt(tag(u8), tag_from = x)]
enum B {
    X,
}

#[derive(BinFormat)]
#[binfmt(transparent, magic = b"x")]
struct C(u8);

#[derive(BinFormat)]
#[binfmt(transparent, key_order = lexicographic)]
struct D {
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum F {
    #[binfmt(tag(1..=2), other)]
    X { tag: u8 },
}

fn main() {}
