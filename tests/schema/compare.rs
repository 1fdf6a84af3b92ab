//! A struct against a file: every difference at once.

use binfmt::schema::{ByteOrder, Describe, Description, DifferenceKind as Kind, Field, Record, Schema, Type};
use binfmt::{BinFormat, Ignored, Nullable, formats::scidb};

fn int(bytes: u8, signed: bool) -> Type {
    Type::Int { bytes, signed }
}

fn file(fields: impl IntoIterator<Item = Field>) -> Schema {
    Description::new(Type::Record(Record::new("row", fields).ordered(ByteOrder::Little))).into()
}

/// The differences without their number.
#[track_caller]
fn differs<T: Describe>(file: &Schema, lines: &str) -> Vec<Kind> {
    let e = T::SCHEMA.check(file).unwrap_err();
    let text = e.to_string();
    let (first, rest) = text.split_once('\n').unwrap();
    assert!(first.starts_with(&format!("{} difference", e.list().len())), "{first}");
    assert_eq!(rest, lines, "{rest}");
    e.list().iter().map(|d| d.kind()).collect()
}

#[derive(BinFormat)]
#[binfmt(le)]
struct Row {
    id: u32,
    #[binfmt(nullable)]
    mass: Option<f32>,
    #[binfmt(length_prefixed(u16))]
    name: String,
    #[binfmt(pad_before = 3)]
    flag: bool,
}

#[test]
fn one_message_names_all() {
    let (e, f) = (Row::SCHEMA, "(uint64, float, string, skip(3), bool)");
    let file = f.parse::<scidb::Template>().unwrap().description().into();
    let e = e.check(&file).unwrap_err();
    assert_eq!(
        e.to_string(),
        "\
3 differences between struct `Row` and the file:
  id: struct has u32, file has uint64 (u64)
  mass: struct has Option<f32> (f32, nullable), file has float (f32)
  name: struct has String (text, length_prefixed(u16)), file has string (text, length_prefixed(u32), nul, text = bytes)"
    );
    let kinds: Vec<_> = e.list().iter().map(|d| (d.path(), d.kind())).collect();
    assert_eq!(kinds, [("id", Kind::Type), ("mass", Kind::Presence), ("name", Kind::Extent)]);
    assert_eq!((e.list()[0].expected(), e.list()[0].found()), ("u32", "uint64 (u64)"));
}

/// What the two sides are called is said once at the top, and nothing in it ends the line.
#[test]
fn the_two_sides_have_names() {
    let differences = Schema::of::<u8>().check(&Schema::of::<i8>()).unwrap_err();
    let lines = "\n  the whole: struct has u8, file has i8";
    assert_eq!(differences.to_string(), format!("1 difference between the type and the file:{lines}"));
    let found = differences.clone().found_in("x\n.bin");
    assert_eq!(found.to_string(), format!("1 difference between the type and x\u{fffd}.bin:{lines}"));
    let layouts = differences.of_layouts("a\u{1b}.layout", "b\n.layout").to_string();
    let expected = "1 difference between a\u{fffd}.layout and b\u{fffd}.layout:\n  \
        the whole: the first has u8, the second has i8";
    assert_eq!(layouts, expected);
}

#[test]
fn a_struct_fits_itself_and_its_copy() {
    assert!(Row::SCHEMA.check(Row::SCHEMA).is_ok());
    let copy: Schema = serde_json::from_str(&serde_json::to_string(Row::SCHEMA).unwrap()).unwrap();
    assert!(Row::SCHEMA.check(&copy).is_ok() && copy.check(Row::SCHEMA).is_ok());
}

