use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    n: u8,
    #[binfmt(optional_tail, with = m)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    n: u8,
    #[binfmt(optional_tail, decode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    n: u8,
    #[binfmt(optional_tail, encode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    n: u8,
    #[binfmt(optional_tail, if(*n > 0))]
    x: u8,
}

#[derive(BinFormat)]
struct S5 {
    n: u8,
    #[binfmt(optional_tail, since = 2)]
    x: u8,
}

#[derive(BinFormat)]
struct S6 {
    n: u8,
    #[binfmt(optional_tail, until_version = 5)]
    x: u8,
}

#[derive(BinFormat)]
struct S7 {
    n: u8,
    #[binfmt(optional_tail, nullable)]
    x: u8,
}

#[derive(BinFormat)]
struct S8 {
    n: u8,
    #[binfmt(optional_tail, magic = b"a")]
    x: u8,
}

#[derive(BinFormat)]
struct S9 {
    n: u8,
    #[binfmt(optional_tail, skip(bytes = 2))]
    x: u8,
}

#[derive(BinFormat)]
struct S10 {
    n: u8,
    #[binfmt(optional_tail, pad_before = 1)]
    x: u8,
}

#[derive(BinFormat)]
struct S11 {
    n: u8,
    #[binfmt(optional_tail, pad_after = 1)]
    x: u8,
}

#[derive(BinFormat)]
struct S12 {
    n: u8,
    #[binfmt(optional_tail, align_before = 2)]
    x: u8,
}

#[derive(BinFormat)]
struct S13 {
    n: u8,
    #[binfmt(optional_tail, align_after = 2)]
    x: u8,
}

#[derive(BinFormat)]
struct S14 {
    n: u8,
    #[binfmt(optional_tail, reserved(2))]
    x: u8,
}

#[derive(BinFormat)]
struct S15 {
    n: u8,
    #[binfmt(optional_tail, at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S16 {
    n: u8,
    #[binfmt(optional_tail, bits(8, of = u8))]
    x: u8,
}

#[derive(BinFormat)]
struct S17 {
    n: u8,
    #[binfmt(optional_tail, map(decode = f, encode = g))]
    x: u8,
}

#[derive(BinFormat)]
struct S18 {
    n: u8,
    #[binfmt(optional_tail, try_map(decode = f, encode = g))]
    x: u8,
}

#[derive(BinFormat)]
struct S19 {
    n: u8,
    #[binfmt(optional_tail, len_of(n))]
    x: u8,
}

#[derive(BinFormat)]
struct S20 {
    n: u8,
    #[binfmt(optional_tail, offset_of(n, auto))]
    x: u8,
}

#[derive(BinFormat)]
struct S21 {
    n: u8,
    #[binfmt(optional_tail, calc(u8 = 1))]
    x: u8,
}

#[derive(BinFormat)]
struct S22 {
    n: u8,
    #[binfmt(optional_tail, checksum(f, over = n..))]
    x: u8,
}

#[derive(BinFormat)]
struct S23 {
    n: u8,
    #[binfmt(optional_tail, columns)]
    x: u8,
}

fn main() {}
