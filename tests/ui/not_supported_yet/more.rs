use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(since)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(until_version)]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(version)]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(schema)]
    x: u8,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(max_size)]
    x: u8,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(fixed)]
    x: u8,
}

fn main() {}
