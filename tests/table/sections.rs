//! What formats say of the bytes of their files.

use binfmt::dump::PartOptions;
use binfmt::formats::{beat, futhark, sdds};
use binfmt::storage::{Memory, Storage};
use binfmt::table::npy::Npy;
use binfmt::table::{RowsTable, Section, Settings, Table, TableFormat};
use binfmt::{BinFormat, Options};
use std::sync::Arc;

/// The paths and offsets of all values.
fn explained(sections: &[Section], file: &[u8]) -> Vec<(u64, String)> {
    let mut found = Vec::new();
    for section in sections {
        let start = section.bytes().start;
        let end = section.bytes().end.min(file.len() as u64);
        let bytes = &file[start as usize..end as usize];
        let done = section.trace(bytes, (start, 0), PartOptions::new(), |part| {
            let leaves = part.nodes().filter(|node| !node.is_group());
            found.extend(leaves.map(|node| (node.range().start, node.path())));
            true
        });
        done.unwrap();
    }
    found
}

fn sections_of(format: &dyn TableFormat, file: &[u8]) -> Vec<Section> {
    let files = Memory::new();
    files.write("file", file).unwrap();
    format.sections(Arc::new(files), "file", &Settings::new()).unwrap()
}

#[test]
fn formats_explain_their_files() {
    let file =
        b"SDDS1\n!# little-endian\n&column name=x, type=short &end\n&data mode=binary &end\n\x01\0\0\0\x07\0";
    let found = explained(&sections_of(&sdds::Tables, file), file);
    assert_eq!(found.last().unwrap().0, file.len() as u64 - 2, "{found:?}");
    // what is compressed is not explained by its bytes
    assert!(sections_of(&sdds::Tables, b"\x1f\x8b\x08\0\0\0\0\0\0\0").is_empty());
    let file = b"b\x02\0  i8\x05b\x02\0  i8\x06";
    assert_eq!(explained(&sections_of(&futhark::Tables, file), file).last().unwrap().0, 15);
    let header = b"{'descr': '<i2', 'fortran_order': False, 'shape': (2,)}";
    let file = [b"\x93NUMPY\x01\0".as_slice(), &[header.len() as u8, 0], header, b"\x05\0\x06\0"].concat();
    let start = 10 + header.len() as u64;
    let rows = [(start, "[0].value".to_owned()), (start + 2, "[1].value".to_owned())];
    assert_eq!(explained(&sections_of(&Npy, &file), &file), rows);
}

#[test]
fn chunks_and_objects_are_explained_by_their_declaration() {
    let said = Settings::new().with("schema", r#"{"value": "int16"}"#);
    let explained_as_said = |file: &[u8]| {
        let files = Memory::new();
        files.write("file", file).unwrap();
        explained(&beat::Tables.sections(Arc::new(files), "file", &said).unwrap(), file)
    };
    let found = explained_as_said(b"binary\nuser/x/1\n0 0 3\n\x05\0\n1 1 3\n\x06\0\n");
    let value = (31, "[1].value.value".to_owned());
    assert!(found.contains(&value), "{found:?}");
    assert_eq!(explained_as_said(b"\x05\0"), [(0, "value".to_owned())]);
    assert!(beat::Tables.sections(Arc::new(Memory::new()), "file", &said).is_err());
}

#[test]
fn rows_begin_where_a_byte_is_before_them() {
    let files = Memory::new();
    let file: Vec<u8> = (0..5000u16).flat_map(|n| [b"\x02".as_slice(), &n.to_le_bytes()].concat()).collect();
    files.write("rows", &file).unwrap();
    let layout = "record\n  x: bytes, length_prefixed(u8)\n".parse().unwrap();
    let table = RowsTable::open(Arc::new(files), "rows", &layout, &Options::new()).unwrap();
    let [rows] = &table.sections()[..] else { panic!("one section") };
    // rows of any size are stepped over
    let (at, number) = rows.row_at(14_000, &file[..]).unwrap();
    assert!(at == number * 3 && number > 3000 && at <= 14_000, "{at} {number}");
    let mut first = None;
    let trace = rows.trace(&file[at as usize..], (at, number), PartOptions::new(), |row| {
        first.get_or_insert((row.range(), row.nodes().next().unwrap().path()));
        false
    });
    trace.unwrap();
    assert_eq!(first.unwrap(), (at..at + 3, format!("[{number}]")));
}

#[test]
fn errors_tell_the_place_in_the_file() {
    #[derive(BinFormat)]
    #[allow(dead_code, reason = "what is explained")]
    struct Header {
        version: u8,
        is_open: bool,
    }
    let section = Section::of::<Header>().between(4..6).named("header");
    let e = section.trace(&[1u8, 7][..], (4, 0), PartOptions::new(), |_| true).unwrap_err();
    assert_eq!(e.to_string(), "header.is_open at byte 0x5: 0x07 is not a bool, expected 0 or 1");
    // a value ends with its section
    let e = section.trace(&[1u8, 1, 1][..], (4, 0), PartOptions::new(), |_| true).unwrap_err();
    assert!(e.to_string().contains("at byte 0x6: 1 byte after the value"), "{e}");
}
