//! SDDS files: what the command says of every file whose content is known.

use crate::support::{Folder, run, run_with};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").join("tests/data/sdds")
}

fn path(name: &str) -> String {
    folder().join(name).to_str().expect("the path is text").to_owned()
}

/// A file and what the official library says of it.
struct Case {
    name: String,
    path: String,
    json: Json,
}

/// Files in which the official library has a fault, or stops where the command goes on; see the tests of the library.
const DIFFERENT: [&str; 5] = [
    "hand/ascii_noeol_param",
    "hand/endian_conflict",
    "hand/fixedrow_be",
    "hand/fixedvalue_bad",
    "hand/longcommand_1100",
];

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for group in ["hand", "official"] {
        for entry in std::fs::read_dir(folder().join(group)).expect("the folder is there") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|e| e == "sdds") {
                let name = format!("{group}/{}", path.file_stem().expect("a name").to_string_lossy());
                cases.push(case(name, &path, &path.with_extension("json")));
            }
        }
    }
    for entry in std::fs::read_dir(folder().join("packed")).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if let Some((stem, ending)) = name.split_once(".sdds.") {
            let json = path.with_file_name(format!("{stem}_{ending}.json"));
            cases.push(case(format!("packed/{name}"), &path, &json));
        }
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(cases.len() > 110);
    cases
}

fn case(name: String, path: &Path, json: &Path) -> Case {
    let json = std::fs::read_to_string(json).expect("a description");
    let json = serde_json::from_str(&json).expect("a description");
    Case { name, path: path.to_str().expect("the path is text").to_owned(), json }
}

fn is_damaged(case: &Case) -> bool {
    case.json["read_error"].is_object()
}

fn sound() -> impl Iterator<Item = Case> {
    let different = |case: &Case| DIFFERENT.contains(&case.name.as_str());
    cases().into_iter().filter(move |case| !is_damaged(case) && !different(case))
}

/// Runs words on a file, with what its header may include.
fn sdds(words: &[&str]) -> crate::support::Run {
    let include = path("hand");
    run(&[words, &["--include", &include]].concat())
}

/// Success; what is worth knowing may be said.
fn done(run: crate::support::Run) -> crate::support::Run {
    assert!(run.status == 0 && run.err.lines().all(|line| line.starts_with("note: ")), "{run:?}");
    run
}

/// A value of the form, compared with one of a description: floats are text there, `longdouble` bare digits.
fn is_same(found: &Json, described: &Json, kind: &str) -> bool {
    match kind {
        "float" | "double" => is_float(found, described.as_str().expect("a float"), kind == "float"),
        "longdouble" => found["x87"] == *described,
        "string" => is_text(found, described),
        _ => found == described,
    }
}

fn is_float(found: &Json, described: &str, single: bool) -> bool {
    let wanted: f64 = described.parse().expect("a float");
    match found {
        Json::Number(n) if single => {
            let found: f32 = n.to_string().parse().expect("a float");
            found.to_bits() == described.parse::<f32>().expect("a float").to_bits()
        }
        Json::Number(n) => n.as_f64().expect("a float").to_bits() == wanted.to_bits(),
        Json::String(word) if word == "nan" => wanted.is_nan(),
        Json::String(word) if word == "inf" => wanted == f64::INFINITY,
        Json::String(word) if word == "-inf" => wanted == f64::NEG_INFINITY,
        found => wanted.is_nan() && found["bits"].is_string(),
    }
}

/// The official library shows texts up to their first NUL.
fn is_text(found: &Json, described: &Json) -> bool {
    match found {
        Json::String(text) => described == text.split('\0').next().unwrap_or_default(),
        found => found == described,
    }
}

fn same_list(found: &Json, described: &Json, kind: &str, place: &str) {
    let (found, described) = (found.as_array().expect("a list"), described.as_array().expect("a list"));
    assert_eq!(found.len(), described.len(), "{place}");
    for (i, (a, b)) in found.iter().zip(described).enumerate() {
        assert!(is_same(a, b, kind), "{place}[{i}]: {a} and not {b}");
    }
}

fn same_definitions(found: &Json, described: &Json, place: &str) {
    let (found, described) = (found.as_array().expect("a list"), described.as_array().expect("a list"));
    assert_eq!(found.len(), described.len(), "{place}");
    for (a, b) in found.iter().zip(described) {
        for (key, value) in b.as_object().expect("an object") {
            if key != "field_length" {
                assert!(is_text(&a[key], value), "{place}: {key}: {a} and not {b}");
            }
        }
        let known = |key: &String| b.get(key).is_some();
        assert!(a.as_object().expect("an object").keys().all(known), "{place}: {a} and not {b}");
    }
}

