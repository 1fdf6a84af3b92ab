//! Every command on data files and objects that the BEAT platform's backend wrote.

use crate::support::{Folder, Run, hex_float, run, run_with};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A data file, or a single object.
struct Case {
    folder: PathBuf,
    path: PathBuf,
    content: Json,
    bytes: Vec<u8>,
}

impl Case {
    fn is_object(&self) -> bool {
        self.path.extension().is_some_and(|ending| ending == "bin")
    }

    /// Runs `words` on another file of the same objects.
    fn run_on(&self, path: &str, words: &[&str]) -> Run {
        let prefix = root().join("tests/support/beat_prefix");
        let mut all = words.to_vec();
        all.insert(1, path);
        all.extend(["--prefix", prefix.to_str().unwrap(), "--format", "beat"]);
        if self.is_object() {
            all.extend(["--schema", self.content["format"].as_str().unwrap()]);
        }
        run(&all)
    }

    fn run(&self, words: &[&str]) -> Run {
        self.run_on(self.path.to_str().unwrap(), words)
    }

    fn chunks(&self) -> &[Json] {
        self.content["chunks"].as_array().unwrap()
    }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(root().join("tests/data/beat")).unwrap() {
        let folder = entry.unwrap().path();
        let content = std::fs::read_to_string(folder.join("content.json")).unwrap();
        let content = serde_json::from_str(&content).unwrap();
        let path = ["input.bin", "input.data"].map(|name| folder.join(name)).into_iter().find(|p| p.exists());
        let path = path.unwrap();
        cases.push(Case { bytes: std::fs::read(&path).unwrap(), folder, path, content });
    }
    assert!(cases.len() > 80, "{}", cases.len());
    cases
}

fn case(name: &str) -> Case {
    cases().into_iter().find(|case| case.folder.ends_with(name)).unwrap()
}

/// Whether a value of the JSON form is what the description says, which has floats as text.
fn is(found: &Json, described: &Json) -> bool {
    match (found, described) {
        (Json::Array(found), Json::Array(described)) => {
            found.len() == described.len() && found.iter().zip(described).all(|(f, d)| is(f, d))
        }
        (Json::Object(found), Json::Object(described)) => {
            found.len() == described.len()
                && found.iter().all(|(name, f)| described.get(name).is_some_and(|d| is(f, d)))
        }
        (Json::Number(x), Json::String(text)) => {
            let (x, y) = (x.as_f64().unwrap(), hex_float(text));
            x.to_bits() == y.to_bits() || (x as f32).to_bits() == (y as f32).to_bits()
        }
        (Json::String(text), Json::String(described)) if text != described => {
            text == "nan" && hex_float(described).is_nan()
        }
        (found, described) => found == described || found.get("bits").is_some() && described == "nan",
    }
}

#[test]
fn json_has_the_content_of_every_file() {
    for case in cases() {
        let found = case.run(&["cat", "--json"]).ok().json();
        assert_eq!(found["format"], "beat");
        assert_eq!(found["dataformat"], case.content["format"]);
        assert_eq!(found["declaration"], case.content["declaration"]);
        let chunks = found["chunks"].as_array().unwrap();
        assert_eq!(chunks.len(), case.chunks().len());
        for (chunk, described) in chunks.iter().zip(case.chunks()) {
            assert_eq!(
                (chunk.get("start"), chunk.get("end")),
                (described.get("start"), described.get("end"))
            );
            assert!(is(&chunk["value"], &described["value"]), "{}: {chunk}", case.folder.display());
        }
    }
}

#[test]
fn files_become_json_and_the_same_files_again() {
    let folder = Folder::new("beat-round");
    let (json, back, anew) = (folder.path("x.json"), folder.path("x.data"), folder.path("y.data"));
    for case in cases() {
        case.run(&["convert", &json]).ok();
        run(&["convert", &json, &back]).ok();
        assert_eq!(std::fs::read(&back).unwrap(), case.bytes, "{}", case.folder.display());
        case.run(&["convert", &anew]).ok();
        assert_eq!(std::fs::read(&anew).unwrap(), case.bytes, "{}", case.folder.display());
    }
}

