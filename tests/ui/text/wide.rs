use binfmt::BinFormat;
use std::borrow::Cow;

#[derive(BinFormat)]
struct Lent<'a> {
    #[binfmt(nul, text = utf16le)]
    x: &'a str,
    #[binfmt(var_len, text = utf32be, borrow)]
    y: Cow<'a, str>,
}

#[derive(BinFormat)]
struct Bytes {
    #[binfmt(var_len, text = utf16be)]
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct Ends {
    #[binfmt(ends(b'|'), text = utf16be)]
    x: String,
    #[binfmt(ends(b"|\0"), text = utf32le)]
    y: String,
    #[binfmt(ends(BAR), text = utf16le)]
    z: String,
}

const BAR: u8 = b'|';

#[derive(BinFormat)]
struct Filling {
    #[binfmt(count = 3, trim = 0xe9, text = utf16le)]
    x: String,
}

fn main() {}
