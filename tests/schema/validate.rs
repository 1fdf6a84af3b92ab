//! Descriptions that contradict themselves are refused before the first byte: by values, by plans, from JSON.

use crate::support::types::{int, null, prefixed, record, text, uint};
use binfmt::columns::Plan;
use binfmt::schema::{
    BitOrder, ByteOrder, Choice, Description, Encoding, Extent, Field, Integer, Magic, Origin, Record, Tag,
    Terminator, Type, Variant, Varint,
};
use binfmt::value::{Program, Value};
use binfmt::{Options, from_slice_with, to_vec_with};
use std::time::{Duration, Instant};

fn rest() -> Type {
    Type::Bytes { len: Extent::ToEnd }
}

fn list(item: Type, len: Extent) -> Type {
    Type::List { item: Box::new(item), len }
}

fn nullable(present: u8, missing: (u8, u8), body: Type) -> Type {
    Type::Nullable { present, missing, blank: true, body: Box::new(body) }
}

fn conditional(condition: &str, body: Type) -> Type {
    Type::Conditional { condition: condition.into(), otherwise: None, body: Box::new(body) }
}

fn region(len: Extent, body: Type) -> Type {
    Type::Region { len, fill: None, body: Box::new(body) }
}

fn variant(name: &str, tag: &str, fields: impl IntoIterator<Item = Field>) -> Variant {
    Variant::new(name, tag, fields)
}

fn choice(tag: Type, variants: impl IntoIterator<Item = Variant>) -> Type {
    Type::Choice(Choice::new("Kind", Tag::Front(Box::new(tag)), variants))
}

fn ruled(name: &str, ty: Type, rule: &str) -> Field {
    let mut field = Field::new(name, ty);
    field.rules = vec![rule.into()];
    field
}

fn one(ty: Type) -> Description {
    record([Field::new("x", ty)])
}

/// Everybody refuses it in the same words.
fn refused(layout: &Description, expected: &str) {
    let e = layout.validate().unwrap_err();
    assert_eq!(e.to_string(), expected);
    assert!(expected.starts_with(&e.path()));
    assert_eq!(Plan::new(layout).unwrap_err().to_string(), expected);
    let json = serde_json::to_string(layout).unwrap();
    let e = serde_json::from_str::<Description>(&json).unwrap_err().to_string();
    assert!(e.starts_with(expected), "{e}");
}

/// Values refuse it, too, and before they touch a byte.
fn refused_for_values(layout: &Description, expected: &str) {
    refused(layout, expected);
    let with = Options::new().ctx(layout);
    assert_eq!(from_slice_with::<Value, _>(&[0; 8], &with).unwrap_err().to_string(), expected);
    assert_eq!(binfmt::from_reader_with::<Value, _>(&[0u8; 8][..], &with).unwrap_err().to_string(), expected);
    assert_eq!(to_vec_with(&Value::Unit, &with).unwrap_err().to_string(), expected);
}

#[test]
fn what_is_read_ahead_comes_next() {
    for words in ["peek, at = 3", "peek, at(file) = 3", "peek, at(end) = 2", "peek, if(*n > 1), at = n"] {
        let layout = format!("R: record, le\n  n: u8\n  a: u16, {words}\n  b: u8\n");
        refused(&layout.parse().unwrap(), "a: `peek` reads what comes next, and `at` what lies elsewhere");
    }
}

#[test]
fn nothing_stands_behind_the_end() {
    let zero = |len| Type::Text { encoding: Encoding::Utf8, nul: true, len };
    let [a, b] = ["a", "b"].map(|name| Field::new(name, zero(Extent::Terminated)));
    let c = Field::new("c", zero(Extent::ToEnd));
    refused_for_values(
        &record([c.clone(), a.clone(), b.clone()]),
        "a: this comes after `c`, which takes everything to the end",
    );
    assert!(record([a.clone(), b.clone(), c.clone()]).validate().is_ok());

    let inner = |fields: [Field; 2]| Type::Record(Record::new("Inner", fields));
    let last = Field::new("last", uint(1));
    let after = "last: this comes after `x`, which takes everything to the end";
    for ty in [
        list(uint(2), Extent::ToEnd),
        nullable(255, (0, 127), rest()),
        Type::Ordered { order: ByteOrder::Big, body: Box::new(rest()) },
        region(Extent::ToEnd, rest()),
        inner([a.clone(), c.clone()]),
        list(rest(), Extent::Fixed(1)),
        conditional("true", rest()),
        choice(uint(1), [variant("A", "1", [c.clone()]), variant("B", "2", [])]),
    ] {
        refused_for_values(&record([Field::new("x", ty), last.clone()]), after);
    }
    let padding = Field::new("", Type::Padding { len: Extent::ToEnd, fill: 0, strict: false });
    refused_for_values(
        &record([padding, last.clone()]),
        "last: this comes after bytes that take everything to the end",
    );
    // through names, wherever they are defined
    let mut named = record([Field::new("x", Type::Named("Z".into())), last.clone()]);
    named.definitions.insert("Z".into(), inner([a.clone(), Field::new("n", Type::Named("A".into()))]));
    named.definitions.insert("A".into(), inner([a, c]));
    refused_for_values(&named, after);
    for len in [prefixed(1), Extent::Fixed(2), Extent::ToEnd] {
        refused_for_values(&one(list(rest(), len)), "x: each element takes everything to the end");
    }
}

