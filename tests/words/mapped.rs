//! `map` and `try_map` on structs and enums: another type is on the wire.

use crate::support::wire::{assert_error, bad, refused, same};
use binfmt::{BinFormat, Describe, ErrorKind, Layout, Options};

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(be, map(decode = Rgb::unpacked, encode = |rgb| rgb.r << 11 | rgb.g << 5 | rgb.b, as = u16))]
struct Rgb {
    r: u16,
    g: u16,
    b: u16,
}

impl Rgb {
    fn unpacked(n: u16) -> Rgb {
        Rgb { r: n >> 11, g: n >> 5 & 63, b: n & 31 }
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(try_map(decode = Level::of, encode = |level: &Level| u8::try_from(*level as i32), as = u8))]
enum Level {
    Low = 1,
    High = 9,
}

impl Level {
    fn of(n: u8) -> Result<Level, String> {
        match n {
            1 => Ok(Level::Low),
            9 => Ok(Level::High),
            n => Err(format!("no level {n}")),
        }
    }
}

impl Copy for Level {}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(n: u8))]
struct Bytes<'a> {
    #[binfmt(count = n)]
    bytes: &'a [u8],
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(n: u8), map(decode = |b| Lent(b.bytes), encode = |l| Bytes { bytes: l.0 }, as = Bytes<'a>))]
struct Lent<'a>(&'a [u8]);

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(map(decode = |(a, b)| Pair { a, b }, encode = |p| (p.a.clone(), p.b.clone()), as = (T, T)), bound(T: Clone + Layout + binfmt::DecodeOwned + binfmt::Encode))]
struct Pair<T> {
    a: T,
    b: T,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Picture {
    #[binfmt(length_prefixed(u8))]
    pixels: Vec<Rgb>,
    level: Level,
    #[binfmt(nullable)]
    other: Option<Rgb>,
}

#[test]
fn another_type_is_on_the_wire() {
    let rgb = Rgb { r: 1, g: 2, b: 3 };
    same(&Picture { pixels: vec![rgb], level: Level::High, other: None }, &[1, 0x08, 0x43, 9, 0, 0, 0]);
    same(&Pair { a: 1u16, b: 2 }, &[1, 0, 2, 0]);
    assert_eq!(Rgb::FACTS.sizes().exact(), Some(2));
    let bytes = [7, 8];
    let options = Options::new().ctx(2);
    assert_eq!(binfmt::from_slice_with::<Lent<'_>, _>(&bytes, &options).unwrap(), Lent(&bytes));
    assert_eq!(binfmt::to_vec_with(&Lent(&bytes), &options).unwrap(), bytes);
}

#[test]
fn errors_are_those_of_the_function_and_of_the_type() {
    assert_error!(bad::<Picture>(&[0, 3, 0, 0, 0]), 1, "level", ErrorKind::Message(text) if text == "no level 3");
    assert_error!(bad::<Picture>(&[0, 1, 255, 1]), 2, "other", ErrorKind::UnexpectedEnd { .. });
}

#[test]
fn the_schema_is_that_of_the_other_type() {
    assert_eq!(
        Picture::SCHEMA.to_string(),
        "Picture: record\n  pixels: [u16, be], length_prefixed(u8)\n  level: u8\n  other: u16, nullable, be\n"
    );
}

/// A whole type that a module reads and writes.
mod degrees {
    use super::{Angle, Unit};
    use binfmt::{Decode, Encode, Order, Result, Sink, Source};

    pub(super) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<Angle> {
        let n = u16::decode::<O, S>(src, ())?;
        Ok(Angle { whole: n / 100, hundredths: n % 100 })
    }

    pub(super) fn encode<O: Order, W: Sink>(angle: &Angle, out: &mut W) -> Result<()> {
        (angle.whole * 100 + angle.hundredths).encode::<O, W>(out, ())
    }

    pub(super) mod unit {
        #![expect(clippy::extra_unused_type_parameters, reason = "bytes have no order")]
        use super::*;

        pub(in super::super) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S, n: u8) -> Result<Unit> {
            Ok(if src.array::<1>()? == [n] { Unit::Own } else { Unit::Other })
        }

        pub(in super::super) fn encode<O: Order, W: Sink>(unit: &Unit, out: &mut W, n: u8) -> Result<()> {
            out.array([if *unit == Unit::Own { n } else { !n }])
        }
    }
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(with = degrees, be, size = 2)]
struct Angle {
    whole: u16,
    hundredths: u16,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(with = degrees::unit, ctx(n: u8))]
enum Unit {
    Own,
    Other,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Turn {
    n: u8,
    #[binfmt(count = 2)]
    angles: Vec<Angle>,
    #[binfmt(args(*n))]
    unit: Unit,
}

#[test]
fn a_module_for_a_whole_type() {
    let angles = vec![Angle { whole: 1, hundredths: 5 }, Angle { whole: 0, hundredths: 7 }];
    same(&Turn { n: 9, angles: angles.clone(), unit: Unit::Own }, &[9, 0, 105, 0, 7, 9]);
    same(&Turn { n: 9, angles, unit: Unit::Other }, &[9, 0, 105, 0, 7, !9]);
    let e = binfmt::from_slice::<Turn>(&[9, 0, 105, 0]).unwrap_err();
    assert_eq!(e.path().to_string(), "angles", "{e}");
    assert_eq!(Angle::SCHEMA.to_string(), "opaque(Angle), size(2)\n");
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(try_map(decode = even, encode = half, as = u8))]
struct Even(u8);

fn even(n: u8) -> Result<Even, String> {
    n.checked_mul(2).map(Even).ok_or(format!("{n} is too large"))
}

fn half(value: &Even) -> Result<u8, String> {
    if value.0.is_multiple_of(2) { Ok(value.0 / 2) } else { Err(format!("{} is odd", value.0)) }
}

#[derive(BinFormat, Debug, PartialEq)]
struct Evens {
    before: u16,
    even: Even,
}

#[test]
fn the_function_of_a_type_fails_where_its_value_is() {
    same(&Evens { before: 1, even: Even(6) }, &[1, 0, 3]);
    let e = bad::<Evens>(&[1, 0, 200]);
    assert_error!(e, 2, "even", ErrorKind::Message(text) if text == "200 is too large");
    let e = refused(&Evens { before: 1, even: Even(7) });
    assert_error!(e, 2, "even", ErrorKind::Message(text) if text == "7 is odd");
}
