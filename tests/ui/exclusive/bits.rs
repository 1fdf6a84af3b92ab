use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(bits(8, of = u8), as = u24)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(bits(8, of = u8), magic = 1u8)]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(bits(8, of = u8), tag_from = n)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S4 {
    #[binfmt(bits(8, of = u8), columns)]
    x: u8,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(bits(8, of = u8), nullable)]
    x: u8,
}

#[derive(BinFormat)]
struct S8 {
    #[binfmt(bits(8, of = u8), skip)]
    x: u8,
}

#[derive(BinFormat)]
struct S9 {
    #[binfmt(bits(8, of = u8), pad_before = 1)]
    x: u8,
}

#[derive(BinFormat)]
struct S10 {
    #[binfmt(bits(8, of = u8), pad_after = 1)]
    x: u8,
}

#[derive(BinFormat)]
struct S11 {
    #[binfmt(bits(8, of = u8), align_before = 4)]
    x: u8,
}

#[derive(BinFormat)]
struct S12 {
    #[binfmt(bits(8, of = u8), align_after = 4)]
    x: u8,
}

#[derive(BinFormat)]
struct S13 {
    #[binfmt(bits(8, of = u8), pad_to = 4)]
    x: u8,
}

#[derive(BinFormat)]
struct S15 {
    #[binfmt(bits(8, of = u8), each(list))]
    x: u8,
}

#[derive(BinFormat)]
struct S16 {
    #[binfmt(bits(8, of = u8), shape(u8, rank = 1))]
    x: u8,
}

#[derive(BinFormat)]
struct S17 {
    #[binfmt(bits(8, of = u8), region = 1)]
    x: u8,
}

#[derive(BinFormat)]
struct S18 {
    #[binfmt(bits(8, of = u8), len_of(y))]
    x: u8,
}

#[derive(BinFormat)]
struct S19 {
    #[binfmt(bits(8, of = u8), until = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S21 {
    #[binfmt(bits(8, of = u8), ends(b'|'))]
    x: u8,
}

#[derive(BinFormat)]
struct S22 {
    #[binfmt(bits(8, of = u8), if(true))]
    x: u8,
}

#[derive(BinFormat)]
struct S23 {
    #[binfmt(bits(8, of = u8), reserved(1))]
    x: u8,
}

#[derive(BinFormat)]
struct S24 {
    #[binfmt(bits(8, of = u8), with = m)]
    x: u8,
}

#[derive(BinFormat)]
struct S25 {
    #[binfmt(bits(8, of = u8), decode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S26 {
    #[binfmt(bits(8, of = u8), encode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S27 {
    #[binfmt(bits(8, of = u8), borrow)]
    x: u8,
}

#[derive(BinFormat)]
struct S28 {
    #[binfmt(bits(8, of = u8), args(1))]
    x: u8,
}

#[derive(BinFormat)]
struct S29 {
    #[binfmt(bits(8, of = u8), nul)]
    x: u8,
}

#[derive(BinFormat)]
struct S30 {
    #[binfmt(bits(8, of = u8), trim = b' ')]
    x: u8,
}

#[derive(BinFormat)]
struct S31 {
    #[binfmt(bits(8, of = u8), text = ascii)]
    x: u8,
}

#[derive(BinFormat)]
struct S32 {
    #[binfmt(bits(8, of = u8), bool_lax)]
    x: u8,
}

fn main() {}