fn same_page(found: &Json, described: &Json, all: &Json, place: &str) {
    assert_eq!(found["rows"], described["rows"], "{place}");
    for p in all["parameters"].as_array().expect("a list") {
        let (name, kind) = (p["name"].as_str().expect("a name"), p["type"].as_str().expect("a type"));
        let (a, b) = (&found["parameters"][name], &described["parameters"][name]);
        assert!(is_same(a, b, kind), "{place}: {name}: {a} and not {b}");
    }
    for a in all["arrays"].as_array().expect("a list") {
        let (name, kind) = (a["name"].as_str().expect("a name"), a["type"].as_str().expect("a type"));
        let (a, b) = (&found["arrays"][name], &described["arrays"][name]);
        assert_eq!(a["shape"], b["dims"], "{place}: {name}");
        same_list(&a["values"], &b["values"], kind, &format!("{place}: {name}"));
    }
    for c in all["columns"].as_array().expect("a list") {
        let (name, kind) = (c["name"].as_str().expect("a name"), c["type"].as_str().expect("a type"));
        let (a, b) = (&found["columns"][name], &described["columns"][name]);
        same_list(a, b, kind, &format!("{place}: {name}"));
    }
}

#[test]
fn json_is_what_the_official_library_reads() {
    for case in sound() {
        let found = sdds(&["cat", "--json", &case.path]).ok().json();
        let (name, described) = (&case.name, &case.json);
        assert_eq!(found["format"], "sdds", "{name}");
        for key in ["version", "mode"] {
            assert_eq!(found[key], described["header"][key], "{name}: {key}");
        }
        assert_eq!(found["column_major"], described["header"]["column_major"] != 0, "{name}");
        for key in ["text", "contents"] {
            assert!(is_text(&found["description"][key], &described["description"][key]), "{name}: {key}");
        }
        for key in ["parameters", "arrays", "columns"] {
            same_definitions(&found[key], &described[key], &format!("{name}: {key}"));
        }
        let pages = found["pages"].as_array().expect("a list");
        let described_pages = described["pages"].as_array().expect("a list");
        assert_eq!(pages.len(), described_pages.len(), "{name}");
        for (i, (a, b)) in pages.iter().zip(described_pages).enumerate() {
            same_page(a, b, described, &format!("{name}, page {i}"));
        }
    }
}

#[test]
fn check_and_inspect_count_pages_and_rows() {
    for case in sound() {
        let name = &case.name;
        let pages = case.json["pages"].as_array().expect("a list");
        let checked = done(sdds(&["check", &case.path]));
        let words = if pages.len() == 1 { "1 page,".to_owned() } else { format!("{} pages,", pages.len()) };
        assert!(checked.text().contains(&format!(": ok ({words}")), "{name}: {}", checked.text());
        let told = sdds(&["inspect", "--json", &case.path]).ok().json();
        let rows: u64 = pages.iter().map(|page| page["rows"].as_u64().expect("a number")).sum();
        assert_eq!((&told["pages"], &told["rows"]), (&pages.len().into(), &rows.into()), "{name}");
        let listed = told["page_list"].as_array().expect("a list");
        assert_eq!(listed.len(), pages.len(), "{name}");
        assert!(sdds(&["inspect", &case.path]).ok().text().starts_with("Format"), "{name}");
    }
}

#[test]
fn damaged_files_are_refused_with_the_place_and_leave_nothing() {
    let folder = Folder::new("sdds-damaged");
    let out = folder.path("out.sdds");
    let mut seen = 0;
    for case in cases().iter().filter(|case| is_damaged(case) && !DIFFERENT.contains(&case.name.as_str())) {
        for words in [&["check"][..], &["cat"], &["cat", "--json"], &["inspect"]] {
            let failed = sdds(&[words, &[&case.path]].concat()).fails(1);
            assert!(
                failed.err.contains("byte ") || failed.err.contains("line "),
                "{}: {}",
                case.name,
                failed.err
            );
        }
        for ending in ["sdds", "json", "csv", "sdds.gz"] {
            sdds(&["convert", &case.path, &folder.path(&format!("out.{ending}"))]).fails(1);
            assert_eq!(folder.names(), [""; 0], "{}", case.name);
        }
        seen += 1;
    }
    assert!(seen > 20, "{seen}");
    assert!(!Path::new(&out).exists());
}

