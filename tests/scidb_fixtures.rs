//! SciDB load files that SciDB's own code wrote: read to the content beside them, and written again byte for byte.

use binfmt::formats::scidb::{Cell, Column, Loader, ScidbType, Template, Value};
use binfmt::{Nullable, Options};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scidb").join(name)
}

/// Every case of a folder: name, description, bytes.
fn cases(name: &str) -> Vec<(String, Json, Vec<u8>)> {
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder(name)).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "json") {
            let text = std::fs::read_to_string(&path).unwrap();
            let json: Json = serde_json::from_str(&text).unwrap();
            let bytes = std::fs::read(path.with_extension("bin")).unwrap();
            cases.push((path.file_stem().unwrap().to_string_lossy().into_owned(), json, bytes));
        }
    }
    cases.sort_by(|a, b| a.0.cmp(&b.0));
    cases
}

/// A C99 hexadecimal float, as the descriptions have them: `-0x1.8p+3`.
fn hex_float(text: &str) -> f64 {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    match rest {
        "nan" => return f64::NAN,
        "inf" => return sign * f64::INFINITY,
        _ => {}
    }
    let (mantissa, exponent) = rest.strip_prefix("0x").unwrap().split_once('p').unwrap();
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = i64::from_str_radix(whole, 16).unwrap() as f64;
    for (i, c) in fraction.chars().enumerate() {
        value += f64::from(c.to_digit(16).unwrap()) * 16f64.powi(-(i as i32 + 1));
    }
    sign * scale(value, exponent.parse().unwrap())
}

/// `value * 2^exponent`, in steps that do not leave the range.
fn scale(mut value: f64, mut exponent: i32) -> f64 {
    while exponent < -1000 {
        value *= 2f64.powi(-1000);
        exponent += 1000;
    }
    value * 2f64.powi(exponent)
}

fn hex_bytes(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|i| u8::from_str_radix(&text[i..i + 2], 16).unwrap()).collect()
}

/// The value of a column as its description says.
fn value(column: &Column, json: &Json) -> Nullable<Value> {
    if let Some(code) = json.get("null") {
        return Nullable::Missing(u8::try_from(code.as_u64().unwrap()).unwrap());
    }
    let int = || json.as_i64().unwrap();
    let fixed = column.size().is_some();
    Nullable::Value(match column.ty().unwrap() {
        ScidbType::Bool => Value::Bool(json.as_bool().unwrap()),
        ScidbType::Char => Value::Char(u8::try_from(int()).unwrap()),
        ScidbType::Int8 => Value::Int8(i8::try_from(int()).unwrap()),
        ScidbType::Int16 => Value::Int16(i16::try_from(int()).unwrap()),
        ScidbType::Int32 => Value::Int32(i32::try_from(int()).unwrap()),
        ScidbType::Int64 => Value::Int64(int()),
        ScidbType::Uint8 => Value::Uint8(u8::try_from(int()).unwrap()),
        ScidbType::Uint16 => Value::Uint16(u16::try_from(int()).unwrap()),
        ScidbType::Uint32 => Value::Uint32(u32::try_from(int()).unwrap()),
        ScidbType::Uint64 => Value::Uint64(json.as_u64().unwrap()),
        ScidbType::Float => Value::Float(hex_float(json.as_str().unwrap()) as f32),
        ScidbType::Double => Value::Double(hex_float(json.as_str().unwrap())),
        ScidbType::Datetime => Value::Datetime(int()),
        ScidbType::Datetimetz => Value::Datetimetz(json[0].as_i64().unwrap(), json[1].as_i64().unwrap()),
        ScidbType::String if fixed => Value::FixedString(json.as_str().unwrap().into()),
        ScidbType::String => Value::String(json.as_str().unwrap().into()),
        _ if fixed => Value::FixedBinary(hex_bytes(json.as_str().unwrap())),
        _ => Value::Binary(hex_bytes(json.as_str().unwrap())),
    })
}

fn same(a: &Nullable<Value>, b: Nullable<&Value>) -> bool {
    match (a, b) {
        // a NaN is equal to none
        (Nullable::Value(Value::Float(a)), Nullable::Value(Value::Float(b))) => {
            a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
        }
        (Nullable::Value(Value::Double(a)), Nullable::Value(Value::Double(b))) => {
            a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
        }
        (a, b) => a.as_ref() == b,
    }
}

fn expected(template: &Template, cells: &Json) -> Vec<Vec<Nullable<Value>>> {
    let row =
        |cell: &Json| template.attributes().zip(cell.as_array().unwrap()).map(|(c, v)| value(c, v)).collect();
    cells.as_array().unwrap().iter().map(row).collect()
}

fn assert_cells(name: &str, cells: &[Cell], expected: &[Vec<Nullable<Value>>]) {
    assert_eq!(cells.len(), expected.len(), "{name}: number of cells");
    for (i, (cell, row)) in cells.iter().zip(expected).enumerate() {
        let values: Vec<_> = cell.values().collect();
        assert_eq!(values.len(), row.len(), "{name}: cell {i}");
        for (k, (a, b)) in row.iter().zip(values).enumerate() {
            assert!(same(a, b), "{name}: cell {i}, attribute {k}: expected {a:?}, found {b:?}");
        }
    }
}

