//! SDDS files of the official library, read, and written again in every arrangement for it to read. Driven by `sdds.py`.

use crate::interop::folder;
use crate::sdds::content;
use binfmt::Endian;
use binfmt::formats::sdds::{
    Array, ArrayValue, Column, Compression, DataType, Elements, File, Header, Mode, Options, Packed, Page,
    Parameter, Text, Unpacked, Value,
};
use content::{definitions, header_differences, page_differences, text_json};
use serde_json::Value as Json;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;

/// The arrangements, and the endings of the names of their files.
const ARRANGEMENTS: [(&str, Mode, Endian, bool); 7] = [
    ("little-rows.sdds", Mode::Binary, Endian::Little, false),
    ("little-columns.sdds", Mode::Binary, Endian::Little, true),
    ("big-rows.sdds", Mode::Binary, Endian::Big, false),
    ("big-columns.sdds", Mode::Binary, Endian::Big, true),
    ("text.sdds", Mode::Ascii, Endian::Little, false),
    ("text.sdds.xz", Mode::Ascii, Endian::Little, false),
    ("big-rows.sdds.gz", Mode::Binary, Endian::Big, false),
];

/// The file with its pages, compared with what the library says.
fn read(path: &Path, json: &Json) -> File {
    let mut reader = Options::new().file(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let header = reader.header().clone();
    let pages: Result<Vec<_>, _> = (&mut reader).collect();
    let pages = pages.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(header_differences(json, &header), [""; 0], "{}", path.display());
    let expected = json["pages"].as_array().unwrap();
    assert_eq!(pages.len(), expected.len(), "{}", path.display());
    for (i, (json, page)) in expected.iter().zip(&pages).enumerate() {
        assert_eq!(page_differences(json, &header, page), [""; 0], "{}, page {i}", path.display());
    }
    File { header, pages }
}

/// Whether the library's bytes are those that the content gives: not in `longdouble`, whose padding is what was in
/// memory, and not in text, where it writes too few digits.
fn has_one_form(header: &Header) -> bool {
    let types = header.parameters.iter().map(|p| p.data_type);
    let types = types.chain(header.arrays.iter().map(|a| a.data_type));
    let mut types = types.chain(header.columns.iter().map(|c| c.data_type));
    header.mode == Mode::Binary && types.all(|t| t != DataType::LongDouble)
}

fn same_bytes(path: &Path, file: &File) {
    let mut bytes = Vec::new();
    let packed = fs::File::open(path).unwrap();
    Unpacked::new(packed, 1 << 30).unwrap().read_to_end(&mut bytes).unwrap();
    let written = binfmt::to_vec(file).unwrap();
    let at = written.iter().zip(&bytes).position(|(a, b)| a != b);
    assert_eq!((at, written.len()), (None, bytes.len()), "{} is written otherwise", path.display());
}

fn write(file: &mut File, to: &Path) {
    for (ending, mode, endian, column_major) in ARRANGEMENTS {
        let header = &mut file.header;
        (header.mode, header.endian, header.column_major) = (mode, Some(endian), column_major);
        header.version = header.required_version();
        let name = format!("{}-{ending}", to.display());
        let out = fs::File::create(&name).unwrap();
        let mut out = Packed::new(out, Compression::by_name(&name)).unwrap();
        out.write_all(&binfmt::to_vec(file).unwrap_or_else(|e| panic!("{name}: {e}"))).unwrap();
        out.finish().unwrap();
    }
}

#[test]
fn files_of_the_official_library() {
    let (Some(theirs), Some(ours)) = (folder("python"), folder("rust")) else {
        println!("not run: the files are those that tests/interop/sdds.py makes with the official library");
        return;
    };
    let (mut files, mut forms) = (0, 0);
    for entry in fs::read_dir(theirs).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let Some((number, "sdds" | "sdds.gz" | "sdds.xz")) = name.split_once('.') else { continue };
        let json = fs::read_to_string(path.with_file_name(format!("{number}.json"))).unwrap();
        let mut file = read(&path, &serde_json::from_str(&json).unwrap());
        if has_one_form(&file.header) {
            same_bytes(&path, &file);
            forms += 1;
        }
        write(&mut file, &ours.join(number));
        files += 1;
    }
    assert!(files > 0 && forms > 0, "{files} files of the library, {forms} of them of one form");
    println!("binfmt reads {files} files, and writes {forms} byte for byte");
}

