use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(checksum(f), assert(true))]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(checksum(f), range = 1..=2)]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(checksum(f), calc(u8 = 1))]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(checksum(f), len_of(y))]
    x: u8,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(checksum(f), map(decode = f, encode = f))]
    x: u8,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(checksum(f), try_map(decode = f, encode = f))]
    x: u8,
}

#[derive(BinFormat)]
struct S7 {
    #[binfmt(checksum(f), nullable)]
    x: u8,
}

#[derive(BinFormat)]
struct S8 {
    #[binfmt(checksum(f), if(true))]
    x: u8,
}

#[derive(BinFormat)]
struct S9 {
    #[binfmt(checksum(f), region = 1)]
    x: u8,
}

#[derive(BinFormat)]
struct S10 {
    #[binfmt(checksum(f), pad_to = 4)]
    x: u8,
}

#[derive(BinFormat)]
struct S11 {
    #[binfmt(checksum(f), reserved(1))]
    x: u8,
}

#[derive(BinFormat)]
struct S12 {
    #[binfmt(checksum(f), with = m)]
    x: u8,
}

#[derive(BinFormat)]
struct S13 {
    #[binfmt(checksum(f), decode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S14 {
    #[binfmt(checksum(f), encode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S15 {
    #[binfmt(checksum(f), args(1))]
    x: u8,
}

#[derive(BinFormat)]
struct S16 {
    #[binfmt(checksum(f), tag_from = 1)]
    x: u8,
}

#[derive(BinFormat)]
struct S17 {
    #[binfmt(checksum(f), nul)]
    x: u8,
}

#[derive(BinFormat)]
struct S18 {
    #[binfmt(checksum(f), text = utf8)]
    x: u8,
}

#[derive(BinFormat)]
struct S19 {
    #[binfmt(checksum(f), bool_lax)]
    x: u8,
}

#[derive(BinFormat)]
struct S20 {
    #[binfmt(checksum(f), borrow)]
    x: u8,
}

#[derive(BinFormat)]
struct S21 {
    #[binfmt(checksum(f), as = u24)]
    x: u8,
}

#[derive(BinFormat)]
struct S22 {
    #[binfmt(checksum(f), columns)]
    x: u8,
}

#[derive(BinFormat)]
struct S23 {
    #[binfmt(checksum(f), var_len)]
    x: u8,
}

#[derive(BinFormat)]
struct S24 {
    #[binfmt(checksum(f), length_prefixed(u8))]
    x: u8,
}

#[derive(BinFormat)]
struct S25 {
    #[binfmt(checksum(f), count = 1)]
    x: u8,
}

#[derive(BinFormat)]
struct S26 {
    #[binfmt(checksum(f), each(y))]
    x: u8,
}

#[derive(BinFormat)]
struct S27 {
    #[binfmt(checksum(f), shape(u8))]
    x: u8,
}

#[derive(BinFormat)]
struct S28 {
    #[binfmt(checksum(f), until = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S29 {
    #[binfmt(checksum(f), until_eof)]
    x: u8,
}

#[derive(BinFormat)]
struct S41 {
    #[binfmt(checksum(f), trim = b' ')]
    x: u8,
}

#[derive(BinFormat)]
struct S42 {
    #[binfmt(checksum(f), bits(8, of = u8))]
    x: u8,
}

#[derive(BinFormat)]
struct S43 {
    #[binfmt(checksum(f), ends(b'|'))]
    x: u8,
}

fn main() {}
