use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(ctx(rows: u8))]
struct Inner {
    #[binfmt(count = rows)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct Outer {
    x: Inner,
}

fn main() {}
