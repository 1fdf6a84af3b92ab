use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(nul, each(0..3))]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(nul, until = f)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(text = utf8, each(0..3))]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(text = utf8, until = f)]
    x: Vec<u8>,
}

fn main() {}
