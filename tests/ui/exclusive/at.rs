use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    n: u8,
    #[binfmt(at = n, with = m)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    n: u8,
    #[binfmt(at = n, decode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    n: u8,
    #[binfmt(at = n, encode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    n: u8,
    #[binfmt(at = n, magic = b"a")]
    x: u8,
}

#[derive(BinFormat)]
struct S5 {
    n: u8,
    #[binfmt(at = n, skip(bytes = 2))]
    x: u8,
}

#[derive(BinFormat)]
struct S6 {
    n: u8,
    #[binfmt(at = n, pad_before = 1)]
    x: u8,
}

#[derive(BinFormat)]
struct S7 {
    n: u8,
    #[binfmt(at = n, pad_after = 1)]
    x: u8,
}

#[derive(BinFormat)]
struct S8 {
    n: u8,
    #[binfmt(at = n, align_before = 2)]
    x: u8,
}

#[derive(BinFormat)]
struct S9 {
    n: u8,
    #[binfmt(at = n, align_after = 2)]
    x: u8,
}

#[derive(BinFormat)]
struct S10 {
    n: u8,
    #[binfmt(at = n, reserved(2))]
    x: (),
}

#[derive(BinFormat)]
struct S11 {
    n: u8,
    #[binfmt(at = n, bits(8, of = u8))]
    x: u8,
}

#[derive(BinFormat)]
struct S12 {
    n: u8,
    #[binfmt(at = n, len_of(n))]
    x: u8,
}

#[derive(BinFormat)]
struct S13 {
    n: u8,
    #[binfmt(at = n, calc(u8 = 1))]
    x: (),
}

#[derive(BinFormat)]
struct S14 {
    n: u8,
    #[binfmt(at = n, checksum(f, over = ..))]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S15 {
    n: u8,
    #[binfmt(at = n, columns)]
    x: Inner,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S16 {
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(transparent)]
struct S17 {
    #[binfmt(at = 3)]
    x: u8,
}

fn main() {}
