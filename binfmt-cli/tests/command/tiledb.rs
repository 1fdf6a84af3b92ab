//! Every command on the arrays that libtiledb 1.6.3 wrote.

use crate::support::{Folder, Run, command, run};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};

const KEY: &str = "0123456789abcdeF0123456789abcdeF";

struct Array {
    name: String,
    path: String,
    content: Json,
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("tests/data/tiledb")
}

fn path(name: &str) -> String {
    data().join(name).to_str().unwrap().to_owned()
}

fn arrays() -> Vec<Array> {
    let mut arrays = Vec::new();
    for entry in std::fs::read_dir(data()).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_some_and(|ending| ending == "json") {
            let content = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            arrays.push(Array { path: path(&name), name, content });
        }
    }
    assert_eq!(arrays.len(), 72);
    arrays
}

/// Runs a command with the key of the encrypted arrays in the environment.
fn keyed(words: &[&str]) -> Run {
    let output = command().args(words).env("BINFMT_KEY", KEY).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    Run { status: output.status.code().unwrap(), out: output.stdout, err }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// A value of the JSON form as the descriptions have it: floats by their bits, text by its bytes.
fn described(found: &Json, of: &str) -> Json {
    let float = |found: &Json| match (found, found.as_str()) {
        (_, Some("nan")) => f64::NAN,
        (_, Some("inf")) => f64::INFINITY,
        (_, Some("-inf")) => f64::NEG_INFINITY,
        (found, _) => found.as_f64().unwrap(),
    };
    match (of, found) {
        (_, Json::Array(list)) => list.iter().map(|found| described(found, of)).collect(),
        ("FLOAT32" | "FLOAT64", Json::Object(bits)) => bits["bits"].clone(),
        ("FLOAT32", _) => json!(format!("{:08x}", (float(found) as f32).to_bits())),
        ("FLOAT64", _) => json!(format!("{:016x}", float(found).to_bits())),
        (_, Json::Object(bytes)) => bytes["hex"].clone(),
        ("STRING_UTF16" | "STRING_UCS2", Json::String(text)) => {
            json!(hex(&text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()))
        }
        ("STRING_UTF32" | "STRING_UCS4", Json::String(text)) => {
            json!(hex(&text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect::<Vec<_>>()))
        }
        (_, Json::String(text)) => json!(hex(text.as_bytes())),
        _ => found.clone(),
    }
}

/// What the command says is what the description says, as far as the command says it.
fn assert_within(found: &Json, wanted: &Json, place: &str) {
    match (found, wanted) {
        (Json::Object(a), Json::Object(b)) => {
            a.iter().for_each(|(name, found)| assert_within(found, &b[name], &format!("{place}.{name}")));
        }
        (Json::Array(a), Json::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{place}");
            a.iter().zip(b).enumerate().for_each(|(i, (a, b))| assert_within(a, b, &format!("{place}[{i}]")));
        }
        _ => assert_eq!(found, wanted, "{place}"),
    }
}

#[test]
fn cells_are_those_of_the_software() {
    for Array { name, path, content } in arrays() {
        let found = keyed(&["cat", "--json", &path]).ok().json();
        let of = content["schema"]["dim_type"].as_str().unwrap();
        let mut schema = found["schema"].clone();
        for dimension in schema["dims"].as_array_mut().unwrap() {
            for end in ["lo", "hi", "extent"] {
                dimension[end] = described(&dimension[end], of);
            }
        }
        assert_within(&schema, &content["schema"], &name);
        for (i, fragment) in found["fragments"].as_array().unwrap().iter().enumerate() {
            assert_eq!(fragment["name"], content["fragments"][i]["name"], "{name}");
            assert_eq!(
                described(&fragment["non_empty_domain"], of),
                content["fragments"][i]["non_empty_domain"]
            );
        }
        for attribute in found["schema"]["attrs"].as_array().unwrap() {
            let (a, of) = (attribute["name"].as_str().unwrap(), attribute["type"].as_str().unwrap());
            assert_eq!(described(&found["attributes"][a], of), content["attrs"][a], "{name}.{a}");
        }
        match content.get("coords") {
            Some(coords) => assert_eq!(&described(&found["coords"], of), coords, "{name}"),
            None => assert!(found.get("coords").is_none()),
        }
        // the tables have the same number of cells
        let rows = keyed(&["cat", "--tsv", "--no-header", &path]).ok().text().lines().count();
        let cells = found["coords"].as_array().map(Vec::len);
        let first = found["schema"]["attrs"][0]["name"].as_str().unwrap_or_default();
        let cells = cells.unwrap_or_else(|| found["attributes"][first].as_array().unwrap().len());
        assert_eq!(rows, cells, "{name}");
    }
}

/// The paths of all files in an array, and their bytes.
fn files(root: &str) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root).unwrap().map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            let inner = files(entry.path().to_str().unwrap());
            found.extend(inner.into_iter().map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else {
            found.push((name, std::fs::read(entry.path()).unwrap()));
        }
    }
    found.sort();
    found
}

