use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(untagged)]
enum Tags {
    #[binfmt(tag = 1)]
    A(u8),
    #[binfmt(other)]
    B(u16),
}

#[derive(BinFormat)]
#[binfmt(untagged)]
enum Never {
    A(u8),
    Nothing,
    B(u16),
}

#[derive(BinFormat)]
#[binfmt(untagged)]
struct S {
    n: u8,
}

#[derive(BinFormat)]
#[binfmt(untagged = 3)]
enum Value {
    A(u8),
}

fn main() {}
