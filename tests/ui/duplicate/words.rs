use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(var_len, var_len)]
    x: String,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(count = 1)]
    #[binfmt(count = 2)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(le, little)]
    x: u8,
}

fn main() {}
