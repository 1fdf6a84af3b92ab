//! Objects that the BEAT platform's own backend packed: read to the content beside them, and written again byte for
//! byte. Declarations that must be refused.

use crate::support::beat::{Case, cases, is, prefix};
use binfmt::formats::beat::{Declaration, Object};
use binfmt::value::ValueSeed;
use binfmt::{Array, BinFormat, Options};
use serde::de::DeserializeSeed;
use serde_json::Value as Json;

fn load(name: &str) -> Declaration {
    Declaration::load(name, prefix()).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn every_object_reads_to_its_content_and_is_written_again() {
    let cases = cases("bin");
    assert_eq!(cases.len(), 87);
    for case in cases {
        let declaration = load(case.format());
        let Case { name, content: json, bytes, .. } = case;
        let expanded: Json = serde_json::from_str(&declaration.to_string()).unwrap();
        assert_eq!(expanded, json["declaration"], "{name}");
        let options = Options::new().ctx(&declaration);

        let object: Object =
            binfmt::from_slice_with(&bytes, &options).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(is(&object.0, &json["chunks"][0]["value"]), "{name}: {object:?}");
        let streamed: Object = binfmt::from_reader_with(&bytes[..], &options).unwrap();
        assert!(is(&streamed.0, &json["chunks"][0]["value"]), "{name}: {streamed:?}");
        assert_eq!(binfmt::to_vec_with(&object, &options).unwrap(), bytes, "{name}");

        // the same declaration without its references
        let flat = Declaration::parse(&expanded.to_string()).unwrap();
        let flat = Options::new().ctx(&flat);
        let again: Object = binfmt::from_slice_with(&bytes, &flat).unwrap();
        assert_eq!(binfmt::to_vec_with(&again, &flat).unwrap(), bytes, "{name}");

        // through JSON and back
        let text = serde_json::to_string(&object).unwrap();
        let mut json = serde_json::Deserializer::from_str(&text);
        let again = ValueSeed::new(declaration.program()).deserialize(&mut json).unwrap();
        assert_eq!(binfmt::to_vec_with(&Object(again), &options).unwrap(), bytes, "{name}");
    }
}

#[test]
fn fields_travel_in_the_order_of_their_bytes() {
    let declaration = load("user/order/1");
    let names: Vec<_> = declaration.format().fields().iter().map(|(name, _)| &name[..]).collect();
    let expected = ["A", "Z9", "Zeta", "_a", "a", "a-b", "a1", "a10", "a2", "aB", "a_b", "ab", "zeta"];
    assert_eq!(names, expected);
}

#[test]
fn a_parent_is_not_changed_by_its_child() {
    // the platform's backend adds the child's fields to the parent when both are in one declaration
    let json = r#"{"b": "user/base/1", "e": "user/ext/1"}"#;
    let declaration = Declaration::parse_beneath(json, prefix()).unwrap();
    assert_eq!(
        declaration.to_string(),
        r#"{"b": {"value": "int32"}, "e": {"value": "int32", "value2": "bool"}}"#
    );
    let options = Options::new().ctx(&declaration);
    assert_eq!(binfmt::encoded_len_with(&declaration.blank().unwrap(), &options).unwrap(), 9);
}

#[test]
fn objects_inside_are_declarations_of_their_own() {
    // as the backend and the platform's own schema of declarations take them
    let json = r##"{"x": {"#extends": "user/base/1", "#description": "inside", "b": "bool"},
        "y": [0, {"#schema_version": 2, "#extends": "user/ext/1", "value": "int8"}]}"##;
    let declaration = Declaration::parse_beneath(json, prefix()).unwrap();
    assert_eq!(
        declaration.to_string(),
        r#"{"x": {"b": "bool", "value": "int32"}, "y": [0, {"value": "int8", "value2": "bool"}]}"#
    );
    // what an object inside refers to may not lead back to where it stands
    let circle = |_: &str| -> Result<String, String> { Ok(r##"{"a": {"#extends": "u/a/1"}}"##.into()) };
    let e = Declaration::resolve("u/a/1", circle).unwrap_err();
    assert_eq!(e.to_string(), "declaration u/a/1, byte 19: `u/a/1` refers to itself");
}

#[test]
fn fields_of_any_name() {
    // the backend fails for a nested field named `type`
    let declaration =
        Declaration::parse(r#"{"a": {"type": "int8"}, "__x__": "str", "c": ["int16"]}"#).unwrap();
    assert_eq!(declaration.to_string(), r#"{"__x__": "string", "a": {"type": "int8"}, "c": "int16"}"#);
}

#[test]
fn damaged_objects_are_refused_with_path_and_offset() {
    let refused = |name: &str, bytes: &[u8]| {
        let declaration = load(name);
        let options = Options::new().ctx(&declaration);
        binfmt::from_slice_with::<Object, _>(bytes, &options).unwrap_err().to_string()
    };
    let huge = (1u64 << 63).to_le_bytes();
    assert_eq!(
        refused("user/s_string/1", &huge),
        "value at byte 0x0: count 9223372036854775808 needs 9223372036854775808 bytes, 0 remain"
    );
    assert_eq!(
        refused("user/s_string/1", b"\x01\0\0\0\0\0\0\0\xff"),
        "value at byte 0x8: invalid UTF-8 text"
    );
    assert_eq!(refused("user/s_int32/1", &[1, 2]), "value at byte 0x0: 4 bytes needed, 2 remain");
    assert_eq!(refused("user/s_int32/1", &[1, 2, 3, 4, 5]), "at byte 0x4: 1 byte after the value");
    assert!(
        refused("user/a1_float64/1", &[0xff; 8]).starts_with("value at byte 0x0: count 18446744073709551615")
    );
    let mut dims = Vec::new();
    dims.extend([1u64 << 32, 2, 1 << 32].map(u64::to_le_bytes).concat());
    assert!(
        refused("user/a3_uint8/1", &dims).starts_with("value at byte 0x"),
        "{}",
        refused("user/a3_uint8/1", &dims)
    );
    // 1 x 3 elements where 2 x 3 are declared: the backend reads them
    let wrong = [1u64, 3].map(u64::to_le_bytes).concat();
    let bytes = [&wrong[..], &[0; 6], &3u64.to_le_bytes(), &[0; 24]].concat();
    assert_eq!(refused("user/fixed/1", &bytes), "m at byte 0x0: dimension 0 is 1, the declaration says 2");
    let right = [2u64, 3].map(u64::to_le_bytes).concat();
    let bytes = [&right[..], &[0; 12], &2u64.to_le_bytes(), &[0; 16]].concat();
    assert_eq!(refused("user/fixed/1", &bytes), "n at byte 0x1c: dimension 0 is 2, the declaration says 3");
}

#[test]
fn declarations_that_are_refused() {
    let json = |text: &str| Declaration::parse(text).unwrap_err().to_string();
    for (text, expected) in [
        ("", "byte 0: expected a value, found the end of the text"),
        ("[]", "byte 0: expected an object"),
        ("{} {}", "byte 3: expected the end of the text, found `{`"),
        (r#"{"a": "int8", "a": "int16"}"#, "byte 19: duplicate key `a`"),
        (r#"{"a": 1}"#, "byte 6: expected a type, an object or an array"),
        (r#"{"a": "float16"}"#, "byte 6: `float16` is neither a type nor the name of a format"),
        (r#"{"a": "Int8"}"#, "byte 6: `Int8` is neither a type nor the name of a format"),
        (r#"{"a": "bytes"}"#, "byte 6: `bytes` is neither a type nor the name of a format"),
        (r#"{"a": "../x/1"}"#, "byte 6: `../x/1` is neither a type nor the name of a format"),
        (r#"{"1a": "int8"}"#, "byte 7: `1a` cannot be the name of a field"),
        (r##"{"#type": "int8"}"##, "byte 10: `#type` cannot be the name of a field"),
        (r##"{"#extends": 1}"##, "byte 13: expected the name of a format"),
        (r#"{"a": []}"#, "byte 6: an array without a type"),
        (r#"{"a": [0, [0, "int8"]]}"#, "byte 10: an array of arrays: give it more dimensions"),
        (r#"{"a": [-1, "int8"]}"#, "byte 7: expected a dimension"),
        (r#"{"a": ["int8", 0]}"#, "byte 7: expected a dimension"),
        (r#"{"a": "int8",}"#, "byte 13: expected a key, found `}`"),
        ("{\"a\": \"\\ud800\"}", "byte 7: expected an escape of JSON, found `\\`"),
        ("{\"a\": \"int", "byte 6: a string without its end"),
    ] {
        assert_eq!(json(text), format!("declaration, {expected}"), "{text}");
    }
}

#[test]
fn hostile_declarations_are_refused_at_once() {
    let deep = format!("{}\"int8\"{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
    assert!(Declaration::parse(&deep).unwrap_err().to_string().ends_with("nested deeper than 100 levels"));
    let lists = format!("{{\"a\":{}", "[".repeat(10_000));
    assert!(Declaration::parse(&lists).unwrap_err().to_string().ends_with("nested deeper than 100 levels"));

    // a chain of references without an end
    let next = |name: &str| -> Result<String, String> {
        let n: u32 = name.trim_start_matches("u/r").trim_end_matches("/1").parse().unwrap();
        Ok(format!(r#"{{"a": {{"b": {{"c": "u/r{}/1"}}}}}}"#, n + 1))
    };
    let e = Declaration::resolve("u/r0/1", next).unwrap_err();
    assert!(e.to_string().ends_with("objects nested deeper than 100 levels"), "{e}");

    // 2 to the power of 90 fields
    let twice = |name: &str| -> Result<String, String> {
        let n: u32 = name.trim_start_matches("u/r").trim_end_matches("/1").parse().unwrap();
        Ok(match n {
            90 => "{}".into(),
            n => format!(r#"{{"a": "u/r{0}/1", "b": "u/r{0}/1"}}"#, n + 1),
        })
    };
    let e = Declaration::resolve("u/r0/1", twice).unwrap_err();
    assert!(e.to_string().contains("more than 1048576 fields"), "{e}");

    let circle = |name: &str| -> Result<String, String> {
        Ok(if name == "u/a/1" { r#"{"x": "u/b/1"}"# } else { r##"{"#extends": "u/a/1"}"## }.into())
    };
    let e = Declaration::resolve("u/a/1", circle).unwrap_err();
    assert_eq!(e.to_string(), "declaration u/b/1, byte 13: `u/a/1` refers to itself, through u/a/1, u/b/1");
}

#[derive(BinFormat)]
#[binfmt(le)]
struct Name(#[binfmt(length_prefixed(u64))] String);

#[derive(BinFormat)]
#[binfmt(le, key_order = lexicographic, len = u64)]
struct Vectors {
    #[binfmt(var_len)]
    numbers: Vec<f64>,
    #[binfmt(var_len)]
    bytes: Vec<u8>,
    #[binfmt(var_len)]
    names: Vec<Name>,
    #[binfmt(shape(u64))]
    more_names: Array<Name, 1>,
    #[binfmt(shape(u64))]
    grid: Array<i32, 2>,
}

#[derive(BinFormat)]
#[binfmt(le, key_order = lexicographic)]
struct Pair {
    x: f32,
    y: f32,
}

#[derive(BinFormat)]
#[binfmt(le, key_order = lexicographic)]
struct Pairs {
    left: Pair,
    right: Pair,
    size: i32,
}

#[test]
fn structs_are_compared_by_the_names_of_their_fields() {
    let differences = |json: &str| {
        let declaration = Declaration::parse(json).unwrap();
        declaration
            .check_struct::<Pairs>()
            .map_err(|found| found.list().iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let pair = r#"{"x": "float32", "y": "float32"}"#;
    assert_eq!(differences(&format!(r#"{{"left": {pair}, "right": {pair}, "size": "int32"}}"#)), Ok(()));
    // the bytes would fit, the meaning would not
    assert_eq!(
        differences(&format!(r#"{{"left": {pair}, "right": {pair}, "sum": "int32"}}"#)).unwrap_err(),
        ["size: struct has i32, file has nothing", "sum: struct has nothing, file has int32 (i32)"]
    );
    let renamed = r#"{"x": "float32", "z": "float32"}"#;
    assert_eq!(
        differences(&format!(r#"{{"left": {pair}, "right": {renamed}, "size": "int32"}}"#)).unwrap_err(),
        ["right.y: struct has f32, file has nothing", "right.z: struct has nothing, file has float32 (f32)"]
    );
    // one field more does not move those after it
    assert_eq!(
        differences(&format!(r#"{{"left": {pair}, "more": "int8", "right": {pair}, "size": "int32"}}"#))
            .unwrap_err(),
        ["more: struct has nothing, file has int8 (i8)"]
    );
}

#[test]
fn arrays_of_one_dimension_are_vectors() {
    let json = r#"{"numbers": [0, "float64"], "bytes": [3, "uint8"], "names": [0, "string"],
        "more_names": [0, "string"], "grid": [0, 0, "int32"]}"#;
    Declaration::parse(json).unwrap().check_struct::<Vectors>().unwrap();
    for (from, to, field) in [
        ("float64", "float32", "numbers"),
        ("uint8", "string", "bytes"),
        (r#""names": [0, "string"]"#, r#""names": [0, "int8"]"#, "names"),
        (r#"[0, 0, "int32"]"#, r#"[0, "int32"]"#, "grid"),
        (r#""numbers": [0,"#, r#""numbers": [0, 0,"#, "numbers"),
    ] {
        let json = json.replacen(from, to, 1);
        let text = Declaration::parse(&json).unwrap().check_struct::<Vectors>().unwrap_err().to_string();
        assert!(text.contains(&format!("\n  {field}")) && text.starts_with("1 difference"), "{text}");
    }
}

#[test]
fn names_of_formats_are_those_that_the_platform_takes() {
    let parse = binfmt::formats::beat::FormatName::parse;
    for name in [
        "user/1d_array_of_integers/1",
        "user/-dash/7",
        "_/_/0",
        "u-1/9/007",
        "u/n/4294967296",
        "u/n/123456789012345678901234567890",
    ] {
        assert_eq!(parse(name).unwrap_or_else(|| panic!("{name}")).to_string(), name);
    }
    for name in [
        "",
        "u",
        "u/n",
        "u/n/",
        "u//1",
        "/n/1",
        "u/n/1/1",
        "1u/n/1",
        "-u/n/1",
        "u/n/1a",
        "u/n/-1",
        "u/n/+1",
        "u/../1",
        "u/n.m/1",
        "u/n /1",
        "u/n/1\n",
        "ü/n/1",
        "u/ü/1",
        "u/n/\u{661}",
    ] {
        assert_eq!(parse(name), None, "{name}");
    }
    // by number, and not the same where the files are not
    let mut names = ["b/n/1", "a/n/10", "a/n/9", "a/n/09", "a/n/2"].map(|name| parse(name).unwrap());
    names.sort();
    assert_eq!(names.map(|name| name.to_string()), ["a/n/2", "a/n/9", "a/n/09", "a/n/10", "b/n/1"]);
    // two versions that are one number are two formats
    let json = r#"{"a": "u/n/1", "b": "u/n/01"}"#;
    let found = Declaration::parse_with(json, |name| match name {
        "u/n/1" => Ok(r#"{"x": "int8"}"#.into()),
        _ => Ok(r#"{"x": "int32"}"#.into()),
    });
    let found = found.unwrap();
    assert_eq!(found.to_string(), r#"{"a": {"x": "int8"}, "b": {"x": "int32"}}"#);
    let bytes = [7, 1, 0, 0, 0];
    let object: Object = binfmt::from_slice_with(&bytes, &Options::new().ctx(&found)).unwrap();
    assert_eq!(binfmt::to_vec_with(&object, &Options::new().ctx(&found)).unwrap(), bytes);
    assert!(binfmt::dump::trace_with::<Object, _>(&bytes, &Options::new().ctx(&found)).error().is_none());
}
