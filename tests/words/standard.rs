//! Types of the standard library: numbers other than zero, addresses, shared pointers, collections, spans of time.

use crate::support::wire::{assert_error, bad, refused, same, same_be, short};
use binfmt::dump::trace;
use binfmt::integer::{Micros, Millis, Nanos, Seconds};
use binfmt::{BinFormat, Describe, ErrorKind, Layout, Options};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::ffi::CString;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::num::NonZero;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

#[derive(BinFormat, Debug, PartialEq)]
struct Single {
    n: NonZero<u16>,
    #[binfmt(nullable)]
    m: Option<NonZero<i32>>,
    v4: Ipv4Addr,
    v6: Ipv6Addr,
    name: CString,
    shared: Arc<u16>,
    local: Rc<(u8, u16)>,
    #[binfmt(count = 2)]
    many: Vec<NonZero<u8>>,
}

fn single() -> Single {
    Single {
        n: NonZero::new(1).unwrap(),
        m: NonZero::new(-1),
        v4: Ipv4Addr::new(127, 0, 0, 1),
        v6: Ipv6Addr::LOCALHOST,
        name: c"ab".into(),
        shared: Arc::new(3),
        local: Rc::new((4, 5)),
        many: vec![NonZero::<u8>::MIN; 2],
    }
}

const SINGLE: &[u8] =
    b"\x01\0\xff\xff\xff\xff\xff\x7f\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01ab\0\x03\0\x04\x05\0\x01\x01";

