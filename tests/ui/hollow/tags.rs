use binfmt::BinFormat;

const FIVE: u8 = 5;

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Hidden {
    #[binfmt(tag(1..=9))]
    Many { tag: u8 },
    #[binfmt(tag = FIVE)]
    One,
    #[binfmt(tag(3..=4 | 8))]
    Some { tag: u8 },
}

fn main() {}
