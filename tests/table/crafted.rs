//! Parts and questions as no caller of this program makes them: a part is plain data, which another program may have made up.

use crate::support::random::Random;
use crate::table::support::{file, read, rows};
use binfmt::columns::{Column, Columns};
use binfmt::table::csv::CellType;
use binfmt::table::{
    ColumnsTable, Concatenated, Estimate, Filter, Filtered, Projected, RowsTable, Sampled, Scalar,
    ScalarRange, Settings, Split, Table, Wanted, Within,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn data(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(folder);
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

/// Some tables of every format and of every sort that is around another.
fn tables() -> Vec<(String, Arc<dyn Table>)> {
    let mut all: Vec<(String, Arc<dyn Table>)> = Vec::new();
    let mut add = |path: &Path, table: binfmt::Result<Arc<dyn Table>>| {
        if let Ok(table) = table {
            all.push((path.display().to_string(), table));
        }
    };
    for folder in ["hand", "official", "packed"] {
        for path in data(&format!("sdds/{folder}")) {
            add(&path, binfmt::open(&path));
            for option in [("parameters", "row"), ("rows", "pages"), ("table", "pages"), ("arrays", "rows")] {
                add(&path, binfmt::open_as(&path, "sdds", &Settings::new().with(option.0, option.1)));
            }
        }
    }
    let prefix = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/beat_prefix");
    let prefix = Settings::new().with("prefix", prefix.to_str().unwrap());
    for path in data("beat") {
        add(&path, binfmt::open_as(path.join("input.data"), "beat", &prefix));
    }
    for path in data("futhark") {
        for value in ["0", "1", "2"] {
            let settings = Settings::new().with("value", value);
            add(&path, binfmt::open_as(path.join("input.bin"), "futhark", &settings));
        }
        add(&path, binfmt::open_as(path.join("input.bin"), "futhark", &Settings::new()));
    }
    for path in data("scidb").into_iter().filter(|path| path.is_dir()) {
        let Ok(text) = std::fs::read_to_string(path.join("content.json")) else { continue };
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let settings = Settings::new().with("schema", json["format"].as_str().unwrap());
        add(&path, binfmt::open_as(path.join("input.bin"), "scidb", &settings));
    }
    for path in data("tiledb").into_iter().filter(|path| path.is_dir()) {
        let Ok(json) = std::fs::read_to_string(path.with_extension("json")) else { continue };
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let key = json["key"].as_str().map(|key| Settings::new().with("key", key));
        add(&path, binfmt::open_as(&path, "tiledb", &key.unwrap_or_default()));
    }
    for path in data("npy") {
        add(&path, binfmt::open(&path));
    }
    let text = "n,x,s\n1,0.5,a\n2,,\"b\nc\"\n3,1e3,\n4,2,d\n5,3,e\n";
    let lines = "{\"n\":1,\"l\":[1,2]}\n{\"n\":2,\"l\":[]}\n{\"n\":3,\"l\":[7]}\n";
    for (name, text) in [("csv", text), ("jsonl", lines)] {
        let table =
            binfmt::open_in(binfmt::FORMATS, file(text.as_bytes()), "file", Some(name), &Settings::new());
        let table = table.unwrap();
        let columns = [(0, CellType::Text), (1, CellType::Bytes), (0, CellType::F64)];
        add(Path::new("read_as"), Ok(table.clone().read_as(&columns).unwrap()));
        add(Path::new(name), Ok(table));
    }
    for layout in [
        "record, le\n  n: u16\n  m: u16\n",
        "record, le\n  n: u8\n  t: text, length_prefixed(u8)\n",
        "record, le\n  n: u8\n  t: [u16], length_prefixed(u8)\n",
        "record, le\n  n: [u8; 0]\n",
    ] {
        let bytes = [1, 2, 3, 4, 0, 0, 1, 1, 0, 2, 0, 0, 0, 0, 0, 0];
        let layout = layout.parse().unwrap();
        let options = binfmt::Options::new();
        let table = RowsTable::open(file(&bytes), "file", &layout, &options);
        add(Path::new("rows"), table.map(|table| Arc::new(table) as Arc<dyn Table>));
        if let Ok(table) = RowsTable::open(file(&bytes), "file", &layout, &options) {
            let _ = table.find_rows();
            add(Path::new("found rows"), Ok(Arc::new(table)));
        }
    }
    let columns = Columns::new(vec![
        ("a".into(), Column::from((0..100i64).collect::<Vec<_>>())),
        ("b".into(), Column::from((0..100).map(f64::from).collect::<Vec<_>>())),
    ]);
    let columns = Arc::new(ColumnsTable::new(columns.unwrap()));
    let other = Columns::new(vec![
        ("a".into(), Column::from((0..10i32).collect::<Vec<_>>())),
        ("b".into(), Column::from((0..10).map(|n| n as f32).collect::<Vec<_>>())),
    ]);
    let other = Arc::new(ColumnsTable::new(other.unwrap()));
    add(Path::new("columns"), Ok(columns.clone()));
    let one = || ("a".to_owned(), columns.clone() as Arc<dyn Table>);
    let two = || ("b".to_owned(), other.clone() as Arc<dyn Table>);
    add(Path::new("concatenated"), Concatenated::new(vec![one(), two(), one()]).map(|t| Arc::new(t) as _));
    for condition in ["a > 5", "a > 1000", "true", "b < a"] {
        let filter = Filter::new(condition, columns.schema()).unwrap();
        add(Path::new("filtered"), Ok(Arc::new(Filtered::new(columns.clone(), filter))));
    }
    for rows in [0, 1, 7, u64::MAX] {
        add(Path::new("sampled"), Ok(Arc::new(Sampled::new(columns.clone(), rows, 5))));
    }
    let leaves = columns.schema().leaves();
    add(Path::new("projected"), Ok(Arc::new(Projected::new(columns.clone(), vec![leaves[1].clone()]))));
    all
}

fn signed(r: &mut Random) -> i64 {
    let some = [0, 1, 2, 3, 7, 100, -1, -2, i64::MAX, i64::MAX - 1, i64::MIN, i64::MIN + 1, 1 << 32, 1 << 62];
    r.pick(&some)
}

fn unsigned(r: &mut Random) -> u64 {
    let some =
        [0, 1, 2, 3, 7, 9, 30, 100, 1000, u64::MAX, u64::MAX - 1, 1 << 63, (1 << 63) - 1, 1 << 32, 1 << 62];
    r.pick(&some)
}

fn scalar(r: &mut Random) -> Scalar {
    match r.below(5) {
        0 => signed(r).into(),
        1 => unsigned(r).into(),
        2 => r.pick(&[0.0, -1.5, 7.25, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX]).into(),
        3 => r.pick(&["", "a", "b\u{10ffff}", "zzz"]).into(),
        _ => 3u8.into(),
    }
}

fn range(r: &mut Random) -> ScalarRange {
    match r.below(4) {
        0 => ScalarRange::of::<Scalar>(..),
        1 => ScalarRange::of(scalar(r)..),
        2 => ScalarRange::of(..=scalar(r)),
        _ => ScalarRange::of(scalar(r)..scalar(r)),
    }
}

fn wanted(r: &mut Random, columns: usize) -> Wanted {
    let mut wanted = Wanted::new();
    let column = |r: &mut Random| match r.below(20) {
        0 => usize::MAX,
        1 => columns,
        _ => r.below(columns.max(1) as u64) as usize,
    };
    if r.below(3) == 0 {
        wanted.columns = Some((0..r.below(4)).map(|_| column(r)).collect());
    }
    if r.below(3) == 0 {
        wanted.ranges = (0..r.below(3)).map(|_| (column(r), range(r))).collect();
    }
    if r.below(3) == 0 {
        wanted.rows = Some(signed(r)..signed(r));
    }
    if r.below(4) == 0 {
        wanted.limit = Some(unsigned(r));
    }
    if r.below(2) == 0 {
        wanted.batch_rows = unsigned(r) as usize;
    }
    if r.below(2) == 0 {
        wanted.batch_bytes = unsigned(r);
    }
    wanted
}

fn crafted(r: &mut Random, table: &Arc<dyn Table>, wanted: &Wanted) -> Split {
    let parts = r.pick(&[0, 1, 2, 5, usize::MAX]);
    let cut = match table.splits(wanted, parts) {
        Ok(splits) if !splits.is_empty() && r.below(4) > 0 => r.pick(&splits),
        _ => Split::default(),
    };
    let mut split = cut;
    for _ in 0..r.below(4) {
        match r.below(12) {
            0 => split.part = unsigned(r),
            1 => split.rows.start = signed(r),
            2 => split.rows.end = signed(r),
            3 => split.first = signed(r),
            4 => split.bytes.start = unsigned(r),
            5 => split.bytes.end = unsigned(r),
            6 => split.num_rows = Estimate::Exact(unsigned(r)),
            7 => split.num_rows = Estimate::About(unsigned(r)),
            8 => split.within.clear(),
            9 => {
                if let Some(one) = split.within.first_mut() {
                    one.low = scalar(r);
                }
            }
            10 => {
                if let Some(one) = split.within.last_mut() {
                    one.column = unsigned(r) as usize;
                }
            }
            _ => split.within.push(Within { column: r.below(4) as usize, low: scalar(r), high: scalar(r) }),
        }
    }
    split
}

fn ask(table: &Arc<dyn Table>, split: &Split, wanted: &Wanted) {
    let _ = table.memory(split, wanted);
    let _ = table.pruned(wanted);
    if let Ok(batches) = table.clone().read(split, wanted) {
        let _ = batches.take(20).map_while(Result::ok).count();
    }
    if let Ok(tasks) = table.clone().tasks(split, wanted) {
        let mut tasks: Vec<_> = tasks.take(20).collect();
        tasks.reverse();
        tasks.into_iter().for_each(|task| drop(task()));
    }
    if let Ok(batches) = table.clone().batches(wanted) {
        let _ = batches.take(20).map_while(Result::ok).count();
    }
}

#[test]
fn parts_that_were_made_up_are_read_or_refused() {
    for (name, table) in tables() {
        for seed in 0..8 {
            let r = &mut Random::new(seed);
            let columns = table.schema().fields.len();
            let _ = (table.bounds(columns), table.bounds(usize::MAX));
            let wanted = wanted(r, columns);
            let split = crafted(r, &table, &wanted);
            println!("{name}: {split:?}, {wanted:?}");
            ask(&table, &split, &wanted);
        }
    }
}

/// Of rows without bytes there is no last one: neither are they counted, nor is it gone to one of them.
#[test]
fn rows_without_bytes_have_no_end() {
    let layout = "record, le\n  n: [u8; 0]\n".parse().unwrap();
    let table = RowsTable::open(file(b"abc"), "file", &layout, &binfmt::Options::new()).unwrap();
    let endless = "[0] at byte 0x0: elements of zero size never reach the end of the input";
    assert_eq!(table.find_rows().unwrap_err().to_string(), endless);
    let table: Arc<dyn Table> = Arc::new(table);
    let from = Wanted::new().rows(i64::MAX - 1..i64::MAX);
    assert_eq!(read(&table, &table.splits(&from, 1).unwrap()[0], &from).1.unwrap().to_string(), endless);
}

#[test]
fn bytes_that_end_before_they_begin_are_none() {
    let columns = Columns::new(vec![("a".into(), Column::from(vec![1u8]))]).unwrap();
    let table = ColumnsTable::new(columns);
    let split = Split { bytes: std::ops::Range { start: 9, end: 3 }, ..Split::default() };
    assert_eq!(table.memory(&split, &Wanted::new()), 0);
}

/// A file may have become shorter since it was cut: nobody counts on up to the chunk that it had.
#[test]
fn chunks_that_a_file_does_not_have_are_told() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/beat/file_ints/input.data");
    let prefix = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/beat_prefix");
    let prefix = Settings::new().with("prefix", prefix.to_str().unwrap());
    let table = binfmt::open_as(path, "beat", &prefix).unwrap();
    let split = Split { rows: i64::MAX - 1..i64::MAX, ..table.splits(&Wanted::new(), 1).unwrap()[0].clone() };
    let e = read(&table, &split, &Wanted::new()).1.unwrap().to_string();
    assert_eq!(e, "chunks[4].start at byte 0x161: 1 byte needed, 0 remain");
}

/// Rows that a part counts from a number below 0 are those before its first.
#[test]
fn a_part_may_count_from_any_number() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sdds/hand/ascii_trunc.sdds");
    let table = binfmt::open(path).unwrap();
    let every = read(&table, &Split::default(), &Wanted::new());
    let split = Split { first: -1, ..Split::default() };
    let found = read(&table, &split, &Wanted::new());
    assert_eq!(rows(&found.0), rows(&every.0)[1..]);
    let e = every.1.unwrap().to_string();
    assert_eq!(found.1.unwrap().to_string(), e);
}

