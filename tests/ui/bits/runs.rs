use binfmt::BinFormat;

#[derive(BinFormat)]
struct NotFull {
    #[binfmt(bits(1, of = u16))]
    a: bool,
    #[binfmt(bits(12))]
    b: u16,
}

#[derive(BinFormat)]
struct Interrupted {
    #[binfmt(bits(7, of = u8))]
    a: u8,
    b: u8,
}

#[derive(BinFormat)]
struct Reopened {
    #[binfmt(bits(7, of = u8))]
    a: u8,
    #[binfmt(bits(8, of = u8))]
    b: u8,
}

#[derive(BinFormat)]
struct TooMany {
    #[binfmt(bits(7, of = u8))]
    a: u8,
    #[binfmt(bits(2))]
    b: u8,
}

#[derive(BinFormat)]
struct NotOpen {
    a: u8,
    #[binfmt(bits(2))]
    b: u8,
}

#[derive(BinFormat)]
struct OrderInside {
    #[binfmt(bits(4, of = u8))]
    a: u8,
    #[binfmt(bits(4, order = lsb))]
    b: u8,
}

fn main() {}
