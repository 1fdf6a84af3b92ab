use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(nul)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(text = utf16, var_len)]
    x: String,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(bool_lax)]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(text = utf8, var_len)]
    x: Vec<u16>,
}

fn main() {}
