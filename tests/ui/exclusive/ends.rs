use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(ends(b'|'), as = u24)]
    x: String,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S2 {
    #[binfmt(ends(b'|'), columns)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(ends(b'|'), var_len)]
    x: String,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(ends(b'|'), length_prefixed(u8))]
    x: String,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(ends(b'|'), count = 1)]
    x: String,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(ends(b'|'), each(list))]
    x: String,
}

#[derive(BinFormat)]
struct S7 {
    #[binfmt(ends(b'|'), shape(u8, rank = 1))]
    x: String,
}

#[derive(BinFormat)]
struct S8 {
    #[binfmt(ends(b'|'), until = f)]
    x: String,
}

#[derive(BinFormat)]
struct S9 {
    #[binfmt(ends(b'|'), until_eof)]
    x: String,
}

#[derive(BinFormat)]
struct S10 {
    #[binfmt(ends(b'|'), reserved(1))]
    x: String,
}

#[derive(BinFormat)]
struct S11 {
    #[binfmt(ends(b'|'), with = m)]
    x: String,
}

#[derive(BinFormat)]
struct S12 {
    #[binfmt(ends(b'|'), decode_with = f)]
    x: String,
}

#[derive(BinFormat)]
struct S13 {
    #[binfmt(ends(b'|'), encode_with = f)]
    x: String,
}

#[derive(BinFormat)]
struct S14 {
    #[binfmt(ends(b'|'), nul)]
    x: String,
}

#[derive(BinFormat)]
struct S15 {
    #[binfmt(ends(b'|'), bool_lax)]
    x: String,
}

fn main() {}