/// The attributes whose files can be written in one way only: no compressor of a library, no encryption.
fn exact(content: &Json) -> Vec<String> {
    let libraries = ["GZIP", "ZSTD", "LZ4", "BZIP2"];
    let attributes = content["schema"]["attrs"].as_array().unwrap().iter();
    let exact = attributes.filter(|a| {
        let mut filters = a["filters"]["filters"].as_array().unwrap().iter();
        a["cell_val_num"] != "var" && !filters.any(|f| libraries.contains(&f["type"].as_str().unwrap()))
    });
    exact.map(|a| format!("/{}.tdb", a["name"].as_str().unwrap())).collect()
}

#[test]
fn arrays_come_back_from_json_and_anew() {
    let folder = Folder::new("tiledb-back");
    let mut same = 0;
    for Array { name, path, content } in arrays() {
        let (json, back, anew) = (folder.path("a.json"), folder.path("back"), folder.path("anew"));
        keyed(&["convert", &path, &json]).ok();
        keyed(&["convert", &json, &back]).ok();
        keyed(&["convert", &path, &anew]).ok();
        let shown = keyed(&["cat", "--json", &path]).ok();
        let theirs = files(&path);
        for copy in [&back, &anew] {
            assert_eq!(keyed(&["cat", "--json", copy]).ok().text(), shown.text(), "{name}");
            keyed(&["check", "--strict", copy]).ok();
            let ours = files(copy);
            let names = |files: &[(String, Vec<u8>)]| files.iter().map(|f| f.0.clone()).collect::<Vec<_>>();
            assert_eq!(names(&ours), names(&theirs), "{name}");
            for (file, bytes) in &ours {
                let is_exact = exact(&content).iter().any(|ending| file.ends_with(ending));
                if is_exact && content.get("key").is_none_or(Json::is_null) {
                    let (_, wanted) = theirs.iter().find(|(other, _)| other == file).unwrap();
                    assert_eq!(bytes, wanted, "{name}/{file}");
                    same += 1;
                }
            }
            std::fs::remove_dir_all(copy).unwrap();
        }
        // the cells as they are seen make an array, too
        let seen = folder.file("seen.json", &shown.out);
        keyed(&["convert", &seen, &back, "--to", "tiledb"]).ok();
        assert_eq!(keyed(&["cat", "--csv", &back]).ok().out, keyed(&["cat", "--csv", &path]).ok().out);
        std::fs::remove_dir_all(&back).unwrap();
    }
    assert!(same > 150, "{same}");
    assert_eq!(folder.names(), ["a.json", "seen.json"]);
}

#[test]
fn a_part_of_an_array() {
    let cells = |words: &[&str]| run(&[&["cat", "--csv"], words].concat()).ok().text().to_owned();
    let array = path("d2_col_row");
    let whole = cells(&[&array]);
    let inside = |line: &&str| {
        let mut numbers = line.split(',').map(|n| n.parse::<i32>().unwrap_or(-1));
        let (x, y) = (numbers.next().unwrap(), numbers.next().unwrap());
        (2..5).contains(&x) && (2..=3).contains(&y)
    };
    let wanted: Vec<&str> = whole.lines().filter(inside).collect();
    let part = cells(&[&array, "--subarray", "2..5, 2..=3"]);
    assert_eq!(part.lines().skip(1).collect::<Vec<_>>(), wanted);
    // the other order has the same cells
    let other = cells(&[&array, "--subarray", "[2..5, 2..=3]", "--order", "column", "--no-header"]);
    let mut sorted: Vec<&str> = other.lines().collect();
    assert_ne!(sorted, wanted);
    sorted.sort_unstable();
    assert_eq!(sorted, wanted);
    assert_eq!(
        cells(&[&array, "--rows", "1..3", "--no-header"]),
        whole.split_inclusive('\n').skip(2).take(2).collect::<String>()
    );
    assert_eq!(cells(&[&path("d1_i32"), "--columns", "a,x", "--subarray", "3.."]), "a,x\n1,3\n36,4\n");
    assert_eq!(cells(&[&path("d1_dim_int8"), "--subarray", "-1..1", "--columns", "x"]), "x\n-1\n0\n");
    let floats = cells(&[&path("s2_f32"), "--subarray", "0..20, .5..=84.5", "--columns", "x"]);
    assert_eq!(floats, "x\n4.956\n10.828\n");
    // each part is a document of its own
    let part = run(&["cat", "--json", &array, "--subarray", "2..5,2..=3", "--order", "column"]).ok().json();
    assert_eq!((&part["subarray"], &part["order"]), (&json!([[2, 4], [2, 3]]), &json!("col")));
    assert_eq!(part["attributes"]["a"].as_array().unwrap().len(), 6);
}

