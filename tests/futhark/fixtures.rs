//! Futhark streams that the real writers made: read to the content beside them, and written again byte for byte.

use binfmt::dump;
use binfmt::formats::futhark::{
    Contents, Entry, Form, OutputStyle, Value, outlines_from_reader, read, values, values_from_reader, write,
};
use serde_json::Value as Json;
use std::path::Path;

/// The cases that are damaged, or those that are not: name with ending, content, bytes.
fn cases(damaged: bool) -> Vec<(String, Json, Vec<u8>)> {
    let mut cases = Vec::new();
    for folder in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/futhark")).unwrap()
    {
        let folder = folder.unwrap().path();
        let content = std::fs::read_to_string(folder.join("content.json")).unwrap();
        let content: Json = serde_json::from_str(&content).unwrap();
        if content.get("damaged").is_some() != damaged {
            continue;
        }
        let inputs = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let input =
            inputs.into_iter().find(|path| path.file_stem().is_some_and(|stem| stem == "input")).unwrap();
        let name = folder.file_name().unwrap().to_string_lossy();
        let name = format!("{name}.{}", input.extension().unwrap().to_string_lossy());
        cases.push((name, content, std::fs::read(input).unwrap()));
    }
    cases.sort_by(|a, b| a.0.cmp(&b.0));
    cases
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// What the description says of a value: type, shape, and the bytes of the elements.
fn described(json: &Json) -> (String, Vec<u64>, String) {
    let dims = json["shape"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    (json["type"].as_str().unwrap().into(), dims, json["hex"].as_str().unwrap().into())
}

/// The same of a value that was read; its bytes are those of the binary form after the header.
fn found(value: &Value) -> (String, Vec<u64>, String) {
    let bytes = binfmt::to_vec(value).unwrap();
    let elements = &bytes[7 + 8 * value.dims().len()..];
    (value.element_type().to_string(), value.dims().to_vec(), hex(elements))
}

#[test]
fn every_stream_reads_to_its_content() {
    let cases = cases(false);
    assert_eq!(cases.len(), 72);
    for (name, json, bytes) in cases {
        let expected: Vec<_> = json["values"].as_array().unwrap().iter().map(described).collect();
        let read = read(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(read.iter().map(found).collect::<Vec<_>>(), expected, "{name}");
        let streamed: Result<Vec<Value>, _> = values_from_reader(Trickle(&bytes)).collect();
        let streamed = streamed.unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(streamed.iter().map(found).collect::<Vec<_>>(), expected, "{name} from a stream");
    }
}

/// Gives one byte at a time.
struct Trickle<'a>(&'a [u8]);

impl std::io::Read for Trickle<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n = out.len().min(1);
        self.0.read(&mut out[..n])
    }
}

/// Streams in which something stands that no writer makes: hand-written text, whitespace, both forms mixed.
fn is_hand_made(name: &str) -> bool {
    let spaced = name.starts_with("random_") || name.starts_with("mixed_") || name.starts_with("ws_");
    spaced || name == "text_forms.txt"
}

#[test]
fn every_stream_is_written_again() {
    let mut num_same = 0;
    for (name, _, bytes) in cases(false) {
        let values = read(&bytes).unwrap();
        let style = if name.ends_with(".txt") { OutputStyle::Text } else { OutputStyle::Packed };
        if !is_hand_made(&name) {
            assert_eq!(hex(&write(&values, style).unwrap()), hex(&bytes), "{name}");
            num_same += 1;
        }
        let content = values.iter().map(found).collect::<Vec<_>>();
        for style in [OutputStyle::Packed, OutputStyle::Printed, OutputStyle::Text] {
            if style == OutputStyle::Text && name.starts_with("nan_") {
                // text knows one NaN
                continue;
            }
            let again = read(&write(&values, style).unwrap()).unwrap();
            assert_eq!(again.iter().map(found).collect::<Vec<_>>(), content, "{name}, {style:?}");
        }
    }
    assert_eq!(num_same, 58);
}

/// Where each damaged stream is refused, and what is said of it.
const PLACES: [(&str, &str, u64, &str); 17] = [
    ("cut_after_b.bin", "[0].version", 1, "1 byte needed, 0 remain"),
    ("cut_after_version.bin", "[0].rank", 2, "1 byte needed, 0 remain"),
    ("cut_dim.bin", "[0].dims", 7, "count 1 needs 8 bytes, 3 remain"),
    ("cut_elems.bin", "[0].elements", 15, "count 3 needs 12 bytes, 11 remain"),
    ("cut_in_type.bin", "[0].element_type", 3, "4 bytes needed, 3 remain"),
    ("cut_scalar.bin", "[0].elements", 7, "count 1 needs 4 bytes, 2 remain"),
    ("dims_overflow.bin", "[0].dims", 7, "the product of the dimensions is too large"),
    ("empty_not_empty.bin", "[0]", 9, "invalid empty array: no dimension is 0"),
    ("glued_text_bin.bin", "[0]", 0, "expected i32, found `1b`"),
    (
        "huge_dim.bin",
        "[0].elements",
        15,
        "count 1152921504606846975 needs 9223372036854775800 bytes, 0 remain",
    ),
    ("minus_one_dim.bin", "[0].dims", 7, "the product of the dimensions is too large"),
    ("ragged_text.bin", "[0][1]", 9, "expected 2 items of the row, found 1"),
    ("trailing_junk.bin", "[1]", 11, "expected a value, found `x`"),
    (
        "type_left_justified.bin",
        "[0].element_type",
        3,
        "\"i32 \" is not a tag of any type of Futhark, four characters with the spaces in front",
    ),
    (
        "type_unknown.bin",
        "[0].element_type",
        3,
        "\" i99\" is not a tag of any type of Futhark, four characters with the spaces in front",
    ),
    ("version1.bin", "[0].version", 1, "expected the bytes 02, found 01"),
    ("version3.bin", "[0].version", 1, "expected the bytes 02, found 03"),
];

