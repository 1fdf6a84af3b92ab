use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(encode_with = f, var_len)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(encode_with = f, length_prefixed(u8))]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(encode_with = f, count = 3)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(encode_with = f, each(0..3))]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(encode_with = f, until = f)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(encode_with = f, until_eof)]
    x: Vec<u8>,
}

fn main() {}
