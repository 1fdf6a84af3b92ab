//! `checksum`: filled in when writing, compared when reading, wherever it stands and whatever it covers.

use crate::support::wire::{assert_error, bad, lent, refused, same, same_with, short, writes};
use binfmt::schema::Describe;
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, Encode, Endian, ErrorKind, Options, TypedColumns};
use sha2::{Digest, Sha256};
use std::fmt::Debug;

/// CRC-32 as in PNG, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

fn add_up(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

/// The Internet checksum.
fn ones(bytes: &[u8]) -> u16 {
    let words = bytes.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(*pair.get(1).unwrap_or(&0)));
    let sum: u32 = words.sum();
    !((sum & 0xffff) + (sum >> 16)) as u16
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// A chunk of PNG.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be)]
struct Chunk {
    #[binfmt(len_of(data, u32))]
    len: (),
    kind: [u8; 4],
    #[binfmt(count = len)]
    data: Vec<u8>,
    #[binfmt(checksum(u32 = crc32, over = kind..=data))]
    crc: (),
}

const END: &[u8] = b"\0\0\0\0IEND\xae\x42\x60\x82";

#[test]
fn a_sum_of_named_fields() {
    let end = Chunk { len: (), kind: *b"IEND", data: vec![], crc: () };
    same(&end, END);
    let chunk = Chunk { data: (0..=255).cycle().take(100_000).collect(), ..end };
    let bytes = binfmt::to_vec(&chunk).unwrap();
    assert_eq!(bytes[bytes.len() - 4..], crc32(&bytes[4..bytes.len() - 4]).to_be_bytes());
    same(&chunk, &bytes);
    let e = bad::<Chunk>(b"\0\0\0\x01IEND\x09\xae\x42\x60\x82");
    assert_error!(e, 9, "crc", ErrorKind::Checksum { .. });
    let expected = crc32(b"IEND\x09");
    assert_eq!(
        e.to_string(),
        format!("crc at byte 0x9: checksum is 0xae426082, the bytes give {expected:#x}")
    );
}

#[test]
fn sums_that_nobody_asks_for() {
    let options = Options::new().ignore_checksums(true);
    let wrong = b"\0\0\0\x01IEND\x09\xae\x42\x60\x82";
    let chunk: Chunk = binfmt::from_slice_with(wrong, &options).unwrap();
    assert_eq!(chunk.data, [9]);
    let streamed: Chunk = binfmt::from_reader_with(&wrong[..], &options).unwrap();
    assert_eq!(streamed, chunk);
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(magic = b"M")]
struct Kept {
    a: u16,
    #[binfmt(checksum(add_up, over = ..))]
    sum: u8,
    b: u8,
}

#[test]
fn a_field_keeps_what_was_read() {
    let value = Kept { a: 0x0102, sum: b'M' + 3, b: 9 };
    same(&value, &[b'M', 2, 1, b'M' + 3, 9]);
    // what stands in the field is not asked for when writing
    writes(&Kept { sum: 77, ..value }, &[b'M', 2, 1, b'M' + 3, 9]);
    assert_error!(bad::<Kept>(&[b'M', 2, 2, b'M' + 3, 9]), 3, "sum", ErrorKind::Checksum { .. });
}

/// A sum before what it covers, of another order, with bytes beside it; and one of all that follows.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Before {
    #[binfmt(checksum(digest, over = body..), pad_after = 1)]
    digest: [u8; 32],
    #[binfmt(checksum(u24 = |bytes| crc32(bytes) >> 8, over = size..tail), be, align_before = 4)]
    crc: (),
    size: u16,
    #[binfmt(pad_before = 1, length_prefixed(u8))]
    body: Vec<u16>,
    tail: u8,
}

#[test]
fn a_sum_before_what_it_covers() {
    let value = Before { digest: [0; 32], crc: (), size: 7, body: vec![1, 2], tail: 5 };
    let mut bytes = vec![0; 39];
    bytes.extend([7, 0, 0, 2, 1, 0, 2, 0, 5]);
    // padding belongs to its field
    let (crc, sum) = (crc32(&bytes[39..47]) >> 8, digest(&bytes[41..]));
    bytes[36..39].copy_from_slice(&crc.to_be_bytes()[1..]);
    bytes[..32].copy_from_slice(&sum);
    same(&Before { digest: sum, ..value }, &bytes);
    let mut damaged = bytes.clone();
    damaged[47] = 6;
    assert_error!(bad::<Before>(&damaged), 0, "digest", ErrorKind::Checksum { .. });
    let mut damaged = bytes.clone();
    damaged[39] = 8;
    assert_error!(bad::<Before>(&damaged), 36, "crc", ErrorKind::Checksum { .. });
}