#[test]
fn whole_rows_before_the_damage_are_shown() {
    let shown = sdds(&["cat", "--columns", "i", &path("hand/truncrows.sdds")]).fails(1);
    assert_eq!(shown.text(), "# page 0\ni\n-1\n0\n1\n");
    assert!(shown.err.contains("pages[0].table[3].x at byte "), "{}", shown.err);
}

#[test]
fn whole_rows_before_the_damage_are_written() {
    let folder = Folder::new("recover");
    let (damaged, out) = (path("hand/truncrows_p2.sdds"), folder.path("out.sdds"));
    let refused = sdds(&["convert", &damaged, &out]).fails(1);
    assert!(
        refused.err.contains("--recover writes what is before it: 1 whole page and 2 rows"),
        "{}",
        refused.err
    );
    assert!(!Path::new(&out).exists());
    let recovered = sdds(&["convert", "--recover", &damaged, &out]);
    assert_eq!(recovered.status, 0, "{recovered:?}");
    assert!(
        recovered.err.contains("note: recovered 1 whole page and 2 rows of the next one: "),
        "{}",
        recovered.err
    );
    let shown = sdds(&["cat", &damaged]).fails(1);
    assert_eq!(sdds(&["cat", &out]).ok().text(), shown.text());
    // a file without damage is only written again
    let whole = path("hand/cm_2.sdds");
    sdds(&["convert", "--recover", &whole, &out]).ok();
    assert_eq!(content(&out), content(&whole));
    // and what has no whole row stays refused
    sdds(&["convert", "--recover", &path("hand/truncparam.sdds"), &out]).fails(1);
}

#[test]
fn too_little_memory_is_not_damage() {
    let folder = Folder::new("too-little");
    let header = "SDDS1\n!# little-endian\n&column name=x, type=double &end\n&data mode=binary &end\n";
    let page = |rows: usize| [(rows as u32).to_le_bytes().to_vec(), vec![0; rows * 8]].concat();
    let bytes = [header.as_bytes(), &page(2), &page(4000)].concat();
    let (file, out) = (folder.file("long.sdds", &bytes), folder.path("out.sdds"));
    let refused = sdds(&["convert", "--recover", "--max-memory", "1000", &file, &out]).fails(1);
    assert!(refused.err.contains("memory") && !refused.err.contains("recover"), "{}", refused.err);
    assert!(!Path::new(&out).exists());
    sdds(&["convert", "--recover", &file, &out]).ok();
}

/// What a file says, apart from how it is written.
fn content(path: &str) -> Json {
    let mut json = sdds(&["cat", "--json", path]).ok().json();
    let members = json.as_object_mut().expect("an object");
    for key in ["version", "mode", "byte_order", "column_major", "lines_per_row", "no_row_counts"] {
        members.remove(key);
    }
    members.remove("fixed_row_count");
    json
}

/// Files of which something is not written again, by the official library or here.
fn is_canonical(case: &Case) -> bool {
    // a text of its own, 1.797693134862316e+308, reads as infinity; longdouble has padding of any bytes
    // a finished file has no `fixed_row_count`, and every `&` of it is quoted
    let padded = ["alltypes", "arrays", "version_v4", "version_v5mix", "fixedrowcount", "metadata"];
    case.name.starts_with("official/") && !padded.iter().any(|name| case.name.contains(name))
}

#[test]
fn json_becomes_the_file_again() {
    let folder = Folder::new("sdds-json");
    let (json, back, again) = (folder.path("x.json"), folder.path("x.sdds"), folder.path("y.sdds"));
    let mut same = 0;
    for case in sound() {
        sdds(&["convert", &case.path, &json]).ok();
        let text = std::fs::read(&json).expect("a file");
        assert_eq!(sdds(&["cat", "--json", &case.path]).ok().out, text, "{}", case.name);
        run(&["convert", &json, &back]).ok();
        assert_eq!(content(&case.path), content(&back), "{}", case.name);
        done(sdds(&["convert", &case.path, &again]));
        let (back, again) = (std::fs::read(&back).expect("a file"), std::fs::read(&again).expect("a file"));
        // a document says that rows are not to be counted, what is copied has them counted
        let counted = |bytes: &[u8]| !bytes.escape_ascii().to_string().contains("no_row_counts=1");
        let again = if counted(&back) { again } else { back.clone() };
        // a number of rows of 64 bits stays one
        let long = case.name.contains("rowcount64");
        assert!(!long || back.len() + 8 == again.len(), "{}", case.name);
        if long {
            continue;
        }
        assert_eq!(back.escape_ascii().to_string(), again.escape_ascii().to_string(), "{}", case.name);
        if is_canonical(&case) {
            let bytes = std::fs::read(&case.path).expect("a file");
            assert_eq!(again.escape_ascii().to_string(), bytes.escape_ascii().to_string(), "{}", case.name);
            same += 1;
        }
    }
    assert!(same > 25, "{same}");
}