#[test]
fn an_end_that_something_else_bounds() {
    let last = Field::new("last", uint(1));
    for ty in [
        region(prefixed(1), rest()),
        Type::Padded { size: 4, fill: 0, strict: false, body: Box::new(rest()) },
        list(rest(), Extent::Fixed(0)),
        list(region(prefixed(1), rest()), Extent::ToEnd),
    ] {
        let greedy = matches!(ty, Type::List { len: Extent::ToEnd, .. });
        let x = Field::new("x", ty);
        let fields = if greedy { vec![last.clone(), x] } else { vec![x, last.clone()] };
        assert!(record(fields).validate().is_ok());
    }
    // two of which only one is there
    let either = record([
        Field::new("n", uint(1)),
        Field::new("x", conditional("*n == 0", rest())),
        Field::new("y", conditional("*n != 0", rest())),
    ]);
    assert!(either.validate().is_ok());
    // what has no bytes
    let empty = [Field::new("", Type::Padding { len: Extent::Fixed(0), fill: 0, strict: false })];
    let nothing = Type::Record(Record::new("", empty));
    assert!(
        record([Field::new("x", rest()), Field::new("y", nothing), Field::new("z", Type::Unit)])
            .validate()
            .is_ok()
    );
}

#[test]
fn a_byte_says_one_thing() {
    refused_for_values(
        &one(nullable(14, (0, 14), uint(1))),
        "x: presence byte 14 is one of the missing codes 0 to 14",
    );
    refused_for_values(&one(nullable(255, (5, 4), uint(1))), "x: there are no missing codes from 5 to 4");
    let both = record([
        Field::new("a", uint(1)),
        Field::new("", uint(1)),
        Field::new("", uint(1)),
        Field::new("a", uint(2)),
    ]);
    refused_for_values(&both, "two fields are called `a`");
    let same = [variant("A", "1", []), variant("A", "2", [])];
    refused_for_values(&one(choice(uint(1), same)), "x: two variants are called `A`");
    let many = (0..40).map(|i| variant(&format!("V{}", i % 39), &i.to_string(), []));
    refused_for_values(&one(choice(uint(1), many)), "x: two variants are called `V0`");
    let twice = |a: &str, b: &str| one(choice(uint(1), [variant("A", a, []), variant("B", b, [])]));
    refused(&twice("1", "0x01"), "x.B: the tag 1 is already a tag of `A`");
    refused(&twice("_", "_"), "x.B: _ is already the tag of `A`");
    refused(&twice("1", "256"), "x.B: 256 is not a tag of this type");
    refused(&twice("7..=3", "_"), "x.A: no tag is in 7..=3");
    refused(&twice("1..=5", "4"), "x.B: the tag 4 is already a tag of `A`");
    refused(&twice("1..=5", "3..=9"), "x.B: the tags 3..=5 are already tags of `A`");
    refused(&twice("1..5 | 8..", "0 | 4..=8"), "x.B: the tags 4 | 8 are already tags of `A`");
    refused(&twice("1 | 9", "1..=3"), "x.B: the tag 1 is already a tag of `A`");
    refused(&twice("2 | 1", "1..=2"), "x.B: the tags 1..=2 are already tags of `A`");
    refused(&twice("-3..0", "..=-2"), "x.B: the tags -3..=-2 are already tags of `A`");
    let three = |a: &str, b: &str, c: &str| {
        one(choice(uint(1), [variant("A", a, []), variant("B", b, []), variant("C", c, [])]))
    };
    refused(&three("1", "2", "1 | 2"), "x.C: the tag 1 is already a tag of `A`");
    refused(&three("4", "1..=5", "5..=9"), "x.C: the tag 5 is already a tag of `B`");
    let bytes = |a: &str, b: &str| {
        let tag = Type::Bytes { len: Extent::Fixed(1) };
        one(choice(tag, [variant("A", a, []), variant("B", b, [])]))
    };
    refused(&bytes("b\"a\" | b\"b\"", "b\"b\" | b\"c\""), "x.B: the tag \"b\" is already a tag of `A`");
    // an exception before a pattern that has it, as in a `match`
    assert!(twice("1", "1..=3 | 9").validate().is_ok() && twice("SOME_CONST", "1").validate().is_ok());
    assert!(
        three("4", "2..=5", "0..").validate().is_ok()
            && bytes("b\"a\"", "b\"a\" | b\"b\"").validate().is_ok()
    );
}

