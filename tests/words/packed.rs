//! `bits(n)` on a list: elements of any number of bits, one after the other.

#![allow(clippy::unusual_byte_groupings, reason = "each group is an element")]

use crate::support::wire::{bad, refused, same, same_be, short};
use binfmt::columns::Plan;
use binfmt::dump;
use binfmt::schema::{Describe, Description};
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, DecodeOwned, Error, ErrorKind, Layout, Options, TypedColumns};

/// A value of a layout that is known only at run time.
fn read<T: Describe>(bytes: &[u8]) -> Result<Value, Error> {
    let program = Program::new(&T::SCHEMA.description()).unwrap();
    let options = Options::new().ctx(&program);
    let value = binfmt::from_slice_with(bytes, &options);
    assert_eq!(binfmt::from_reader_with(bytes, &options).ok(), value.as_ref().ok().cloned());
    value
}

fn write<T: Describe>(value: &Value) -> Result<Vec<u8>, Error> {
    let program = Program::new(&T::SCHEMA.description()).unwrap();
    binfmt::to_vec_with(value, &Options::new().ctx(&program))
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Samples {
    n: u8,
    #[binfmt(count = n, bits(12, order = msb))]
    samples: Vec<u16>,
    end: u8,
}

#[test]
fn as_many_as_a_count_says() {
    same(&Samples { n: 0, samples: vec![], end: 9 }, &[0, 9]);
    same(&Samples { n: 2, samples: vec![0xabc, 0xdef], end: 9 }, &[2, 0xab, 0xcd, 0xef, 9]);
    same(
        &Samples { n: 3, samples: vec![0xabc, 0xdef, 0x123], end: 9 },
        &[3, 0xab, 0xcd, 0xef, 0x12, 0x30, 9],
    );
    let e = refused(&Samples { n: 2, samples: vec![1, 0x1000], end: 9 });
    assert_eq!(e.to_string(), "samples[1] at byte 0x2: 4096 does not fit in 12 bits");
    let e = refused(&Samples { n: 3, samples: vec![1, 2], end: 9 });
    assert_eq!(e.to_string(), "samples at byte 0x1: the layout requires a length of 3, the value has 2");
    let [e, streamed] = short::<Samples>(&[200, 1, 2, 3]);
    assert_eq!(e.to_string(), "samples at byte 0x1: count 200 needs 300 bytes, 3 remain");
    assert!(e.is_incomplete() && streamed.is_incomplete());
}

#[test]
fn more_than_a_block() {
    for n in [10_000, 50_003] {
        let all: Vec<u16> = (0..n).map(|i: u32| (i.wrapping_mul(2_654_435_761) >> 20) as u16).collect();
        #[derive(BinFormat, Clone, Debug, PartialEq)]
        struct Many {
            #[binfmt(length_prefixed(u32), bits(12, order = lsb))]
            all: Vec<u16>,
        }
        let many = Many { all };
        let bytes = binfmt::to_vec(&many).unwrap();
        assert_eq!(bytes.len(), 4 + (n as usize * 12).div_ceil(8));
        same(&many, &bytes);
        assert_eq!(read::<Many>(&bytes).and_then(|value| write::<Many>(&value)).unwrap(), bytes);
    }
}

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Base {
    A,
    C,
    G,
    #[binfmt(tag = 3)]
    T,
}

/// A struct that is two nibbles.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Pair {
    #[binfmt(bits(3, of = u8, order = msb, reserved))]
    none: (),
    #[binfmt(bits(1))]
    on: bool,
    #[binfmt(bits(4))]
    n: u8,
}

fn pair(on: bool, n: u8) -> Pair {
    Pair { none: (), on, n }
}

/// Elements of many kinds, with every word that says how many.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Kinds {
    #[binfmt(var_len, bits(2, order = msb))]
    bases: Vec<Base>,
    #[binfmt(length_prefixed(u8), bits(1, order = lsb))]
    flags: Vec<bool>,
    #[binfmt(count = 3, bits(6, order = msb))]
    letters: Vec<u8>,
    #[binfmt(length_prefixed(u16, max = 4), bits(10, order = lsb))]
    signed: Box<[i16]>,
    #[binfmt(length_prefixed(u8, in = bytes), bits(5, order = msb))]
    pairs: Vec<Pair>,
    #[binfmt(if(flags.len() > 2), count = 2, bits(20))]
    maybe: Option<Vec<u32>>,
    #[binfmt(pad_to = 3, length_prefixed(u8), bits(4, order = msb))]
    padded: Vec<u8>,
    #[binfmt(until_eof, bits(33, order = msb))]
    last: Vec<u64>,
}

