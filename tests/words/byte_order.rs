//! `le`, `be`, `endian`: what says something wins, what says nothing inherits.

use crate::support::wire::{assert_error, bad, lent, same, same_be, same_with};
use binfmt::{BinFormat, Endian, ErrorKind, Options};

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct Little {
    a: u16,
    b: i32,
    c: f32,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be)]
struct Big {
    a: u16,
    b: i32,
    c: f32,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Silent {
    a: u16,
    b: i32,
    c: f32,
}

const LE: &[u8] = &[0x02, 0x01, 0xFE, 0xFF, 0xFF, 0xFF, 0, 0, 0x80, 0x3F];
const BE: &[u8] = &[0x01, 0x02, 0xFF, 0xFF, 0xFF, 0xFE, 0x3F, 0x80, 0, 0];

#[test]
fn le_is_fixed() {
    let value = Little { a: 0x102, b: -2, c: 1.0 };
    same(&value, LE);
    same_be(&value, LE);
}

#[test]
fn be_is_fixed() {
    let value = Big { a: 0x102, b: -2, c: 1.0 };
    same(&value, BE);
    same_be(&value, BE);
}

#[test]
fn silence_inherits() {
    let value = Silent { a: 0x102, b: -2, c: 1.0 };
    same(&value, LE);
    same_be(&value, BE);
}

#[test]
fn le_ends_early() {
    assert_error!(bad::<Little>(&LE[..1]), 0, "a", ErrorKind::UnexpectedEnd { needed: 2, remaining: 1 });
    assert_error!(bad::<Little>(&LE[..5]), 2, "b", ErrorKind::UnexpectedEnd { needed: 4, remaining: 3 });
    assert_error!(bad::<Little>(&LE[..6]), 6, "c", ErrorKind::UnexpectedEnd { needed: 4, remaining: 0 });
    assert_error!(bad::<Little>(&[]), 0, "a", ErrorKind::UnexpectedEnd { needed: 2, remaining: 0 });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct Named {
    id: u16,
    #[binfmt(var_len)]
    name: String,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct NamedRef<'a> {
    id: u16,
    #[binfmt(var_len)]
    name: &'a str,
}

#[test]
fn le_reaches_lengths_owned_and_borrowed() {
    let bytes = b"\x02\x01\x02\0\0\0hi";
    same_be(&Named { id: 0x102, name: "hi".into() }, bytes);
    let big = Options::new().endian(Endian::Big);
    let value = lent(&NamedRef { id: 0x102, name: "hi" }, bytes);
    assert_eq!(binfmt::from_slice_with::<NamedRef<'_>, _>(bytes, &big).unwrap(), value);
    assert_eq!(binfmt::to_vec_with(&value, &big).unwrap(), bytes);
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(little)]
struct LittleAlias(u16);

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(big)]
struct BigAlias(u16);

#[test]
fn aliases() {
    same_be(&LittleAlias(1), &[1, 0]);
    same(&BigAlias(1), &[0, 1]);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Fields {
    #[binfmt(le)]
    le: u16,
    #[binfmt(be)]
    be: u16,
    silent: u16,
    #[binfmt(be, length_prefixed(u16))]
    items: Vec<u16>,
    #[binfmt(le)]
    array: [u16; 2],
}

#[test]
fn a_field_overrides() {
    let value = Fields { le: 1, be: 1, silent: 1, items: vec![1, 2], array: [3, 4] };
    same(&value, &[1, 0, 0, 1, 1, 0, 0, 2, 0, 1, 0, 2, 3, 0, 4, 0]);
    same_be(&value, &[1, 0, 0, 1, 0, 1, 0, 2, 0, 1, 0, 2, 3, 0, 4, 0]);
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(be)]
struct Outer {
    fixed: Little,
    inherits: Silent,
    #[binfmt(le)]
    told: Silent,
    #[binfmt(le, length_prefixed(u8))]
    list: Vec<Silent>,
}

#[test]
fn a_child_that_says_something_wins() {
    let silent = || Silent { a: 0x102, b: -2, c: 1.0 };
    let value = Outer {
        fixed: Little { a: 0x102, b: -2, c: 1.0 },
        inherits: silent(),
        told: silent(),
        list: vec![silent(), silent()],
    };
    same(&value, &[LE, BE, LE, &[2], LE, LE].concat());
}

#[derive(BinFormat, Debug, PartialEq)]
struct Chosen {
    big: bool,
    #[binfmt(endian = if *big { Endian::Big } else { Endian::Little })]
    n: u32,
    #[binfmt(endian = if *big { Endian::Big } else { Endian::Little }, length_prefixed(u16))]
    list: Vec<u16>,
    silent: u16,
}

#[test]
fn a_field_chooses_at_run_time() {
    let value = Chosen { big: true, n: 1, list: vec![2], silent: 3 };
    same(&value, &[1, 0, 0, 0, 1, 0, 1, 0, 2, 3, 0]);
    let value = Chosen { big: false, n: 1, list: vec![2], silent: 3 };
    same_be(&value, &[0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 3]);
    let e = bad::<Chosen>(&[2, 0, 0, 0, 0, 0, 0]);
    assert_error!(e, 0, "big", ErrorKind::InvalidBool { found: 2 });
    let e = bad::<Chosen>(&[1, 0, 0]);
    assert_error!(e, 1, "n", ErrorKind::UnexpectedEnd { needed: 4, remaining: 2 });
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(order: Endian), endian = order)]
struct Page {
    n: u16,
    inner: Silent,
}

#[test]
fn a_container_chooses_at_run_time() {
    let value = Page { n: 1, inner: Silent { a: 0x102, b: -2, c: 1.0 } };
    let little = Options::new().endian(Endian::Big).ctx(Endian::Little);
    same_with(&value, &[&[1, 0], LE].concat(), &little);
    same_with(&value, &[&[0, 1], BE].concat(), &Options::new().ctx(Endian::Big));
}

#[derive(BinFormat, Debug, PartialEq)]
struct Numbers {
    a: u8,
    b: i8,
    c: u16,
    d: i16,
    e: u32,
    f: i32,
    g: u64,
    h: i64,
    i: u128,
    j: i128,
    k: f32,
    l: f64,
    m: bool,
    n: (),
}

#[test]
fn every_number() {
    let value = Numbers {
        a: 1,
        b: -1,
        c: 2,
        d: -2,
        e: 3,
        f: -3,
        g: 4,
        h: -4,
        i: 5,
        j: -5,
        k: 0.5,
        l: -0.5,
        m: true,
        n: (),
    };
    let le = [
        &1u8.to_le_bytes()[..],
        &(-1i8).to_le_bytes(),
        &2u16.to_le_bytes(),
        &(-2i16).to_le_bytes(),
        &3u32.to_le_bytes(),
        &(-3i32).to_le_bytes(),
        &4u64.to_le_bytes(),
        &(-4i64).to_le_bytes(),
        &5u128.to_le_bytes(),
        &(-5i128).to_le_bytes(),
        &0.5f32.to_le_bytes(),
        &(-0.5f64).to_le_bytes(),
        &[1],
    ];
    same(&value, &le.concat());
    let be: Vec<u8> = le.iter().flat_map(|number| number.iter().rev().copied()).collect();
    same_be(&value, &be);
    let mut wrong = le.concat();
    *wrong.last_mut().unwrap() = 7;
    assert_error!(bad::<Numbers>(&wrong), 74, "m", ErrorKind::InvalidBool { found: 7 });
}
