use binfmt::BinFormat;

#[derive(BinFormat)]
struct Bare {
    #[binfmt(offset_of)]
    bare: u8,
    #[binfmt(offset_of(x, bytes, auto))]
    bytes: u8,
    x: u8,
}

#[derive(BinFormat)]
struct Unknown {
    #[binfmt(offset_of(y, auto))]
    n: u8,
}

#[derive(BinFormat)]
struct NotThere {
    #[binfmt(offset_of(x, auto))]
    n: u8,
    #[binfmt(at = *n + 1)]
    x: u8,
}

#[derive(BinFormat)]
struct Used {
    #[binfmt(offset_of(x, auto))]
    n: u8,
    #[binfmt(at = n)]
    x: u8,
    #[binfmt(count = n)]
    y: Vec<u8>,
}

#[derive(BinFormat)]
struct Twice {
    #[binfmt(offset_of(x, auto))]
    n: u8,
    #[binfmt(offset_of(x, u8))]
    m: (),
    #[binfmt(at = n)]
    x: u8,
}

#[derive(BinFormat)]
struct Compared {
    #[binfmt(offset_of(z))]
    unknown: u8,
    #[binfmt(offset_of(own))]
    own: u8,
    #[binfmt(offset_of(y))]
    unit: (),
    #[binfmt(offset_of(x))]
    elsewhere: u8,
    #[binfmt(at = elsewhere)]
    x: u8,
    y: u8,
}

fn main() {}
