use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(len_of(y), map(decode = f, encode = f))]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(len_of(y), try_map(decode = f, encode = f))]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(len_of(y), nullable)]
    x: Option<u8>,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(len_of(y), if(true))]
    x: Option<u8>,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(len_of(y), with = m)]
    x: u8,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(len_of(y), decode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S7 {
    #[binfmt(len_of(y), encode_with = f)]
    x: u8,
}

fn main() {}
