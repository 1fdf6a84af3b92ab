use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum A {
    X,
    #[binfmt(tag = 0)]
    Y,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum B {
    X,
    #[binfmt(other)]
    Y,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum C {
    #[binfmt(tag(1..=4))]
    X(u16),
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum D {
    #[binfmt(other)]
    X(u8),
    #[binfmt(other)]
    Y(u8),
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum E {
    #[binfmt(tag = 3)]
    X,
    #[binfmt(tag = 0x3)]
    Y,
}

fn main() {}
