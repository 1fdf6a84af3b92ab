use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(offset_of(x, auto), var_len)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(offset_of(x, auto), length_prefixed(u8))]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(offset_of(x, auto), count = 1)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(offset_of(x, auto), each(x))]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(offset_of(x, auto), shape(u8))]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(offset_of(x, auto), until = f)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S7 {
    #[binfmt(offset_of(x, auto), until_eof)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S8 {
    #[binfmt(offset_of(x, auto), ends(0))]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S9 {
    #[binfmt(offset_of(x, auto), at = 1)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S10 {
    #[binfmt(offset_of(x, auto), len_of(n))]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S11 {
    #[binfmt(offset_of(x, auto), calc(u8 = 1))]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S12 {
    #[binfmt(offset_of(x, auto), checksum(f, over = ..))]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S13 {
    #[binfmt(offset_of(x, auto), map(decode = f, encode = f))]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S14 {
    #[binfmt(offset_of(x, auto), try_map(decode = f, encode = f))]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S15 {
    #[binfmt(offset_of(x, auto), nullable)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S16 {
    #[binfmt(offset_of(x, auto), if(true))]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S17 {
    #[binfmt(offset_of(x, auto), region = 1)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S18 {
    #[binfmt(offset_of(x, auto), pad_to = 1)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S19 {
    #[binfmt(offset_of(x, auto), reserved(1))]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S20 {
    #[binfmt(offset_of(x, auto), with = m)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S21 {
    #[binfmt(offset_of(x, auto), decode_with = f)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S22 {
    #[binfmt(offset_of(x, auto), encode_with = f)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S23 {
    #[binfmt(offset_of(x, auto), args(1))]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S24 {
    #[binfmt(offset_of(x, auto), tag_from = 1)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S25 {
    #[binfmt(offset_of(x, auto), nul)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S26 {
    #[binfmt(offset_of(x, auto), text = utf8)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S27 {
    #[binfmt(offset_of(x, auto), trim = 0)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S28 {
    #[binfmt(offset_of(x, auto), bits(8, of = u8))]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S29 {
    #[binfmt(offset_of(x, auto), bool_lax)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S30 {
    #[binfmt(offset_of(x, auto), borrow)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S31 {
    #[binfmt(offset_of(x, auto), columns)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S32 {
    #[binfmt(offset_of(x, auto), endian = e)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S33 {
    #[binfmt(offset_of(x, auto), assert(true))]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S34 {
    #[binfmt(offset_of(x, auto), range = 1..)]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
}

fn main() {}
