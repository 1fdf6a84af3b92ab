use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(with = m, nullable)]
    x: Option<u8>,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(with = m, if(true))]
    x: Option<u8>,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(with = m, endian = E)]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(with = m, pad_to = 4)]
    x: u8,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(with = m, nul)]
    x: String,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(with = m, text = utf8)]
    x: String,
}

#[derive(BinFormat)]
struct S7 {
    #[binfmt(with = m, bool_lax)]
    x: bool,
}

#[derive(BinFormat)]
struct S8<'a> {
    #[binfmt(with = m, borrow)]
    x: Cow<'a, str>,
}

#[derive(BinFormat)]
struct S9 {
    #[binfmt(with = m, as = u24)]
    x: u32,
}

fn main() {}
