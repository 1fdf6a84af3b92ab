use binfmt::{Array, BinFormat};

#[derive(BinFormat)]
struct S1 {
    #[binfmt(shape(u8), var_len)]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(shape(u8), length_prefixed(u8))]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(shape(u8), count = 3)]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(shape(u8), each(0..3))]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(shape(u8), until = f)]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(shape(u8), until_eof)]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct S7 {
    #[binfmt(shape(u8), with = m)]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct S8 {
    #[binfmt(shape(u8), decode_with = f)]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct S9 {
    #[binfmt(shape(u8), encode_with = f)]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct S10 {
    #[binfmt(shape(u8), bool_lax)]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct S11 {
    #[binfmt(shape(u8), reserved(2))]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct S12 {
    #[binfmt(shape(u8), nul)]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct S13 {
    #[binfmt(shape(u8), text = ascii)]
    x: Array<u8, 2>,
}

#[derive(BinFormat)]
struct S14 {
    #[binfmt(shape(u8), columns)]
    x: Array<u8, 2>,
}

fn main() {}
