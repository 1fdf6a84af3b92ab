//! SciDB load files through structs that a user would write: every type, fixed sizes, `skip` in its four forms.

use binfmt::formats::scidb::{Reader, Template, UserType, Writer, save};
use binfmt::{BinFormat, Decode, DecodeOwned, Encode, Ignored, Nullable};
use std::fmt::Debug;
use std::path::Path;

fn file(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scidb").join(name)).unwrap()
}

fn format(name: &str) -> Template {
    let text = String::from_utf8(file(&format!("{name}/content.json"))).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    json["format"].as_str().unwrap().parse().unwrap()
}

/// Reads a file from a slice and from a stream, strictly, and writes it again in two ways.
fn round_trip<T: DecodeOwned + Encode + Debug + PartialEq>(name: &str) -> Vec<T> {
    let bytes = file(&format!("{name}/input.bin"));
    let format = format(name);
    let strict = Reader::strict();
    let cells: Vec<T> = strict
        .checked_cells(&bytes, &format)
        .unwrap_or_else(|e| panic!("{name}: {e}"))
        .map(Result::unwrap)
        .collect();
    let streamed: Vec<T> =
        strict.checked_cells_from_reader(&bytes[..], &format).unwrap().map(Result::unwrap).collect();
    assert_eq!(format!("{cells:?}"), format!("{streamed:?}"), "{name}");
    assert_eq!(save(&cells).unwrap(), bytes, "{name}");
    let mut written = Vec::new();
    let mut writer = Writer::new(&mut written);
    for cell in &cells {
        writer.write(cell).unwrap();
    }
    assert_eq!(writer.finish().unwrap(), cells.len() as u64);
    assert_eq!(written, bytes, "{name}");
    cells
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct Datetimetz {
    seconds: i64,
    offset: i64,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct All {
    a: bool,
    b: u8,
    c: i8,
    d: i16,
    e: i32,
    f: i64,
    g: u8,
    h: u16,
    i: u32,
    j: u64,
    k: f32,
    l: f64,
    m: i64,
    n: Datetimetz,
    #[binfmt(var_len, nul)]
    o: String,
    #[binfmt(var_len)]
    p: Vec<u8>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct AllNull {
    #[binfmt(nullable)]
    a: Nullable<bool>,
    #[binfmt(nullable)]
    b: Nullable<u8>,
    #[binfmt(nullable)]
    c: Nullable<i8>,
    #[binfmt(nullable)]
    d: Nullable<i16>,
    #[binfmt(nullable)]
    e: Nullable<i32>,
    #[binfmt(nullable)]
    f: Nullable<i64>,
    #[binfmt(nullable)]
    g: Nullable<u8>,
    #[binfmt(nullable)]
    h: Nullable<u16>,
    #[binfmt(nullable)]
    i: Nullable<u32>,
    #[binfmt(nullable)]
    j: Nullable<u64>,
    #[binfmt(nullable)]
    k: Nullable<f32>,
    #[binfmt(nullable)]
    l: Nullable<f64>,
    #[binfmt(nullable)]
    m: Nullable<i64>,
    #[binfmt(nullable)]
    n: Nullable<(i64, i64)>,
    #[binfmt(nullable, var_len, nul)]
    o: Nullable<String>,
    #[binfmt(nullable, var_len)]
    p: Nullable<Vec<u8>>,
}

#[test]
fn every_type_required_and_nullable() {
    assert_eq!(round_trip::<All>("all_types").len(), 4);
    let cells = round_trip::<AllNull>("all_types_null");
    assert_eq!(cells.len(), 6);
    assert!(cells.iter().any(|c| c.o.missing().is_some() || c.p.missing().is_some()));
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct SkipFixed {
    a: i64,
    #[binfmt(skip(bytes = 4), var_len, nul)]
    b: String,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct SkipFixedNull {
    a: i64,
    #[binfmt(skip(bytes = 5), var_len, nul)]
    b: String,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct SkipVar {
    a: i64,
    #[binfmt(var_len)]
    skipped: Ignored,
    #[binfmt(var_len, nul)]
    b: String,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct SkipVarNull {
    a: i64,
    #[binfmt(nullable, var_len)]
    skipped: Option<Ignored>,
    #[binfmt(var_len, nul)]
    b: String,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct SkipLeadTrail {
    #[binfmt(skip(bytes = 3))]
    a: i64,
    #[binfmt(var_len)]
    skipped: Ignored,
    #[binfmt(skip(bytes = 2), nullable, var_len, nul, pad_after = 5)]
    b: Nullable<String>,
}

#[test]
fn skip_in_its_four_forms() {
    assert_eq!(round_trip::<SkipFixed>("skip_fixed").len(), 3);
    assert_eq!(round_trip::<SkipVar>("skip_var").len(), 3);
    assert_eq!(round_trip::<SkipVarNull>("skip_var_null").len(), 3);
    assert_eq!(round_trip::<SkipLeadTrail>("skip_lead_trail")[1].b, Nullable::Missing(9));
    assert_eq!(round_trip::<SkipFixedNull>("skip_fixed_null").len(), 3);
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct FixedString {
    a: i64,
    #[binfmt(count = 10, nul)]
    b: String,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct FixedStringNull {
    a: i64,
    #[binfmt(nullable, count = 8, nul)]
    b: Nullable<String>,
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct FixedBinary {
    #[binfmt(count = 5)]
    a: Vec<u8>,
    b: i8,
}

#[test]
fn fixed_sizes() {
    assert_eq!(round_trip::<FixedString>("fixed_string")[2].b, "123456789");
    assert_eq!(round_trip::<FixedStringNull>("fixed_string_null")[1].b, Nullable::Missing(7));
    assert_eq!(round_trip::<FixedBinary>("fixed_binary")[1].a, [0xff; 5]);
    // a value that fills its field has no NUL there, as SciDB saves one that it has loaded from such a field
    let full = [FixedString { a: 1, b: "1234567890".into() }];
    assert!(save(&full).unwrap().ends_with(b"\x01\0\0\0\0\0\0\x001234567890"));
    let e = save(&[FixedString { a: 1, b: "12345678901".into() }]).unwrap_err();
    assert_eq!(e.to_string(), "[0].b at byte 0x8: 12 bytes long, at most 10 fit");
}

#[derive(BinFormat, Debug, PartialEq)]
#[binfmt(le)]
struct Borrowed<'a> {
    a: i8,
    #[binfmt(nullable)]
    b: Option<i16>,
    #[binfmt(nullable, var_len, nul)]
    c: Option<&'a str>,
    #[binfmt(var_len, nul)]
    d: &'a str,
}

fn within(part: &str, whole: &[u8]) -> bool {
    whole.as_ptr_range().contains(&part.as_ptr())
}

#[test]
fn cells_borrow_from_the_file() {
    let bytes = file("seed_flat_35/input.bin");
    let cells: Vec<Borrowed<'_>> = Reader::new().cells(&bytes).map(Result::unwrap).collect();
    assert_eq!(cells[0], Borrowed { a: 1, b: Some(10), c: None, d: "xy" });
    assert_eq!(cells[1], Borrowed { a: 2, b: None, c: Some("c"), d: "def" });
    assert!(within(cells[1].d, &bytes));
}

#[test]
fn user_types_are_any_type_of_their_size() {
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(le)]
    struct Rational {
        numerator: i64,
        denominator: i64,
    }
    #[derive(BinFormat, Debug, PartialEq)]
    #[binfmt(le)]
    struct Cell {
        a: Rational,
        b: [u8; 3],
        #[binfmt(nullable)]
        c: Nullable<[u8; 3]>,
    }
    let user = [UserType::fixed("rational", 16).unwrap(), UserType::fixed("rgb", 3).unwrap()];
    let format = Template::parse_with("(rational, rgb, rgb null)", &user).unwrap();
    let cells =
        [Cell { a: Rational { numerator: 1, denominator: 3 }, b: [1, 2, 3], c: Nullable::Missing(4) }];
    let bytes = save(&cells).unwrap();
    assert_eq!(bytes.len() as u64, format.cell_len().exact().unwrap());
    let read: Vec<Cell> =
        Reader::strict().checked_cells(&bytes, &format).unwrap().map(Result::unwrap).collect();
    assert_eq!(read, cells);
}

#[test]
fn one_error_lists_every_difference() {
    #[derive(BinFormat, Debug)]
    #[binfmt(le)]
    #[allow(dead_code)]
    struct Cell {
        id: u64,
        name: u8,
        #[binfmt(nullable)]
        reading: Option<f32>,
        #[binfmt(var_len)]
        note: String,
    }
    let format: Template = "(int64, string, double null, string, skip(2))".parse().unwrap();
    let e = Reader::new().checked_cells::<Cell>(&[], &format).unwrap_err();
    assert_eq!(
        e.to_string(),
        "5 differences between struct `Cell` and the format (int64, string, double null, string, skip(2)):\n  \
         id: struct has u64, file has int64 (i64)\n  \
         name: struct has u8, file has string (text, length_prefixed(u32), nul, text = bytes)\n  \
         reading: struct has Option<f32> (f32, nullable), file has double null (f64, nullable)\n  \
         note: struct has String (text, length_prefixed(u32)), \
         file has string (text, length_prefixed(u32), nul, text = bytes)\n  \
         field 5: struct has nothing, file has skip(bytes = 2)"
    );
}

#[test]
fn a_cell_that_fails_leaves_nothing_behind() {
    #[derive(BinFormat)]
    #[binfmt(le)]
    struct Cell {
        a: i32,
        #[binfmt(nullable)]
        b: Nullable<u8>,
    }
    let mut written = Vec::new();
    let mut writer = Writer::new(&mut written);
    writer.write(&Cell { a: 1, b: Nullable::Value(2) }).unwrap();
    let e = writer.write(&Cell { a: 1, b: Nullable::Missing(200) }).unwrap_err();
    assert_eq!(e.to_string(), "[1].b at byte 0x4: missing code 200 is outside 0..=127");
    writer.finish().unwrap();
    assert_eq!(written, [1, 0, 0, 0, 0xff, 2]);
}

#[test]
fn a_file_may_end_only_where_a_cell_begins() {
    fn cut<'de, T: Decode<'de> + Debug>(bytes: &'de [u8], ends: &[usize]) {
        for n in 0..bytes.len() {
            let cells: Result<Vec<T>, _> = Reader::new().cells(&bytes[..n]).collect();
            assert_eq!(cells.is_ok(), ends.contains(&n), "cut at {n}: {cells:?}");
            if let Err(e) = cells {
                assert!(e.is_incomplete() && e.offset().unwrap() <= n as u64, "cut at {n}: {e}");
            }
        }
    }
    cut::<Borrowed<'_>>(&file("seed_flat_35/input.bin"), &[0, 16]);
}
