//! SciDB load files that SciDB's own code wrote: read to the content beside them, and written again byte for byte.

use binfmt::columns::{Columns, Plan};
use binfmt::formats::scidb::{Reader, ScidbType, Template, TemplateColumn, Writer, column_name, save_values};
use binfmt::numbers::Number;
use binfmt::value::{Program, Value, ValueSeed};
use serde::de::DeserializeSeed;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scidb").join(name)
}

/// Every case, damaged or not: name, description, bytes.
fn cases(damaged: bool) -> Vec<(String, Json, Vec<u8>)> {
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder("")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let text = std::fs::read_to_string(path.join("content.json")).unwrap();
            let json: Json = serde_json::from_str(&text).unwrap();
            let bytes = std::fs::read(path.join("input.bin")).unwrap();
            if json.get("cells_before_error").is_some() == damaged {
                cases.push((path.file_name().unwrap().to_string_lossy().into_owned(), json, bytes));
            }
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
fn value(column: &TemplateColumn, json: &Json) -> Value {
    if let Some(code) = json.get("null") {
        return Value::Missing(u8::try_from(code.as_u64().unwrap()).unwrap());
    }
    let int = || json.as_i64().map(i128::from).unwrap_or_else(|| json.as_u64().unwrap().into());
    match column.ty().unwrap() {
        ScidbType::Bool => json.as_bool().unwrap().into(),
        ScidbType::Float => (hex_float(json.as_str().unwrap()) as f32).into(),
        ScidbType::Double => hex_float(json.as_str().unwrap()).into(),
        ScidbType::Datetimetz => Value::List([0, 1].map(|i| json[i].as_i64().unwrap().into()).into()),
        ScidbType::String => Value::Text(json.as_str().unwrap().into()),
        ScidbType::Binary | ScidbType::User(_) => Value::Bytes(hex_bytes(json.as_str().unwrap())),
        number => Number::from_i128(number.number_type().unwrap(), int()).unwrap().into(),
    }
}

fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        // a NaN is equal to none
        (Value::Number(Number::F32(a)), Value::Number(Number::F32(b))) => {
            a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
        }
        (Value::Number(Number::F64(a)), Value::Number(Number::F64(b))) => {
            a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
        }
        (a, b) => a == b,
    }
}

fn expected(template: &Template, cells: &Json) -> Vec<Value> {
    let row = |cell: &Json| {
        let values = template.attributes().zip(cell.as_array().unwrap()).map(|(c, v)| value(c, v));
        Value::record(values.enumerate().map(|(i, value)| (column_name(i), value)))
    };
    cells.as_array().unwrap().iter().map(row).collect()
}

fn assert_cells(name: &str, cells: &[Value], expected: &[Value]) {
    assert_eq!(cells.len(), expected.len(), "{name}: number of cells");
    for (i, (cell, row)) in cells.iter().zip(expected).enumerate() {
        let (Value::Record(cell), Value::Record(row)) = (cell, row) else {
            panic!("{name}: cell {i}: {cell:?}")
        };
        assert_eq!(cell.len(), row.len(), "{name}: cell {i}");
        for (a, b) in row.iter().zip(cell.iter()) {
            assert!(a.0 == b.0 && same(a.1, b.1), "{name}: cell {i}: expected {a:?}, found {b:?}");
        }
    }
}

fn rows(columns: &Columns) -> Vec<Value> {
    (0..columns.num_rows()).map(|row| columns.row(row).unwrap()).collect()
}

/// All rows that a reader gives in batches of that many.
fn batches(reader: Reader, plan: &Plan, bytes: &[u8], size: usize) -> (Vec<Value>, Option<binfmt::Error>) {
    let mut reader = reader.columns_from_reader(bytes, plan);
    let mut all = Vec::new();
    loop {
        match reader.next_batch(size) {
            Ok(Some(batch)) => all.extend(rows(&batch)),
            Ok(None) => return (all, None),
            Err(e) => return (all, Some(e)),
        }
    }
}

