//! Whole types: tuples, units, generics, lifetimes, recursion, and the words that change a container's outside.

use crate::support::wire::{
    assert_error, bad, bad_with, is_inside, lent, reads_with, refused, same, same_be, short,
};
use binfmt::{BinFormat, Describe, ErrorKind, Layout, Options};
use std::marker::PhantomData;

#[derive(BinFormat, Debug, PartialEq)]
struct Unit;

#[derive(BinFormat, Debug, PartialEq)]
struct Empty {}

#[derive(BinFormat, Debug, PartialEq)]
struct Tuple(u8, #[binfmt(be)] u16, (u8, [i8; 2]), #[binfmt(count = _0)] Vec<u8>);

#[test]
fn units_and_tuples() {
    same(&Unit, &[]);
    same(&Empty {}, &[]);
    same(&Tuple(1, 2, (3, [4, -5]), vec![6]), &[1, 0, 2, 3, 4, 0xFB, 6]);
    assert_error!(
        bad::<Tuple>(&[1, 0, 2, 3]),
        4,
        "2.1",
        ErrorKind::UnexpectedEnd { needed: 2, remaining: 0 }
    );
    let e = binfmt::from_slice::<Unit>(&[0]).unwrap_err();
    assert_error!(e, 0, "", ErrorKind::TrailingBytes { count: 1 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Generic<T, U>
where
    U: Clone,
{
    a: T,
    #[binfmt(length_prefixed(u8))]
    list: Vec<U>,
    mark: PhantomData<T>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Array<T, const N: usize> {
    items: [T; N],
}

#[test]
fn generics() {
    same(&Generic { a: 1u16, list: vec![true], mark: PhantomData }, &[1, 0, 1, 1]);
    same_be(&Generic { a: Tiny { x: 1 }, list: vec![2u32], mark: PhantomData }, &[0, 1, 1, 0, 0, 0, 2]);
    same(&Array { items: [1u16, 2, 3] }, &[1, 0, 2, 0, 3, 0]);
    same(&Array::<bool, 0> { items: [] }, &[]);
    let e = bad::<Array<bool, 2>>(&[1, 2]);
    assert_error!(e, 1, "items[1]", ErrorKind::InvalidBool { found: 2 });
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Tiny {
    x: u16,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Two<'a, 'b> {
    #[binfmt(length_prefixed(u8))]
    a: &'a str,
    #[binfmt(length_prefixed(u8))]
    b: &'b [u8],
}

#[derive(BinFormat, Debug, PartialEq)]
struct Outer<'a, T> {
    two: Two<'a, 'a>,
    #[binfmt(length_prefixed(u8))]
    list: Vec<Two<'a, 'a>>,
    t: T,
}

#[test]
fn lifetimes() {
    let bytes = b"\x01a\x01b\x01\0\x01c\x07";
    let two = |a, b| Two { a, b };
    let value = Outer { two: two("a", b"b"), list: vec![two("", b"c")], t: 7u8 };
    let found = lent(&value, bytes);
    assert!(is_inside(bytes, found.two.a.as_bytes()) && is_inside(bytes, found.list[0].b));
}

#[derive(BinFormat, Debug, PartialEq)]
struct Node {
    n: u8,
    #[binfmt(nullable(present = 1, missing = 0, body = absent))]
    next: Option<Box<Node>>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Tree {
    n: u8,
    #[binfmt(length_prefixed(u8))]
    children: Vec<Tree>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Expr {
    Number(i16),
    Add(Box<Expr>, Box<Expr>),
    Call {
        #[binfmt(length_prefixed(u8))]
        name: String,
        #[binfmt(length_prefixed(u8))]
        args: Vec<Expr>,
    },
}

#[test]
fn recursion() {
    let list = Node { n: 1, next: Some(Box::new(Node { n: 2, next: None })) };
    same(&list, &[1, 1, 2, 0]);
    let leaf = |n| Tree { n, children: vec![] };
    same(
        &Tree { n: 1, children: vec![leaf(2), Tree { n: 3, children: vec![leaf(4)] }] },
        &[1, 2, 2, 0, 3, 1, 4, 0],
    );
    let number = |n| Expr::Number(n);
    let expr = Expr::Add(
        Box::new(number(1)),
        Box::new(Expr::Call { name: "f".into(), args: vec![number(2), number(3)] }),
    );
    same(&expr, b"\x01\0\x01\0\x02\x01f\x02\0\x02\0\0\x03\0");
    let [slice, stream] = short::<Tree>(&[1, 1, 2, 1, 3]);
    assert_error!(slice, 3, "children[0].children", ErrorKind::CountTooLarge { count: 1, needed: 2, .. });
    let path = "children[0].children[0].children";
    assert_error!(stream, 5, path, ErrorKind::UnexpectedEnd { needed: 1, remaining: 0 });
    let e = bad::<Expr>(b"\x01\0\x01\0\x02\x01f\x02\0\x02\0\x09");
    assert_error!(e, 11, "1.args[1]", ErrorKind::UnknownTag { of, .. } if of == "Expr");
}

#[test]
fn recursion_is_limited() {
    let chain = |levels: usize| [1, 1].repeat(levels).into_iter().chain([1, 0]).collect::<Vec<u8>>();
    assert!(binfmt::from_slice::<Node>(&chain(128)).is_ok());
    let e = bad::<Node>(&chain(129));
    assert!(matches!(e.kind(), ErrorKind::DepthLimit { max: 128 }), "{e}");
    assert_eq!(e.offset(), Some(2 * 129));
    let options = Options::new().max_depth(2);
    assert!(binfmt::from_slice_with::<Node, _>(&chain(2), &options).is_ok());
    let e = bad_with::<Node, _>(&chain(3), &options);
    assert_error!(e, 6, "next.next.next", ErrorKind::DepthLimit { max: 2 });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(max_depth = 1)]
struct Shallow {
    #[binfmt(length_prefixed(u8))]
    list: Vec<Tree>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct After {
    shallow: Shallow,
    deep: Tree,
}

#[test]
fn max_depth_of_a_container() {
    let leaf = |n| Tree { n, children: vec![] };
    // a list and the empty lists in it are two levels
    let e = bad::<Shallow>(&[1, 2, 0]);
    assert!(matches!(e.kind(), ErrorKind::DepthLimit { .. }), "{e}");
    same(&Shallow { list: vec![] }, &[0]);
    // the limit ends with the container that says it
    let deep = Tree { n: 1, children: vec![Tree { n: 2, children: vec![leaf(3)] }] };
    same(&After { shallow: Shallow { list: vec![] }, deep }, &[0, 1, 1, 2, 1, 3, 0]);
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(transparent)]
struct Meters(f64);

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(transparent)]
struct Name {
    #[binfmt(length_prefixed(u8))]
    text: String,
    #[binfmt(skip)]
    hash: u64,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Named {
    name: Name,
    height: Meters,
}

#[test]
fn transparent_leaves_no_trace() {
    same(
        &Named { name: Name { text: "x".into(), hash: 0 }, height: Meters(1.0) },
        b"\x01x\0\0\0\0\0\0\xf0\x3f",
    );
    let e = bad::<Named>(b"\x01\xff");
    assert_error!(e, 1, "name", ErrorKind::InvalidText { .. });
    let e = bad::<Named>(b"\0\0\0");
    assert_error!(e, 1, "height", ErrorKind::UnexpectedEnd { needed: 8, remaining: 2 });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le, key_order = lexicographic, len = u64)]
struct Template {
    #[binfmt(var_len)]
    name: String,
    scores: f32,
    #[binfmt(rename = "Eyes")]
    eyes: u8,
    count: u16,
}

#[test]
fn fields_in_the_order_of_their_names() {
    let names: Vec<_> = Template::PARTS.iter().map(|part| part.name()).collect();
    assert_eq!(names, ["Eyes", "count", "name", "scores"]);
    let value = Template { name: "n".into(), scores: 1.0, eyes: 2, count: 3 };
    same(&value, b"\x02\x03\0\x01\0\0\0\0\0\0\0n\0\0\x80\x3f");
    assert_error!(
        bad::<Template>(b"\x02\x03"),
        1,
        "count",
        ErrorKind::UnexpectedEnd { needed: 2, remaining: 1 }
    );
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(size = 5, rename = "header")]
struct Sized5 {
    a: u8,
    #[binfmt(rename = "n samples")]
    b: u32,
}

#[test]
fn size_and_rename() {
    same(&Sized5 { a: 1, b: 2 }, &[1, 2, 0, 0, 0]);
    assert_eq!(Sized5::SCHEMA.to_string(), "header: record\n  a: u8\n  n samples: u32\n");
    assert_error!(bad::<Sized5>(&[1, 2]), 1, "n samples", ErrorKind::UnexpectedEnd { .. });
}

mod renamed {
    pub(crate) use ::binfmt as inner;
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(crate = crate::words::shapes::renamed::inner)]
struct Elsewhere {
    r#type: u8,
    r#match: u16,
}

#[test]
fn another_path_and_raw_names() {
    same(&Elsewhere { r#type: 1, r#match: 2 }, &[1, 2, 0]);
    assert_error!(bad::<Elsewhere>(&[1]), 1, "match", ErrorKind::UnexpectedEnd { .. });
}

trait Family {
    type Item;
}

#[derive(Debug, PartialEq)]
struct Words;

impl Family for Words {
    type Item = u16;
}

#[derive(BinFormat)]
#[binfmt(bound(F: Family, F::Item: binfmt::Layout + for<'x> binfmt::Decode<'x> + binfmt::Encode))]
struct Bound<F: Family> {
    item: F::Item,
}

#[test]
fn bounds_of_the_user() {
    assert_eq!(binfmt::from_slice::<Bound<Words>>(&[1, 0]).unwrap().item, 1);
    assert_eq!(binfmt::to_vec(&Bound::<Words> { item: 2 }).unwrap(), [2, 0]);
}

type Text = String;
type List<T> = Vec<T>;
type Maybe<T> = Option<T>;

#[derive(BinFormat, Debug, PartialEq)]
struct Aliases {
    #[binfmt(length_prefixed(u8))]
    text: Text,
    #[binfmt(length_prefixed(u8))]
    list: List<u16>,
    #[binfmt(nullable)]
    maybe: Maybe<u8>,
}

#[test]
fn aliases_hide_nothing() {
    same(&Aliases { text: "x".into(), list: vec![1], maybe: Some(2) }, b"\x01x\x01\x01\0\xff\x02");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Hygiene {
    src: u8,
    out: u8,
    ctx: u8,
    __src: u8,
    this: u8,
    #[binfmt(count = src)]
    e: Vec<u8>,
    #[binfmt(if(*out == 1))]
    v: Option<u8>,
}

#[test]
fn names_of_the_generated_code_are_its_own() {
    same(
        &Hygiene { src: 1, out: 1, ctx: 2, __src: 3, this: 4, e: vec![5], v: Some(6) },
        &[1, 1, 2, 3, 4, 5, 6],
    );
}

#[test]
fn limits_of_the_caller() {
    let e = bad_with::<Tree, _>(&[1, 2, 2, 0, 3, 0], &Options::new().max_memory(1));
    assert_error!(e, 2, "children", ErrorKind::MemoryLimit { remaining: 1, .. });
    let enough = Options::new().max_memory(4 * size_of::<Tree>());
    let leaf = |n| Tree { n, children: vec![] };
    reads_with(&Tree { n: 1, children: vec![leaf(2), leaf(3)] }, &[1, 2, 2, 0, 3, 0], &enough);
    let [slice, _] = short::<Tree>(&[1, 200]);
    assert_error!(slice, 1, "children", ErrorKind::CountTooLarge { count: 200, .. });
    let e = refused(&Tree { n: 1, children: (0..256).map(|_| leaf(0)).collect() });
    assert_error!(e, 1, "children", ErrorKind::PrefixOverflow { value: 256, max: 255 });
}
