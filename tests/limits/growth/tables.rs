//! Tables of many columns, rows or pages, read and written in each format.

use super::each;
use super::kit::in_proportion;
use binfmt::columns::{Column, Columns};
use binfmt::formats::{beat, sdds, tiledb};
use binfmt::storage::{Memory, Storage};
use binfmt::table::csv::Csv;
use binfmt::table::jsonl::JsonLines;
use binfmt::table::npy::{Npy, write_each};
use binfmt::table::{ColumnsTable, Concatenated, Settings, Table, TableFormat, Wanted};
use std::sync::Arc;

/// A file in memory.
fn file(bytes: impl AsRef<[u8]>) -> Arc<Memory> {
    let files = Memory::new();
    files.write("x", bytes.as_ref()).unwrap();
    Arc::new(files)
}

/// Reads all of a table; whether nothing is wrong.
fn read(format: &dyn TableFormat, files: &Arc<Memory>, settings: &Settings) -> binfmt::Result<usize> {
    let table = format.open(files.clone(), "x", settings)?;
    let batches = table.batches(&Wanted::new())?;
    batches.map(|batch| batch.map(|columns| columns.num_rows())).sum()
}

/// Opens a file of each size and reads it.
fn files_are_read(what: &str, size: usize, format: &dyn TableFormat, make: impl Fn(usize) -> Vec<u8>) {
    let run = |files: &Arc<Memory>| assert!(read(format, files, &Settings::new()).unwrap() > 0);
    in_proportion(what, size, |n| file(make(n)), run);
}

fn names(n: usize) -> Vec<String> {
    (0..n).map(|i| format!("c{i}")).collect()
}

#[test]
fn csv() {
    let columns =
        |n| format!("{}\n{}\n{}\n", names(n).join(","), vec!["1"; n].join(","), vec!["x"; n].join(","));
    files_are_read("CSV columns", 16_000, &Csv, |n| columns(n).into_bytes());
    files_are_read("CSV rows", 16_000, &Csv, |n| {
        format!("a,b\n{}", each(n, |i| format!("{i},\"x\"\n"))).into_bytes()
    });
    let types = |n: usize| {
        let said = names(n).iter().map(|name| format!("{name}:text")).collect::<Vec<_>>().join(",");
        (file(columns(n)), Settings::new().with("types", said))
    };
    in_proportion("CSV types", 8000, types, |(files, said)| read(&Csv, files, said).unwrap());
}

#[test]
fn json_lines() {
    let line = |n: usize| format!("{{{}}}\n", each(n, |i| format!("\"k{i}\":1,")).trim_end_matches(','));
    files_are_read("JSON keys", 16_000, &JsonLines, |n| line(n).repeat(2).into_bytes());
    files_are_read("JSON rows", 16_000, &JsonLines, |n| "{\"a\":1,\"b\":\"x\"}\n".repeat(n).into_bytes());
    // a new key in each line: what has hardly any value in it is refused
    let new = |n: usize| file(each(n, |i| format!("{{\"k{i}\":1}}\n")));
    in_proportion("JSON lines of new keys", 16_000, new, |files| {
        let e = read(&JsonLines, files, &Settings::new()).map_or_else(|e| e.to_string(), |_| String::new());
        assert!(e.is_empty() || e.contains("in which hardly anything has a value"), "{e}");
    });
    // and so are short lines after one of many keys
    let after = |n: usize| file(line(n) + &"{}\n".repeat(n));
    in_proportion("JSON lines without keys", 16_000, after, |files| {
        read(&JsonLines, files, &Settings::new()).is_ok()
    });
}

/// A header of fields, then two rows.
fn npy(n: usize) -> Vec<u8> {
    let fields = each(n, |i| format!("('f{i}', '|u1'), "));
    let text = format!("{{'descr': [{fields}], 'fortran_order': False, 'shape': (2,), }}\n");
    let mut bytes = b"\x93NUMPY\x02\x00".to_vec();
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.resize(bytes.len() + 2 * n, 1);
    bytes
}

#[test]
fn npy_fields() {
    files_are_read("NPY fields", 16_000, &Npy, npy);
}

/// A header of columns, parameters and arrays, then pages.
fn sdds_file(columns: usize, parameters: usize, pages: usize, data: &str) -> Vec<u8> {
    let mut text = "SDDS1\n!# little-endian\n".to_owned();
    text += &each(parameters, |i| format!("&parameter name=p{i}, type=short &end\n"));
    text += &each(columns, |i| format!("&column name=c{i}, type=short, units=m &end\n"));
    text += &format!("&data mode={data} &end\n");
    let mut bytes = text.into_bytes();
    for _ in 0..pages {
        match data.starts_with("ascii") {
            true => {
                bytes.extend("1\n".repeat(parameters).as_bytes());
                bytes.extend(format!("1\n{}\n", "1 ".repeat(columns)).as_bytes());
            }
            false => {
                bytes.extend(1i32.to_le_bytes());
                bytes.extend([1, 0].repeat(parameters + columns));
            }
        }
    }
    bytes
}

