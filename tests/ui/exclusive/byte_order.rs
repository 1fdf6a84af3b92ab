use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(le, be)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(le, endian = E)]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(be, endian = E)]
    x: u8,
}

fn main() {}
