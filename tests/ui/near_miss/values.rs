use binfmt::{BinFormat, Endian};

#[derive(BinFormat)]
#[binfmt(version = v)]
struct Until {
    v: u8,
    #[binfmt(until = 2)]
    old: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(magic = b"AB", magic = b"CD")]
struct Magics {
    v: u8,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Twice {
    #[binfmt(tag = 1, tag = 2)]
    A,
    B,
}

#[derive(BinFormat)]
struct Parentheses {
    #[binfmt(assert = a == 3)]
    a: u8,
    #[binfmt(bits = 4)]
    b: u8,
    #[binfmt(ends = 0)]
    c: Vec<u8>,
    #[binfmt(bits(4, of = 8))]
    d: u8,
    #[binfmt(skip = 3)]
    e: u8,
}

#[derive(BinFormat)]
struct Parts {
    #[binfmt(align = 4)]
    a: u8,
    #[binfmt(pad = 3)]
    b: u8,
    #[binfmt(big_endian)]
    c: u16,
}

#[derive(BinFormat)]
struct Values {
    #[binfmt(range = 5)]
    a: u8,
    #[binfmt(endian = big)]
    b: u16,
    #[binfmt(count = self.a)]
    c: Vec<u8>,
    #[binfmt(bits(9, of = u8))]
    d: u16,
}

#[derive(BinFormat)]
#[binfmt(endian = little)]
struct Order {
    a: u16,
}

#[derive(BinFormat)]
#[binfmt(ctx(n))]
struct Untyped {
    #[binfmt(count = n)]
    a: Vec<u8>,
}

#[derive(BinFormat)]
#[binfmt(tag_from = kind)]
enum Unknown {
    #[binfmt(tag = 1)]
    A,
}

// these are names that there are
#[derive(BinFormat)]
#[binfmt(ctx(big: Endian), endian = big)]
struct Known {
    a: u16,
}

fn main() {}
