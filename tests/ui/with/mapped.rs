use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(map(decode = |n| Open(n), encode = |o| o.0))]
struct Open(u8);

#[derive(BinFormat)]
#[binfmt(map(decode = |n| Words(n), encode = |o| o.0, as = u8))]
struct Words(#[binfmt(le)] u8);

#[derive(BinFormat)]
#[binfmt(tag(u8), map(decode = |_| Tagged::A, encode = |_| 0, as = u8))]
enum Tagged {
    A,
}

#[derive(BinFormat)]
#[binfmt(map(decode = |n: u16| Other(n), encode = |o| o.0, as = u8))]
struct Other(u16);

fn main() {}