#[test]
fn every_damaged_stream_is_refused_at_its_place() {
    let cases = cases(true);
    assert_eq!(cases.len(), PLACES.len());
    for ((name, _, bytes), place) in cases.into_iter().zip(PLACES) {
        let e = values(&bytes).find_map(Result::err).unwrap_or_else(|| panic!("{name}: accepted"));
        let text = e.kind().to_string();
        assert_eq!(
            (&name[..], &e.path().to_string()[..], e.offset(), &text[..]),
            (place.0, place.1, Some(place.2), place.3)
        );
        assert!(values_from_reader(Trickle(&bytes)).any(|value| value.is_err()), "{name} from a stream");
    }
}

#[test]
fn outlines_are_those_of_the_values() {
    let all = cases(false).into_iter().chain(cases(true));
    for (name, _, bytes) in all {
        for cut in (0..bytes.len()).step_by(1 + bytes.len() / 400).chain([bytes.len()]) {
            let bytes = &bytes[..cut];
            let mut values = values_from_reader(bytes);
            let mut outlines = outlines_from_reader(bytes);
            loop {
                match (values.next(), outlines.next()) {
                    (None, None) => break,
                    (Some(Ok(value)), Some(Ok(found))) => {
                        let of = (values.form(), value.element_type(), value.dims().to_vec());
                        assert_eq!(of, (Some(found.form), found.element_type, found.dims), "{name} {cut}");
                    }
                    (Some(Err(a)), Some(Err(b))) => {
                        let place = |e: &binfmt::Error| (e.path().to_string(), e.is_incomplete());
                        assert_eq!(place(&a), place(&b), "{name} {cut}: {a}, {b}");
                    }
                    (a, b) => panic!("{name} {cut}: {a:?}, {b:?}"),
                }
            }
        }
    }
}

#[test]
fn dumps_name_every_byte() {
    for (name, _, bytes) in cases(false) {
        let mut at = 0;
        for trace in dump::trace_all::<Entry>(&bytes) {
            assert!(trace.error().is_none(), "{name}: {trace}");
            for leaf in trace.nodes().filter(|node| !node.is_group()) {
                assert_eq!(leaf.range().start, at, "{name}: {trace}");
                at = leaf.range().end;
            }
        }
        assert_eq!(at, bytes.len() as u64, "{name}");
    }
}

#[test]
fn forms_are_told_apart() {
    let (_, _, bytes) = cases(false).into_iter().find(|case| case.0 == "mixed_1.in").unwrap();
    let mut stream = values(&bytes);
    let mut forms = Vec::new();
    while let Some(value) = stream.next() {
        value.unwrap();
        forms.push(stream.form().unwrap());
    }
    assert_eq!(forms, [Form::Text, Form::Binary, Form::Text, Form::Binary]);
}

#[test]
fn json_brings_every_value_back() {
    for (name, json, bytes) in cases(false) {
        let values = read(&bytes).unwrap();
        let text = serde_json::to_string(&values).unwrap();
        let again: Vec<Value> = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let content: Vec<_> = values.iter().map(found).collect();
        assert_eq!(again.iter().map(found).collect::<Vec<_>>(), content, "{name}");
        // through the tree of an object, whose names are sorted
        let tree: Json = serde_json::to_value(&values).unwrap();
        let again: Vec<Value> = serde_json::from_value(tree.clone()).unwrap();
        assert_eq!(again.iter().map(found).collect::<Vec<_>>(), content, "{name}");
        for (found, expected) in tree.as_array().unwrap().iter().zip(json["values"].as_array().unwrap()) {
            assert_eq!((&found["type"], &found["shape"]), (&expected["type"], &expected["shape"]));
            if !expected["type"].as_str().unwrap().starts_with('f') {
                assert_eq!(found["values"], expected["values"]);
            }
        }
    }
    let odd = Value::new([3], vec![f32::NEG_INFINITY, f32::NAN, f32::from_bits(0x7fc0_0001)]).unwrap();
    let text = r#"{"type":"f32","shape":[3],"values":["-inf","nan",{"bits":"7fc00001"}]}"#;
    assert_eq!(serde_json::to_string(&odd).unwrap(), text);
    let e = serde_json::from_str::<Value>(r#"{"type":"i8","shape":[],"values":[300]}"#).unwrap_err();
    assert!(e.to_string().contains("300"), "{e}");
    let e = serde_json::from_str::<Value>(r#"{"type":"i8","shape":[2],"values":[3]}"#).unwrap_err();
    assert!(e.to_string().contains("the layout requires a length of 2, the value has 1"), "{e}");
}

#[test]
fn a_dump_in_parts_is_the_dump_of_all_values() {
    for (name, _, bytes) in cases(false).into_iter().chain(cases(true)) {
        let traces: Vec<_> = dump::trace_all::<Entry>(&bytes).collect();
        let expected: String = traces.iter().map(ToString::to_string).collect();
        let error = traces.last().and_then(|trace| trace.error()).map(ToString::to_string);
        for nodes in [1, 4, 1000] {
            let mut text = String::new();
            let parts = dump::PartOptions::new().nodes(nodes);
            let done =
                dump::trace_in_parts::<Contents, (), _>(&bytes[..], &binfmt::Options::new(), parts, |part| {
                    text.push_str(&part.to_string());
                    true
                });
            if error.is_none() || nodes == 1000 {
                assert_eq!(text, expected, "{name}, {nodes} nodes");
                assert_eq!(done.err().map(|e| e.to_string()), error, "{name}");
            } else {
                assert!(done.is_err(), "{name}");
            }
        }
    }
}
