use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Place {
    #[binfmt(tag = 1)]
    A,
    B,
}

fn main() {}
