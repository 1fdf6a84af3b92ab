//! Types that name each other: definitions, recursion, generics, types of one name, codecs by hand.

use super::says;
use binfmt::schema::{ByteOrder, Describe, Record, Schema, Type};
use binfmt::{BinFormat, Facts, Layout, Shape};

#[derive(BinFormat)]
#[binfmt(le)]
struct Point {
    x: i16,
    y: i16,
}

#[test]
fn a_schema_is_a_constant() {
    const POINT: &Schema = Point::SCHEMA;
    let description = POINT.description();
    assert_eq!(description.root, Type::Named("Point".into()));
    let Some(Type::Record(point)) = description.resolve(&description.root) else { panic!("no record") };
    assert_eq!((point.name.as_str(), &point.order), ("Point", &Some(ByteOrder::Little)));
    assert_eq!((point.fields[1].name.as_str(), point.fields[1].native.as_str()), ("y", "i16"));
    assert_eq!(*POINT, Schema::from(description.clone().into_owned()));
    assert_eq!(POINT.to_string(), Schema::from(description.into_owned()).to_string());
}

#[test]
fn what_is_no_struct_has_no_name() {
    says::<u16>("u16\n");
    says::<()>("()\n");
    says::<[Point; 2]>("[Point; 2]\nPoint: record, le\n  x: i16\n  y: i16\n");
    says::<(u8, Point)>("record\n  0: u8\n  1: Point\nPoint: record, le\n  x: i16\n  y: i16\n");
    let tuple = <(u8, u16)>::SCHEMA.description().into_owned();
    assert!(matches!(tuple.root, Type::Record(Record { name, .. }) if name.is_empty()));
}

#[test]
fn types_may_name_themselves() {
    #[derive(BinFormat)]
    #[binfmt(tag(u8))]
    enum Tree {
        Leaf(Point),
        Node {
            #[binfmt(length_prefixed(u8))]
            children: Vec<Tree>,
            other: Box<Tree>,
        },
    }
    says::<Tree>(
        "\
Tree: choice, tag(u8)
  0 => Leaf
    0: Point
  1 => Node
    children: [Tree], length_prefixed(u8)
    other: Tree
Point: record, le
  x: i16
  y: i16
",
    );
    #[derive(BinFormat)]
    #[binfmt(transparent)]
    struct Forest(#[binfmt(length_prefixed(u8))] Vec<Forest>);
    says::<Forest>("Forest: [Forest], length_prefixed(u8)\n");
    #[derive(BinFormat)]
    #[binfmt(transparent)]
    struct Endless(Again);
    // what the derive does not see through
    type Again = Box<Endless>;
    says::<Endless>("Endless: opaque(Endless), size(0, ..)\n");
}

mod far {
    #[derive(binfmt::BinFormat)]
    pub(super) struct Point(pub(super) u8);
}

#[test]
fn two_types_of_one_name() {
    #[derive(BinFormat)]
    struct Both {
        a: Point,
        b: far::Point,
        c: Point,
        d: far::Point,
    }
    let description = says::<Both>(
        "\
Both: record
  a: Point
  b: Point#2
  c: Point
  d: Point#2
Point: record, le
  x: i16
  y: i16
Point#2: record
  0: u8
",
    );
    let Some(Type::Record(second)) = description.definitions.get("Point#2") else { panic!("no record") };
    assert_eq!(second.name, "Point");
    fn one() -> &'static Schema {
        #[derive(BinFormat)]
        struct Local(u8);
        Local::SCHEMA
    }
    // in one function, two blocks: the same name with the same path
    let pair = {
        #[derive(BinFormat)]
        struct Local(u16);
        #[derive(BinFormat)]
        struct Outer<T> {
            a: Local,
            b: T,
        }
        fn both<T: Layout>(_: T) -> &'static Schema {
            Outer::<T>::SCHEMA
        }
        #[derive(BinFormat)]
        struct Other(u8);
        both({
            #[derive(BinFormat)]
            struct Local(u32);
            Local(1)
        });
        Outer::<Other>::SCHEMA
    };
    assert_eq!(one().to_string(), "Local: record\n  0: u8\n");
    assert_eq!(
        pair.to_string(),
        "Outer<Other>: record\n  a: Local\n  b: Other\nLocal: record\n  0: u16\nOther: record\n  0: u8\n"
    );
}

#[test]
fn generic_types_are_named_with_their_arguments() {
    #[derive(BinFormat)]
    struct Pair<T> {
        a: T,
        b: T,
    }
    #[derive(BinFormat)]
    struct Borrowed<'a, T> {
        #[binfmt(length_prefixed(u8))]
        text: &'a str,
        value: T,
    }
    #[derive(BinFormat)]
    struct All<'a> {
        a: Pair<u8>,
        b: Pair<Pair<Point>>,
        c: Borrowed<'a, u16>,
    }
    says::<All<'_>>(
        "\
All: record
  a: Pair<u8>
  b: Pair<Pair<Point>>
  c: Borrowed<u16>
Pair<u8>: record
  a: u8
  b: u8
Pair<Pair<Point>>: record
  a: Pair<Point>
  b: Pair<Point>
Pair<Point>: record
  a: Point
  b: Point
Point: record, le
  x: i16
  y: i16
Borrowed<u16>: record
  text: text, length_prefixed(u8)
  value: u16
",
    );
}

#[test]
fn codecs_by_hand() {
    struct Rgb565;
    impl Layout for Rgb565 {
        const FACTS: Facts<Self> = Facts::exact(2);
    }
    struct Celsius;
    impl Layout for Celsius {
        const FACTS: Facts<Self> = Facts::exact(4);
        const SHAPE: Shape = f32::SHAPE;
    }
    says::<Rgb565>("opaque(Rgb565), size(2)\n");
    says::<[Celsius; 2]>("[f32; 2]\n");
    assert_eq!(Rgb565::SCHEMA.description().root, Type::Opaque { by: "Rgb565".into(), min: 2, max: Some(2) });
}

/// A type of the user's own may be called as the words are that make bytes beside a field.
#[test]
fn types_named_like_words() {
    #[allow(non_camel_case_types)]
    type magic = u8;
    #[derive(BinFormat)]
    struct Row {
        #[binfmt(magic = b"ab")]
        _first: magic,
        #[binfmt(pad_before = 2)]
        _padding: [magic; 2],
        _plain: magic,
        text_in_between: bool,
    }
    let description = Schema::of::<Row>().description().into_owned();
    let Some(Type::Record(record)) = description.resolve(&description.root) else { unreachable!() };
    let names: Vec<_> = record.fields.iter().map(|f| (f.name.as_str(), f.native.as_str())).collect();
    let magic = "magic";
    // whose the bytes without a name are
    let first = [("", "_first (magic)"), ("_first", magic)];
    let second = [("", "_padding (padding)"), ("_padding", "[magic; 2]"), ("_plain", magic)];
    assert_eq!(names[..5], [&first[..], &second].concat());
}
