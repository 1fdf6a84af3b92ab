//! SDDS files of the official library, read, and written again in every arrangement for it to read. Driven by `sdds.py`.

#[path = "../sdds/content.rs"]
mod content;

use crate::folder;
use binfmt::Endian;
use binfmt::formats::sdds::{Compression, DataType, File, Header, Mode, Open, Packed, Unpacked};
use content::{header_differences, page_differences};
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
    let mut reader = Open::new().file(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
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