#[test]
fn fields_by_name() {
    let text = |len| Type::Text {
        encoding: binfmt::schema::Encoding::Utf8,
        nul: false,
        len: binfmt::schema::Extent::Prefixed {
            len: binfmt::schema::Integer::unsigned(len),
            max: None,
            inclusive: false,
        },
    };
    let null = |body| Type::Nullable { present: 0xFF, missing: (0, 127), blank: true, body: Box::new(body) };
    let pad =
        |n| Field::new("", Type::Padding { len: binfmt::schema::Extent::Fixed(n), fill: 9, strict: true });
    let id = || Field::new("id", int(4, false));
    let mass = || Field::new("mass", null(Type::Float { bytes: 4 }));
    let name = |len| Field::new("name", text(len));
    let flag = || Field::new("flag", Type::Bool { lax: true });
    // what is ignored may lie in pieces, and be filled with anything
    assert!(Row::SCHEMA.check(&file([id(), mass(), name(2), pad(1), pad(2), flag()])).is_ok());
    let kinds = differs::<Row>(
        &file([mass(), id(), name(4), flag(), Field::new("more", int(1, true)).native("byte")]),
        "  order of fields: struct has id, mass, name, flag, file has mass, id, name, flag
  name: struct has String (text, length_prefixed(u16)), file has text, length_prefixed(u32)
  more: struct has nothing, file has byte (i8)",
    );
    assert_eq!(kinds, [Kind::Order, Kind::Extent, Kind::Extra]);
    let kinds = differs::<Row>(
        &file([id(), mass(), pad(3), flag(), pad(2)]),
        "  name: struct has String (text, length_prefixed(u16)), file has nothing
  at the end: struct has nothing, file has skip(bytes = 2), fill = 0x09, strict",
    );
    assert_eq!(kinds, [Kind::Missing, Kind::Extent]);
}

#[test]
fn fields_of_one_name_are_compared_in_turn() {
    let of =
        |last| file([Field::new("a", int(2, false)), Field::new("x", int(1, false)), Field::new("a", last)]);
    let two = of(int(4, true));
    assert!(two.check(&two).is_ok());
    let e = two.check(&of(int(4, false))).unwrap_err();
    let found: Vec<_> = e.list().iter().map(|d| (d.path().to_owned(), d.kind())).collect();
    assert_eq!(found, [("a".to_owned(), Kind::Type)]);
    let e = two.check(&file([Field::new("a", int(2, false)), Field::new("x", int(1, false))])).unwrap_err();
    assert_eq!(e.list().iter().map(|d| d.kind()).collect::<Vec<_>>(), [Kind::Missing]);
}

#[test]
fn byte_order_is_told_once() {
    #[derive(BinFormat)]
    #[binfmt(be)]
    struct Big {
        a: u16,
        b: u32,
        c: u8,
    }
    #[derive(BinFormat)]
    struct Any {
        a: u16,
        b: u32,
        c: u8,
    }
    #[derive(BinFormat)]
    #[binfmt(le)]
    struct Mixed {
        a: u16,
        #[binfmt(be)]
        b: u32,
        #[binfmt(be)]
        c: u8,
    }
    let file = file([
        Field::new("a", int(2, false)),
        Field::new("b", int(4, false)),
        Field::new("c", int(1, false)),
    ]);
    let kinds = differs::<Big>(&file, "  byte order: struct has big-endian, file has little-endian");
    assert_eq!(kinds, [Kind::ByteOrder]);
    assert!(Any::SCHEMA.check(&file).is_ok());
    differs::<Mixed>(&file, "  b (byte order): struct has big-endian, file has little-endian");
}

#[test]
fn inside_of_other_types() {
    #[derive(BinFormat)]
    struct Point {
        x: i16,
        y: i16,
    }
    #[derive(BinFormat)]
    struct Line {
        from: Point,
        #[binfmt(length_prefixed(u8))]
        through: Vec<Point>,
        #[binfmt(nullable)]
        to: Nullable<Point>,
        pair: (u8, u16),
    }
    mod other {
        #[derive(binfmt::BinFormat)]
        pub(super) struct Point {
            x: i16,
            y: i32,
        }
        #[derive(binfmt::BinFormat)]
        pub(super) struct Line {
            from: Point,
            #[binfmt(length_prefixed(u8))]
            through: Vec<Point>,
            #[binfmt(nullable)]
            to: Option<Point>,
            pair: (u8, i16),
        }
    }
    differs::<Line>(
        other::Line::SCHEMA,
        "  from.y: struct has i16, file has i32
  through[].y: struct has i16, file has i32
  to.y: struct has i16, file has i32
  pair.1: struct has u16, file has i16",
    );
}