#[test]
fn sdds() {
    for data in ["binary", "ascii", "binary, column_major_order=1"] {
        for (what, [columns, parameters, pages]) in
            [("columns", [1, 0, 0]), ("parameters", [0, 1, 0]), ("pages", [0, 0, 1]), ("both", [1, 1, 0])]
        {
            let many = |is_many: usize, n: usize| if is_many > 0 { n } else { 2 };
            let make = |n| sdds_file(many(columns, n), many(parameters, n), many(pages, n), data);
            files_are_read(&format!("SDDS {what}, {data}"), 8000, &sdds::Tables, make);
        }
    }
    let make = |n| file(sdds_file(n, n, 2, "binary"));
    in_proportion("SDDS pages as rows", 8000, make, |files| {
        read(&sdds::Tables, files, &Settings::new().with("pages", "true")).unwrap()
    });
    in_proportion(
        "SDDS reader",
        8000,
        |n| sdds_file(n, n, 2, "binary"),
        |bytes| {
            let reader = sdds::Options::new().slice(bytes).unwrap();
            let names: Vec<String> =
                reader.header().columns.iter().map(|column| column.name.clone()).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let mut reader = reader.columns(&names).unwrap();
            while reader.next_page().unwrap().is_some() {}
        },
    );
}

fn table(n: usize) -> Arc<dyn Table> {
    let columns = names(n).into_iter().map(|name| (name.into(), Column::from(vec![1i16, 2]))).collect();
    Arc::new(ColumnsTable::new(Columns::new(columns).unwrap()))
}

fn write(format: &dyn TableFormat, table: &Arc<dyn Table>, settings: &Settings) {
    let mut sink = format.create(Arc::new(Memory::new()), "x", table.schema(), settings).unwrap();
    for batch in Arc::clone(table).batches(&Wanted::new()).unwrap() {
        sink.write(batch.unwrap()).unwrap();
    }
    drop(sink.notes());
    sink.finish().unwrap();
}

#[test]
fn tables_are_written() {
    let formats: [(&str, &dyn TableFormat, usize); 4] = [
        ("CSV", &Csv, 8000),
        ("JSON lines", &JsonLines, 8000),
        ("NPY", &Npy, 8000),
        ("SDDS", &sdds::Tables, 8000),
    ];
    for (what, format, size) in formats {
        in_proportion(&format!("{what} of columns"), size, table, |table| {
            write(format, table, &Settings::new())
        });
    }
    let said = |n: usize| (table(n), Settings::new().with("as_parameters", names(n / 2).join(",")));
    in_proportion("SDDS parameters said", 8000, said, |(table, said)| write(&sdds::Tables, table, said));
    let said = Settings::new().with("dataformat", "a/b/1");
    in_proportion("BEAT of columns", 4000, table, |table| write(&beat::Tables, table, &said));
    in_proportion("arrays of an archive", 8000, table, |table| {
        write_each(table, &table.schema().leaves(), &Wanted::new(), &mut Vec::new()).unwrap()
    });
}

#[test]
fn tiledb_attributes() {
    use tiledb::{Array, ArraySchema, Attribute, Datatype, Dimension, Number, Options};
    let schema = |n: usize| {
        let rows = Dimension::new("row", Number::I32(1), Number::I32(2), Number::I32(2));
        let attributes = names(n).into_iter().map(|name| Attribute::new(name, Datatype::Int16));
        attributes.fold(ArraySchema::dense(Datatype::Int32, [rows]), ArraySchema::attribute)
    };
    in_proportion("TileDB schema", 4000, schema, |schema: &ArraySchema| {
        let bytes = binfmt::to_vec(schema).unwrap();
        assert_eq!(binfmt::from_slice::<ArraySchema>(&bytes).unwrap(), *schema);
    });
    in_proportion("TileDB array", 800, schema, |schema| {
        let array: Array<tiledb::Memory> =
            Options::new().create(tiledb::Memory::new(), schema.clone()).unwrap();
        drop(array.query().read());
    });
}

#[test]
fn several_tables_as_one() {
    let tables = |n: usize| vec![("a".to_owned(), table(n)), ("b".to_owned(), table(n))];
    in_proportion("two files of columns", 8000, tables, |tables| {
        let all: Arc<dyn Table> = Arc::new(Concatenated::new(tables.clone()).unwrap());
        all.batches(&Wanted::new()).unwrap().for_each(|batch| drop(batch.unwrap()));
    });
    let tables = |n: usize| (0..n).map(|i| (i.to_string(), table(2))).collect::<Vec<_>>();
    in_proportion("files", 4000, tables, |tables| {
        let all: Arc<dyn Table> = Arc::new(Concatenated::new(tables.clone()).unwrap());
        all.batches(&Wanted::new()).unwrap().for_each(|batch| drop(batch.unwrap()));
    });
}
