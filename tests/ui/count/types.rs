use binfmt::BinFormat;

#[derive(BinFormat)]
struct Float {
    n: f32,
    #[binfmt(count = n)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct Struct {
    n: Inner,
    #[binfmt(count = n)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct Sum {
    n: Inner,
    k: u8,
    #[binfmt(count = k + n)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct Inner(u8);

fn main() {}
