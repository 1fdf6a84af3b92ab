//! Arrays of NumPy: files of its own, and columns of any table that become arrays.

use crate::table::support::{all, file, is_the_same_in_parts, picks};
use binfmt::columns::{Column, Columns, NullableColumn};
use binfmt::storage::{Memory, Storage};
use binfmt::table::{ColumnsTable, Estimate, Projected, Settings, Table, TableFormat, Wanted, npy};
use std::sync::Arc;

const MIXED: &[u8] = include_bytes!("../data/npy/mixed/input.npy");

fn opened(bytes: &[u8]) -> binfmt::Result<Arc<dyn Table>> {
    binfmt::open_in(binfmt::FORMATS, file(bytes), "file", None, &Settings::new())
}

fn table(columns: Vec<(&'static str, Column)>) -> Arc<dyn Table> {
    let columns = columns.into_iter().map(|(name, column)| (name.into(), column)).collect();
    Arc::new(ColumnsTable::new(Columns::new(columns).unwrap()))
}

fn written(table: &Arc<dyn Table>, wanted: &Wanted) -> binfmt::Result<Vec<u8>> {
    let leaves = table.schema().leaves();
    let flat: Arc<dyn Table> = Arc::new(Projected::new(table.clone(), leaves));
    let files = Arc::new(Memory::new());
    let sink = npy::Npy.create(files.clone(), "x.npy", flat.schema(), &Settings::new())?;
    let done = flat.write_to(wanted, sink);
    assert_eq!(files.size("x.npy").unwrap().is_some(), done.is_ok());
    let mut bytes = vec![0; done?.bytes as usize];
    files.read("x.npy", 0, &mut bytes).unwrap();
    Ok(bytes)
}

fn header(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|b| *b == b'\n').unwrap();
    String::from_utf8_lossy(&bytes[10..end]).trim_end().to_owned()
}

/// The length of an array stands in front of it.
#[test]
fn as_many_rows_are_written_as_were_asked_for() {
    let table = table(vec![("n", Column::from((0..10).collect::<Vec<u16>>()))]);
    for (wanted, expected) in [
        (Wanted::new().limit(2), &[0, 1][..]),
        (Wanted::new().rows(7..99), &[7, 8, 9]),
        (Wanted::new().rows(7..99).limit(2), &[7, 8]),
        (Wanted::new().rows(4..4), &[]),
    ] {
        for wanted in [wanted.clone().batch_rows(1), wanted] {
            let again = opened(&written(&table, &wanted).unwrap()).unwrap();
            let found = again.batches(&Wanted::new()).unwrap().map(|batch| batch.unwrap().into_columns());
            let found: Vec<u16> =
                found.flat_map(|columns| columns[0].1.as_slice::<u16>().unwrap().to_vec()).collect();
            assert_eq!(found, expected, "{wanted:?}");
        }
    }
}

#[test]
fn a_file_of_numpy_is_a_table_and_is_written_again() {
    let table = opened(MIXED).unwrap();
    let content: serde_json::Value =
        serde_json::from_str(include_str!("../data/npy/mixed/content.json")).unwrap();
    let batch = table.clone().batches(&Wanted::new()).unwrap().next().unwrap().unwrap();
    assert_eq!(serde_json::json!(batch.names().collect::<Vec<_>>()), content["names"]);
    for name in ["t", "name", "x", "pair", "on", "z"] {
        let column: Vec<serde_json::Value> = (0..3)
            .map(|row| serde_json::to_value(batch.row(row).unwrap().get(name).unwrap()).unwrap())
            .collect();
        assert_eq!(column, *content[name].as_array().unwrap(), "{name}");
    }
    let raw: Vec<_> = (0..3).map(|row| batch.row(row).unwrap().get("raw").unwrap().clone()).collect();
    assert_eq!((raw[0].as_str(), raw[1].as_bytes()), (Some("abc"), Some(&[0xff][..])));

    // only the byte order changes
    let again = written(&table, &Wanted::new()).unwrap();
    assert_eq!(header(&again), header(MIXED).replace("'>f8'", "'<f8'"));
    let rows = |table: &Arc<dyn Table>| all(table, &Wanted::new(), 1).0;
    assert_eq!(rows(&opened(&again).unwrap()), rows(&table));
    let expected = rows(&table);
    is_the_same_in_parts(&table, &expected);
    picks(&table, &expected);
}

