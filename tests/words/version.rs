//! `version`, `since`, `until_version`: fields that only some versions have.

use binfmt::{BinFormat, Describe, Options, from_slice, to_vec};

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(le, version = version)]
struct Header {
    version: u8,
    id: u16,
    #[binfmt(since = 2)]
    flags: Option<u8>,
    #[binfmt(until_version = 3, var_len)]
    name: Option<String>,
    #[binfmt(since = 3, default = 80)]
    columns: u16,
    #[binfmt(since = 2, until_version = 4, pad_before = 1)]
    mid: Option<u8>,
}

fn header(version: u8) -> Header {
    Header {
        version,
        id: 7,
        flags: (version >= 2).then_some(1),
        name: (version < 3).then(|| "ab".into()),
        columns: if version >= 3 { 132 } else { 80 },
        mid: (2..4).contains(&version).then_some(9),
    }
}

#[test]
fn each_version_has_its_fields() {
    let name = [2, 0, 0, 0, b'a', b'b'];
    let bytes: [&[u8]; 4] = [
        &[&[1, 7, 0][..], &name].concat(),
        &[&[2, 7, 0, 1][..], &name, &[0, 9]].concat(),
        &[3, 7, 0, 1, 132, 0, 0, 9],
        &[4, 7, 0, 1, 132, 0],
    ];
    for (version, bytes) in (1..).zip(bytes) {
        let value = header(version);
        assert_eq!(to_vec(&value).unwrap(), bytes, "{version}");
        assert_eq!(from_slice::<Header>(bytes).unwrap(), value, "{version}");
        assert_eq!(binfmt::from_reader::<Header>(bytes).unwrap(), value, "{version}");
        for n in 0..bytes.len() {
            assert!(from_slice::<Header>(&bytes[..n]).unwrap_err().is_incomplete(), "{version}, {n}");
        }
    }
}

#[test]
fn a_value_that_a_version_does_not_have_is_an_error() {
    let message = |value: Header| to_vec(&value).unwrap_err().to_string();
    assert_eq!(
        message(Header { flags: Some(1), ..header(1) }),
        "flags at byte 0x3: Some, where the condition says that no value is present"
    );
    assert_eq!(
        message(Header { name: Some(String::new()), ..header(3) }),
        "name at byte 0x4: Some, where the condition says that no value is present"
    );
    assert_eq!(
        message(Header { name: None, ..header(2) }),
        "name at byte 0x4: None, where the condition says that a value is present"
    );
    assert_eq!(
        message(Header { columns: 81, ..header(1) }),
        "columns at byte 0x9: a value other than `80`, where the condition says that no value is present"
    );
}

mod argument {
    use super::*;

    const SECOND: u16 = 2;

    /// The version of the parent, for structs and variants.
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(tag(u8), ctx(file: u16), version = file)]
    enum Entry {
        Point {
            x: u8,
            #[binfmt(since = SECOND, default = x.wrapping_add(1))]
            y: u8,
        },
        Name(#[binfmt(since = SECOND, nul)] Option<String>),
    }

    #[derive(BinFormat, Debug, PartialEq)]
    struct File {
        version: u16,
        #[binfmt(length_prefixed(u8), args(*version))]
        entries: Vec<Entry>,
    }

    #[test]
    fn children_are_told() {
        let old = File { version: 1, entries: vec![Entry::Point { x: 5, y: 6 }, Entry::Name(None)] };
        let new =
            File { version: 2, entries: vec![Entry::Point { x: 5, y: 9 }, Entry::Name(Some("a".into()))] };
        for (value, bytes) in [(&old, &[1, 0, 2, 0, 5, 1][..]), (&new, &[2, 0, 2, 0, 5, 9, 1, b'a', 0])] {
            assert_eq!(to_vec(value).unwrap(), bytes);
            assert_eq!(from_slice::<File>(bytes).unwrap(), *value);
        }
        let text = File::SCHEMA.at_version(1).to_string();
        assert!(text.contains("x: u8\n") && !text.contains("y: u8"), "{text}");
    }
}

