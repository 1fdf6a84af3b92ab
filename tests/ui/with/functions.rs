use binfmt::BinFormat;

mod half {
    use binfmt::{Order, Result, Source};

    pub fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<u8> {
        src.array::<1>().map(|[n]| n)
    }
}

#[derive(BinFormat)]
struct NoEncode {
    #[binfmt(with = half)]
    x: u8,
}

mod other {
    use binfmt::{Order, Result, Sink, Source};

    pub fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<u16> {
        src.array::<2>().map(u16::from_le_bytes)
    }

    pub fn encode<O: Order, W: Sink>(n: &u16, out: &mut W) -> Result<()> {
        out.array(n.to_le_bytes())
    }
}

#[derive(BinFormat)]
struct AnotherType {
    #[binfmt(with = other)]
    x: u8,
}

fn main() {}
