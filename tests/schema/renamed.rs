//! Fields and types that are called otherwise in descriptions: those read and write what the structs do.

use binfmt::schema::{Choice, Description, Extent, Field, Integer, Record, Schema, Tag, Type, Variant};
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, DecodeOwned, Encode, Layout, Options};
use proptest::prelude::*;

/// A description as text and as data reads and writes the bytes that the struct does.
#[track_caller]
fn reads<T: Layout + DecodeOwned + Encode>(bytes: &[u8]) -> Value {
    assert_eq!(binfmt::to_vec(&binfmt::from_slice::<T>(bytes).unwrap()).unwrap(), bytes);
    let description = Schema::of::<T>().description().into_owned();
    of(&description, bytes)
}

#[track_caller]
fn of(description: &Description, bytes: &[u8]) -> Value {
    let text = description.to_string();
    let again: Description = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(again.to_string(), text);
    let read = |description: &Description| {
        let program = Program::new(description).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let options = Options::new().ctx(&program);
        let value: Value = binfmt::from_slice_with(bytes, &options).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), bytes, "{text}");
        value
    };
    let value = read(description);
    assert_eq!(read(&again), value, "{text}");
    value
}

#[test]
fn expressions_name_fields_as_descriptions_do() {
    #[derive(BinFormat)]
    struct Counted {
        #[binfmt(rename = "length")]
        n: u8,
        #[binfmt(count = n)]
        body: Vec<u8>,
    }
    assert_eq!(reads::<Counted>(&[1, 5]).get("length"), Some(&Value::from(1u8)));

    // a word that no Rust name can be, and one with a blank
    #[derive(BinFormat)]
    struct Conditions {
        #[binfmt(rename = "if")]
        a: u8,
        #[binfmt(rename = "last one", if(*a > 1))]
        b: Option<u8>,
        #[binfmt(rename = "len", len_of(c))]
        d: u8,
        #[binfmt(rename = "text", count = d)]
        c: Vec<u8>,
        #[binfmt(rename = "a", assert(*e > *a))]
        e: u8,
    }
    reads::<Conditions>(&[2, 7, 1, 9, 3]);

    // names that change places
    #[derive(BinFormat)]
    struct Swapped {
        #[binfmt(rename = "y")]
        x: u8,
        #[binfmt(rename = "x")]
        y: u8,
        #[binfmt(count = x)]
        a: Vec<u8>,
        #[binfmt(count = y)]
        b: Vec<u8>,
    }
    reads::<Swapped>(&[1, 2, 7, 8, 9]);

    #[derive(BinFormat)]
    struct Tuple(#[binfmt(rename = "n")] u8, #[binfmt(count = _0)] Vec<u8>);
    reads::<Tuple>(&[1, 7]);

    #[derive(BinFormat)]
    #[binfmt(tag(u8))]
    enum Variants {
        A {
            #[binfmt(rename = "p")]
            n: u8,
            #[binfmt(count = n)]
            a: Vec<u8>,
        },
        B {
            #[binfmt(rename = "q")]
            n: u8,
            #[binfmt(count = n)]
            a: Vec<u8>,
        },
    }
    reads::<Variants>(&[0, 1, 7]);
    reads::<Variants>(&[1, 2, 7, 8]);

    #[derive(BinFormat)]
    #[binfmt(version = *v)]
    struct Versioned {
        #[binfmt(rename = "number of the version")]
        v: u8,
        #[binfmt(since = 2, default = 0)]
        more: u8,
    }
    reads::<Versioned>(&[1]);
    reads::<Versioned>(&[2, 5]);
}

/// Words of the language of layouts, and texts that look like some of it.
const WORDS: &[&str] = &[
    "u8",
    "u24",
    "i32",
    "f16",
    "f64",
    "u128",
    "bool",
    "text",
    "bytes",
    "record",
    "choice",
    "array",
    "list",
    "map",
    "opaque",
    "padding",
    "pad",
    "align",
    "magic",
    "le",
    "be",
    "nul",
    "tag",
    "count",
    "other",
    "_",
    "=>",
    "nullable",
    "skip",
    "until_eof",
    "until",
    "each",
    "region",
    "ends",
    "length_prefixed",
    "length_prefixed(u8)",
    "optional",
    "option",
    "peek",
    "at",
    "if",
    "else",
    "gaps",
    "rest",
    "bits",
    "strict",
    "inclusive",
    "encoding",
    "uleb128",
    "leb128",
    "varint",
    "vlq",
    "zigzag",
    "sint",
    "()",
    "u8,",
    "[u8; 3]",
    "[u8]",
    "(u8, u16)",
    "choice, tag(u8)",
    "record, le",
    "a: b",
    "a:",
    ": b",
    "// x",
    "x // y",
    "/// x",
    "",
    " ",
    " a",
    "a ",
    "\"",
    "\"a\"",
    "\\",
    "\n",
    "\t",
    "1",
    "-1",
    "0x10",
    "1 => a",
    "a => b",
    "`",
    "`a`",
    "as",
    "in",
    "len",
    "len()",
    "true",
    "false",
    "self",
    "Self",
    "r#fn",
    "\u{e9}",
    "a.b",
    "a[0]",
    "a{b",
    "a}b",
    "#",
    "#[x]",
    "&",
    "'a'",
    "b'a'",
    "b\"a\"",
    "..",
    "..=",
    "?",
    "char",
    "str",
    "String",
    "Vec<u8>",
    "Option<u8>",
    "f32",
    "usize",
    "unit",
    "text(latin1)",
    "utf8",
    "any",
    "presence",
    "missing",
    "default",
    "calc",
    "checksum",
    "len_of",
    "offset_of",
    "range",
    "dimensions",
    "assert",
    "args",
    "ctx",
    "process",
    "map_as",
    "with",
];

fn word() -> impl Strategy<Value = String> {
    let one = || prop::sample::select(WORDS).prop_map(str::to_owned);
    prop_oneof![6 => one(), 2 => (one(), one()).prop_map(|(a, b)| format!("{a} {b}")), 1 => "[a-c]{1,2}", 1 => "\\PC{1,4}"]
}

/// A description in which these are the names of types, fields and variants.
fn named(root: &str, types: [&str; 3], fields: [&str; 3]) -> Description {
    let byte = Type::Int { bytes: 1, signed: false };
    let of = |name: &str| Type::Named(name.to_owned());
    let list = |items| Type::List {
        item: Box::new(items),
        len: Extent::Prefixed { len: Integer::unsigned(1), max: None, inclusive: false },
    };
    let choice = Choice::new(
        types[2],
        Tag::Front(Box::new(byte.clone())),
        [
            Variant::new(fields[0], "1", [Field::new(fields[1], byte.clone())]),
            Variant::new(fields[1], "2", []),
        ],
    );
    let root = Record::new(
        root,
        [
            Field::new(fields[0], of(types[0])),
            Field::new(fields[1], list(of(types[1]))),
            Field::new(fields[2], of(types[2])),
        ],
    );
    let mut description = Description::new(Type::Record(root));
    let inner =
        Record::new(types[0], [Field::new(fields[2], byte.clone()), Field::new(fields[0], byte.clone())]);
    description.definitions.insert(types[0].to_owned(), Type::Record(inner));
    description
        .definitions
        .insert(types[1].to_owned(), Type::Record(Record::new(types[1], [Field::new(fields[1], byte)])));
    description.definitions.insert(types[2].to_owned(), Type::Choice(choice));
    description
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
    #[test]
    fn whatever_types_and_fields_are_called_is_read_again(
        a in word(), b in word(), c in word(), d in word(), e in word(), f in word(), g in word(),
    ) {
        prop_assume!(a != b && b != c && a != c && d != e && e != f && d != f);
        prop_assume!([&a, &b, &c].iter().all(|name| **name != g));
        let description = named(&g, [&a, &b, &c], [&d, &e, &f]);
        if description.validate().is_ok() {
            let text = description.to_string();
            let again: Description = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}\n{description:?}"));
            prop_assert_eq!(&again, &description, "{}", text);
            of(&description, &[1, 2, 2, 3, 4, 1, 7]);
        }
    }
}

