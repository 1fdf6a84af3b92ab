//! Readers of two versions of a format, each on the bytes of both: of a file whose head grows and shrinks, and whose end grows.

use crate::support::wire::{assert_error, bad, refused, same};
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, Describe, Error, ErrorKind, Options, from_prefix, from_slice, to_vec};
use proptest::prelude::*;

/// A reader of 2010, which knows one version, and says so.
mod first {
    use super::*;

    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[binfmt(magic = b"FM")]
    pub(super) struct File {
        #[binfmt(range = 1..=1)]
        pub(super) version: u8,
        #[binfmt(len_of(head, bytes, u16))]
        pub(super) head_len: (),
        #[binfmt(region = *head_len)]
        pub(super) head: Head,
        #[binfmt(length_prefixed(u8))]
        pub(super) rows: Vec<i16>,
    }

    #[derive(BinFormat, Clone, Debug, PartialEq)]
    pub(super) struct Head {
        pub(super) a: u16,
        pub(super) b: u8,
    }
}

/// One that passes over what it does not know.
mod patient {
    use super::*;

    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[binfmt(magic = b"FM")]
    pub(super) struct File {
        pub(super) version: u8,
        pub(super) head_len: u16,
        #[binfmt(region(*head_len, rest = skip))]
        pub(super) head: u16,
        #[binfmt(length_prefixed(u8))]
        pub(super) rows: Vec<i16>,
        #[binfmt(until_eof)]
        pub(super) more: binfmt::Ignored,
    }
}

/// A reader of 2020, which knows two.
mod second {
    use super::*;

    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[binfmt(magic = b"FM")]
    pub(super) struct File {
        #[binfmt(range = 1..=2)]
        pub(super) version: u8,
        #[binfmt(len_of(head, bytes, u16))]
        pub(super) head_len: (),
        #[binfmt(region = *head_len, args(*version))]
        pub(super) head: Head,
        #[binfmt(length_prefixed(u8))]
        pub(super) rows: Vec<i16>,
        #[binfmt(optional_tail, length_prefixed(u8))]
        pub(super) note: Option<String>,
    }

    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[binfmt(ctx(file: u8), version = file)]
    pub(super) struct Head {
        pub(super) a: u16,
        #[binfmt(until_version = 2)]
        pub(super) b: Option<u8>,
        #[binfmt(since = 2)]
        pub(super) c: Option<u32>,
        #[binfmt(since = 2, default = 7)]
        pub(super) d: u8,
    }
}

fn old() -> first::File {
    first::File { version: 1, head_len: (), head: first::Head { a: 5, b: 6 }, rows: vec![-1, 2] }
}

fn new(version: u8) -> second::File {
    let (b, c, d) = if version < 2 { (Some(6), None, 7) } else { (None, Some(8), 9) };
    let head = second::Head { a: 5, b, c, d };
    second::File { version, head_len: (), head, rows: vec![-1, 2], note: None }
}

const FIRST: &[u8] = b"FM\x01\x03\0\x05\0\x06\x02\xff\xff\x02\0";
const SECOND: &[u8] = b"FM\x02\x07\0\x05\0\x08\0\0\0\x09\x02\xff\xff\x02\0";

#[test]
fn each_reads_what_it_knows() {
    same(&old(), FIRST);
    same(&new(1), FIRST);
    same(&new(2), SECOND);
    for bytes in [FIRST, SECOND] {
        let read: patient::File = from_slice(bytes).unwrap();
        assert_eq!((read.head, read.rows), (5, vec![-1, 2]));
    }
}

#[test]
fn the_old_reader_refuses_the_new_version() {
    let e = bad::<first::File>(SECOND);
    assert_error!(e, 2, "version", ErrorKind::OutOfRange { .. });
    assert_eq!(e.to_string(), "version at byte 0x2: 2 is not in 1..=1");
    let e = bad::<second::File>(&[b"FM\x03", &SECOND[3..]].concat());
    assert_eq!(e.to_string(), "version at byte 0x2: 3 is not in 1..=2");
    // what a later version of the same number added at the end
    let noted = to_vec(&second::File { note: Some("n".into()), ..new(1) }).unwrap();
    assert_eq!(noted, [FIRST, b"\x01n"].concat());
    let e = from_slice::<first::File>(&noted).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::TrailingBytes { .. }), "{e}");
    assert_eq!(from_prefix::<first::File>(&noted).unwrap(), (old(), &b"\x01n"[..]));
}

/// A head that has more than the version says, or less.
#[test]
fn a_head_of_the_other_version_is_refused() {
    let longer = [b"FM\x01", &SECOND[3..]].concat();
    let shorter = [b"FM\x02", &FIRST[3..]].concat();
    let e = bad::<second::File>(&longer);
    assert_eq!((e.offset(), e.path().to_string()), (Some(8), "head".into()), "{e}");
    let e = bad::<first::File>(&longer);
    assert_eq!((e.offset(), e.path().to_string()), (Some(8), "head".into()), "{e}");
    let e = bad::<second::File>(&shorter);
    assert_error!(e, 7, "head.c", ErrorKind::RegionEnd { needed: 4, remaining: 1 });
}