#[test]
fn every_load_file_reads_to_its_content_and_is_written_again() {
    let cases = cases("load");
    assert!(cases.len() > 50, "only {} cases", cases.len());
    for (name, json, bytes) in cases {
        let template: Template = json["format"].as_str().unwrap().parse().unwrap();
        let columns = template.columns().unwrap();
        let expected = expected(&template, &json["cells"]);
        let options = Loader::new().options().ctx(columns);

        let cells: Vec<Cell> =
            binfmt::decode_all_with(&bytes, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_cells(&name, &cells, &expected);
        let streamed: Result<Vec<Cell>, _> = binfmt::records_from_reader_with(&bytes[..], &options).collect();
        assert_cells(&name, &streamed.unwrap_or_else(|e| panic!("{name}: {e}")), &expected);

        if json.get("hand_made").is_some() {
            // bytes that no writer produces
            continue;
        }
        let strict = Loader::strict().options().ctx(columns);
        let again: Vec<Cell> =
            binfmt::decode_all_with(&bytes, &strict).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_cells(&name, &again, &expected);
        let cells: Vec<Cell> = expected.into_iter().map(|row| Cell::new(columns, row).unwrap()).collect();
        let written = binfmt::encode_all_with(&cells, &Options::new().ctx(columns)).unwrap();
        // the description of a NaN does not have its payload
        if !json["cells"].to_string().contains("\"nan\"") {
            assert_eq!(written, bytes, "{name}");
        }
        let decoded: Vec<Cell> = binfmt::decode_all_with(&bytes, &strict).unwrap();
        assert_eq!(binfmt::encode_all_with(&decoded, &Options::new().ctx(columns)).unwrap(), bytes, "{name}");
    }
}

#[test]
fn every_leniency_can_be_switched_off() {
    let read = |name: &str, loader: Loader| {
        let (_, json, bytes) = cases("load").into_iter().find(|c| c.0 == name).unwrap();
        let template: Template = json["format"].as_str().unwrap().parse().unwrap();
        let options = loader.options().ctx(template.columns().unwrap());
        binfmt::decode_all_with::<Cell, _>(&bytes, &options).map(|_| ()).map_err(|e| e.to_string())
    };
    let loader = Loader::new();
    for name in ["read_flag_negative", "read_null_garbage", "read_string_no_nul", "read_string_len0"] {
        assert_eq!(read(name, loader), Ok(()));
        assert!(read(name, Loader::strict()).is_err(), "{name}");
    }
    assert!(
        read("read_flag_negative", loader.lenient_presence(false))
            .unwrap_err()
            .contains("presence byte 0xfe")
    );
    assert!(read("read_null_garbage", loader.blank_missing(true)).unwrap_err().contains("not all zero"));
    assert!(read("read_string_no_nul", loader.optional_nul(false)).unwrap_err().contains("NUL"));
    assert!(read("read_string_len0", loader.optional_nul(false)).unwrap_err().contains("NUL"));
}

/// Where each damaged file is refused: the path, and the offset from a slice and from a stream, which learns only where
/// the bytes run out that a length promised too much.
const PLACES: [(&str, &str, u64, u64); 7] = [
    ("cut_body", "[0][0].0.0", 0, 4),
    ("cut_fixed", "[1][0].0.0", 2, 2),
    ("cut_flag", "[0][0].0.value.0", 1, 1),
    ("cut_len", "[0][0].0.0", 0, 0),
    ("cut_second_attr", "[1][1].0.0", 4, 4),
    ("cut_trailing_skip", "[1][1].0", 4, 4),
    ("huge_len", "[0][0].0.0", 0, 4),
];

#[test]
fn every_damaged_file_is_refused_at_its_cell() {
    let cases = cases("bad");
    assert_eq!(cases.len(), 7);
    for (name, json, bytes) in cases {
        let template: Template = json["format"].as_str().unwrap().parse().unwrap();
        let options = Loader::new().options().ctx(template.columns().unwrap());
        let mut before = expected(&template, &json["cells_before_error"]);
        if name == "cut_trailing_skip" {
            // SciDB stores a cell before it reads the skip behind it; a cell that is not whole is none here
            before.pop();
        }
        for source in ["slice", "stream"] {
            let mut cells = Vec::new();
            let error = if source == "slice" {
                let mut records = binfmt::records_with::<Cell, _>(&bytes, &options);
                loop {
                    match records.next() {
                        Some(Ok(cell)) => cells.push(cell),
                        Some(Err(e)) => break e,
                        None => panic!("{name}: accepted from a {source}"),
                    }
                }
            } else {
                let mut records = binfmt::records_from_reader_with::<Cell, _, _>(&bytes[..], &options);
                loop {
                    match records.next() {
                        Some(Ok(cell)) => cells.push(cell),
                        Some(Err(e)) => break e,
                        None => panic!("{name}: accepted from a {source}"),
                    }
                }
            };
            assert_cells(&name, &cells, &before);
            let found = (error.path().to_string(), error.offset());
            let (_, path, slice, stream) =
                PLACES.iter().find(|p| p.0 == name).expect("a place for every file");
            let offset = if source == "slice" { *slice } else { *stream };
            assert_eq!(found, (path.to_string(), offset), "{name}, {source}: {error}");
        }
    }
}