#[test]
fn earlier_times() {
    let array = path("d2_fragments");
    let fragments = |words: &[&str]| {
        run(&[&["inspect", "--json", &array], words].concat()).ok().json()["fragment_count"].clone()
    };
    assert_eq!(fragments(&[]), 4);
    let first = run(&["inspect", "--json", &array]).ok().json()["fragments"][0]["first"].to_string();
    assert_eq!(fragments(&["--at", &first]), 1);
    assert_ne!(run(&["cat", &array]).ok().out, run(&["cat", &array, "--at", &first]).ok().out);
    run(&["cat", &array, "--at", "yesterday"]).fails(2);
}

#[test]
fn keys() {
    let folder = Folder::new("tiledb-keys");
    let array = path("e_sparse");
    let wanted = keyed(&["cat", &array]).ok().out;
    let digits = hex(KEY.as_bytes());
    let file = format!("@{}", folder.file("key.txt", format!("{KEY}\n").as_bytes()));
    for key in [KEY, &digits, &file] {
        assert_eq!(run(&["cat", &array, "--key", key]).ok().out, wanted);
    }
    let none = run(&["cat", &array]).fails(1);
    assert!(none.err.contains("a key is needed") && none.err.contains("BINFMT_KEY"), "{}", none.err);
    let wrong = run(&["check", &array, "--key", &KEY.to_lowercase()]).fails(1);
    assert!(wrong.err.contains("wrong key") && !wrong.err.contains(&KEY.to_lowercase()), "{}", wrong.err);
    let short = run(&["cat", &array, "--key", "secret"]).fails(2);
    assert!(short.err.contains("6 bytes") && !short.err.contains("secret"), "{}", short.err);
    let missing = run(&["cat", &array, "--key", "@secret"]).fails(2);
    assert!(!missing.err.contains("@secret"), "{}", missing.err);
    // what is not encrypted needs none, regardless of the environment
    assert_eq!(keyed(&["cat", &path("d1_i32")]).ok().out, run(&["cat", &path("d1_i32")]).ok().out);
    // an array is encrypted when that is said, and its document says that it was
    let (secret, document) = (folder.path("secret"), folder.path("secret.json"));
    run(&["convert", &path("d1_i32"), &secret, "--key", KEY]).ok();
    run(&["cat", &secret]).fails(1);
    keyed(&["convert", &secret, &document]).ok();
    let refused = run(&["convert", &document, &folder.path("open")]).fails(1);
    assert!(refused.err.contains("a key is needed"), "{}", refused.err);
}

/// A copy of an array, to be damaged.
fn copy(folder: &Folder, name: &str) -> String {
    let to = folder.path(name);
    let _ = std::fs::remove_dir_all(&to);
    for (file, bytes) in files(&path(name)) {
        let place = Path::new(&to).join(file);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        std::fs::write(place, bytes).unwrap();
    }
    to
}

fn fragment(array: &str) -> PathBuf {
    let entries = std::fs::read_dir(array).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_dir()).min().unwrap()
}

#[test]
fn sound_arrays() {
    for Array { path, .. } in arrays() {
        let run = keyed(&["check", "--strict", &path]).ok();
        assert!(run.text().contains(": ok ("), "{path}");
    }
}

#[test]
fn damage_is_found() {
    let folder = Folder::new("tiledb-damage");
    let array = copy(&folder, "s2_rtree3");
    for file in ["__coords.tdb", "a.tdb"] {
        let place = fragment(&array).join(file);
        let bytes = std::fs::read(&place).unwrap();
        std::fs::write(&place, &bytes[..bytes.len() - 1]).unwrap();
        let found = run(&["check", &array]).fails(1);
        assert!(found.err.contains(file) && found.err.contains("bytes in the file, found"), "{}", found.err);
        std::fs::write(&place, bytes).unwrap();
    }
    run(&["check", &array]).ok();
    // coordinates out of their box: without filters they can be changed
    let array = path("s1_i32");
    let document = run(&["convert", &array, "-", "--to", "json"]).ok().text().replace(
        "\"coords_filters\":{\"filters\":[{\"level\":-1,\"type\":\"ZSTD\"}]",
        "\"coords_filters\":{\"filters\":[]",
    );
    let moved = folder.path("moved");
    run(&["convert", &folder.file("moved.json", document.as_bytes()), &moved]).ok();
    let place = fragment(&moved).join("__coords.tdb");
    let mut bytes = std::fs::read(&place).unwrap();
    bytes[20] ^= 1;
    std::fs::write(&place, bytes).unwrap();
    let found = run(&["check", &moved]).fails(1);
    assert!(found.err.contains("box in the R-tree") && found.err.contains("__coords.tdb"), "{}", found.err);
}

