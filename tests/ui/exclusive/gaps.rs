use binfmt::{BinFormat, Gaps};

#[derive(BinFormat)]
struct S1 {
    #[binfmt(gaps, var_len)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(gaps, length_prefixed(u8))]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(gaps, count = 1)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(gaps, each(list))]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(gaps, shape(u8, rank = 1))]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(gaps, until = f)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S7 {
    #[binfmt(gaps, until_eof)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S8 {
    #[binfmt(gaps, ends(b'|'))]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S9 {
    #[binfmt(gaps, at = 1)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S10 {
    #[binfmt(gaps, region = 1)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S11 {
    #[binfmt(gaps, nullable)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S12 {
    #[binfmt(gaps, if(true))]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S13 {
    #[binfmt(gaps, since = 1)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S14 {
    #[binfmt(gaps, until_version = 1)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S15 {
    #[binfmt(gaps, map(decode = f, encode = f))]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S16 {
    #[binfmt(gaps, try_map(decode = f, encode = f))]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S17 {
    #[binfmt(gaps, args(1))]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S18 {
    #[binfmt(gaps, tag_from = 1)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S19 {
    #[binfmt(gaps, pad_to = 1)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S20 {
    #[binfmt(gaps, nul)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S21 {
    #[binfmt(gaps, text = utf8)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S22 {
    #[binfmt(gaps, trim = 0)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S23 {
    #[binfmt(gaps, borrow)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S24 {
    #[binfmt(gaps, as = u24)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S25 {
    #[binfmt(gaps, columns)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S26 {
    #[binfmt(gaps, le)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S27 {
    #[binfmt(gaps, be)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S28 {
    #[binfmt(gaps, endian = e)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S29 {
    #[binfmt(gaps, magic = b"a")]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S30 {
    #[binfmt(gaps, skip)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S31 {
    #[binfmt(gaps, pad_before = 1)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S32 {
    #[binfmt(gaps, pad_after = 1)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S33 {
    #[binfmt(gaps, align_before = 1)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S34 {
    #[binfmt(gaps, align_after = 1)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S35 {
    #[binfmt(gaps, with = m)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S36 {
    #[binfmt(gaps, decode_with = f)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S37 {
    #[binfmt(gaps, encode_with = f)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S38 {
    #[binfmt(gaps, bool_lax)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S39 {
    #[binfmt(gaps, bits(1))]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S40 {
    #[binfmt(gaps, offset_of(x, auto))]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S41 {
    #[binfmt(gaps, calc(u8 = 1))]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S42 {
    #[binfmt(gaps, checksum(f))]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S43 {
    #[binfmt(gaps, reserved(1))]
    gaps: Gaps,
}


#[derive(BinFormat)]
struct S44 {
    #[binfmt(gaps, peek)]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S45 {
    #[binfmt(gaps, process(decode = f, encode = g))]
    gaps: Gaps,
}

#[derive(BinFormat)]
struct S46 {
    #[binfmt(gaps, optional_tail)]
    gaps: Gaps,
}

fn main() {}
