use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(length_prefixed(f32))]
    x: String,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(length_prefixed(usize))]
    x: String,
}

#[derive(BinFormat)]
#[binfmt(len = f64)]
struct S(u8);

#[derive(BinFormat)]
struct S3 {
    #[binfmt(length_prefixed(u128))]
    x: String,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(len_of(x))]
    n: i128,
    #[binfmt(count = n)]
    x: Vec<u8>,
}

fn main() {}
