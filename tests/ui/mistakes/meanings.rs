//! Words that are spelled right and say what cannot be: told where they stand.

use binfmt::BinFormat;

const MAX: u8 = 1;

#[derive(BinFormat)]
struct CapturedByFunction {
    #[binfmt(rename = "v")]
    n: u8,
    #[binfmt(until = |v| *v >= *n)]
    a: Vec<u8>,
}

#[derive(BinFormat)]
struct CapturedByConstant {
    #[binfmt(rename = "MAX")]
    n: u8,
    #[binfmt(count = n + MAX)]
    a: Vec<u8>,
}

#[derive(BinFormat)]
#[binfmt(ctx(length: u8))]
struct CapturedByArgument {
    #[binfmt(rename = "length")]
    n: u8,
    #[binfmt(count = length)]
    a: Vec<u8>,
}

#[derive(BinFormat)]
struct CommaInExpression {
    #[binfmt(rename = "length, total")]
    n: u8,
    #[binfmt(count = n)]
    a: Vec<u8>,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum BoolTag {
    #[binfmt(tag = true)]
    A,
}

#[derive(BinFormat)]
#[binfmt(tag(u16))]
enum ByteTag {
    #[binfmt(tag = b'a')]
    A,
}

#[derive(BinFormat)]
#[binfmt(tag([u8; 2]))]
enum NumberForBytes {
    #[binfmt(tag = 5)]
    A,
    #[binfmt(tag(b"aa"..=b"az"))]
    B(u8),
}

#[derive(BinFormat)]
struct LetInChain {
    n: u8,
    #[binfmt(if(*n > 1 && let 3 = n))]
    a: Option<u8>,
}

#[derive(BinFormat)]
struct LengthOfSelf {
    #[binfmt(len_of(self.v))]
    n: u8,
    #[binfmt(count = n)]
    v: Vec<u8>,
}

#[derive(BinFormat)]
struct LengthOfText {
    #[binfmt(len_of("v"))]
    n: u8,
    #[binfmt(count = n)]
    v: Vec<u8>,
}

#[derive(BinFormat)]
struct LengthOfReference {
    #[binfmt(len_of(&v))]
    n: u8,
    #[binfmt(count = n)]
    v: Vec<u8>,
}

#[derive(BinFormat)]
struct TextInBoxes {
    a: Box<(u8, String)>,
    b: std::rc::Rc<(u8, Vec<u8>)>,
    c: Box<[String; 2]>,
}

#[derive(BinFormat)]
struct OptionOfOption {
    n: u8,
    #[binfmt(if(*n > 1))]
    a: Option<Option<u8>>,
}

#[derive(BinFormat)]
struct BytesForUnits {
    #[binfmt(len_of(s, bytes, u8))]
    n: (),
    #[binfmt(count = n, text = utf16le)]
    s: String,
}

#[derive(BinFormat)]
struct BytesForBits {
    #[binfmt(len_of(v, bytes, u8))]
    n: (),
    #[binfmt(count = n, bits(4))]
    v: Vec<u8>,
}

#[derive(BinFormat)]
struct MoreThanSaid {
    #[binfmt(len_of(v, bytes, u8, plus = 3))]
    n: (),
    #[binfmt(region = n - 4, until_eof)]
    v: Vec<u8>,
}

#[derive(BinFormat)]
struct ComputedTooLarge {
    #[binfmt(calc(u8 = 300))]
    n: (),
    #[binfmt(bits(3, of = u8), calc(u8 = 9))]
    m: (),
    #[binfmt(bits(5))]
    l: u8,
}

#[derive(BinFormat)]
struct PlusTooLarge {
    #[binfmt(len_of(v, u8, plus = 300))]
    n: (),
    #[binfmt(until_eof)]
    v: Vec<u8>,
}

#[derive(BinFormat)]
struct ShortParts {
    #[binfmt(region = 3)]
    n: u32,
    #[binfmt(pad_to = 3)]
    v: u32,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum VariantsOfOneName {
    A,
    #[binfmt(rename = "A")]
    B,
}

fn main() {}
