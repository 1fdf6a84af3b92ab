//! Arrays that libtiledb wrote, as cells and as tables.

use crate::table::support::{Counting, all, is_the_same_in_parts, picks, read};
use binfmt::columns::{Column, ColumnData};
use binfmt::formats::tiledb::{
    self, Array, ArraySchema, ArrayType, Attribute, CellValNum, Cells, Datatype, Dimension, Folder, Key,
    Memory, Number, Numbers, Options, Storage,
};
use binfmt::table::{Estimate, Logical, Settings, Table, Wanted};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

fn cases() -> Vec<(PathBuf, Settings, Options)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tiledb");
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "json") {
            let json: Json = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            let (mut settings, mut options) = (Settings::new(), Options::new());
            if let Some(key) = json["key"].as_str() {
                settings = settings.with("key", key);
                options = options.key(Key::new(key.as_bytes().try_into().unwrap()));
            }
            cases.push((path.with_extension(""), settings, options));
        }
    }
    cases.sort_by(|a, b| a.0.cmp(&b.0));
    cases
}

/// One cell after the other as text: coordinates, then attributes, as the columns of the table have them.
fn expected(array: &Array, cells: &Cells, table: &dyn Table) -> Vec<String> {
    let schema = array.schema();
    let mut columns: Vec<Column> = Vec::new();
    for dimension in &schema.domain.dimensions {
        columns.push(Column::from(cells.coordinate(&dimension.name).unwrap().into_owned()));
    }
    let coords: Vec<Vec<String>> = (0..cells.num_cells())
        .map(|row| {
            columns.iter().map(|column| format!("{:?}", column.get(row).unwrap().to_value())).collect()
        })
        .collect();
    let fields = &table.schema().fields[columns.len()..];
    let row = |row: usize| {
        let values = cells.columns().iter().zip(fields).map(|((name, column), field)| {
            assert_eq!(*name, *field.name);
            let bytes: Vec<u8> = column.cell(row).flat_map(le).collect();
            format!("{bytes:?}")
        });
        coords[row].iter().cloned().chain(values).collect::<Vec<_>>().join(" ")
    };
    (0..cells.num_cells()).map(row).collect()
}

/// The bytes of a number: so a NaN is equal to itself.
fn le(n: Number) -> Vec<u8> {
    let mut one = Numbers::new(n.number_type());
    one.push(n).unwrap();
    one.to_le_bytes()
}

/// The bytes of all numbers in a value.
fn bytes_of(value: &binfmt::value::Value) -> Vec<u8> {
    use binfmt::value::Value;
    match value {
        Value::Number(n) => le(*n),
        Value::Text(text) => text.as_bytes().to_vec(),
        Value::Bytes(bytes) => bytes.clone(),
        Value::List(items) => items.iter().flat_map(bytes_of).collect(),
        other => panic!("{other:?}"),
    }
}

/// The rows of a table in the same form.
fn shown(table: &Arc<dyn Table>, dims: usize, wanted: &Wanted, parts: usize) -> Vec<String> {
    let mut found = Vec::new();
    for split in table.splits(wanted, parts).unwrap() {
        let (batches, e) = read(table, &split, wanted);
        assert!(e.is_none(), "{e:?}");
        let mut count = 0;
        for batch in batches {
            for row in 0..batch.num_rows() {
                let cell = |column: usize| batch.cell(row, column).unwrap().to_value();
                let coords = (0..dims).map(|column| format!("{:?}", cell(column)));
                let values =
                    (dims..batch.num_columns()).map(|column| format!("{:?}", bytes_of(&cell(column))));
                found.push(coords.chain(values).collect::<Vec<_>>().join(" "));
                count += 1;
            }
        }
        if let Some(exact) = split.num_rows.exact() {
            assert_eq!(exact, count, "{split:?}");
        }
    }
    found
}

#[test]
fn all_parts_together_are_what_a_query_gives() {
    let mut count = 0;
    for (path, settings, options) in cases() {
        let array = options.open(Folder::new(&path)).unwrap();
        let cells = array.read().unwrap();
        let table = binfmt::open_as(&path, "tiledb", &settings).unwrap();
        let dims = array.schema().domain.dimensions.len();
        let expected = expected(&array, &cells, &*table);
        for parts in [1, 2, 3, 100] {
            assert_eq!(shown(&table, dims, &Wanted::new(), parts), expected, "{} {parts}", path.display());
            assert_eq!(shown(&table, dims, &Wanted::new().batch_rows(1), parts), expected);
        }
        let rows: Vec<String> = all(&table, &Wanted::new(), 1).0;
        is_the_same_in_parts(&table, &rows);
        if rows.len() > 2 {
            picks(&table, &rows);
        }
        assert!(matches!(table.num_rows(), Estimate::Exact(_) | Estimate::About(_)));
        count += 1;
    }
    assert!(count > 60);
}

