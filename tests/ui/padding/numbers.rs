use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(align_before = 0)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    n: u8,
    #[binfmt(pad_before = usize::from(*n))]
    x: u8,
}

#[derive(BinFormat)]
struct S3 {
    n: u8,
    #[binfmt(skip(bytes = n))]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(ctx(n: usize))]
struct S4 {
    #[binfmt(pad_to = n)]
    x: u8,
}

#[derive(BinFormat)]
struct S5 {
    #[binfmt(pad_after = -(1))]
    x: u8,
}

fn main() {}
