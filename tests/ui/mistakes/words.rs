//! What people write who know other derives, or guess: each gets one error, which says what to write.

use binfmt::BinFormat;

#[derive(BinFormat)]
struct PrefixAsValue {
    #[binfmt(length_prefixed = u8)]
    a: Vec<u8>,
}

#[derive(BinFormat)]
struct PrefixAsText {
    #[binfmt(length_prefixed("u8"))]
    a: Vec<u8>,
}

#[derive(BinFormat)]
struct ConditionWithoutParentheses {
    x: bool,
    #[binfmt(if x)]
    a: Option<u8>,
}

#[derive(BinFormat)]
#[binfmt(magic = "RIFF")]
struct MagicAsText {
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(le = true)]
struct FlagWithValue {
    a: u16,
}

#[derive(BinFormat)]
#[binfmt(endian = "big")]
struct OrderAsText {
    a: u16,
}

#[derive(BinFormat)]
#[binfmt(tag = u8)]
enum TagAsValue {
    A(u8),
}

#[derive(BinFormat)]
#[repr(u8)]
enum ReprAlone {
    A = 1,
    B = 2,
}

#[derive(BinFormat)]
struct PaddedByField {
    n: u8,
    #[binfmt(nul, pad_to = n)]
    a: String,
}

#[derive(BinFormat)]
struct AlignedByField {
    n: u8,
    #[binfmt(align_before = *n)]
    a: u8,
}

#[derive(BinFormat)]
struct CountOfSelf {
    n: u8,
    #[binfmt(count = self.n)]
    a: Vec<u8>,
}

#[derive(BinFormat)]
struct BitsAsValue {
    #[binfmt(bits = 4)]
    a: u8,
    #[binfmt(bits = 4)]
    b: u8,
}

#[derive(BinFormat)]
struct BitsOfNothing {
    #[binfmt(bits(4))]
    a: u8,
    #[binfmt(bits(4))]
    b: u8,
}

#[derive(BinFormat)]
struct TooManyBits {
    #[binfmt(bits(4, of = u8))]
    a: u8,
    #[binfmt(bits(5))]
    b: u8,
}

#[derive(BinFormat)]
struct BitsLeft {
    #[binfmt(bits(4, of = u8))]
    a: u8,
    #[binfmt(bits(3))]
    b: u8,
    c: u8,
}

#[derive(BinFormat)]
struct LengthAsValue {
    #[binfmt(len_of = v)]
    n: u8,
    #[binfmt(count = n)]
    v: Vec<u8>,
}

#[derive(BinFormat)]
struct ChecksumAsValue {
    a: u8,
    #[binfmt(checksum = f)]
    s: u32,
}

#[derive(BinFormat)]
struct SumOverNothing {
    a: u8,
    #[binfmt(checksum(f, over = bee..))]
    s: u32,
}

#[derive(BinFormat)]
struct UntilNumber {
    #[binfmt(until = 0)]
    a: Vec<u8>,
}

#[derive(BinFormat)]
struct NullableText {
    #[binfmt(nullable, nul)]
    a: String,
}

#[derive(BinFormat)]
struct OrderlessText {
    #[binfmt(text = utf16, count = 4)]
    a: String,
}

#[derive(BinFormat)]
struct SinceWithoutVersion {
    #[binfmt(since = 2)]
    a: u8,
}

#[derive(BinFormat)]
struct CountedOption {
    n: u8,
    #[binfmt(count = *n)]
    a: Option<Vec<u8>>,
}

#[derive(BinFormat)]
struct ModuleAsText {
    #[binfmt(with = "m")]
    a: u8,
}