#[test]
fn ranges_of_dimensions_choose_cells() {
    for (path, settings, options) in cases() {
        let array = options.open(Folder::new(&path)).unwrap();
        let table = binfmt::open_as(&path, "tiledb", &settings).unwrap();
        let dims = array.schema().domain.dimensions.len();
        let domain = array.schema().domain.dimensions[0].domain;
        if domain[0].number_type().is_float() {
            continue;
        }
        let (low, high) = (domain[0].as_i128().unwrap(), domain[1].as_i128().unwrap());
        let (from, to) = (low + (high - low) / 3, low + (high - low) * 2 / 3);
        let number = |n: i128| Number::from_i128(domain[0].number_type(), n).unwrap();
        let cells = array.query().range_of(0, number(from)..=number(to)).read().unwrap();
        let expected = expected(&array, &cells, &*table);
        // the same ends as other numbers
        for wanted in
            [Wanted::new().range(0, from..=to), Wanted::new().range(0, number(from)..).range(0, ..to + 1)]
        {
            for parts in [1, 3] {
                assert_eq!(shown(&table, dims, &wanted, parts), expected, "{}", path.display());
            }
        }
        assert!(table.splits(&Wanted::new().range(0, high + 1..), 3).unwrap().is_empty());
        assert!(table.splits(&Wanted::new().range(0, ..low), 3).unwrap().is_empty());
    }
}

/// 100 x 100 cells in tiles of 10 x 10.
fn grid() -> (Arc<Counting>, Arc<dyn Table>) {
    let dimension = |name: &str| Dimension::new(name, Number::I32(0), Number::I32(99), Number::I32(10));
    let schema = ArraySchema::dense(Datatype::Int32, [dimension("y"), dimension("x")])
        .attribute(Attribute::new("a", Datatype::Float64))
        .attribute(Attribute::new("time", Datatype::DatetimeMs));
    let files = Arc::new(Counting::default());
    let mut array = Options::new().create(Arc::clone(&files), schema).unwrap();
    let a: Vec<f64> = (0..10_000).map(f64::from).collect();
    let time: Vec<i64> = (0..10_000).collect();
    let column = |datatype, values| tiledb::Column::fixed(datatype, CellValNum::ONE, values).unwrap();
    let a = column(Datatype::Float64, Numbers::from(a));
    let time = column(Datatype::DatetimeMs, Numbers::from(time));
    array.insert().column("a", a).column("time", time).write().unwrap();
    let table = binfmt::open_in(binfmt::FORMATS, files.clone(), "", None, &Settings::new()).unwrap();
    (files, table)
}

#[test]
fn only_tiles_that_are_wanted_are_read() {
    let (files, table) = grid();
    assert_eq!(table.num_rows(), Estimate::Exact(10_000));
    assert_eq!(table.schema().fields[3].logical, Some(Logical::Timestamp(binfmt::table::TimeUnit::Milli)));
    let bytes = |wanted: &Wanted| {
        files.read.store(0, Ordering::Relaxed);
        let rows = all(&table, wanted, 4).0.len();
        (rows, files.read.load(Ordering::Relaxed))
    };
    let (rows, whole) = bytes(&Wanted::new());
    assert_eq!(rows, 10_000);
    let (rows, one) = bytes(&Wanted::new().range(0, 20..30).range(1, 40..50));
    assert_eq!(rows, 100);
    assert!(one * 50 < whole, "{one} of {whole}");
    let (_, column) = bytes(&Wanted::new().columns([0, 2]));
    assert!(column * 3 < whole * 2, "{column} of {whole}");
    // as many splits as there are rows of tiles
    assert_eq!(table.splits(&Wanted::new(), 64).unwrap().len(), 10);
    let bounds = table.bounds(0).unwrap();
    assert!(!bounds.may_meet(&100.into(), &200.into()) && bounds.may_meet(&99.into(), &200.into()));
}

#[test]
fn arrays_in_a_folder_of_a_storage_are_found() {
    let (files, _) = grid();
    let outer = Memory::new();
    for name in files.list("").unwrap() {
        match files.size(&name).unwrap() {
            Some(size) => {
                let mut bytes = vec![0; size as usize];
                files.read(&name, 0, &mut bytes).unwrap();
                outer.write(&format!("grid/{name}"), &bytes).unwrap();
            }
            None => {
                for inner in files.list(&name).unwrap() {
                    let path = format!("{name}/{inner}");
                    let mut bytes = vec![0; files.size(&path).unwrap().unwrap() as usize];
                    files.read(&path, 0, &mut bytes).unwrap();
                    outer.write(&format!("grid/{path}"), &bytes).unwrap();
                }
            }
        }
    }
    let table = binfmt::open_in(binfmt::FORMATS, Arc::new(outer), "grid", None, &Settings::new()).unwrap();
    assert_eq!(all(&table, &Wanted::new(), 3).0.len(), 10_000);
}

