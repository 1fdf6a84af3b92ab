use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), with = m)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), decode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), encode_with = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), var_len)]
    x: u8,
}

#[derive(BinFormat)]
struct S5 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), count = 2)]
    x: u8,
}

#[derive(BinFormat)]
struct S6 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), each(x))]
    x: u8,
}

#[derive(BinFormat)]
struct S7 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), shape(u8, rank = 1))]
    x: u8,
}

#[derive(BinFormat)]
struct S8 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), until = f)]
    x: u8,
}

#[derive(BinFormat)]
struct S9 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), ends(0))]
    x: u8,
}

#[derive(BinFormat)]
struct S10 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), bits(8, of = u8))]
    x: u8,
}

#[derive(BinFormat)]
struct S11 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), reserved(2))]
    x: u8,
}

#[derive(BinFormat)]
struct S12 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), bool_lax)]
    x: u8,
}

#[derive(BinFormat)]
struct S13 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), borrow)]
    x: u8,
}

#[derive(BinFormat)]
struct S14 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), len_of(n))]
    x: u8,
}

#[derive(BinFormat)]
struct S15 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), offset_of(n, auto))]
    x: u8,
}

#[derive(BinFormat)]
struct S16 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), calc(u8 = 1))]
    x: u8,
}

#[derive(BinFormat)]
struct S17 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), checksum(f, over = n..))]
    x: u8,
}

#[derive(BinFormat)]
struct S18 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), peek)]
    x: u8,
}

#[derive(BinFormat)]
struct S19 {
    n: u8,
    #[binfmt(process(decode = f, encode = g), columns)]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(process(decode = f, encode = g), transparent)]
struct C1(u8);

#[derive(BinFormat)]
#[binfmt(process(decode = f, encode = g), fingerprint)]
struct C2(u8);

#[derive(BinFormat)]
#[binfmt(process(decode = f, encode = g), size = 1)]
struct C3(u8);

#[derive(BinFormat)]
#[binfmt(process(decode = f, encode = g), schema = "schema/row.txt")]
struct C4(u8);

fn main() {}
