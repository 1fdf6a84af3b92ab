use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S1 {
    #[binfmt(since = 2, if(true))]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S2 {
    #[binfmt(since = 2, with = m)]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S3 {
    #[binfmt(since = 2, decode_with = m)]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S4 {
    #[binfmt(since = 2, encode_with = m)]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S5 {
    #[binfmt(since = 2, nullable)]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S6 {
    #[binfmt(since = 2, bits(1, of = u8))]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S7 {
    #[binfmt(since = 2, len_of(a))]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S8 {
    #[binfmt(since = 2, calc(u8 = 1))]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S9 {
    #[binfmt(since = 2, checksum(f, over = ..))]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(columns, version = 1)]
struct S10 {
    #[binfmt(since = 2, columns)]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S11 {
    #[binfmt(until_version = 5, if(true))]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S12 {
    #[binfmt(until_version = 5, with = m)]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S13 {
    #[binfmt(until_version = 5, decode_with = m)]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S14 {
    #[binfmt(until_version = 5, encode_with = m)]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S15 {
    #[binfmt(until_version = 5, nullable)]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S16 {
    #[binfmt(until_version = 5, bits(1, of = u8))]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S17 {
    #[binfmt(until_version = 5, len_of(a))]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S18 {
    #[binfmt(until_version = 5, calc(u8 = 1))]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = 1)]
struct S19 {
    #[binfmt(until_version = 5, checksum(f, over = ..))]
    x: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(columns, version = 1)]
struct S20 {
    #[binfmt(until_version = 5, columns)]
    x: Option<u8>,
}

fn main() {}
