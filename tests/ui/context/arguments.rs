use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(ctx(rows: u8, columns: u8))]
struct Inner {
    #[binfmt(count = rows + columns)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct Outer {
    n: u8,
    #[binfmt(args(columns = *n, rows = 1))]
    x: Inner,
}

fn main() {}