#[test]
fn single_values() {
    same(&single(), SINGLE);
    let mut big = SINGLE.to_vec();
    for place in [0, 30, 33] {
        big.swap(place, place + 1);
    }
    same_be(&single(), &big);
    assert_eq!(NonZero::<u32>::FACTS.sizes().exact(), Some(4));
    for (place, n, path, range) in [(0, 2, "n", "1.."), (3, 4, "m", "..0 or 1.."), (36, 1, "many[1]", "1..")]
    {
        let mut bytes = SINGLE.to_vec();
        bytes[place..place + n].fill(0);
        let e = bad::<Single>(&bytes);
        assert_error!(e, place as u64, path, ErrorKind::OutOfRange { .. });
        assert!(e.to_string().ends_with(&format!("0 is not in {range}")), "{e}");
    }
    let text = Single::SCHEMA.to_string();
    for line in
        ["n: u16, range = 1..", "v4: bytes, count = 4", "name: text, nul, text = bytes", "shared: u16"]
    {
        assert!(text.contains(line), "{line} in {text}");
    }
    assert!(trace::<Single>(SINGLE).to_string().contains("[1, 1]"));
    let [slice, stream] = short::<CString>(b"ab");
    assert!(slice.is_incomplete() && stream.is_incomplete());
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Lists {
    #[binfmt(length_prefixed(u8))]
    queue: VecDeque<u16>,
    #[binfmt(length_prefixed(u8))]
    sorted: BTreeMap<u8, u16>,
    #[binfmt(var_len)]
    set: BTreeSet<u8>,
    #[binfmt(length_prefixed(u8, in = bytes))]
    hashed: HashMap<u16, u8>,
    #[binfmt(len_of(keys, auto))]
    n: u8,
    #[binfmt(count = *n)]
    keys: HashSet<u16>,
    #[binfmt(nullable, length_prefixed(u8))]
    maybe: Option<BTreeMap<u8, Word>>,
    #[binfmt(until_eof)]
    rest: BTreeSet<u8>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Word {
    #[binfmt(length_prefixed(u8))]
    text: String,
}

fn lists() -> Lists {
    let mut queue = VecDeque::from([2, 3]);
    queue.push_front(1);
    Lists {
        queue,
        sorted: [(2, 9), (1, 8)].into(),
        set: [5, 4].into(),
        hashed: [(0x0201, 1), (0x0102, 2), (0x0100, 3)].into(),
        n: 2,
        keys: [256, 1].into(),
        maybe: Some([(7, Word { text: "a".into() })].into()),
        rest: [1, 0].into(),
    }
}

#[test]
fn collections() {
    let bytes = [
        &[3, 1, 0, 2, 0, 3, 0, 2, 1, 8, 0, 2, 9, 0, 2, 0, 0, 0, 4, 5][..],
        // in the order of the bytes of the keys: 00 01, 01 02, 02 01
        &[9, 0, 1, 3, 1, 2, 1, 2, 1, 2],
        &[2, 0, 1, 1, 0, 255, 1, 7, 1, b'a', 0, 1],
    ];
    let bytes = bytes.concat();
    same(&lists(), &bytes);
    // in big-endian order the bytes of the keys are others, and so is the order
    let big = binfmt::to_vec_with(&lists(), &Options::new().endian(binfmt::Endian::Big)).unwrap();
    assert_eq!(big[21..30], [1, 0, 3, 1, 2, 2, 2, 1, 1]);
    // any order is read
    let mut turned = bytes.clone();
    turned[8..14].copy_from_slice(&[2, 9, 0, 1, 8, 0]);
    assert_eq!(binfmt::from_slice::<Lists>(&turned).unwrap(), lists());
    for (place, value, at, path) in
        [(11, 1, 11, "sorted[1]"), (19, 4, 19, "set[1]"), (24, 0, 24, "hashed[1]")]
    {
        let mut bytes = bytes.clone();
        bytes[place] = value;
        if path == "hashed[1]" {
            bytes[25] = 1;
        }
        assert_error!(bad::<Lists>(&bytes), at, path, ErrorKind::DuplicateKey);
    }
    let mut twice = bytes.clone();
    *twice.last_mut().unwrap() = 0;
    let e = bad::<Lists>(&twice);
    assert!(matches!(e.kind(), ErrorKind::DuplicateKey) && e.path().to_string() == "rest[1]", "{e}");
    let text = Lists::SCHEMA.to_string();
    assert!(text.contains("queue: [u16], length_prefixed(u8)"), "{text}");
    let [slice, _] = short::<Lists>(&[200]);
    assert_error!(slice, 0, "queue", ErrorKind::CountTooLarge { count: 200, .. });
    let [slice, _] = short::<Lists>(&[0, 200]);
    assert_error!(slice, 1, "sorted", ErrorKind::CountTooLarge { count: 200, needed: 600, .. });
    let e = binfmt::from_slice_with::<Lists, _>(&bytes, &Options::new().max_memory(10)).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::MemoryLimit { .. }), "{e}");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Times {
    #[binfmt(as = Seconds<u32>)]
    a: Duration,
    #[binfmt(as = Millis<u16>, nullable)]
    b: Option<Duration>,
    #[binfmt(as = Micros<u8>)]
    c: [Duration; 2],
    #[binfmt(as = Nanos<i64>, length_prefixed(u8))]
    d: Vec<Duration>,
}

#[test]
fn spans_of_time() {
    let times = |ms| Times {
        a: Duration::from_secs(5),
        b: Some(Duration::from_millis(ms)),
        c: [Duration::from_micros(7); 2],
        d: vec![Duration::from_nanos(9)],
    };
    same(&times(6), &[5, 0, 0, 0, 255, 6, 0, 7, 7, 1, 9, 0, 0, 0, 0, 0, 0, 0]);
    let e = refused(&times(65536));
    assert_error!(e, 5, "b", ErrorKind::Invalid { of: "duration", .. });
    let e = refused(&Times { a: Duration::from_millis(5), ..times(0) });
    assert!(e.to_string().starts_with("a at byte 0x0: invalid duration 5ms: not a number of Seconds"), "{e}");
    let mut bytes = [5, 0, 0, 0, 255, 6, 0, 7, 7, 1, 9, 0, 0, 0, 0, 0, 0, 0x80];
    assert_error!(bad::<Times>(&bytes), 10, "d[0]", ErrorKind::IntegerOverflow { .. });
    bytes[17] = 0;
    assert_eq!(binfmt::from_slice::<Times>(&bytes).unwrap(), times(6));
    assert!(Times::SCHEMA.to_string().contains("b: u16, nullable"), "{}", Times::SCHEMA);
}

#[test]
fn a_key_that_is_refused_has_its_place() {
    #[derive(BinFormat, Debug, PartialEq, Eq, Hash)]
    struct Key {
        small: u8,
        #[binfmt(range = 0..=9)]
        n: u8,
    }
    #[derive(BinFormat, Debug)]
    struct Maps {
        before: u8,
        #[binfmt(length_prefixed(u8))]
        map: HashMap<Key, u16>,
        #[binfmt(length_prefixed(u8))]
        set: HashSet<Key>,
    }
    let key = |n| Key { small: 1, n };
    let map = |n| HashMap::from([(key(1), 1), (key(n), 2), (key(2), 3)]);
    let bad = Maps { before: 0, map: map(99), set: HashSet::new() };
    let e = binfmt::to_vec(&bad).unwrap_err();
    assert_eq!((e.path().to_string(), e.offset()), ("map[0].0.n".to_owned(), Some(3)), "{e}");
    let bad = Maps { before: 0, map: HashMap::new(), set: HashSet::from([key(1), key(99)]) };
    let e = binfmt::to_vec(&bad).unwrap_err();
    assert_eq!((e.path().to_string(), e.offset()), ("set[0].n".to_owned(), Some(4)), "{e}");
}

#[derive(BinFormat, Debug, PartialEq)]
struct Small {
    #[binfmt(range = 0..=9)]
    n: u8,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Scores {
    #[binfmt(length_prefixed(u8))]
    map: BTreeMap<u8, Small>,
}

#[test]
fn a_value_that_is_refused_has_its_place() {
    let bad = Scores { map: BTreeMap::from([(1, Small { n: 2 }), (3, Small { n: 40 })]) };
    assert_error!(refused(&bad), 4, "map[1].1.n", ErrorKind::OutOfRange { .. });
}

#[derive(BinFormat, Debug, PartialEq)]
struct Tree {
    #[binfmt(length_prefixed(u8))]
    children: BTreeMap<u8, Tree>,
}

#[test]
fn maps_inside_maps_have_a_limit() {
    let bytes = [1, 7].repeat(100_000);
    let e = binfmt::from_slice::<Tree>(&bytes).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::DepthLimit { .. }), "{e}");
}
