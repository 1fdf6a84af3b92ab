use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    n: u8,
    #[binfmt(peek, with = m)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    n: u8,
    #[binfmt(peek, decode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    n: u8,
    #[binfmt(peek, encode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    n: u8,
    #[binfmt(peek, magic = b"a")]
    x: u8,
}

#[derive(BinFormat)]
struct S5 {
    n: u8,
    #[binfmt(peek, skip(bytes = 2))]
    x: u8,
}

#[derive(BinFormat)]
struct S6 {
    n: u8,
    #[binfmt(peek, pad_before = 1)]
    x: u8,
}

#[derive(BinFormat)]
struct S7 {
    n: u8,
    #[binfmt(peek, pad_after = 1)]
    x: u8,
}

#[derive(BinFormat)]
struct S8 {
    n: u8,
    #[binfmt(peek, align_before = 2)]
    x: u8,
}

#[derive(BinFormat)]
struct S9 {
    n: u8,
    #[binfmt(peek, align_after = 2)]
    x: u8,
}

#[derive(BinFormat)]
struct S10 {
    n: u8,
    #[binfmt(peek, reserved(2))]
    x: u8,
}

#[derive(BinFormat)]
struct S11 {
    n: u8,
    #[binfmt(peek, bits(8, of = u8))]
    x: u8,
}

#[derive(BinFormat)]
struct S12 {
    n: u8,
    #[binfmt(peek, len_of(n))]
    x: u8,
}

#[derive(BinFormat)]
struct S13 {
    n: u8,
    #[binfmt(peek, offset_of(n, auto))]
    x: u8,
}

#[derive(BinFormat)]
struct S14 {
    n: u8,
    #[binfmt(peek, calc(u8 = 1))]
    x: u8,
}

#[derive(BinFormat)]
struct S15 {
    n: u8,
    #[binfmt(peek, checksum(f, over = n..))]
    x: u8,
}

#[derive(BinFormat)]
struct S16 {
    n: u8,
    #[binfmt(peek, map(decode = f, encode = g))]
    x: u8,
}

#[derive(BinFormat)]
struct S17 {
    n: u8,
    #[binfmt(peek, try_map(decode = f, encode = g))]
    x: u8,
}

#[derive(BinFormat)]
struct S18 {
    n: u8,
    #[binfmt(peek, columns)]
    x: u8,
}

#[derive(BinFormat)]
struct S19 {
    n: u8,
    #[binfmt(peek, at = n)]
    x: u8,
}

fn main() {}
