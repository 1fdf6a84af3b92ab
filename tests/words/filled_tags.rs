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

/// Byte strings are compared with bytes, whatever gives them.
#[test]
fn bytes_that_are_computed() {
    type Code = [u8; 2];
    #[derive(BinFormat, Debug, PartialEq)]
    struct Head {
        code: Code,
    }
    macro_rules! same_tags {
        ($kind:ident: $param:ty, $from:expr, $head:ident => $given:expr) => {{
            #[derive(BinFormat, Debug, PartialEq)]
            #[binfmt(ctx($kind: $param), tag_from = $from)]
            enum Body {
                #[binfmt(tag = b"ab")]
                A(u8),
                #[binfmt(tag = b"cd" | b"ce")]
                B { tag: [u8; 2] },
                #[binfmt(other)]
                C { tag: [u8; 2] },
            }
            #[derive(BinFormat, Debug, PartialEq)]
            struct Whole {
                $head: Head,
                #[binfmt(args($given))]
                body: Body,
            }
            let whole = |code: &[u8; 2], body| Whole { $head: Head { code: *code }, body };
            same(&whole(b"ab", Body::A(7)), b"ab\x07");
            same(&whole(b"ce", Body::B { tag: *b"ce" }), b"ce");
            same(&whole(b"xy", Body::C { tag: *b"xy" }), b"xy");
            assert!(to_vec(&whole(b"xy", Body::C { tag: *b"xz" })).is_err());
            assert!(to_vec(&whole(b"xy", Body::B { tag: *b"xy" })).is_err());
            assert!(to_vec(&whole(b"ab", Body::C { tag: *b"ab" })).is_err());
        }};
    }
    same_tags!(kind: &Head, kind.code, head => head);
    same_tags!(kind: u16, kind.to_le_bytes(), head => u16::from_le_bytes(head.code));
    same_tags!(kind: Code, kind, head => head.code);
    same_tags!(kind: &Code, *kind, head => &head.code);
    same_tags!(kind: &[u8; 2], kind, head => &head.code);
}

/// A tag may be made by an operator.
#[test]
fn tags_of_expressions() {
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(ctx(kind: u8), tag_from = kind & 7)]
    enum Low {
        #[binfmt(tag = 1)]
        A(u8),
        #[binfmt(tag = 2)]
        B,
    }
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(ctx(kind: u8), tag_from = kind as u16 == 9)]
    enum Flag {
        #[binfmt(tag = true)]
        A(u8),
        #[binfmt(tag = false)]
        B,
    }
    #[derive(BinFormat, Debug, PartialEq)]
    struct Whole {
        kind: u8,
        #[binfmt(args(*kind))]
        low: Low,
        #[binfmt(args(*kind))]
        flag: Flag,
    }
    same(&Whole { kind: 9, low: Low::A(3), flag: Flag::A(4) }, &[9, 3, 4]);
    same(&Whole { kind: 10, low: Low::B, flag: Flag::B }, &[10]);
    let e = from_slice::<Whole>(&[4, 0, 0]).unwrap_err();
    assert_eq!(e.to_string(), "low at byte 0x1: 4 is not a tag of Low");
}

/// A reference to bytes is a tag that can be filled in.
#[test]
fn tags_that_are_references() {
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(ctx(kind: &[u8; 2]), tag_from = kind)]
    enum Value {
        #[binfmt(tag = b"ab")]
        A(u8),
        #[binfmt(other)]
        Other { tag: [u8; 2] },
    }
    #[derive(BinFormat, Debug, PartialEq)]
    struct Whole {
        #[binfmt(calc([u8; 2] = value.tag()))]
        kind: (),
        #[binfmt(tag_from = kind)]
        value: Value,
    }
    same(&Whole { kind: (), value: Value::A(7) }, b"ab\x07");
    same(&Whole { kind: (), value: Value::Other { tag: *b"xy" } }, b"xy");
}
