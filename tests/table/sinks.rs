//! Tables that are written: they read back equal, a file appears when it is complete, and what a format cannot hold is told.

use binfmt::columns::{BytesColumn, Column, Columns, ListColumn, NullableColumn};
use binfmt::storage::{Memory, NewFile, Storage};
use binfmt::table::{ColumnsTable, Settings, Table, Wanted};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A memory in which no more than some bytes are written, in all files together.
struct Narrow {
    files: Arc<Memory>,
    left: Arc<AtomicUsize>,
}

impl Narrow {
    fn new(bytes: usize) -> Arc<Self> {
        Arc::new(Narrow { files: Arc::new(Memory::new()), left: Arc::new(AtomicUsize::new(bytes)) })
    }
}

struct Part {
    files: Arc<Memory>,
    left: Arc<AtomicUsize>,
    path: String,
    bytes: Vec<u8>,
}

impl io::Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        take(&self.left, bytes.len())?;
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl NewFile for Part {
    fn commit(self: Box<Self>) -> io::Result<()> {
        self.files.write(&self.path, &self.bytes)
    }
}

fn take(left: &AtomicUsize, bytes: usize) -> io::Result<()> {
    let enough = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(bytes));
    enough.map(|_| ()).map_err(|_| io::ErrorKind::StorageFull.into())
}

impl Storage for Narrow {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.files.list(folder)
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.files.size(path)
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.files.read(path, offset, out)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        take(&self.left, bytes.len())?;
        self.files.write(path, bytes)
    }

    fn begin(&self, path: &str) -> io::Result<Option<Box<dyn NewFile>>> {
        let (files, left) = (Arc::clone(&self.files), Arc::clone(&self.left));
        Ok(Some(Box::new(Part { files, left, path: path.to_owned(), bytes: Vec::new() })))
    }

    fn delete(&self, path: &str) -> io::Result<()> {
        self.files.delete(path)
    }
}

fn nullable(values: Column) -> Column {
    let codes = (0..5).map(|row| if row % 3 == 1 { 0 } else { 255 }).collect();
    Column::Nullable(Box::new(NullableColumn::from_parts(codes, values, 255).unwrap()))
}

fn texts() -> Column {
    let all = ["Q1", "", "a,\"b\"\n", "βγ δ", " x"];
    Column::Text(all.iter().map(|text| text.as_bytes()).collect::<BytesColumn>())
}

/// Five rows of every type that some format has.
fn all() -> Vec<(&'static str, Column)> {
    vec![
        ("flag", Column::from(vec![true, false, true, true, false])),
        ("i8", Column::from(vec![-128i8, 127, 0, 1, -1])),
        ("i16", Column::from(vec![i16::MIN, i16::MAX, 0, 1, -1])),
        ("i32", Column::from(vec![i32::MIN, i32::MAX, 0, 1, -1])),
        ("i64", Column::from(vec![i64::MIN, i64::MAX, 0, 1, -1])),
        ("u8", Column::from(vec![255u8, 0, 1, 2, 3])),
        ("u16", Column::from(vec![u16::MAX, 0, 1, 2, 3])),
        ("u32", Column::from(vec![u32::MAX, 0, 1, 2, 3])),
        ("u64", Column::from(vec![u64::MAX, 0, 1, 2, 3])),
        ("f32", Column::from(vec![0.1f32, -0.0, f32::MAX, 1e-30, 3.0])),
        ("f64", Column::from(vec![0.1f64, -0.0, f64::MAX, 5e-324, 3.0])),
        ("text", texts()),
        ("i64?", nullable(Column::from(vec![1i64, 2, -3, i64::MIN, 5]))),
        ("f64?", nullable(Column::from(vec![1.5f64, 2.5, -3.0, 1e300, 5.0]))),
        ("text?", nullable(texts())),
        ("bytes", Column::Bytes([&b"a"[..], b"", b"\0\xff", b"bc", b"d"].into_iter().collect())),
    ]
}

