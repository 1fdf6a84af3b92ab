use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(skip, nullable)]
    x: Option<u8>,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(skip, count = 3)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(skip, le)]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(skip, assert(true))]
    x: u8,
}

fn main() {}
