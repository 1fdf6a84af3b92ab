use binfmt::BinFormat;

mod std_io {
    use std::io::{Read, Result, Write};

    pub fn decode(_: &mut impl Read) -> Result<u8> {
        Ok(1)
    }

    pub fn encode(_: &u8, _: &mut impl Write) -> Result<()> {
        Ok(())
    }
}

#[derive(BinFormat)]
struct S {
    #[binfmt(with = std_io)]
    x: u8,
}

fn main() {}
