use binfmt::{BinFormat, Nullable};

#[derive(BinFormat)]
struct S1 {
    #[binfmt(nullable)]
    x: u32,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(nullable, var_len)]
    x: String,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(if(true))]
    x: u32,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(if(true))]
    x: Nullable<u8>,
}

#[derive(BinFormat)]
struct T {
    x: Option<u8>,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(nullable(absent))]
    x: Option<u8>,
}

fn main() {}
