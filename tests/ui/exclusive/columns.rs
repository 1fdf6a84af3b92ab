use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(columns, ctx(n: u8))]
struct S0 {
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S4 {
    #[binfmt(columns, each(0..3))]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S5 {
    #[binfmt(columns, until = f)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S7 {
    #[binfmt(columns, with = m)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S8 {
    #[binfmt(columns, decode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S9 {
    #[binfmt(columns, encode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S10 {
    #[binfmt(columns, map(decode = f, encode = g))]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S11 {
    #[binfmt(columns, try_map(decode = f, encode = g))]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S12 {
    #[binfmt(columns, nullable)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S13 {
    #[binfmt(columns, if(true))]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S14 {
    #[binfmt(columns, pad_to = 8)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S15 {
    #[binfmt(columns, reserved(2))]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S16 {
    #[binfmt(columns, endian = e)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S17 {
    #[binfmt(columns, args(1))]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S18 {
    #[binfmt(columns, tag_from = 1)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S19 {
    #[binfmt(columns, nul)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S20 {
    #[binfmt(columns, text = ascii)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S21 {
    #[binfmt(columns, bool_lax)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S22 {
    #[binfmt(columns, borrow)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(columns)]
struct S23 {
    #[binfmt(columns, len_of(y))]
    x: u8,
}

fn main() {}
