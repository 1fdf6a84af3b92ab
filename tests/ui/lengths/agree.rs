//! Numbers that never agree with what they are the length of.

use binfmt::BinFormat;

#[derive(BinFormat)]
struct Elements {
    #[binfmt(len_of(values, u8))]
    num: (),
    #[binfmt(region = num, until_eof)]
    values: Vec<u16>,
}

#[derive(BinFormat)]
struct Bytes {
    #[binfmt(len_of(values, u8, bytes))]
    len: (),
    #[binfmt(count = len)]
    values: Vec<u16>,
}

#[derive(BinFormat)]
struct More {
    #[binfmt(len_of(bytes, bytes, auto, plus = 4))]
    len: u8,
    #[binfmt(region = *len, until_eof)]
    bytes: Vec<u8>,
}

#[derive(BinFormat)]
struct Crossed {
    #[binfmt(len_of(a, u8))]
    num_a: (),
    #[binfmt(len_of(b, u8))]
    num_b: (),
    #[binfmt(count = num_b)]
    a: Vec<u8>,
    #[binfmt(count = num_a)]
    b: Vec<u8>,
}

#[derive(BinFormat)]
struct Inside {
    #[binfmt(len_of(header.names, u8))]
    num: (),
    header: Header,
}

#[derive(BinFormat)]
struct Header {
    #[binfmt(until_eof)]
    names: Vec<u8>,
}

#[derive(BinFormat)]
struct Each {
    num: u8,
    #[binfmt(each(num))]
    values: Vec<u8>,
}

#[derive(BinFormat)]
#[binfmt(ctx(num: &u16))]
struct EachOf {
    #[binfmt(each(*num))]
    values: Vec<u8>,
}

fn main() {}