/// Texts that mean something where they stand in a header or in an ascii page.
const TEXTS: [&str; 40] = [
    "",
    " ",
    "&",
    "y&z",
    "& lead",
    "trail &",
    "&end",
    "a &end b",
    "a&end",
    "&endless",
    "&data",
    "!",
    "a!b",
    "! lead",
    "!# big-endian",
    "a\\!b",
    "\"all quoted\"",
    "a \"quote\" in it",
    "one \" only",
    "\"",
    "a, b",
    ",",
    "=",
    "a=b, c=d",
    "tab\tin",
    " lead",
    "trail ",
    "$gb$r$bx$n",
    "*",
    "ünïcödé ☃ 日本",
    "\\",
    "back\\slash",
    "\\n no line",
    "\\101",
    "%d %s",
    "#",
    "'",
    "CR\rin",
    "a &end, &column name=z, type=long, &end",
    "\\\"",
];

/// In pages there may also be line feeds, and more than a header's command can have.
fn values() -> Vec<String> {
    let more = ["new\nline", "\n", "a\r\nb\r\n", "\u{b}\u{c}\u{8}\u{7}\u{7f}", "!\n&end\n", "blank\n\nline"];
    let mut all: Vec<String> = TEXTS.iter().chain(&more).map(|text| text.to_string()).collect();
    all.push("long & !".repeat(1000));
    all
}

/// A file that has a text wherever a header can have one, and all texts as values.
fn of_texts(text: &str, mode: Mode) -> File {
    let some = Some(Text::from(text));
    let mut header = Header::new(mode);
    (header.text, header.contents) = (some.clone(), some.clone());
    header.parameters.push(Parameter::new("fixed", DataType::String).fixed_value(text));
    header.parameters.push(Parameter::new("p", DataType::String));
    header.arrays.push(Array::new("a&b", DataType::String, 1));
    header.columns.push(Column::new("y&z", DataType::String));
    let (p, a, c) = (&mut header.parameters[1], &mut header.arrays[0], &mut header.columns[0]);
    (p.units, p.symbol, p.description) = (some.clone(), some.clone(), some.clone());
    (a.units, a.group_name, a.description) = (some.clone(), some.clone(), some.clone());
    (c.units, c.symbol, c.description) = (some.clone(), some.clone(), some);
    let strings = || Elements::strings(values());
    let array = ArrayValue::new(&[values().len()], strings());
    let page = Page::new(&header, [Value::String(text.into())], array, [strings()]).unwrap();
    File { header, pages: vec![page] }
}

/// What the library should say of a file.
fn said(file: &File) -> Json {
    let (header, page) = (&file.header, &file.pages[0]);
    let mut json = definitions(header);
    let texts = |elements: &Elements| match elements {
        Elements::String(v) => v.iter().map(|text| text_json(&Text::new(text))).collect::<Json>(),
        _ => panic!("only strings"),
    };
    let value = |name: &str| match page.parameter(header, name) {
        Some(Value::String(text)) => text_json(&text),
        other => panic!("{other:?}"),
    };
    let (array, column) = (page.arrays()[0].elements(), &page.columns()[0]);
    json["description"] = serde_json::json!({
        "text": header.text.as_ref().map(text_json), "contents": header.contents.as_ref().map(text_json),
    });
    json["pages"] = serde_json::json!([{
        "rows": page.rows(),
        "parameters": {"fixed": value("fixed"), "p": value("p")},
        "arrays": {"a&b": {"dims": [array.len()], "values": texts(array)}},
        "columns": {"y&z": texts(column)},
    }]);
    json
}

#[test]
fn texts_for_the_official_library() {
    let folder = folder("texts");
    for (i, text) in TEXTS.iter().enumerate() {
        for mode in [Mode::Binary, Mode::Ascii] {
            let file = of_texts(text, mode);
            let bytes = binfmt::to_vec(&file).unwrap_or_else(|e| panic!("{text:?}: {e}"));
            let again: File = binfmt::from_slice(&bytes).unwrap_or_else(|e| panic!("{text:?}: {e}"));
            assert_eq!(file.pages, again.pages, "{text:?}");
            // a header keeps the backslash that a quote must have there, and no unit that is blank
            let kept = |text: &Option<Text>| text.as_ref().map(|t| t.lossy().replace("\\\"", "\""));
            let wanted = Some(text.replace("\\\"", "\""));
            assert_eq!(kept(&again.header.text), wanted);
            assert_eq!(kept(&again.header.columns[0].units), wanted.filter(|text| !text.trim().is_empty()));
            assert_eq!(again.header.parameters[1].units, again.header.columns[0].description);
            assert_eq!(binfmt::to_vec(&again).unwrap(), bytes, "{text:?}");
            if let Some(folder) = &folder {
                let name = format!("{i}-{}", mode.name());
                fs::write(folder.join(format!("{name}.sdds")), bytes).unwrap();
                fs::write(folder.join(format!("{name}.json")), said(&again).to_string()).unwrap();
            }
        }
    }
}