/// An array of one sparse dimension, and coordinates that are stored as they are: in one byte each.
fn of_bytes(folder: &Folder, coords: &[u8]) -> String {
    use binfmt::formats::tiledb::{
        ArraySchema, Datatype, Dimension, FilterPipeline, Number, Numbers, Options,
    };
    let path = folder.path("bytes");
    let _ = std::fs::remove_dir_all(&path);
    let x = Dimension::new("x", Number::U8(0), Number::U8(9), Number::U8(5));
    let mut schema = ArraySchema::sparse(Datatype::Uint8, [x]);
    schema.coords_filters = FilterPipeline::default();
    let storage = binfmt::formats::tiledb::Folder::new(&path);
    let mut array = Options::new().create(storage, schema).unwrap();
    let places: Vec<u8> = (0u8..).take(coords.len()).collect();
    array.insert().coords([Numbers::U8(places)]).write().unwrap();
    let place = fragment(&path).join("__coords.tdb");
    let mut bytes = std::fs::read(&place).unwrap();
    let at = bytes.len() - coords.len();
    bytes[at..].copy_from_slice(coords);
    std::fs::write(place, bytes).unwrap();
    path
}

#[test]
fn cells_in_another_order_or_twice_are_told() {
    let folder = Folder::new("tiledb-order");
    for (coords, wanted) in [
        ([0, 2, 1, 3], "cells not in global order: 1"),
        ([0, 1, 1, 3], "cells at the place of the cell before: 1"),
    ] {
        let array = of_bytes(&folder, &coords);
        let found = run(&["check", &array]);
        assert_eq!(found.status, 0);
        assert!(found.err.contains(wanted), "{}", found.err);
        assert!(run(&["check", "--strict", &array]).fails(1).err.contains(wanted));
    }
    assert_eq!(run(&["check", "--strict", &of_bytes(&folder, &[0, 1, 2, 3])]).ok().err, "");
}

#[test]
fn a_fragment_without_cells_is_left_out() {
    use binfmt::formats::tiledb::Options;
    let folder = Folder::new("tiledb-empty");
    let path = of_bytes(&folder, &[0, 1]);
    let opened = Options::new().open(binfmt::formats::tiledb::Folder::new(&path)).unwrap();
    let mut metadata = opened.fragments()[0].metadata().clone();
    metadata.rtree.levels.clear();
    metadata.tile_offsets[0].values.clear();
    let footer = &mut metadata.footer;
    (footer.null_non_empty_domain, footer.sparse_tile_num, footer.last_tile_cell_num) = (true, 0, 0);
    footer.file_sizes = vec![0];
    let empty = Path::new(&path).join("__9_9_00000000000000000000000000000000");
    std::fs::create_dir(&empty).unwrap();
    let bytes = metadata.to_bytes(opened.schema(), None).unwrap();
    std::fs::write(empty.join("__fragment_metadata.tdb"), bytes).unwrap();
    std::fs::write(empty.join("__coords.tdb"), []).unwrap();
    let cells = run(&["cat", &path]).ok().out;
    let document = folder.path("empty.json");
    run(&["convert", &path, &document]).ok();
    for (from, to) in [(&document, "again"), (&path, "anew")] {
        let to = folder.path(to);
        let made = run(&["convert", from, &to]);
        assert!(made.status == 0 && made.err.contains("has no cells: left out"), "{}", made.err);
        assert_eq!(run(&["cat", &to]).ok().out, cells);
    }
}

#[test]
fn what_does_not_count_is_told() {
    let folder = Folder::new("tiledb-strange");
    let array = copy(&folder, "d2_fragments");
    let cells = run(&["cat", &array]).ok().out;
    std::fs::create_dir(Path::new(&array).join("__9_9_00000000000000000000000000000000")).unwrap();
    std::fs::write(fragment(&array).join("b.tdb"), b"?").unwrap();
    assert_eq!(run(&["cat", &array]).ok().out, cells);
    let found = run(&["check", &array]);
    assert_eq!(found.status, 0);
    assert!(
        found.err.contains("no reader sees") && found.err.contains("/b.tdb: unknown file"),
        "{}",
        found.err
    );
    run(&["check", "--strict", &array]).fails(1);
    let ignored = run(&["inspect", "--json", &array]).ok().json()["ignored"].clone();
    assert_eq!(ignored.as_array().unwrap().len(), 2);
}