/// A reader of 2010 and one of 2020, each on the bytes of both.
#[test]
fn old_and_new_readers() {
    #[derive(BinFormat, Debug, PartialEq)]
    struct Old {
        version: u8,
        size: u8,
        #[binfmt(region(*size, rest = skip))]
        body: OldBody,
    }
    #[derive(BinFormat, Debug, PartialEq)]
    struct OldBody {
        a: u16,
    }
    #[derive(BinFormat, Debug, PartialEq)]
    struct New {
        version: u8,
        #[binfmt(len_of(body, bytes, auto))]
        size: u8,
        #[binfmt(region(*size, rest = skip), args(*version))]
        body: NewBody,
    }
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(ctx(version: u8), version = version)]
    struct NewBody {
        a: u16,
        #[binfmt(since = 2)]
        b: Option<u32>,
        #[binfmt(since = 3, default = 1)]
        c: u8,
    }
    let first = [1, 2, 5, 0];
    let third = [3, 7, 5, 0, 6, 0, 0, 0, 9];
    let old = |bytes: &[u8]| from_slice::<Old>(bytes).unwrap().body;
    let new = |bytes: &[u8]| from_slice::<New>(bytes).unwrap().body;
    assert_eq!(old(&first), OldBody { a: 5 });
    assert_eq!(old(&third), OldBody { a: 5 });
    assert_eq!(new(&first), NewBody { a: 5, b: None, c: 1 });
    assert_eq!(new(&third), NewBody { a: 5, b: Some(6), c: 9 });
    for bytes in [&first[..], &third] {
        assert_eq!(to_vec(&from_slice::<New>(bytes).unwrap()).unwrap(), bytes);
    }
}

/// The same at run time: values, schemas, fingerprints.
#[test]
fn at_run_time() {
    let program = binfmt::value::Program::new(&Header::SCHEMA.description()).unwrap();
    for version in 1..=4 {
        let bytes = to_vec(&header(version)).unwrap();
        let value: binfmt::value::Value =
            binfmt::from_slice_with(&bytes, &Options::new().ctx(&program)).unwrap();
        assert_eq!(binfmt::to_vec_with(&value, &Options::new().ctx(&program)).unwrap(), bytes, "{version}");
        // and by the layout of this version alone
        let schema = Header::SCHEMA.at_version(version.into());
        let alone = binfmt::value::Program::new(&schema.description()).unwrap();
        let value: binfmt::value::Value =
            binfmt::from_slice_with(&bytes, &Options::new().ctx(&alone)).unwrap();
        assert_eq!(binfmt::to_vec_with(&value, &Options::new().ctx(&alone)).unwrap(), bytes, "{version}");
        assert_ne!(schema.fingerprint(), Header::SCHEMA.fingerprint());
    }
    assert_eq!(Header::SCHEMA.at_version(4).fingerprint(), Header::SCHEMA.at_version(9).fingerprint());
}

#[test]
fn the_default_of_the_type() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[binfmt(version = *version)]
    struct Plain {
        version: u8,
        #[binfmt(since = 2, default)]
        n: u16,
        #[binfmt(since = 2, default, length_prefixed(u8))]
        text: String,
        #[binfmt(until_version = 2, default)]
        old: bool,
        #[binfmt(skip, default)]
        cached: u8,
    }
    let new = Plain { version: 2, n: 5, text: "a".into(), old: false, cached: 0 };
    crate::support::wire::same(&new, &[2, 5, 0, 1, b'a']);
    crate::support::wire::same(
        &Plain { version: 1, n: 0, text: String::new(), old: true, cached: 0 },
        &[1, 1],
    );
    assert!(binfmt::to_vec(&Plain { version: 1, ..new }).is_err());
}