#[test]
fn every_file_is_sound_and_told_of() {
    for case in cases() {
        let (chunks, bytes) = (case.chunks().len(), case.bytes.len());
        let found = case.run(&["check"]).ok();
        let unit = if case.is_object() { "object" } else { "chunk" };
        let plural = |n: usize, unit: &str| format!("{n} {unit}{}", if n == 1 { "" } else { "s" });
        let expected = format!("ok ({}, {})\n", plural(chunks, unit), plural(bytes, "byte"));
        assert!(found.text().ends_with(&expected), "{}", found.text());
        let found = case.run(&["inspect", "--json"]).ok().json();
        assert_eq!((&found["dataformat"], &found["bytes"]), (&case.content["format"], &json!(bytes)));
        let names: Vec<&Json> =
            found["fields"].as_array().unwrap().iter().map(|field| &field["name"]).collect();
        assert_eq!(names.len(), case.content["declaration"].as_object().unwrap().len());
        case.run(&["dump"]).ok();
    }
}

#[test]
fn dumps_of_objects_are_those_of_the_library() {
    for case in cases().into_iter().filter(Case::is_object) {
        let expected = std::fs::read_to_string(case.folder.join("dump.txt")).unwrap();
        assert_eq!(case.run(&["dump"]).ok().text(), expected);
    }
    let dump = case("file_ints").run(&["dump", "--range", "..0x1a"]).ok();
    assert!(dump.text().contains("format (encoding): \"binary\\n\""), "{}", dump.text());
    assert!(dump.text().contains("[0].value.size: \"77\\n\""), "{}", dump.text());
}

#[test]
fn damaged_files_are_refused_at_their_place() {
    let folder = Folder::new("beat-damaged");
    let out = Folder::new("beat-damaged-out");
    for case in cases().into_iter().filter(|case| !case.bytes.is_empty()) {
        let cut = folder.file("cut.data", &case.bytes[..case.bytes.len() - 1]);
        let more = folder.file("more.data", &[&case.bytes[..], b"\0"].concat());
        for path in [&cut, &more] {
            let e = case.run_on(path, &["check"]).fails(1).err;
            assert!(e.contains(path.as_str()) && e.contains("at byte "), "{e}");
            case.run_on(path, &["cat", "--json"]).fails(1);
            case.run_on(path, &["convert", &out.path("x.json")]).fails(1);
            case.run_on(path, &["convert", &out.path("x.data")]).fails(1);
        }
    }
    assert!(out.names().is_empty(), "{:?}", out.names());
}

#[test]
fn sets_are_checked_with_what_stands_beside_them() {
    let folder = Folder::new("beat-set");
    let ints = case("file_ints");
    let (document, first) = (folder.path("ints.json"), folder.path("set.0.3.data"));
    let second = folder.path("set.10.13.data");
    ints.run(&["convert", &document]).ok();
    run(&["convert", &document, &first]).ok();
    let mut later: Json = serde_json::from_slice(&std::fs::read(&document).unwrap()).unwrap();
    for chunk in later["chunks"].as_array_mut().unwrap() {
        for index in ["start", "end"] {
            chunk[index] = json!(chunk[index].as_u64().unwrap() + 10);
        }
    }
    std::fs::write(&document, later.to_string()).unwrap();
    run(&["convert", &document, &second]).ok();
    let found = ints.run_on(&first, &["check", &second]);
    assert_eq!(found.ok().text().matches(": ok (").count(), 2);
    let told = ints.run_on(&first, &["inspect", "--json"]).ok().json();
    assert_eq!((&told["set_files"], &told["gaps"]), (&json!(2), &json!([[4, 9]])));
    let other = folder.file("set.2.5.data", b"");
    let e = ints.run_on(&first, &["check"]).fails(1).err;
    assert!(e.contains("set.2.5.data") && e.contains("range of indices 2 to 5"), "{e}");
    std::fs::remove_file(other).unwrap();
    folder.file("set.0.3.data.checksum", "0".repeat(64).as_bytes());
    let e = ints.run_on(&first, &["check"]).fails(1).err;
    assert!(e.contains("checksum"), "{e}");
    std::fs::remove_file(folder.path("set.10.13.data.checksum")).unwrap();
    let e = ints.run_on(&second, &["check"]).fails(1).err;
    assert!(e.contains("set.10.13.data.checksum"), "{e}");
}

