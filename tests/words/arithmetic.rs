//! Arithmetic in `count` and `rank`: it computes right or is an error, whatever the input says.

use crate::support::wire::{assert_error, bad, refused, same};
use binfmt::{ArrayD, BinFormat, ErrorKind};

#[derive(BinFormat, Debug, PartialEq)]
struct Narrow {
    n: u8,
    #[binfmt(count = n * 2)]
    twice: Vec<u8>,
    #[binfmt(count = (*n - 100) / 50 + 1)]
    part: Vec<u8>,
    #[binfmt(count = -(100 - *n as i16) % 7)]
    signed: Vec<u8>,
    #[binfmt(count = if *n > 100 { n * 3 - 599 } else { 0 })]
    chosen: Vec<u8>,
    #[binfmt(count = match n { 0 => unreachable!(), k => { let k = *k; k & 31 | 1 << 2 } })]
    bits: Vec<u8>,
}

fn narrow() -> Narrow {
    let of = |len: usize| vec![7; len];
    Narrow { n: 200, twice: of(400), part: of(3), signed: of(2), chosen: of(1), bits: of(12) }
}

#[test]
fn a_narrow_field_is_no_limit() {
    let bytes = [vec![200], vec![7; 400 + 3 + 2 + 1 + 12]].concat();
    same(&narrow(), &bytes);
    let e = refused(&Narrow { twice: vec![7; 144], ..narrow() });
    assert_error!(e, 1, "twice", ErrorKind::LengthMismatch { expected: 400, found: 144 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Less {
    n: u8,
    #[binfmt(count = n - 4)]
    rest: Vec<u8>,
}

#[test]
fn less_than_nothing_is_no_length() {
    same(&Less { n: 6, rest: vec![1, 2] }, &[6, 1, 2]);
    assert_error!(bad::<Less>(&[2, 1, 2]), 1, "rest", ErrorKind::InvalidLength { found: -2 });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Quotient {
    total: u8,
    n: u8,
    #[binfmt(count = total / n)]
    each: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Product {
    a: u64,
    b: u64,
    c: u64,
    #[binfmt(count = a * b * c)]
    all: Vec<u8>,
}

#[test]
fn what_is_no_number_is_an_error() {
    same(&Quotient { total: 6, n: 3, each: vec![1, 2] }, &[6, 3, 1, 2]);
    assert_error!(bad::<Quotient>(&[6, 0, 1]), 2, "each", ErrorKind::LengthLimit { .. });
    assert!(binfmt::to_vec(&Quotient { total: 6, n: 0, each: vec![1] }).is_err());
    same(
        &Product { a: 1, b: 2, c: 1, all: vec![1, 2] },
        &[&[1, 0, 0, 0, 0, 0, 0, 0, 2][..], &[0; 7], &[1], &[0; 7], &[1, 2]].concat(),
    );
    assert_error!(bad::<Product>(&[0xFF; 40]), 24, "all", ErrorKind::LengthLimit { .. });
}

fn rows(n: u16) -> u16 {
    n
}

/// Arithmetic whose type something else decides.
#[derive(BinFormat, Debug, PartialEq)]
struct Calls {
    w: u8,
    h: u8,
    #[binfmt(count = usize::from(*w * *h))]
    called: Vec<u8>,
    #[binfmt(count = (*w as usize * *h as usize).div_ceil(8))]
    method: Vec<u8>,
    #[binfmt(count = (*w << 1) as usize + usize::from(2 - w))]
    cast: Vec<u8>,
    #[binfmt(count = (f32::from(*w) * 1.5) as u8)]
    float: Vec<u8>,
    #[binfmt(count = rows(u16::from(*h) + [0, 1][2 - 1]) - 1)]
    function: Vec<u8>,
}

#[test]
fn arithmetic_in_calls_keeps_its_type() {
    let calls = Calls {
        w: 2,
        h: 3,
        called: vec![1; 6],
        method: vec![2],
        cast: vec![3; 4],
        float: vec![4; 3],
        function: vec![5; 3],
    };
    same(&calls, &[2, 3, 1, 1, 1, 1, 1, 1, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 5]);
    let e = bad::<Calls>(&[16, 16, 0, 0, 0]);
    assert_error!(e, 2, "called", ErrorKind::LengthLimit { .. });
    let e = bad::<Calls>(&[[3, 1].as_slice(), &[0; 20]].concat());
    assert_error!(e, 6, "cast", ErrorKind::LengthLimit { .. });
    // a bit that is lost: 128 << 1 is not a u8
    let e = bad::<Calls>(&[[128, 1].as_slice(), &[0; 200]].concat());
    assert_error!(e, 146, "cast", ErrorKind::LengthLimit { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Ranks {
    n: u8,
    #[binfmt(shape(u8, rank = n + 255 - 254))]
    cells: ArrayD<u8>,
}

#[test]
fn the_rank_is_such_a_number() {
    let cells = ArrayD::new(vec![1, 2], vec![5, 6]).unwrap();
    same(&Ranks { n: 1, cells }, &[1, 1, 2, 5, 6]);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Plain {
    n: u8,
    m: u16,
    #[binfmt(count = n)]
    field: Vec<u8>,
    #[binfmt(count = *n)]
    value: Vec<u8>,
    #[binfmt(count = usize::from(*n))]
    widened: Vec<u8>,
    #[binfmt(count = u64::from(*n))]
    m_of_n: Vec<u8>,
    #[binfmt(count = n.min(&5))]
    least: Vec<u8>,
}

#[test]
fn a_number_alone_is_taken_as_it_is() {
    let of = |k: u8| vec![k; 2];
    let plain = Plain { n: 2, m: 3, field: of(1), value: of(2), widened: of(3), m_of_n: of(4), least: of(5) };
    same(&plain, &[2, 3, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
}

#[derive(BinFormat, Debug, PartialEq)]
struct Signs {
    k: i8,
    #[binfmt(count = (-*k) as u8)]
    negated: Vec<u8>,
    m: u8,
    #[binfmt(count = { let mut n = *m; n += 200; n - 200 })]
    assigned: Vec<u8>,
}

#[test]
fn a_sign_and_an_assignment_do_not_wrap() {
    same(&Signs { k: -2, negated: vec![7; 2], m: 1, assigned: vec![8] }, &[254, 7, 7, 1, 8]);
    let e = bad::<Signs>(&[[128].as_slice(), &[0; 300]].concat());
    assert_error!(e, 1, "negated", ErrorKind::LengthLimit { .. });
    let e = bad::<Signs>(&[[0, 56].as_slice(), &[0; 300]].concat());
    assert_error!(e, 2, "assigned", ErrorKind::LengthLimit { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Shifts {
    n: u8,
    #[binfmt(count = (n << 1 | n) >> 2)]
    outside: Vec<u8>,
    #[binfmt(count = usize::from(*n >> 1) + usize::from(*n / 2))]
    inside: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Lost {
    n: u64,
    #[binfmt(count = n << 100)]
    bits: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct LostInside {
    n: u8,
    #[binfmt(count = usize::from(*n << 1))]
    bits: Vec<u8>,
}

#[test]
fn bits_are_shifted_and_not_lost() {
    same(&Shifts { n: 6, outside: vec![1; 3], inside: vec![2; 6] }, &[6, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
    let bytes = (1u64 << 28).to_le_bytes();
    assert_error!(bad::<Lost>(&bytes), 8, "bits", ErrorKind::LengthLimit { .. });
    same(&LostInside { n: 1, bits: vec![3; 2] }, &[1, 3, 3]);
    assert_error!(bad::<LostInside>(&[128]), 1, "bits", ErrorKind::LengthLimit { .. });
}
