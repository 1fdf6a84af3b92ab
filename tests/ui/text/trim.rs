use binfmt::BinFormat;

#[derive(BinFormat)]
struct Bytes {
    #[binfmt(count = 3, trim = ' ')]
    char: String,
    #[binfmt(count = 3, trim = b"  ")]
    two: String,
    #[binfmt(count = 3, trim = " ")]
    text: String,
    #[binfmt(count = 3, trim)]
    bare: String,
    #[binfmt(count = 3, trim = 0xE9, text = latin1)]
    latin1: String,
    #[binfmt(count = 3, trim = 0, nul)]
    nul: String,
}

#[derive(BinFormat)]
struct Types {
    #[binfmt(count = 3, trim = b' ')]
    numbers: Vec<u16>,
    #[binfmt(trim = b' ')]
    number: u16,
    #[binfmt(trim = b' ')]
    open: String,
}

fn main() {}
