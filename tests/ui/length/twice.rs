use binfmt::BinFormat;

#[derive(BinFormat)]
struct Table {
    #[binfmt(len_of(rows))]
    num: u8,
    #[binfmt(len_of(rows))]
    again: u16,
    #[binfmt(len_of(rows, bytes))]
    size: u32,
    #[binfmt(count = num)]
    rows: Vec<u16>,
}

#[derive(BinFormat)]
struct Kept {
    #[binfmt(len_of(cache))]
    num: u8,
    #[binfmt(skip)]
    cache: Vec<u8>,
}

fn main() {}
