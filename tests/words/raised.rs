//! Errors of the user's own in expressions: `?` in `count`, `region`, `at`, `if`, `assert`, `calc`, `args`, `each` and `endian`.

use binfmt::{BinFormat, Endian, Error, from_slice, to_vec};
use std::fmt;

#[derive(Debug, PartialEq)]
struct Unknown(u8);

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "version {} is unknown", self.0)
    }
}

impl std::error::Error for Unknown {}

fn items(version: u8) -> Result<u8, Unknown> {
    if version > 3 { Err(Unknown(version)) } else { Ok(version) }
}

fn list(version: u8) -> Result<Vec<u8>, Unknown> {
    Ok(vec![1; items(version)?.into()])
}

fn is_long(version: u8) -> Result<bool, Unknown> {
    Ok(items(version)? > 1)
}

/// A type whose last field has the words in question, read and written with a version that is refused.
macro_rules! refuse {
    ($version:ident, $ty:ty, $($words:tt)*) => {{
        #[derive(BinFormat, Debug)]
        struct Versioned {
            $version: u8,
            #[binfmt($($words)*)]
            last: $ty,
        }
        let e = from_slice::<Versioned>(&[9, 0, 0]).unwrap_err();
        is_unknown(&e, "last at byte 0x1: version 9 is unknown");
        let e = binfmt::from_reader::<Versioned>(&[9u8, 0, 0][..]).unwrap_err();
        is_unknown(&e, "last at byte 0x1: version 9 is unknown");
        let e = to_vec(&Versioned { $version: 9, last: Default::default() }).unwrap_err();
        is_unknown(&e, "last at byte 0x1: version 9 is unknown");
    }};
}

#[track_caller]
fn is_unknown(e: &Error, text: &str) {
    assert_eq!(e.to_string(), text);
    assert_eq!(e.downcast_ref::<Unknown>(), Some(&Unknown(9)));
}

#[test]
fn every_expression() {
    refuse!(version, Vec<u16>, count = items(*version)?);
    refuse!(version, Vec<u16>, count = items(*version)? * 2 + 1);
    refuse!(version, String, count = if *version == 0 { 1u8 } else { items(*version)? });
    refuse!(version, Vec<u8>, region = items(*version)?, until_eof);
    refuse!(version, Option<u16>, if(is_long(*version)?));
    refuse!(version, Option<u16>, if(is_long(*version)?), pad_before = 1);
    refuse!(version, u8, assert(is_long(*version)?));
    refuse!(version, Within, args(items(*version)?));
    refuse!(version, Vec<Within>, each(list(*version)?));
    refuse!(version, u16, endian = if is_long(*version)? { Endian::Big } else { Endian::Little });
}

/// A `?` may stand where a statement begins.
#[test]
fn at_the_front() {
    refuse!(version, Option<u16>, if(items(*version)? > 1));
    refuse!(version, Option<u16>, if(items(*version)? & 2 != 0));
    refuse!(version, Option<u16>, if(is_long(*version)? && *version > 1));
    refuse!(version, u8, assert(items(*version)? > 1));
    refuse!(version, Vec<u8>, count = items(*version)? as usize);

    #[derive(BinFormat, Debug)]
    #[binfmt(version = items(*version)?)]
    struct Since {
        version: u8,
        #[binfmt(since = 2)]
        last: Option<u8>,
        #[binfmt(calc(bool = items(*version)? > 2))]
        is_third: (),
    }
    is_unknown(&from_slice::<Since>(&[9, 1, 1]).unwrap_err(), "last at byte 0x1: version 9 is unknown");
    assert_eq!(from_slice::<Since>(&[3, 7, 1]).unwrap().last, Some(7));
    assert!(from_slice::<Since>(&[2, 7, 1]).is_err());
}

#[derive(BinFormat, Debug, Default)]
#[binfmt(ctx(n: u8))]
struct Within {
    #[binfmt(count = n)]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug)]
struct Elsewhere {
    version: u8,
    #[binfmt(at(file) = items(*version)?)]
    byte: u8,
}

#[test]
fn positions() {
    assert_eq!(from_slice::<Elsewhere>(&[3, 1, 2, 7]).unwrap().byte, 7);
    is_unknown(&from_slice::<Elsewhere>(&[9, 1]).unwrap_err(), "byte at byte 0x1: version 9 is unknown");
    is_unknown(
        &to_vec(&Elsewhere { version: 9, byte: 1 }).unwrap_err(),
        "byte at byte 0x1: version 9 is unknown",
    );
}

#[derive(BinFormat, Debug)]
#[binfmt(tag(u8))]
enum Message {
    List {
        version: u8,
        #[binfmt(count = items(*version)?)]
        bytes: Vec<u8>,
    },
}

#[derive(BinFormat, Debug)]
struct Messages(#[binfmt(length_prefixed(u8))] Vec<Message>);

#[test]
fn inside_other_types() {
    let e = from_slice::<Messages>(&[2, 0, 0, 0, 9]).unwrap_err();
    is_unknown(&e, "0[1].bytes at byte 0x5: version 9 is unknown");
}