fn kinds() -> (Kinds, Vec<u8>) {
    let kinds = Kinds {
        bases: vec![Base::T, Base::A, Base::G, Base::C, Base::T],
        flags: vec![true, false, true],
        letters: vec![0b111_000, 1, 2],
        signed: [-1, 511, -512].into(),
        pairs: vec![pair(true, 0b0011), pair(false, 0b1001), pair(true, 0)],
        maybe: Some(vec![0x12345, 0x6789a]),
        padded: vec![7, 8],
        last: vec![1 << 32, 3],
    };
    let bytes = [
        &[5, 0, 0, 0, 0b11_00_10_01, 0b11_00_00_00][..],
        &[3, 0b101],
        &[0b111_000_00, 0b0001_0000, 0b10_00_0000],
        &[3, 0, 0xff, 0b111111_11, 0b0000_0111, 0b10_0000],
        &[2, 0b10011_010, 0b01_10000_0],
        &[0x45, 0x23, 0xa1, 0x89, 0x67],
        &[2, 0x78, 0],
        &[0x80, 0, 0, 0, 0, 0, 0, 0, 0b1100_0000],
    ];
    (kinds, bytes.concat())
}

#[test]
fn elements_of_many_kinds() {
    let (kinds, bytes) = kinds();
    same(&kinds, &bytes);
    // an element is what its bits are
    let e = bad::<Short>(&[0, 0b1100_0000]);
    assert_eq!(e.to_string(), "bases[4] at byte 0x1: 3 is not a tag of Three");
    let e = refused(&Kinds { signed: [0, 512].into(), ..kinds.clone() });
    assert_eq!(e.to_string(), "signed[1] at byte 0xe: 512 does not fit in 10 bits");
    let e = refused(&Kinds { signed: [0; 5].into(), ..kinds });
    assert!(matches!(e.kind(), ErrorKind::LengthLimit { length: 5, max: 4 }), "{e}");
}

