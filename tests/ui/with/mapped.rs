use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(map(decode = |n| Open(n), encode = |o| o.0))]
struct Open(u8);

#[derive(BinFormat)]
#[binfmt(map(decode = |n| Words(n), encode = |o| o.0, as = u8))]
struct Words(#[binfmt(le)] u8);

#[derive(BinFormat)]
#[binfmt(map(decode = |_| Tagged::A, encode = |_| 0, as = u8), tag(u8))]
enum Tagged {
    A,
}

fn main() {}
