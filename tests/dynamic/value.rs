//! Values of layouts that are known at run time, beside the derived codec of the same layout: the same values, bytes and
//! errors.

use crate::support::composite::{Composite, sample};
use crate::support::types::*;
use binfmt::columns::Plan;
use binfmt::numbers::{F16, Numbers};
use binfmt::schema::{
    ByteOrder, Describe, Description, Encoding, Extent, Field, Integer, Magic, Record, Type,
};
use binfmt::value::{Elements, Program, Value, ValueSeed};
use binfmt::{BinFormat, DecodeOwned, Encode, Endian, Nullable, Options};
use serde::de::DeserializeSeed;

/// What both make of the same bytes: the path and offset of an error, and its text.
fn same_errors<T: DecodeOwned + Encode>(layout: &Description, bytes: &[u8], options: &Options) {
    let with = options.ctx(layout);
    for source in ["slice", "stream"] {
        let (typed, value) = if source == "slice" {
            let typed = binfmt::from_slice_with::<T, _>(bytes, options);
            (typed, binfmt::from_slice_with::<Value, _>(bytes, &with))
        } else {
            let typed = binfmt::from_reader_with::<T, _>(bytes, options);
            (typed, binfmt::from_reader_with::<Value, _>(bytes, &with))
        };
        match (typed, value) {
            (Ok(typed), Ok(value)) => {
                let written = binfmt::to_vec_with(&value, &with).unwrap();
                let typed = binfmt::to_vec_with(&typed, options).unwrap();
                // an `Option` loses the code of a missing value
                assert_eq!(written.len(), typed.len(), "{bytes:02x?}");
                let different = written.iter().zip(&typed).filter(|(a, b)| a != b && **b != 0).count();
                assert_eq!(different, 0, "{bytes:02x?}");
            }
            (Err(typed), Err(value)) => {
                let (value, typed) = (value.to_string(), typed.to_string());
                assert_eq!(as_values_say(&value), as_values_say(&typed), "{source} {bytes:02x?}");
            }
            (typed, value) => panic!("{source} {bytes:02x?}: {:?}, {value:?}", typed.err()),
        }
    }
}

/// Bytes between the fields and types have no names at run time.
fn as_values_say(error: &str) -> String {
    let (path, text) = error.split_once("at byte").unwrap();
    let path = match (path.split_once(" ("), path) {
        (Some((field, word)), _) => {
            let (word, rest) = word.split_once(')').unwrap();
            format!("{}{word}{rest}", &field[..field.rfind(['.', ']']).map_or(0, |at| at + 1)])
        }
        (None, path) => path.to_string(),
    };
    format!("{path}at byte{text}")
}

/// Cut at every byte, every byte changed: about `most` of them.
fn hostile<T: DecodeOwned + Encode>(layout: &Description, bytes: &[u8], most: usize) {
    let step = bytes.len().div_ceil(most);
    let orders = [Endian::Little, Endian::Big];
    for options in orders.map(|order| Options::new().endian(order)).into_iter().flat_map(|options| {
        [options, options.lenient_presence(true).optional_nul(true), options.blank_missing(true)]
    }) {
        for end in (0..=bytes.len()).step_by(step) {
            same_errors::<T>(layout, &bytes[..end], &options);
        }
        for place in (0..bytes.len()).step_by(step) {
            for b in [0, 1, 2, 0x35, 0x7f, 0x80, 0xfe, 0xff] {
                let mut changed = bytes.to_vec();
                changed[place] = b;
                same_errors::<T>(layout, &changed, &options);
            }
        }
    }
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(len = u32)]
struct Cell {
    a: i8,
    #[binfmt(nullable)]
    b: Nullable<i16>,
    #[binfmt(nullable, var_len, nul)]
    c: Nullable<String>,
    #[binfmt(var_len, nul)]
    d: String,
}

fn cell() -> Description {
    record([
        Field::new("a", int(1)),
        Field::new("b", null(int(2))),
        Field::new("c", null(text(Encoding::Utf8, true, prefixed(4)))),
        Field::new("d", text(Encoding::Utf8, true, prefixed(4))),
    ])
}

