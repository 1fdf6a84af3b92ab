use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(transparent)]
struct A(u8, u8);

#[derive(BinFormat)]
#[binfmt(transparent)]
struct B(#[binfmt(pad_before = 1)] u8);

#[derive(BinFormat)]
#[binfmt(key_order = lexicographic)]
struct C(u8, u8);

#[derive(BinFormat)]
#[binfmt(key_order = declared)]
struct D {
    a: u8,
}

fn main() {}