/// What a field of another type is called there that type says.
#[test]
fn fields_of_other_types_have_their_names() {
    #[derive(BinFormat)]
    #[binfmt(fingerprint)]
    struct Head {
        #[binfmt(rename = "b")]
        a: u8,
        #[binfmt(rename = "a")]
        b: u8,
    }
    #[derive(BinFormat)]
    struct Counted {
        head: Head,
        #[binfmt(count = head.a)]
        first: Vec<u8>,
        #[binfmt(until_eof)]
        rest: Vec<u8>,
    }
    let value = reads::<Counted>(&[1, 2, 7, 8, 9]);
    assert_eq!(value.get("first"), Some(&Value::Bytes(vec![7])));

    #[derive(BinFormat)]
    struct Outer {
        #[binfmt(rename = "in")]
        inner: Head,
        pair: (u8, u8),
    }
    #[derive(BinFormat)]
    struct Deep {
        #[binfmt(rename = "o p")]
        outer: Box<Outer>,
        #[binfmt(count = outer.inner.a + outer.inner.b)]
        first: Vec<u8>,
        #[binfmt(if(outer.pair.0 > 1), assert(outer.inner.a > 0))]
        more: Option<u8>,
        #[binfmt(until = |head| head.a == 0)]
        heads: Vec<Head>,
    }
    reads::<Deep>(&[1, 2, 5, 6, 7, 8, 9, 10, 3, 3, 0, 2]);

    #[derive(BinFormat)]
    #[binfmt(ctx(head: &Head), tag_from = head.a)]
    enum Chosen {
        #[binfmt(tag = 1)]
        A(u8),
        #[binfmt(tag = 2)]
        B {
            #[binfmt(count = head.b)]
            bytes: Vec<u8>,
        },
    }
    #[derive(BinFormat)]
    struct Number(#[binfmt(rename = "n")] u8);
    #[derive(BinFormat)]
    struct Chooses {
        head: Head,
        #[binfmt(args(head))]
        chosen: Chosen,
        number: Number,
        #[binfmt(count = number.0)]
        bytes: Vec<u8>,
    }
    reads::<Chooses>(&[2, 1, 7, 1, 9]);

    // rustc compares the number with the text that it makes while compiling
    #[derive(BinFormat)]
    #[binfmt(fingerprint = 0xaf14f7c2d80d802)]
    struct Pin {
        h: Head,
        #[binfmt(count = h.a)]
        x: Vec<u8>,
    }
    reads::<Pin>(&[1, 2, 7]);
    assert_eq!(format!("{:#x}", Schema::of::<Pin>().fingerprint()), "0xaf14f7c2d80d802");
}

/// Parameters and arguments with raw names.
#[test]
fn arguments_have_no_marks_of_rust() {
    #[derive(BinFormat)]
    #[binfmt(ctx(r#type: u8, kind: u8))]
    struct Within {
        #[binfmt(count = r#type + kind)]
        bytes: Vec<u8>,
    }
    #[derive(BinFormat)]
    struct Whole {
        n: u8,
        #[binfmt(args(r#type = *n, kind = 1))]
        within: Within,
    }
    reads::<Whole>(&[1, 7, 8]);
}

/// What is no value has no name that another one could be taken for.
#[test]
fn names_of_what_is_not_described() {
    #[derive(BinFormat)]
    struct Skipped {
        #[binfmt(rename = "b")]
        _a: u8,
        #[binfmt(skip)]
        _b: u8,
    }
    reads::<Skipped>(&[1]);
    #[derive(BinFormat)]
    #[binfmt(tag(u8))]
    enum Kept {
        #[binfmt(other)]
        Other {
            tag: u8,
            #[binfmt(rename = "tag")]
            inner: u8,
        },
    }
    assert!(binfmt::from_slice::<Kept>(&[1, 2]).is_ok());
}

/// A name that something else has in an expression is only in the way where the field is there, too.
#[test]
fn names_that_are_bound_elsewhere() {
    #[derive(BinFormat)]
    struct Functions {
        #[binfmt(rename = "e")]
        _n: u8,
        #[binfmt(until(|e| *e == 0))]
        list: Vec<u8>,
        #[binfmt(rename = "Size (bytes)")]
        size: u8,
        #[binfmt(rename = "No. #", count = size)]
        _v: Vec<u8>,
    }
    reads::<Functions>(&[1, 2, 0, 1, 7]);
    #[derive(BinFormat)]
    #[binfmt(tag(u8))]
    enum Variants {
        A {
            head: Within,
            #[binfmt(count = (*head).n)]
            bytes: Vec<u8>,
        },
        B {
            head: Other,
            #[binfmt(count = head.n)]
            bytes: Vec<u8>,
        },
    }
    #[derive(BinFormat)]
    struct Within {
        #[binfmt(rename = "length")]
        n: u8,
    }
    #[derive(BinFormat)]
    struct Other {
        #[binfmt(rename = "count")]
        n: u8,
    }
    reads::<Variants>(&[0, 1, 7]);
    reads::<Variants>(&[1, 1, 7]);
}
