//! Enums: `tag`, `tag_from`, `other`, patterns, discriminants.

use crate::support::wire::{
    assert_error, bad, bad_with, lent, refused, refused_with, same, same_be, same_with, short,
};
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, ErrorKind, Layout, Options};

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Shape {
    Empty,
    #[binfmt(tag = 7)]
    Circle {
        radius: u16,
    },
    Point(u8, i8),
    Named(#[binfmt(length_prefixed(u8))] String),
}

#[test]
fn a_tag_of_one_byte() {
    same(&Shape::Empty, &[0]);
    same(&Shape::Circle { radius: 1 }, &[7, 1, 0]);
    same_be(&Shape::Circle { radius: 1 }, &[7, 0, 1]);
    same(&Shape::Point(1, -1), &[2, 1, 0xFF]);
    same(&Shape::Named("x".into()), b"\x03\x01x");
    assert_eq!((Shape::FACTS.sizes().min, Shape::VARIANTS[1].name()), (1, "Circle"));
    let e = bad::<Shape>(&[9]);
    assert_error!(e, 0, "", ErrorKind::UnknownTag { found, of } if found == "9" && of == "Shape");
    assert_error!(bad::<Shape>(&[]), 0, "tag", ErrorKind::UnexpectedEnd { needed: 1, remaining: 0 });
    let e = bad::<Shape>(&[7, 1]);
    assert_error!(e, 1, "radius", ErrorKind::UnexpectedEnd { needed: 2, remaining: 1 });
    assert_error!(bad::<Shape>(&[2, 1]), 2, "1", ErrorKind::UnexpectedEnd { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Holder {
    n: u8,
    #[binfmt(length_prefixed(u8))]
    shapes: Vec<Shape>,
}

#[test]
fn enums_in_structs_and_lists() {
    let shapes = vec![Shape::Empty, Shape::Point(1, 2)];
    same(&Holder { n: 9, shapes }, &[9, 2, 0, 2, 1, 2]);
    let e = bad::<Holder>(&[9, 2, 0, 8]);
    assert_error!(e, 3, "shapes[1]", ErrorKind::UnknownTag { .. });
}

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(u16, be))]
enum Big {
    A = 0x102,
    B,
    C = 0xFFFF,
}

#[test]
fn a_tag_of_fixed_order_and_discriminants() {
    same(&Big::A, &[1, 2]);
    same(&Big::B, &[1, 3]);
    same_be(&Big::C, &[0xFF, 0xFF]);
    assert_eq!(Big::FACTS.sizes().exact(), Some(2));
    let e = bad::<Big>(&[2, 1]);
    assert_error!(e, 0, "", ErrorKind::UnknownTag { found, of } if found == "513" && of == "Big");
}

// Rust asks for `repr` where a variant with data has a discriminant
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(i32))]
#[repr(i32)]
enum Signed {
    Minus = -2,
    One,
    Two,
    Data(u8) = 5,
}

#[test]
fn negative_discriminants() {
    same(&Signed::Minus, &[0xFE, 0xFF, 0xFF, 0xFF]);
    same_be(&Signed::One, &[0xFF, 0xFF, 0xFF, 0xFF]);
    same(&Signed::Two, &[0, 0, 0, 0]);
    same(&Signed::Data(7), &[5, 0, 0, 0, 7]);
    let e = bad::<Signed>(&[0xFD, 0xFF, 0xFF, 0xFF]);
    assert_error!(e, 0, "", ErrorKind::UnknownTag { found, .. } if found == "-3");
}

const UNSIGNED: [u8; 4] = *b" u32";
const FLOATS: [u8; 4] = *b" f32";

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag([u8; 4]))]
enum ElementType {
    #[binfmt(tag = b"  i8")]
    I8,
    #[binfmt(tag = b" i32")]
    I32 { n: i32 },
    #[binfmt(tag = UNSIGNED)]
    U32,
    #[binfmt(tag(FLOATS | b" f64" | [b'0'..=b'9', ..]))]
    Float { tag: [u8; 4] },
}