#[test]
fn numbers_and_names_that_there_are_not() {
    let width = "x: the description has a number of 9 bytes; no number is that wide";
    let nine = || Extent::Prefixed { len: Integer::unsigned(9), max: None, inclusive: false };
    let shaped = |dim_bytes, rank| Type::Shaped {
        item: Box::new(uint(1)),
        dim_bytes,
        dim_signed: false,
        rank,
        column_major: false,
    };
    let magic = |value: &str, bytes| Type::Magic { value: Magic::Number { value: value.into(), bytes } };
    for ty in [
        int(9),
        Type::Float { bytes: 9 },
        Type::Bytes { len: nine() },
        list(uint(1), nine()),
        region(nine(), uint(1)),
        shaped(9, Extent::Fixed(1)),
        magic("1", 9),
        list(list(int(9), Extent::ToEnd), prefixed(1)),
    ] {
        refused_for_values(&one(ty), width);
    }
    refused_for_values(&one(choice(int(9), [])), &width.replace("x:", "x.tag:"));
    refused_for_values(
        &one(choice(Type::Float { bytes: 4 }, [])),
        "x.tag: a tag is an integer, a bool or bytes",
    );
    refused_for_values(&one(Type::Named("Y".into())), "x: the description has no definition of `Y`");
    let mut named = Description::new(Type::Named("A".into()));
    named.definitions.insert("A".into(), Type::Named("A".into()));
    refused_for_values(&named, "a definition is a name itself");
    for ty in [
        list(uint(1), Extent::Terminated),
        shaped(1, Extent::ToEnd),
        Type::Bytes { len: Extent::Until("|x| true".into()) },
        region(Extent::Terminated, uint(1)),
    ] {
        let e = one(ty).validate().unwrap_err().to_string();
        assert!(e.starts_with("x: the description has a type whose extent cannot be"), "{e}");
    }
    refused_for_values(
        &one(Type::Alignment { to: 0, fill: 0, strict: false }),
        "x: an alignment is 1 or more",
    );
    refused_for_values(
        &one(Type::Opaque { by: "f".into(), min: 2, max: Some(1) }),
        "x: at least 2 bytes and at most 1: no value has that many",
    );
    refused(&one(magic("0x10000", 2)), "x: the magic 65536 does not fit 2 bytes");
    assert!(one(magic("-1", 2)).validate().is_ok() && one(magic("f(1)", 2)).validate().is_ok());
    let mut dead = one(uint(1));
    dead.definitions.insert("Unused".into(), Type::Record(Record::new("", [Field::new("a", int(9))])));
    refused_for_values(&dead, &width.replace("x:", "Unused.a:"));
}

fn bits(bits: u8, run: Option<u8>, body: Type) -> Type {
    Type::Bits { bits, run, order: None, body: Box::new(body) }
}

