//! Files of Futhark values: one array, cut along its first dimension.

use crate::table::support::{Counting, all, file, is_the_same_in_parts, picks};
use binfmt::formats::futhark;
use binfmt::storage::Storage;
use binfmt::table::{Estimate, Settings, Table, Wanted};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

fn opened(bytes: &[u8], settings: &Settings) -> binfmt::Result<Arc<dyn Table>> {
    binfmt::open_in(binfmt::FORMATS, file(bytes), "file", Some("futhark"), settings)
}

#[test]
fn every_value_of_every_file_is_a_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/futhark");
    let (mut values, mut refused) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path().join("input.bin");
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let Ok(found) = futhark::read(&bytes) else {
            assert!(opened(&bytes, &Settings::new()).is_err(), "{}", path.display());
            refused += 1;
            continue;
        };
        for (i, value) in found.iter().enumerate() {
            let table = opened(&bytes, &Settings::new().with("value", i.to_string())).unwrap();
            let (dims, elements) = (value.dims(), value.elements());
            let rows = dims.first().copied().unwrap_or(1) as usize;
            let each = dims.iter().skip(1).product::<u64>() as usize;
            let row = |row: usize| {
                let numbers = (row * each..(row + 1) * each)
                    .map(|k| binfmt::value::Value::from(elements.get(k).unwrap()));
                let all: Vec<binfmt::value::Value> = numbers.collect();
                let value = if dims.len() > 1 { binfmt::value::Value::List(all) } else { all[0].clone() };
                format!("{:?}", binfmt::value::Value::record([("value", value)]))
            };
            let expected: Vec<String> = (0..rows).map(row).collect();
            is_the_same_in_parts(&table, &expected);
            if expected.len() > 2 {
                picks(&table, &expected);
            }
            values += 1;
        }
    }
    assert!(values > 60 && refused > 5, "{values} {refused}");
}

#[test]
fn arrays_that_are_not_all_open_at_once_are_columns() {
    const ROWS: u64 = 25;
    let mut bytes = Vec::new();
    for array in 0..99 {
        bytes.extend([&b"b\x02\x01 u64"[..], &ROWS.to_le_bytes()].concat());
        (0..ROWS).for_each(|row| bytes.extend((array * 100 + row).to_le_bytes()));
    }
    // one that is read from its first row on
    let text: Vec<String> = (0..ROWS).map(|row| format!("{row}u64")).collect();
    bytes.extend(format!("[{}]", text.join(", ")).bytes());
    let table = opened(&bytes, &Settings::new()).unwrap();
    let (found, e) = all(&table, &Wanted::new(), 1);
    assert!(e.is_none() && found.len() == ROWS as usize && found[24].contains("9824"), "{found:?}");
    for parts in [1, 3] {
        let (some, e) = all(&table, &Wanted::new().batch_rows(4), parts);
        assert!(e.is_none() && some == found, "{some:?}");
        let (some, e) = all(&table, &Wanted::new().batch_rows(4).rows(7..20), parts);
        assert!(e.is_none() && some == found[7..20], "{some:?}");
        // as many bytes as are asked for are in all columns together
        let wanted = Wanted { batch_bytes: 2 * 800, ..Wanted::new() };
        let batches = table.splits(&wanted, parts).unwrap().into_iter();
        let mut batches = batches.flat_map(|split| table.clone().read(&split, &wanted).unwrap());
        assert!(batches.all(|batch| batch.unwrap().num_rows() <= 2));
    }
}

#[test]
fn arrays_of_one_length_are_columns() {
    let mut bytes = b"[1i32, 2, 3] [[true, false], [true, true], [false, false]] ".to_vec();
    bytes.extend(b"b\x02\x01 f64\x03\0\0\0\0\0\0\0");
    [0.5f64, 1.5, 2.5].iter().for_each(|x| bytes.extend(x.to_le_bytes()));
    let table = opened(&bytes, &Settings::new()).unwrap();
    assert_eq!(table.num_rows(), Estimate::Exact(3));
    let fields = &table.schema().fields;
    let types: Vec<String> = fields.iter().map(|field| format!("{}: {}", field.name, field.ty)).collect();
    assert_eq!(types, ["0: i32", "1: [bool; 2]", "2: f64"]);
    let (found, e) = all(&table, &Wanted::new(), 1);
    assert!(e.is_none() && found[1].contains("1.5"), "{found:?}");
    is_the_same_in_parts(&table, &found);
    picks(&table, &found);
    let last = opened(&bytes, &Settings::new().with("value", "1..")).unwrap();
    assert_eq!(last.schema().position("2"), Some(1));
    let scalars = opened(b"1i32 2.5f64", &Settings::new()).unwrap();
    assert_eq!(all(&scalars, &Wanted::new(), 3).0.len(), 1);
    // what is wrong with one of them comes after the rows of all
    let files = crate::table::support::file(&bytes);
    let open = binfmt::open_in(binfmt::FORMATS, files.clone(), "file", Some("futhark"), &Settings::new());
    binfmt::storage::Storage::write(&*files, "file", &bytes[..bytes.len() - 2]).unwrap();
    let (found, e) = all(&open.unwrap(), &Wanted::new(), 1);
    assert!(found.len() == 2 && e.unwrap().to_string().contains("8 bytes needed"), "{found:?}");
}