#[test]
fn a_tag_of_bytes() {
    same(&ElementType::I8, b"  i8");
    same(&ElementType::I32 { n: 1 }, b" i32\x01\0\0\0");
    same(&ElementType::U32, b" u32");
    for tag in [FLOATS, *b" f64", *b"5abc"] {
        same(&ElementType::Float { tag }, &tag);
    }
    let e = refused(&ElementType::Float { tag: UNSIGNED });
    assert_error!(e, 0, "", ErrorKind::VariantMismatch { of: "ElementType", found: "Float" });
    let e = bad::<ElementType>(b"\x00i16");
    assert_error!(e, 0, "", ErrorKind::UnknownTag { found, of } if found == r#""\x00i16""# && of == "ElementType");
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Filter {
    None,
    #[binfmt(tag(1..=4))]
    Level {
        tag: u8,
        n: u16,
    },
    #[binfmt(tag(0x10 | 0x20))]
    Flag(u8, bool),
    #[binfmt(other)]
    Unknown {
        tag: u8,
        #[binfmt(length_prefixed(u8))]
        metadata: Vec<u8>,
    },
}

#[test]
fn patterns_and_other_keep_the_tag() {
    same(&Filter::None, &[0]);
    same(&Filter::Level { tag: 3, n: 1 }, &[3, 1, 0]);
    same(&Filter::Flag(0x20, true), &[0x20, 1]);
    same(&Filter::Unknown { tag: 99, metadata: vec![7] }, &[99, 1, 7]);
    assert_error!(bad::<Filter>(&[0x10, 2]), 1, "1", ErrorKind::InvalidBool { found: 2 });
}

#[test]
fn a_kept_tag_that_means_another_variant_is_not_written() {
    let e = refused(&Filter::Level { tag: 9, n: 1 });
    assert_error!(e, 0, "", ErrorKind::VariantMismatch { of: "Filter", found: "Level" });
    let e = refused(&Filter::Unknown { tag: 3, metadata: vec![] });
    assert_error!(e, 0, "", ErrorKind::VariantMismatch { of: "Filter", found: "Unknown" });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum OtherTuple<'a> {
    Text(#[binfmt(length_prefixed(u8))] &'a str),
    #[binfmt(other)]
    Rest(u8, #[binfmt(until_eof)] &'a [u8]),
}

#[test]
fn borrowing_variants() {
    lent(&OtherTuple::Text("hi"), b"\0\x02hi");
    lent(&OtherTuple::Rest(5, b"xyz"), b"\x05xyz");
}

const ALPHA: u8 = 0xA;

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Constants {
    #[binfmt(tag = ALPHA)]
    Alpha,
    #[binfmt(tag = u8::MAX)]
    Last,
}

#[test]
fn constants_as_tags() {
    same(&Constants::Alpha, &[10]);
    same(&Constants::Last, &[255]);
    assert_error!(bad::<Constants>(&[0]), 0, "", ErrorKind::UnknownTag { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
#[repr(u8)]
enum Computed {
    Eight = 1 << 3,
    #[binfmt(tag = ALPHA)]
    Alpha = 20,
    #[binfmt(tag(0..=20))]
    Low(u8),
    #[binfmt(other)]
    Rest(u8),
}

#[test]
fn computed_discriminants_beside_patterns() {
    same(&Computed::Eight, &[8]);
    same(&Computed::Alpha, &[10]);
    same(&Computed::Low(9), &[9]);
    same(&Computed::Rest(21), &[21]);
    for tag in [8, 10, 20] {
        let e = refused(&Computed::Rest(tag));
        assert_error!(e, 0, "", ErrorKind::VariantMismatch { of: "Computed", found: "Rest" });
    }
    // these lie in the range of `Low` and are read as the variants before it
    for tag in [8, 10, 21] {
        let e = refused(&Computed::Low(tag));
        assert_error!(e, 0, "", ErrorKind::VariantMismatch { of: "Computed", found: "Low" });
    }
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(kind: &str), tag_from = kind)]
enum ByName {
    #[binfmt(tag = "short")]
    Short(i16),
    #[binfmt(tag = "string")]
    Text(#[binfmt(length_prefixed(i32))] String),
    #[binfmt(tag("none" | ""))]
    None,
}

#[test]
fn a_tag_from_text() {
    same_with(&ByName::Short(1), &[1, 0], &Options::new().ctx("short"));
    same_with(&ByName::Text("x".into()), b"\x01\0\0\0x", &Options::new().ctx("string"));
    same_with(&ByName::None, &[], &Options::new().ctx("none"));
    same_with(&ByName::None, &[], &Options::new().ctx(""));
    let e = bad_with::<ByName, _>(&[], &Options::new().ctx("float"));
    assert_error!(e, 0, "", ErrorKind::UnknownTag { found, of } if found == "\"float\"" && of == "ByName");
    let e = refused_with(&ByName::Short(1), &Options::new().ctx("string"));
    assert_error!(e, 0, "", ErrorKind::VariantMismatch { of: "ByName", found: "Short" });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(version: u32), tag_from = version)]
enum Versioned {
    #[binfmt(tag = 1)]
    One(u8),
    #[binfmt(tag = 2..=4)]
    Some(u16),
    #[binfmt(other)]
    Later(u32),
}

#[test]
fn a_tag_from_a_number_with_ranges() {
    same_with(&Versioned::One(1), &[1], &Options::new().ctx(1));
    same_with(&Versioned::Some(1), &[1, 0], &Options::new().ctx(3));
    same_with(&Versioned::Later(1), &[1, 0, 0, 0], &Options::new().ctx(9));
    let e = refused_with(&Versioned::Later(1), &Options::new().ctx(3));
    assert_error!(e, 0, "", ErrorKind::VariantMismatch { of: "Versioned", found: "Later" });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8), le, len = u16, max_len = 2, rename = "Msg")]
enum Message {
    #[binfmt(rename = "ping")]
    Ping {
        n: u16,
        #[binfmt(if(*n > 0), var_len)]
        text: Option<String>,
        #[binfmt(skip)]
        seen: bool,
        #[binfmt(pad_before = 1, assert(*last != 0, "no end"))]
        last: u8,
    },
}

#[test]
fn words_inside_of_variants() {
    let ping =
        |n, text: Option<&str>, last| Message::Ping { n, text: text.map(Into::into), seen: false, last };
    same_be(&ping(1, Some("ab"), 9), b"\0\x01\0\x02\0ab\0\x09");
    same(&ping(0, None, 9), b"\0\0\0\0\x09");
    assert_error!(
        bad::<Message>(b"\0\0\0\0\0"),
        4,
        "last",
        ErrorKind::Assertion { text: std::borrow::Cow::Borrowed("no end") }
    );
    let e = refused(&ping(1, Some("abc"), 9));
    assert_error!(e, 3, "text", ErrorKind::LengthLimit { length: 3, max: 2 });
    assert_eq!(Message::VARIANTS[0].name(), "ping");
    assert_error!(bad::<Message>(&[1]), 0, "", ErrorKind::UnknownTag { of, .. } if of == "Msg");
}

/// The kept tag of a tag that stands elsewhere.
#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(kind: u8), tag_from = kind)]
enum Kept {
    #[binfmt(tag = 1)]
    One,
    #[binfmt(tag(5..=7))]
    Some { n: u8, tag: u8 },
    #[binfmt(other)]
    Other { tag: u8, v: u8 },
}

#[test]
fn a_tag_from_elsewhere_is_kept_too() {
    let of = |kind| Options::new().ctx(kind);
    same_with(&Kept::One, &[], &of(1));
    same_with(&Kept::Some { n: 4, tag: 6 }, &[4], &of(6));
    same_with(&Kept::Other { tag: 9, v: 5 }, &[5], &of(9));
    let e = refused_with(&Kept::Other { tag: 8, v: 5 }, &of(9));
    assert_error!(e, 0, "", ErrorKind::VariantMismatch { of: "Kept", found: "Other" });
    let e = refused_with(&Kept::Some { n: 1, tag: 5 }, &of(6));
    assert_error!(e, 0, "", ErrorKind::VariantMismatch { of: "Kept", found: "Some" });
    let e = refused_with(&Kept::Other { tag: 6, v: 5 }, &of(6));
    assert_error!(e, 0, "", ErrorKind::VariantMismatch { of: "Kept", found: "Other" });
}

const K: isize = 3;

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
#[repr(isize)]
enum Constant {
    X = K,
    Next,
    Far = K * 2 + 1,
    #[binfmt(other)]
    Rest(u8),
}

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(i32))]
enum Extremes {
    Min = i32::MIN as isize,
    Minus = -1,
    Max = i32::MAX as isize,
}

const WIDE: u64 = u64::MAX;

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u64))]
#[repr(u64)]
enum Widest {
    Top(u8) = WIDE,
    Low = WIDE - 1,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u8))]
