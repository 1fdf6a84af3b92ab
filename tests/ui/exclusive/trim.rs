use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(trim = b' ', as = u24)]
    x: String,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S2 {
    #[binfmt(trim = b' ', columns)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(trim = b' ', each(list))]
    x: String,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(trim = b' ', shape(u8, rank = 1))]
    x: String,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(trim = b' ', until = f)]
    x: String,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(trim = b' ', with = m)]
    x: String,
}

#[derive(BinFormat)]
struct S7 {
    #[binfmt(trim = b' ', decode_with = f)]
    x: String,
}

#[derive(BinFormat)]
struct S8 {
    #[binfmt(trim = b' ', encode_with = f)]
    x: String,
}

#[derive(BinFormat)]
struct S9 {
    #[binfmt(trim = b' ', nul)]
    x: String,
}

fn main() {}