#[test]
fn every_byte_is_explained() {
    for Array { path, name, .. } in arrays() {
        let dump = keyed(&["dump", &path]).ok();
        let (mut seen, mut at, mut file_end) = (0, 0, 0);
        // what is not in the file stands further to the right
        let unfiltered = |line: &&str| line.starts_with("    0x") || line.starts_with(&" ".repeat(16));
        for line in dump.text().lines().filter(|line| !unfiltered(line)) {
            if let Some(heading) = line.strip_prefix("# ") {
                if let Some((_, size)) = heading.split_once(".tdb: ") {
                    assert_eq!(at, file_end, "{name}: before {heading}");
                    (at, file_end) = (0, size.split(' ').next().unwrap().parse().unwrap());
                    seen += 1;
                }
            } else if let Some(address) = line.strip_prefix("0x") {
                assert_eq!(usize::from_str_radix(&address[..8], 16), Ok(at), "{name}: {line}");
                at += line[12..59].split_whitespace().count();
                assert!(!line.contains("not named"), "{name}: {line}");
            } else if let Some((_, more)) = line.split_once("… ") {
                at += more.split(' ').next().unwrap().parse::<usize>().unwrap();
            }
        }
        assert_eq!((at, seen), (file_end, files(&path).len()), "{name}");
    }
}

#[test]
fn one_file_is_explained() {
    let file = fragment(&path("d1_i32")).join("a.tdb");
    let file = file.to_str().unwrap();
    let text = run(&["dump", file, "--range", "28.."]).ok();
    assert!(text.text().contains("tiles[1].chunks[0].data: 8 bytes"), "{}", text.text());
    assert!(text.text().contains("    0x00000004  24 00 00 00"), "{}", text.text());
    assert!(!text.text().contains("tiles[0]"), "{}", text.text());
    run(&["dump", &path("d1_i32"), "--range", "..5"]).fails(2);
    let run = run(&["cat", file]).fails(2);
    assert!(run.err.contains("a.tdb is one file") && run.err.contains("d1_i32\n"), "{}", run.err);
}

#[test]
fn mistakes_are_explained() {
    let array = path("d2_col_row");
    for (words, text) in [
        (["--subarray", "1..2"], "has 1 range, the array has 2 dimensions: rows, cols"),
        (
            ["--subarray", "1..2, 1..100"],
            "range 2 (`1..100`) of `cols`: its last coordinate, 99 is not in the domain, 1 to 7",
        ),
        (["--subarray", "1..x, .."], "range 1 (`1..x`) of `rows`: `x` is not a number"),
        (["--columns", "rows,b2"], "unknown column `b2`"),
        (["--order", "hilbert"], "--order must be row or column"),
        (["--strict", "--csv"], "--strict means nothing to this command"),
    ] {
        let run = run(&[&["cat", &array], &words[..]].concat()).fails(2);
        assert!(run.err.contains(text), "{}", run.err);
    }
    let e = run(&["find", "7", &array, "--subarray", "1..2, .."]).fails(2).err;
    assert!(e.contains("cat --where 'a = 7' --subarray"), "{e}");
    let e = run(&["inspect", &array, "--subarray", "1..2, .."]).fails(2).err;
    assert!(e.contains("cat, convert, stats, diff and plot take it"), "{e}");
    let missing = run(&["cat", &path("no_such_array")]).fails(1);
    assert!(missing.err.contains("no such file or directory"), "{}", missing.err);
    let plain = run(&["inspect", data().to_str().unwrap()]).fails(2);
    assert!(plain.err.contains("this folder") && plain.err.contains("__array_schema.tdb"), "{}", plain.err);
    let inner = run(&["inspect", fragment(&array).to_str().unwrap()]).fails(1);
    assert!(inner.err.contains("this is a fragment of an array, which is the folder above"), "{}", inner.err);
    let folder = Folder::new("tiledb-mistakes");
    folder.file("__tiledb_group.tdb", b"");
    let array = copy(&folder, "d1_i32");
    let group = run(&["cat", &folder.path("")]).fails(1);
    assert!(group.err.contains("a group") && group.err.contains("d1_i32"), "{}", group.err);
    // nothing is replaced
    let taken = run(&["convert", &path("d1_i32"), &array]).fails(1);
    assert!(taken.err.contains("something already"), "{}", taken.err);
    run(&["convert", &array, "-"]).fails(2);
}