#[repr(u16)]
enum Narrower {
    X = NARROW,
}

const NARROW: u16 = 200;

#[test]
fn discriminants_that_rustc_computes() {
    same(&Constant::X, &[3]);
    same(&Constant::Next, &[4]);
    same(&Constant::Far, &[7]);
    same(&Constant::Rest(9), &[9]);
    let e = refused(&Constant::Rest(4));
    assert_error!(e, 0, "", ErrorKind::VariantMismatch { of: "Constant", found: "Rest" });
    same(&Extremes::Min, &[0, 0, 0, 0x80]);
    same(&Extremes::Minus, &[0xFF; 4]);
    same(&Extremes::Max, &[0xFF, 0xFF, 0xFF, 0x7F]);
    same(&Widest::Top(1), &[[0xFF; 8].as_slice(), &[1]].concat());
    same(&Widest::Low, &[0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]);
    same(&Narrower::X, &[200]);
    assert_eq!(Constant::VARIANTS[1].tag(), "K + 1");
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u16), ctx(most: u8), assert(self.size() <= usize::from(most), "{} bytes", self.size()))]
enum Ruled {
    #[binfmt(be, assert(*low <= *high, "{low} is above {high}"))]
    Range { low: u16, high: u16 },
    #[binfmt(magic = b"AB")]
    Marked(u16),
    #[binfmt(magic = 0x0102u16, be)]
    Nothing,
    #[binfmt(be)]
    Own(#[binfmt(le)] u16, u16),
}

impl Ruled {
    fn size(&self) -> usize {
        match self {
            Ruled::Range { .. } => 4,
            Ruled::Own(..) => 9,
            _ => 2,
        }
    }
}

#[test]
fn variants_have_rules_orders_and_magic() {
    let options = Options::new().ctx(8);
    for (value, bytes) in [
        (Ruled::Range { low: 1, high: 2 }, &[0, 0, 0, 1, 0, 2][..]),
        (Ruled::Marked(3), b"\x01\0AB\x03\0"),
        (Ruled::Nothing, &[2, 0, 1, 2]),
    ] {
        assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
        assert_eq!(binfmt::from_slice_with::<Ruled, _>(bytes, &options).unwrap(), value);
        let read = binfmt::from_reader_with::<Ruled, _>(bytes, &options);
        assert_eq!(read.unwrap(), value);
    }
    let wrong = |bytes: &[u8]| binfmt::from_slice_with::<Ruled, _>(bytes, &options).unwrap_err();
    assert_error!(wrong(&[0, 0, 0, 2, 0, 1]), 0, "", ErrorKind::Assertion { text } if text == "2 is above 1");
    assert_error!(wrong(b"\x01\0AC\x03\0"), 2, "magic", ErrorKind::Magic { .. });
    let own = binfmt::from_slice_with::<Ruled, _>(&[3, 0, 1, 0, 0, 2], &Options::new().ctx(9)).unwrap();
    assert_eq!(own, Ruled::Own(1, 2));
    assert_error!(wrong(&[3, 0, 1, 0, 0, 2]), 0, "", ErrorKind::Assertion { text } if text == "9 bytes");
    let e = binfmt::to_vec_with(&own, &options).unwrap_err();
    assert_error!(e, 0, "", ErrorKind::Assertion { text } if text == "9 bytes");
    let e = binfmt::to_vec_with(&Ruled::Range { low: 2, high: 1 }, &options).unwrap_err();
    assert_error!(e, 0, "", ErrorKind::Assertion { .. });
}

/// Before its tag.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(tag(u8), magic = b"EN")]
enum Marked {
    #[binfmt(tag = 1)]
    Empty,
    #[binfmt(tag = 2, magic = 7u8)]
    Pair(u8, #[binfmt(align_before = 4)] u16),
    #[binfmt(other)]
    Other { tag: u8, n: u8 },
}

const MARK: u16 = 0x0102;

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(kind: u8), tag_from = kind, be, magic = MARK)]
enum Chosen {
    #[binfmt(tag = 0)]
    Number(u16),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Both {
    kind: u8,
    #[binfmt(tag_from = *kind)]
    chosen: Chosen,
    marked: Marked,
}

#[test]
fn a_magic_before_the_tag() {
    same(&Marked::Empty, b"EN\x01");
    // alignment counts from the first byte of the enum
    same(&Marked::Pair(9, 5), b"EN\x02\x07\x09\0\0\0\x05\0");
    same(&Marked::Other { tag: 9, n: 1 }, b"EN\x09\x01");
    let both = Both { kind: 0, chosen: Chosen::Number(5), marked: Marked::Empty };
    let bytes = b"\0\x01\x02\0\x05EN\x01";
    same(&both, bytes);
    for n in 0..bytes.len() {
        short::<Both>(&bytes[..n]);
    }
    let e = bad::<Both>(b"\0\x01\x02\0\x05EM\x01");
    assert_error!(e, 5, "marked.magic", ErrorKind::Magic { .. });
    assert_eq!(<Marked as Layout>::FACTS.sizes().min, 3);

    let layout = Marked::SCHEMA.description();
    let program = Program::new(&layout).unwrap();
    let options = Options::new().ctx(&program);
    for bytes in [&b"EN\x01"[..], b"EN\x02\x07\x09\0\0\0\x05\0", b"EN\x09\x01"] {
        let value: Value = binfmt::from_slice_with(bytes, &options).unwrap();
        assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
    }
    let e = binfmt::from_slice_with::<Value, _>(b"EM\x01", &options).unwrap_err();
    assert_error!(e, 0, "magic", ErrorKind::Magic { .. });
}