#[test]
fn complex_numbers_in_a_record_are_complex() {
    let object: Vec<u8> = [1.5f32, -2.0].iter().flat_map(|part| part.to_le_bytes()).collect();
    let settings = Settings::new().with("schema", r#"{"inside": {"c": "complex64"}}"#);
    let table = binfmt::open_in(binfmt::FORMATS, file(&object), "file", Some("beat"), &settings).unwrap();
    let array = written(&table, &Wanted::new()).unwrap();
    assert_eq!(header(&array), "{'descr': '<c8', 'fortran_order': False, 'shape': (), }");
    assert!(array.ends_with(&object));
}

#[test]
fn every_cut_and_every_changed_byte_of_the_header_is_survived() {
    for end in 0..MIXED.len() {
        if let Ok(table) = opened(&MIXED[..end]) {
            let (_, e) = all(&table, &Wanted::new(), 1);
            assert!(e.is_some(), "cut at {end}");
        }
    }
    for at in 0..MIXED.len() {
        for byte in [0, b'9', b'(', 0xff] {
            let mut bytes = MIXED.to_vec();
            bytes[at] = byte;
            if let Ok(table) = opened(&bytes) {
                // as many as there are, or an error
                let _ = all(&table, &Wanted::new().limit(10), 1);
            }
        }
    }
    let e = opened(&[MIXED, b"x"].concat()).unwrap_err().to_string();
    assert!(e.contains("1 bytes after the array"), "{e}");
}

#[test]
fn one_column_is_a_plain_array_and_several_are_fields() {
    let numbers = || Column::from((0..10i32).collect::<Vec<_>>());
    let pairs = Column::Array { len: 2, rows: 10, items: Box::new(Column::from(vec![0.5f64; 20])) };
    let one = written(&table(vec![("a", numbers())]), &Wanted::new().rows(3..5)).unwrap();
    assert_eq!(header(&one), "{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }");
    assert_eq!(one[one.len() - 8..], [3, 0, 0, 0, 4, 0, 0, 0]);
    let inner = written(&table(vec![("p", pairs.clone())]), &Wanted::new()).unwrap();
    assert_eq!(header(&inner), "{'descr': '<f8', 'fortran_order': False, 'shape': (10, 2), }");
    let both = written(&table(vec![("a", numbers()), ("p", pairs)]), &Wanted::new().rows(0..1)).unwrap();
    assert!(header(&both).contains("[('a', '<i4'), ('p', '<f8', (2,))]"), "{}", header(&both));
    assert_eq!(both.len() % 64, 20);
}

#[test]
fn texts_are_as_wide_as_the_longest() {
    let text = |texts: &[&'static [u8]]| Column::Text(texts.iter().copied().collect());
    let utf8 = written(&table(vec![("s", text(&[b"a", "βγδ".as_bytes(), b""]))]), &Wanted::new()).unwrap();
    assert!(header(&utf8).contains("'<U3'") && utf8.len() == 128 + 36, "{}", header(&utf8));
    let bytes = written(&table(vec![("s", text(&[b"a", b"\xff\xfe"]))]), &Wanted::new()).unwrap();
    assert!(header(&bytes).contains("'|S2'"), "{}", header(&bytes));
    assert!(bytes.ends_with(b"a\0\xff\xfe"));
}

#[test]
fn missing_floats_are_nan_and_what_numpy_cannot_say_is_refused_before_the_first_byte() {
    let nullable = |values: Column| {
        Column::Nullable(Box::new(NullableColumn::from_parts(vec![0xff, 3], values, 0xff).unwrap()))
    };
    let floats = written(&table(vec![("x", nullable(vec![1f64, 0.0].into()))]), &Wanted::new()).unwrap();
    assert!(f64::from_le_bytes(floats[floats.len() - 8..].try_into().unwrap()).is_nan());

    let refused = |column: Column, text: &str| {
        let e = written(&table(vec![("x", column)]), &Wanted::new()).unwrap_err();
        assert!(e.to_string().contains(text), "{e}");
    };
    refused(nullable(vec![1i32, 0].into()), "column `x`, row 1:");
    let lists = binfmt::columns::ListColumn::from_parts(vec![0, 1, 3], Column::from(vec![1u8; 3])).unwrap();
    refused(Column::List(Box::new(lists)), "column `x`, row 1: the rows have several shapes: [1] and [2]");
    refused(Column::Bytes([&b"a"[..]].into_iter().collect()), "column `x`");
}

#[test]
fn times_that_are_nat_are_missing() {
    let file = |descr: &str, times: &[i64]| {
        let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (3,), }}\n");
        let front =
            [&b"\x93NUMPY\x01\0"[..], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
        let times: Vec<u8> = times.iter().flat_map(|n| n.to_le_bytes()).collect();
        [front, times].concat()
    };
    for descr in ["'<M8[ns]'", "'<m8[D]'"] {
        let table = opened(&file(descr, &[5, i64::MIN, -7])).unwrap();
        let batch = table.clone().batches(&Wanted::new()).unwrap().next().unwrap().unwrap();
        let codes = vec![0xff, 0, 0xff];
        let expected = NullableColumn::from_parts(codes, Column::from(vec![5i64, 0, -7]), 0xff).unwrap();
        assert_eq!(batch.get("value"), Some(&Column::Nullable(Box::new(expected))));
        assert_eq!(batch.get("value").unwrap().column_type(), table.schema().fields[0].ty);
        let again = written(&table, &Wanted::new()).unwrap();
        assert!(header(&again).contains(descr), "{}", header(&again));
        assert!(again.ends_with(&[5i64, i64::MIN, -7].map(i64::to_le_bytes).concat()));
        let expected = all(&table, &Wanted::new(), 1).0;
        is_the_same_in_parts(&table, &expected);
    }
    // other columns are as they are
    let table = opened(&file("[('n', '<i8'), ('t', '<M8[s]')]", &[i64::MIN, 1, 2, i64::MIN, 3, 4])).unwrap();
    let batch = table.clone().batches(&Wanted::new().columns([1, 0])).unwrap().next().unwrap().unwrap();
    assert_eq!(batch.get("n"), Some(&Column::from(vec![i64::MIN, 2, 3])));
    assert!(matches!(batch.get("t"), Some(Column::Nullable(t)) if t.codes() == [0xff, 0, 0xff]));
    picks(&table, &all(&table, &Wanted::new(), 1).0);
}

#[test]
fn a_nul_at_the_end_of_a_text_is_not_lost() {
    let texts = |all: [&str; 2]| Column::Text(all.iter().map(|text| text.as_bytes()).collect());
    let e = written(&table(vec![("t", texts(["a", "b\0"]))]), &Wanted::new()).unwrap_err().to_string();
    assert!(e.contains("column `t`, row 1") && e.contains("a text that ends with NUL"), "{e}");
    // within a text NumPy keeps it
    let inside = written(&table(vec![("t", texts(["a\0b", "\0\u{100}"]))]), &Wanted::new()).unwrap();
    let again = opened(&inside).unwrap();
    let batch = again.batches(&Wanted::new()).unwrap().next().unwrap().unwrap();
    assert_eq!(batch.get("value"), Some(&texts(["a\0b", "\0\u{100}"])));
}

#[test]
fn times_in_fields_and_with_shapes_stay_times() {
    let header = "{'descr': [('a', [('t', '<M8[s]'), ('n', '<i4')]), ('b', '<m8[ms]', (1, 2))], \
                  'fortran_order': False, 'shape': (1,), }";
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16 + 1).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.push(b'\n');
    bytes.extend(7i64.to_le_bytes());
    bytes.extend(8i32.to_le_bytes());
    bytes.extend([9i64, 10].iter().flat_map(|n| n.to_le_bytes()));
    let table = opened(&bytes).unwrap();
    let leaves = table.schema().leaves();
    let flat: Arc<dyn Table> = Arc::new(binfmt::table::Projected::new(table, leaves));
    let again = written(&flat, &Wanted::new()).unwrap();
    let found = self::header(&again);
    assert!(found.contains("('a.t', '<M8[s]'), ('a.n', '<i4'), ('b', '<m8[ms]', (1, 2))"), "{found}");
}

/// Arrays such as one of the shape (3, 0): nothing but the header says how many rows there are.
#[test]
fn rows_without_bytes_are_as_many_as_the_header_says() {
    let none = |rows| Column::Array { len: 0, rows, items: Box::new(Column::from(Vec::<u32>::new())) };
    for rows in [0, 1, 3, 1 << 16] {
        let file = written(&table(vec![("a", none(rows))]), &Wanted::new()).unwrap();
        assert!(header(&file).contains(&format!("'shape': ({rows}, 0)")), "{}", header(&file));
        let again = opened(&file).unwrap();
        assert_eq!(again.num_rows(), Estimate::Exact(rows as u64));
        let batches: Vec<_> = again.clone().batches(&Wanted::new()).unwrap().map(Result::unwrap).collect();
        assert_eq!(batches.iter().map(Columns::num_rows).sum::<usize>(), rows);
        assert_eq!(written(&again, &Wanted::new()).unwrap(), file);
    }
    let file = written(&table(vec![("a", none((1 << 16) + 1))]), &Wanted::new()).unwrap();
    let e = opened(&file).unwrap_err().to_string();
    assert!(e.contains("more than 65,536 rows that have no bytes"), "{e}");
}