#[test]
fn variants() {
    #[derive(BinFormat)]
    #[binfmt(tag(u8))]
    enum Ours {
        A,
        B {
            x: u8,
        },
        #[binfmt(tag = 0x10)]
        C(u16),
        D,
    }
    mod other {
        #[derive(binfmt::BinFormat)]
        #[binfmt(tag(u8), rename = "Ours")]
        pub(super) enum Theirs {
            A,
            #[binfmt(tag = 7)]
            B {
                x: i8,
            },
            #[binfmt(tag = 16)]
            C(u16),
            E,
        }
    }
    let kinds = differs::<Ours>(
        other::Theirs::SCHEMA,
        "  B: struct has tag 1, file has tag 7
  B.x: struct has u8, file has i8
  D: struct has tag 3, file has nothing
  E: struct has nothing, file has tag 3",
    );
    assert_eq!(kinds, [Kind::Value, Kind::Type, Kind::Missing, Kind::Extra]);
}

#[test]
fn recursive_types() {
    #[derive(BinFormat)]
    #[binfmt(tag(u8))]
    enum Tree {
        Leaf(u16),
        Node(Box<Tree>, Box<Tree>),
    }
    mod other {
        #[derive(binfmt::BinFormat)]
        #[binfmt(tag(u8))]
        pub(super) enum Tree {
            Leaf(u32),
            Node(Box<Tree>, Box<Tree>),
        }
    }
    assert!(Tree::SCHEMA.check(Tree::SCHEMA).is_ok());
    differs::<Tree>(other::Tree::SCHEMA, "  Leaf.0: struct has u16, file has u32");
}

fn format(text: &str) -> Schema {
    text.parse::<scidb::Template>().unwrap().description().into()
}

#[test]
fn fields_by_position() {
    #[derive(BinFormat)]
    #[binfmt(le)]
    struct Five(u8, i16, f32, u64, bool);
    // a column too many in the middle is one difference, not four
    differs::<Five>(
        &format("(uint8, int16, int64, float, uint64, bool)"),
        "  field 3: struct has nothing, file has int64 (i64)",
    );
    differs::<Five>(&format("(uint8, float, uint64, bool)"), "  1: struct has i16, file has nothing");
    differs::<Five>(
        &format("(int8, float, double, int64, bool null)"),
        "  0: struct has u8, file has int8 (i8)
  1: struct has i16, file has float (f32)
  2: struct has f32, file has double (f64)
  3: struct has u64, file has int64 (i64)
  4: struct has bool, file has bool null (bool, nullable, bool_lax)",
    );
}

#[test]
fn a_struct_inside_stands_for_its_columns() {
    #[derive(BinFormat)]
    #[binfmt(le)]
    struct Inner {
        x: i64,
        y: i64,
    }
    #[derive(BinFormat)]
    struct Cell {
        a: Inner,
        b: (i64, i64),
        #[binfmt(nullable, var_len)]
        c: Option<Ignored>,
    }
    let rest = "datetimetz, skip null)";
    assert!(Cell::SCHEMA.check(&format(&format!("(int64, int64, {rest}"))).is_ok());
    assert!(Cell::SCHEMA.check(&format(&format!("(datetimetz, {rest}"))).is_ok());
    assert!(Cell::SCHEMA.check(&format("(binary(16), datetimetz, skip(1), skip)")).is_ok());
    differs::<Cell>(
        &format(&format!("(int64, int32, {rest}")),
        "  a.y: struct has i64, file has int32 (i32)",
    );
    #[derive(BinFormat)]
    #[binfmt(be)]
    struct Big {
        x: i64,
        y: i64,
    }
    #[derive(BinFormat)]
    struct Wrong(Big);
    differs::<Wrong>(
        &format("(int64, int64)"),
        "  0.x (byte order): struct has big-endian, file has little-endian
  0.y (byte order): struct has big-endian, file has little-endian",
    );
}