#[test]
fn every_load_file_reads_to_its_content_and_is_written_again() {
    let cases = cases(false);
    assert!(cases.len() > 50, "only {} cases", cases.len());
    for (name, json, bytes) in cases {
        let template: Template = json["format"].as_str().unwrap().parse().unwrap();
        let plan = Plan::new(&template.description()).unwrap();
        let cell = plan.program();
        let expected = expected(&template, &json["cells"]);
        let hand_made = json.get("hand_made").is_some();

        // bytes that no writer produces are read by a lenient reader only
        for reader in [Reader::new(), Reader::strict()].into_iter().take(if hand_made { 1 } else { 2 }) {
            let cells: Result<Vec<Value>, _> = reader.values(&bytes, cell).collect();
            assert_cells(&name, &cells.unwrap_or_else(|e| panic!("{name}: {e}")), &expected);
            let streamed: Result<Vec<Value>, _> = reader.values_from_reader(&bytes[..], cell).collect();
            assert_cells(&name, &streamed.unwrap_or_else(|e| panic!("{name}: {e}")), &expected);
            let columns = reader.columns(&bytes, &plan).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_cells(&name, &rows(&columns), &expected);
            for size in [1, 7, 1000] {
                let (found, error) = batches(reader, &plan, &bytes, size);
                assert!(error.is_none(), "{name}: {error:?}");
                assert_cells(&name, &found, &expected);
            }
        }
        if hand_made {
            continue;
        }
        // the description of a NaN does not have its payload
        if !json["cells"].to_string().contains("\"nan\"") {
            assert_eq!(save_values(&expected, cell).unwrap(), bytes, "{name}");
            assert_eq!(plan.encode(&plan.columns_of(&expected).unwrap()).unwrap(), bytes, "{name}");
        }
        let decoded: Vec<Value> = Reader::strict().values(&bytes, cell).collect::<Result<_, _>>().unwrap();
        assert_eq!(save_values(&decoded, cell).unwrap(), bytes, "{name}");
        let columns = Reader::strict().columns(&bytes, &plan).unwrap();
        assert_eq!(plan.encode(&columns).unwrap(), bytes, "{name}");
        let mut writer = Writer::new(Vec::new());
        decoded.iter().for_each(|value| writer.write_with(value, cell).unwrap());
        assert_eq!(writer.finish().unwrap(), decoded.len() as u64);

        // JSON and back, the cell as an object and as a list
        for value in &decoded {
            let json = serde_json::to_string(value).unwrap();
            let again = ValueSeed::new(cell).deserialize(&mut serde_json::Deserializer::from_str(&json));
            assert_eq!(
                save_values(&[again.unwrap()], cell).unwrap(),
                save_values(std::slice::from_ref(value), cell).unwrap()
            );
            let Value::Record(fields) = value else { panic!("{value:?}") };
            let list = serde_json::to_string(fields.values()).unwrap();
            let again = ValueSeed::new(cell).deserialize(&mut serde_json::Deserializer::from_str(&list));
            assert_eq!(serde_json::to_string(&again.unwrap()).unwrap(), json, "{name}");
        }
    }
}

#[test]
fn every_leniency_can_be_switched_off() {
    let read = |name: &str, reader: Reader| {
        let (_, json, bytes) = cases(false).into_iter().find(|c| c.0 == name).unwrap();
        let format = json["format"].as_str().unwrap().parse::<Template>().unwrap();
        let cell = &Program::new(&format.description()).unwrap();
        let values: Result<Vec<Value>, _> = reader.values(&bytes, cell).collect();
        let values = values.map(|_| ()).map_err(|e| e.to_string());
        let columns = reader.columns(&bytes, &Plan::new(cell.description()).unwrap());
        assert_eq!(columns.map(|_| ()).map_err(|e| e.to_string()), values, "{name}");
        values
    };
    let reader = Reader::new();
    for name in ["read_flag_negative", "read_null_garbage", "read_string_no_nul", "read_string_len0"] {
        assert_eq!(read(name, reader), Ok(()));
        assert!(read(name, Reader::strict()).is_err(), "{name}");
    }
    assert!(
        read("read_flag_negative", reader.lenient_presence(false))
            .unwrap_err()
            .contains("presence byte 0xfe")
    );
    assert!(read("read_null_garbage", reader.blank_missing(true)).unwrap_err().contains("not all zero"));
    assert!(read("read_string_no_nul", reader.optional_nul(false)).unwrap_err().contains("NUL"));
    assert!(read("read_string_len0", reader.optional_nul(false)).unwrap_err().contains("NUL"));
}

/// Where each damaged file is refused: the path, and the offset from a slice and from a stream, which learns only where
/// the bytes run out that a length promised too much.
const PLACES: [(&str, &str, u64, u64); 7] = [
    ("cut_body", "[0].a", 0, 4),
    ("cut_fixed", "[1].a", 2, 2),
    ("cut_flag", "[0].a", 0, 0),
    ("cut_len", "[0].a", 0, 0),
    ("cut_second_attr", "[1].b", 4, 4),
    ("cut_trailing_skip", "[1].padding", 4, 4),
    ("huge_len", "[0].a", 0, 4),
];

/// The values before the first error, and the error.
fn up_to_error(values: impl Iterator<Item = binfmt::Result<Value>>) -> (Vec<Value>, Option<binfmt::Error>) {
    let mut before = Vec::new();
    for value in values {
        match value {
            Ok(value) => before.push(value),
            Err(e) => return (before, Some(e)),
        }
    }
    (before, None)
}

#[test]
fn every_damaged_file_is_refused_at_its_cell() {
    let cases = cases(true);
    assert_eq!(cases.len(), 7);
    for (name, json, bytes) in cases {
        let template: Template = json["format"].as_str().unwrap().parse().unwrap();
        let plan = Plan::new(&template.description()).unwrap();
        let cell = plan.program();
        let reader = Reader::new();
        let mut before = expected(&template, &json["cells_before_error"]);
        if name == "cut_trailing_skip" {
            // SciDB stores a cell before it reads the skip after it; a cell that is not whole is not one here
            before.pop();
        }
        let columns = (before.clone(), reader.columns(&bytes, &plan).err());
        for (source, (cells, error)) in [
            ("slice", up_to_error(reader.values(&bytes, cell))),
            ("stream", up_to_error(reader.values_from_reader(&bytes[..], cell))),
            ("columns", columns),
            ("batches", batches(reader, &plan, &bytes, 1000)),
        ] {
            let error = error.unwrap_or_else(|| panic!("{name}: accepted from a {source}"));
            assert_cells(&name, &cells, &before);
            let found = (error.path().to_string(), error.offset());
            let (_, path, slice, stream) =
                PLACES.iter().find(|p| p.0 == name).expect("a place for every file");
            let offset = if source == "stream" { *stream } else { *slice };
            assert_eq!(found, (path.to_string(), Some(offset)), "{name}, {source}: {error}");
        }
    }
}
