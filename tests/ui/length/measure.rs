use binfmt::BinFormat;

#[derive(BinFormat)]
struct Record {
    x: u8,
}

#[derive(BinFormat)]
struct Items {
    #[binfmt(len_of(record))]
    n: u8,
    record: Record,
}

#[derive(BinFormat)]
struct Nothing {
    #[binfmt(len_of(gap, bytes))]
    n: u8,
    #[binfmt(reserved(3))]
    gap: (),
}

#[derive(BinFormat)]
struct Mapped {
    #[binfmt(len_of(x))]
    n: u8,
    #[binfmt(map(decode = |n: u16| n, encode = |n: &u16| *n, as = u16))]
    x: u16,
}

fn main() {}