#[test]
fn conversions_keep_the_content() {
    let folder = Folder::new("sdds-convert");
    let ways: [(&str, &[&str]); 7] = [
        ("a.sdds", &["--mode", "ascii"]),
        ("b.sdds", &["--mode", "binary", "--byte-order", "big"]),
        ("c.sdds", &["--mode", "binary", "--byte-order", "little", "--order", "column"]),
        ("d.sdds", &["--mode", "binary", "--byte-order", "big", "--order", "column"]),
        ("e.sdds", &["--mode", "binary", "--order", "row"]),
        ("f.sdds.gz", &[]),
        ("g.sdds.xz", &["--mode", "binary"]),
    ];
    for case in sound() {
        let csv = sdds(&["cat", "--csv", &case.path]).ok().out;
        for (name, words) in ways {
            let out = folder.path(name);
            let converted = sdds(&[&["convert", &case.path, &out], words].concat());
            if case.name.contains("params_allfixed") && words.contains(&"ascii") {
                // two pages without a value have no text
                converted.fails(1);
                continue;
            }
            done(converted);
            let front = std::fs::read(&out).expect("a file");
            assert_eq!(front.starts_with(b"SDDS"), name.ends_with(".sdds"), "{name}");
            assert_eq!(content(&case.path), content(&out), "{} as {name}", case.name);
            assert_eq!(sdds(&["cat", "--csv", &out]).ok().out, csv, "{} as {name}", case.name);
        }
    }
}

/// A log that was never closed: how many rows it states and how many there are is told, and a copy is a finished file,
/// whose cuts are found.
#[test]
fn a_log_that_was_never_closed() {
    let folder = Folder::new("sdds-log");
    let told = "pages[0] states 21000 rows and has 30: the file is still being written, or was never closed";
    let header = "SDDS1\n!# little-endian fixed-rowcount\n&column name=x, type=double &end\n&data mode=";
    let mut binary = format!("{header}binary &end\n").into_bytes();
    binary.extend(21_000_i32.to_le_bytes());
    (0..30).for_each(|i| binary.extend(f64::from(i).to_le_bytes()));
    let rows: String = (0..30).map(|i| format!("{i}\n")).collect();
    let ascii = format!("{header}ascii &end\n21000\n{rows}").into_bytes();
    for bytes in [binary, ascii] {
        let (log, copy) = (folder.path("log.sdds"), folder.path("copy.sdds"));
        std::fs::write(&log, &bytes).expect("a file");
        let checked = done(run(&["check", &log]));
        assert!(checked.err.contains(told) && checked.text().contains(": ok (1 page,"), "{checked:?}");
        let said = run(&["inspect", "--json", &log]).ok().json();
        assert_eq!((&said["rows"], &said["stated_rows"]), (&30.into(), &21_000.into()));
        assert!(run(&["inspect", &log]).ok().text().contains(told));
        for words in [&[][..], &["--mode", "binary", "--byte-order", "big"], &["--mode", "ascii"]] {
            let copied = done(run(&[&["convert", &log, &copy][..], words].concat()));
            assert!(copied.err.contains("what is written states those that are there"), "{}", copied.err);
            assert_eq!(run(&["check", &copy]).ok().err, "");
            let bytes = std::fs::read(&copy).expect("a file");
            assert!(!bytes.escape_ascii().to_string().contains("fixed"), "{}", bytes.escape_ascii());
            std::fs::write(&copy, &bytes[..bytes.len() - 60]).expect("a file");
            run(&["check", &copy]).fails(1);
        }
        let (json, copy) = (folder.path("log.json"), folder.path("json.sdds"));
        run(&["convert", &log, &json]).ok();
        run(&["convert", &json, &copy]).ok();
        assert_eq!(run(&["check", &copy]).ok().err, "");
        assert!(run(&["inspect", "--json", &copy]).ok().json().get("fixed_row_count").is_none());
    }
    let log = folder.file("pages.sdds", format!("{header}ascii &end\n1\n7\n500\n{rows}").as_bytes());
    let told = "pages[1] states 500 rows and has 30: ";
    assert!(done(run(&["check", &log])).err.contains(told));
    assert!(run(&["inspect", &log]).ok().text().contains(told));
    assert!(done(run(&["convert", &log, &folder.path("copy.sdds")])).err.contains(told));
}

