use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(with = m, map(decode = f, encode = f))]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(with = m, try_map(decode = f, encode = f))]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(map(decode = f, encode = f), try_map(decode = f, encode = f))]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(with = m, decode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(with = m, encode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(decode_with = f, map(decode = f, encode = f))]
    x: u8,
}

#[derive(BinFormat)]
struct S7 {
    #[binfmt(decode_with = f, try_map(decode = f, encode = f))]
    x: u8,
}

#[derive(BinFormat)]
struct S8 {
    #[binfmt(encode_with = f, map(decode = f, encode = f))]
    x: u8,
}

#[derive(BinFormat)]
struct S9 {
    #[binfmt(encode_with = f, try_map(decode = f, encode = f))]
    x: u8,
}

fn main() {}
