//! Every command on streams of Futhark values that the real writers made.

use crate::support::{Folder, hex_float, run, run_with};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

struct Stream {
    name: String,
    path: PathBuf,
    content: Json,
}

impl Stream {
    fn path(&self) -> &str {
        self.path.to_str().unwrap()
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.path).unwrap()
    }

    fn is_text(&self) -> bool {
        self.path.extension().is_some_and(|ending| ending == "txt")
    }

    /// Whether nothing but binary values stands there, or nothing but text as programs print it.
    fn is_canonical(&self) -> bool {
        let spaced = ["random_", "mixed_", "ws_"].iter().any(|front| self.name.starts_with(front));
        !spaced && self.name != "text_forms"
    }
}

fn streams(damaged: bool) -> Vec<Stream> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("tests/data/futhark");
    let mut streams = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let folder = entry.unwrap().path();
        let content = std::fs::read_to_string(folder.join("content.json")).unwrap();
        let content: Json = serde_json::from_str(&content).unwrap();
        if content.get("damaged").is_some() == damaged {
            let mut files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
            let path = files.find(|path| path.file_stem().is_some_and(|stem| stem == "input")).unwrap();
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            streams.push(Stream { name, path, content });
        }
    }
    streams
}

/// Whether an element of the JSON form is what the description says.
fn is(found: &Json, described: &Json, of: &str) -> bool {
    if !of.starts_with('f') {
        return found == described;
    }
    let expected = described.as_str().map_or_else(|| described.as_f64().unwrap(), hex_float);
    match found {
        Json::Number(x) if of == "f32" => {
            (x.as_f64().unwrap() as f32).to_bits() == (expected as f32).to_bits()
        }
        Json::Number(x) if of == "f64" => x.as_f64().unwrap().to_bits() == expected.to_bits(),
        // the shortest decimal of a half lies near it
        Json::Number(x) => {
            (x.as_f64().unwrap() - expected).abs() <= (expected.abs() / 2048.0).max(2f64.powi(-25))
        }
        Json::String(text) => match &text[..] {
            "inf" => expected == f64::INFINITY,
            "-inf" => expected == f64::NEG_INFINITY,
            _ => text == "nan" && expected.is_nan(),
        },
        other => other.get("bits").is_some() && expected.is_nan(),
    }
}

#[test]
fn json_has_the_content_of_every_stream() {
    let streams = streams(false);
    assert_eq!(streams.len(), 72);
    for stream in streams {
        let found = run(&["cat", "--json", "--format", "futhark", stream.path()]).ok().json();
        assert_eq!(found["format"], "futhark");
        let (found, expected) =
            (found["values"].as_array().unwrap(), stream.content["values"].as_array().unwrap());
        assert_eq!(found.len(), expected.len(), "{}", stream.name);
        for (value, described) in found.iter().zip(expected) {
            assert_eq!((&value["type"], &value["shape"]), (&described["type"], &described["shape"]));
            let (found, expected) =
                (value["values"].as_array().unwrap(), described["values"].as_array().unwrap());
            assert_eq!(found.len(), expected.len(), "{}", stream.name);
            let of = value["type"].as_str().unwrap();
            let same = found.iter().zip(expected).all(|(found, described)| is(found, described, of));
            assert!(same, "{}: {value}", stream.name);
        }
    }
}

#[test]
fn streams_become_json_and_the_same_streams_again() {
    let folder = Folder::new("futhark-round");
    let mut num_same = 0;
    for stream in streams(false) {
        let ending = if stream.is_text() { "txt" } else { "in" };
        let (json, back) = (folder.path("x.json"), folder.path(&format!("x.{ending}")));
        run(&["convert", "--format", "futhark", stream.path(), &json]).ok();
        run(&["convert", &json, &back]).ok();
        let anew = folder.path(&format!("y.{ending}"));
        run(&["convert", "--format", "futhark", stream.path(), &anew]).ok();
        assert_eq!(std::fs::read(&back).unwrap(), std::fs::read(&anew).unwrap(), "{}", stream.name);
        if stream.is_canonical() {
            assert_eq!(std::fs::read(&back).unwrap(), stream.bytes(), "{}", stream.name);
            num_same += 1;
        }
    }
    assert_eq!(num_same, 58);
}