/// Pages without rows that nothing counts: a copy counts them.
#[test]
fn a_copy_has_row_counts() {
    let folder = Folder::new("sdds-counts");
    let (file, copy) = (folder.path("x.sdds"), folder.path("y.sdds"));
    let header = "SDDS1\n&column name=x, type=short &end\n&data mode=ascii, no_row_counts=1 &end\n";
    for (pages, rows) in [("", vec![]), ("1\n2\n\n\n3\n", vec![2, 0, 1]), ("1\n\n\n", vec![1, 0])] {
        std::fs::write(&file, format!("{header}{pages}")).expect("a file");
        run(&["convert", &file, &copy]).ok();
        let said = run(&["cat", "--json", &copy]).ok().json();
        let found: Vec<u64> =
            said["pages"].as_array().expect("a list").iter().filter_map(|p| p["rows"].as_u64()).collect();
        assert_eq!((found, said.get("no_row_counts")), (rows, None));
    }
    // a document may ask for what cannot be written
    let json = folder.path("x.json");
    std::fs::write(&file, header).expect("a file");
    run(&["convert", &file, &json]).ok();
    assert!(run(&["convert", &json, &copy]).fails(1).err.contains("`no_row_counts` and no page"));
}

#[test]
fn what_looks_like_sdds_is_told_so() {
    let folder = Folder::new("sdds-looks");
    let file = folder.path("x");
    let rest = "\n&column name=x, type=short &end\n&data mode=ascii &end\n1\n5\n";
    for first in ["SDDS1", "SDDS 1", "SDDS\t5 and more"] {
        std::fs::write(&file, format!("{first}{rest}")).expect("a file");
        run(&["check", &file]).ok();
    }
    for (first, why) in [
        ("\u{feff}SDDS1", "looks like SDDS, but a byte order mark is in front"),
        ("SDDS", "looks like SDDS, but no version follows the word"),
        ("SDDS9", "unsupported version 9 of SDDS"),
    ] {
        std::fs::write(&file, format!("{first}{rest}")).expect("a file");
        let failed = run(&["check", &file]).fails(1);
        assert!(failed.err.contains(why), "{}", failed.err);
    }
}

/// What reads a pipe finds a document, and in it what went wrong.
#[test]
fn json_of_a_damaged_file_is_json() {
    let folder = Folder::new("sdds-json-damaged");
    let damaged = path("hand/truncrows_p2.sdds");
    for words in [&["cat", "--json", &damaged][..], &["convert", "--to", "json", &damaged, "-"]] {
        let failed = run(words).fails(1);
        let said: Json = serde_json::from_slice(&failed.out).expect("JSON");
        assert_eq!(said["pages"].as_array().map(Vec::len), Some(1), "{said}");
        let why = said["error"].as_str().expect("a text");
        assert!(why.contains("pages[1].table[2]") && failed.err.contains(why), "{}: {why}", failed.err);
        let (json, out) = (folder.path("x.json"), folder.path("x.sdds"));
        std::fs::write(&json, &failed.out).expect("a file");
        let refused = run(&["convert", &json, &out]).fails(1);
        assert!(
            refused.err.contains("the document is of a damaged file and not complete"),
            "{}",
            refused.err
        );
    }
}

/// Types of CERN's control system get the names of the format, which is said.
#[test]
fn types_of_a_dialect_are_renamed() {
    let folder = Folder::new("sdds-dialect");
    let (file, copy) = (folder.path("x.sdds"), folder.path("y.sdds"));
    let text = "SDDS1\n&column name=n, type=llong &end\n&column name=on, type=boolean &end\n&data mode=ascii &end\n1\n-5 1\n";
    std::fs::write(&file, text).expect("a file");
    assert!(run(&["inspect", &file]).ok().text().contains("CERN's: llong, boolean"));
    let copied = done(run(&["convert", &file, &copy, "--mode", "binary"]));
    let note = "types of CERN's dialect are written by their names in the format: llong as long64, boolean as character";
    assert!(copied.err.contains(note), "{}", copied.err);
    let said = run(&["cat", "--json", &copy]).ok().json();
    assert_eq!(said["columns"][0]["type"], "long64");
    assert_eq!(said["pages"], run(&["cat", "--json", &file]).ok().json()["pages"]);
}

