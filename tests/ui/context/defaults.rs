use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(ctx(a: u8 = 1, b: u8))]
struct Order {
    #[binfmt(count = a + b)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
#[binfmt(ctx(inner: _ = 1))]
struct Any<T> {
    #[binfmt(args(inner))]
    x: T,
}

fn main() {}
