//! `untagged`: variants that are tried in their order.

use crate::support::wire::{Drip, assert_error, from_file, lent, reads, same};
use binfmt::schema::{Describe, Description, Schema};
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, ErrorKind, Gaps, Layout, Options, Step};
use std::io::Cursor;

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(untagged, le)]
enum Number {
    #[binfmt(magic = b"\xCD")]
    Large(u16),
    Small(#[binfmt(range = 0..=0x7F)] u8),
    #[binfmt(magic = b"\xA1")]
    Text {
        #[binfmt(length_prefixed(u8))]
        text: String,
    },
}

#[test]
fn the_first_that_fits_is_read() {
    same(&Number::Small(5), &[5]);
    same(&Number::Large(300), &[0xCD, 44, 1]);
    same(&Number::Text { text: "ab".into() }, b"\xA1\x02ab");
}

#[test]
fn errors_of_all_variants_are_told() {
    let e = binfmt::from_slice::<Number>(&[0xCD, 1]).unwrap_err();
    assert_eq!(
        e.to_string(),
        "at byte 0x0: no variant of Number fits: Large.0 at byte 0x1: 2 bytes needed, 1 remain; \
         Small.0 at byte 0x0: 205 is not in 0..=0x7F; \
         Text.magic at byte 0x0: expected the bytes a1, found cd"
    );
    // one more byte, and `Large` fits
    assert_eq!(e.needed(), Some(1));
    let ErrorKind::NoVariant { of, errors } = e.kind() else { panic!("{e}") };
    assert_eq!((&**of, errors.len()), ("Number", 3));
    assert_eq!(errors[2].path().steps().next(), Some(&Step::Field("Text")));
    let e = binfmt::from_slice::<(u8, Number)>(&[0, 0xFF]).unwrap_err();
    assert_error!(e, 1, "1", ErrorKind::NoVariant { .. });
    // a magic that is wrong is told where the bytes that are there say so
    let ErrorKind::NoVariant { errors, .. } = e.kind() else { panic!("{e}") };
    assert_error!(&errors[0], 1, "Large.magic", ErrorKind::Magic { .. });
    let shifted = e.shifted(10);
    let ErrorKind::NoVariant { errors, .. } = shifted.kind() else { panic!("{shifted}") };
    assert_eq!(errors[0].offset(), Some(11));
}

/// The long one is tried first, so that the end decides.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(untagged, le)]
enum Header {
    Long(u32),
    Short(u8),
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Framed {
    #[binfmt(length_prefixed(u8, in = bytes))]
    header: Header,
    next: u8,
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Followed {
    header: Header,
    next: u32,
}

#[test]
fn what_is_cut_off_does_not_fit() {
    same(&Header::Short(1), &[1]);
    same(&Header::Long(1), &[1, 0, 0, 0]);
    let framed = Framed { header: Header::Short(7), next: 9 };
    same(&framed, &[1, 7, 9]);
    same(&Framed { header: Header::Long(7), next: 9 }, &[4, 7, 0, 0, 0, 9]);
    // with bytes after it, a short one is read as a long one
    let e = binfmt::to_vec(&Followed { header: Header::Short(7), next: 9 }).unwrap_err();
    assert_eq!(
        e.to_string(),
        "header at byte 0x0: variant Header::Short can be read back as Header::Long, with bytes that follow it"
    );
    let mut file = Vec::new();
    assert!(binfmt::to_writer(&Followed { header: Header::Short(7), next: 9 }, &mut file).is_err());
    assert!(binfmt::to_slice(&Followed { header: Header::Short(7), next: 9 }, &mut [0; 9]).is_err());
    same(&Followed { header: Header::Long(7), next: 9 }, &[7, 0, 0, 0, 9, 0, 0, 0]);
    // the next one of a list follows, too
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct All(#[binfmt(until_eof)] Vec<Header>);
    same(&All(vec![Header::Long(1), Header::Short(2)]), &[1, 0, 0, 0, 2]);
    assert!(binfmt::to_vec(&All(vec![Header::Short(1), Header::Short(2)])).is_err());
    assert!(binfmt::to_vec(&All(vec![Header::Short(1), Header::Long(2)])).is_err());
}

#[test]
fn what_fills_a_region_follows() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Padded(#[binfmt(pad_to = 4)] Header);
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Filled {
        n: u8,
        #[binfmt(region(*n, rest = skip))]
        header: Header,
    }
    assert!(binfmt::to_vec(&Padded(Header::Short(1))).is_err());
    same(&Padded(Header::Long(1)), &[1, 0, 0, 0]);
    assert!(binfmt::to_vec(&Filled { n: 4, header: Header::Short(1) }).is_err());
    same(&Filled { n: 1, header: Header::Short(1) }, &[1, 1]);
    // a part elsewhere goes on to the end of the input, but for its region
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Away {
        #[binfmt(at = 2)]
        header: Header,
        n: u8,
        #[binfmt(at = 1, region = 1)]
        last: Header,
    }
    assert!(binfmt::to_vec(&Away { header: Header::Short(1), n: 0, last: Header::Short(1) }).is_err());
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct AtTheEnd {
        #[binfmt(at = 2)]
        header: Header,
        n: u16,
    }
    let at_the_end = AtTheEnd { header: Header::Short(1), n: 7 };
    assert_eq!(binfmt::to_vec(&at_the_end).unwrap(), [7, 0, 1]);
    assert_eq!(binfmt::from_slice::<AtTheEnd>(&[7, 0, 1]).unwrap(), at_the_end);
    let mut out = Vec::new();
    assert_eq!(binfmt::to_writer(&at_the_end, &mut out).unwrap(), 3);
    assert_eq!(binfmt::to_slice(&at_the_end, &mut [0; 3]).unwrap(), 3);
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    struct Before {
        #[binfmt(at = 2)]
        header: Header,
        n: u8,
        #[binfmt(at = 3)]
        last: u8,
    }
    let before = Before { header: Header::Short(1), n: 0, last: 7 };
    let e = binfmt::to_vec(&before).unwrap_err();
    assert_error!(e, 2, "header", ErrorKind::ReadAsAnother { .. });
    assert!(binfmt::to_writer(&before, &mut out).is_err() && binfmt::to_slice(&before, &mut [0; 9]).is_err());
    let away = Away { header: Header::Long(1), n: 0, last: Header::Short(3) };
    assert_eq!(binfmt::to_vec(&away).unwrap(), [0, 3, 1, 0, 0, 0]);
    assert_eq!(binfmt::from_slice::<Away>(&[0, 3, 1, 0, 0, 0]).unwrap(), away);
}

#[test]
fn a_value_that_an_earlier_variant_takes_is_refused() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[binfmt(untagged)]
    enum Either {
        Low(#[binfmt(range = 0..=9)] u8),
        Any(u8),
        #[binfmt(magic = b"\x05")]
        Five,
    }
    same(&Either::Any(10), &[10]);
    same(&Either::Low(9), &[9]);
    for (value, text) in [
        (Either::Any(9), "at byte 0x0: variant Either::Any would be read back as Either::Low"),
        (Either::Five, "at byte 0x0: variant Either::Five would be read back as Either::Low"),
    ] {
        let e = binfmt::to_vec(&value).unwrap_err();
        assert_eq!(e.to_string(), text);
        let mut out = Vec::new();
        assert_eq!(binfmt::to_writer(&value, &mut out).unwrap_err().to_string(), text);
        assert!(out.is_empty());
        assert_eq!(binfmt::to_slice(&value, &mut [0; 4]).unwrap_err().to_string(), text);
        assert_eq!(binfmt::encoded_len(&value).unwrap(), 1);
    }
}

/// All that may be inside: regions, lists, levels, parts elsewhere, checksums, a magic before it.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(untagged, be, magic = b"?")]
enum Deep {
    #[binfmt(magic = b"L")]
    Listed {
        #[binfmt(length_prefixed(u8, in = bytes))]
        inner: Vec<Deep>,
        #[binfmt(checksum(u8 = sum, over = ..))]
        sum: (),
    },
    #[binfmt(magic = b"A")]
    Away {
        at: u8,
        #[binfmt(at = at, length_prefixed(u8))]
        name: String,
        #[binfmt(assert(*end == 0xEE))]
        end: u8,
    },
    Leaf(#[binfmt(range = 1..=2)] u8),
    Any([u8; 3]),
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

#[test]
fn a_source_comes_back_from_anywhere() {
    let leaf = |n| Deep::Leaf(n);
    let list = Deep::Listed { inner: vec![leaf(1), leaf(2)], sum: () };
    let bytes = [b'?', b'L', 4, b'?', 1, b'?', 2, 16];
    same(&list, &bytes);
    // another sum: not a list, and the variant that fits leaves bytes over
    let mut wrong = bytes;
    wrong[7] = 0;
    assert!(binfmt::from_slice::<Deep>(&wrong).is_err());
    reads(&Deep::Any([b'L', b'?', 9]), &[b'?', b'L', b'?', 9]);
    // a part elsewhere was read before the assertion fails
    let away = Deep::Away { at: 5, name: "ab".into(), end: 0xEE };
    let bytes = [b'?', b'A', 5, 0xEE, 0, 2, b'a', b'b'];
    let (found, _) = binfmt::from_prefix::<Deep>(&bytes).unwrap();
    assert_eq!(found, away);
    assert_eq!(from_file::<Deep>(Cursor::new(&bytes[..])).unwrap(), away);
    let mut other = bytes;
    other[3] = 0xED;
    let any = Deep::Any([b'A', 5, 0xED]);
    let sought = from_file::<(Deep, [u8; 4])>(Cursor::new(&other[..])).unwrap();
    assert_eq!(sought, (any.clone(), [0, 2, b'a', b'b']));
    assert_eq!(binfmt::from_prefix::<Deep>(&other).unwrap(), (any, &other[4..]));
}

#[test]
fn gaps_forget_what_a_variant_read_in_vain() {
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(untagged)]
    enum Part {
        Far {
            at: u8,
            #[binfmt(at(file) = at)]
            far: u8,
            #[binfmt(assert(*far == 7))]
            near: u8,
        },
        Near(u16),
    }
    #[derive(BinFormat, Debug, PartialEq)]
    struct File {
        part: Part,
        #[binfmt(gaps)]
        rest: Gaps,
    }
    let near: File = binfmt::from_slice(&[3, 0, 9, 8]).unwrap();
    assert_eq!(
        (near.part, near.rest.list.iter().map(|gap| gap.bytes.len()).sum::<usize>()),
        (Part::Near(3), 2)
    );
    let far: File = binfmt::from_slice(&[3, 0, 9, 7]).unwrap();
    assert_eq!(
        (&far.part, far.rest.list.iter().map(|gap| gap.bytes.len()).sum::<usize>()),
        (&Part::Far { at: 3, far: 7, near: 0 }, 1)
    );
    assert_eq!(binfmt::to_vec(&far).unwrap(), [3, 0, 9, 7]);
    let mut sought = Cursor::new(&[3, 0, 9, 8][..]);
    assert_eq!(from_file::<File>(&mut sought).unwrap().part, Part::Near(3));
}

/// Each level tries its inside twice.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(untagged)]
enum Twice {
    One(#[binfmt(range = 1..=1)] u8, Box<Twice>, #[binfmt(range = 1..=1)] u8),
    Two(#[binfmt(range = 1..=1)] u8, Box<Twice>, #[binfmt(range = 2..=2)] u8),
    End(#[binfmt(range = 0..=0)] u8),
}

#[test]
fn levels_do_not_double_the_work_without_end() {
    let twos = |n: usize| [vec![1; n], vec![0], vec![2; n]].concat();
    assert!(binfmt::from_slice::<Twice>(&twos(8)).is_ok());
    for bytes in [twos(60), vec![1; 100]] {
        let e = binfmt::from_slice::<Twice>(&bytes).unwrap_err();
        assert!(matches!(e.kind(), ErrorKind::TryLimit), "{e}");
        assert!(binfmt::from_reader::<Twice>(&bytes[..]).is_err());
    }
    // without a byte there is no end but that of the levels
    #[derive(BinFormat, Debug)]
    #[binfmt(untagged)]
    enum Nothing {
        One(Box<Nothing>, u8),
        Two(Box<Nothing>, u16),
        End,
    }
    let e = binfmt::from_slice::<Nothing>(&[]).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::DepthLimit { .. }), "{e}");
    // many values of many variants are not nested
    let many: Vec<u8> = std::iter::repeat_n(5, 100_000).collect();
    #[derive(BinFormat, Debug)]
    struct All(#[binfmt(until_eof)] Vec<Number>);
    assert_eq!(binfmt::from_slice::<All>(&many).unwrap().0.len(), 100_000);
    assert_eq!(binfmt::from_reader::<All>(&many[..]).unwrap().0.len(), 100_000);
}

#[test]
fn limits_end_the_trying() {
    #[derive(BinFormat, Debug)]
    #[binfmt(untagged)]
    enum Heavy<'a> {
        Lent(#[binfmt(length_prefixed(u8))] &'a [u8]),
        Other(u8),
    }
    let e = binfmt::from_slice_with::<Header, ()>(&[1], &Options::new().max_memory(0));
    assert!(e.is_ok());
    #[derive(BinFormat, Debug)]
    #[binfmt(untagged)]
    enum Owned {
        Text(#[binfmt(length_prefixed(u8))] String),
        Other(u8),
    }
    let e = binfmt::from_slice_with::<Owned, ()>(b"\x03abc", &Options::new().max_memory(2)).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::MemoryLimit { .. }), "{e}");
    let input = *b"\x02ab";
    let Ok(Heavy::Lent(bytes)) = binfmt::from_slice(&input) else { panic!() };
    assert_eq!(bytes, b"ab");
}

#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(untagged, ctx(limit: u8))]
enum Lent<'a, T> {
    Name(#[binfmt(assert(_0.len() < usize::from(limit)), length_prefixed(u8))] &'a str),
    Number(#[binfmt(range = 0xF0..)] u8, T),
    Rest(#[binfmt(count = 2)] &'a [u8]),
}

#[test]
fn generic_borrowed_and_in_a_context() {
    let options = Options::new().ctx(3u8);
    let bytes = b"\x02ab";
    let name: Lent<'_, u16> = binfmt::from_slice_with(bytes, &options).unwrap();
    assert_eq!(name, Lent::Name("ab"));
    assert_eq!(binfmt::to_vec_with(&name, &options).unwrap(), bytes);
    let number: Lent<'_, u16> = binfmt::from_slice_with(&[0xFF, 1, 0], &options).unwrap();
    assert_eq!(number, Lent::Number(0xFF, 1));
    assert_eq!(binfmt::to_vec_with(&number, &options).unwrap(), [0xFF, 1, 0]);
    // another context, another variant
    let none = Options::new().ctx(0u8);
    let rest: Lent<'_, u16> = binfmt::from_slice_with(&[1, b'a'], &none).unwrap();
    assert_eq!(rest, Lent::Rest(&[1, b'a']));
    assert_eq!(binfmt::to_vec_with(&rest, &none).unwrap(), [1, b'a']);
    assert!(binfmt::to_vec_with(&rest, &options).is_err());
    // to be lent a stream has no bytes, whatever another variant could do
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(untagged)]
    enum Plain<'a> {
        Name(#[binfmt(magic = b"N", length_prefixed(u8))] &'a str),
        Byte(u8),
    }
    lent(&Plain::Name("ab"), b"N\x02ab");
}

#[test]
fn run_time_values_are_tried_too() {
    let layout = Number::SCHEMA.description();
    let program = Program::new(&layout).unwrap();
    let options = Options::new().ctx(&program);
    for bytes in [&[5][..], &[0xCD, 44, 1], b"\xA1\x02ab"] {
        let value: Value = binfmt::from_slice_with(bytes, &options).unwrap();
        assert_eq!(binfmt::from_reader_with::<Value, _>(Drip(bytes), &options).unwrap(), value);
        assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes);
        let mut file = Vec::new();
        binfmt::to_writer_with(&value, &mut file, &options).unwrap();
        assert_eq!(file, bytes);
    }
    for bytes in [&[0xCD, 1][..], &[0xFF], &[]] {
        let typed = binfmt::from_slice::<Number>(bytes).unwrap_err();
        let e = binfmt::from_slice_with::<Value, _>(bytes, &options).unwrap_err();
        assert_eq!(e.to_string(), typed.to_string());
    }
    let wrong =
        Value::Variant { name: "Small".into(), value: Box::new(Value::record([("0", Value::from(0xCDu8))])) };
    assert!(binfmt::to_vec_with(&wrong, &options).is_err());

    let layout = Followed::SCHEMA.description();
    let program = Program::new(&layout).unwrap();
    let options = Options::new().ctx(&program);
    let short =
        Value::Variant { name: "Short".into(), value: Box::new(Value::record([("0", Value::from(7u8))])) };
    let value = Value::record([("header", short), ("next", Value::from(9u32))]);
    let e = binfmt::to_vec_with(&value, &options).unwrap_err();
    let typed = binfmt::to_vec(&Followed { header: Header::Short(7), next: 9 }).unwrap_err();
    assert_eq!(e.to_string(), typed.to_string());
    let mut out = Vec::new();
    assert!(binfmt::to_writer_with(&value, &mut out, &options).is_err());
}

#[test]
fn values_do_not_guess_what_they_cannot_evaluate() {
    let layout = Deep::SCHEMA.description();
    let program = Program::new(&layout).unwrap();
    let e = binfmt::from_slice_with::<Value, _>(&[b'?', 1], &Options::new().ctx(&program)).unwrap_err();
    assert_eq!(
        e.to_string(),
        "at byte 0x0: a value does not support `checksum(u8 = sum, over = ..)` of a variant that is tried"
    );
}

/// What a value can decide of the rules of a variant: arithmetic on fields, and lengths that say themselves what they count.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(untagged)]
enum Ruled {
    #[binfmt(assert(*low < *high, "low, high"))]
    Pair { low: u8, high: u8 },
    Sum {
        a: u8,
        #[binfmt(assert(*b == 9))]
        b: u8,
        #[binfmt(calc(u8 = *a + 1))]
        next: (),
    },
    Counted {
        #[binfmt(len_of(items))]
        n: u8,
        #[binfmt(count = n)]
        items: Vec<u8>,
    },
}

#[test]
fn values_decide_rules_that_are_arithmetic() {
    let layout = Ruled::SCHEMA.description();
    let program = Program::new(&layout).unwrap();
    let options = Options::new().ctx(&program);
    for (value, bytes) in [
        (Ruled::Pair { low: 1, high: 2 }, &[1, 2][..]),
        (Ruled::Sum { a: 20, b: 9, next: () }, &[20, 9, 21]),
        (Ruled::Counted { n: 2, items: vec![1, 5] }, &[2, 1, 5]),
    ] {
        same(&value, bytes);
        let found: Value = binfmt::from_slice_with(bytes, &options).unwrap();
        let Value::Variant { name, .. } = &found else { panic!("{found:?}") };
        assert!(format!("{value:?}").starts_with(name.as_str()), "{found:?}");
        assert_eq!(binfmt::to_vec_with(&found, &options).unwrap(), bytes);
    }
    for bytes in [&[20, 9, 22][..], &[5]] {
        let typed = binfmt::from_slice::<Ruled>(bytes).unwrap_err();
        let e = binfmt::from_slice_with::<Value, _>(bytes, &options).unwrap_err();
        assert!(matches!(
            (typed.kind(), e.kind()),
            (ErrorKind::NoVariant { .. }, ErrorKind::NoVariant { .. })
        ));
    }
    // what an earlier variant takes is not written
    let counted = Value::record([("n", Value::from(1u8)), ("items", vec![7u8].into())]);
    let value = Value::Variant { name: "Counted".into(), value: Box::new(counted) };
    let e = binfmt::to_vec_with(&value, &options).unwrap_err();
    assert!(matches!(e.kind(), ErrorKind::ReadAsAnother { .. }), "{e}");
}

#[test]
fn columns_are_those_of_a_choice() {
    #[derive(BinFormat)]
    struct Row {
        id: u8,
        number: Number,
    }
    let layout = Row::SCHEMA.description();
    let plan = binfmt::columns::Plan::new(&layout).unwrap();
    let bytes = [1, 5, 2, 0xCD, 44, 1, 3, 0xA1, 1, b'x', 4, 6];
    let columns = plan.decode(&bytes).unwrap();
    assert_eq!(columns.num_rows(), 4);
    assert_eq!(plan.encode(&columns).unwrap(), bytes);
}

#[test]
fn schemas_say_it() {
    let text = Number::SCHEMA.to_string();
    assert_eq!(
        text,
        "Number: choice, le, untagged\n  _ => Large\n    _: magic = b\"\\xcd\"\n    0: u16\n  _ => Small\n    0: u8, range = 0..=0x7F\n  _ => Text\n    _: magic = b\"\\xa1\"\n    text: text, length_prefixed(u8)\n"
    );
    let description: Description = text.parse().unwrap();
    assert_eq!(description.to_string(), text);
    let read = Schema::from(description.clone());
    assert_eq!(read.fingerprint(), Number::SCHEMA.fingerprint());
    assert!(Number::SCHEMA.check(&read).is_ok());
    // the order is part of the layout
    let turned: Description =
        "Header: choice, le, untagged\n  _ => Short\n    0: u8\n  _ => Long\n    0: u32\n".parse().unwrap();
    let turned = Schema::from(turned);
    assert_ne!(turned.fingerprint(), Header::SCHEMA.fingerprint());
    let e = Header::SCHEMA.check(&turned).unwrap_err();
    assert!(e.to_string().contains("variants Long, Short"), "{e}");
    let tagged: Description = "Header: choice, le, untagged\n  1 => Long\n    0: u32\n".parse().unwrap();
    assert!(tagged.validate().is_err());
    let program = Program::new(&description).unwrap();
    let found: Value = binfmt::from_slice_with(&[0xCD, 44, 1], &Options::new().ctx(&program)).unwrap();
    assert_eq!(found.get("0"), Some(&Value::from(300u16)));
}

#[test]
fn a_dump_shows_the_variant_that_fits() {
    let text = binfmt::dump::trace::<Framed>(&[1, 7, 9]).to_string();
    assert!(text.contains("Short") && !text.contains("Long"), "{text}");
    let text = binfmt::dump::trace::<Deep>(&[b'?', 4, b'?', 9]).to_string();
    assert!(text.contains("Any") && !text.contains("Listed"), "{text}");
}

#[test]
fn a_position_that_is_filled_in_later_is_refused() {
    #[derive(BinFormat, Clone, Debug, PartialEq)]
    #[binfmt(untagged)]
    enum Placed {
        Mark(#[binfmt(magic = b"M")] u8),
        Far {
            #[binfmt(offset_of(far, auto))]
            place: u8,
            #[binfmt(at = place)]
            far: u8,
        },
    }
    let e = binfmt::to_vec(&Placed::Far { place: 0, far: 1 }).unwrap_err();
    assert!(e.to_string().contains("filled in later"), "{e}");
}

#[test]
fn sizes_are_those_of_the_variants() {
    let sizes = Header::FACTS.sizes();
    assert_eq!((sizes.min, sizes.max), (1, 4));
}