#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(tag(u8))]
enum Three {
    A,
    B,
    C,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Short {
    #[binfmt(count = 5, bits(2, order = msb))]
    bases: Vec<Three>,
}

#[test]
fn sizes_are_known_while_compiling() {
    const { assert!(matches!(Short::FACTS.sizes().exact(), Some(2))) };
    assert_eq!(Samples::FACTS.sizes().min, 2);
    #[derive(BinFormat)]
    struct Fixed {
        #[binfmt(count = 7, bits(7))]
        _a: Vec<u8>,
        #[binfmt(count = 3, bits(128))]
        _b: Vec<u128>,
    }
    assert_eq!(Fixed::FACTS.sizes().exact(), Some(7 + 48));
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Arrays<const N: usize> {
    #[binfmt(count = 3, bits(12, order = msb))]
    three: [u16; 3],
    #[binfmt(count = N, bits(3, order = lsb), strict)]
    small: [i8; N],
    #[binfmt(count = 9, bits(1))]
    flags: [bool; 9],
}

#[test]
fn arrays() {
    let flags = [true, false, false, false, false, false, false, false, true];
    let value =
        Arrays::<11> { three: [0x123, 0x456, 0x789], small: [-1, 3, 0, 0, 0, 0, 0, 0, -4, 1, 2], flags };
    let bytes = [0x12, 0x34, 0x56, 0x78, 0x90, 0b011_111, 0, 0, 0b10_001_100, 0, 1, 1];
    same(&value, &bytes);
    assert_eq!(Arrays::<11>::FACTS.sizes().exact(), Some(12));
    let read_back = read::<Arrays<11>>(&bytes).unwrap();
    assert_eq!(write::<Arrays<11>>(&read_back).unwrap(), bytes);
    let mut wrong = bytes;
    wrong[9] = 0x80;
    let e = bad::<Arrays<11>>(&wrong);
    assert_eq!(e.to_string(), "small at byte 0x9: padding byte 0x40, expected 0x00");
}

/// The order of the bits is that of the bytes where nothing else is said.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Inherits {
    #[binfmt(count = 3, bits(4))]
    nibbles: Vec<u8>,
    #[binfmt(count = 2, bits(12), be)]
    big: Vec<u16>,
    #[binfmt(count = 2, bits(12), le)]
    little: Vec<u16>,
}

#[test]
fn the_order_of_bits() {
    let value = Inherits { nibbles: vec![1, 2, 3], big: vec![0x123, 0x456], little: vec![0x123, 0x456] };
    same(&value, &[0x21, 0x03, 0x12, 0x34, 0x56, 0x23, 0x61, 0x45]);
    same_be(&value, &[0x12, 0x30, 0x12, 0x34, 0x56, 0x23, 0x61, 0x45]);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct ToEnd {
    #[binfmt(until_eof, bits(12, order = msb))]
    all: Vec<u16>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Nibbles {
    #[binfmt(until_eof, bits(4, order = lsb))]
    all: Vec<u8>,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Region {
    n: u8,
    #[binfmt(region = n, bits(6, order = msb), until_eof)]
    all: Vec<u8>,
    end: u8,
}

/// To the end there are as many as the bytes have in full.
#[test]
fn to_the_end() {
    same(&ToEnd { all: vec![] }, &[]);
    same(&ToEnd { all: vec![0x123] }, &[0x12, 0x30]);
    same(&ToEnd { all: vec![0x123, 0x456] }, &[0x12, 0x34, 0x56]);
    // a byte more is a part of an element
    let [e, streamed] = short::<ToEnd>(&[0x12, 0x34, 0x56, 0x78]);
    assert_eq!(e.to_string(), streamed.to_string());
    assert!(e.is_incomplete(), "{e}");
    same(&Nibbles { all: vec![1, 2] }, &[0x21]);
    let e = refused(&Nibbles { all: vec![1, 2, 3] });
    assert_eq!(
        e.to_string(),
        "all at byte 0x2: the last byte has room for one more element, which would be read"
    );
    same(&Region { n: 3, all: vec![1, 2, 3, 4], end: 5 }, &[3, 0b0000_0100, 0b0010_0000, 0b1100_0100, 5]);
    same(&Region { n: 1, all: vec![1], end: 5 }, &[1, 0b0000_0100, 5]);
    let e = refused(&Region { n: 3, all: vec![1, 2, 3], end: 5 });
    assert!(e.to_string().contains("for one more element"), "{e}");
    let many: Vec<u16> = (0..40_001).map(|i| i & 0xfff).collect();
    same(&ToEnd { all: many.clone() }, &binfmt::to_vec(&ToEnd { all: many }).unwrap());
}

/// `repeat_eos_bits_b1` and `repeat_eos_bits_b4` of Kaitai's test suite (at 59afee0), on its `enum_negative.bin`.
#[test]
fn bits_and_nibbles_to_the_end() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[binfmt(be)]
    struct Bits {
        #[binfmt(until_eof, bits(1))]
        bits: Vec<bool>,
    }
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[binfmt(be)]
    struct Halves {
        #[binfmt(until_eof, bits(4))]
        nibbles: Vec<u8>,
    }
    let bits = [[true; 8], [false, false, false, false, false, false, false, true]].concat();
    same(&Bits { bits }, &[0xff, 0x01]);
    same(&Halves { nibbles: vec![0xf, 0xf, 0x0, 0x1] }, &[0xff, 0x01]);
}

/// The bits that are left of the last byte are ignored, as reserved ones are, unless they must be zero.
#[test]
fn what_is_left_of_the_last_byte() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Strict {
        #[binfmt(count = 3, bits(3, order = msb), strict)]
        high: Vec<u8>,
        #[binfmt(count = 3, bits(3, order = lsb), strict)]
        low: Vec<u8>,
    }
    let strict = Strict { high: vec![1, 2, 3], low: vec![1, 2, 7] };
    same(&strict, &[0b001_010_01, 0b1_0000000, 0b11_010_001, 0b0000000_1]);
    let e = bad::<Strict>(&[0, 0b1000_0001, 0, 0]);
    assert_eq!(e.to_string(), "high at byte 0x1: padding byte 0x01, expected 0x00");
    let e = bad::<Strict>(&[0, 0, 0, 0b0000_0110]);
    assert_eq!(e.to_string(), "low at byte 0x3: padding byte 0x03, expected 0x00");
    let samples: Samples = binfmt::from_slice(&[1, 0x12, 0x3f, 9]).unwrap();
    assert_eq!(samples, Samples { n: 1, samples: vec![0x123], end: 9 });
    let e = read::<Strict>(&[0, 0b1000_0001, 0, 0]).unwrap_err();
    assert_eq!(e.to_string(), "high at byte 0x1: padding byte 0x01, expected 0x00");
}

/// In variants, in generic structs, in lists of structs.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be, tag(u8))]
enum Message<T: DecodeOwned> {
    Text {
        #[binfmt(length_prefixed(u8), bits(6))]
        letters: Vec<T>,
    },
    Pixels(u8, #[binfmt(count = _0, bits(10))] Vec<u16>),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Messages {
    #[binfmt(length_prefixed(u8))]
    all: Vec<Message<u8>>,
}

#[test]
fn in_variants_and_lists() {
    let all = vec![Message::Text { letters: vec![63, 1] }, Message::Pixels(1, vec![1023])];
    same(&Messages { all }, &[2, 0, 2, 0b111111_00, 0b0001_0000, 1, 1, 0xff, 0xc0]);
}

/// No memory is taken for elements whose bytes are not there.
#[test]
fn hostile_counts() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Hostile {
        #[binfmt(length_prefixed(u64), bits(1))]
        all: Vec<u64>,
    }
    for n in [u64::MAX, i64::MAX as u64, 1 << 40] {
        let bytes = [&n.to_le_bytes()[..], &[0xff]].concat();
        short::<Hostile>(&bytes);
        assert!(read::<Hostile>(&bytes).is_err());
    }
}

/// Which element is wrong is counted over all blocks in which a stream is read, and over all groups that are written.
#[test]
fn errors_count_elements_from_the_first() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Many {
        #[binfmt(length_prefixed(u32), bits(2, order = msb))]
        all: Vec<Three>,
    }
    let program = Program::new(&Many::SCHEMA.description()).unwrap();
    let count = 600_000;
    for i in [0, 7, 8, 299_999, count - 1] {
        let mut bytes = vec![0; 4 + count / 4];
        bytes[..4].copy_from_slice(&(count as u32).to_le_bytes());
        bytes[4 + i / 4] = 0b11 << (6 - i % 4 * 2);
        let e = bad::<Many>(&bytes);
        assert_eq!(e.to_string(), format!("all[{i}] at byte {:#x}: 3 is not a tag of Three", 4 + i / 4));
        let value = binfmt::from_reader_with::<Value, _>(&bytes[..], &Options::new().ctx(&program));
        assert_eq!(value.unwrap_err().to_string(), e.to_string());
    }
    for i in [0, 7, 8, 100, 199] {
        let mut samples = vec![0; 200];
        samples[i] = 0x1000;
        let e = refused(&Samples { n: 200, samples, end: 9 });
        let place = 1 + i * 12 / 8;
        assert_eq!(e.to_string(), format!("samples[{i}] at byte {place:#x}: 4096 does not fit in 12 bits"));
    }
}

/// A slice knows before that an array is not there whole.
#[test]
fn arrays_that_are_cut() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Maybe(#[binfmt(if(true), count = 11, bits(3))] Option<[u8; 11]>);
    let [e, streamed] = short::<Maybe>(&[1, 2, 3]);
    assert_eq!(e.to_string(), "0 at byte 0x0: count 11 needs 5 bytes, 3 remain");
    assert_eq!(streamed.to_string(), "0 at byte 0x0: 5 bytes needed, 3 remain");
    assert_eq!(read::<Maybe>(&[1, 2, 3]).unwrap_err().to_string(), e.to_string());
}

/// What the description says is what the type does.
#[test]
fn at_run_time() {
    fn check<T: Describe>(bytes: &[u8]) -> Value {
        let text = T::SCHEMA.description().to_string();
        let again: Description = text.parse().expect("its own text");
        assert_eq!(again, text.parse().unwrap());
        let value = read::<T>(bytes).unwrap();
        assert_eq!(write::<T>(&value).unwrap(), bytes);
        value
    }
    let (_, bytes) = kinds();
    let value = check::<Kinds>(&bytes);
    let numbers = |all: &[i16]| Value::List(all.iter().map(|n| Value::from(*n)).collect());
    assert_eq!(value.get("signed"), Some(&numbers(&[-1, 511, -512])));
    check::<Samples>(&[3, 0xab, 0xcd, 0xef, 0x12, 0x30, 9]);
    check::<Messages>(&[2, 0, 2, 0b111111_00, 0b0001_0000, 1, 1, 0xff, 0xc0]);
    check::<Region>(&[3, 0b0000_0100, 0b0010_0000, 0b1100_0100, 5]);
    let e = write::<Nibbles>(&Value::record([("all", numbers(&[1]))])).unwrap_err();
    assert!(e.to_string().contains("for one more element"), "{e}");
    let few =
        Value::record([("n", Value::from(2_u8)), ("samples", numbers(&[1, 4096])), ("end", 0_u8.into())]);
    let e = write::<Samples>(&few).unwrap_err();
    assert_eq!(e.to_string(), "samples[1] at byte 0x2: 4096 does not fit in 12 bits");
}

#[test]
fn in_a_dump() {
    let trace = dump::trace::<Samples>(&[3, 0xab, 0xcd, 0xef, 0x12, 0x30, 9]);
    let node = trace.nodes().find(|node| node.path() == "samples").unwrap();
    assert_eq!((node.range(), node.value()), (1..6, Some("[2748, 3567, 291]".to_owned())));
    assert!(trace.to_string().contains("samples: [2748, 3567, 291] (3 × u12 msb)"), "{trace}");
    assert!(trace.error().is_none());
    let (_, bytes) = kinds();
    let trace = dump::trace::<Kinds>(&bytes);
    let value = |path: &str| trace.nodes().find(|node| node.path() == path).and_then(|node| node.value());
    assert_eq!(value("maybe").unwrap(), "[74565, 424090]");
    assert_eq!(value("last").unwrap(), "[4294967296, 3]");
    let many = Samples { n: 20, samples: (0..20).collect(), end: 9 };
    let shown = dump::trace::<Samples>(&binfmt::to_vec(&many).unwrap()).to_string();
    assert!(shown.contains("samples: [0, 1, 2, 3, 4, 5, 6, 7, … 12 more] (20 × u12 msb)"), "{shown}");
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Row {
    id: u8,
    #[binfmt(length_prefixed(u8), bits(12, order = msb))]
    samples: Vec<u16>,
    #[binfmt(count = 2, bits(4))]
    nibbles: Vec<u8>,
    #[binfmt(count = 3, bits(5))]
    array: [u8; 3],
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Counted {
    n: u8,
    #[binfmt(count = n, bits(3))]
    all: Vec<u8>,
}

#[test]
fn a_column_has_the_elements() {
    let row = |id| Row {
        id,
        samples: (0..u16::from(id % 4)).collect(),
        nibbles: vec![id % 16, 3],
        array: [id % 32, 0, 31],
    };
    let rows: Vec<Row> = (0..200).map(row).collect();
    let bytes = binfmt::encode_all(&rows).unwrap();
    let columns = RowColumns::from_slice(&bytes).unwrap();
    assert_eq!(columns.samples.get(3), Some(&[0, 1, 2][..]));
    assert_eq!(columns.rows().collect::<Vec<Row>>(), rows);
    assert_eq!(columns.to_vec().unwrap(), bytes);
    let rows = vec![Counted { n: 3, all: vec![1, 2, 3] }, Counted { n: 0, all: vec![] }];
    let bytes = binfmt::encode_all(&rows).unwrap();
    let columns = CountedColumns::from_slice(&bytes).unwrap();
    assert_eq!(columns.rows().collect::<Vec<Counted>>(), rows);
    assert_eq!(columns.to_vec().unwrap(), bytes);
}

/// Columns of a description.
#[test]
fn columns_at_run_time() {
    let layout = Row::SCHEMA.description().into_owned();
    let row = |id| Row {
        id,
        samples: (0..u16::from(id % 4)).collect(),
        nibbles: vec![id % 16, 3],
        array: [id % 32, 0, 31],
    };
    let rows: Vec<Row> = (0..200).map(row).collect();
    let bytes = binfmt::encode_all(&rows).unwrap();
    let plan = Plan::new(&layout).unwrap();
    let columns = plan.decode_with(&bytes, &Options::new()).unwrap();
    assert_eq!(columns.num_rows(), 200);
    assert_eq!(plan.encode_with(&columns, &Options::new()).unwrap(), bytes);
}
