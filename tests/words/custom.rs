//! `with`, `decode_with`, `encode_with`, `map`, `try_map`: code of the user's own.

use crate::support::wire::{assert_error, bad, lent, refused, same, same_be};
use binfmt::{BinFormat, Decode, Encode, ErrorKind, Layout, Order, Result, Sink, Source};

/// Seven bits a byte, the high bit on all but the last.
mod varint {
    #![expect(clippy::extra_unused_type_parameters, reason = "bytes have no order")]

    use binfmt::{Error, Order, Result, Sink, Source};

    pub(crate) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<u32> {
        let mut n = 0;
        for shift in (0..35).step_by(7) {
            let [b] = src.array::<1>()?;
            n |= u32::from(b & 0x7F).checked_shl(shift).unwrap_or(0);
            if b < 0x80 {
                return Ok(n);
            }
        }
        Err(Error::message("a number of more than five bytes", src.pos()))
    }

    pub(crate) fn encode<O: Order, W: Sink>(v: &u32, out: &mut W) -> Result<()> {
        let mut n = *v;
        while n >= 0x80 {
            out.array([n as u8 | 0x80])?;
            n >>= 7;
        }
        out.array([n as u8])
    }
}

#[derive(BinFormat, Debug, PartialEq)]
struct With {
    a: u8,
    #[binfmt(with = varint, size(1, 5))]
    n: u32,
    #[binfmt(with = varint)]
    m: u32,
    b: u16,
}

#[test]
fn with_a_module() {
    same(&With { a: 1, n: 300, m: 5, b: 2 }, &[1, 0xAC, 2, 5, 2, 0]);
    assert_eq!((With::FACTS.sizes().min, With::PARTS[1].sizes().max), (4, 5));
    let e = bad::<With>(&[1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]);
    assert_error!(e, 6, "n", ErrorKind::Message(text) if text == "a number of more than five bytes");
    let e = bad::<With>(&[1, 5, 0x80, 0x80]);
    assert_error!(e, 4, "m", ErrorKind::UnexpectedEnd { needed: 1, remaining: 0 });
}

fn decode_scaled<'de, O: Order, S: Source<'de>>(src: &mut S, scale: u8, plus: i32) -> Result<i32> {
    Ok(i32::from(i16::decode::<O, S>(src, ())?) * i32::from(scale) + plus)
}

fn encode_scaled<O: Order, W: Sink>(v: &i32, out: &mut W, scale: u8, plus: i32) -> Result<()> {
    match i16::try_from((v - plus) / i32::from(scale)) {
        Ok(n) => n.encode::<O, W>(out, ()),
        Err(e) => Err(binfmt::Error::message(e.to_string(), out.pos())),
    }
}

#[derive(BinFormat, Debug, PartialEq)]
struct Pair {
    scale: u8,
    #[binfmt(decode_with = decode_scaled, encode_with = encode_scaled, args(*scale, 1), size(2))]
    n: i32,
    #[binfmt(be, decode_with = self::decode_scaled, encode_with = self::encode_scaled, args(1, 0))]
    big: i32,
}

#[test]
fn a_pair_of_functions_with_arguments() {
    same(&Pair { scale: 10, n: 21, big: 1 }, &[10, 2, 0, 0, 1]);
    same_be(&Pair { scale: 10, n: 21, big: 1 }, &[10, 0, 2, 0, 1]);
    assert_eq!(Pair::PARTS[1].sizes().exact(), Some(2));
    let e = refused(&Pair { scale: 1, n: 1 << 20, big: 1 });
    assert_error!(e, 1, "n", ErrorKind::Message(_));
}

#[derive(BinFormat, Debug, PartialEq)]
struct Map {
    #[binfmt(map(decode = |n: u8| f32::from(n) / 2.0, encode = |v: &f32| (v * 2.0) as u8, as = u8))]
    half: f32,
    #[binfmt(map(decode = |n: u16| n.wrapping_sub(1), encode = |v: &u16| v.wrapping_add(1)))]
    less: u16,
    #[binfmt(length_prefixed(u8), map(decode = text_to_chars, encode = chars_to_text, as = String))]
    letters: Vec<char>,
}

fn text_to_chars(text: String) -> Vec<char> {
    text.chars().collect()
}

#[expect(clippy::ptr_arg, reason = "the function of a field gets a reference to its type")]
fn chars_to_text(letters: &Vec<char>) -> String {
    letters.iter().collect()
}

#[test]
fn map_in_both_directions() {
    same(&Map { half: 1.5, less: 6, letters: vec!['a', 'é'] }, b"\x03\x07\0\x03a\xc3\xa9");
    assert_eq!(Map::PARTS[0].sizes().exact(), Some(1));
    assert_error!(bad::<Map>(&[3, 7]), 1, "less", ErrorKind::UnexpectedEnd { needed: 2, remaining: 1 });
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Percent(u8);

impl TryFrom<u8> for Percent {
    type Error = &'static str;

    fn try_from(n: u8) -> Result<Self, &'static str> {
        if n <= 100 { Ok(Percent(n)) } else { Err("more than 100 percent") }
    }
}

fn to_byte(p: &Percent) -> Result<u8, String> {
    if p.0 <= 100 { Ok(p.0) } else { Err(format!("{} percent", p.0)) }
}

#[derive(BinFormat, Debug, PartialEq)]
struct TryMap {
    first: u8,
    #[binfmt(try_map(decode = Percent::try_from, encode = to_byte, as = u8))]
    share: Percent,
    #[binfmt(be, try_map(decode = char::try_from, encode = |c: &char| Ok::<_, String>(u32::from(*c)), as = u32))]
    letter: char,
}

#[test]
fn try_map_may_refuse() {
    same(&TryMap { first: 0, share: Percent(7), letter: 'x' }, &[0, 7, 0, 0, 0, b'x']);
    let e = bad::<TryMap>(&[0, 101, 0, 0, 0, 0]);
    assert_error!(e, 1, "share", ErrorKind::Message(text) if text == "more than 100 percent");
    let e = bad::<TryMap>(&[0, 1, 0, 0, 0xD8, 0]);
    assert_error!(e, 2, "letter", ErrorKind::Custom(_));
    assert!(e.downcast_ref::<std::char::CharTryFromError>().is_some());
    let e = refused(&TryMap { first: 0, share: Percent(200), letter: 'x' });
    assert_error!(e, 1, "share", ErrorKind::Message(text) if text == "200 percent");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Lent<'a> {
    #[binfmt(length_prefixed(u8), map(decode = |text: &'a str| (text.len(), text), encode = |v: &(usize, &'a str)| v.1, as = &'a str))]
    text: (usize, &'a str),
}

#[test]
fn map_may_borrow() {
    lent(&Lent { text: (3, "a=b") }, b"\x03a=b");
}