/// Who asks for as many parts as can be does not get one for each cell that a domain could have.
#[test]
fn there_are_no_more_parts_than_are_of_use() {
    use binfmt::formats::tiledb::{ArraySchema, Attribute, Datatype, Dimension, Memory, Number, Options};
    let x = Dimension::new("x", Number::I64(0), Number::I64(i64::MAX - 1), Number::I64(1));
    let schema = ArraySchema::dense(Datatype::Int64, [x]).attribute(Attribute::new("a", Datatype::Int8));
    let files: Arc<dyn binfmt::storage::Storage> = Arc::new(Memory::new());
    let array = Options::new().create(files, schema).unwrap().into_table();
    let columns = Columns::with_rows(1 << 20, Vec::new()).unwrap();
    for table in [array, Arc::new(ColumnsTable::new(columns))] {
        assert_eq!(table.splits(&Wanted::new(), usize::MAX).unwrap().len(), 1 << 16);
    }
}

/// Of a box without cells the other dimensions may be of any length: nothing is multiplied with them.
#[test]
fn a_box_without_cells_has_no_places() {
    use binfmt::formats::tiledb::{
        ArraySchema, Attribute, CellValNum, Datatype, Dimension, Memory, Number, Options,
    };
    let long = |name: &str| Dimension::new(name, Number::I64(0), Number::I64(1 << 40), Number::I64(1 << 20));
    let pairs = Attribute::new("a", Datatype::Int8).values(CellValNum::new(2).unwrap());
    let x = Dimension::new("x", Number::I64(0), Number::I64(9), Number::I64(1));
    let schema = ArraySchema::dense(Datatype::Int64, [x, long("y"), long("z")]).attribute(pairs);
    let array = Options::new().create(Memory::new(), schema).unwrap();
    let cells = array.query().range("x", 5..5).read().unwrap();
    assert_eq!((cells.num_cells(), cells.coordinate_of(0, 0)), (0, None));
    assert!(cells.coordinate("x").is_none_or(|values| values.is_empty()));
    assert!(cells.array::<i8>("a").is_err());
}
