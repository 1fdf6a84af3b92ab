use binfmt::BinFormat;
use std::borrow::Cow;

#[derive(BinFormat)]
struct T0 {
    x: Vec<u8>,
}

#[derive(BinFormat)]
struct T1 {
    x: String,
}

#[derive(BinFormat)]
struct T2<'a> {
    x: &'a str,
}

#[derive(BinFormat)]
struct T3<'a> {
    x: &'a [u8],
}

#[derive(BinFormat)]
struct T4<'a> {
    x: Cow<'a, str>,
}

#[derive(BinFormat)]
struct T5 {
    x: Box<str>,
}

#[derive(BinFormat)]
struct S1 {
    #[binfmt(nullable)]
    x: Option<String>,
}

#[derive(BinFormat)]
struct S2 {
    #[binfmt(length_prefixed(u32))]
    x: Vec<String>,
}

fn main() {}
