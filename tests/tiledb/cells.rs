//! Cells as structs: of arrays that libtiledb 1.6.3 wrote, and written again.

use crate::support::tiledb::path;
use binfmt::BinFormat;
use binfmt::formats::tiledb::*;

fn json(name: &str) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(path(name).with_extension("json")).unwrap()).unwrap()
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Cell {
    a: u32,
    #[binfmt(var_len)]
    s: Vec<u8>,
}

/// The same in another order, with the place, and its length in other bytes.
#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(be)]
struct Placed {
    c: i32,
    #[binfmt(rename = "s", length_prefixed(u8))]
    text: String,
    r: i32,
    a: u32,
}

#[test]
fn a_dense_array() {
    let array = Array::open(path("d2_global")).unwrap();
    let json = json("d2_global");
    let cells: Vec<Cell> = array.query().read_as().unwrap();
    assert_eq!(cells.len(), 24);
    for (i, cell) in cells.iter().enumerate() {
        assert_eq!(json["attrs"]["a"][i], cell.a);
        let hex: String = cell.s.iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(json["attrs"]["s"][i], hex);
    }
    let column_major: Vec<Placed> =
        array.query().range("r", 2..).order(Layout::ColumnMajor).read_as().unwrap();
    let global: Vec<Placed> = array.query().range("r", 2..).global_order().read_as().unwrap();
    assert_eq!(column_major.len(), 18);
    assert_eq!(column_major[1].r, 3);
    for placed in column_major.iter().chain(&global) {
        let cell = &cells[((placed.r - 1) * 6 + placed.c - 1) as usize];
        assert_eq!((placed.a, placed.text.as_bytes()), (cell.a, &cell.s[..]));
    }
    let mut batches = Vec::new();
    for cells in array.query().range("r", 2..).global_order().fields_of::<Placed>().unwrap().batches(100) {
        batches.extend(cells.unwrap().rows_as::<Placed>(array.schema()).unwrap());
    }
    assert_eq!(batches, global);
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Everything {
    // dimensions in another order than the array has them
    y: i64,
    x: i64,
    one: f64,
    three: [i16; 3],
    #[binfmt(count = 4, nul)]
    code: String,
    #[binfmt(length_prefixed(u16))]
    wide: Vec<u16>,
    #[binfmt(var_len)]
    floats: Vec<f32>,
    time: i64,
    letter: u8,
}

fn schema(sparse: bool) -> ArraySchema {
    let [x, y] = ["x", "y"].map(|name| Dimension::new(name, Number::I64(-3), Number::I64(4), Number::I64(3)));
    let mut schema = match sparse {
        true => ArraySchema::sparse(Datatype::DatetimeDay, [x, y]),
        false => ArraySchema::dense(Datatype::DatetimeDay, [x, y]),
    };
    schema.capacity = 7;
    let of = |name: &str, datatype, n| Attribute::new(name, datatype).values(n);
    let many = |n| CellValNum::new(n).unwrap();
    schema
        .attribute(of("letter", Datatype::Char, many(1)))
        .attribute(of("time", Datatype::DatetimeNs, many(1)).filtered([Filter::zstd(1)]))
        .attribute(of("floats", Datatype::Float32, CellValNum::VAR))
        .attribute(of("wide", Datatype::StringUtf16, CellValNum::VAR))
        .attribute(of("code", Datatype::StringAscii, many(4)))
        .attribute(of("three", Datatype::Int16, many(3)))
        .attribute(of("one", Datatype::Float64, many(1)))
}

fn cells() -> Vec<Everything> {
    let of = |i: i64| Everything {
        x: i / 8 - 3,
        y: i % 8 - 3,
        one: i as f64 / 4.0,
        three: [i as i16, -1, 300],
        // the NUL needs one of the four bytes
        code: "abc"[..(i % 4) as usize].into(),
        wide: "wörter".encode_utf16().take((i % 7) as usize).collect(),
        floats: vec![0.5; (i % 3) as usize],
        time: i << 40,
        letter: b'a' + i as u8 % 26,
    };
    (0..64).map(of).collect()
}

#[test]
fn every_kind_of_field_there_and_back() {
    for sparse in [true, false] {
        let mut array = Options::new().create(Memory::new(), schema(sparse)).unwrap();
        let all = cells();
        let shuffled: Vec<Everything> = (0..64).map(|i| all[i * 37 % 64].clone()).collect();
        array.insert().cells(&shuffled).unwrap().write().unwrap();
        assert_eq!(array.query().read_as::<Everything>().unwrap(), all);
        let mut columns = all.clone();
        columns.sort_by_key(|cell| (cell.y, cell.x));
        assert_eq!(array.query().order(Layout::ColumnMajor).read_as::<Everything>().unwrap(), columns);
    }
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Wrong {
    x: i32,
    one: f32,
    three: [i16; 2],
    #[binfmt(var_len)]
    code: String,
    floats: f32,
    #[binfmt(var_len)]
    letter: String,
    missing: u8,
    time: i64,
}

#[test]
fn differences_are_told_before_a_byte_is_read() {
    // no cells: there is nothing to be read
    let array = Options::new().create(Memory::new(), schema(true)).unwrap();
    let e = array.query().read_as::<Wrong>().unwrap_err();
    let text = "\
7 differences between struct `Wrong` and the array:
  x: struct has i32, file has DATETIME_DAY (i64)
  one: struct has f32, file has FLOAT64 (f64)
  three: struct has [i16; 2], file has INT16 x 3 ([i16; 3])
  code: struct has String (text, length_prefixed(u32)), file has STRING_ASCII x 4 (text, count = 4, text = bytes)
  floats: struct has f32, file has FLOAT32, any number of them ([f32], length_prefixed(u32))
  letter: struct has String (text, length_prefixed(u32)), file has CHAR (text, count = 1, text = bytes)
  missing: struct has u8, file has nothing";
    assert_eq!(e.to_string(), text);
    assert_eq!(array.schema().check_struct::<Wrong>().unwrap_err().to_string(), text);
}

#[derive(BinFormat, Debug, Clone)]
struct Half {
    x: i64,
}

#[derive(BinFormat, Debug, Clone)]
struct Short {
    #[binfmt(length_prefixed(u8))]
    s: Vec<u8>,
}

#[test]
fn what_cannot_be_is_refused() {
    let mut array = Options::new().create(Memory::new(), schema(true)).unwrap();
    let e = array.insert().cells(&[Half { x: 1 }]).unwrap_err();
    assert_eq!(e.to_string(), "expected 2 dimensions, found 1");

    let x = Dimension::new("x", Number::I8(0), Number::I8(0), Number::I8(1));
    let s = Attribute::new("s", Datatype::Char).values(CellValNum::VAR);
    let schema = ArraySchema::dense(Datatype::Int8, [x]).attribute(s);
    let mut array = Options::new().create(Memory::new(), schema).unwrap();
    let long = Column::variable(Datatype::Char, Numbers::U8(vec![b'a'; 256]), vec![0, 256]).unwrap();
    array.insert().column("s", long).write().unwrap();
    let e = array.query().read_as::<Short>().unwrap_err();
    assert_eq!(e.to_string(), "length 256 does not fit in its prefix, which holds at most 255");
    let cells = array.query().attributes([""; 0]).read().unwrap();
    let e = cells.rows_as::<Short>(array.schema()).unwrap_err();
    assert_eq!(e.to_string(), "missing attribute `s`");
    // no UTF-8
    let array = Array::open(path("d1_var")).unwrap();
    assert!(array.query().read_as::<Text>().unwrap_err().to_string().contains("UTF-8"));
}

#[derive(BinFormat, Debug, Clone)]
struct Text {
    #[binfmt(var_len)]
    s: String,
}

#[test]
fn attributes_as_arrays() {
    let [x, y] = ["x", "y"].map(|name| Dimension::new(name, Number::I8(0), Number::I8(4), Number::I8(2)));
    let rgb = Attribute::new("rgb", Datatype::Uint8).values(CellValNum::new(3).unwrap());
    let schema = ArraySchema::dense(Datatype::Int8, [x, y])
        .attribute(Attribute::new("a", Datatype::Int32))
        .attribute(rgb)
        .attribute(Attribute::new("s", Datatype::Char).values(CellValNum::VAR));
    let mut array = Options::new().create(Memory::new(), schema).unwrap();
    let a = ndarray::Array::from_shape_fn((3, 4), |(i, j)| (10 * i + j) as i32);
    let rgb = ndarray::Array::from_shape_fn((3, 4, 3), |(i, j, k)| (40 * i + 10 * j + k) as u8);
    let s = Column::variable(Datatype::Char, Numbers::U8(vec![]), vec![0; 13]).unwrap();
    // memory in another order
    let turned = a.t().as_standard_layout().into_owned();
    let mut write = |order| {
        let insert = array.insert().range("x", 1..=3).range("y", 1..=4).column("s", s.clone()).order(order);
        insert.array("a", &turned.t()).unwrap().array("rgb", &rgb).unwrap().write()
    };
    let e = write(Layout::ColumnMajor).unwrap_err();
    assert_eq!(e.to_string(), "`array` does not support an order: arrays are written row-major");
    write(Layout::RowMajor).unwrap();
    for order in [Layout::RowMajor, Layout::ColumnMajor] {
        let mut cells = array.query().range("x", 1..=3).range("y", 1..=4).order(order).read().unwrap();
        let column_major = order == Layout::ColumnMajor;
        let found = cells.array::<i32>("a").unwrap();
        assert_eq!(found, a.clone().into_dyn());
        assert_eq!(found.t().is_standard_layout(), column_major);
        assert_eq!(cells.array::<u8>("rgb").unwrap(), rgb.clone().into_dyn());
        assert!(cells.take_array::<u8>("a").is_err());
        assert_eq!(cells.take_array::<i32>("a").unwrap(), a.clone().into_dyn());
        let e = cells.array::<i32>("a").unwrap_err();
        assert_eq!(e.to_string(), "missing attribute `a`");
        let e = cells.array::<u8>("s").unwrap_err();
        assert!(
            e.to_string().ends_with("does not support attribute `s`, whose cells have any number of values")
        );
    }
    let e = array.query().global_order().read().unwrap().array::<i32>("a").unwrap_err();
    assert!(e.to_string().ends_with("only row- and column-major results of dense arrays have one"));
    let nothing = array.query().range("x", 1..1).order(Layout::ColumnMajor).read().unwrap();
    assert_eq!(nothing.array::<i32>("a").unwrap().shape(), [0, 5]);
    let e = array.insert().array("a", &ndarray::arr2(&[[1u8]])).unwrap_err();
    assert_eq!(e.to_string(), "attribute `a`: expected INT32, found u8");
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Perhaps {
    #[binfmt(nullable, var_len)]
    text: Option<String>,
    #[binfmt(nullable(present = 1, missing = 0, body = absent))]
    number: Option<f64>,
    #[binfmt(nullable)]
    pair: Option<[i16; 2]>,
    #[binfmt(nullable(present = 7, missing = 3..=4, body = zero), length_prefixed(u16))]
    wide: binfmt::Nullable<Vec<u16>>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
#[binfmt(be)]
struct PerhapsBig {
    #[binfmt(nullable)]
    pair: Option<[i16; 2]>,
    #[binfmt(nullable, var_len)]
    text: Option<String>,
}

#[derive(BinFormat, Debug, PartialEq, Clone)]
struct Plain {
    #[binfmt(var_len)]
    text: String,
}

fn perhaps_schema() -> ArraySchema {
    let x = Dimension::new("x", Number::I32(0), Number::I32(5), Number::I32(4));
    ArraySchema::dense(Datatype::Int32, [x])
        .attribute(Attribute::new("text", Datatype::Char).values(CellValNum::VAR))
        .attribute(Attribute::new("number", Datatype::Float64))
        .attribute(Attribute::new("pair", Datatype::Int16).values(CellValNum::new(2).unwrap()))
        .attribute(Attribute::new("wide", Datatype::StringUtf16).values(CellValNum::VAR))
}

#[test]
fn cells_that_were_never_written_are_missing() {
    use binfmt::Nullable;
    let mut array = Options::new().create(Memory::new(), perhaps_schema()).unwrap();
    let some = Perhaps {
        text: Some("ab".into()),
        number: Some(0.5),
        pair: Some([1, i16::MIN]),
        wide: Nullable::Value(vec![7, 8]),
    };
    let none = Perhaps { text: None, number: None, pair: None, wide: Nullable::Missing(3) };
    let mixed = Perhaps { number: Some(-1.0), ..none.clone() };
    array
        .insert()
        .range("x", 1..=3)
        .cells(&[some.clone(), none.clone(), mixed.clone()])
        .unwrap()
        .write()
        .unwrap();
    let wanted = [none.clone(), some.clone(), none.clone(), mixed, none.clone(), none];
    assert_eq!(array.query().read_as::<Perhaps>().unwrap(), wanted);
    // what is written for a missing value is the fill value
    let cells = array.query().range("x", 2..=2).read().unwrap();
    for (name, column) in cells.columns() {
        assert!(column.is_fill(0), "{name}");
    }
    let big = array.query().range("x", 1..=2).read_as::<PerhapsBig>().unwrap();
    let first = PerhapsBig { pair: some.pair, text: some.text };
    assert_eq!(big, [first.clone(), PerhapsBig { pair: None, text: None }]);
    let pieces: Vec<Perhaps> = array
        .query()
        .fields_of::<Perhaps>()
        .unwrap()
        .batches(40)
        .flat_map(|cells| cells.unwrap().rows_as::<Perhaps>(array.schema()).unwrap())
        .collect();
    assert_eq!(pieces, wanted);
}

#[test]
fn text_that_was_never_written_is_an_error_that_says_what_to_do() {
    let mut array = Options::new().create(Memory::new(), perhaps_schema()).unwrap();
    let cell =
        Perhaps { text: Some("a".into()), number: None, pair: None, wide: binfmt::Nullable::Missing(3) };
    array.insert().range("x", 0..=0).cells(&[cell]).unwrap().write().unwrap();
    assert_eq!(array.query().range("x", 0..=0).read_as::<Plain>().unwrap(), [Plain { text: "a".into() }]);
    let e = array.query().read_as::<Plain>().unwrap_err().to_string();
    assert!(e.contains("[1].text") && e.contains("`None` where the field is an `Option`"), "{e}");
}

#[test]
fn coordinates_are_never_missing() {
    #[derive(BinFormat)]
    struct Place {
        #[binfmt(nullable)]
        x: Option<i32>,
    }
    let _ = Place { x: None }.x;
    assert!(perhaps_schema().check_struct::<Place>().is_err());
}

#[test]
fn a_cell_is_the_fill_value_in_every_value_or_not_at_all() {
    let two = CellValNum::new(2).unwrap();
    let column = Column::fixed(Datatype::Int8, two, Numbers::I8(vec![-128, -128, -128, 0])).unwrap();
    assert_eq!([0, 1, 2].map(|i| column.is_fill(i)), [true, false, false]);
    let column =
        Column::variable(Datatype::Char, Numbers::U8(vec![0x80, 0x80, 0x80]), vec![0, 0, 1, 3]).unwrap();
    assert_eq!([0, 1, 2].map(|i| column.is_fill(i)), [false, true, false]);
    let nan = f32::from_bits(0x7fc0_0001);
    let column =
        Column::fixed(Datatype::Float32, CellValNum::ONE, Numbers::F32(vec![f32::NAN, nan])).unwrap();
    assert_eq!([column.is_fill(0), column.is_fill(1)], [true, false]);
}
