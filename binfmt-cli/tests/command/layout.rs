//! Every command on files whose layout the user gives.

use crate::support::{Folder, Run, run};
use binfmt::schema::{ByteOrder, Description, Encoding, Extent, Field, Integer, Record, Type};
use serde_json::{Value as Json, json};

fn int(bytes: u8) -> Type {
    Type::Int { bytes, signed: false }
}

fn text() -> Type {
    let len = Extent::Prefixed { len: Integer::unsigned(1), max: None, inclusive: false };
    Type::Text { encoding: Encoding::Utf8, nul: false, len }
}

/// A number, a temperature that may be missing, and a place of any length; in any byte order.
fn reading() -> Record {
    let celsius = Type::Nullable {
        present: 255,
        missing: (0, 127),
        blank: true,
        body: Box::new(Type::Float { bytes: 4 }),
    };
    Record::new(
        "Reading",
        [Field::new("sensor", int(2)), Field::new("celsius", celsius), Field::new("place", text())],
    )
}

const LITTLE: &[u8] = b"\x2a\0\xff\0\0\xac\x41\x04roof\x2b\0\x07\0\0\0\0\x02up";
const BIG: &[u8] = b"\0\x2a\xff\x41\xac\0\0\x04roof\0\x2b\x07\0\0\0\0\x02up";

struct Files {
    folder: Folder,
    layout: String,
}

impl Files {
    fn new(name: &str, description: &Description) -> Self {
        let folder = Folder::new(name);
        let layout = folder.file("layout.json", &serde_json::to_vec(description).unwrap());
        Files { folder, layout }
    }

    fn run(&self, words: &[&str]) -> Run {
        run(&[words, &["--layout", &self.layout]].concat())
    }
}

fn readings(name: &str) -> (Files, String) {
    let files = Files::new(name, &Description::new(Type::Record(reading())));
    let path = files.folder.file("log.bin", LITTLE);
    (files, path)
}

#[test]
fn what_it_is() {
    let (files, path) = readings("layout-inspect");
    let text = files.run(&["inspect", &path]).ok();
    assert!(
        text.text().starts_with("Format       file of a given layout\nLayout       Reading\n"),
        "{}",
        text.text()
    );
    let found = files.run(&["inspect", &path, "--json"]).ok().json();
    assert_eq!((&found["records"], &found["bytes"]), (&json!(2), &json!(LITTLE.len())));
    assert_eq!(found["fields"][1], json!({"name": "celsius", "type": "f32, nullable"}));
}

#[test]
fn as_a_table() {
    let (files, path) = readings("layout-table");
    let csv = files.run(&["cat", &path, "--csv"]).ok();
    assert_eq!(csv.text(), "sensor,celsius,place\n42,21.5,roof\n43,,up\n");
    let some = files.run(&["cat", &path, "--csv", "--columns", "place,sensor", "--rows", "1.."]).ok();
    assert_eq!(some.text(), "place,sensor\nup,43\n");
    let e = files.run(&["cat", &path, "--columns", "plac"]).fails(2);
    assert!(e.err.contains("did you mean `place`?"), "{}", e.err);
}

#[test]
fn every_byte_explained() {
    let (files, path) = readings("layout-dump");
    let dump = files.run(&["dump", &path]).ok();
    assert!(dump.text().contains("[0].celsius: 21.5 (f32 le)"), "{}", dump.text());
    assert!(dump.text().contains("[1].place: \"up\" (UTF-8)"), "{}", dump.text());
    let part = files.run(&["dump", &path, "--range", "12.."]).ok();
    assert!(
        part.text().starts_with("0x0000000c") && part.text().contains("[1].sensor: 43"),
        "{}",
        part.text()
    );
}