#[test]
fn a_set_is_whole_and_of_one_format() {
    let folder = Folder::new("beat-whole");
    let document = |format: &str, at: u64| {
        json!({"format": "beat", "dataformat": format, "declaration": {"n": "int8"},
            "chunks": [{"start": at, "end": at, "value": {"n": 1}}]})
    };
    let write = |base: &str, format: &str, at: u64| {
        let path = folder.path(&format!("{base}.{at}.{at}.data"));
        run_with(&["convert", "-", &path], document(format, at).to_string().as_bytes()).ok();
        path
    };
    let check = |path: &str| run(&["check", path, "--schema", r#"{"n": "int8"}"#]);
    let files = [0, 1, 2].map(|at| write("set", "u/1n/1", at));
    check(&files[1]).ok();
    for lost in [&files[0], &files[2]] {
        let bytes = std::fs::read(lost).unwrap();
        std::fs::remove_file(lost).unwrap();
        let e = check(&files[1]).fails(1).err;
        assert!(e.contains(&format!("{lost} is lost")), "{e}");
        let about = run(&["inspect", &files[1], "--json"]).ok().json();
        assert!(lost.ends_with(about["lost_files"][0].as_str().expect("its name")), "{about}");
        std::fs::write(lost, bytes).unwrap();
    }
    check(&files[1]).ok();
    let other = write("set", "u/other/9", 3);
    let e = check(&other).fails(1).err;
    assert!(e.contains("it has objects of u/other/9") && e.contains("those of u/1n/1"), "{e}");
}

#[test]
fn a_declaration_that_takes_the_newline_is_noticed() {
    let folder = Folder::new("beat-newline");
    let long = r#"{"v": "int64", "w": "int8"}"#;
    let file = |name: &str, bytes: &[u8]| folder.file(name, bytes);
    let one = file("one.data", b"binary\nu/i/1\n0 0 9\n\x07\0\0\0\0\0\0\0\n");
    let e = run(&["check", &one, "--schema", long]).fails(1).err;
    assert!(e.contains("no chunk has a newline after its object") && e.contains("a byte more"), "{e}");
    // what the backend reads is read
    run(&["cat", &one, "--schema", long]).ok();
    run(&["check", &one, "--schema", r#"{"v": "int64"}"#]).ok();
    // without newlines in the sizes, where an object ends in another byte
    let two = file("two.data", b"binary\nu/i/1\n0 0 1\n\n1 1 1\n\x07");
    run(&["check", &two, "--schema", r#"{"v": "int8"}"#]).ok();
}

#[test]
fn dimensions_without_elements_stay_numbers() {
    let folder = Folder::new("beat-empty");
    for dims in [[0, 1u64 << 62], [1 << 62, 0]] {
        let object = folder.file("o.bin", &dims.map(u64::to_le_bytes).concat());
        for item in [json!("int8"), json!("string"), json!({"a": "int8"})] {
            let schema = json!({"v": [0, 0, item]}).to_string();
            let said = ["--format", "beat", "--schema", &schema];
            let shape = run(&[&["cat", "--json", &object][..], &said].concat()).ok().json();
            assert_eq!(shape["chunks"][0]["value"]["v"], json!({"shape": dims, "values": []}));
            for style in ["--csv", "--table", "--tsv"] {
                let text = run(&[&["cat", style, &object][..], &said].concat()).ok();
                assert!(text.text().len() < 200);
            }
            run(&[&["check", &object][..], &said].concat()).ok();
            run(&[&["dump", &object][..], &said].concat()).ok();
        }
    }
}

#[test]
fn formats_whose_name_begins_with_a_digit() {
    let case = case("file_digit");
    let prefix = root().join("tests/support/beat_prefix");
    let words = ["--format", "beat", "--schema", case.content["format"].as_str().unwrap(), "--prefix"];
    let folder = Folder::new("beat-digit");
    let object = folder.file("o.bin", &case.bytes[42..90]);
    let mut all = vec!["check", object.as_str()];
    all.extend(words);
    all.push(prefix.to_str().unwrap());
    run(&all).ok();
    let told =
        run(&["cat", case.path.to_str().unwrap(), "--schema", r#"{"value": [10, "int32"]}"#, "--json"]);
    assert_eq!(told.ok().json()["chunks"][1]["end"], json!(1));
}

#[test]
fn files_of_a_set_get_what_stands_beside_them() {
    let folder = Folder::new("beat-beside");
    for (name, base) in [("file_ints", "a.0.3"), ("file_late", "l.10.24")] {
        let case = case(name);
        let (json, out) = (folder.path("a.json"), folder.path(&format!("{base}.data")));
        case.run(&["convert", &json]).ok();
        run(&["convert", &json, &out]).ok();
        for (theirs, ours) in [
            ("input.data", "data"),
            ("index", "index"),
            ("data.checksum", "data.checksum"),
            ("index.checksum", "index.checksum"),
        ] {
            let found = std::fs::read(folder.path(&format!("{base}.{ours}"))).unwrap();
            assert_eq!(found, std::fs::read(case.folder.join(theirs)).unwrap(), "{base}.{ours}");
        }
        case.run_on(&out, &["check"]).ok();
    }
    // a document that cannot be written leaves nothing, and other names have nothing beside them
    let bad = json!({"dataformat": "u/n/1", "format": "beat", "declaration": {"n": "int8"},
        "chunks": [{"start": 0, "end": 0, "value": {"n": 1}}, {"start": 2, "end": 1, "value": {"n": 1}}]});
    let names = folder.names();
    let e = run_with(&["convert", "-", &folder.path("b.0.1.data")], bad.to_string().as_bytes()).fails(1).err;
    assert!(e.contains("chunks[1].end: the last index is smaller than the first"), "{e}");
    assert_eq!(folder.names(), names);
    run(&["convert", &folder.path("a.json"), &folder.path("b.data")]).ok();
    assert_eq!(folder.names().len(), names.len() + 1);
}

#[test]
fn indices_that_no_chunk_has_are_told() {
    let folder = Folder::new("beat-gaps");
    let chunk = |n: u64, end: u64| json!({"start": n, "end": end, "value": {"n": 1}});
    let document = json!({"format": "beat", "dataformat": "u/n/1", "declaration": {"n": "int8"},
        "chunks": [chunk(0, 1), chunk(3, 3), chunk(7, 9)]});
    for base in ["a.0.9", "a.20.29"] {
        let path = folder.path(&format!("{base}.data"));
        run_with(&["convert", "-", &path], document.to_string().as_bytes()).ok();
    }
    let path = folder.path("a.0.9.data");
    let told = run(&["inspect", &path, "--json"]).ok().json();
    assert_eq!(told["gaps"], json!([[2, 2], [4, 6], [10, 19]]));
    let text = run(&["inspect", &path]).ok();
    assert!(text.text().contains("2, 4 to 6, 10 to 19"), "{}", text.text());
    // a file that is cut says nothing of what may have stood after it
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let told = run(&["inspect", &path, "--json"]).fails(1).json();
    assert_eq!(told["gaps"], json!([[10, 19]]));
}

#[test]
fn documents_may_name_a_declaration() {
    let folder = Folder::new("beat-named");
    let declarations = folder.path("p/dataformats/u/n");
    std::fs::create_dir_all(&declarations).unwrap();
    std::fs::write(format!("{declarations}/1.json"), r#"{"n": "int8"}"#).unwrap();
    let (prefix, out) = (folder.path("p"), folder.path("x.data"));
    let document = |name: &str| {
        let chunks = json!([{"start": 0, "end": 0, "value": {"n": 7}}]);
        json!({"format": "beat", "dataformat": name, "chunks": chunks}).to_string()
    };
    let convert = |name: &str, words: &[&str]| {
        run_with(&[&["convert", "-", &out], words].concat(), document(name).as_bytes())
    };
    convert("u/n/1", &["--prefix", &prefix]).ok();
    assert_eq!(std::fs::read(&out).unwrap(), b"binary\nu/n/1\n0 0 2\n\x07\n");
    let e = convert("u/n/2", &["--prefix", &prefix]).fails(2).err;
    assert!(e.contains("u/n/2") && e.contains("2.json"), "{e}");
    let e = convert("u/n/1", &[]).fails(1).err;
    assert!(e.contains("--prefix"), "{e}");
}

#[test]
fn rows_and_columns() {
    let folder = Folder::new("beat-rows");
    let schema =
        r#"{"n": "int8", "at": {"x": "float32", "y": "float32"}, "text": "string", "list": [0, "int8"]}"#;
    let value = |n: u8| json!({"n": n, "at": {"x": 0.5, "y": "nan"}, "text": "a,b", "list": {"shape": [1], "values": [n]}});
    let document = json!({
        "format": "beat", "dataformat": "u/n/1", "declaration": serde_json::from_str::<Json>(schema).unwrap(),
        "chunks": [{"start": 0, "end": 3, "value": value(1)}, {"start": 4, "end": 4, "value": value(2)}],
    });
    let path = folder.path("a.data");
    run_with(&["convert", "-", &path], document.to_string().as_bytes()).ok();
    let cat = |words: &[&str]| run(&[&["cat", &path, "--schema", schema], words].concat()).ok();
    assert_eq!(cat(&["--json"]).json(), document);
    assert_eq!(
        cat(&["--csv", "--columns", "_start,at.x,at.y,text,n"]).text(),
        "_start,at.x,at.y,text,n\n0,0.5,nan,\"a,b\",1\n4,0.5,nan,\"a,b\",2\n"
    );
    assert_eq!(cat(&["--rows", "1", "--columns", "_end,n"]).text(), "_end\tn\n4\t2\n");
    assert_eq!(cat(&["--rows", "1", "--json"]).json()["chunks"][0]["start"], 4);
    let at = format!("@{}", folder.file("n.json", schema.as_bytes()));
    assert!(run(&["check", &path, "--schema", &at]).ok().text().contains("2 chunks"));
}

#[test]
fn what_is_missing_is_asked_for() {
    let ints = case("file_ints");
    let path = ints.path.to_str().unwrap();
    let e = run(&["cat", path]).fails(2).err;
    assert!(e.contains("user/all/1") && e.contains("--prefix") && e.contains("--schema"), "{e}");
    let told = run(&["inspect", path]).ok();
    assert!(told.text().contains("Chunks       4\n") && told.text().contains("--prefix"), "{}", told.text());
    assert!(run(&["cat", path, "--schema", "u/a/1"]).fails(2).err.contains("--prefix"));
    assert!(run(&["cat", path, "--schema", "int8"]).fails(2).err.contains("is not a declaration"));
    assert!(run(&["cat", path, "--schema", "{\"a\": \"int31\"}"]).fails(2).err.contains("int31"));
    assert!(run(&["cat", path, "--prefix", "/nowhere"]).fails(2).err.contains("/nowhere"));
    let all = case("all");
    let e = run(&["cat", all.path.to_str().unwrap(), "--format", "beat"]).fails(2).err;
    assert!(e.contains("--schema"), "{e}");
    let folder = Folder::new("beat-json");
    let empty = folder.file("empty", b"");
    let checked = run(&["check", &empty, all.path.to_str().unwrap(), "--format", "beat"]);
    let e = checked.err;
    assert!(checked.status == 2 && e.contains(&format!("error: {empty}: ")), "{e}");
    assert_eq!(e.matches("error: ").count(), 2, "{e}");
    std::fs::remove_file(empty).unwrap();
    let documents = [
        (json!({"format": "beat", "chunks": []}), "\"declaration\""),
        (json!({"format": "beat", "declaration": {"n": "int8"}}), "\"chunks\""),
        (
            json!({"format": "beat", "declaration": {"n": "int8"}, "chunks": [{"value": {"n": 300}}]}),
            "chunks[0]",
        ),
        (
            json!({"format": "beat", "declaration": {"n": [2, "int8"]}, "chunks": [{"value": {"n": {"shape": [1], "values": [3]}}}]}),
            "dimension 0 is 1",
        ),
        (
            json!({"format": "beat", "declaration": {"n": "int8"}, "chunks": [{"value": {"n": 1}}, {"value": {"n": 2}}]}),
            "one object",
        ),
    ];
    for (document, word) in documents {
        let e =
            run_with(&["convert", "-", &folder.path("x.data")], document.to_string().as_bytes()).fails(1).err;
        assert!(e.contains(word), "{e}");
    }
    assert!(folder.names().is_empty());
}

#[test]
fn a_field_of_all_objects_is_an_npy_file() {
    let folder = Folder::new("beat-npy");
    let out = folder.path("x.npy");
    let npy = |case: &Case, words: &[&str]| {
        case.run(&[&["convert", &out], words].concat()).ok();
        let bytes = std::fs::read(&out).unwrap();
        let text = String::from_utf8_lossy(&bytes[10..128]).trim_end().to_owned();
        (text, bytes[128..].to_vec())
    };
    let (header, elements) = npy(&case("a3_float64"), &[]);
    assert!(header.contains("'<f8'"), "{header}");
    assert_eq!(elements, case("a3_float64").bytes[24..]);
    let (header, elements) = npy(&case("file_ints"), &["--columns", "int32"]);
    assert!(header.contains("'<i4'") && header.contains("(4,)"), "{header}");
    assert_eq!(elements[..4], 26_048_643_i32.to_le_bytes());
    let (header, elements) = npy(&case("box"), &["--columns", "br.x"]);
    assert!(header.contains("'<f4'") && header.contains("()") && elements.len() == 4, "{header}");
    // several fields become one array of named fields
    let (header, _) = npy(&case("box"), &[]);
    assert!(header.contains("('br.x', '<f4'), ('br.y', '<f4'), ('label', '<U3')"), "{header}");
    let e = case("box").run(&["convert", &out, "--columns", "br.z"]).fails(2).err;
    assert!(e.contains("did you mean `br."), "{e}");
}

/// Data files `base.START.END.data` of numbers, each of the last index of its chunk.
fn set(base: &str, files: &[&[(u64, u64)]]) {
    for chunks in files {
        let (start, end) = (chunks[0].0, chunks[chunks.len() - 1].1);
        let mut writer = binfmt::formats::beat::Writer::create(base, "user/number/1", start, end).unwrap();
        chunks.iter().for_each(|(start, end)| writer.write(*start, *end, &(*end as i32)).unwrap());
        writer.finish().unwrap();
    }
}

/// A folder with the declaration of these numbers.
fn prefix(folder: &Folder) -> String {
    let prefix = folder.path("prefix");
    let place = Path::new(&prefix).join("dataformats/user/number");
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join("1.json"), r#"{"value": "int32"}"#).unwrap();
    prefix
}

#[test]
fn a_set_is_read_by_its_base() {
    let folder = Folder::new("beat-set");
    let (base, prefix) = (folder.path("scores"), prefix(&folder));
    set(&base, &[&[(0, 4), (5, 6), (7, 11)], &[(14, 14), (15, 20)]]);
    let on = |words: &[&str]| {
        let mut all = vec![words[0], base.as_str(), "--prefix", &prefix];
        all.extend(&words[1..]);
        run(&all)
    };
    let rows = |words: &[&str]| {
        let found = on(&[&["cat", "--csv", "--columns", "_start,_end,value"], words].concat()).ok();
        found.text().lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(rows(&[]), ["0,4,4", "5,6,6", "7,11,11", "14,14,14", "15,20,20"]);
    // those that lie wholly inside, as the platform has it
    assert_eq!(rows(&["--start", "3", "--end", "14"]), ["5,6,6", "7,11,11", "14,14,14"]);
    assert_eq!(rows(&["--end", "6", "--rows", "1.."]), ["5,6,6"]);
    assert_eq!(rows(&["--start", "7", "--where", "value > 11"]), ["14,14,14", "15,20,20"]);
    let one = format!("{base}.0.11.data");
    let words = ["cat", &one, "--csv", "--prefix", &prefix, "--start", "5", "--columns", "value"];
    assert_eq!(run(&words).ok().text(), "value\n6\n11\n");
    let json = on(&["cat", "--json", "--start", "15"]).ok().json();
    assert_eq!(json["chunks"], json!([{"start": 15, "end": 20, "value": {"value": 20}}]));
    let told = on(&["inspect", "--json"]).ok().json();
    assert_eq!((&told["count"], &told["indices"]), (&json!(5), &json!([0, 20])));
    assert_eq!((&told["set_files"], &told["gaps"]), (&json!(2), &json!([[12, 13]])));
    assert_eq!(run(&["inspect", "--json", &base]).ok().json()["dataformat"], "user/number/1");
    on(&["check"]).ok();
    assert_eq!(on(&["stats", "--json", "--columns", "value"]).ok().json()["rows"], 5);
    // all files as one
    let whole = folder.path("whole.0.20.data");
    run(&["convert", &base, &whole, "--prefix", &prefix]).ok();
    assert_eq!(run(&["inspect", "--json", &whole, "--prefix", &prefix]).ok().json()["count"], 5);
    let e = on(&["dump"]).fails(2).err;
    assert!(e.contains("a file of a set is explained, such as"), "{e}");
    let before = std::fs::read(&one).unwrap();
    let e = run(&["convert", &base, &one, "--prefix", &prefix, "--start", "5"]).fails(2).err;
    assert!(e.contains("scores.0.11.data: it is a file of the set that is read"), "{e}");
    assert_eq!(std::fs::read(&one).unwrap(), before);
    on(&["check", "--start", "1"]).fails(2);
    // what does not belong together is told
    std::fs::remove_file(format!("{base}.14.20.data")).unwrap();
    let e = on(&["check"]).fails(1).err;
    assert!(e.contains("scores.14.20.data is lost"), "{e}");
    run(&["cat", &folder.path("none"), "--prefix", &prefix]).fails(1);
    // where declarations are not: a message has words, and no number of the system
    let file = format!("{base}.0.11.data");
    for words in [
        &["cat", &file][..],
        &["cat", &file, "--schema", "user/number/1"],
        &["cat", &file, "--schema", "{\"a\": \"b/c/1\"}"],
    ] {
        let e = run(&[words, &["--prefix", &folder.path("none")]].concat()).fails(2).err;
        assert!(e.contains("none: there is no such folder"), "{e}");
        let e = run(&[words, &["--prefix", &folder.path("")]].concat()).fails(2).err;
        assert!(e.contains("No such file or directory") && !e.contains("os error"), "{e}");
    }
}

#[test]
fn sets_stand_side_by_side() {
    let folder = Folder::new("beat-join");
    let prefix = prefix(&folder);
    let at = |name: &str| folder.path(name);
    set(&at("people"), &[&[(0, 2)], &[(3, 4), (8, 9)]]);
    set(&at("images"), &[&[(0, 1), (2, 3), (4, 4), (5, 9)]]);
    let (people, images) = (at("people"), at("images"));
    let rows = |join: &str, more: &[&str]| {
        let words = ["cat", "--csv", "--prefix", &prefix, &people, "--join", join];
        run(&[&words[..], more].concat()).ok().text().to_owned()
    };
    // where the indices are cut is what the platform's loader says of the same sets
    let head = "_start,_end,people.value,images.value\n";
    assert_eq!(rows(&images, &[]), format!("{head}0,1,2,1\n2,2,2,3\n3,3,4,3\n4,4,4,4\n5,9,,9\n"));
    // each of the sets as far as its chunks lie inside
    assert_eq!(rows(&images, &["--start", "3", "--end", "4"]), format!("{head}4,4,4,4\n"));
    let named =
        rows(&format!("a={images},b={people}"), &["--columns", "_end,b.value,a.value", "--rows", "..2"]);
    assert_eq!(named, "_end,b.value,a.value\n1,2,1\n2,2,3\n");
    let words = ["cat", "--json", "--prefix", &prefix, &people, "--join", &images];
    let json = run(&words).ok().json();
    assert_eq!(json["declarations"]["images"], json!({"value": "int32"}));
    let last = json!({"start": 5, "end": 9, "value": {"people": null, "images": {"value": 9}}});
    assert_eq!(json["chunks"][4], last);
    let refused = |words: &[&str], text: &str| {
        let mut all = words.to_vec();
        all.extend(["--prefix", prefix.as_str()]);
        let e = run(&all).fails(2).err;
        assert!(e.contains(text), "{e}");
    };
    refused(&["cat", &people, "--join", &people], "--join: two sets are called `people`");
    refused(&["cat", &format!("{people}.0.2.data"), "--join", &images], "--join is for data sets");
    refused(&["cat", &people, "--join", &at("image")], "the sets there are images, people\n");
    refused(&["cat", &people, "--join", &at("prefix/none")], "no data file with indices in its name");
    refused(&["stats", &people, "--join", &images], "joined sets are shown, by cat");
    refused(&["inspect", &people, "--join", &images], "--join means nothing to this command");
    // a chunk that is not decoded by its declaration is told with its file
    set(&at("torn"), &[&[(0, 9)]]);
    let torn = at("torn.0.9.data");
    let bytes = std::fs::read(&torn).unwrap();
    std::fs::write(&torn, &bytes[..bytes.len() - 3]).unwrap();
    let e = run(&["cat", &people, "--join", &at("torn"), "--prefix", &prefix]).fails(1).err;
    assert!(e.contains("torn.0.9.data"), "{e}");
}

#[test]
fn what_is_written_is_what_the_prefix_declares() {
    let folder = Folder::new("beat-declared");
    let (prefix, csv) = (prefix(&folder), folder.file("n.csv", b"value,more\n7,1\n8,2\n"));
    let out = folder.path("n.0.1.data");
    let words = ["convert", "--force", &csv, &out, "--to", "beat", "--prefix", &prefix, "--dataformat"];
    let widths = "note: column `value`, i64 to i32: checked: what does not fit is an error\n";
    let rest = "note: column `more` is left out: the declaration does not have it\n";
    run(&[&words[..], &["user/number/1"]].concat()).noted(&format!("{widths}{rest}"));
    assert_eq!(
        std::fs::read(&out).unwrap(),
        b"binary\nuser/number/1\n0 0 5\n\x07\0\0\0\n1 1 5\n\x08\0\0\0\n"
    );
    run(&["check", &out, "--prefix", &prefix]).ok();
    let none = run(&[&words[..], &["user/number/1", "--columns", "more"]].concat()).fails(2).err;
    assert!(none.contains("`value`"), "{none}");
    // a name that is not there is that of what the columns are
    let made = "made of the columns, and not in the file: {\"more\": \"int64\", \"value\": \"int64\"}";
    run(&[&words[..], &["user/number/2"]].concat()).noted(made);
}

#[test]
fn the_size_of_a_set_is_that_of_its_files() {
    let folder = Folder::new("beat-size");
    let prefix = prefix(&folder);
    let files = [
        ("n.0.0.data", &b"binary\nuser/number/1\n0 0 5\n\x07\0\0\0\n"[..]),
        ("n.1.1.data", b"binary\nuser/number/1\n1 1 5\n\x08\0\0\0\n"),
    ];
    let all: usize = files.iter().map(|(name, bytes)| (folder.file(name, bytes), bytes.len()).1).sum();
    let base = folder.path("n");
    assert_eq!(run(&["inspect", "--json", &base, "--prefix", &prefix]).ok().json()["bytes"], all);
    let checked = run(&["check", &base, "--prefix", &prefix]).ok();
    assert!(checked.text().contains(&format!("2 chunks, {all} bytes")), "{}", checked.text());
}

/// Results of an analyzer, whose declaration is that of the algorithm.
#[test]
fn results_of_analyzers_are_written() {
    let folder = Folder::new("beat-analysis");
    let prefix = folder.path("prefix");
    std::fs::create_dir_all(format!("{prefix}/algorithms/u/an")).unwrap();
    let declared = r#"{"results": {"rate": {"type": "float32", "display": true}, "n": {"type": "int32", "display": false}}}"#;
    std::fs::write(format!("{prefix}/algorithms/u/an/1.json"), declared).unwrap();
    let (csv, out) = (folder.file("r.csv", b"n,rate\n42,0.5\n"), folder.path("r.0.0.data"));
    let beneath = ["--prefix", prefix.as_str()];
    let words = ["convert", &csv, &out, "--to", "beat", "--dataformat", "analysis:u/an/1"];
    run(&[&words[..], &beneath].concat()).noted("checked");
    let bytes = std::fs::read(&out).unwrap();
    let head = b"binary\nanalysis:u/an/1\n0 0 9\n";
    // fields are in the order of their names
    assert_eq!(bytes, [&head[..], &42i32.to_le_bytes(), &0.5f32.to_le_bytes(), b"\n"].concat());
    assert!(std::path::Path::new(&folder.path("r.0.0.index")).is_file());
    let cat = |file: &str| run(&[&["cat", "--csv", file][..], &beneath].concat()).ok().text().to_owned();
    assert_eq!(cat(&out), "_start,_end,n,rate\n0,0,42,0.5\n");
    // a part of such a file is one, too
    let part = folder.path("part.data");
    run(&[&["convert", &out, &part, "--where", "n = 42"][..], &beneath].concat()).ok();
    assert_eq!(std::fs::read(&part).unwrap(), bytes);
    let wrong = ["convert", &csv, &out, "--to", "beat", "--dataformat", "analysis:an"];
    assert!(run(&[&wrong[..], &beneath].concat()).fails(2).err.contains("is not a name such as user/name/1"));
}