#[test]
fn a_value_of_the_other_version_is_not_written() {
    let e = refused(&second::File { version: 1, ..new(2) });
    assert_eq!(e.to_string(), "head.b at byte 0x7: None, where the condition says that a value is present");
    let e = refused(&second::File { version: 2, ..new(1) });
    assert_eq!(e.to_string(), "head.b at byte 0x7: Some, where the condition says that no value is present");
    let d = second::File { head: second::Head { d: 9, ..new(1).head }, ..new(1) };
    assert_error!(refused(&d), 8, "head.d", _);
    let e = refused(&second::File { version: 3, ..new(2) });
    assert_eq!(e.to_string(), "version at byte 0x2: 3 is not in 1..=2");
}

/// What a layout reads at run time.
fn at_run_time(program: &Program, bytes: &[u8]) -> Result<Value, Error> {
    let options = Options::new().ctx(program);
    let value: Value = binfmt::from_slice_with(bytes, &options)?;
    assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
    Ok(value)
}

fn program<T: Describe>() -> Program {
    Program::new(&T::SCHEMA.description()).unwrap()
}

/// The layout of the new reader with the head of one version.
fn of_version(version: u64) -> Program {
    Program::new(&second::File::SCHEMA.at_version(version).description()).unwrap()
}

#[test]
fn layouts_of_one_version() {
    let value = at_run_time(&program::<first::File>(), FIRST).unwrap();
    let (one, two) =
        (at_run_time(&of_version(1), FIRST).unwrap(), at_run_time(&of_version(2), SECOND).unwrap());
    for name in ["version", "head", "rows"] {
        assert_eq!(one.get(name), value.get(name), "{name}");
    }
    assert_eq!(two.get("head").and_then(|head| head.get("b")), None);
    assert_eq!(two.get("head").and_then(|head| head.get("d")), Some(&9u8.into()));
    // the layout says one version, the bytes another one
    let e = at_run_time(&of_version(1), SECOND).unwrap_err();
    assert_eq!((e.offset(), e.path().to_string()), (Some(8), "head".into()), "{e}");
    let e = at_run_time(&of_version(2), FIRST).unwrap_err();
    assert_eq!((e.offset(), e.path().to_string()), (Some(7), "head.c".into()), "{e}");
    // as the struct refuses it
    let e = at_run_time(&program::<first::File>(), SECOND).unwrap_err();
    assert_eq!(e.to_string(), bad::<first::File>(SECOND).to_string());
}

prop_compose! {
    fn any_file()(
        version in 1u8..=2,
        a in any::<u16>(),
        (b, c, d) in any::<(u8, u32, u8)>(),
        rows in proptest::collection::vec(any::<i16>(), 0..5),
        note in proptest::option::of("[a-z]{0,4}"),
    ) -> second::File {
        let head = match version {
            1 => second::Head { a, b: Some(b), c: None, d: 7 },
            _ => second::Head { a, b: None, c: Some(c), d },
        };
        second::File { version, head_len: (), head, rows, note }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is in a file of either version: each reader reads it right, or refuses it where it is not one of its own.
    #[test]
    fn every_reader_on_every_file(file in any_file()) {
        let bytes = to_vec(&file).unwrap();
        prop_assert_eq!(&from_slice::<second::File>(&bytes).unwrap(), &file);
        let read: patient::File = from_slice(&bytes).unwrap();
        prop_assert_eq!((read.head, &read.rows), (file.head.a, &file.rows));
        let value = at_run_time(&program::<second::File>(), &bytes).unwrap();
        let alone = at_run_time(&of_version(file.version.into()), &bytes).unwrap();
        for name in ["version", "rows", "note"] {
            prop_assert_eq!(value.get(name), alone.get(name));
        }
        let other = at_run_time(&of_version(3 - u64::from(file.version)), &bytes).unwrap_err();
        prop_assert!(other.path().to_string().starts_with("head"), "{}", other);
        let (typed, found) = (from_prefix::<first::File>(&bytes), at_run_time(&program::<first::File>(), &bytes));
        match (file.version, &file.note) {
            (1, note) => {
                let (first, rest) = typed.unwrap();
                let head = first::Head { a: file.head.a, b: file.head.b.unwrap() };
                prop_assert_eq!(&first, &first::File { version: 1, head_len: (), head, rows: file.rows.clone() });
                prop_assert_eq!(found.is_ok(), note.is_none());
                // and what the old writer writes is what the new reader reads
                let written = to_vec(&first).unwrap();
                prop_assert_eq!(written.len() + rest.len(), bytes.len());
                let again = from_slice::<second::File>(&written).unwrap();
                prop_assert_eq!(again, second::File { note: None, ..file.clone() });
            }
            _ => {
                let e = typed.unwrap_err();
                prop_assert_eq!(e.to_string(), "version at byte 0x2: 2 is not in 1..=1");
                prop_assert_eq!(found.unwrap_err().to_string(), e.to_string());
            }
        }
    }
}
