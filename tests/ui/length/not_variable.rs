use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(var_len)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(count = 3)]
    x: [u8; 3],
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(length_prefixed = u32)]
    x: String,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(length_prefixed(u32, nul))]
    x: String,
}

fn main() {}
