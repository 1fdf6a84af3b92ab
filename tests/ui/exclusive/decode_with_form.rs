use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(decode_with = f, nullable)]
    x: Option<u8>,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(decode_with = f, if(true))]
    x: Option<u8>,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(decode_with = f, endian = E)]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(decode_with = f, pad_to = 4)]
    x: u8,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(decode_with = f, nul)]
    x: String,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(decode_with = f, text = utf8)]
    x: String,
}

#[derive(BinFormat)]
struct S7 {
    #[binfmt(decode_with = f, bool_lax)]
    x: bool,
}

#[derive(BinFormat)]
struct S8<'a> {
    #[binfmt(decode_with = f, borrow)]
    x: Cow<'a, str>,
}

#[derive(BinFormat)]
struct S9 {
    #[binfmt(decode_with = f, as = u24)]
    x: u32,
}

fn main() {}
