use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(ignore)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(cond(true))]
    x: Option<u8>,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(reader = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(endian = "little")]
    x: u8,
}

#[derive(BinFormat)]
struct S5 {
    n: u8,
    #[binfmt(count = "n")]
    x: Vec<u8>,
}

#[derive(BinFormat)]
#[binfmt(id_type = u8)]
enum E {
    A,
}

fn main() {}