#[test]
fn runs_of_bits_are_full() {
    let run = |fields: &[(u8, Option<u8>)]| {
        let fields = fields.iter().enumerate();
        record(fields.map(|(i, (n, run))| Field::new(["a", "b", "c"][i], bits(*n, *run, uint(1)))))
    };
    assert!(run(&[(3, Some(1)), (5, None), (8, Some(1))]).validate().is_ok());
    refused_for_values(&run(&[(3, Some(1))]), "5 bits of the run before this belong to no field");
    refused_for_values(
        &run(&[(3, Some(1)), (8, Some(1))]),
        "b: 5 bits of the run before this belong to no field",
    );
    refused_for_values(&run(&[(3, Some(1)), (6, None)]), "b: 6 bits in a run that has 5 left");
    refused_for_values(&run(&[(3, None)]), "a: no run of bits is open for these");
    refused_for_values(&run(&[(3, Some(17))]), "a: there are no bits of an integer of 17 bytes");
    refused_for_values(&one(bits(16, Some(2), uint(1))), "x: 16 bits are not a number of 1 bytes");
    let float = bits(8, Some(1), Type::Float { bytes: 4 });
    refused_for_values(&one(float), "x: 8 bits are not a float of 4 bytes");
    let pair = |name: &str| ["a", "b"].map(|field| Field::new(field, Type::Named(name.into())));
    let mut doubled = one(bits(8, Some(1), Type::Named("D0".into())));
    for i in 0..100 {
        let next = record(pair(&format!("D{}", i + 1))).root;
        doubled.definitions.insert(format!("D{i}"), next);
    }
    doubled.definitions.insert("D100".into(), uint(1));
    let e = "x: 8 bits are not a type of that size: all its values must have the same bytes, 16 at most";
    refused_for_values(&doubled, e);
    refused_for_values(&one(list(bits(8, Some(1), uint(1)), prefixed(1))), "x: bits are a field of a record");
}

#[test]
fn the_run_of_a_tag_is_filled_by_each_variant() {
    let choice = |n: u8, run: Option<u8>, rest: &[u8], tags: &str| {
        let fields = rest.iter().map(|rest| Field::new("rest", bits(*rest, None, uint(1))));
        let variant = Variant::new("Only", tags, fields);
        let tag = Tag::Front(Box::new(bits(n, run, uint(1))));
        Description::new(Type::Choice(Choice::new("Packed", tag, [variant])))
    };
    assert!(choice(3, Some(1), &[5], "7").validate().is_ok());
    assert!(choice(8, Some(1), &[], "255").validate().is_ok());
    let left = "Only: 5 bits of the run before this belong to no field";
    refused_for_values(&choice(3, Some(1), &[], "7"), left);
    refused_for_values(&choice(3, Some(1), &[6], "7"), "Only.rest: 6 bits in a run that has 5 left");
    refused_for_values(&choice(3, None, &[5], "7"), "tag: no run of bits is open for these");
    refused_for_values(&choice(3, Some(1), &[5], "8"), "Only: 8 is not a tag of this type");
    refused_for_values(&choice(3, Some(1), &[5], "-1"), "Only: -1 is not a tag of this type");
    refused_for_values(&choice(16, Some(2), &[], "7"), "tag: 16 bits are not a number of 1 bytes");
}

#[test]
fn rules_and_expressions() {
    refused(&record([ruled("x", uint(1), "range = 9..=1")]), "x: no value is in 9..=1");
    refused(
        &record([ruled("x", Type::Float { bytes: 4 }, "range = 0.5..0.5")]),
        "x: no value is in 0.5..0.5",
    );
    refused(&one(Type::Bytes { len: Extent::Expr("2 - 3".into()) }), "x: a count of -1 is below zero");
    let late = |ty| record([Field::new("x", ty), Field::new("n", uint(1))]);
    let count = || Extent::Expr("*n as usize * 2".into());
    for ty in [
        Type::Bytes { len: count() },
        list(list(uint(1), count()), prefixed(1)),
        nullable(1, (0, 0), list(uint(2), Extent::Each("n".into()))),
        conditional("*n > 1", uint(2)),
        Type::Ordered {
            order: ByteOrder::Expr("if n == 1 { Endian::Big } else { Endian::Little }".into()),
            body: Box::new(uint(2)),
        },
    ] {
        refused(&late(ty), "x: `n` is needed here, which comes later");
    }
    // its own record, a parameter, a name that nobody knows
    let inner = Type::Record(Record::new(
        "",
        [Field::new("n", uint(1)), Field::new("b", Type::Bytes { len: count() })],
    ));
    assert!(late(inner).validate().is_ok());
    let mut ctx = late(Type::Bytes { len: count() });
    if let Type::Record(record) = &mut ctx.root {
        record.rules.push("ctx(n: u8)".into());
    }
    assert!(ctx.validate().is_ok());
    assert!(one(Type::Bytes { len: Extent::Expr("elsewhere(m)".into()) }).validate().is_ok());
}

