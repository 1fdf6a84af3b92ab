use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(encode_with = f, nullable)]
    x: Option<u8>,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(encode_with = f, if(true))]
    x: Option<u8>,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(encode_with = f, endian = E)]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(encode_with = f, pad_to = 4)]
    x: u8,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(encode_with = f, nul)]
    x: String,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(encode_with = f, text = utf8)]
    x: String,
}

#[derive(BinFormat)]
struct S7 {
    #[binfmt(encode_with = f, bool_lax)]
    x: bool,
}

#[derive(BinFormat)]
struct S8<'a> {
    #[binfmt(encode_with = f, borrow)]
    x: Cow<'a, str>,
}

#[derive(BinFormat)]
struct S9 {
    #[binfmt(encode_with = f, as = u24)]
    x: u32,
}

fn main() {}