#[test]
fn other_versions_are_named() {
    let folder = Folder::new("tiledb-versions");
    let array = copy(&folder, "d1_i32");
    let schema = Path::new(&array).join("__array_schema.tdb");
    let bytes = std::fs::read(&schema).unwrap();
    for (version, release) in
        [(1, "TileDB 1.3 to 1.4.0"), (2, "1.5"), (4, "TileDB 1.7"), (5, "TileDB 2.0"), (9, "2.3")]
    {
        std::fs::write(&schema, [&[version, 0, 0, 0], &bytes[4..]].concat()).unwrap();
        let run = run(&["inspect", &array]).fails(1);
        assert!(
            run.err.contains(&format!("format version {version}, which")) && run.err.contains(release),
            "{}",
            run.err
        );
    }
    // later ones have their schemas in a folder
    std::fs::remove_file(&schema).unwrap();
    std::fs::create_dir(Path::new(&array).join("__schema")).unwrap();
    let later = Path::new(&array).join("__schema/__1_1_00000000000000000000000000000000");
    std::fs::write(later, [&[22, 0, 0, 0], &bytes[4..]].concat()).unwrap();
    for command in ["inspect", "cat", "check", "dump"] {
        let run = run(&[command, &array]).fails(1);
        assert!(run.err.contains("format version 22, which TileDB 2.25 or later writes"), "{}", run.err);
    }
}

#[test]
fn documents_that_are_none() {
    let folder = Folder::new("tiledb-documents");
    let good = run(&["cat", "--json", &path("d1_i32")]).ok().text().to_owned();
    for (from, to, text) in [
        ("\"schema\"", "\"shape\"", "no member \"schema\""),
        ("\"INT32\",\"dims\"", "\"INT33\",\"dims\"", "unknown type \"INT33\""),
        ("\"ZSTD\"", "\"BROTLI\"", "unknown filter \"BROTLI\""),
        ("98,", "98.5,", "attributes.a: [0]: 98.5 is not "),
        ("98,", "", "expected 4 cells, found 3"),
        ("\"attributes\":{\"a\"", "\"attributes\":{\"b\"", "no such attribute"),
        ("__1_1_", "../__1_1_", "is not the name of a fragment"),
        ("\"hi\":4", "\"hi\":0", "invalid range 1 to 0"),
    ] {
        assert!(good.contains(from), "{from}");
        let document = folder.file("bad.json", good.replacen(from, to, 1).as_bytes());
        let run = run(&["convert", &document, &folder.path("out")]).fails(1);
        assert!(run.err.contains(text), "{text}: {}", run.err);
        assert_eq!(folder.names(), ["bad.json"]);
    }
    // what a person leaves out is as TileDB has it by default
    let least = r#"{"format":"tiledb","schema":{"array_type":"sparse","dim_type":"FLOAT64","dims":[{"name":"x","lo":0,"hi":1,"extent":0.5}],
        "attrs":[{"name":"name","type":"STRING_UTF8","cell_val_num":"var"}]},"coords":[[0.75],[0.25]],"attributes":{"name":["b","ä"]}}"#;
    let document = folder.file("least.json", least.as_bytes());
    run(&["convert", &document, &folder.path("least"), "--at", "7"]).ok();
    assert_eq!(run(&["cat", "--csv", &folder.path("least")]).ok().text(), "x,name\n0.25,ä\n0.75,b\n");
    assert_eq!(run(&["inspect", "--json", &folder.path("least")]).ok().json()["fragments"][0]["first"], 7);
}

/// A copy of an array of several fragments.
fn of_fragments(folder: &Folder, name: &str) -> String {
    let copied = folder.path(name);
    run(&["convert", &path(name), &copied]).ok();
    copied
}

#[test]
fn fragments_become_one() {
    let folder = Folder::new("consolidate");
    for name in ["d2_fragments", "s2_fragments", "d2_sparse_frag_in_dense"] {
        let array = of_fragments(&folder, name);
        let before = run(&["cat", "--csv", &array]).ok();
        let shown = || run(&["inspect", "--json", &array]).ok().json();
        let fragments = shown()["fragments"].as_array().unwrap().len();
        assert!(fragments > 1);
        let done = run(&["consolidate", &array, "--threads", "2", "--amplification", "4"]).ok();
        assert!(
            done.text().starts_with(&format!("{array}: {fragments} fragments are one now, of the times "))
        );
        assert_eq!(shown()["fragments"].as_array().unwrap().len(), 1);
        assert_eq!(run(&["cat", "--csv", &array, "--threads", "3"]).ok().out, before.out, "{name}");
        // a fragment that was replaced is not an error
        run(&["check", "--strict", &array]).ok();
        assert!(run(&["consolidate", &array]).ok().text().ends_with(": 1 fragment, nothing to do\n"));
        let files = |array: &str| std::fs::read_dir(array).unwrap().count();
        let would = run(&["vacuum", "--dry-run", &array]).ok();
        assert_eq!((would.text().lines().count(), files(&array)), (fragments + 1, fragments + 3));
        let removed = run(&["vacuum", &array]).ok();
        assert_eq!(removed.text(), would.text().replace("would be removed", "removed"));
        assert_eq!((files(&array), run(&["cat", "--csv", &array]).ok().out), (3, before.out));
    }
}