fn table(columns: Vec<(&'static str, Column)>) -> Arc<dyn Table> {
    let columns = columns.into_iter().map(|(name, column)| (name.into(), column)).collect();
    Arc::new(ColumnsTable::new(Columns::new(columns).unwrap()))
}

/// A format, the columns that it holds as they are, and how a file of them is written and opened.
struct Case {
    format: &'static str,
    holds: &'static [&'static str],
    write: Settings,
    open: Settings,
}

/// What files of lines have: any other number is read as one of these.
const CELLS: &[&str] = &["i64?", "f64?", "text?"];
const NPY: &[&str] = &["flag", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "text"];
const SDDS: &[&str] = &["i16", "i32", "i64", "u16", "u32", "u64", "f32", "f64", "text"];
/// After the number of the row.
const TILEDB: &[&str] = &["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "text"];
const SCIDB: &[&str] = &[
    "flag", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64", "text", "i64?", "f64?",
    "text?", "bytes",
];

fn cases() -> Vec<Case> {
    let none = Settings::new;
    let types = || none().with("types", "i64?:i64,f64?:f64,text?:text");
    let schema = "(bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float, double, string, int64 null, \
                  double null, string null, binary)";
    vec![
        Case { format: "csv", holds: CELLS, write: none(), open: types() },
        Case {
            format: "csv",
            holds: CELLS,
            write: none().with("delimiter", ";").with("missing", "NA"),
            open: types().with("delimiter", ";").with("missing", "NA"),
        },
        Case { format: "jsonl", holds: CELLS, write: none(), open: types() },
        Case { format: "npy", holds: NPY, write: none(), open: none() },
        Case { format: "sdds", holds: SDDS, write: none(), open: none() },
        Case { format: "sdds", holds: SDDS, write: none().with("mode", "ascii"), open: none() },
        Case {
            format: "sdds",
            holds: SDDS,
            write: none().with("order", "column").with("byte_order", "big").with("compression", "gz"),
            open: none(),
        },
        Case { format: "tiledb", holds: TILEDB, write: none(), open: none() },
        Case { format: "tiledb", holds: TILEDB, write: none().with("array", "dense"), open: none() },
        Case { format: "futhark", holds: &["flag"], write: none(), open: none() },
        Case { format: "futhark", holds: &["f64"], write: none().with("style", "text"), open: none() },
        Case { format: "futhark", holds: &["i64", "f32"], write: none(), open: none().with("value", "1") },
        Case {
            format: "beat",
            holds: &["text"],
            write: none().with("dataformat", "user/text/1"),
            open: none().with("schema", r#"{"text": "string"}"#),
        },
        Case { format: "scidb", holds: SCIDB, write: none(), open: none().with("schema", schema) },
    ]
}

fn chosen(names: &[&str]) -> Vec<(&'static str, Column)> {
    all().into_iter().filter(|(name, _)| names.contains(name)).collect()
}

fn open(case: &Case, files: Arc<dyn Storage>) -> Arc<dyn Table> {
    binfmt::open_in(binfmt::FORMATS, files, "out", Some(case.format), &case.open).unwrap()
}

/// The values of a table, without the names of its columns.
fn values(table: &Arc<dyn Table>) -> Vec<Vec<String>> {
    let batches: Vec<Columns> =
        table.clone().batches(&Wanted::new().batch_rows(2)).unwrap().map(Result::unwrap).collect();
    let row = |batch: &Columns, row: usize| {
        (0..batch.num_columns()).map(|i| format!("{:?}", batch.cell(row, i).unwrap().to_value())).collect()
    };
    batches.iter().flat_map(|batch| (0..batch.num_rows()).map(move |i| row(batch, i))).collect()
}

fn write(case: &Case, table: &Arc<dyn Table>, files: Arc<dyn Storage>, batch: usize) -> binfmt::Result<u64> {
    let sink = binfmt::create_in(binfmt::FORMATS, files, "out", case.format, table.schema(), &case.write)?;
    table.write_to(&Wanted::new().batch_rows(batch), sink).map(|written| written.rows)
}

/// The rows of a file, without what the format adds in front.
fn found(case: &Case, files: Arc<dyn Storage>) -> Vec<Vec<String>> {
    let mut rows = values(&open(case, files));
    // what the format adds: the number of the row, or the indices of the chunk
    let added = match case.format {
        "tiledb" => 1,
        "beat" => 2,
        _ => 0,
    };
    rows.iter_mut().for_each(|row| drop(row.drain(..added)));
    rows
}

/// What a file of a table should have: of several values of Futhark the second.
fn expected(case: &Case, table: &Arc<dyn Table>) -> Vec<Vec<String>> {
    let mut rows = values(table);
    if case.open.get("value").is_some() {
        rows.iter_mut().for_each(|row| drop(row.remove(0)));
    }
    rows
}

#[test]
fn tables_read_back_equal() {
    for case in cases() {
        let table = table(chosen(case.holds));
        let mut files = Vec::new();
        for batch in [1, 2, 5] {
            let memory = Arc::new(Memory::new());
            assert_eq!(write(&case, &table, memory.clone(), batch).unwrap(), 5, "{}", case.format);
            assert_eq!(found(&case, memory.clone()), expected(&case, &table), "{}", case.format);
            files.push(all_bytes(&memory));
        }
        assert!(files.iter().all(|file| *file == files[0]), "{}: batches are seen", case.format);

        // pushed without a look before
        let memory = Arc::new(Memory::new());
        let mut sink = binfmt::create_in(
            binfmt::FORMATS,
            memory.clone(),
            "out",
            case.format,
            table.schema(),
            &case.write,
        )
        .unwrap();
        for batch in table.clone().batches(&Wanted::new().batch_rows(2)).unwrap() {
            sink.write(batch.unwrap()).unwrap();
        }
        assert_eq!(sink.finish().unwrap().rows, 5);
        assert_eq!(all_bytes(&memory), files[0], "{}", case.format);

        // no rows at all
        let memory = Arc::new(Memory::new());
        let empty: Arc<dyn Table> = Arc::new(ColumnsTable::new(
            table.clone().batches(&Wanted::new()).unwrap().next().unwrap().unwrap().slice(0..0),
        ));
        if case.write.get("array") == Some("dense") {
            let e = write(&case, &empty, memory.clone(), 5).unwrap_err();
            assert!(e.to_string().contains("a dense array has a cell at least"), "{e}");
            assert!(memory.list("").unwrap().is_empty());
            continue;
        }
        assert_eq!(write(&case, &empty, memory.clone(), 5).unwrap(), 0);
        // where no line is, nothing says what the columns are
        let open_empty = Settings::new();
        let case = if case.format == "jsonl" { Case { open: open_empty, ..case } } else { case };
        assert!(values(&open(&case, memory)).is_empty());
    }
}

/// The bytes of the file; of an array that of the schema, for fragments have names of their own.
fn all_bytes(files: &Memory) -> Vec<u8> {
    let path = if files.size("out").unwrap().is_some() { "out" } else { "out/__array_schema.tdb" };
    let size = files.size(path).unwrap().unwrap();
    let mut bytes = vec![0; size as usize];
    files.read(path, 0, &mut bytes).unwrap();
    bytes
}

#[test]
fn a_file_appears_when_it_is_complete() {
    for case in cases() {
        let table = table(chosen(case.holds));
        let files = Narrow::new(usize::MAX);
        write(&case, &table, files.clone(), 2).unwrap();
        let whole = usize::MAX - files.left.load(Ordering::Relaxed);
        // bytes that one call writes are written or not
        let step = if case.format == "tiledb" { 61 } else { 1 };
        for room in (0..whole).step_by(step).chain([whole - 1]) {
            let files = Narrow::new(room);
            let e = write(&case, &table, files.clone(), 2).unwrap_err();
            assert!(matches!(e.kind(), binfmt::ErrorKind::Io(_)), "{}: {e:?}", case.format);
            assert!(files.list("").unwrap().is_empty(), "{}: {room} bytes", case.format);
        }
        write(&case, &table, Narrow::new(whole), 2).unwrap();
    }
}

#[test]
fn a_sink_that_is_dropped_leaves_nothing() {
    let folder = std::env::temp_dir().join(format!("binfmt-sinks-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for case in cases() {
        let table = table(chosen(case.holds));
        let path = folder.join("out");
        let begin = || binfmt::create_as(&path, case.format, table.schema(), &case.write).unwrap();
        let mut sink = begin();
        let batch = table.clone().batches(&Wanted::new()).unwrap().next().unwrap().unwrap();
        sink.write(batch.clone()).unwrap();
        drop(sink);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "{}", case.format);
        let mut sink = begin();
        sink.write(batch).unwrap();
        sink.finish().unwrap();
        let found = binfmt::open_as(&path, case.format, &case.open).unwrap();
        assert_eq!(values(&found).len(), 5);
        let removed =
            if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
        removed.unwrap();
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// A link that is named stays one: what it leads to is the new file.
#[cfg(unix)]
#[test]
fn a_link_leads_to_the_new_file() {
    let folder = std::env::temp_dir().join(format!("binfmt-links-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (link, file) = (folder.join("link.csv"), folder.join("file.csv"));
    std::os::unix::fs::symlink("file.csv", &link).unwrap();
    let columns = Columns::new(vec![("n".into(), Column::from(vec![1u8]))]).unwrap();
    let table: Arc<dyn Table> = Arc::new(ColumnsTable::new(columns));
    // the file is made, and then replaced
    for _ in 0..2 {
        let sink = binfmt::create_as(&link, "csv", table.schema(), &Settings::new()).unwrap();
        table.clone().write_to(&Wanted::new(), sink).unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "n\n1\n");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_a_format_cannot_hold_is_told_by_its_column() {
    let lists = ListColumn::from_parts(vec![0, 1, 3, 3, 4, 5], Column::from(vec![1u8; 5])).unwrap();
    let lists = || Column::List(Box::new(lists.clone()));
    let refused = |format: &str, column: Column, settings: Settings, text: &str| {
        let table = table(vec![("good", Column::from(vec![1i32; 5])), ("bad", column)]);
        let case = Case { format: "", holds: &[], write: settings, open: Settings::new() };
        let files = Arc::new(Memory::new());
        let e = binfmt::create_in(binfmt::FORMATS, files.clone(), "out", format, table.schema(), &case.write)
            .and_then(|sink| table.write_to(&Wanted::new().batch_rows(2), sink))
            .unwrap_err();
        assert!(e.to_string().contains(text), "{format}: {e}");
        assert!(files.list("").unwrap().is_empty());
    };
    let none = Settings::new;
    let wide = ListColumn::from_parts(vec![0, 1, 1, 1, 1, 1], Column::from(vec![1u16])).unwrap();
    let wide = Column::List(Box::new(wide));
    refused("scidb", wide, none(), "column `bad` is [u16], which a cell of SciDB cannot have");
    refused("npy", lists(), none(), "column `bad`, row 1: the rows have several shapes");
    refused("npy", nullable(Column::from(vec![1i64; 5])), none(), "column `bad`, row 1");
    let layout = none().with("layout", "record\n  good: u8\n  bad: i8\n");
    refused(
        "layout",
        Column::from(vec![1i64, 2, 3, 200, 5]),
        layout.clone(),
        "[3].bad: 200 does not fit in i8",
    );
    refused("layout", texts(), layout, "[0].bad: expected i64, found \"Q1\"");
    refused("layout", texts(), none(), "the setting `layout` must");
    refused("futhark", texts(), none(), "column `bad` is text, which no array of Futhark can be");
    refused(
        "tiledb",
        texts(),
        none().with("dimensions", "bad"),
        "column `bad` is text, and dimensions are numbers",
    );
    refused("tiledb", texts(), none().with("dimensions", "good"), "(1)");
    let dense = none().with("dimensions", "good").with("array", "dense");
    refused("tiledb", texts(), dense, "a dense array has a value in each of its 1 cells, and there are 5");
    refused("sdds", lists(), none(), "column `bad` is [u8], which SDDS has no type for");
    refused("sdds", nullable(Column::from(vec![1i64; 5])), none(), "[1].bad: a value is missing");
    refused("sdds", texts(), none().with("as_parameters", "worse"), "unknown column `worse`");
    refused("sdds", texts(), none().with("mode", "text"), "expected ascii or binary, found \"text\"");
    refused("csv", texts(), none().with("modus", "x"), "unknown setting `modus`");
    refused("beat", texts(), none(), "setting `dataformat`: it must be said");
    refused("beat", texts(), none().with("dataformat", "texts"), "`texts` is not a name such as user/name/1");
    let objects = || none().with("dataformat", "u/a/1");
    refused("beat", nullable(Column::from(vec![1i64; 5])), objects(), "[1].bad: a value is missing");
    refused(
        "beat",
        Column::Bytes(BytesColumn::from_iter([b"x"; 5])),
        objects(),
        "which no field of BEAT can be",
    );
    let other = objects().with("schema", r#"{"other": "int8"}"#);
    refused("beat", texts(), other, "the declaration has a field `other`, and the table has none");
    let other = none().with("schema", "(int8, int8, int8)");
    refused(
        "scidb",
        texts(),
        other,
        "the format string has 3 attributes, and the table 2 columns: choose as many",
    );
    let other = none().with("schema", "<a: int8, b: string, c: int8>[i]");
    refused("scidb", texts(), other, "and the table has none: its columns are good, bad");
}

#[test]
fn rows_of_a_layout_are_written_in_the_order_that_is_said() {
    let table = table(vec![("a", Column::from(vec![1i64, 2])), ("b", Column::from(vec![3u8, 4]))]);
    let settings = Settings::new().with("layout", "record\n  b: u8\n  a: u16\n").with("endian", "big");
    let files = Arc::new(Memory::new());
    let sink = binfmt::create_in(binfmt::FORMATS, files.clone(), "out", "layout", table.schema(), &settings);
    let sink = sink.unwrap();
    assert_eq!(sink.notes(), ["column `a`, i64 to u16: checked: what does not fit is an error"]);
    table.write_to(&Wanted::new(), sink).unwrap();
    assert_eq!(all_bytes(&files), [3, 0, 1, 4, 0, 2]);
    let again = binfmt::open_in(binfmt::FORMATS, files.clone(), "out", Some("layout"), &settings).unwrap();
    // what was read says what it is
    let sink = binfmt::create_in(binfmt::FORMATS, files, "copy", "layout", again.schema(), &Settings::new());
    assert_eq!(again.write_to(&Wanted::new(), sink.unwrap()).unwrap().bytes, 6);
}

#[test]
fn a_format_string_takes_columns_by_their_places() {
    // named as the columns of a format string are when it is read, in another order
    let table = table(vec![("b", Column::from(vec![1u8, 3])), ("a", Column::from(vec![10u8, 40]))]);
    for (schema, bytes) in [
        (None, [1, 10, 3, 40]),
        (Some("(uint8, uint8)"), [1, 10, 3, 40]),
        (Some("<a: uint8 NOT NULL, b: uint8 NOT NULL>[i]"), [10, 1, 40, 3]),
    ] {
        let settings = schema.map_or_else(Settings::new, |text| Settings::new().with("schema", text));
        let files = Arc::new(Memory::new());
        let sink =
            binfmt::create_in(binfmt::FORMATS, files.clone(), "out", "scidb", table.schema(), &settings);
        table.write_to(&Wanted::new(), sink.unwrap()).unwrap();
        assert_eq!(all_bytes(&files), bytes, "{schema:?}");
    }
}

#[test]
fn bytes_come_back_from_json_lines() {
    let bytes = |values: [&[u8]; 2]| values.into_iter().collect::<BytesColumn>();
    let held = [
        ("b", Column::Bytes(bytes([b"\0\xff", b""]))),
        ("t", Column::Text(bytes([b"\xe9t\xe9", b"plain"]))),
        ("hex", Column::Text(bytes([b"0x00", b"{\"hex\":\"00\"}"]))),
    ];
    let table = table(held.to_vec());
    let files = Arc::new(Memory::new());
    let none = Settings::new();
    let sink =
        binfmt::create_in(binfmt::FORMATS, files.clone(), "x.jsonl", "jsonl", table.schema(), &none).unwrap();
    table.write_to(&Wanted::new(), sink).unwrap();
    let again = binfmt::open_in(binfmt::FORMATS, files, "x.jsonl", Some("jsonl"), &none).unwrap();
    let batch = again.batches(&Wanted::new()).unwrap().next().unwrap().unwrap();
    for ((name, column), (expected, values)) in batch.into_columns().into_iter().zip(held) {
        let Column::Nullable(column) = column else { panic!("{name} cannot be missing") };
        assert_eq!((&*name, column.values()), (expected, &values));
    }
}

/// A table in a format, read again; and what was told after the last row.
fn through(
    format: &str,
    table: &Arc<dyn Table>,
    write: &Settings,
    read: &Settings,
) -> binfmt::Result<(Arc<dyn Table>, Vec<String>)> {
    let files = Arc::new(Memory::new());
    let sink = binfmt::create_in(binfmt::FORMATS, files.clone(), "out", format, table.schema(), write)?;
    let notes = table.write_to(&Wanted::new(), sink)?.notes;
    Ok((binfmt::open_in(binfmt::FORMATS, files, "out", Some(format), read)?, notes))
}

#[test]
fn what_becomes_of_missing_values_in_an_array_is_told() {
    let none = Settings::new();
    let columns = vec![
        ("n", nullable(Column::from(vec![1i64; 5]))),
        ("text", nullable(texts())),
        ("good", Column::from(vec![1u8; 5])),
    ];
    let (_, notes) = through("tiledb", &table(columns), &none, &none).unwrap();
    assert_eq!(notes.len(), 2, "{notes:?}");
    let fill = "column `n`: 2 missing values are the fill value -9223372036854775808 now";
    assert_eq!(notes[0], fill);
    let none_missing = NullableColumn::from_parts(vec![255; 2], Column::from(vec![1u8, 2]), 255).unwrap();
    let all = table(vec![("n", Column::Nullable(Box::new(none_missing)))]);
    assert_eq!(through("tiledb", &all, &none, &none).unwrap().1, Vec::<String>::new());
}

#[test]
fn arrays_are_widened_or_refused_before_the_first_row() {
    let none = Settings::new();
    let items = Column::from(vec![true, false, true, true]);
    let pairs = Column::Array { len: 2, rows: 2, items: Box::new(items.clone()) };
    let lists = Column::List(Box::new(ListColumn::from_parts(vec![0, 1, 4], items).unwrap()));
    let bools = table(vec![("pair", pairs), ("list", lists)]);
    let files = Arc::new(Memory::new());
    let sink = binfmt::create_in(binfmt::FORMATS, files, "out", "tiledb", bools.schema(), &none).unwrap();
    assert_eq!(
        sink.notes(),
        [
            "column `pair`, [bool; 2] to [u8; 2]: true and false become 1 and 0",
            "column `list`, [bool] to [u8]: true and false become 1 and 0"
        ]
    );
    let (again, _) = through("tiledb", &bools, &none, &none).unwrap();
    let batch = again.batches(&Wanted::new().columns([1, 2])).unwrap().next().unwrap().unwrap();
    let json = serde_json::to_string(&batch.row(1).unwrap()).unwrap();
    assert_eq!(json, r#"{"pair":[1,1],"list":[0,1,1]}"#);
    let half = |x: f32| binfmt::numbers::F16::from_f64(f64::from(x));
    let halves = Column::Numbers(binfmt::numbers::Numbers::F16(vec![half(0.5), half(1.5)]));
    let halves = table(vec![("h", Column::Array { len: 2, rows: 1, items: Box::new(halves) })]);
    assert!(through("tiledb", &halves, &none, &none).is_ok());
}

#[test]
fn bytes_go_through_an_array_into_cells() {
    let none = Settings::new();
    let bytes = all().into_iter().filter(|(name, _)| *name == "bytes").collect();
    let fixed = Column::FixedBytes { size: 2, rows: 5, bytes: (0..10).collect() };
    let table = table([bytes, vec![("fixed", fixed)]].concat());
    let (array, _) = through("tiledb", &table, &none, &none).unwrap();
    let leaves = array.schema().leaves().into_iter().skip(1).collect();
    let array: Arc<dyn Table> = Arc::new(binfmt::table::Projected::new(array, leaves));
    let schema = Settings::new().with("schema", "(binary, binary(2))");
    let (cells, _) = through("scidb", &array, &none, &schema).unwrap();
    assert_eq!(values(&cells), values(&table));
}

#[test]
fn settings_that_are_wrong_are_named() {
    let two = || table(vec![("x", Column::from(vec![1i32, 2])), ("y", Column::from(vec![3i32, 4]))]);
    let none = Settings::new;
    let e = |format: &str, table: &Arc<dyn Table>, settings: Settings| {
        through(format, table, &settings, &none()).unwrap_err().to_string()
    };
    let twice = none().with("dimensions", "x,y,x");
    assert_eq!(e("tiledb", &two(), twice), "setting `dimensions`: `x` is there twice");
    let unknown = none().with("dimensions", "z");
    assert_eq!(
        e("tiledb", &two(), unknown),
        "setting `dimensions`: unknown column `z`, expected one of `x`, `y`"
    );
    let both = none().with("like", "x.sdds").with("as_parameters", "x");
    assert!(e("sdds", &two(), both).starts_with("setting `as_parameters`: the header that `like` names"));
    let like = none().with("like", "no such file");
    assert!(e("sdds", &two(), like).starts_with("setting `like`: no such file"));
    assert_eq!(
        e("scidb", &table(vec![]), none()),
        "the table has no columns, and a cell of SciDB has one at least"
    );
}

#[test]
fn texts_of_any_bytes_come_back_from_csv_and_bytes_are_told() {
    let bytes = |values: [&[u8]; 2]| values.into_iter().collect::<BytesColumn>();
    let held = table(vec![
        ("t", Column::Text(bytes([b"\xe9t\xe9", b"\\xe9"]))),
        ("b", Column::Bytes(bytes([b"\0\xff", b""]))),
    ]);
    let files = Arc::new(Memory::new());
    let none = Settings::new();
    let sink =
        binfmt::create_in(binfmt::FORMATS, files.clone(), "x.csv", "csv", held.schema(), &none).unwrap();
    assert_eq!(sink.notes(), ["column `b`, bytes to text: hexadecimal, which the type b:bytes reads again"]);
    held.write_to(&Wanted::new(), sink).unwrap();
    let types = Settings::new().with("types", "b:bytes");
    let again = binfmt::open_in(binfmt::FORMATS, files, "x.csv", Some("csv"), &types).unwrap();
    assert_eq!(values(&again), values(&held));
}

#[test]
fn rows_become_chunks_with_their_index_beside_them() {
    let pairs = Column::Array { len: 2, rows: 3, items: Box::new(Column::from(vec![0.5f32; 6])) };
    let lists = ListColumn::from_parts(vec![0, 1, 1, 3], Column::from(vec![7u8, 8, 9])).unwrap();
    let columns = || {
        vec![
            ("a", Column::from(vec![true, false, true])),
            ("b", Column::from(vec![i64::MIN, 0, 1])),
            ("c", pairs.clone()),
            ("d", Column::List(Box::new(lists.clone()))),
            ("e", Column::Text(["x", "", "\u{e4}"].iter().map(|t| t.as_bytes()).collect())),
        ]
    };
    let indices = [("_start", Column::from(vec![0i64, 3, 4])), ("_end", Column::from(vec![2i64, 3, 9]))];
    let table = |first: &[(&'static str, Column)]| table([first.to_vec(), columns()].concat());
    let settings = Settings::new().with("dataformat", "u/a/1");
    let write = |table: &Arc<dyn Table>, path: &str| {
        let files = Arc::new(Memory::new());
        let sink =
            binfmt::create_in(binfmt::FORMATS, files.clone(), path, "beat", table.schema(), &settings)?;
        let made = |note: &String| note.starts_with("the declaration is made of the columns");
        assert!(sink.notes().iter().all(made), "{:?}", sink.notes());
        table.write_to(&Wanted::new().batch_rows(2), sink)?;
        Ok::<_, binfmt::Error>(files)
    };
    let files = write(&table(&indices), "x.0.9.data").unwrap();
    let names = files.list("").unwrap();
    assert_eq!(names, ["x.0.9.data", "x.0.9.data.checksum", "x.0.9.index", "x.0.9.index.checksum"]);
    let mut index = vec![0; files.size("x.0.9.index").unwrap().unwrap() as usize];
    files.read("x.0.9.index", 0, &mut index).unwrap();
    assert_eq!(index, b"0 2\n3 3\n4 9\n");
    let declared = r#"{"a": "bool", "b": "int64", "c": [2, "float32"], "d": [0, "uint8"], "e": "string"}"#;
    let open = Settings::new().with("schema", declared);
    let again = binfmt::open_in(binfmt::FORMATS, files, "x.0.9.data", Some("beat"), &open).unwrap();
    let found = values(&again);
    assert_eq!(found[2][..4], ["Number(I64(4))", "Number(I64(9))", "Number(Bool(true))", "Number(I64(1))"]);
    assert_eq!(found[1][6], "Text(\"\")");
    // and once more: what the file says of itself is kept
    let copy = Arc::new(Memory::new());
    let none = Settings::new();
    let sink = binfmt::create_in(binfmt::FORMATS, copy.clone(), "y.0.9.data", "beat", again.schema(), &none);
    again.write_to(&Wanted::new(), sink.unwrap()).unwrap();
    let twice = binfmt::open_in(binfmt::FORMATS, copy, "y.0.9.data", Some("beat"), &open).unwrap();
    assert_eq!(values(&twice), found);
    // numbers of rows
    let plain = write(&table(&[]), "x.data").unwrap();
    assert_eq!(plain.list("").unwrap(), ["x.data"]);
    // the platform would not read these
    let e = write(&table(&indices), "x.0.8.data").unwrap_err().to_string();
    assert!(e.contains("the name says that the last index is 8, and it is 9"), "{e}");
    let falling = [("_start", Column::from(vec![0i64, 2, 4])), ("_end", Column::from(vec![2i64, 3, 9]))];
    let e = write(&table(&falling), "x.0.9.data").unwrap_err().to_string();
    assert!(e.contains("[1]: the indices 2 to 3 do not rise: the next chunk begins at 3 or later"), "{e}");
}
