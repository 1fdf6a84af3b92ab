//! The page of a dump: what it shows is what the lines of the dump say.

use crate::support::{FLAT, Folder, cases, data, run, scidb};
use serde_json::Value as Json;

/// The data in a page.
fn content(page: &str) -> Json {
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"), "{page}");
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").expect("the data");
    serde_json::from_str(rest.split("</script>").next().expect("an end")).expect("JSON")
}

fn numbers(list: &Json) -> Vec<i64> {
    list.as_array().expect("a list").iter().map(|n| n.as_i64().expect("a number")).collect()
}

/// Each part of a section: depth, offset, length, name, value and type.
fn parts(content: &Json, section: usize) -> Vec<(i64, i64, i64, String, String, String)> {
    let table = &content["sections"][section];
    let word = |n: i64| match usize::try_from(n) {
        Ok(n) => content["words"][n].as_str().expect("a word").to_owned(),
        Err(_) => format!("[{}]", -n - 1),
    };
    let (depth, len) = (numbers(&table["depth"]), numbers(&table["len"]));
    let (name, ty) = (numbers(&table["name"]), numbers(&table["ty"]));
    let mut start = 0;
    let each = numbers(&table["start"]).into_iter().enumerate().map(|(i, more)| {
        start += more;
        let value = table["value"][i].as_str().expect("a text").to_owned();
        (depth[i], start, len[i], word(name[i]), value, word(ty[i]))
    });
    each.collect()
}

fn from_base64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|letter| *letter != b'=').map(value).collect();
    let four = |four: &[u8]| {
        let n = four.iter().fold(0_u32, |n, six| n << 6 | u32::from(*six)) << (6 * (4 - four.len()));
        n.to_be_bytes()[1..four.len()].to_vec()
    };
    letters.chunks(4).flat_map(four).collect()
}

fn bytes(content: &Json, section: usize) -> Vec<(u64, Vec<u8>)> {
    let runs = content["sections"][section]["runs"].as_array().expect("a list");
    runs.iter().map(|run| (run[0].as_u64().unwrap(), from_base64(run[1].as_str().unwrap()))).collect()
}

#[test]
fn every_byte_and_every_line_of_the_dump_is_in_the_page() {
    for case in cases(false) {
        let page = scidb(&["dump", "--html", &case.path], case.format()).ok();
        let content = content(page.text());
        assert!(bytes(&content, 0).concat_is(&case.bytes), "{}", case.name);
        let parts = parts(&content, 0);
        let lines = scidb(&["dump", &case.path], case.format()).ok();
        let leaves = (0..parts.len()).filter(|i| parts.get(i + 1).is_none_or(|next| next.0 <= parts[*i].0));
        let shown: Vec<String> = leaves
            .map(|i| match &parts[i] {
                (_, _, _, _, value, ty) if ty.is_empty() => value.clone(),
                (_, _, _, _, value, ty) => format!("{value} ({ty})"),
            })
            .collect();
        let said: Vec<&str> =
            lines.text().lines().filter_map(|line| line.get(77..)?.split_once(": ").map(|x| x.1)).collect();
        assert_eq!(shown, said, "{}", case.name);
    }
}

trait Concat {
    fn concat_is(&self, bytes: &[u8]) -> bool;
}

impl Concat for Vec<(u64, Vec<u8>)> {
    fn concat_is(&self, bytes: &[u8]) -> bool {
        match &self[..] {
            [] => bytes.is_empty(),
            [(0, all)] => all == bytes,
            _ => false,
        }
    }
}

#[test]
fn descriptions_are_for_readers_of_data() {
    let folder = Folder::new("html-words");
    let header = "SDDS1\n!# little-endian\n&column name=s, units=m, type=double, description=\"along the ring\" &end\n\
                  &column name=n, type=string &end\n&data mode=binary &end\n";
    let file = folder.file("a.sdds", &[header.as_bytes(), &[0, 0, 0, 0]].concat());
    let layout = |path: &str| content(run(&["dump", "--html", path]).ok().text())["layout"].clone();
    assert_eq!(
        layout(&file),
        "record(row), le\n  s: f64  // along the ring, in m\n  n: text, length_prefixed(i32), text = bytes\n"
    );
    let root = |path: &str| format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
    let files =
        ["tests/data/tiledb/s2_f32", "tests/data/futhark/mixed_1/input.in", "examples/data/twiss.sdds"];
    for path in files.map(root) {
        let page = run(&["dump", "--html", &path]).ok();
        let content = content(page.text());
        let words: Vec<&str> =
            content["words"].as_array().unwrap().iter().filter_map(|word| word.as_str()).collect();
        let layout = content["layout"].as_str().unwrap_or_default();
        for of_rust in ["crate::", "[`", "decode_with", "Vec<", "Option<"] {
            assert!(!layout.contains(of_rust), "{path}: {of_rust}: {layout}");
            assert!(!words.iter().any(|word| word.contains(of_rust)), "{path}: {of_rust}: {words:?}");
        }
    }
}

#[test]
fn the_35_bytes_as_a_tree() {
    let page = scidb(&["dump", "--html", &data("seed_flat_35/input.bin")], FLAT).ok();
    let content = content(page.text());
    assert_eq!((&content["format"], &content["size"]), (&"SciDB load file".into(), &35.into()));
    assert!(content["layout"].as_str().unwrap().contains("record"), "{}", content["layout"]);
    assert!(content["note"].is_null());
    let parts = parts(&content, 0);
    let found: Vec<_> = parts.iter().take(6).map(|p| (p.0, p.1, p.2, p.3.as_str(), p.4.as_str())).collect();
    assert_eq!(
        found,
        [
            (0, 0, 12, "[0]", ""),
            (1, 0, 1, "a", "1"),
            (1, 1, 3, "b", "10"),
            (2, 1, 1, "(presence)", "0xff, present"),
            (2, 2, 2, "", "10"),
            (1, 4, 5, "c", "0x00, missing with code 0"),
        ]
        .map(|(depth, start, len, name, value)| match name {
            "[0]" => (depth, start, parts[0].2, name, value),
            "c" => (depth, start, parts[5].2, name, value),
            _ => (depth, start, len, name, value),
        })
    );
}

