//! Type parameters, const parameters and lifetimes: the bounds are inferred.
#![forbid(unsafe_code)]
#![deny(warnings)]

use binfmt::{BinFormat, Nullable};
use std::borrow::Cow;
use std::marker::PhantomData;

#[derive(BinFormat, Debug, PartialEq)]
struct Wrap<T> {
    one: T,
    #[binfmt(var_len)]
    many: Vec<T>,
    #[binfmt(nullable)]
    maybe: Nullable<T>,
    none: PhantomData<T>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Array<T, const N: usize>
where
    T: Copy,
{
    items: [T; N],
    #[binfmt(skip)]
    note: Option<T>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Borrowed<'a, 'b, T> {
    #[binfmt(var_len)]
    a: &'a str,
    #[binfmt(nul)]
    b: &'b [u8],
    #[binfmt(var_len)]
    owned: Cow<'a, str>,
    rest: T,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(bound(T: binfmt::Layout + Clone + for<'x> binfmt::Decode<'x> + binfmt::Encode))]
struct Bound<T> {
    value: T,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Tree<T> {
    Leaf(T),
    Node(Box<Tree<T>>, Box<Tree<T>>),
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(names: &[&str], k: Option<&u8>))]
struct Context {
    #[binfmt(count = names.len() + usize::from(k.is_some()))]
    data: Vec<u8>,
}

pub(super) fn main() -> binfmt::Result<()> {
    let wrap = Wrap { one: 1u16, many: vec![2, 3], maybe: Nullable::Missing(1), none: PhantomData };
    assert_eq!(binfmt::from_slice::<Wrap<u16>>(&binfmt::to_vec(&wrap)?)?, wrap);
    let array = Array { items: [1u8, 2, 3], note: None };
    assert_eq!(binfmt::from_slice::<Array<u8, 3>>(&binfmt::to_vec(&array)?)?, array);
    let lent = Borrowed { a: "a", b: b"b", owned: "c".into(), rest: 9u8 };
    assert_eq!(binfmt::from_slice::<Borrowed<'_, '_, u8>>(&binfmt::to_vec(&lent)?)?, lent);
    let bound = Bound { value: 7u32 };
    assert_eq!(binfmt::from_slice::<Bound<u32>>(&binfmt::to_vec(&bound)?)?, bound);
    let tree = Tree::Node(Box::new(Tree::Leaf(1u8)), Box::new(Tree::Leaf(2)));
    assert_eq!(binfmt::from_slice::<Tree<u8>>(&binfmt::to_vec(&tree)?)?, tree);
    Ok(())
}
