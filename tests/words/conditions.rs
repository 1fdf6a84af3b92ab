//! `if`, `assert`, `range`: what must be true, in both directions.

use crate::support::wire::{assert_error, bad, lent, refused, same};
use binfmt::{BinFormat, ErrorKind, Layout};
use std::borrow::Cow;

#[derive(BinFormat, Debug, PartialEq)]
struct Flags {
    flags: u8,
    #[binfmt(if(*flags & 1 != 0))]
    number: Option<u16>,
    #[binfmt(if(flags & 2 != 0), length_prefixed(u8))]
    text: Option<String>,
    on: bool,
    #[binfmt(if(on), be)]
    big: Option<u16>,
}

#[test]
fn if_reads_only_what_is_there() {
    let all = Flags { flags: 3, number: Some(1), text: Some("x".into()), on: true, big: Some(2) };
    same(&all, b"\x03\x01\0\x01x\x01\0\x02");
    same(&Flags { flags: 0, number: None, text: None, on: false, big: None }, &[0, 0]);
    assert_error!(bad::<Flags>(&[1, 1]), 1, "number", ErrorKind::UnexpectedEnd { needed: 2, remaining: 1 });
    assert_eq!(Flags::FACTS.sizes().min, 2);
}

#[test]
fn if_must_agree_with_the_value() {
    let e = refused(&Flags { flags: 1, number: None, text: None, on: false, big: None });
    assert_error!(e, 1, "number", ErrorKind::PresenceMismatch { expected: true });
    let e = refused(&Flags { flags: 1, number: Some(1), text: Some("x".into()), on: false, big: None });
    assert_error!(e, 3, "text", ErrorKind::PresenceMismatch { expected: false });
}

#[derive(BinFormat, Debug, PartialEq)]
struct FlagsRef<'a> {
    on: bool,
    #[binfmt(if(*on), length_prefixed(u8))]
    text: Option<&'a str>,
    #[binfmt(if(*on), nul)]
    end: Option<&'a str>,
}