#[test]
fn leftovers_of_killed_writers_go() {
    let folder = Folder::new("vacuum");
    let array = of_fragments(&folder, "s2_fragments");
    let at = |name: &str| Path::new(&array).join(name);
    let (fragment, part) =
        ("__5_5_00112233445566778899aabbccddeeff", "__array_schema.tdb.0123456789abcdef.part");
    std::fs::create_dir(at(fragment)).unwrap();
    for file in [&format!("{fragment}/a.tdb"), part, "notes.txt"] {
        std::fs::write(at(file), "four").unwrap();
    }
    // they may be those of a program at work
    let kept = run(&["vacuum", &array]).noted("it is younger than an hour: --all removes it");
    assert_eq!(kept.text(), format!("{array}: 0 fragments and files removed, 0 bytes\n"));
    // so may that of a program whose clock is ahead
    let set = |time| std::fs::File::options().write(true).open(at(part)).unwrap().set_modified(time).unwrap();
    set(std::time::SystemTime::now() + std::time::Duration::from_secs(7200));
    run(&["vacuum", &array]).noted(part);
    assert!(at(part).exists());
    set(std::time::SystemTime::now() - std::time::Duration::from_secs(7200));
    let first = run(&["vacuum", &array]).noted(fragment);
    let line = format!("{part}: a part of a file that was never finished (4 bytes)");
    assert_eq!(first.text(), format!("{line}\n{array}: 1 fragment or file removed, 4 bytes\n"));
    let rest = run(&["vacuum", "--all", &array]).ok();
    let line = format!("{fragment}: a fragment without metadata, which no reader sees (4 bytes)");
    assert_eq!(rest.text(), format!("{line}\n{array}: 1 fragment or file removed, 4 bytes\n"));
    assert!(at("notes.txt").exists() && !at(part).exists() && !at(fragment).exists());
}

#[test]
fn what_is_no_array_has_no_fragments() {
    let folder = Folder::new("no-array");
    let csv = folder.path("a.csv");
    std::fs::write(&csv, "a\n1\n").unwrap();
    for (word, text) in [("consolidate", "has nothing to consolidate"), ("vacuum", "leaves nothing over")] {
        let e = run(&[word, "--format", "csv", &csv]).fails(2).err;
        assert!(e.contains(&format!("a CSV file {text}")), "{e}");
    }
    let e = run(&["vacuum", &path("d1_i32"), "--amplification", "2"]).fails(2).err;
    assert!(e.contains("--amplification means nothing to this command"), "{e}");
    run(&["consolidate", &path("d2_fragments"), "--at", "5"]).fails(2);
    run(&["consolidate", &path("d2_fragments"), "--threads", "two"]).fails(2);
}

#[test]
fn times_are_said_as_people_write_them() {
    let folder = Folder::new("times");
    let document = folder.path("array.json");
    let mut array: Json = run(&["convert", &path("s1_i32"), "-", "--to", "json"]).ok().json();
    let first = array["fragments"][0].clone();
    let mut at = |time: u64| {
        let mut fragment = first.clone();
        fragment.as_object_mut().unwrap().remove("name");
        fragment["timestamps"] = json!([time, time]);
        array["fragments"].as_array_mut().unwrap().push(fragment);
    };
    at(1_714_564_800_000);
    at(1_714_564_800_250);
    std::fs::write(&document, array.to_string()).unwrap();
    let made = folder.path("array");
    run(&["convert", &document, &made]).ok();
    let seen = |time: &str| {
        run(&["inspect", "--json", &made, "--at", time]).ok().json()["fragments"].as_array().unwrap().len()
    };
    for (time, fragments) in [
        ("2024-05-01T11:59:59.999Z", 1),
        ("2024-05-01T12:00:00Z", 2),
        ("2024-05-01 14:00:00+02:00", 2),
        ("2024-05-01T10:30:00-01:30", 2),
        ("2024-05-01T12:00:00.250Z", 3),
        ("2024-05-02", 3),
        ("1714564800000", 2),
    ] {
        assert_eq!(seen(time), fragments, "{time}");
    }
    let e = run(&["cat", &made, "--at", "yesterday"]).fails(2).err;
    assert!(e.contains("a time is such as 2024-05-01T12:00:00Z"), "{e}");
}

