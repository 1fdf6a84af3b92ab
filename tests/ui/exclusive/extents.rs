use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(var_len, length_prefixed(u8))]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(var_len, count = 3)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(var_len, each(0..3))]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(var_len, until = f)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(var_len, until_eof)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(length_prefixed(u8), count = 3)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S7 {
    #[binfmt(length_prefixed(u8), each(0..3))]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S8 {
    #[binfmt(length_prefixed(u8), until = f)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S9 {
    #[binfmt(length_prefixed(u8), until_eof)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S10 {
    #[binfmt(count = 3, each(0..3))]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S11 {
    #[binfmt(count = 3, until = f)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S12 {
    #[binfmt(count = 3, until_eof)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S13 {
    #[binfmt(each(0..3), until = f)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S14 {
    #[binfmt(each(0..3), until_eof)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S15 {
    #[binfmt(until = f, until_eof)]
    x: Vec<u8>,
}

fn main() {}
