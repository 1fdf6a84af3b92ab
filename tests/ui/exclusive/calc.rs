use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(calc(u8 = 1), len_of(y))]
    x: (),
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(calc(u8 = 1), map(decode = f, encode = f))]
    x: (),
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(calc(u8 = 1), try_map(decode = f, encode = f))]
    x: (),
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(calc(u8 = 1), nullable)]
    x: (),
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(calc(u8 = 1), if(true))]
    x: (),
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(calc(u8 = 1), region = 1)]
    x: (),
}

#[derive(BinFormat)]
struct S7 {
    #[binfmt(calc(u8 = 1), pad_to = 4)]
    x: (),
}

#[derive(BinFormat)]
struct S8 {
    #[binfmt(calc(u8 = 1), reserved(1))]
    x: (),
}

#[derive(BinFormat)]
struct S9 {
    #[binfmt(calc(u8 = 1), with = m)]
    x: (),
}

#[derive(BinFormat)]
struct S10 {
    #[binfmt(calc(u8 = 1), decode_with = f)]
    x: (),
}

#[derive(BinFormat)]
struct S11 {
    #[binfmt(calc(u8 = 1), encode_with = f)]
    x: (),
}

#[derive(BinFormat)]
struct S12 {
    #[binfmt(calc(u8 = 1), args(1))]
    x: (),
}

#[derive(BinFormat)]
struct S13 {
    #[binfmt(calc(u8 = 1), tag_from = 1)]
    x: (),
}

#[derive(BinFormat)]
struct S14 {
    #[binfmt(calc(u8 = 1), nul)]
    x: (),
}

#[derive(BinFormat)]
struct S15 {
    #[binfmt(calc(u8 = 1), text = utf8)]
    x: (),
}

#[derive(BinFormat)]
struct S16 {
    #[binfmt(calc(u8 = 1), bool_lax)]
    x: (),
}

#[derive(BinFormat)]
struct S17 {
    #[binfmt(calc(u8 = 1), borrow)]
    x: (),
}

#[derive(BinFormat)]
struct S18 {
    #[binfmt(calc(u8 = 1), as = u24)]
    x: (),
}

#[derive(BinFormat)]
struct S19 {
    #[binfmt(calc(u8 = 1), columns)]
    x: (),
}

#[derive(BinFormat)]
struct S20 {
    #[binfmt(calc(u8 = 1), var_len)]
    x: (),
}

#[derive(BinFormat)]
struct S21 {
    #[binfmt(calc(u8 = 1), length_prefixed(u8))]
    x: (),
}

#[derive(BinFormat)]
struct S22 {
    #[binfmt(calc(u8 = 1), count = 1)]
    x: (),
}

#[derive(BinFormat)]
struct S23 {
    #[binfmt(calc(u8 = 1), each(y))]
    x: (),
}

#[derive(BinFormat)]
struct S24 {
    #[binfmt(calc(u8 = 1), shape(u8))]
    x: (),
}

#[derive(BinFormat)]
struct S25 {
    #[binfmt(calc(u8 = 1), until = f)]
    x: (),
}

#[derive(BinFormat)]
struct S26 {
    #[binfmt(calc(u8 = 1), until_eof)]
    x: (),
}

#[derive(BinFormat)]
struct S27 {
    #[binfmt(len_of(y, u8), reserved(1))]
    x: (),
    y: u8,
}

#[derive(BinFormat)]
struct S41 {
    #[binfmt(calc(u8 = 1), trim = b' ')]
    x: (),
}

#[derive(BinFormat)]
struct S42 {
    #[binfmt(calc(u8 = 1), bits(8, of = u8))]
    x: (),
}

#[derive(BinFormat)]
struct S43 {
    #[binfmt(calc(u8 = 1), ends(b'|'))]
    x: (),
}

fn main() {}