#[test]
fn as_json_and_back() {
    let (files, path) = readings("layout-json");
    let (document, copy) = (files.folder.path("log.json"), files.folder.path("copy.bin"));
    files.run(&["convert", &path, &document]).ok();
    let found: Json = serde_json::from_slice(&std::fs::read(&document).unwrap()).unwrap();
    assert_eq!(found["records"][0], json!({"sensor": 42, "celsius": 21.5, "place": "roof"}));
    assert_eq!(found["records"][1]["celsius"], json!({"missing": 7}));
    // the document says itself what its layout is
    run(&["convert", &document, &copy]).ok();
    assert_eq!(std::fs::read(&copy).unwrap(), LITTLE);
    run(&["convert", &document, &copy, "--byte-order", "big"]).ok();
    assert_eq!(std::fs::read(&copy).unwrap(), BIG);
    let e = std::fs::write(&document, br#"{"format":"layout","records":[]}"#)
        .map(|()| run(&["convert", &document, &copy]));
    assert!(e.unwrap().fails(1).err.contains("no member \"layout\""));
}

#[test]
fn in_both_byte_orders() {
    let (files, path) = readings("layout-order");
    let big = files.folder.path("big.bin");
    files.run(&["convert", &path, &big, "--byte-order", "big"]).ok();
    assert_eq!(std::fs::read(&big).unwrap(), BIG);
    let csv = files.run(&["cat", &big, "--csv", "--assume-byte-order", "big", "--no-header"]).ok();
    assert_eq!(csv.text(), "42,21.5,roof\n43,,up\n");
    // a layout that fixes its order does not ask
    let fixed = Description::new(Type::Record(reading().ordered(ByteOrder::Big)));
    let fixed = Files::new("layout-fixed", &fixed);
    let run = fixed.run(&["inspect", &big]).ok();
    assert!(run.text().contains("big-endian, as the layout says\n"), "{}", run.text());
    let run = files.run(&["inspect", &path]).ok();
    assert!(run.text().contains("little-endian\n"), "{}", run.text());
    assert_eq!(fixed.run(&["cat", &big, "--csv", "--no-header"]).ok().text(), csv.text());
    let e = fixed.run(&["cat", &big, "--assume-byte-order", "little"]).fails(2).err;
    let told = "--assume-byte-order means nothing for this layout: it says that it is big-endian";
    assert!(e.contains(told), "{e}");
}

#[test]
fn damage_has_its_place() {
    let (files, _) = readings("layout-damage");
    let path = files.folder.file("cut.bin", &LITTLE[..LITTLE.len() - 1]);
    let e = files.run(&["check", &path]).fails(1);
    assert!(e.err.contains("[1].place at byte 20 (0x14)"), "{}", e.err);
    assert!(e.err.contains("was cut short, or its records are not what --layout says"), "{}", e.err);
    // what was sound is shown first
    let cat = files.run(&["cat", &path, "--csv", "--no-header"]).fails(1);
    assert_eq!(cat.text(), "42,21.5,roof\n");
    let cat = files.run(&["cat", &path, "--json"]).fails(1);
    let last: Json = serde_json::from_slice(&cat.out).unwrap();
    assert_eq!(
        (last["records"].as_array().unwrap().len(), &last["records"][0]["place"]),
        (1, &json!("roof"))
    );
    assert!(
        last["error"].as_str().unwrap().starts_with("[1].place at byte 19 (0x13): count 2 needs"),
        "{}",
        last["error"]
    );
    for len in 0..LITTLE.len() {
        let path = files.folder.file("cut.bin", &LITTLE[..len]);
        let status = i32::from(![0, 12].contains(&len));
        assert_eq!(files.run(&["check", &path]).status, status, "{len}");
    }
}

#[test]
fn what_is_no_record_and_what_is_no_table() {
    let numbers = Files::new("layout-numbers", &Description::new(int(2)));
    let path = numbers.folder.file("numbers.bin", &[1, 0, 2, 0]);
    assert_eq!(numbers.run(&["cat", &path, "--csv"]).ok().text(), "value\n1\n2\n");
    assert_eq!(numbers.run(&["cat", &path, "--json"]).ok().json()["records"], json!([1, 2]));

    // a list that contains itself
    let mut tree = Description::new(Type::Named("Tree".into()));
    let len = Extent::Prefixed { len: Integer::unsigned(1), max: None, inclusive: false };
    let children = Type::List { item: Box::new(Type::Named("Tree".into())), len };
    tree.definitions
        .insert("Tree".into(), Type::Record(Record::new("Tree", [Field::new("children", children)])));
    let tree = Files::new("layout-tree", &tree);
    let path = tree.folder.file("tree.bin", &[2, 0, 1, 0]);
    let nested = json!({"children": [{"children": []}, {"children": [{"children": []}]}]});
    assert_eq!(tree.run(&["cat", &path, "--json"]).ok().json()["records"], json!([nested]));
    let e = tree.run(&["cat", &path, "--csv"]).fails(2);
    assert!(e.err.contains("not rows of a table") && e.err.contains("--json shows them"), "{}", e.err);
}

#[test]
fn layouts_that_cannot_be_used() {
    let folder = Folder::new("layout-wrong");
    let path = folder.file("log.bin", LITTLE);
    let with = |text: &str| {
        run(&["check", &path, "--layout", &folder.file("layout.json", text.as_bytes())]).fails(2).err
    };
    let e = run(&["check", &path, "--layout", "no such file"]).fails(2).err;
    assert!(e.contains("--layout no such file: "), "{e}");
    let e = with(r#"{"root": {"int": {"bytes": 2}}}"#);
    assert!(e.contains("missing field `signed` at line 1"), "{e}");
    let e = with(r#"{"root": {"named": "Nobody"}}"#);
    assert!(e.contains("Nobody"), "{e}");
    // another format has no use for it
    let e = run(&["check", &path, "--format", "sdds", "--layout", &path]).fails(2).err;
    assert!(e.contains("--layout means nothing for a"), "{e}");
}

/// The same layout as text, as anybody may write it.
#[test]
fn layouts_as_text() {
    let folder = Folder::new("layout-text");
    let path = folder.file("log.bin", LITTLE);
    let layout = folder.file("log.layout", b"// what a sensor sends\nReading: record\n  sensor: u16\n  celsius: f32, nullable\n  place: text, length_prefixed(u8)\n");
    let csv = run(&["cat", &path, "--csv", "--layout", &layout]).ok();
    assert_eq!(csv.text(), "sensor,celsius,place\n42,21.5,roof\n43,,up\n");
    std::fs::write(&layout, "Reading: record\n  sensor: u16, nullabel\n").unwrap();
    let e = run(&["cat", &path, "--layout", &layout]).fails(2).err;
    assert!(e.contains(", line 2: unknown word `nullabel`, did you mean `nullable`?\n"), "{e}");
    assert!(e.contains("\n    sensor: u16, nullabel\n                 ^\n"), "{e}");
}

#[test]
fn parts_that_lie_anywhere() {
    let folder = Folder::new("layout-elsewhere");
    // the part, of which the position stands before it, and a second one that comes first
    let path = folder.file("archive.bin", b"\x08\0\x06\0ab\x05\x09\x02hi");
    let layout = folder.file(
        "archive.layout",
        b"Archive: record, le\n  name: u16\n  byte: u16\n  head: text, count = 2\n  last: text, at = name, length_prefixed(u8)\n  first: u8, at = byte\n  second: u8, at = byte + 1\n",
    );
    let all = |words: &[&str]| run(&[words, &["--layout", &layout]].concat());
    assert_eq!(all(&["check", &path]).ok().text(), format!("{path}: ok (1 record, 11 bytes)\n"));
    let dump = all(&["dump", &path]).ok();
    assert!(dump.text().contains("last: \"hi\" (UTF-8)"), "{}", dump.text());
    let found = all(&["cat", &path, "--json"]).ok().json();
    assert_eq!(
        found["records"],
        json!([{"name": 8, "byte": 6, "head": "ab", "last": "hi", "first": 5, "second": 9}])
    );
    assert!(all(&["inspect", &path]).ok().text().contains("Records      1\n"));
    let (document, copy) = (folder.path("archive.json"), folder.path("copy.bin"));
    all(&["convert", &path, &document]).ok();
    run(&["convert", &document, &copy]).ok();
    assert_eq!(std::fs::read(&copy).unwrap(), std::fs::read(&path).unwrap());
    // a position in the wild
    std::fs::write(&path, b"\x08\0\xff\xffab\x05\x09\x02hi").unwrap();
    let e = all(&["check", &path]).fails(1).err;
    assert!(e.contains("first at byte 6 (0x6): position 65535 is beyond the end of the input, 11"), "{e}");
}

#[test]
fn a_description_is_explained_and_compared() {
    let folder = Folder::new("layout-command");
    let one = folder.file("one.layout", b"Row: record, le\n  a: u16\n  p: Point\n  s: text, nul\n  z: u8\nPoint: record\n  x: f32\n  y: f32\n");
    let text = run(&["layout", &one]).ok();
    let again = folder.file("again.layout", &text.out);
    assert_eq!(run(&["layout", &again]).ok().out, text.out);
    let json = folder.file("one.json", &run(&["layout", &one, "--json"]).ok().out);
    assert_eq!(run(&["layout", &json]).ok().out, text.out);
    let told = run(&["layout", &one, "--offsets", "--json"]).ok().json();
    let places: Vec<(Option<u64>, &str)> = told["fields"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| (field["offset"].as_u64(), field["field"].as_str().unwrap()))
        .collect();
    let expected =
        [(Some(0), "a"), (Some(2), "p"), (Some(2), "p.x"), (Some(6), "p.y"), (Some(10), "s"), (None, "z")];
    assert_eq!(places, expected);

    let point = run(&["layout", &one, "--type", "Point"]).ok();
    assert_eq!(point.text(), "Point: record\n  x: f32\n  y: f32\n");
    let own = folder.file("point.layout", b"Point: record\n  x: f32\n  y: f64\n");
    let e = run(&["layout", &one, "--type", "Point", "--against", &own]).fails(1).err;
    assert!(e.contains("y: the first has f32, the second has f64"), "{e}");
    let e = run(&["layout", &one, "--type", "Pont"]).fails(2).err;
    assert!(e.contains("there is no type `Pont`") && e.contains("did you mean `Point`?"), "{e}");

    run(&["layout", &one, "--against", &json]).ok();
    let other = folder.file("other.layout", b"Row: record, le\n  a: u32\n");
    let e = run(&["layout", &one, "--against", &other]).fails(1).err;
    let told = [
        &format!("4 differences between {one} and {other}:"),
        "a: the first has u16, the second has u32",
        "p: the first has Point, the second has nothing",
    ];
    assert!(told.iter().all(|line| e.contains(line)), "{e}");
    let wrong = folder.file("wrong.layout", b"Row: record\n  a: u17\n");
    let e = run(&["layout", &wrong]).fails(2).err;
    assert!(e.contains("line 2") && e.contains("u17"), "{e}");
    let twice = folder.file("twice.layout", b"Row: record\n  a: u8\n  a: u16\n");
    let e = run(&["layout", &twice]).fails(2).err;
    assert!(
        e.contains("line 3: a second field `a`; the first is in line 2, column 3\n    a: u16\n    ^"),
        "{e}"
    );
    let json =
        run(&["layout", &folder.file("two.layout", b"Row: record\n  a: u8\n  b: u16\n"), "--json"]).ok().out;
    let twice =
        folder.file("twice.json", String::from_utf8_lossy(&json).replace("\"b\"", "\"a\"").as_bytes());
    let e = run(&["layout", &twice]).fails(2).err;
    assert!(e.contains("two fields are called `a`"), "{e}");
}

#[test]
fn columns_by_pattern() {
    let folder = Folder::new("layout-patterns");
    let layout = folder.file("x.layout", b"Row: record, le\n  ax: u8\n  b: u8\n  ay: u8\n");
    let input = folder.file("x.bin", &[1, 2, 3]);
    let cat = |words: &[&str]| run(&[&["cat", &input, "--layout", &layout][..], words].concat()).ok();
    assert_eq!(cat(&["--csv", "--columns", "b,a*"]).text(), "b,ax,ay\n2,1,3\n");
    let json = cat(&["--json", "--columns", "a?"]).json();
    assert_eq!(json["records"], serde_json::json!([{"ax": 1, "ay": 3}]));
    assert_eq!(cat(&["--jsonl", "--columns", "*y,*"]).text(), "{\"ay\":3,\"ax\":1,\"b\":2}\n");
}

#[test]
fn text_in_a_code_page_is_text() {
    let folder = Folder::new("layout-pages");
    let layout = folder.file(
        "layout.txt",
        b"Row: record\n  name: bytes, length_prefixed(u8), text = encoding(koi8_r)\n  dos: bytes, count = 2, text = encoding(ibm437)\n",
    );
    let path = folder.file("rows.bin", b"\x02\xc4\xc1\x82a\x00\xe1b");
    let run = |words: &[&str]| run(&[words, &["--layout", &layout]].concat());
    assert_eq!(run(&["cat", &path]).ok().text(), "name\tdos\nда\téa\n\tßb\n");
    let dumped = run(&["dump", &path]).ok();
    let dump = dumped.text();
    assert!(dump.contains("\"да\" (koi8-r)") && dump.contains("\"éa\" (ibm437)"), "{dump}");
}

/// One layout is that of the file that is read, the other that of the one that is written.
#[test]
fn a_layout_is_written_as_another() {
    let folder = Folder::new("layout-to-layout");
    let one = folder.file(
        "one.layout",
        b"Row: record\n  n: u16\n  at: Place\n  s: text, length_prefixed(u8)\nPlace: record\n  x: f32\n  y: f32\n",
    );
    let other = folder.file(
        "other.layout",
        b"Row: record\n  s: text, nul\n  at: Place\n  n: i64\nPlace: record\n  x: f32\n  y: f32\n",
    );
    let csv = folder.file("a.csv", b"n,at.x,at.y,s\n1,0.5,2,ab\n300,-1,4,c\n");
    let (a, b, c) = (folder.path("a.raw"), folder.path("b.raw"), folder.path("c.raw"));
    let shown = |file: &str, words: &[&str]| {
        run(&[&["cat", "--csv", file, "--columns", "n,at,s"][..], words].concat()).ok().text().to_owned()
    };
    // it says by itself that a layout is written, whatever OUT is called
    let from_csv = run(&["convert", &csv, &b, "--to-layout", &other, "--columns", "n,s"]);
    assert!(from_csv.status != 0 && from_csv.err.contains("has a column `at"), "{}", from_csv.err);
    let flat = folder.file("flat.layout", b"record, le\n  n: u16\n  s: text, nul\n");
    run(&["convert", &csv, &b, "--to-layout", &flat]).noted("left out");
    assert_eq!(run(&["cat", "--csv", &b, "--layout", &flat]).ok().text(), "n,s\n1,ab\n300,c\n");
    // fields go to those of the same names, with all that is in them, and each file has its own byte order
    let bytes = b"\0\x01\x3f\0\0\0\x40\0\0\0\x02ab\x01\x2c\xbf\x80\0\0\x40\x80\0\0\x01c";
    std::fs::write(&a, bytes).unwrap();
    let said = ["--layout", &one, "--to-layout", &other, "--assume-byte-order", "big"];
    let convert =
        |from: &str, to: &str, words: &[&str]| run(&[&["convert", from, to], &said[..], words].concat());
    let done = convert(&a, &b, &[]);
    assert_eq!(done.status, 0, "{}", done.err);
    assert_eq!(std::fs::read(&b).unwrap()[..11], *b"ab\0\0\0\0\x3f\0\0\0\x40");
    assert_eq!(
        shown(&b, &["--layout", &other]),
        shown(&a, &said[..2].iter().chain(&said[4..]).copied().collect::<Vec<_>>())
    );
    let done = convert(&a, &c, &["--byte-order", "big", "--rows", "1.."]);
    assert_eq!(done.status, 0, "{}", done.err);
    assert_eq!(std::fs::read(&c).unwrap()[..5], *b"c\0\xbf\x80\0");
    // what cannot be is said
    let usage = |words: &[&str]| run(words).fails(2).err;
    let e = usage(&["convert", &a, "-", "--layout", &one, "--to-layout", &other, "--to", "csv"]);
    assert!(e.contains("--to-layout is for convert, when it writes a file of a layout"), "{e}");
    let e = usage(&["cat", &a, "--layout", &one, "--to-layout", &other]);
    assert!(e.contains("--to-layout is for convert"), "{e}");
    let e = usage(&["convert", &a, &b, "--layout", &one, "--to-layout", "nosuch"]);
    assert!(e.contains("--to-layout nosuch: "), "{e}");
    let e = usage(&["convert", &a, &other, "--layout", &one, "--to-layout", &other]);
    assert!(e.contains("it is the file of --to-layout"), "{e}");
    let json = folder.file("a.json", &run(&["cat", "--json", &a, "--layout", &one]).ok().out);
    let e = usage(&["convert", &json, &b, "--to-layout", &other]);
    assert!(e.contains("a JSON document has records of one layout"), "{e}");
    assert!(run(&["convert", "--help"]).ok().text().contains("--to-layout <FILE>"));
}

/// Files without flags have them as 0 and 1.
#[test]
fn numbers_that_are_0_and_1_are_flags() {
    let folder = Folder::new("layout-flags");
    let layout = folder.file("f.layout", b"record, le\n  n: u8\n  flag: bool\n");
    let (csv, out) = (folder.file("f.csv", b"n,flag\n5,0\n6,1\n"), folder.path("f.bin"));
    run(&["convert", &csv, &out, "--layout", &layout, "--to", "layout"])
        .noted("column `flag`, i64? to bool: checked");
    assert_eq!(std::fs::read(&out).unwrap(), [5, 0, 6, 1]);
    let csv = folder.file("g.csv", b"n,flag\n5,0\n6,2\n");
    let out = folder.path("g.bin");
    let e = run(&["convert", &csv, &out, "--layout", &layout, "--to", "layout"]).fails(1).err;
    assert!(e.contains("[1].flag: 2 does not fit in bool"), "{e}");
    assert!(!std::path::Path::new(&out).exists());
}

#[test]
fn a_word_that_is_written_in_another_way_is_told_so() {
    let folder = Folder::new("layout-words");
    let file = folder.file("x.bin", b"abcd");
    for (line, expected) in [
        ("a: [u8], count n", "`count n` is not how `count` is written: it is `count = n`"),
        ("a: [u8], count(4)", "`count(4)` is not how `count` is written: it is `count = n`"),
        ("a: [u8], count", "`count` is not how `count` is written: it is `count = n`"),
        ("a: u8, pad_to 4", "`pad_to 4` is not how `pad_to` is written: it is `pad_to = 8`"),
        ("a: [u8], length_prefixed", "it is `length_prefixed(u8)`"),
        ("a: u8, le = 3", "it is `le`, with nothing after it"),
    ] {
        let layout = folder.file("x.layout", format!("record, be\n  {line}\n").as_bytes());
        let e = run(&["cat", &file, "--layout", &layout]).fails(2);
        assert!(e.err.contains(expected) && !e.err.contains("did you mean"), "{}", e.err);
    }
}