/// The header of IPv4, without options.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(be)]
struct Ipv4 {
    version: u16,
    len: u16,
    id: u32,
    ttl: u8,
    protocol: u8,
    #[binfmt(checksum(u16 = ones, over = .., self_as = 0))]
    sum: (),
    from: [u8; 4],
    to: [u8; 4],
}

#[test]
fn a_sum_that_covers_itself() {
    // a well-known example: its sum is 0xb861
    let bytes = *b"\x45\0\0\x73\0\0\x40\0\x40\x11\xb8\x61\xc0\xa8\0\x01\xc0\xa8\0\xc7";
    let header: Ipv4 = binfmt::from_slice(&bytes).unwrap();
    assert_eq!((header.len, header.to), (0x73, [192, 168, 0, 199]));
    same(&header, &bytes);
    let mut damaged = bytes;
    damaged[8] = 0x41;
    let e = bad::<Ipv4>(&damaged);
    assert_error!(e, 10, "sum", ErrorKind::Checksum { .. });
    assert_eq!(e.to_string(), "sum at byte 0xa: checksum is 0xb861, the bytes give 0xb761");
    let unasked = Options::new().ignore_checksums(true);
    assert_eq!(binfmt::from_slice_with::<Ipv4, _>(&damaged, &unasked).unwrap().ttl, 0x41);
}

/// A name that fills its room, beside a sum.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Named {
    #[binfmt(count = 2, nul)]
    name: String,
    #[binfmt(checksum(u8 = add_up))]
    sum: (),
}

#[test]
fn what_is_summed_in_memory_is_written_as_it_was_asked_for() {
    let named = Named { name: "ab".into(), sum: () };
    let options = Options::new().optional_nul(true);
    let mut written = Vec::new();
    binfmt::to_writer_with(&named, &mut written, &options).unwrap();
    assert_eq!(written, [b'a', b'b', 195]);
    assert_eq!(binfmt::to_vec_with(&named, &options).unwrap(), written);
    assert_error!(refused(&named), 0, "name", ErrorKind::TooLong { .. });
}

/// One sum over another.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Nested {
    #[binfmt(checksum(u8 = add_up, over = body..))]
    outer: (),
    body: Inner,
    list: u8,
    #[binfmt(checksum(u8 = add_up, over = list..=list))]
    inner: (),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Inner {
    #[binfmt(var_len)]
    text: String,
    #[binfmt(checksum(u32 = crc32))]
    crc: (),
}

#[test]
fn sums_of_sums() {
    let value = Nested { outer: (), body: Inner { text: "ab".into(), crc: () }, list: 7, inner: () };
    let mut bytes = b"\0\x02\0\0\0ab".to_vec();
    bytes.extend(crc32(b"\x02\0\0\0ab").to_le_bytes());
    bytes.extend([7, 7]);
    bytes[0] = add_up(&bytes[1..]);
    same(&value, &bytes);
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(tag(u16, be))]
enum Packet<'a> {
    #[binfmt(tag = 1)]
    Text {
        #[binfmt(length_prefixed(u8))]
        text: &'a str,
        #[binfmt(checksum(u8 = add_up))]
        sum: (),
    },
    #[binfmt(tag = 2)]
    Plain(u8),
    #[binfmt(tag = 3)]
    Pair(u8, #[binfmt(checksum(add_up, over = 0..=0))] u8),
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(ctx(kind: u8), tag_from = kind, endian = if kind == 1 { Endian::Big } else { Endian::Little })]
enum Body {
    #[binfmt(tag(1 | 2))]
    Sum {
        n: u16,
        #[binfmt(checksum(u16 = |bytes| u16::from(add_up(bytes)), over = ..=n))]
        sum: (),
    },
    #[binfmt(other)]
    None,
}

#[test]
fn variants() {
    lent(&Packet::Text { text: "ab", sum: () }, &[0, 1, 2, b'a', b'b', 1 + 2 + b'a' + b'b']);
    lent(&Packet::Plain(9), &[0, 2, 9]);
    lent(&Packet::Pair(8, 8), &[0, 3, 8, 8]);
    same_with(&Body::Sum { n: 258, sum: () }, &[1, 2, 0, 3], &Options::new().ctx(1));
    same_with(&Body::Sum { n: 258, sum: () }, &[2, 1, 3, 0], &Options::new().ctx(2));
    same_with(&Body::None, &[], &Options::new().ctx(3));
    let e = binfmt::from_slice::<Packet<'_>>(&[0, 1, 1, b'a', 0]).unwrap_err();
    assert_error!(e, 4, "sum", ErrorKind::Checksum { .. });
}

