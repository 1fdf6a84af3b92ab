use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    n: u8,
    #[binfmt(region = 3, with = m)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    n: u8,
    #[binfmt(region = 3, decode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    n: u8,
    #[binfmt(region = 3, encode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    n: u8,
    #[binfmt(region = 3, reserved(3))]
    x: (),
}

#[derive(BinFormat)]
struct S5 {
    n: u8,
    #[binfmt(region = 3, len_of(n))]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S6 {
    n: u8,
    #[binfmt(columns, region = 3)]
    x: Inner,
}

fn main() {}
