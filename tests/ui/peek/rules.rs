use binfmt::BinFormat;

#[derive(BinFormat)]
struct Value {
    #[binfmt(peek = 3)]
    n: u8,
}

#[derive(BinFormat)]
#[binfmt(transparent)]
struct Only(#[binfmt(peek)] u8);

#[derive(BinFormat)]
#[binfmt(columns)]
struct Row {
    #[binfmt(peek)]
    next: u8,
    n: u8,
}

#[derive(BinFormat)]
#[binfmt(tag(peek f32))]
enum Float {
    #[binfmt(tag = 1)]
    A,
}

#[derive(BinFormat)]
#[binfmt(tag(peek))]
enum Bare {
    #[binfmt(tag = 1)]
    A,
}

fn main() {}
