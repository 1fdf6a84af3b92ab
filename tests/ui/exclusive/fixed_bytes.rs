use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(magic = b"x", reserved(3))]
    x: (),
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(pad_before = 1, skip(bytes = 2))]
    x: u8,
}

fn main() {}