#[test]
fn if_on_borrowed_data() {
    lent(&FlagsRef { on: true, text: Some("x"), end: Some("y") }, b"\x01\x01xy\0");
    lent(&FlagsRef { on: false, text: None, end: None }, b"\0");
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Else {
    flags: u8,
    #[binfmt(if(*flags & 1 != 0, else = 7), be)]
    number: u16,
    #[binfmt(if(*flags & 2 != 0, else = "none".to_owned()), length_prefixed(u8), pad_after = 1)]
    text: String,
    #[binfmt(if(*flags & 4 != 0, else = f32::NAN))]
    float: f32,
    #[binfmt(if(flags & 8 != 0, else = usize::from(*flags)), map(decode = |n: usize| n.to_string(), encode = |s: &String| s.parse::<usize>().unwrap(), as = usize), as = u8)]
    mapped: String,
    last: u8,
}

fn without() -> Else {
    let (text, mapped) = ("none".to_owned(), "0".to_owned());
    Else { flags: 0, number: 7, text, float: 1.0, mapped, last: 9 }
}

#[test]
fn else_stands_for_what_is_not_there() {
    let all = Else { flags: 15, number: 1, text: "x".into(), mapped: "3".into(), ..without() };
    same(&all, b"\x0f\0\x01\x01x\0\0\0\x80\x3f\x03\x09");
    let none = binfmt::from_slice::<Else>(&[0, 9]).unwrap();
    assert!(none.float.is_nan());
    assert_eq!(Else { float: 1.0, ..none.clone() }, without());
    assert_eq!(binfmt::to_vec(&none).unwrap(), [0, 9]);
    assert_eq!(Else::FACTS.sizes().min, 2);
}

#[test]
fn a_value_that_would_not_be_read_back_is_refused() {
    let none = binfmt::from_slice::<Else>(&[0, 9]).unwrap();
    let e = refused(&Else { number: 1, ..none.clone() });
    assert_error!(&e, 1, "number", ErrorKind::Otherwise { .. });
    assert_eq!(
        e.to_string(),
        "number at byte 0x1: a value other than `7`, where the condition says that no value is present"
    );
    assert_eq!(e.expected().as_deref(), Some("7"));
    assert_error!(refused(&Else { float: 1.0, ..none }), 1, "float", ErrorKind::Otherwise { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
struct PaddedIf {
    on: bool,
    #[binfmt(if(*on), pad_before = 2, pad_after = 1)]
    n: Option<u8>,
    last: u8,
}

#[test]
fn the_padding_of_a_conditional_field_goes_with_it() {
    same(&PaddedIf { on: true, n: Some(7), last: 9 }, &[1, 0, 0, 7, 0, 9]);
    same(&PaddedIf { on: false, n: None, last: 9 }, &[0, 9]);
    let e = refused(&PaddedIf { on: true, n: None, last: 9 });
    assert_error!(e, 3, "n", ErrorKind::PresenceMismatch { expected: true });
}

#[derive(BinFormat, Debug, PartialEq)]
struct RowCount {
    short: i32,
    #[binfmt(if(*short == i32::MIN))]
    long: Option<i64>,
}

#[test]
fn a_row_count_of_sdds() {
    same(&RowCount { short: 5, long: None }, &[5, 0, 0, 0]);
    same(&RowCount { short: i32::MIN, long: Some(1) }, &[0, 0, 0, 0x80, 1, 0, 0, 0, 0, 0, 0, 0]);
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(assert(low <= high, "low is above high"))]
struct Span {
    #[binfmt(assert(*low % 2 == 0, "low is odd"))]
    low: u16,
    high: u16,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Spans {
    first: u8,
    spans: [Span; 2],
}

#[test]
fn assert_holds_in_both_directions() {
    same(&Span { low: 2, high: 4 }, &[2, 0, 4, 0]);
    let e = bad::<Span>(&[3, 0, 4, 0]);
    assert_error!(e, 0, "low", ErrorKind::Assertion { text: Cow::Borrowed("low is odd") });
    let e = bad::<Span>(&[6, 0, 4, 0]);
    assert_error!(e, 0, "", ErrorKind::Assertion { text: Cow::Borrowed("low is above high") });
    let e = refused(&Span { low: 3, high: 4 });
    assert_error!(e, 0, "low", ErrorKind::Assertion { text: Cow::Borrowed("low is odd") });
    let e = refused(&Span { low: 6, high: 4 });
    assert_error!(e, 0, "", ErrorKind::Assertion { text: Cow::Borrowed("low is above high") });
    let e = bad::<Spans>(&[0, 2, 0, 4, 0, 6, 0, 4, 0]);
    assert_error!(e, 5, "spans[1]", ErrorKind::Assertion { text: Cow::Borrowed("low is above high") });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(assert(*a != 0), assert(a != b))]
struct Plain {
    a: u8,
    b: u8,
}

#[test]
fn an_assertion_without_text_says_itself() {
    same(&Plain { a: 1, b: 2 }, &[1, 2]);
    assert!(bad::<Plain>(&[0, 1]).to_string().contains("a != 0"));
    assert!(bad::<Plain>(&[1, 1]).to_string().contains("a != b"));
}

#[derive(BinFormat, Debug, PartialEq)]
struct Ranges {
    #[binfmt(range = 1..=12)]
    month: u8,
    #[binfmt(range = ..1.0)]
    part: f32,
    #[binfmt(range = 0..10, le)]
    n: i32,
}

#[test]
fn range_holds_in_both_directions() {
    same(&Ranges { month: 12, part: 0.5, n: 9 }, &[12, 0, 0, 0, 0x3F, 9, 0, 0, 0]);
    let e = bad::<Ranges>(&[13, 0, 0, 0, 0x3F, 9, 0, 0, 0]);
    assert_error!(e, 0, "month", ErrorKind::OutOfRange { found, .. } if found == "13");
    let e = bad::<Ranges>(&[12, 0, 0, 0x80, 0x3F, 9, 0, 0, 0]);
    assert_error!(e, 1, "part", ErrorKind::OutOfRange { found, .. } if found == "1.0");
    let e = bad::<Ranges>(&[12, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]);
    assert_error!(e, 5, "n", ErrorKind::OutOfRange { found, .. } if found == "-1");
    let e = refused(&Ranges { month: 0, part: 0.0, n: 0 });
    assert_error!(e, 0, "month", ErrorKind::OutOfRange { found, .. } if found == "0");
    let e = refused(&Ranges { month: 1, part: 0.0, n: 10 });
    assert_error!(e, 5, "n", ErrorKind::OutOfRange { found, .. } if found == "10");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Checked {
    #[binfmt(length_prefixed(u8))]
    list: Vec<Month>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Month(#[binfmt(range = 1..=12)] u8);

#[test]
fn a_checked_number_is_not_copied_as_memory() {
    same(&Checked { list: vec![Month(1), Month(12)] }, &[2, 1, 12]);
    assert_error!(bad::<Checked>(&[2, 1, 13]), 2, "list[1].0", ErrorKind::OutOfRange { .. });
    assert_error!(refused(&Checked { list: vec![Month(0)] }), 1, "list[0].0", ErrorKind::OutOfRange { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(assert(a < b, "{a} is not below {}", b))]
struct Formatted {
    a: u8,
    #[binfmt(assert(*b != 9, "{b:#04x}, after {a}{{}}"))]
    b: u8,
}

#[test]
fn messages_name_values() {
    same(&Formatted { a: 1, b: 2 }, &[1, 2]);
    let e = bad::<Formatted>(&[5, 4]);
    assert_error!(e, 0, "", ErrorKind::Assertion { text } if text == "5 is not below 4");
    let e = refused(&Formatted { a: 3, b: 9 });
    assert_error!(e, 1, "b", ErrorKind::Assertion { text } if text == "0x09, after 3{}");
}

#[derive(Debug, PartialEq)]
enum Reason {
    Odd(u8),
    Large { n: u8, max: u8 },
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Reason {}

fn even(n: u8) -> Result<u8, Reason> {
    if n.is_multiple_of(2) { Ok(n) } else { Err(Reason::Odd(n)) }
}

#[derive(BinFormat, Debug, PartialEq)]
struct Own {
    #[binfmt(try_map(decode = even, encode = |n: &u8| even(*n)))]
    even: u8,
    #[binfmt(assert(*most <= 100 + even, Reason::Large { n: *most, max: 100 + even }))]
    most: u8,
    #[binfmt(assert(*text != 7, format!("{text}, after {most}")))]
    text: u8,
    #[binfmt(len_of(long, u8))]
    len: (),
    #[binfmt(try_map(decode = long, encode = short, as = String), count = len)]
    long: String,
}

fn long(text: String) -> Result<String, binfmt::Error> {
    if text.len() > 3 { Ok(text) } else { Err(binfmt::Error::caused_by(Reason::Odd(0), 77)) }
}

fn short(text: &str) -> Result<String, Reason> {
    if text.len() > 3 { Ok(text.to_owned()) } else { Err(Reason::Odd(1)) }
}

#[test]
fn errors_of_the_users_own_come_back() {
    let own = Own { even: 2, most: 9, text: 1, len: (), long: "long".into() };
    same(&own, b"\x02\x09\x01\x04long");
    let e = bad::<Own>(b"\x03\x09\x01\x04long");
    assert_error!(e, 0, "even", ErrorKind::Custom(_));
    assert_eq!(e.downcast_ref(), Some(&Reason::Odd(3)));
    let source = std::error::Error::source(&e).unwrap();
    assert_eq!(source.downcast_ref(), Some(&Reason::Odd(3)));
    assert_eq!(e.to_string(), "even at byte 0x0: Odd(3)");
    assert_eq!(*e.downcast::<Reason>().unwrap(), Reason::Odd(3));

    let e = refused(&Own { most: 200, ..own });
    assert_error!(e, 1, "most", ErrorKind::Custom(_));
    assert_eq!(e.downcast_ref(), Some(&Reason::Large { n: 200, max: 102 }));

    let e = bad::<Own>(b"\x02\x09\x07\x04long");
    assert_error!(e, 2, "text", ErrorKind::Message(text) if text == "7, after 9");
    // an error of the crate's stays what it is
    let e = bad::<Own>(b"\x02\x09\x01\x03lon");
    assert_error!(e, 77, "long", ErrorKind::Custom(_));
    let e = refused(&Own { even: 2, most: 9, text: 1, len: (), long: "a".into() });
    assert_eq!((e.path().to_string().as_str(), e.downcast_ref()), ("long", Some(&Reason::Odd(1))));
    assert!(e.downcast::<std::fmt::Error>().is_err());
}
