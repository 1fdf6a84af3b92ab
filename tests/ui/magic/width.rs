use binfmt::BinFormat;

#[derive(BinFormat)]
struct S1 {
    #[binfmt(magic = 7)]
    x: u8,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(magic = "RIFF")]
    x: u8,
}

#[derive(BinFormat)]
#[binfmt(magic = 1.5)]
struct S(u8);

fn main() {}
