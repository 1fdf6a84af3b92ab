use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(count = -3)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(skip(bytes = -3))]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(pad_before = -1)]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(reserved(-1))]
    x: (),
}

fn main() {}
