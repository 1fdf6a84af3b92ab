use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum E {
    #[binfmt(qqqq)]
    A,
}

fn main() {}
