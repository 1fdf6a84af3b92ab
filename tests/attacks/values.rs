//! What is written: parts elsewhere in every way there is, with functions of the user's in all of them.

use crate::blasts::tick;
use binfmt::BinFormat;
use std::cell::Cell;

thread_local! {
    static READS: Cell<bool> = const { Cell::new(false) };
}

/// Functions count when reading, too.
pub(crate) fn reading_panics(run: impl FnOnce()) {
    READS.set(true);
    run();
    READS.set(false);
}

fn de(x: u8) -> u16 {
    if READS.get() {
        tick();
    }
    x.into()
}

fn en(x: &u16) -> u8 {
    tick();
    *x as u8
}

fn turned(bytes: &[u8]) -> Vec<u8> {
    tick();
    bytes.iter().map(|byte| !byte).collect()
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

fn added(bytes: &[u8]) -> u8 {
    tick();
    sum(bytes)
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Leaf {
    #[binfmt(map(decode = de, encode = en))]
    first: u16,
    data: [u8; 40],
    #[binfmt(map(decode = de, encode = en))]
    last: u16,
}

pub(crate) fn leaf(n: u16) -> Leaf {
    Leaf { first: n, data: [n as u8; 40], last: n + 1 }
}

/// Parts in no order, one after a gap, one far away, one in a gap, one that says again what another one has.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Places {
    #[binfmt(map(decode = de, encode = en))]
    head: u16,
    #[binfmt(at(file) = 600)]
    far: Leaf,
    #[binfmt(at(file) = 64)]
    near: Leaf,
    #[binfmt(at(file) = 1400)]
    farthest: Leaf,
    #[binfmt(at(file) = 600)]
    again: Leaf,
    #[binfmt(map(decode = de, encode = en))]
    tail: u16,
}

pub(crate) fn places() -> Places {
    Places { head: 1, far: leaf(2), near: leaf(4), farthest: leaf(6), again: leaf(2), tail: 8 }
}

/// Parts in parts.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Nested {
    #[binfmt(map(decode = de, encode = en))]
    head: u16,
    #[binfmt(at = 300)]
    middle: Middle,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Middle {
    #[binfmt(map(decode = de, encode = en))]
    head: u16,
    #[binfmt(at = 100)]
    leaf: Leaf,
    #[binfmt(at(file) = 2000)]
    far: Leaf,
    #[binfmt(map(decode = de, encode = en))]
    tail: u16,
}

pub(crate) fn nested() -> Nested {
    Nested { head: 1, middle: Middle { head: 2, leaf: leaf(3), far: leaf(5), tail: 7 } }
}

/// Parts whose positions are not given, before which numbers are filled in.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
pub(crate) struct Floating {
    #[binfmt(offset_of(leaf, u32))]
    place: (),
    #[binfmt(offset_of(other, u16))]
    other_place: (),
    #[binfmt(at = place)]
    leaf: Leaf,
    #[binfmt(at = other_place)]
    other: Holder,
    #[binfmt(map(decode = de, encode = en))]
    tail: u16,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le)]
pub(crate) struct Holder {
    #[binfmt(offset_of(leaf, u16))]
    place: (),
    #[binfmt(at = place)]
    leaf: Leaf,
}

pub(crate) fn floating() -> Floating {
    let other = Holder { place: (), leaf: leaf(3) };
    Floating { place: (), other_place: (), leaf: leaf(1), other, tail: 5 }
}

/// Regions with parts of their own, one of which a function makes others of.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Regions {
    #[binfmt(length_prefixed(u16, in = bytes))]
    counted: Nested,
    #[binfmt(length_prefixed(u16, in = bytes), process(decode = turned, encode = turned))]
    processed: Inner,
    #[binfmt(checksum(u8 = added, over = counted..=processed))]
    sum: (),
    #[binfmt(at(end) = 42)]
    end: Leaf,
}

pub(crate) fn regions() -> Regions {
    let processed = Inner { n: 1, leaf: leaf(3) };
    Regions { counted: nested(), processed, sum: (), end: leaf(9) }
}

/// A panic in the value of an element, after others.
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Lists {
    #[binfmt(length_prefixed(u8))]
    leaves: Vec<Leaf>,
    #[binfmt(length_prefixed(u8))]
    places: Vec<Held>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Held {
    #[binfmt(length_prefixed(u8, in = bytes))]
    inner: Inner,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
pub(crate) struct Inner {
    n: u8,
    #[binfmt(at = 20)]
    leaf: Leaf,
}

pub(crate) fn lists() -> Lists {
    let held = |n| Held { inner: Inner { n, leaf: leaf(n.into()) } };
    Lists { leaves: (0..5).map(leaf).collect(), places: (0..5).map(held).collect() }
}

/// Calls a function with each of the values.
macro_rules! all {
    ($function:expr) => {{
        crate::values::without_functions!($function);
        $function(&crate::values::regions());
    }};
}
pub(crate) use all;

/// The same without those whose functions need memory of their own.
macro_rules! without_functions {
    ($function:expr) => {{
        use crate::values as v;
        $function(&v::leaf(3));
        $function(&v::places());
        $function(&v::nested());
        $function(&v::floating());
        $function(&v::lists());
    }};
}
pub(crate) use without_functions;
