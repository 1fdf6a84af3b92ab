use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(reserved(3))]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(borrow, var_len)]
    x: String,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(len_of(y))]
    x: f32,
    #[binfmt(until_eof)]
    y: Vec<u8>,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(decode_with = f)]
    x: u8,
}

fn main() {}