const CELLS: &[u8] =
    b"\x01\xff\x0a\x00\x00\0\0\0\0\x03\0\0\0xy\0\x02\x03\0\0\xff\x02\0\0\0c\0\x04\0\0\0def\0";

#[test]
fn cells() {
    let options = Options::new();
    let layout = cell();
    let with = options.ctx(&layout);
    let values: Vec<Value> = binfmt::decode_all_with(CELLS, &with).unwrap();
    assert_eq!(values[0].get("b"), Some(&Value::from(10i16)));
    assert_eq!(values[0].get("c"), Some(&Value::Missing(0)));
    assert_eq!(values[1].get("d").and_then(Value::as_str), Some("def"));
    assert_eq!(binfmt::encode_all_with(&values, &with).unwrap(), CELLS);
    assert_eq!(
        serde_json::to_string(&values).unwrap(),
        r#"[{"a":1,"b":10,"c":{"missing":0},"d":"xy"},{"a":2,"b":{"missing":3},"c":"c","d":"def"}]"#
    );
    let streamed: Result<Vec<Value>, _> = binfmt::records_from_reader_with(CELLS, &with).collect();
    assert_eq!(streamed.unwrap(), values);
    hostile::<Cell>(&layout, &CELLS[..16], 100);
    hostile::<Cell>(&layout, &CELLS[16..], 100);
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(magic = b"DEMO", be)]
struct Mixed {
    n: u8,
    #[binfmt(count = usize::from(*n) * 2)]
    numbers: Vec<u16>,
    #[binfmt(le)]
    little: u32,
    #[binfmt(length_prefixed(u8, in = bytes))]
    region: Vec<Point>,
    #[binfmt(if(*n > 1))]
    more: Option<u16>,
    #[binfmt(pad_to = 4, nul)]
    short: String,
    #[binfmt(count = 5, nul)]
    fixed: String,
    #[binfmt(nul)]
    terminated: String,
    #[binfmt(length_prefixed(u8), text = latin1)]
    latin: String,
    #[binfmt(skip(bytes = 2))]
    flags: (bool, u8),
    #[binfmt(length_prefixed(i16, max = 9, inclusive))]
    bytes: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
struct Point {
    x: i16,
    ok: bool,
}

fn point() -> Type {
    Type::Record(Record::new("Point", [Field::new("x", int(2)), Field::new("ok", Type::Bool { lax: false })]))
}

fn mixed() -> Description {
    let padding = Type::Padding { len: Extent::Fixed(2), fill: 0, strict: false };
    let short = Type::Padded {
        size: 4,
        fill: 0,
        strict: false,
        body: Box::new(text(Encoding::Utf8, true, Extent::Terminated)),
    };
    let more = Type::Conditional { condition: "*n > 1".into(), otherwise: None, body: Box::new(uint(2)) };
    let little = Type::Ordered { order: ByteOrder::Little, body: Box::new(uint(4)) };
    let region = Type::Region {
        len: prefixed(1),
        fill: None,
        body: Box::new(Type::List { item: Box::new(point()), len: Extent::ToEnd }),
    };
    let length = Extent::Prefixed { len: Integer::signed(2), max: Some(9), inclusive: true };
    let flags = Record::new("", [Field::new("0", Type::Bool { lax: false }), Field::new("1", uint(1))]);
    let fields = [
        Field::new("", Type::Magic { value: Magic::Bytes(b"DEMO".to_vec()) }),
        Field::new("n", uint(1)),
        Field::new(
            "numbers",
            Type::List { item: Box::new(uint(2)), len: Extent::Expr("usize::from(*n) * 2".into()) },
        ),
        Field::new("little", little),
        Field::new("region", region),
        Field::new("more", more),
        Field::new("short", short),
        Field::new("fixed", text(Encoding::Utf8, true, Extent::Fixed(5))),
        Field::new("terminated", text(Encoding::Utf8, true, Extent::Terminated)),
        Field::new("latin", text(Encoding::Latin1, false, prefixed(1))),
        Field::new("", padding),
        Field::new("flags", Type::Record(flags)),
        Field::new("bytes", Type::Bytes { len: length }),
    ];
    Description::new(Type::Record(Record::new("Mixed", fields).ordered(ByteOrder::Big)))
}

#[test]
fn lengths_conditions_regions() {
    let sample = Mixed {
        n: 2,
        numbers: vec![1, 2, 3, 0x405],
        little: 7,
        region: vec![Point { x: -2, ok: true }, Point { x: 3, ok: false }],
        more: Some(9),
        short: "ab".into(),
        fixed: "cde".into(),
        terminated: "end".into(),
        latin: "é!".into(),
        flags: (true, 8),
        bytes: vec![1, 2],
    };
    let bytes = binfmt::to_vec(&sample).unwrap();
    let layout = mixed();
    let value: Value = binfmt::from_slice_with(&bytes, &Options::new().ctx(&layout)).unwrap();
    assert_eq!(
        serde_json::to_string(&value).unwrap(),
        concat!(
            r#"{"n":2,"numbers":[1,2,3,1029],"little":7,"region":[{"x":-2,"ok":true},{"x":3,"ok":false}],"#,
            r#""more":9,"short":"ab","fixed":"cde","terminated":"end","latin":"é!","flags":[true,8],"#,
            r#""bytes":{"hex":"0102"}}"#
        )
    );
    let json = serde_json::to_string(&value).unwrap();
    let again = ValueSeed::new(&Program::new(&layout).unwrap())
        .deserialize(&mut serde_json::Deserializer::from_str(&json))
        .unwrap();
    assert_eq!(again, value);
    hostile::<Mixed>(&layout, &bytes, 100);
}

#[test]
fn every_kind_of_field() {
    let layout = Composite::SCHEMA.description();
    let sample = sample();
    for order in [Endian::Little, Endian::Big] {
        let options = Options::new().endian(order);
        let with = options.ctx(&*layout);
        let bytes = binfmt::to_vec_with(&sample, &options).unwrap();
        let value: Value = binfmt::from_slice_with(&bytes, &with).unwrap();
        assert_eq!(binfmt::to_vec_with(&value, &with).unwrap(), bytes);
        let json = serde_json::to_string(&value).unwrap();
        let again = ValueSeed::new(&Program::new(&layout).unwrap())
            .deserialize(&mut serde_json::Deserializer::from_str(&json))
            .unwrap();
        assert_eq!(again, value);
        assert_eq!(
            serde_json::to_string(value.get("filters").unwrap()).unwrap(),
            r#"["None",{"Gzip":[{"kind":2,"level":9}]},{"Window":{"tag":5,"size":10}},{"Unknown":{"tag":200,"metadata":{"hex":"0102"}}}]"#
        );
    }
    hostile::<Composite>(&layout, &binfmt::to_vec(&sample).unwrap(), 40);
}

#[test]
fn types_that_multiply_each_other_are_refused_at_once() {
    let two = |of: Type| Type::Record(Record::new("x", [Field::new("a", of.clone()), Field::new("b", of)]));
    let chain = |n: usize, last: Type| {
        let mut layout = Description::new(Type::Named("x0".into()));
        for i in 0..n {
            layout.definitions.insert(format!("x{i}"), two(Type::Named(format!("x{}", i + 1))));
        }
        layout.definitions.insert(format!("x{n}"), two(last));
        layout
    };
    // 2^31 fields, and not one byte
    let layout = chain(30, Type::Unit);
    let e = binfmt::from_slice_with::<Value, _>(&[], &Options::new().ctx(&layout)).unwrap_err();
    assert_eq!(e.to_string(), "the description has types that multiply each other");
    // 256 numbers are a value
    let layout = chain(7, Type::Int { bytes: 1, signed: false });
    let options = Options::new().ctx(&layout);
    let value: Value = binfmt::from_slice_with(&[7; 256], &options).unwrap();
    assert_eq!(binfmt::to_vec_with(&value, &options).unwrap(), [7; 256]);
}

#[test]
fn numbers_that_a_float_has_not_are_refused() {
    let read = |bytes, text: &str| {
        let layout = Description::new(Type::Float { bytes });
        ValueSeed::new(&Program::new(&layout).unwrap())
            .deserialize(&mut serde_json::Deserializer::from_str(text))
    };
    assert_eq!(read(2, "65504").unwrap(), F16::from_bits(0x7bff).into());
    assert_eq!(read(2, "-65519.9").unwrap(), F16::from_bits(0xfbff).into());
    assert_eq!(read(4, "3.4028235e38").unwrap(), f32::MAX.into());
    assert_eq!(read(4, "\"-inf\"").unwrap(), f32::NEG_INFINITY.into());
    for (bytes, text) in [(2, "65520"), (2, "-65520.0"), (4, "1e39"), (4, "-3.5e38"), (8, "1e400")] {
        assert!(read(bytes, text).is_err(), "{text}");
    }
    assert!(read(4, "1e39").unwrap_err().to_string().starts_with("1e39 is not f32"));
}

/// Numbers of each type, and the type.
fn numbers() -> Vec<(Elements, Type)> {
    let int = |bytes, signed| Type::Int { bytes, signed };
    vec![
        (vec![true, false, false, true, true, false].into(), Type::Bool { lax: false }),
        (vec![true, false, false, true, true, false].into(), Type::Bool { lax: true }),
        (vec![-1i8, 2, 3, 4, 5, 6].into(), int(1, true)),
        (vec![-1i16, 2, 3, 4, 5, 6].into(), int(2, true)),
        (vec![-1i32, 2, 3, 4, 5, 6].into(), int(4, true)),
        (vec![-1i64, 2, 3, 4, 5, 6].into(), int(8, true)),
        (vec![-1i128, 2, 3, 4, 5, 6].into(), int(16, true)),
        (vec![1u8, 2, 3, 4, 5, 6].into(), int(1, false)),
        (vec![1u16, 2, 3, 4, 5, 6].into(), int(2, false)),
        (vec![1u32, 2, 3, 4, 5, 6].into(), int(4, false)),
        (vec![1u64, 2, 3, 4, 5, 6].into(), int(8, false)),
        (vec![1u128, 2, 3, 4, 5, 6].into(), int(16, false)),
        ([0x3c00, 1, 2, 3, 4, 5].map(F16::from_bits).to_vec().into(), Type::Float { bytes: 2 }),
        (vec![0.5f32, 1.0, 2.0, 3.0, 4.0, 5.0].into(), Type::Float { bytes: 4 }),
        (vec![0.5f64, 1.0, 2.0, 3.0, 4.0, 5.0].into(), Type::Float { bytes: 8 }),
    ]
}

fn array_of(item: Type, column_major: bool) -> Description {
    let (rank, item) = (Extent::Fixed(2), Box::new(item));
    Description::new(Type::Shaped { item, dim_bytes: 1, dim_signed: false, rank, column_major })
}

#[test]
fn arrays_of_numbers_are_written_alike_in_both_forms() {
    let array = |values: Elements| Value::array([2, 3], values);
    for (numbers, item) in numbers() {
        let each = Elements::Values(numbers.clone().into_values().into());
        for (endian, column_major) in
            [(Endian::Little, false), (Endian::Big, false), (Endian::Little, true), (Endian::Big, true)]
        {
            let layout = array_of(item.clone(), column_major);
            let options = Options::new().endian(endian).ctx(&layout);
            let bytes = binfmt::to_vec_with(&array(numbers.clone()), &options).unwrap();
            assert_eq!(binfmt::to_vec_with(&array(each.clone()), &options).unwrap(), bytes, "{numbers:?}");
            let element = |i: usize| {
                binfmt::to_vec_with(
                    &*numbers.get(i).unwrap(),
                    &Options::new().endian(endian).ctx(&Description::new(item.clone())),
                )
                .unwrap()
            };
            let order = if column_major { [0, 3, 1, 4, 2, 5] } else { [0, 1, 2, 3, 4, 5] };
            assert_eq!(bytes[2..], order.map(element).concat(), "{numbers:?}");

            let kind = |elements: &Elements| elements.numbers().map(Numbers::number_type);
            let is_typed = |back: &Value| {
                let (_, values) = back.as_array().unwrap();
                kind(values) == kind(&numbers) && *back == array(numbers.clone())
            };
            let back: Value = binfmt::from_slice_with(&bytes, &options).unwrap();
            assert!(is_typed(&back), "{back:?}");
            let back: Value = binfmt::from_reader_with(&bytes[..], &options).unwrap();
            assert!(is_typed(&back), "{back:?}");
            let json = serde_json::to_string(&array(numbers.clone())).unwrap();
            assert_eq!(serde_json::to_string(&array(each.clone())).unwrap(), json);
            let mut json = serde_json::Deserializer::from_str(&json);
            let back = ValueSeed::new(&Program::new(&layout).unwrap()).deserialize(&mut json).unwrap();
            assert!(is_typed(&back), "{back:?}");
        }
    }
}

#[test]
fn numbers_of_another_type_are_written_as_one_by_one() {
    let mut fit = 0;
    for (_, item) in numbers() {
        for (numbers, _) in numbers() {
            let layout = array_of(item.clone(), false);
            let options = Options::new().ctx(&layout);
            let write = |values: Elements| binfmt::to_vec_with(&Value::array([2, 3], values), &options);
            let each = Elements::Values(numbers.clone().into_values().into());
            match (write(numbers.clone()), write(each)) {
                (Ok(a), Ok(b)) => {
                    assert_eq!(a, b, "{numbers:?} as {item:?}");
                    fit += 1;
                }
                (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string(), "{numbers:?} as {item:?}"),
                (a, b) => panic!("{numbers:?} as {item:?}: {a:?} {b:?}"),
            }
        }
    }
    // 5 signed types in signed ones, 5 unsigned in all 10, 3 floats in 3, bools in bools
    assert_eq!(fit, 5 * 5 + 5 * 10 + 3 * 3 + 2 * 2);
}

/// Elements whose type is known only at run time, after a count of their own and after one from elsewhere.
#[derive(BinFormat, Debug)]
#[binfmt(ctx(layout: &'static Description))]
struct Packed {
    n: u32,
    #[binfmt(count = *n, args(layout))]
    elements: Vec<Value>,
    #[binfmt(length_prefixed(u32), args(layout))]
    more: Box<[Value]>,
}

/// An absurd count is told as one: nobody reads elements first that cannot be there.
static KEPT: std::sync::Mutex<Vec<&'static Description>> = std::sync::Mutex::new(Vec::new());

#[test]
fn counts_of_elements_that_are_known_at_run_time() {
    let read = |ty: Type, bytes: &[u8]| {
        let layout: &'static Description = Box::leak(Box::new(Description::new(ty)));
        // what is still referred to is not a leak to the address sanitizer
        KEPT.lock().unwrap().push(layout);
        binfmt::from_slice_with::<Packed, _>(bytes, &Options::new().ctx(layout)).map_err(|e| e.to_string())
    };
    let bytes = [&1_000_000u32.to_le_bytes()[..], &[0; 9]].concat();
    let e = read(Type::Float { bytes: 8 }, &bytes).unwrap_err();
    assert_eq!(e, "elements at byte 0x4: count 1000000 needs 8000000 bytes, 9 remain");
    let record = Type::Record(Record::new("", [Field::new("a", uint(2)), Field::new("b", uint(1))]));
    let e = read(record.clone(), b"\x01\0\0\0abc\xff\0\0\0abc").unwrap_err();
    assert_eq!(e, "more at byte 0x7: count 255 needs 765 bytes, 3 remain");
    assert_eq!(read(record, b"\x01\0\0\0abc\x01\0\0\0abc").unwrap().more.len(), 1);
    // elements that take no byte: whose limit it is
    let e = read(Type::Unit, &bytes).unwrap_err();
    let most = "length 1000000 exceeds the limit of 5461 for elements of zero size, which no option raises";
    assert_eq!(e, format!("elements at byte 0x4: {most}"));
}

/// Floats have ranges, too, and the limits may be earlier fields.
#[test]
fn ranges_of_floats_and_by_earlier_fields() {
    let ruled = |name: &str, ty: Type, rule: &str| {
        let mut field = Field::new(name, ty);
        field.rules = vec![rule.into()];
        field
    };
    let layout = record([
        Field::new("most", uint(1)),
        ruled("n", uint(1), "range = 1..*most"),
        ruled("x", Type::Float { bytes: 4 }, "range = -0.5..=0.1"),
    ]);
    let read = |bytes: &[u8]| {
        let value = binfmt::from_slice_with::<Value, _>(bytes, &Options::new().ctx(&layout));
        value.map(|_| ()).map_err(|e| e.to_string())
    };
    let row = |n: u8, x: f32| [&[5, n][..], &x.to_le_bytes()].concat();
    assert_eq!(read(&row(4, 0.1)), Ok(()));
    assert_eq!(read(&row(5, 0.1)).unwrap_err(), "n at byte 0x1: 5 is not in 1..*most");
    assert_eq!(read(&row(4, 0.11)).unwrap_err(), "x at byte 0x2: 0.11 is not in -0.5..=0.1");
    assert_eq!(read(&row(4, f32::NAN)).unwrap_err(), "x at byte 0x2: NaN is not in -0.5..=0.1");
}

/// The dimensions that a field fixes hold for an array, for one in another type, and for one that is a definition.
#[test]
fn fixed_dimensions() {
    let array = Type::Shaped {
        item: Box::new(Type::Int { bytes: 1, signed: false }),
        dim_bytes: 8,
        dim_signed: false,
        rank: Extent::Fixed(2),
        column_major: false,
    };
    let ordered = Type::Ordered { order: ByteOrder::Little, body: Box::new(array.clone()) };
    let bytes = |dims: [u8; 2]| {
        let front = dims.iter().flat_map(|n| [*n, 0, 0, 0, 0, 0, 0, 0]).collect::<Vec<u8>>();
        [&front[..], &vec![7; usize::from(dims[0]) * usize::from(dims[1])]].concat()
    };
    for ty in [array.clone(), ordered, Type::Named("Grid".into())] {
        let mut field = Field::new("grid", ty);
        field.rules = vec!["dimensions = [0, 2]".into()];
        let mut layout = Description::new(Type::Record(Record::new("R", [field])));
        layout.definitions.insert("Grid".into(), array.clone());
        let program = Program::new(&layout).unwrap();
        let with = Options::new().ctx(&program);
        let whole: Value = binfmt::from_slice_with(&bytes([3, 2]), &with).unwrap();
        assert_eq!(binfmt::to_vec_with(&whole, &with).unwrap(), bytes([3, 2]));
        let e = binfmt::from_slice_with::<Value, _>(&bytes([2, 3]), &with).unwrap_err();
        assert_eq!(e.to_string(), "grid at byte 0x8: dimension 1 is 3, the declaration says 2");
        let other = Value::record([("grid", Value::array([2, 3], vec![7u8; 6]))]);
        let e = binfmt::to_vec_with(&other, &with).unwrap_err();
        assert_eq!(e.to_string(), "grid at byte 0x8: dimension 1 is 3, the declaration says 2");
        // rows of columns are held to it, too
        let plan = Plan::new(&layout).unwrap();
        assert!(plan.decode(&bytes([3, 2])).is_ok());
        let e = plan.decode(&bytes([2, 3])).unwrap_err();
        assert!(e.to_string().ends_with("dimension 1 is 3, the declaration says 2"), "{e}");
    }
}
