//! What is wrong inside a field whose length is measured first is told at its place in the output.

use crate::support::wire::{assert_error, refused, refused_with};
use binfmt::{BinFormat, Encode, Error, ErrorKind, Options};

/// The error of every sink, and of measuring; in something else it is so much later.
#[track_caller]
fn everywhere<T: Encode>(value: T) -> Error {
    let e = refused(&value);
    assert_eq!(binfmt::encoded_len(&value).unwrap_err().to_string(), e.to_string());
    let inside = (7u16, [1u8; 3], value);
    let later = refused(&inside);
    assert_eq!(binfmt::encoded_len(&inside).unwrap_err().to_string(), later.to_string());
    assert_eq!(later.offset(), e.offset().map(|at| at + 5), "{later}");
    e
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Body {
    a: u16,
    #[binfmt(range = 0..=9)]
    n: u8,
    #[binfmt(assert(*odd % 2 == 1))]
    odd: u8,
    #[binfmt(length_prefixed(u8))]
    name: String,
}

fn body() -> Body {
    Body { a: 1, n: 2, odd: 3, name: "four".into() }
}

/// One body for each thing that may be wrong, with its place in it and its field.
fn wrong() -> [(Body, u64, &'static str); 3] {
    [
        (Body { n: 10, ..body() }, 2, "n"),
        (Body { odd: 4, ..body() }, 3, "odd"),
        (Body { name: "x".repeat(256), ..body() }, 4, "name"),
    ]
}

/// Each wrong body is told where it is: `body` is the place of the body in what `of` makes of it.
#[track_caller]
fn told<T: Encode>(place: u64, path: &str, of: impl Fn(Body) -> T) {
    assert!(binfmt::to_vec(&of(body())).is_ok());
    for (body, at, field) in wrong() {
        let e = everywhere(of(body));
        assert_eq!((e.offset(), e.path().to_string()), (Some(place + at), format!("{path}.{field}")), "{e}");
    }
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(magic = b"HD")]
struct Filled {
    head: u32,
    #[binfmt(len_of(body, bytes, u32))]
    len: (),
    #[binfmt(region = *len)]
    body: Body,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Varied {
    head: u32,
    #[binfmt(len_of(body, bytes, leb128))]
    len: (),
    #[binfmt(region = *len)]
    body: Body,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Calculated {
    head: [u8; 3],
    #[binfmt(len_of(body, bytes, u32))]
    len: (),
    #[binfmt(calc(u32 = len + 9))]
    total: (),
    #[binfmt(region = *len)]
    body: Body,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Given {
    head: u8,
    #[binfmt(len_of(body, bytes))]
    len: u8,
    #[binfmt(calc(u16 = u16::from(*len) * 2))]
    double: (),
    #[binfmt(if(*len > 0))]
    more: Option<u16>,
    body: Body,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Longer {
    #[binfmt(len_of(body, bytes, plus = 3))]
    len: u16,
    head: [u8; 3],
    body: Body,
}

#[test]
fn after_a_header() {
    told(10, "body", |body| Filled { head: 1, len: (), body });
    told(5, "body", |body| Varied { head: 1, len: (), body });
    told(11, "body", |body| Calculated { head: [1; 3], len: (), total: (), body });
    told(6, "body", |body| Given { head: 1, len: 9, double: (), more: Some(5), body });
    told(5, "body", |body| Longer { len: 12, head: [1; 3], body });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Placed {
    #[binfmt(length_prefixed(u8))]
    name: String,
    #[binfmt(bits(4, of = u8))]
    high: u8,
    #[binfmt(bits(4))]
    low: u8,
    #[binfmt(len_of(body, bytes, u16))]
    len: (),
    #[binfmt(align_before = 8)]
    body: Body,
    last: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Elsewhere {
    at: u8,
    #[binfmt(len_of(body, bytes, u16))]
    len: (),
    #[binfmt(at = *at)]
    body: Body,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u16))]
enum Choice {
    #[binfmt(tag = 7)]
    Whole {
        head: u8,
        #[binfmt(len_of(body, bytes, u8))]
        len: (),
        #[binfmt(calc(u8 = *len ^ 0xff))]
        check: (),
        body: Body,
    },
}

#[test]
fn after_what_varies() {
    told(8, "body", |body| Placed { name: "abc".into(), high: 1, low: 2, len: (), body, last: 9 });
    told(16, "body", |body| Placed { name: "abcde".into(), high: 1, low: 2, len: (), body, last: 9 });
    told(20, "body", |body| Elsewhere { at: 20, len: (), body });
    told(5, "body", |body| Choice::Whole { head: 1, len: (), check: (), body });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Outer<T> {
    head: u16,
    #[binfmt(len_of(inside, bytes, u16))]
    len: (),
    #[binfmt(calc(u32 = *len * 2))]
    double: (),
    #[binfmt(region = *len)]
    inside: T,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Around<T> {
    #[binfmt(length_prefixed(u16, in = bytes))]
    inside: T,
    #[binfmt(length_prefixed(u8))]
    last: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Region<T> {
    kind: u8,
    #[binfmt(len_of(inside, bytes, u24))]
    len: (),
    #[binfmt(region = *len)]
    inside: T,
}

#[test]
fn in_each_other() {
    let calculated = |body| Calculated { head: [1; 3], len: (), total: (), body };
    fn outer<T>(inside: T) -> Outer<T> {
        Outer { head: 1, len: (), double: (), inside }
    }
    fn region<T>(inside: T) -> Region<T> {
        Region { kind: 1, len: (), inside }
    }
    fn around<T>(inside: T) -> Around<T> {
        Around { inside, last: vec![] }
    }
    told(8 + 11, "inside.body", |body| outer(calculated(body)));
    told(8 + 8 + 11, "inside.inside.body", |body| outer(outer(calculated(body))));
    told(4 + 8 + 11, "inside.inside.body", |body| region(outer(calculated(body))));
    told(8 + 4 + 10, "inside.inside.body", |body| outer(region(Filled { head: 1, len: (), body })));
    told(2 + 8, "inside.inside", |body| around(outer(body)));
    told(8 + 2 + 4, "inside.inside.inside", |body| outer(around(region(body))));
    told(2 + 2 + 8, "inside.inside.inside", |body| around(around(outer(body))));
}

/// A number that is held to a range as well: what is wrong is the body, of which the number is made.
#[derive(BinFormat, Debug, PartialEq)]
struct Ranged {
    #[binfmt(len_of(body, bytes, u8), range = 1..)]
    len: (),
    body: Body,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(limit: u8))]
struct Limited {
    #[binfmt(assert(*n < limit))]
    n: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(limit: u8))]
struct Passing {
    head: u8,
    #[binfmt(len_of(body, bytes, u16))]
    len: (),
    #[binfmt(calc(u16 = *len + 1))]
    next: (),
    #[binfmt(length_prefixed(u8), args(limit))]
    body: Vec<Limited>,
}

#[test]
fn the_length_is_not_blamed() {
    let e = refused(&Ranged { len: (), body: Body { n: 10, ..body() } });
    assert_eq!(e.path().to_string(), "body.n");
    assert!(matches!(e.kind(), ErrorKind::OutOfRange { .. }), "{e}");
    // what is passed is passed again
    let value = Passing { head: 1, len: (), next: (), body: vec![Limited { n: 3 }, Limited { n: 4 }] };
    assert!(binfmt::to_vec_with(&value, &Options::new().ctx(5u8)).is_ok());
    let e = refused_with(&value, &Options::new().ctx(4u8));
    assert_error!(e, 7, "body[1].n", ErrorKind::Assertion { .. });
}