#[test]
fn one_of_values_that_are_no_columns_is_chosen() {
    let file = b"1i32 [[1u8, 2], [3, 4], [5, 6]] [7i64, 8]";
    let e = opened(file, &Settings::new()).unwrap_err().to_string();
    assert_eq!(
        e,
        "columns are arrays of the same length, and value 0 is i32, value 1 is [3][2]u8: the setting `value` chooses"
    );
    let table = opened(file, &Settings::new().with("value", "1")).unwrap();
    assert_eq!(table.num_rows(), Estimate::Exact(3));
    assert_eq!(table.schema().fields[0].ty.to_string(), "[u8; 2]");
    let last = opened(file, &Settings::new().with("value", "2")).unwrap();
    assert_eq!(all(&last, &Wanted::new(), 2).0.len(), 2);
    assert!(opened(file, &Settings::new().with("value", "3")).is_err());
    assert!(opened(b"-- nothing", &Settings::new()).is_err());
}

#[test]
fn a_binary_array_that_became_shorter_is_told() {
    let mut bytes = b"b\x02\x01 i32".to_vec();
    bytes.extend(4u64.to_le_bytes());
    (0..4i32).for_each(|n| bytes.extend(n.to_le_bytes()));
    let files = file(&bytes);
    let open = || binfmt::open_in(binfmt::FORMATS, files.clone(), "file", None, &Settings::new());
    let table = open().unwrap();
    binfmt::storage::Storage::write(&*files, "file", &bytes[..bytes.len() - 2]).unwrap();
    let (found, e) = all(&table, &Wanted::new(), 2);
    assert_eq!(found.len(), 3);
    assert_eq!(e.unwrap().to_string(), "[3].value at byte 0x1b: 4 bytes needed, 2 remain");
    assert!(open().is_err());
}

/// Of binary values the headers are read, whatever else is in the file, and of the rows those that are wanted.
#[test]
fn what_is_in_a_file_its_headers_say() {
    let value = |of: &str, each: usize| {
        let mut bytes = format!("b\x02\x02{of:>4}").into_bytes();
        bytes.extend([1000u64, 500].iter().flat_map(|n| n.to_le_bytes()));
        bytes.resize(bytes.len() + 500_000 * each, 1);
        bytes
    };
    let all = [value("f64", 8), b" 7i32 ".to_vec(), value("bool", 1), b"\n[1, 2]".to_vec(), value("i16", 2)]
        .concat();
    for chosen in ["0", "1", "2", "3", "4"] {
        let files = Arc::new(Counting::default());
        files.files.write("file", &all).unwrap();
        let settings = Settings::new().with("value", chosen);
        let storage: Arc<dyn Storage> = files.clone();
        let table = binfmt::open_in(binfmt::FORMATS, storage, "file", Some("futhark"), &settings).unwrap();
        let read = files.read.load(Ordering::Relaxed);
        assert!(read < 400_000, "value {chosen}: {read} of {} bytes read", all.len());
        let rows = table.batches(&Wanted::new().rows(1..2)).unwrap().map(|batch| batch.unwrap().num_rows());
        assert_eq!(rows.sum::<usize>(), usize::from(chosen != "1"), "value {chosen}");
        assert!(files.read.load(Ordering::Relaxed) < read + 400_000, "value {chosen}");
    }
    // flags that are none are told when they are read
    let mut wrong = value("bool", 1);
    *wrong.last_mut().unwrap() = 2;
    let table = opened(&wrong, &Settings::new()).unwrap();
    assert!(table.batches(&Wanted::new()).unwrap().any(|batch| batch.is_err()));
    // and what is cut short when the file is opened
    assert!(opened(&value("f64", 8)[..1_000_000], &Settings::new()).is_err());
}
