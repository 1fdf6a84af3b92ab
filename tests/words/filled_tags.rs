//! A tag that lies elsewhere and is no field: `calc` fills it in from the variant, for tags of any type.

use crate::support::wire::same;
use binfmt::{BinFormat, Tagged, from_slice, to_vec};

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be)]
struct Chunk {
    #[binfmt(len_of(body, u32, bytes))]
    len: (),
    #[binfmt(calc([u8; 4] = body.tag()))]
    kind: (),
    #[binfmt(region = len, tag_from = *kind)]
    body: Body,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(kind: [u8; 4]), tag_from = kind)]
enum Body {
    #[binfmt(tag = b"gAMA")]
    Gamma(u32),
    #[binfmt(tag = b"tEXt" | b"iTXt")]
    Text { tag: [u8; 4], text: u8 },
    #[binfmt(other)]
    Other {
        tag: [u8; 4],
        #[binfmt(until_eof)]
        data: Vec<u8>,
    },
}

fn chunk(body: Body) -> Chunk {
    Chunk { len: (), kind: (), body }
}

#[test]
fn byte_strings() {
    same(&chunk(Body::Gamma(7)), b"\0\0\0\x04gAMA\0\0\0\x07");
    same(&chunk(Body::Text { tag: *b"iTXt", text: 5 }), b"\0\0\0\x01iTXt\x05");
    same(&chunk(Body::Other { tag: *b"IDAT", data: vec![1, 2] }), b"\0\0\0\x02IDAT\x01\x02");
    let e = to_vec(&chunk(Body::Other { tag: *b"gAMA", data: vec![] })).unwrap_err();
    assert_eq!(e.to_string(), "body at byte 0x8: variant Body::Other contradicts the tag");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Pair {
    #[binfmt(calc([u16; 2] = value.tag()))]
    kind: (),
    #[binfmt(nul)]
    name: String,
    #[binfmt(tag_from = *kind)]
    value: Value,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(kind: [u16; 2]), tag_from = kind)]
enum Value {
    #[binfmt(tag = [1, 2])]
    Byte(u8),
    #[binfmt(tag = [1, 3])]
    Word(u16),
}

#[test]
fn arrays() {
    same(&Pair { kind: (), name: "n".into(), value: Value::Byte(9) }, b"\x01\0\x02\0n\0\x09");
    same(&Pair { kind: (), name: String::new(), value: Value::Word(9) }, b"\x01\0\x03\0\0\x09\0");
    let e = from_slice::<Pair>(b"\x01\0\x04\0n\0\x09").unwrap_err();
    assert_eq!(e.to_string(), "value at byte 0x6: [1, 4] is not a tag of Value");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Lump {
    #[binfmt(nul)]
    name: String,
    #[binfmt(region = 3, args(name))]
    data: Data,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(name: &str), tag_from = name)]
enum Data {
    #[binfmt(tag = "A")]
    A(u16, u8),
    #[binfmt(other)]
    Other(#[binfmt(until_eof)] Vec<u8>),
}

#[test]
fn arguments_beside_a_region() {
    same(&Lump { name: "A".into(), data: Data::A(1, 2) }, b"A\0\x01\0\x02");
    same(&Lump { name: "B".into(), data: Data::Other(vec![1, 2, 3]) }, b"B\0\x01\x02\x03");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Lent {
    #[binfmt(calc([u8; 2] = body.tag()))]
    kind: (),
    #[binfmt(tag_from = kind)]
    body: Behind,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(kind: &[u8; 2]), tag_from = *kind)]
enum Behind {
    #[binfmt(tag = b"ab")]
    A(u8),
    #[binfmt(other)]
    B { tag: [u8; 2] },
}

#[test]
fn tags_behind_a_reference() {
    same(&Lent { kind: (), body: Behind::A(7) }, b"ab\x07");
    same(&Lent { kind: (), body: Behind::B { tag: *b"xy" } }, b"xy");
}
