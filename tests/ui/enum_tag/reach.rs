use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum All {
    #[binfmt(tag(0..=255))]
    Any { tag: u8 },
    #[binfmt(other)]
    Never { tag: u8 },
}

fn main() {}
