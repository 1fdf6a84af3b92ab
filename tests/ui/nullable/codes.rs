use binfmt::BinFormat;

#[derive(BinFormat)]
struct A {
    #[binfmt(nullable(present = 300))]
    a: Option<u8>,
    #[binfmt(nullable(missing = 0x100))]
    b: Option<u8>,
    #[binfmt(nullable(missing = 0..=256))]
    c: Option<u8>,
    #[binfmt(pad_to = 4, fill = 256)]
    d: u8,
}

fn main() {}
