use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(zzzz)]
struct S(u8);

#[derive(BinFormat)]
#[binfmt(tag(u8), qqqq = 3)]
enum E {
    A,
}

fn main() {}