#[test]
fn texts_that_are_not_utf8_are_texts() {
    let folder = Folder::new("tiledb-odd");
    let csv = folder.file("odd.csv", b"s\na\n\x80\n0x80\n");
    let array = folder.path("odd.tdb");
    run(&["convert", &csv, &array]).noted("column `s`: a text is not UTF-8, so that it is CHAR");
    // as a fill value of `CHAR` is; and no text is taken for bytes
    let rows = b"s\na\n\x80\n0x80\n";
    assert_eq!(run(&["cat", "--csv", &array, "--columns", "s"]).ok().out, rows);
    assert_eq!(run(&["cat", "--csv", &array, "--columns", "s", "--where", "row >= 0"]).ok().out, rows);
    assert_eq!(run(&["cat", &array, "--columns", "s"]).ok().text(), "s\na\n\\x80\n0x80\n");
}

#[test]
fn what_is_no_time_is_not_shown_as_one() {
    let folder = Folder::new("tiledb-nat");
    let csv = folder.file("t.csv", b"n,t\n1,2024-01-01T00:00:00.000000000\n2,\n");
    let (array, again) = (folder.path("t.tdb"), folder.path("again.tdb"));
    run(&["convert", &csv, &array, "--types", "t:time[ns]"]).noted("1 missing value is the fill value");
    let shown = run(&["cat", "--csv", &array, "--columns", "n,t"]).ok().text().to_owned();
    assert_eq!(shown, "n,t\n1,2024-01-01T00:00:00.000000000\n2,NaT\n");
    let csv = folder.file("shown.csv", shown.as_bytes());
    run(&["convert", &csv, &again, "--types", "t:time[ns]"]).ok();
    assert_eq!(run(&["cat", "--csv", &again, "--columns", "n,t"]).ok().text(), shown);
    let found = run(&["stats", "--json", &array, "--columns", "t"]).ok().json()["columns"][0].clone();
    assert_eq!((&found["count"], &found["missing"]), (&1.into(), &1.into()), "{found}");
    assert_eq!((&found["min"], &found["deviation"]), (&found["max"], &json!(null)), "{found}");
}

/// What nobody wrote is not a line at the value that fills it.
#[cfg(feature = "plot")]
#[test]
fn pictures_are_of_what_was_written() {
    let folder = Folder::new("tiledb-plot");
    let out = folder.path("p.svg");
    let draw = |words: &[&str]| run(&[&["plot", &path("d2_row_row"), "--output", &out], words].concat());
    let told = "only the part was looked at in which cells were written, `rows` >= 2 and `rows` <= 4";
    for words in [&["--y", "a"][..], &["--image", "a", "--x", "cols", "--y", "rows"]] {
        draw(words).noted(told);
        let part = std::fs::read_to_string(&out).unwrap();
        draw(&[words, &["--subarray", "2..=4, 3..=6"]].concat()).ok();
        assert_eq!(part, std::fs::read_to_string(&out).unwrap());
        draw(&[words, &["--subarray", ".., .."]].concat()).ok();
        assert_ne!(part, std::fs::read_to_string(&out).unwrap());
    }
}

#[test]
fn texts_of_one_value_look_the_same_everywhere() {
    let array = path("d1_types");
    let all = run(&["cat", "--csv", &array]).ok();
    assert_eq!(run(&["cat", "--csv", "--where", "true", &array]).out, all.out);
    let shown = run(&["cat", "--jsonl", "--columns", "a_char,a_string*", "--where", "x = 1", &array]);
    let row: serde_json::Value = serde_json::from_str(shown.text()).unwrap();
    assert_eq!(
        (&row["a_char"], &row["a_string_ascii"], &row["a_string_utf8"]),
        (&json!("f"), &json!("f"), &json!("z"))
    );
    assert!(row["a_string_utf16"].is_string() && row["a_string_utf32"].is_string(), "{row}");
    for name in ["a_string_ascii", "a_string_utf8", "a_string_utf16", "a_string_ucs4"] {
        let stats = run(&["stats", "--json", "--columns", name, &array]).json();
        assert_eq!(stats["columns"][0]["type"], "text", "{stats}");
        let found = run(&["cat", "--csv", &array, "--columns", name, "--where", &format!("{name} = 'f'")]);
        assert_eq!(found.status, 0, "{}", found.err);
        assert!(name != "a_string_ascii" || found.text().contains("f\n"), "{found:?}");
    }
}

#[test]
fn a_year_is_found_where_years_are_counted() {
    let found = run(&["find", "1983", &path("f_bwr_datetime")]).ok();
    assert!(found.text().contains("a_year[0]: 1983"), "{found:?}");
}
