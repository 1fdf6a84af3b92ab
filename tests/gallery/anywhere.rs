//! Formats whose parts lie anywhere: what is in them.

use crate::gallery::formats::elf::{Content, Elf};
use crate::gallery::formats::sqlite::{Database, Tree, Value};
use crate::gallery::formats::zip::Zip;
use crate::gallery::kit::sample;
use binfmt::Gap;

#[test]
fn an_elf_file_has_its_names_and_symbols() {
    let elf: Elf = binfmt::from_slice(&sample("tiny.elf")).unwrap();
    let names: Vec<&str> = elf.file.names.iter().map(|name| &*name.text).collect();
    let expected = ["", ".text", ".rodata", ".data", ".bss", ".comment", ".symtab", ".strtab", ".shstrtab"];
    assert_eq!(names, expected);
    let symbols = elf.file.sections.iter().find_map(|section| match &section.content {
        Some(Content::Symbols(symbols)) => Some(symbols),
        _ => None,
    });
    // `counter` is a global object of eight bytes
    assert!(symbols.unwrap().iter().any(|symbol| (symbol.binding, symbol.kind, symbol.size) == (1, 1, 8)));
}

#[test]
fn a_zip_file_is_read_from_its_end() {
    for name in ["files.zip", "streamed.zip"] {
        let bytes = sample(name);
        let zip: Zip = binfmt::from_slice(&bytes).unwrap();
        let found: Vec<_> = zip.entries.iter().map(|entry| (&*entry.name, entry.size)).collect();
        assert_eq!(found, [("a.txt", 6), ("dir/", 0), ("dir/b.txt", 280)], "{name}");
        assert_eq!(
            (&*zip.entries[0].comment, &zip.entries[0].file.packed[..]),
            ("the first", &b"stored"[..])
        );
        // where sizes follow the data
        assert_eq!(zip.gaps.list.is_empty(), name == "files.zip");
        // what is before the first file stays there
        let mut zip = zip;
        zip.gaps.list.push(Gap { offset: bytes.len() as u64 - 22, bytes: b"more".to_vec() });
        let longer = binfmt::to_vec(&zip).unwrap();
        assert_eq!(longer.len(), bytes.len() + 4);
        assert!(binfmt::from_slice::<Zip>(&longer).unwrap() == zip);
    }
}

#[test]
fn a_database_has_its_rows() {
    let bytes = sample("towns.sqlite");
    let database: Database = binfmt::from_slice(&bytes).unwrap();
    assert!(binfmt::to_vec(&database).unwrap() == bytes);
    assert!(database.pages.iter().any(|page| matches!(page.tree, Tree::TableInterior { .. })));
    let rows = database.pages.iter().filter_map(|page| match &page.tree {
        Tree::TableLeaf { cells, .. } => Some(cells.iter().map(|cell| &cell.cell)),
        _ => None,
    });
    let rows: Vec<_> = rows.flatten().collect();
    let town = rows.iter().find(|row| row.record.values.get(1) == Some(&Value::Text("town 04".into())));
    let [Value::Null, _, people, share, flag] = &town.unwrap().record.values[..] else { panic!("{town:?}") };
    assert_eq!((people, share, flag), (&Value::Zero, &Value::Null, &Value::Blob(b"\0\xff".to_vec())));
    assert_eq!(town.unwrap().number, 5);
    // a table and an index, and 31 rows
    assert_eq!(rows.len(), 2 + 31);
}