#[derive(BinFormat)]
struct MapAsValue {
    #[binfmt(map = f)]
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
struct TagOfStruct {
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum TagKeptAsOther {
    A,
    #[binfmt(other)]
    O {
        tag: u16,
    },
}

#[derive(BinFormat)]
struct CalcOfNumber {
    #[binfmt(calc(u8 = 3))]
    a: u8,
}

#[derive(BinFormat)]
struct HiddenLength {
    #[binfmt(len_of(v, u8))]
    n: u8,
    #[binfmt(count = n)]
    v: Vec<u8>,
}

#[derive(BinFormat)]
struct LengthOfNoType {
    #[binfmt(len_of(v, auto))]
    n: (),
    #[binfmt(count = n)]
    v: Vec<u8>,
}

#[derive(BinFormat)]
struct SizeOfField {
    #[binfmt(size = 4)]
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(transparent)]
enum TransparentEnum {
    A(u8),
}

#[derive(BinFormat)]
struct NegativeCount {
    #[binfmt(count = -1)]
    a: Vec<u8>,
}

#[derive(BinFormat)]
#[binfmt(version = "v")]
struct VersionAsText {
    v: u8,
    #[binfmt(since = 2)]
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(length_prefixed(u8))]
struct PrefixOnStruct {
    a: Vec<u8>,
}

#[derive(BinFormat)]
struct TransparentField {
    #[binfmt(transparent)]
    a: u8,
}

#[derive(BinFormat)]
struct WideBits {
    #[binfmt(bits(12, of = u8))]
    a: u16,
}

#[derive(BinFormat)]
struct ManyTexts {
    #[binfmt(nul)]
    a: Vec<String>,
}

#[derive(BinFormat)]
struct EndAsText {
    #[binfmt(ends("\r\n"))]
    a: String,
}

#[derive(BinFormat)]
struct PlaceInParentheses {
    o: u32,
    #[binfmt(at(o))]
    a: u8,
}

#[derive(BinFormat)]
struct OffsetOfPlace {
    #[binfmt(offset_of(a))]
    o: u32,
    #[binfmt(at = o)]
    a: u8,
}

#[derive(BinFormat)]
struct GapsFirst {
    #[binfmt(gaps)]
    g: binfmt::Gaps,
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(ctx = "n: u8")]
struct ContextAsText {
    a: u8,
}

#[derive(BinFormat)]
struct FunctionPointer {
    a: fn(u8) -> u8,
}

#[derive(BinFormat)]
struct Object {
    a: Box<dyn std::fmt::Debug>,
}

#[derive(BinFormat)]
struct ListOfLists {
    #[binfmt(length_prefixed(u8))]
    a: Vec<Vec<u8>>,
}

#[derive(BinFormat)]
struct ArrayOfLists {
    #[binfmt(length_prefixed(u8))]
    a: [Vec<u8>; 2],
}

#[derive(BinFormat)]
struct RenameAsName {
    #[binfmt(rename = length)]
    a: u8,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum TagTwice {
    A,
    #[binfmt(tag = 0)]
    B,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum ComputedTags {
    #[binfmt(tag = 1 + 1)]
    A,
    #[binfmt(tag = f(2))]
    B,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum NoVariant {}

#[derive(BinFormat)]
#[binfmt(be, le)]
struct BothOrders {
    a: u16,
}

#[derive(BinFormat)]
struct Character {
    a: char,
}

#[derive(BinFormat)]
struct LetInCondition {
    n: u8,
    #[binfmt(if(let 1 = n))]
    a: Option<u8>,
}

#[derive(BinFormat)]
struct ProcessCalled {
    #[binfmt(process(xor(5)), until_eof)]
    a: Vec<u8>,
}

#[derive(BinFormat)]
struct LengthOfPart {
    #[binfmt(len_of(b.v, u8))]
    n: (),
    b: u8,
}

#[derive(BinFormat)]
struct AssignedCondition {
    n: u8,
    #[binfmt(assert(n = 3))]
    a: u8,
}

#[derive(BinFormat)]
struct StaticText {
    a: &'static str,
}

#[derive(BinFormat)]
struct LentMutably<'a> {
    a: &'a mut [u8],
}

#[derive(BinFormat)]
struct UnsizedText {
    a: str,
}

#[derive(BinFormat)]
struct Time {
    a: std::time::SystemTime,
}

#[derive(BinFormat)]
struct InCell {
    a: std::cell::Cell<u8>,
}

#[derive(BinFormat)]
struct InMutex {
    a: std::sync::Mutex<u8>,
}

#[derive(BinFormat)]
struct RegionAsText {
    #[binfmt(region = "a")]
    a: u8,
}

#[derive(BinFormat)]
struct EachOfNumber {
    n: u8,
    #[binfmt(each(n))]
    a: Vec<u8>,
}
struct P {
    n: u8,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum TagNotKept {
    A(u8),
    #[binfmt(other)]
    O,
}

#[derive(BinFormat)]
struct ListOfPairs {
    #[binfmt(length_prefixed(u8))]
    v: Vec<(u8, String)>,
}

#[derive(BinFormat)]
struct TextInPair {
    a: (u8, String),
}

#[derive(BinFormat)]
struct TextsInArray {
    a: [String; 3],
}

#[derive(BinFormat)]
struct ThirteenParts {
    a: (u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8),
}

#[derive(BinFormat)]
struct TextInPointers {
    #[binfmt(nul)]
    a: std::sync::Arc<str>,
    #[binfmt(nul)]
    b: Box<String>,
    #[binfmt(length_prefixed(u8))]
    c: std::rc::Rc<[u8]>,
}

fn main() {}