/// A type of any kind inside, and a list of such.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Generic<T> {
    #[binfmt(length_prefixed(u8))]
    items: Vec<T>,
    #[binfmt(checksum(u8 = add_up, over = items..))]
    sum: (),
}

#[test]
fn generic_structs_and_lists() {
    same(&Generic { items: vec![1u16, 2], sum: () }, &[2, 1, 0, 2, 0, 5]);
    let chunk = Chunk { len: (), kind: *b"IEND", data: vec![], crc: () };
    let bytes = [&[2][..], END, END].concat();
    let sum = add_up(&bytes);
    same(&Generic { items: vec![chunk.clone(), chunk], sum: () }, &[&bytes[..], &[sum]].concat());
    let many: Vec<Inner> = (0..300).map(|n| Inner { text: "x".repeat(n), crc: () }).collect();
    #[derive(BinFormat, Debug, PartialEq)]
    struct All {
        #[binfmt(until_eof)]
        all: Vec<Inner>,
    }
    let all = All { all: many };
    same(&all, &binfmt::to_vec(&all).unwrap());
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(columns)]
struct Row {
    a: u16,
    b: u8,
    #[binfmt(checksum(u8 = add_up))]
    sum: (),
    #[binfmt(checksum(add_up, over = b..=b))]
    kept: u8,
}

#[test]
fn columns_of_sums() {
    let rows: Vec<Row> = (0..50u8).map(|b| Row { a: 300, b, sum: (), kept: b }).collect();
    let mut bytes: Vec<u8> = rows.iter().flat_map(|row| binfmt::to_vec(row).unwrap()).collect();
    let columns = RowColumns::from_slice(&bytes).unwrap();
    assert_eq!(columns.rows().collect::<Vec<_>>(), rows);
    assert_eq!(columns.to_vec().unwrap(), bytes);
    bytes[12] ^= 1;
    let e = RowColumns::from_slice(&bytes).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::Checksum { .. }), "{e}");
}

#[test]
fn what_a_description_says() {
    let text = Chunk::SCHEMA.to_string();
    assert!(text.contains("checksum(u32 = crc32, over = kind..=data)"), "{text}");
    // a value at run time has a number there, which nothing compares
    let program = Program::new(&Chunk::SCHEMA.description()).unwrap();
    let value: Value = binfmt::from_slice_with(END, &Options::new().ctx(&program)).unwrap();
    let Value::Record(fields) = &value else { panic!("{value:?}") };
    assert_eq!(fields.get("crc"), Some(&Value::from(0xae42_6082u32)));
    assert_eq!(binfmt::to_vec_with(&value, &Options::new().ctx(&program)).unwrap(), END);
}

/// Cut at every byte and with every byte changed.
fn damage<T: Encode + binfmt::DecodeOwned + Debug + PartialEq>(value: &T) {
    let good = binfmt::to_vec(value).unwrap();
    for place in 0..good.len() {
        short::<T>(&good[..place]);
        for flip in 1..=255 {
            let mut bytes = good.clone();
            bytes[place] ^= flip;
            let streamed = binfmt::from_reader::<T>(&bytes[..]);
            match binfmt::from_slice::<T>(&bytes) {
                Ok(read) => {
                    assert_eq!(streamed.unwrap(), read);
                    assert_eq!(binfmt::from_slice::<T>(&binfmt::to_vec(&read).unwrap()).unwrap(), read);
                }
                Err(_) => assert!(streamed.is_err()),
            }
        }
    }
}

#[test]
fn damage_is_found() {
    damage(&Chunk { len: (), kind: *b"abcd", data: vec![1, 2, 3], crc: () });
    damage(&Kept { a: 1, sum: 0, b: 2 });
    damage(&Nested { outer: (), body: Inner { text: "ab".into(), crc: () }, list: 7, inner: () });
}

#[test]
fn a_dump_shows_them() {
    let text = binfmt::dump::trace::<Chunk>(END).to_string();
    assert!(text.contains("crc: 2923585666 (u32 be)"), "{text}");
    let text = binfmt::dump::trace::<Chunk>(b"\0\0\0\0IEND\xae\x42\x60\x83").to_string();
    assert!(text.contains("checksum is 0xae426083, the bytes give 0xae426082"), "{text}");
}
