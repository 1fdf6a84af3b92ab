//! Fingerprints: what counts and what does not.

use binfmt::schema::{Describe, Description, Schema, Type};
use binfmt::{BinFormat, formats::scidb::Template};

fn of<T: Describe>() -> String {
    T::SCHEMA.fingerprint().to_string()
}

#[derive(BinFormat)]
#[binfmt(le)]
struct Row {
    id: u16,
    #[binfmt(nullable)]
    mass: Option<f32>,
    #[binfmt(var_len, nul)]
    name: String,
    #[binfmt(count = id * 2)]
    data: Vec<u8>,
    shape: Shape,
}

#[derive(BinFormat)]
#[binfmt(tag(u8))]
enum Shape {
    Empty,
    Points(#[binfmt(length_prefixed(u8))] Vec<(i16, i16)>),
    Group(Box<Shape>, Box<Shape>),
}

/// They are written down where files are kept: these must never change.
#[test]
fn fingerprints_are_for_ever() {
    assert_eq!(of::<u8>(), "cdf9e77fb61b2cfa");
    assert_eq!(of::<[f64; 3]>(), "660a2bd33a127fe0");
    assert_eq!(of::<Row>(), "ffdf803cc6936b63");
    assert_eq!(of::<Shape>(), "633fdc17e5ec1fb5");
    let format: Template = "(int8, int16 null, skip(3), string null, string(9))".parse().unwrap();
    assert_eq!(Schema::from(format.description()).fingerprint().to_string(), "dee7a0a81ada038c");
}

mod elsewhere {
    /// Documented.
    #[derive(binfmt::BinFormat)]
    #[binfmt(tag(u8))]
    pub(super) enum Shape {
        Empty,
        /// So is this.
        Points(#[binfmt(length_prefixed(u8))] Vec<Pair>),
        Group(Box<Shape>, Box<Shape>),
    }
    type Pair = (i16, i16);
}

#[test]
fn documentation_modules_and_rust_names_do_not_count() {
    assert_eq!(of::<Shape>(), of::<elsewhere::Shape>());
    fn ranged() -> String {
        #[derive(BinFormat)]
        struct N {
            #[binfmt(range = 1..)]
            n: u8,
        }
        of::<N>()
    }
    #[derive(BinFormat)]
    struct N {
        n: u8,
    }
    assert_eq!(of::<N>(), ranged());
}

#[test]
fn names_of_definitions_do_not_count() {
    let description = Shape::SCHEMA.description().into_owned();
    let text = serde_json::to_string(&description).unwrap();
    let renamed = text
        .replace(r#"{"named":"Shape"}"#, r#"{"named":"A"}"#)
        .replace(r#""definitions":{"Shape""#, r#""definitions":{"A""#);
    let renamed: Description = serde_json::from_str(&renamed).unwrap();
    assert!(renamed.definitions.contains_key("A") && renamed.resolve(&renamed.root).is_some());
    assert_eq!(Schema::from(renamed).fingerprint().to_string(), of::<Shape>());
}

#[test]
fn what_the_bytes_are_counts() {
    #[derive(BinFormat)]
    struct Plain {
        a: u16,
    }
    let plain = of::<Plain>();
    macro_rules! differs {
        ($($words:tt)*) => {{
            #[derive(BinFormat)]
            $($words)*
            assert_ne!(of::<Plain>(), plain);
        }};
    }
    differs! { struct Plain { b: u16 } }
    differs! { struct Plain { a: i16 } }
    differs! { #[binfmt(le)] struct Plain { a: u16 } }
    differs! { struct Plain { #[binfmt(le)] a: u16 } }
    differs! { struct Plain { #[binfmt(pad_after = 1)] a: u16 } }
    differs! { struct Plain { #[binfmt(nullable)] a: Option<u16> } }
    differs! { #[binfmt(magic = b"x")] struct Plain { a: u16 } }
    differs! { #[binfmt(rename = "Other")] struct Plain { a: u16 } }
    assert_ne!(Schema::from(Description::new(Type::Named("x".into()))).fingerprint().to_string(), of::<()>());
}

#[test]
fn a_fingerprint_of_any_description_ends() {
    let mut description = Description::new(Type::Named("0".into()));
    for i in 0..60 {
        let next = || Box::new(Type::Named((i + 1).to_string()));
        let both = Type::Shaped {
            item: next(),
            dim_bytes: 1,
            dim_signed: false,
            rank: binfmt::schema::Extent::ToEnd,
            column_major: false,
        };
        let record = binfmt::schema::Record::new(
            "r",
            [
                binfmt::schema::Field::new("a", Type::Named((i + 1).to_string())),
                binfmt::schema::Field::new("b", both),
            ],
        );
        description.definitions.insert(i.to_string(), Type::Record(record));
    }
    let schema = Schema::from(description);
    assert_eq!(schema.fingerprint(), schema.clone().fingerprint());
    assert!(schema.check(&schema).is_ok());
    assert!(schema.to_string().lines().count() < 200);
}

/// A constant counts by its value: the commonest change of a layout is that of a number elsewhere.
#[test]
fn constants_count_by_their_values() {
    macro_rules! module {
        ($name:ident, $n:expr, $on:expr) => {
            mod $name {
                const N: usize = $n;
                struct Version;
                impl Version {
                    const NEW: bool = $on;
                }
                #[derive(binfmt::BinFormat)]
                #[binfmt(le)]
                pub(super) struct Row {
                    n: u8,
                    #[binfmt(count = N)]
                    a: Vec<u8>,
                    #[binfmt(count = *n as usize * (N + 1))]
                    b: Vec<u8>,
                    #[binfmt(if(Version::NEW))]
                    c: Option<u8>,
                }
            }
        };
    }
    module!(two, 2, true);
    module!(three, 3, true);
    module!(old, 2, false);
    module!(again, 1 + 1, true);
    assert_ne!(of::<two::Row>(), of::<three::Row>());
    assert_ne!(of::<two::Row>(), of::<old::Row>());
    assert_eq!(of::<two::Row>(), of::<again::Row>());
    let differences = two::Row::SCHEMA.check(three::Row::SCHEMA).unwrap_err().to_string();
    assert!(
        differences.contains("a: struct has Vec<u8> (bytes, count = 2), file has Vec<u8> (bytes, count = 3)"),
        "{differences}"
    );
    assert!(two::Row::SCHEMA.check(again::Row::SCHEMA).is_ok());
    let text = two::Row::SCHEMA.to_string();
    assert!(
        text.contains("b: bytes, count = *n as usize * (2 + 1)\n") && text.contains("if(true)"),
        "{text}"
    );
    // so values can follow them
    let description = three::Row::SCHEMA.description();
    let value: binfmt::value::Value =
        binfmt::from_slice_with(&[1, 1, 2, 3, 4, 5, 6, 7, 8], &binfmt::Options::new().ctx(&*description))
            .unwrap();
    assert_eq!(value.get("c"), Some(&binfmt::value::Value::from(8u8)));
}

/// A count that never changes is a size: how it is said does not matter to `check`.
#[test]
fn a_constant_count_is_a_size() {
    const N: usize = 3;
    struct Odd;
    const ODD: Odd = Odd;
    impl Odd {
        const fn three(&self) -> usize {
            N
        }
    }
    #[derive(BinFormat)]
    struct Counted {
        #[binfmt(count = N * 2)]
        a: Vec<u16>,
        // what is not a number has no literal: the name stays
        #[binfmt(count = ODD.three())]
        b: Vec<u16>,
    }
    #[derive(BinFormat)]
    struct Fixed {
        a: [u16; 6],
        #[binfmt(count = N)]
        b: Vec<u16>,
    }
    let differences = Counted::SCHEMA.check(Fixed::SCHEMA);
    assert!(differences.is_ok(), "{differences:?}");
    assert!(Counted::SCHEMA.to_string().contains("ODD.three()"), "{}", Counted::SCHEMA);
}
