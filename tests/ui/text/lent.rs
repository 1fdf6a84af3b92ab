use binfmt::BinFormat;
use std::borrow::Cow;

#[derive(BinFormat)]
struct S1<'a> {
    #[binfmt(nul, text = latin1)]
    x: &'a str,
}

#[derive(BinFormat)]
struct S2<'a> {
    #[binfmt(nul, text = latin1, borrow)]
    x: Cow<'a, str>,
}

fn main() {}
