use binfmt::BinFormat;

#[derive(BinFormat)]
#[binfmt(fingerprint)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(BinFormat)]
#[binfmt(fingerprint = 0x55ad63f4a6fe5001)]
struct Line {
    from: Point,
    to: Point,
}

#[derive(BinFormat)]
struct Plain {
    x: i32,
}

#[derive(BinFormat)]
#[binfmt(fingerprint = 1)]
struct Inside {
    plain: Plain,
}

mod codec {
    use binfmt::{Decode, Order, Result, Sink, Source};
    pub(super) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<u8> {
        u8::decode::<O, S>(src, ())
    }
    pub(super) fn encode<O: Order, W: Sink>(v: &u8, out: &mut W) -> Result<()> {
        out.array([*v])
    }
}

#[derive(BinFormat)]
#[binfmt(fingerprint = 1)]
struct Opaque {
    #[binfmt(with = codec)]
    x: u8,
}

const NAME: &str = "a";

#[derive(BinFormat)]
#[binfmt(fingerprint = 1)]
struct Text {
    #[binfmt(until = |_: &u8| NAME.is_empty())]
    x: Vec<u8>,
    #[binfmt(if(x.len() == NAME.len()))]
    y: Option<u8>,
}

fn main() {}