#[test]
fn text_and_binary_become_each_other() {
    let folder = Folder::new("futhark-forms");
    let input = folder.file("a.in", b"b\x02\x01 i32\x02\0\0\0\0\0\0\0\x01\0\0\0\xff\xff\xff\xff true");
    let text = folder.path("a.txt");
    run(&["convert", &input, &text]).ok();
    assert_eq!(std::fs::read(&text).unwrap(), b"[1i32, -1i32]\ntrue\n");
    assert_eq!(run(&["cat", &input]).ok().text(), "[1i32, -1i32]\ntrue\n");
    assert_eq!(run(&["cat", "--pages", "1", &input]).ok().text(), "true\n");
    let styles = [("packed", &b"\x01bool\x01"[1..]), ("printed", b"bool\x01\n"), ("text", b"true\n")];
    for (style, end) in styles {
        let out = run(&["convert", "--format", "futhark", &text, "-", "--style", style]).ok().out;
        assert!(out.ends_with(end), "{style}: {out:?}");
    }
    let wrong = run(&["convert", &input, "-", "--style", "pretty"]).fails(2);
    assert!(wrong.err.contains("packed, printed or text"), "{}", wrong.err);
    assert!(wrong.out.is_empty());
}

#[test]
fn damaged_streams_are_refused_at_their_place() {
    let folder = Folder::new("futhark-damaged");
    let streams = streams(true);
    assert_eq!(streams.len(), 17);
    for stream in streams {
        for command in ["check", "cat", "inspect", "dump"] {
            let e = run(&[command, "--format", "futhark", stream.path()]).fails(1).err;
            assert!(e.contains(stream.path()) && e.contains(" at byte "), "{}: {e}", stream.name);
        }
        for out in ["x.json", "x.txt", "x.in"] {
            run(&["convert", "--format", "futhark", stream.path(), &folder.path(out)]).fails(1);
        }
    }
    assert!(folder.names().is_empty(), "{:?}", folder.names());
    let big = b"b\x02\x02 f64\0\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0";
    assert!(run_with(&["check", "-"], big).fails(1).err.contains("standard input: [0].dims at byte 7"));
}

