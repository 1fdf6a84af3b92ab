use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum TooLarge {
    X = K,
}

const K: isize = 300;

fn main() {}
