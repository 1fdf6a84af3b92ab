//! What only rustc sees, since it knows the types.

use binfmt::{BinFormat, Tagged};

#[derive(BinFormat)]
struct ReferenceInCondition {
    n: u8,
    #[binfmt(if(n == 1))]
    a: Option<u8>,
}

#[derive(BinFormat)]
struct ReferenceInUntil {
    #[binfmt(until = |x| x == 0)]
    a: Vec<u8>,
}

#[derive(BinFormat)]
struct RegionOfText {
    #[binfmt(nul)]
    t: String,
    #[binfmt(region = t)]
    a: u8,
}

struct NoDefault;

#[derive(BinFormat)]
struct SkippedWithoutDefault {
    a: u8,
    #[binfmt(skip)]
    b: NoDefault,
}

#[derive(BinFormat)]
struct Part {
    n: u8,
}

#[derive(BinFormat)]
struct EachOfPart {
    part: Part,
    #[binfmt(each(part.n))]
    a: Vec<u8>,
}

#[derive(BinFormat)]
struct ArgumentOfNone {
    n: u8,
    #[binfmt(args(*n))]
    part: Part,
}

#[derive(BinFormat)]
#[binfmt(ctx(n: N))]
struct CountOfAnyType<N> {
    #[binfmt(count = n)]
    a: Vec<u8>,
    #[binfmt(skip)]
    p: core::marker::PhantomData<N>,
}

#[derive(BinFormat)]
#[binfmt(ctx(kind: u8), tag_from = kind)]
enum Forgets {
    #[binfmt(tag = 1)]
    A(u8),
    #[binfmt(other)]
    Rest,
}

#[derive(BinFormat)]
struct TagOfForgetful {
    #[binfmt(calc(u8 = body.tag()))]
    kind: (),
    #[binfmt(args(*kind))]
    body: Forgets,
}

#[derive(BinFormat)]
struct Lent<'a> {
    #[binfmt(until_eof)]
    bytes: &'a [u8],
}

fn lent_from_reader() {
    let _ = binfmt::from_reader::<Lent>(&b"abc"[..]);
}

#[derive(BinFormat)]
#[binfmt(ctx(n: u8))]
struct Sized {
    #[binfmt(count = n)]
    bytes: Vec<u8>,
}

fn without_context() {
    let _ = binfmt::from_slice::<Sized>(b"abc");
}

#[derive(BinFormat)]
struct ArgumentOfOtherType {
    n: u32,
    #[binfmt(region = 3, args(*n))]
    sized: Sized,
}

fn main() {}