/// Pages by the million take no memory each.
#[test]
fn many_pages_are_counted_and_not_all_listed() {
    let folder = Folder::new("sdds-many");
    let file = folder.path("x.sdds");
    let mut bytes =
        b"SDDS1\n!# little-endian\n&column name=a, type=double, &end\n&data mode=binary, &end\n".to_vec();
    bytes.resize(bytes.len() + 4 * 30_000, 0);
    std::fs::write(&file, &bytes).expect("a file");
    let said = run(&["inspect", "--json", &file]).ok().json();
    assert_eq!((&said["pages"], &said["listed"]), (&30_000.into(), &10_000.into()));
    assert_eq!(said["page_list"].as_array().map(Vec::len), Some(10_000));
    assert!(run(&["inspect", &file]).ok().text().contains("the first 10000 pages"));
}

#[test]
fn a_part_of_a_file() {
    let part = ["--pages", "1..3", "--rows", "1..3"];
    for order in
        ["official/multipage_be_cm.sdds", "official/multipage_ascii.sdds", "official/multipage_le_rm.sdds"]
    {
        let all = run(&["cat", "--json", &path(order)]).ok().json();
        let names: Vec<&str> = all["columns"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|c| c["name"].as_str().expect("a name"))
            .collect();
        let columns = names.iter().rev().take(2).copied().collect::<Vec<_>>().join(",");
        let file = path(order);
        let words = [&["cat", "--json", &file, "--columns", &columns][..], &part].concat();
        let found = run(&words).ok().json();
        let pages = found["pages"].as_array().expect("a list");
        assert_eq!(pages.len(), all["pages"].as_array().expect("a list").len().clamp(1, 3) - 1, "{order}");
        for (i, page) in pages.iter().enumerate() {
            for name in columns.split(',') {
                let whole = all["pages"][i + 1]["columns"][name].as_array().expect("a list");
                let (from, to) = (whole.len().min(1), whole.len().min(3));
                assert_eq!(page["columns"][name], Json::from(&whole[from..to]), "{order} {name}");
            }
        }
        let shown: Vec<&str> = found["columns"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|c| c["name"].as_str().expect("a name"))
            .collect();
        assert_eq!(shown.join(","), columns);
    }
    run(&["cat", &path("official/multipage_le_rm.sdds"), "--columns", "nothing"]).fails(2);
}

#[test]
fn mistakes_are_told() {
    let folder = Folder::new("sdds-mistakes");
    let (file, out) = (path("official/multipage_le_rm.sdds"), folder.path("x.sdds"));
    let ascii = path("official/multipage_ascii.sdds");
    let wrong: [&[&str]; 7] = [
        &["cat", &file, "--mode", "ascii"],
        &["convert", &file, &folder.path("x.csv"), "--order", "row"],
        &["convert", &file, &out, "--mode", "text"],
        &["convert", &file, &out, "--byte-order", "middle"],
        &["convert", &file, &out, "--compression", "zip"],
        &["convert", &ascii, &out, "--order", "column"],
        &["convert", &file, &folder.path("x.json.gz")],
    ];
    for words in wrong {
        run(words).fails(2);
    }
    let documents = [
        ("{\"format\":\"sdds\"}", "mode"),
        ("{\"format\":\"sdds\",\"mode\":\"ascii\"}", "pages"),
        (
            "{\"format\":\"sdds\",\"mode\":\"ascii\",\"columns\":[{\"name\":\"x\",\"type\":\"int\"}],\"pages\":[]}",
            "unknown data type `int`",
        ),
        (
            "{\"format\":\"sdds\",\"mode\":\"binary\",\"columns\":[{\"name\":\"x\",\"type\":\"short\"}],\
             \"pages\":[{\"rows\":1,\"columns\":{\"x\":[40000]}}]}",
            "pages[0].columns.x[0]: ",
        ),
        (
            "{\"format\":\"sdds\",\"mode\":\"binary\",\"columns\":[{\"name\":\"x\",\"type\":\"short\"}],\
             \"pages\":[{\"rows\":2,\"columns\":{\"x\":[4]}}]}",
            "rows",
        ),
        (
            "{\"format\":\"sdds\",\"mode\":\"binary\",\"columns\":[{\"name\":\"x\",\"type\":\"short\"}],\
             \"pages\":[{\"columns\":{\"y\":[4]}}]}",
            "the header has no `y`",
        ),
    ];
    for (document, words) in documents {
        let failed = run_with(&["convert", "-", &out], document.as_bytes()).fails(1);
        assert!(failed.err.contains(words), "{words}: {}", failed.err);
    }
    assert_eq!(folder.names(), [""; 0]);
    let text = b"SDDS1\n&column name=\"1st x\", type=short &end\n&data mode=ascii &end\n1\n7\n";
    let odd = folder.file("odd.sdds", text);
    assert!(run(&["cat", &odd]).fails(1).err.contains("--any-names"));
    run(&["cat", &odd, "--any-names"]).ok();
}

