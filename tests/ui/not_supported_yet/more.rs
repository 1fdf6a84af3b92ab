use binfmt::BinFormat;

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