#[test]
fn what_may_be_read_as_something_else() {
    #[derive(BinFormat)]
    #[binfmt(le)]
    struct Lenient<'a> {
        a: u8,
        #[binfmt(var_len)]
        b: &'a str,
        #[binfmt(count = 4)]
        c: &'a [u8],
        d: [u8; 4],
        e: [i64; 2],
        #[binfmt(with = unused, size(8))]
        f: u64,
    }
    // named in `with`; never called, as nothing is read here
    #[allow(clippy::extra_unused_type_parameters)]
    mod unused {
        use binfmt::{Order, Result, Sink, Source};
        pub(super) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<u64> {
            src.array::<8>().map(u64::from_le_bytes)
        }
        pub(super) fn encode<O: Order, W: Sink>(n: &u64, out: &mut W) -> Result<()> {
            out.array(n.to_le_bytes())
        }
    }
    let fits = "(bool, binary, string(4), string(4), datetimetz, double)";
    assert!(
        Lenient::SCHEMA.check(&format(fits)).is_ok(),
        "{}",
        Lenient::SCHEMA.check(&format(fits)).unwrap_err()
    );
    differs::<Lenient<'_>>(
        &format("(char, binary, binary(5), binary(4), datetimetz, float)"),
        "  c: struct has &'a [u8] (bytes, count = 4), file has binary(5) (bytes, count = 5)
  f: struct has u64 (opaque(with = unused), size(8)), file has float (f32)",
    );
    assert!(i8::SCHEMA.check(&format("(int8)")).is_ok());
    differs::<i8>(&format("(int16)"), "  field 1: struct has i8, file has int16 (i16)");
    differs::<i8>(
        &format("opaque"),
        "  the whole: struct has i8, file has opaque(SciDB's own dump of chunks), size(0, ..)",
    );
}

#[test]
fn an_array_schema_has_names() {
    #[derive(BinFormat)]
    #[binfmt(le)]
    struct Reading {
        id: i64,
        #[binfmt(nullable)]
        mass: Option<f64>,
    }
    let schema = |text: &str| Schema::from(text.parse::<scidb::AflSchema>().unwrap().description());
    assert!(Reading::SCHEMA.check(&schema("<id:int64 not null, mass:double>[i]")).is_ok());
    differs::<Reading>(
        &schema("<id:int64 not null, weight:double>[i]"),
        "  mass: struct has Option<f64> (f64, nullable), file has nothing
  weight: struct has nothing, file has double null (f64, nullable)",
    );
}

/// Tuples in tuples, and types that double at every level: what differs is found without trying everything.
#[test]
fn hostile_types() {
    type A = (u8, (u16, (u32, (u64, (i8, (i16, (i32, (i64, (f32, (f64, (bool, u128)))))))))));
    type B = (i8, (i16, (u32, (u8, (i8, (i16, (u64, (i64, (f64, (f64, (u8, u8)))))))))));
    assert!(<A as Describe>::SCHEMA.check(<A as Describe>::SCHEMA).is_ok());
    assert!(<A as Describe>::SCHEMA.check(<B as Describe>::SCHEMA).is_err());
    let doubling = |last: Type, names: [&str; 2], record: &str| {
        let mut description = Description::new(Type::Named("0".into()));
        for i in 0..40 {
            let next = || Type::Named((i + 1).to_string());
            let fields = names.map(|name| Field::new(name, next()));
            description.definitions.insert(i.to_string(), Type::Record(Record::new(record, fields)));
        }
        description.definitions.insert("40".into(), last);
        Schema::from(description)
    };
    for record in ["", "r"] {
        let a = doubling(int(1, true), ["a", "b"], record);
        assert!(a.check(&a).is_ok());
        let e = a.check(&doubling(int(2, true), ["a", "b"], record)).unwrap_err();
        assert!((1..=1000).contains(&e.list().len()), "{}", e.list().len());
        assert!(a.check(&doubling(int(1, true), ["a", "c"], record)).is_err() || record.is_empty());
    }
}