/// `d0 = {a: d1, b: d1}`, `d1 = {a: d2, b: d2}` ..
fn doubling(n: usize, around: impl Fn(Type) -> Type) -> Description {
    let pair = |name: String| {
        let next = || around(Type::Named(name.clone()));
        Type::Record(Record::new("", [Field::new("a", next()), Field::new("b", next())]))
    };
    let mut layout = Description::new(pair("d0".into()));
    for i in 0..n {
        layout.definitions.insert(format!("d{i}"), pair(format!("d{}", i + 1)));
    }
    layout.definitions.insert(format!("d{n}"), uint(1));
    layout
}

/// Nobody takes time or memory that is not linear in the size of a description.
#[test]
fn types_that_multiply_each_other() {
    let within = |what: &str, run: &dyn Fn()| {
        let start = Instant::now();
        run();
        assert!(start.elapsed() < Duration::from_secs(10), "{what}: {:?}", start.elapsed());
    };
    let expected = "the description has types that multiply each other";
    for n in [20, 60, 200] {
        within("plain", &|| refused_for_values(&doubling(n, |ty| ty), expected));
        within("columns", &|| {
            let lists = doubling(n, |ty| list(ty, prefixed(1)));
            assert!(lists.validate().is_ok());
            let e = Plan::new(&lists).unwrap_err().to_string();
            assert!(e == expected || n > 20 && e.contains("nested too deeply"), "{e}");
            let e = from_slice_with::<Value, _>(&[9], &Options::new().ctx(&lists)).unwrap_err();
            assert!(e.is_incomplete() || n == 200, "{e}");
            let maybe = doubling(n, null);
            let e = Plan::new(&maybe).unwrap_err().to_string();
            assert!(e == expected || n > 20 && e.contains("nested too deeply"), "{e}");
            assert!(from_slice_with::<Value, _>(&[9], &Options::new().ctx(&maybe)).is_err());
        });
    }
    // types in themselves that take a byte each time are bounded by the input; where bytes are looked at, nothing bounds them
    let tree: Description = "T: record\n  n: u8\n  a: T, if(*n > 1)\n  b: T, if(*n > 2)\n".parse().unwrap();
    assert_eq!(tree.validate(), Ok(()));
    let peeked = "T: record\n  n: u8\n  a: T, if(*n > 1), peek\n  b: T, if(*n > 2)\n";
    refused_for_values(&peeked.parse().unwrap(), expected);
    refused_for_values(&"T: record\n  a: T, if(x)\n  b: T, if(x)\n".parse().unwrap(), expected);
    // what has that many columns itself has them
    let wide = record((0..20_000).map(|i| Field::new(format!("f{i}"), uint(1))));
    assert_eq!(Plan::new(&wide).unwrap().names().len(), 20_000);
    assert_eq!(Plan::new(&doubling(10, |ty| ty)).unwrap().row_size(), Some(2048));
    // a chain is as long as it likes, in whatever order the names stand
    let mut chain = Description::new(Type::Named("a0".into()));
    for i in 0..30_000 {
        let next = conditional("false", Type::Named(format!("a{}", i + 1)));
        chain.definitions.insert(format!("a{i}"), Type::Record(Record::new("", [Field::new("n", next)])));
    }
    chain.definitions.insert("a30000".into(), text(Encoding::Utf8, false, Extent::ToEnd));
    within("chain", &|| assert!(chain.validate().is_ok()));
    // types that all hold each other
    let mut all = Description::new(Type::Named("t0".into()));
    for i in 0..30 {
        let fields =
            (0..30).map(|k| Field::new(format!("f{k}"), nullable(1, (0, 0), Type::Named(format!("t{k}")))));
        all.definitions.insert(format!("t{i}"), Type::Record(Record::new("", fields)));
    }
    within("all", &|| {
        assert!(all.validate().is_ok());
        assert!(from_slice_with::<Value, _>(&[1; 64], &Options::new().ctx(&all)).is_err());
    });
}