#[test]
fn an_array_of_a_later_version_is_one_and_refused() {
    let files = Memory::new();
    files.write("grid/__schema/__1_1_0123456789abcdef0123456789abcdef", &22u32.to_le_bytes()).unwrap();
    files.write("other/file", b"").unwrap();
    let files: Arc<dyn Storage> = Arc::new(files);
    let open = |path| binfmt::open_in(binfmt::FORMATS, Arc::clone(&files), path, None, &Settings::new());
    let e = open("grid").unwrap_err().to_string();
    assert!(e.contains("unsupported format version 22, which TileDB 2.25 or later writes"), "{e}");
    let e = open("other").unwrap_err().to_string();
    assert!(e.starts_with("other: no format is told by what is in the folder; say which of"), "{e}");
}

#[test]
fn damage_is_told_with_its_file() {
    let (files, table) = grid();
    let fragment =
        files.list("").unwrap().into_iter().find(|name| name.starts_with("__") && !name.ends_with(".tdb"));
    let path = format!("{}/a.tdb", fragment.unwrap());
    let mut bytes = vec![0; files.size(&path).unwrap().unwrap() as usize];
    files.read(&path, 0, &mut bytes).unwrap();
    let end = bytes.len() - 1;
    files.write(&path, &bytes[..end]).unwrap();
    let e = all(&table, &Wanted::new(), 3).1.unwrap().to_string();
    assert!(e.contains("a.tdb"), "{e}");
}

#[test]
fn a_sparse_array_is_cut_where_its_boxes_begin() {
    let mut cut = 0;
    for (path, settings, options) in cases() {
        let array = options.open(Folder::new(&path)).unwrap();
        if array.schema().array_type == ArrayType::Dense {
            continue;
        }
        let table = binfmt::open_as(&path, "tiledb", &settings).unwrap();
        let splits = table.splits(&Wanted::new(), 4).unwrap();
        cut += usize::from(splits.len() > 1);
    }
    assert!(cut > 2, "{cut}");
}

/// A dense array with a large domain, of which three cells were written.
fn hardly_written() -> Arc<dyn Table> {
    let x = Dimension::new("x", Number::I64(0), Number::I64(1 << 40), Number::I64(10));
    let schema = ArraySchema::dense(Datatype::Int64, [x])
        .attribute(Attribute::new("n", Datatype::Uint16))
        .attribute(Attribute::new("f", Datatype::Float32));
    let files: Arc<dyn Storage> = Arc::new(Memory::new());
    let mut array = Options::new().create(files, schema).unwrap();
    let column =
        |datatype, numbers| tiledb::Column::fixed(datatype, tiledb::CellValNum::ONE, numbers).unwrap();
    array
        .insert()
        .range("x", 500_000_000..=500_000_002)
        .column("n", column(Datatype::Uint16, Numbers::U16(vec![7, 8, 9])))
        .column("f", column(Datatype::Float32, Numbers::F32(vec![0.5, f32::NAN, 1.5])))
        .write()
        .unwrap();
    array.into_table()
}

#[test]
fn cells_that_were_never_written_are_passed_over_where_their_value_is_not_wanted() {
    let table = hardly_written();
    let first = |wanted: &Wanted| Arc::clone(&table).batches(wanted)?.next().transpose();
    let x_of = |wanted: Wanted| {
        let mut found = Vec::new();
        for batch in Arc::clone(&table).batches(&wanted.columns([0, 1])).unwrap() {
            let batch = batch.unwrap();
            let (Some(x), Some(n)) = (batch.get("x"), batch.get("n")) else { panic!("two columns") };
            let n = n.as_slice::<u16>().unwrap();
            let there = x.as_slice::<i64>().unwrap().iter().zip(n).filter(|(_, n)| **n != u16::MAX);
            found.extend(there.map(|(x, _)| *x));
        }
        found
    };
    // their number is bounded, unless the caller says that it may stop
    let e = first(&Wanted::new()).unwrap_err().to_string();
    assert!(e.ends_with("exceeds the limit of 1073741824"), "{e}");
    let batch = first(&Wanted::new().with_unwritten(true)).unwrap().unwrap();
    assert_eq!(batch.get("n").unwrap().as_slice::<u16>().unwrap()[0], u16::MAX);
    // the greatest of its type, and a NaN
    let all = [500_000_000, 500_000_001, 500_000_002];
    assert_eq!(x_of(Wanted::new().range(1, ..=8u16)), all);
    assert_eq!(x_of(Wanted::new().range(2, 1.0..)), all);
    assert_eq!(x_of(Wanted::new().range(1, ..9u16).range(0, 500_000_001i64..)), all[1..]);
    assert!(x_of(Wanted::new().range(1, ..9u16).range(0, 600_000_000i64..)).is_empty());
    for wanted in [Wanted::new().range(1, 8u16..), Wanted::new().range(1, 8u16..).rows(0..1 << 41)] {
        assert!(first(&wanted).is_err(), "{wanted:?}");
    }
    // rows are counted with all cells
    let few = Wanted::new().range(1, ..=8u16).rows(500_000_001..500_000_003);
    assert_eq!(x_of(few), all[1..]);
    let Estimate::Unknown = table.splits(&Wanted::new().range(1, ..=8u16), 4).unwrap()[0].num_rows else {
        panic!("fewer rows come than the part has cells")
    };
}