#[test]
fn bytes_are_explained() {
    let file = path("hand/comment_be.sdds");
    let dump = run(&["dump", &file]).ok();
    assert!(dump.text().contains("pages[0]"), "{}", dump.text());
    let part = run(&["dump", &file, "--range", "0..4"]).ok();
    assert_eq!(part.text().lines().count(), 1, "{}", part.text());
    // a damaged page is named as cat names it
    let folder = Folder::new("sdds-cut");
    let text = b"SDDS1\n&column name=x, type=double &end\n&data mode=ascii &end\n2\n1\n?\n";
    let cut = folder.file("cut.sdds", text);
    for words in [&["dump", &cut][..], &["cat", &cut], &["find", "7", &cut]] {
        let e = run(words).fails(1).err;
        assert!(e.contains("cut.sdds: pages[0].table[1] at byte"), "{words:?}: {e}");
    }
    // what the words ask for is not left out in silence
    for words in [["--include", "."], ["--assume-byte-order", "big"]] {
        let refused = run(&[&["dump", &file][..], &words].concat()).fails(2);
        assert!(refused.err.contains(words[0]), "{}", refused.err);
    }
    for name in ["packed/rm.sdds.gz", "official/alltypes_ascii.sdds"] {
        assert!(run(&["dump", &path(name)]).ok().text().contains("header.version"), "{name}");
    }
}

#[test]
fn what_is_chosen_and_not_there_is_told() {
    let file = path("official/alltypes_ascii.sdds");
    let told = |words: &[&str]| {
        let run = run(&[&["cat", &file][..], words].concat());
        assert_eq!(run.status, 0);
        run.err
    };
    for form in ["--tsv", "--table", "--csv", "--json"] {
        assert_eq!(
            told(&[form, "--rows", "100000..=100009"]),
            format!(
                "note: {}--rows 100000..100010 chooses nothing that is there\n",
                if form == "--json" { String::new() } else { format!("{file}: ") }
            )
        );
        assert!(told(&[form, "--pages", "500"]).contains("--pages 500 chooses nothing that is there"));
        assert_eq!(told(&[form, "--rows", "0..100000", "--pages", "0..100"]), "");
    }
}

#[test]
fn what_a_dump_holds_has_a_limit() {
    let lines = format!("SDDS1\n{}&data mode=ascii &end\n", "\n".repeat(100_000));
    let dump = |limit| run_with(&["dump", "-", "--max-memory", limit], lines.as_bytes());
    let done = dump("10K").fails(1);
    assert!(
        done.err.contains("of memory needed") && done.err.contains("--max-memory allows more"),
        "{}",
        done.err
    );
    // that many lines come in parts
    dump("2M").ok();
}

/// A document has all of each page; parameters as a table are lines.
#[test]
fn parameters_are_no_part_of_a_document() {
    let twiss = "../examples/data/twiss.sdds";
    for words in [
        &["cat", "--json", twiss, "--parameters", "nux"][..],
        &["convert", twiss, "-", "--to", "json", "--parameters", "nux"],
    ] {
        let e = run(words).fails(2).err;
        assert!(e.contains("--parameters is for tables, and a JSON document has the parameters"), "{e}");
        assert!(e.contains("tip: JSON lines are a table: --jsonl, or --to jsonl"), "{e}");
    }
    let lines = run(&["cat", "--jsonl", twiss, "--parameters", "nux"]).ok();
    assert_eq!(lines.text(), "{\"nux\":8.25}\n{\"nux\":8.5}\n");
}

#[test]
fn csv_of_a_file_without_pages_has_the_names() {
    let folder = Folder::new("sdds-names");
    let header = b"SDDS1\n&parameter name=p, type=double, &end\n&column name=x, type=double, &end\n&column name=n, type=long, &end\n&data mode=binary, &end\n";
    let file = folder.file("none.sdds", header);
    assert_eq!(run(&["cat", "--csv", &file]).ok().text(), "x,n\n");
    let out = folder.path("none.csv");
    run(&["convert", &file, &out]).noted("not among the columns: p;");
    assert_eq!(std::fs::read(&out).unwrap(), b"x,n\n");
    // that pages were asked for that are not there is told
    run(&["cat", "--csv", &file, "--pages", "3.."]).noted("--pages 3.. chooses nothing");
    let file = folder
        .file("parameters.sdds", b"SDDS1\n&parameter name=p, type=double, &end\n&data mode=binary, &end\n");
    run(&["convert", &file, &out, "--force"]).ok();
    assert_eq!(std::fs::read(&out).unwrap(), b"p\n");
}

