use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(bool_lax, var_len)]
    x: bool,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(bool_lax, length_prefixed(u8))]
    x: bool,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(bool_lax, count = 3)]
    x: bool,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(bool_lax, each(0..3))]
    x: bool,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(bool_lax, until = f)]
    x: bool,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(bool_lax, until_eof)]
    x: bool,
}

fn main() {}