#[test]
fn json_that_is_wrong_leaves_no_file() {
    let folder = Folder::new("futhark-json");
    let documents = [
        (json!({"format": "futhark"}), "\"values\""),
        (json!({"format": "futhark", "values": [{"type": "i8", "shape": [], "values": [300]}]}), "values[0]"),
        (json!({"format": "futhark", "values": [{"type": "i8", "shape": [2], "values": [1]}]}), "values[0]"),
    ];
    for (document, word) in documents {
        let text = document.to_string().replace(r#""shape":[2],"type":"i8""#, r#""type":"i8","shape":[2]"#);
        let e = run_with(&["convert", "-", &folder.path("x.in")], text.as_bytes()).fails(1).err;
        assert!(e.contains(word), "{e}");
    }
    assert!(folder.names().is_empty());
}

#[test]
fn inspect_tells_type_and_shape_of_each_value() {
    for stream in streams(false) {
        let found = run(&["inspect", "--json", "--format", "futhark", stream.path()]).ok().json();
        let pairs = |values: &Json| -> Vec<(Json, Json)> {
            values.as_array().unwrap().iter().map(|v| (v["type"].clone(), v["shape"].clone())).collect()
        };
        assert_eq!(pairs(&found["values"]), pairs(&stream.content["values"]), "{}", stream.name);
        assert_eq!(found["bytes"], stream.bytes().len());
    }
}

#[test]
fn dumps_are_those_of_the_library() {
    for stream in streams(false) {
        let expected = std::fs::read_to_string(stream.path.with_file_name("dump.txt")).unwrap();
        let found = run(&["dump", "--format", "futhark", stream.path()]).ok();
        assert_eq!(found.text(), expected, "{}", stream.name);
    }
}

#[test]
fn flat_values_are_tables() {
    let csv = |input: &[u8], more: &[&str]| {
        run_with(&[&["cat", "--csv", "--format", "futhark", "-"], more].concat(), input)
    };
    assert_eq!(csv(b"[[1, 2], [3, 4]]", &[]).ok().text(), "0,1\n1,2\n3,4\n");
    assert_eq!(csv(b"[1, 2] [f32.nan, 0.5f32]", &[]).ok().text(), "0,1\n1,nan\n2,0.5\n");
    assert_eq!(csv(b"1 true 1e300", &[]).ok().text(), "0,1,2\n1,true,1e+300\n");
    assert_eq!(csv(b"[[1, 2], [3, 4]]", &["--rows", "1", "--columns", "1"]).ok().text(), "1\n4\n");
    assert_eq!(csv(b"[[[1]]] [5]", &["--pages", "1"]).ok().text(), "0\n5\n");
    let e = csv(b"[[[1]]]", &[]).fails(1);
    assert!(e.out.is_empty() && e.err.contains("--pages"), "{}", e.err);
    for words in [&["--rows", "7.."][..], &["--pages", "7.."]] {
        let e = run_with(&[&["cat", "--csv", "--format", "futhark", "-"], words].concat(), b"[1, 2]").err;
        assert!(e.contains(&format!("{} 7.. chooses nothing that is there", words[0])), "{e}");
    }
    let e = run_with(&["cat", "--format", "futhark", "-", "--pages", "7"], b"[1, 2]");
    assert!(e.status == 0 && e.err.contains("--pages 7 chooses nothing that is there"), "{}", e.err);
}

#[test]
fn dimensions_without_elements_make_no_table() {
    let out =
        |words: &[&str], input: &[u8]| run_with(&[words, &["--format", "futhark", "-"]].concat(), input);
    let header = |dims: [u64; 2]| [b"b\x02\x02  u8".to_vec(), dims.map(u64::to_le_bytes).concat()].concat();
    for wide in [
        b"empty([0][999999999999999999]i32)".to_vec(),
        b"empty([0][2000000000]i32)".to_vec(),
        header([0, 1 << 62]),
    ] {
        for style in ["--table", "--csv", "--tsv"] {
            let e = out(&["cat", style], &wide).fails(1);
            assert!(
                e.out.is_empty() && e.err.contains("columns: a table has 262144 columns at most"),
                "{}",
                e.err
            );
            assert!(e.err.contains("tip: say --json\n"), "one value is all there is: {}", e.err);
        }
        out(&["cat"], &wide).ok();
        assert_eq!(out(&["cat", "--json"], &wide).ok().json()["values"][0]["values"], json!([]));
    }
    let high = header([i64::MAX as u64, 0]);
    for style in ["--table", "--csv", "--tsv"] {
        assert!(out(&["cat", style], &high).ok().text().trim().is_empty());
        assert!(out(&["cat", style, "--rows", "5..9"], &high).text().trim().is_empty());
    }
    assert_eq!(out(&["cat", "--csv"], b"empty([0][3]i32)").ok().text(), "0,1,2\n");
    let folder = Folder::new("futhark-empty");
    let (csv, npy) = (folder.path("a.csv"), folder.path("a.npy"));
    let from = folder.file("a.in", &high);
    run(&["convert", &from, &csv]).ok();
    assert!(std::fs::read(&csv).unwrap().len() < 2);
    let e = run(&["convert", &from, &npy]).fails(1).err;
    assert!(e.contains("for elements of zero size"), "{e}");
}

#[test]
fn many_values_take_no_more_than_their_list() {
    let folder = Folder::new("futhark-many");
    let many = folder.file("many.in", "1 ".repeat(300_000).as_bytes());
    let told = run(&["inspect", "--json", &many]).ok().json();
    assert_eq!((&told["count"], &told["listed"]), (&json!(300_000), &json!(65_536)));
    assert_eq!(told["values"].as_array().unwrap().len(), 65_536);
    let e = run(&["cat", "--table", &many]).fails(1).err;
    assert!(e.contains("more than 262144 values: a table has 262144 columns at most"), "{e}");
    assert!(e.contains("--pages"), "{e}");
    let few = folder.file("few.in", b"1 2");
    assert!(run(&["inspect", "--json", &few]).ok().json().get("listed").is_none());
}

#[test]
fn values_are_recognised() {
    for stream in streams(false) {
        // a plain number in a file whose name says nothing
        if stream.name == "text_forms" {
            run(&["inspect", stream.path()]).fails(2);
            continue;
        }
        let found = run(&["inspect", "--json", stream.path()]).ok().json();
        assert_eq!(found["format"], "futhark", "{}", stream.name);
    }
    // what the command writes, regardless of the name
    let folder = Folder::new("futhark-own");
    let made = ["i8", "[2]bool", "[0][3]f64", "f16", "[3][2]u64"].map(|of| ["--generate", of]).concat();
    for (name, style) in [("a.x", "text"), ("b.x", "printed"), ("c.x", "packed")] {
        let path = folder.path(name);
        run(&[&["make", "futhark", "--seed", "1", "--style", style, &path][..], &made].concat()).ok();
        run(&["check", &path]).ok();
        for again in ["d.in", "e.txt", "f.dat"] {
            let again = folder.path(again);
            run(&["convert", &path, &again, "--to", "futhark", "--style", "text"]).ok();
            run(&["check", &again]).ok();
        }
    }
    let e = run_with(&["check", "-"], b"1 2 3").fails(2).err;
    assert!(e.contains("--format futhark"), "{e}");
    let damaged = folder.file("damaged.in", b"[1, 2");
    assert!(run(&["check", &damaged]).fails(1).err.contains("expected `,` or `]`"));
}

#[test]
fn random_values_are_those_of_the_seed() {
    let folder = Folder::new("futhark-make");
    let words = ["make", "futhark", "--generate", "[10][20]f32", "--seed", "1", "--bounds", "0:1"];
    let text = run(&words).ok().out;
    assert_eq!(run(&words).ok().out, text);
    let (a, b) = (folder.path("a.in"), folder.path("a.txt"));
    run(&[&words[..], &[&a]].concat()).ok();
    run(&["convert", &a, &b]).ok();
    assert_eq!(std::fs::read(&b).unwrap(), text);
    let made = run(&["cat", "--json", &a]).ok().json();
    assert_eq!(made["values"][0]["shape"], json!([10, 20]));
    let numbers = made["values"][0]["values"].as_array().unwrap();
    assert!(numbers.iter().all(|x| (0.0..=1.0).contains(&x.as_f64().unwrap())));
    let other = run(&["make", "futhark", "--generate", "i8", "--generate", "[2]bool", "--seed", "2"]).ok();
    assert_eq!(other.text().lines().count(), 2);
    for wrong in [&["--generate", "[2]f31"][..], &["--generate", "i8", "--bounds", "9:1"], &["--seed", "1"]] {
        run(&[&["make", "futhark"], wrong].concat()).fails(2);
    }
    let e = run(&["make", "futhark", "--generate", "[2]u8", "--bounds", "0:256"]).fails(2).err;
    assert!(e.contains("--generate [2]u8 --bounds 0:256: `256` is not in the range of u8"), "{e}");
    for (value, said) in [
        ("[1i32, 2.5]", "[1] at byte 7 (0x7): `2.5`: expected i32, found a float"),
        ("[1i32, 2i64]", "[1] at byte 7 (0x7): `2i64`: expected i32, found i64"),
        ("[[1, 2], [3]]", "[1] at byte 11 (0xb): expected 2 items of the row, found 1"),
        ("128i8", "`128i8` is not in the range of i8"),
        ("[2][", "expected `]`, found `[`"),
        ("[2]f31", "expected a type such as `[2][3]f32`, found `f31`"),
    ] {
        let e = run(&["make", "futhark", "--generate", value]).fails(2).err;
        assert_eq!(e.lines().next(), Some(&*format!("error: --generate {value}: {said}")));
    }
    let less = ["make", "futhark", "--generate", "-5", "--generate", "-f32.inf"];
    assert_eq!(run(&less).ok().text(), "-5i32\n-f32.inf\n");
    let bounds = ["--generate", "i8", "--bounds", "0:1", "--bounds", "0:2"];
    assert!(run(&[&["make", "futhark"][..], &bounds].concat()).fails(2).err.contains("--bounds"));
    assert!(run(&["make", "scidb", "--generate", "i8"]).fails(2).err.contains("futhark"));
}

#[test]
fn one_value_is_an_npy_file() {
    let folder = Folder::new("futhark-npy");
    let npy = |input: &[u8]| run_with(&["convert", "--format", "futhark", "-", "-", "--to", "npy"], input);
    let out = npy(b"[[1i16, 2i16], [3i16, -1i16]]").ok().out;
    assert_eq!(out.len(), 128 + 8);
    assert!(
        out.starts_with(b"\x93NUMPY\x01\0\x76\0{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2), }")
    );
    assert!(out.ends_with(b"\n\x01\0\x02\0\x03\0\xff\xff"));
    // values of one length are fields
    assert!(npy(b"1 2").ok().out.ends_with(b"\x01\0\0\0\x02\0\0\0"));
    let e = npy(b"1 [2, 3]").fails(1).err;
    assert!(e.contains("value 0 is i32, value 1 is [2]i32") && e.contains("--pages chooses"), "{e}");
    let input = folder.file("a.in", b"1");
    run(&["convert", "--format", "futhark", &input, &folder.path("a.npy")]).ok();
    assert!(folder.path("a.npy").ends_with(".npy") && folder.names() == ["a.in", "a.npy"]);
}

#[test]
fn a_flag_is_found_in_an_array() {
    let folder = Folder::new("futhark-flags");
    let file = folder.path("flags.in");
    run(&["make", "futhark", &file, "--generate", "[true, false, true]"]).ok();
    let found = "0x0000000f  [0].elements[0]: true\n0x00000011  [0].elements[2]: true\n";
    assert_eq!(run(&["find", "true", &file]).ok().text(), found);
}

/// Values of any shapes are arrays of one archive, as those of one length are.
#[test]
fn values_of_different_shapes_become_an_archive() {
    let folder = Folder::new("futhark-npz");
    let text = b"[1i32, 2, 3]\n[[1.5f64, 2.5], [3.5, 4.5]]\n7i64\n";
    let (values, out) = (folder.file("x.out", text), folder.path("x.npz"));
    let binary = folder.path("b.in");
    run(&["convert", &values, &binary, "--to", "futhark"]).ok();
    let shapes = || {
        let bytes = std::fs::read(&out).unwrap();
        let mut parts = bytes.split_inclusive(|byte| *byte == b'}').map(String::from_utf8_lossy);
        let mut found = Vec::new();
        for part in parts.by_ref().filter(|part| part.contains("'shape'")) {
            let name = part.rsplit_once(".npy").unwrap().0.chars().next_back().unwrap();
            let shape = part.split_once("'shape': ").unwrap().1;
            found.push(format!(
                "{name} {}",
                &shape[..=shape.find(')').unwrap()].replace(", )", ")").replace(",)", ")")
            ));
        }
        found
    };
    for file in [&values, &binary] {
        run(&["convert", file, &out]).ok();
        assert_eq!(shapes(), ["0 (3)", "1 (2, 2)", "2 ()"]);
        run(&["convert", file, &out, "--pages", "1.."]).ok();
        assert_eq!(shapes(), ["1 (2, 2)", "2 ()"]);
    }
    run_with(&["convert", "-", &out], text).ok();
    assert_eq!(shapes().len(), 3);
    let wanted = 2.5f64.to_le_bytes();
    assert!(std::fs::read(&out).unwrap().windows(8).any(|bytes| bytes == wanted));
    // columns are those of a table, which these are not
    run(&["convert", &values, &out, "--columns", "0"]).fails(1);
    run(&["convert", &folder.file("cut.out", &text[..35]), &folder.path("cut.npz")]).fails(1);
    assert!(!folder.names().contains(&"cut.npz".to_owned()));
}

/// Formats that have no arrays get a column for each element of a matrix.
#[test]
fn a_matrix_becomes_columns_of_formats_without_arrays() {
    let folder = Folder::new("futhark-matrix");
    let matrix = folder.file("m.in", b"[[1.5f64, 2.5], [3.5, 4.5], [5.5, 6.5]]");
    let npy = folder.path("m.npy");
    run(&["convert", &matrix, &npy]).ok();
    let out = folder.path("o.sdds");
    let csv = |words: &[&str]| run(&[&["cat", "--csv"], words].concat()).ok().text().to_owned();
    for from in [&matrix, &npy] {
        run(&["convert", from, &out]).ok();
        assert_eq!(csv(&[&out]), "c0,c1\n1.5,2.5\n3.5,4.5\n5.5,6.5\n");
        run(&["convert", from, &out, "--where", "c0 > 2", "--columns", "c1", "--rename", "c1=y"]).ok();
        assert_eq!(csv(&[&out]), "y\n4.5\n6.5\n");
        run(&["convert", from, &out, "--rows", "-1.."]).ok();
        assert_eq!(csv(&[&out]), "c0,c1\n5.5,6.5\n");
        let load = folder.path("o.bin");
        let schema = ["--to", "scidb", "--schema", "<c0:double NOT NULL, c1:double NOT NULL>[i]"];
        run(&[&["convert", from, &load][..], &schema].concat()).ok();
        let bytes: Vec<u8> = [1.5f64, 2.5, 3.5, 4.5, 5.5, 6.5].iter().flat_map(|x| x.to_le_bytes()).collect();
        assert_eq!(std::fs::read(&load).unwrap(), bytes);
    }
    run(&["convert", &matrix, &npy, &out, "--force"]).ok();
    assert_eq!(csv(&[&out]).lines().count(), 7);
    // what has more dimensions is not a table
    let cube = folder.file("c.in", b"[[[1i32, 2]], [[3, 4]]]");
    assert!(run(&["convert", &cube, &out]).fails(2).err.contains("SDDS has no type for"));
}