#[test]
fn tips_name_what_can_be_said() {
    let folder = Folder::new("sdds-tips");
    let both = "SDDS1\n&parameter name=x, type=long, &end\n&column name=x, type=long, &end\n&data mode=ascii, &end\n7\n1\n5\n";
    let file = folder.file("both.sdds", both.as_bytes());
    run(&["convert", &file, "-", "--to", "csv"])
        .noted("not among the columns: parameter:x; --columns has them, as in --columns parameter:x,x\n");
    let file = folder.file("odd.sdds", both.replace("name=x", "name=_x").as_bytes());
    for words in [&["cat", &file][..], &["stats", &file], &["cat", &file, "--where", "_x > 1"]] {
        let told = run(words).fails(1).err;
        assert!(told.contains("tip: --any-names reads a file with such names"), "{words:?}: {told}");
    }
}

/// What `find` tells of one form is a path of the other.
#[test]
fn paths_are_the_same_in_text_and_in_binary() {
    let folder = Folder::new("sdds-paths");
    let text = folder.file(
        "a.sdds",
        b"SDDS1\n&parameter name=nux, type=double &end\n&parameter name=who, type=string &end\n\
          &array name=hor, type=short &end\n&column name=x, type=double &end\n&data mode=ascii &end\n\
          1.5\nme\n2\n7 8\n1\n0.25\n",
    );
    let binary = folder.path("b.sdds");
    run(&["convert", &text, &binary, "--mode", "binary"]).ok();
    for (value, path) in [
        ("1.5", "pages[0].parameters.nux"),
        ("me", "pages[0].parameters.who"),
        ("8", "pages[0].arrays.hor[1]"),
        ("0.25", "pages[0].table[0].x"),
    ] {
        for file in [&text, &binary] {
            let found = run(&["find", value, file]).ok();
            let told = found.text();
            assert!(told.lines().count() == 1 && told.contains(&format!("  {path}: ")), "{told}");
        }
    }
}

/// Where only parameters are wanted, those of a page do not depend on its rows.
#[test]
fn pages_are_chosen_by_their_parameters() {
    let folder = Folder::new("sdds-pages");
    let head = "SDDS1\n&parameter name=p, type=double &end\n&parameter name=q, type=short &end\n";
    let column = "&column name=x, type=double &end\n";
    let file = |name: &str, column: &str, rows: [&str; 3]| {
        let pages: String =
            [0.5, 1.5, 2.5].iter().zip(rows).map(|(p, rows)| format!("{p}\n7\n{rows}")).collect();
        folder.file(name, format!("{head}{column}&data mode=ascii &end\n{pages}").as_bytes())
    };
    let files = [
        file("none.sdds", "", [""; 3]),
        file("empty.sdds", column, ["0\n"; 3]),
        file("some.sdds", column, ["1\n4\n", "0\n", "2\n5\n6\n"]),
    ];
    let out = folder.path("o.sdds");
    let pages = |words: &[&str]| {
        let file = &words[0];
        run(&[&["convert", file, &out], &words[1..]].concat()).ok();
        let written = run(&["cat", "--json", &out]).ok().json();
        assert!(written["columns"].as_array().unwrap().is_empty(), "{written}");
        let pages = written["pages"].as_array().unwrap().iter();
        pages
            .map(|page| {
                (page["parameters"]["p"].as_f64().unwrap(), page["parameters"]["q"].as_i64().unwrap())
            })
            .collect::<Vec<_>>()
    };
    for file in &files {
        let all = [(0.5, 7), (1.5, 7), (2.5, 7)];
        assert_eq!(pages(&[file, "--columns", "p"]), all, "{file}");
        assert_eq!(pages(&[file, "--columns", "p", "--where", "p > 1"]), all[1..], "{file}");
        assert_eq!(pages(&[file, "--columns", "p", "--where", "q = 7 and p < 2"]), all[..2], "{file}");
        assert_eq!(pages(&[file, "--columns", "p,q", "--pages", "1.."]), all[1..], "{file}");
    }
    // rows that fit say which pages, where the condition is about them
    assert_eq!(pages(&[&files[2], "--columns", "p", "--where", "x > 5 and p > 1"]), [(2.5, 7)]);
    assert_eq!(pages(&[&files[2], "--columns", "p", "--where", "p > 1", "--rows", "1"]), [(2.5, 7)]);
}
