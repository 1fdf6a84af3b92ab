use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(skip = 4)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(skip(4))]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    #[binfmt(default = 3)]
    x: u8,
}

#[derive(BinFormat)]
struct S4 {
    #[binfmt(fill = 3)]
    x: u8,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(strict)]
    x: u8,
}

#[derive(BinFormat)]
struct S6 {
    #[binfmt(size(1, 2))]
    x: u8,
}

fn main() {}
