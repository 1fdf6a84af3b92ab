use binfmt::BinFormat;

#[derive(BinFormat)]
struct Positional {
    flags: u8,
    #[binfmt(if(*flags == 1, 0))]
    x: u8,
}

#[derive(BinFormat)]
struct Missing {
    flags: u8,
    #[binfmt(if(*flags == 1))]
    x: u8,
}

#[derive(BinFormat)]
struct Optional {
    flags: u8,
    #[binfmt(if(*flags == 1, else = None))]
    x: Option<u8>,
}

#[derive(BinFormat)]
struct Later {
    flags: u8,
    #[binfmt(if(*flags == 1, else = *y))]
    x: u8,
    y: u8,
}

#[derive(BinFormat)]
struct OtherType {
    flags: u8,
    #[binfmt(if(*flags == 1, else = "0"))]
    x: u8,
}

#[derive(BinFormat)]
struct More {
    flags: u8,
    #[binfmt(if(*flags == 1, else = 0, 1))]
    x: u8,
}

fn main() {}
