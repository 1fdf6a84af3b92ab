//! The JSON beside a file, compared with what was read.

use binfmt::formats::sdds::{Array, Column, DataType, Elements, Header, Page, Parameter, Text, Value};
use binfmt::numbers::Number;
use binfmt::{Endian, formats::sdds::Mode};
use serde_json::Value as Json;

/// What the JSON says of the header, where it differs: `name: expected, found`.
pub(crate) fn header_differences(json: &Json, header: &Header) -> Vec<String> {
    let mut all = Vec::new();
    let mut same = |what: &str, expected: &Json, found: Json| {
        if *expected != found {
            all.push(format!("{what}: expected {expected}, found {found}"));
        }
    };
    let head = &json["header"];
    same("version", &head["version"], header.version.into());
    same("mode", &head["mode"], header.mode.name().into());
    let endian = header.endian.map(|e| if e == Endian::Big { "big" } else { "little" });
    if header.mode == Mode::Binary {
        same("endian", &head["declared_endian"], endian.map_or(Json::Null, Json::from));
    }
    same("lines_per_row", &head["lines_per_row"], header.lines_per_row.into());
    let flag = |name: &str| Json::from(head[name].as_i64().unwrap() != 0);
    same("no_row_counts", &flag("no_row_counts"), header.no_row_counts.into());
    same("column_major", &flag("column_major"), header.column_major.into());
    let lines = header.additional_header_lines;
    same("additional_header_lines", &head["additional_header_lines"], lines.into());
    let text = |text: &Option<Text>| text.as_ref().map_or(Json::Null, text_json);
    same("text", &json["description"]["text"], text(&header.text));
    same("contents", &json["description"]["contents"], text(&header.contents));
    let found = definitions(header);
    for class in ["parameters", "columns", "arrays"] {
        same(class, &json[class], found[class].clone());
    }
    all
}

/// The definitions of a header as the JSON has them.
pub(crate) fn definitions(header: &Header) -> Json {
    serde_json::json!({
        "parameters": header.parameters.iter().map(parameter).collect::<Json>(),
        "columns": header.columns.iter().map(column).collect::<Json>(),
        "arrays": header.arrays.iter().map(array).collect::<Json>(),
    })
}

fn array(a: &Array) -> Json {
    let mut json = named(&a.name, a.data_type);
    put(&mut json, "symbol", &a.symbol);
    put(&mut json, "units", &a.units);
    put(&mut json, "description", &a.description);
    put(&mut json, "format_string", &a.format_string);
    put(&mut json, "group_name", &a.group_name);
    json["field_length"] = a.field_length.into();
    json["dimensions"] = a.dimensions.into();
    json
}

fn named(name: &str, kind: DataType) -> Json {
    serde_json::json!({"name": name, "type": kind.name()})
}

fn put(json: &mut Json, tag: &str, text: &Option<Text>) {
    if let Some(text) = text {
        json[tag] = text_json(text);
    }
}

fn parameter(p: &Parameter) -> Json {
    let mut json = named(&p.name, p.data_type);
    put(&mut json, "symbol", &p.symbol);
    put(&mut json, "units", &p.units);
    put(&mut json, "description", &p.description);
    put(&mut json, "format_string", &p.format_string);
    put(&mut json, "fixed_value", &p.fixed_value);
    json
}

fn column(c: &Column) -> Json {
    let mut json = named(&c.name, c.data_type);
    put(&mut json, "symbol", &c.symbol);
    put(&mut json, "units", &c.units);
    put(&mut json, "description", &c.description);
    put(&mut json, "format_string", &c.format_string);
    json["field_length"] = c.field_length.into();
    json
}

/// Text up to its first NUL, as a program in C shows it.
pub(crate) fn text_json(text: &Text) -> Json {
    match std::str::from_utf8(text.until_nul()) {
        Ok(text) => text.into(),
        Err(_) => serde_json::json!({"hex": hex(text.until_nul())}),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Where a page differs from its JSON.
pub(crate) fn page_differences(json: &Json, header: &Header, page: &Page) -> Vec<String> {
    let mut all = Vec::new();
    if json["rows"] != page.rows() {
        all.push(format!("rows: expected {}, found {}", json["rows"], page.rows()));
    }
    for p in &header.parameters {
        let (expected, found) = (&json["parameters"][&p.name], page.parameter(header, &p.name).unwrap());
        if !same(expected, &found) {
            all.push(format!("parameter {}: expected {expected}, found {found:?}", p.name));
        }
    }
    for a in &header.arrays {
        let (expected, found) = (&json["arrays"][&a.name], page.array(header, &a.name).unwrap());
        if expected["dims"] != Json::from(found.sizes()) {
            all.push(format!("array {}: sizes {}, found {:?}", a.name, expected["dims"], found.sizes()));
        }
        all_same(&a.name, &expected["values"], found.elements(), &mut all);
    }
    for c in &header.columns {
        all_same(&c.name, &json["columns"][&c.name], page.column(header, &c.name).unwrap(), &mut all);
    }
    all
}

fn all_same(name: &str, expected: &Json, found: &Elements, all: &mut Vec<String>) {
    let list = expected.as_array().unwrap_or_else(|| panic!("{name}: {expected}"));
    if list.len() != found.len() {
        all.push(format!("{name}: {} values expected, found {}", list.len(), found.len()));
    }
    for (i, (expected, found)) in list.iter().zip(found.iter()).enumerate() {
        if !same(expected, &found) {
            all.push(format!("{name}[{i}]: expected {expected}, found {found:?}"));
        }
    }
}

/// Whether a value is what the JSON says. Floats are text there, in the form that reads back.
fn same(json: &Json, value: &Value) -> bool {
    let number = |found: f64, expected: &Json| {
        let expected: f64 = expected.as_str().unwrap().parse().unwrap();
        expected.to_bits() == found.to_bits() || (expected.is_nan() && found.is_nan())
    };
    match value {
        Value::Number(Number::F32(x)) => {
            let expected: f32 = json.as_str().unwrap().parse().unwrap();
            expected.to_bits() == x.to_bits() || (expected.is_nan() && x.is_nan())
        }
        Value::Number(Number::F64(x)) => number(*x, json),
        Value::Number(n) => json.as_number().and_then(|json| json.as_i128()) == n.as_i128(),
        Value::LongDouble(x) => *json == hex(&x.to_le_bytes()),
        Value::String(text) => *json == text_json(text),
    }
}
