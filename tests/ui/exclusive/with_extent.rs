use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(with = m, var_len)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(with = m, length_prefixed(u8))]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(with = m, count = 3)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(with = m, each(0..3))]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(with = m, until = f)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(with = m, until_eof)]
    x: Vec<u8>,
}

fn main() {}
