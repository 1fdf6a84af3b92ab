use binfmt::BinFormat;

#[derive(BinFormat)]
struct Rest {
    #[binfmt(until_eof)]
    bytes: Vec<u8>,
}

#[derive(BinFormat)]
struct Middle {
    n: u8,
    rest: Rest,
}

#[derive(BinFormat)]
struct Outer {
    middle: Middle,
    crc: u32,
}

#[derive(BinFormat)]
struct Boxed {
    middle: Box<Middle>,
    crc: u32,
}

#[derive(BinFormat)]
struct Sometimes {
    has: bool,
    #[binfmt(if(*has))]
    rest: Option<Rest>,
    crc: u32,
}

#[derive(BinFormat)]
struct Padded {
    #[binfmt(nullable(present = 1, missing = 0, body = absent))]
    rest: Option<Rest>,
    #[binfmt(pad_before = 2)]
    last: (),
}

#[derive(BinFormat)]
struct InTuple {
    pair: (u8, Rest),
    crc: u32,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Variant {
    None,
    Some { rest: Rest, crc: u32 },
}

#[derive(BinFormat)]
struct OfEnum {
    any: Any,
    crc: u32,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Any {
    None,
    Some(Rest),
}

#[derive(BinFormat)]
struct Lifetime<'a> {
    rest: Lent<'a>,
    crc: u32,
}

#[derive(BinFormat)]
struct Lent<'a> {
    #[binfmt(until_eof)]
    bytes: &'a [u8],
}

fn main() {}
