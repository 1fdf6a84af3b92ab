use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(ctx(a: u8))]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(nullable)]
struct S(u8);

#[derive(BinFormat)]
#[binfmt(tag(u8))]
struct T(u8);

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum E {
    #[binfmt(count = 3)]
    A,
}

fn main() {}