#[test]
fn a_page_asks_no_one_and_nothing_ends_its_script() {
    let folder = Folder::new("html");
    let file = folder.file("<b>.bin", b"\x0a\0\0\0</script>\0");
    let page = scidb(&["dump", "--html", &file], "(string)").ok();
    let text = page.text();
    assert!(text.contains("default-src 'none'") && !text.contains("http:") && !text.contains("https:"));
    assert_eq!(text.matches("</script>").count(), 2, "{text}");
    assert!(text.contains("&lt;b>.bin</title>") && !text.contains("<b>"), "{text}");
    assert!(content(text)["sections"][0]["value"].to_string().contains("</script>"));
}

#[test]
fn what_is_left_out_is_said() {
    let flat = data("seed_flat_35/input.bin");
    let page = scidb(&["dump", "--html", &flat, "--most", "4"], FLAT);
    assert_eq!(page.status, 0);
    assert!(page.err.starts_with("note: ") && page.err.contains("after 4 parts: --range"), "{}", page.err);
    let content = content(page.text());
    assert!(content["note"].as_str().unwrap().contains("--most"), "{content}");
    assert_eq!(parts(&content, 0).len(), 4);
    // all that there are is not too much
    let count = parts(&self::content(scidb(&["dump", "--html", &flat], FLAT).ok().text()), 0).len();
    scidb(&["dump", "--html", &flat, "--most", &count.to_string()], FLAT).ok();
    let part = scidb(&["dump", "--html", &flat, "--range", "0x14..25"], FLAT).ok();
    let part = self::content(part.text());
    assert_eq!(bytes(&part, 0)[0].0, 16);
    assert!(parts(&part, 0).iter().all(|p| p.1 < 25 && p.1 + p.2 > 0x14), "{part}");
    let top = self::content(scidb(&["dump", "--html", &flat, "--depth", "0"], FLAT).ok().text());
    assert!(parts(&top, 0).iter().all(|p| p.0 == 0));
}

#[test]
fn a_page_of_a_damaged_file_ends_with_the_error() {
    let folder = Folder::new("html-damaged");
    for case in cases(true) {
        let out = folder.path("page.html");
        scidb(&["dump", "--html", &case.path, "--output", &out], case.format()).fails(1);
        let content = content(&std::fs::read_to_string(&out).unwrap());
        let parts = parts(&content, 0);
        let last = parts.last().unwrap();
        assert_eq!(last.3, "error", "{}", case.name);
        assert!(last.4.contains("at byte"), "{}", last.4);
    }
    assert_eq!(folder.names(), ["page.html"]);
}

#[test]
fn the_file_that_is_read_and_one_that_cannot_be_written() {
    let folder = Folder::new("html-output");
    let file = folder.file("a.bin", b"\x01\x02");
    let words = ["dump", "--html", &file, "--output", &file];
    let refused = scidb(&words, "(uint8)").fails(2);
    assert!(
        refused.err.contains("it is the file that is read") && refused.err.contains("--force"),
        "{refused:?}"
    );
    assert_eq!(std::fs::read(&file).unwrap(), b"\x01\x02");
    scidb(&["dump", "--html", "no such file", "--output", &folder.path("b.html")], "(uint8)").fails(1);
    assert_eq!(folder.names(), ["a.bin"]);
    scidb(&["dump", "--html", &file, "--output", &folder.path("no/b.html")], "(uint8)").fails(1);
    assert!(scidb(&["dump", &file, "--output", "x"], "(uint8)").fails(2).err.contains("--html"));
    scidb(&[&words[..], &["--force"]].concat(), "(uint8)").ok();
    content(&std::fs::read_to_string(&file).unwrap());
}

#[test]
fn files_of_other_formats() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let array = run(&["dump", "--html", &format!("{root}/tests/data/tiledb/d2_fragments")]).ok();
    let array = content(array.text());
    let titles: Vec<&str> =
        array["sections"].as_array().unwrap().iter().map(|s| s["title"].as_str().unwrap()).collect();
    assert!(titles[0].starts_with("__array_schema.tdb") && titles[1].contains("without its filters"));
    assert_eq!(
        (&array["sections"][0]["inner"], &array["sections"][1]["inner"]),
        (&false.into(), &true.into())
    );
    // every file with all of its bytes
    let lock = titles.iter().position(|title| title.starts_with("__lock.tdb: 0")).unwrap();
    assert!(bytes(&array, lock).is_empty());
    assert_eq!(bytes(&array, 0).iter().map(|run| run.1.len()).sum::<usize>(), 152);
    let sdds = run(&["dump", "--html", &format!("{root}/examples/data/twiss.sdds")]).ok();
    assert!(parts(&content(sdds.text()), 0).iter().any(|p| p.4 == "\"D1\""));
    let unknown = run(&["dump", "--html", &format!("{root}/Cargo.toml")]);
    assert!(unknown.err.contains("it begins like"), "{}", unknown.err);
    let unknown = content(unknown.text());
    assert!(bytes(&unknown, 0).concat_is(&std::fs::read(format!("{root}/Cargo.toml")).unwrap()));
    assert!(parts(&unknown, 0).is_empty());
}
