use binfmt::BinFormat;

#[derive(BinFormat)]
struct Names {
    #[binfmt(region = later)]
    early: u8,
    #[binfmt(region = itself)]
    itself: u8,
    #[binfmt(region = nobody)]
    unknown: u8,
    later: u8,
}

#[derive(BinFormat)]
struct Numbers {
    #[binfmt(region = -1)]
    negative: u8,
    #[binfmt(region = "n")]
    text: u8,
    #[binfmt(region = 1.5)]
    float: u8,
}

#[derive(BinFormat)]
struct Options {
    #[binfmt(region)]
    bare: u8,
    #[binfmt(region(1, rest = drop))]
    unknown: u8,
    #[binfmt(region(1, fill = 1))]
    fill: u8,
}

#[derive(BinFormat)]
struct Kept {
    #[binfmt(region(1, rest = keep))]
    plain: u8,
    #[binfmt(region(1, rest = keep))]
    open: Vec<u8>,
}

fn main() {}
