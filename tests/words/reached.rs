//! Expressions that reach into other values and bind names of their own, and types that are spelled in other ways: legal, so that
//! no rule may take them for mistakes.

use crate::support::wire::same;
use binfmt::{BinFormat, Tagged, from_slice, to_vec};
use std::marker::PhantomData;

#[derive(BinFormat, Debug, PartialEq)]
struct Id {
    n: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Key {
    id: Id,
    k: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(n: u8))]
struct Bytes {
    #[binfmt(count = n)]
    v: Vec<u8>,
}

fn key(n: u8, k: u8) -> Key {
    Key { id: Id { n }, k }
}

#[derive(BinFormat, Debug, PartialEq)]
struct Bound {
    flag: u8,
    #[binfmt(if(*flag > 0))]
    h: Option<Key>,
    #[binfmt(count = match h { Some(h) => h.id.n, None => 0 })]
    a: Vec<u8>,
    #[binfmt(count = if let Some(k) = h { k.id.n } else { 0 })]
    b: Vec<u8>,
    #[binfmt(until(|k: &Key| k.id.n == 0))]
    k: Vec<Key>,
    #[binfmt(each(k.iter().map(|a| a.id.n)))]
    each: Vec<Bytes>,
    #[binfmt(assert(k.iter().all(|e| e.id.n < 9)), count = k.iter().map(|k| usize::from(k.id.n)).sum::<usize>())]
    sum: Vec<u8>,
}

#[test]
fn names_that_are_bound_inside() {
    let bound = Bound {
        flag: 1,
        h: Some(key(1, 7)),
        a: vec![8],
        b: vec![9],
        k: vec![key(2, 0), key(0, 0)],
        each: vec![Bytes { v: vec![1, 2] }, Bytes { v: vec![] }],
        sum: vec![3, 4],
    };
    same(&bound, &[1, 1, 7, 8, 9, 2, 0, 0, 0, 1, 2, 3, 4]);
}

fn list(n: u8) -> Vec<u8> {
    vec![1; n.into()]
}

/// What `each` goes over may live as long as the call.
#[test]
fn lists_that_are_made() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Made {
        n: u8,
        #[binfmt(each(list(*n).iter().copied()))]
        a: Vec<Bytes>,
        #[binfmt(each(n.to_string().bytes().map(|b| b - b'0')))]
        b: Vec<Bytes>,
    }
    let of = |bytes: &[u8]| Bytes { v: bytes.to_vec() };
    same(&Made { n: 2, a: vec![of(&[5]), of(&[6])], b: vec![of(&[7, 8])] }, &[2, 5, 6, 7, 8]);
}

const N: usize = 2;

#[test]
fn tags_are_kept_in_the_same_type_however_it_is_spelled() {
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(tag([u8; 2]))]
    enum Array {
        #[binfmt(tag = b"ab")]
        A(u8),
        #[binfmt(other)]
        Other { tag: [u8; N] },
    }
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(tag(u8))]
    enum Number {
        A,
        #[binfmt(other)]
        Other {
            tag: core::primitive::u8,
        },
    }
    same(&Array::A(1), b"ab\x01");
    same(&Array::Other { tag: *b"cd" }, b"cd");
    same(&Number::A, &[0]);
    same(&Number::Other { tag: 7 }, &[7]);
}

/// An enum that says its tags by itself.
#[test]
fn tags_by_hand() {
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(ctx(kind: u8), tag_from = kind)]
    enum Body {
        #[binfmt(tag = 1)]
        A(u8),
        #[binfmt(tag = 2 | 3)]
        B(u8),
    }
    impl Tagged for Body {
        type Tag = u8;
        fn tag(&self) -> u8 {
            match self {
                Body::A(_) => 1,
                Body::B(n) => 2 + u8::from(*n > 9),
            }
        }
    }
    #[derive(BinFormat, Debug, PartialEq)]
    struct Message {
        #[binfmt(calc(u8 = body.tag()))]
        kind: (),
        #[binfmt(tag_from = *kind)]
        body: Body,
    }
    same(&Message { kind: (), body: Body::A(1) }, &[1, 1]);
    same(&Message { kind: (), body: Body::B(12) }, &[3, 12]);
    assert!(from_slice::<Message>(&[2, 12]).is_err());
}

mod text {
    use binfmt::BinFormat;

    #[derive(BinFormat, Debug, PartialEq)]
    pub(super) struct String {
        #[binfmt(length_prefixed(u8))]
        pub(super) s: std::string::String,
    }
}

#[test]
fn types_of_ones_own_with_names_of_others() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Texts {
        a: Box<text::String>,
        b: (u8, text::String),
    }
    let of = |s: &str| text::String { s: s.into() };
    same(&Texts { a: Box::new(of("a")), b: (7, of("b")) }, b"\x01a\x07\x01b");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Tail {
    #[binfmt(until_eof)]
    v: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Lent<'a, T: 'a> {
    #[binfmt(skip)]
    p: PhantomData<&'a T>,
    #[binfmt(count = 2)]
    r: &'a [u8],
}

#[test]
fn nothing_follows_what_takes_everything() {
    const ONE: usize = 1;
    #[derive(BinFormat, Debug, PartialEq)]
    struct Last {
        a: u8,
        b: ([Tail; ONE], (), PhantomData<u8>),
    }
    let tail = Tail { v: vec![1, 2] };
    same(&Last { a: 7, b: ([tail], (), PhantomData) }, &[7, 1, 2]);

    #[derive(BinFormat, Debug, PartialEq)]
    struct Pair<'a, T: 'a> {
        a: (u8, Lent<'a, T>),
        b: [Lent<'a, T>; 2],
    }
    let lent = |r| Lent { p: PhantomData, r };
    let pair = Pair::<u64> { a: (1, lent(&[2, 3])), b: [lent(&[4, 5]), lent(&[6, 7])] };
    assert_eq!(to_vec(&pair).unwrap(), [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(from_slice::<Pair<'_, u64>>(&[1, 2, 3, 4, 5, 6, 7]).unwrap(), pair);
}