#[test]
fn words_that_a_type_does_not_take() {
    let end = |bytes: &[u8]| Extent::Ends(Terminator::new(bytes).unwrap());
    let trimmed = |byte, body| Type::Trimmed { byte, body: Box::new(body) };
    let filled = |len| Type::Region { len, fill: Some(0), body: Box::new(uint(1)) };
    let before = Type::At { position: "1 - 2".into(), from: Origin::Container, body: Box::new(uint(1)) };
    let len = Integer::Varint { code: Varint::Leb128, bytes: 4 };
    let inclusive = Type::Bytes { len: Extent::Prefixed { len, max: None, inclusive: true } };
    let three = Extent::Fixed(3);
    for (ty, expected) in [
        (text(Encoding::Latin1, false, end(b"\xe9")), "x: a terminator of Latin-1 text is ASCII"),
        (
            text(Encoding::Utf16Le, false, end(b";")),
            "x: a terminator of UTF-16 and UTF-32 text has whole units",
        ),
        (filled(Extent::ToEnd), "x: a region that takes everything to the end has no rest to fill"),
        (filled(end(b";")), "x: a region up to a terminator has no rest to fill"),
        (before, "x: a position of -1 is below zero"),
        (
            trimmed(0xe9, text(Encoding::Latin1, false, three.clone())),
            "x: the filling of Latin-1 text is ASCII",
        ),
        (
            trimmed(0xe9, text(Encoding::Utf16Be, false, three.clone())),
            "x: the filling of UTF-16 and UTF-32 text is ASCII",
        ),
        (
            trimmed(b' ', text(Encoding::Utf8, true, three)),
            "x: only text and bytes without a NUL have a filling at their end",
        ),
        (inclusive, "x: a length of variable size does not count its own bytes"),
        (choice(rest(), [variant("A", "b\"a\"", [])]), "x.tag: a tag does not take everything to the end"),
        (
            Type::Choice(Choice::new("Kind", Tag::Untagged, [variant("A", "1", [])])),
            "x.A: an untagged variant has the tag _, found 1",
        ),
    ] {
        refused(&one(ty), expected);
    }
}

#[test]
fn arguments_orders_and_tails_agree() {
    let called = |ctx: &str, args: Option<&str>| {
        let mut field = Field::new("x", Type::Named("D".into()));
        field.rules.extend(args.map(String::from));
        let mut layout = record([field]);
        let mut body = Record::new("", [Field::new("a", uint(1))]);
        body.rules.push(ctx.into());
        layout.definitions.insert("D".into(), Type::Record(body));
        layout
    };
    refused(&called("ctx(n: u8)", None), "x: `D` needs `args(n)`, and 0 are passed");
    assert!(called("ctx(n: u8)", Some("args(3)")).validate().is_ok());
    assert!(called("ctx(n: u8 = 3)", None).validate().is_ok());
    let ordered = |order| Type::Bits { bits: 5, run: None, order, body: Box::new(uint(1)) };
    let run = |order| record([Field::new("a", bits(3, Some(1), uint(1))), Field::new("b", ordered(order))]);
    assert!(run(None).validate().is_ok());
    refused(&run(Some(BitOrder::Msb)), "b: the bits of a run have one order");
    let tail = |name| Field::new(name, Type::Tail { body: Box::new(uint(1)) });
    assert!(record([tail("a"), tail("b")]).validate().is_ok());
}

/// A code says which of two is missing.
#[test]
fn values_that_are_missing_in_two_ways() {
    let layout =
        |codes: &str| format!("record\n  a: N, nullable\nN: u8, nullable(present = 0, missing = {codes})\n");
    let both: Description = layout("7..=200").parse().unwrap();
    assert_eq!(
        both.validate().unwrap_err().to_string(),
        "a: the missing code 7 is one of a value in this one, too"
    );
    let apart: Description = layout("200..=210").parse().unwrap();
    let program = Program::new(&apart).unwrap();
    for bytes in [&[3, 0, 0][..], &[255, 201, 0], &[255, 0, 9]] {
        let with = Options::new().ctx(&program);
        let value: Value = binfmt::from_slice_with(bytes, &with).unwrap();
        assert_eq!(binfmt::to_vec_with(&value, &with).unwrap(), bytes, "{value:?}");
    }
    let e = binfmt::columns::Plan::new(&apart).unwrap_err();
    assert_eq!(
        e.to_string(),
        "a: a value that is missing in two ways has no form as a column; read it as values"
    );
}

#[test]
fn a_kept_terminator_after_a_nul() {
    let layout: Description = "record\n  a: text, ends(b'|', keep), nul\n".parse().unwrap();
    let e = layout.validate().unwrap_err().to_string();
    assert_eq!(e, "a: a text that keeps its terminator has no NUL before it");
}
