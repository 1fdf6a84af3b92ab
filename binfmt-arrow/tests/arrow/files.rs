//! Parquet and Arrow's own files: what is written comes back, whatever part of it is read, and damage is an error.

use crate::fixtures::{Fixture, all};
use crate::support::catch;
use binfmt::columns::{Column, Columns, Plan};
use binfmt::schema::Description;
use binfmt::storage::{Memory, Storage};
use binfmt::table::{
    ColumnsTable, Concatenated, Estimate, Settings, Table, TableFormat, TableSchema, Wanted, keys,
};
use binfmt_arrow::{Conversion, Ipc, IpcWriter, Parquet, ParquetWriter, Texts, Times};
use std::sync::Arc;

fn how() -> Conversion {
    Conversion::of_files().texts(Texts::Latin1).times(Times::Unscaled)
}

pub(crate) fn parquet(schema: &TableSchema, batches: &[Columns]) -> binfmt::Result<Vec<u8>> {
    let mut writer = ParquetWriter::with(Vec::new(), schema, &how())?;
    batches.iter().try_for_each(|batch| writer.write(batch.clone()))?;
    writer.finish()
}

fn ipc(schema: &TableSchema, batches: &[Columns]) -> binfmt::Result<Vec<u8>> {
    let mut writer = IpcWriter::with(Vec::new(), schema, &how())?;
    batches.iter().try_for_each(|batch| writer.write(batch.clone()))?;
    writer.finish()
}

pub(crate) fn opened(format: &dyn TableFormat, bytes: &[u8]) -> binfmt::Result<Arc<dyn Table>> {
    let files = Memory::new();
    files.write("file", bytes)?;
    format.open(Arc::new(files), "file", &Settings::new())
}

pub(crate) fn rows(table: &Arc<dyn Table>, wanted: &Wanted) -> binfmt::Result<Vec<String>> {
    let mut rows = Vec::new();
    for batch in Arc::clone(table).batches(wanted)? {
        let batch = batch?;
        rows.extend((0..batch.num_rows()).map(|row| format!("{:?}", batch.row(row))));
    }
    Ok(rows)
}

/// What is told of the columns.
pub(crate) fn said(table: &Arc<dyn Table>) -> String {
    let fields = table.schema().fields.iter().map(|field| {
        let mut meta = field.meta.clone();
        meta.sort();
        format!("{} {:?} {:?} {} {meta:?}\n", field.name, field.ty, field.logical, field.constant)
    });
    let mut meta = table.schema().meta.clone();
    meta.sort();
    fields.chain([format!("{meta:?}")]).collect()
}

/// A whole file of a format with all its rows.
pub(crate) fn whole(fixture: &Fixture) -> Option<(Arc<dyn Table>, Vec<Columns>)> {
    let table = fixture.open().ok()?;
    let batches =
        table.clone().batches(&Wanted::new().batch_rows(50)).ok()?.collect::<Result<_, _>>().ok()?;
    Some((table, batches))
}

#[test]
fn files_of_all_formats_come_back() {
    let mut seen = 0;
    for fixture in all() {
        let Some((table, batches)) = whole(&fixture) else { continue };
        if table.schema().fields.is_empty() {
            continue;
        }
        let expected = rows(&table, &Wanted::new()).unwrap();
        for (format, bytes) in [
            (&Parquet as &dyn TableFormat, parquet(table.schema(), &batches)),
            (&Ipc, ipc(table.schema(), &batches)),
        ] {
            let bytes = bytes.unwrap_or_else(|e| panic!("{fixture:?}: {e}"));
            let again = opened(format, &bytes).unwrap_or_else(|e| panic!("{fixture:?}: {e}"));
            assert_eq!(again.num_rows(), Estimate::Exact(expected.len() as u64), "{fixture:?}");
            assert_eq!(said(&again), said(&table), "{fixture:?}");
            assert_eq!(rows(&again, &Wanted::new()).unwrap(), expected, "{fixture:?}");
        }
        seen += 1;
    }
    assert!(seen > 200, "{seen}");
}

#[test]
fn rows_of_a_layout_come_back_to_the_same_bytes() {
    let mut seen = std::collections::BTreeMap::new();
    for fixture in all() {
        let Some((table, batches)) = whole(&fixture) else { continue };
        let Some((_, layout)) = table.schema().meta.iter().find(|(key, _)| key == keys::SCHEMA) else {
            continue;
        };
        let layout: Description = layout.parse().unwrap();
        let plan = Plan::new(&layout).unwrap();
        let encode = |batches: &[Columns]| -> Vec<u8> {
            batches
                .iter()
                .flat_map(|batch| plan.encode(batch).unwrap_or_else(|e| panic!("{fixture:?}: {e}")))
                .collect()
        };
        let before = encode(&batches);
        for (format, bytes) in [
            (&Parquet as &dyn TableFormat, parquet(table.schema(), &batches)),
            (&Ipc, ipc(table.schema(), &batches)),
        ] {
            let again = opened(format, &bytes.unwrap()).unwrap();
            let (_, said) = again.schema().meta.iter().find(|(key, _)| key == keys::SCHEMA).unwrap();
            assert_eq!(*said, layout.to_string());
            let batches: Vec<Columns> =
                again.batches(&Wanted::new()).unwrap().collect::<Result<_, _>>().unwrap();
            assert_eq!(encode(&batches), before, "{fixture:?}");
        }
        // and these are those of the file, if it says each thing in the one way that is written
        let file = std::fs::read(&fixture.path).unwrap();
        *seen.entry((fixture.format, file.ends_with(&before))).or_insert(0) += 1;
    }
    assert!(seen[&("scidb", true)] > 40 && seen[&("futhark", true)] > 30, "{seen:?}");
}

fn numbered() -> (TableSchema, Vec<Columns>) {
    let batch = |from: i64, rows: i64| {
        let n: Vec<i64> = (from..from + rows).collect();
        let squares: Vec<u64> = n.iter().map(|n| (n * n) as u64).collect();
        let half: Vec<f64> = n.iter().map(|n| *n as f64 / 2.0).collect();
        let columns = vec![
            ("n".into(), n.into()),
            ("square".into(), squares.into()),
            ("half".into(), Column::from(half)),
        ];
        Columns::new(columns).unwrap()
    };
    let batches = vec![batch(0, 7), batch(7, 1), batch(8, 20), batch(28, 2)];
    let fields =
        batches[0].iter().map(|(name, column)| binfmt::table::TableField::new(name, column.column_type()));
    (TableSchema::new(fields), batches)
}

#[test]
fn parts_of_files_are_read() {
    let (schema, batches) = numbered();
    for (format, bytes) in [
        (&Parquet as &dyn TableFormat, parquet(&schema, &batches).unwrap()),
        (&Ipc, ipc(&schema, &batches).unwrap()),
    ] {
        let table = opened(format, &bytes).unwrap();
        let all = rows(&table, &Wanted::new()).unwrap();
        assert_eq!(all.len(), 30);
        for wanted in [0..30, 5..9, 29..30, 10..10, 0..1] {
            let range = wanted.start as usize..wanted.end as usize;
            let wanted = Wanted::new().rows(wanted).batch_rows(3);
            assert_eq!(rows(&table, &wanted).unwrap(), all[range.clone()]);
            for parts in [1, 2, 5, 50] {
                let mut found = Vec::new();
                for split in table.splits(&wanted, parts).unwrap() {
                    for batch in table.clone().read(&split, &wanted).unwrap() {
                        let batch = batch.unwrap();
                        assert!(batch.num_rows() <= 3);
                        found.extend((0..batch.num_rows()).map(|row| format!("{:?}", batch.row(row))));
                    }
                }
                assert_eq!(found, all[range.clone()], "{parts}");
            }
        }
        let picked = Wanted::new().columns([2, 0, 2]).rows(8..9);
        let batch = table.clone().batches(&picked).unwrap().next().unwrap().unwrap();
        assert_eq!(batch.names().collect::<Vec<_>>(), ["half", "n", "half"]);
        assert_eq!(batch.cell(0, 0).unwrap().to_value(), 4.0f64.into());
        let none = table.clone().batches(&Wanted::new().columns([])).unwrap();
        assert_eq!(none.map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 30);
        assert_eq!(rows(&table, &Wanted::new().limit(4)).unwrap(), all[..4]);
        // several files as one table
        let twice: Arc<dyn Table> =
            Arc::new(Concatenated::new(vec![("a".into(), table.clone()), ("b".into(), table)]).unwrap());
        assert_eq!(rows(&twice, &Wanted::new()).unwrap().len(), 60);
    }
}

#[test]
fn damaged_files_are_errors() {
    let (schema, batches) = numbered();
    for (format, bytes) in [
        (&Parquet as &dyn TableFormat, parquet(&schema, &batches).unwrap()),
        (&Ipc, ipc(&schema, &batches).unwrap()),
    ] {
        let good = rows(&opened(format, &bytes).unwrap(), &Wanted::new()).unwrap();
        for len in 0..bytes.len() {
            let read = || opened(format, &bytes[..len]).and_then(|table| rows(&table, &Wanted::new()));
            let found = read();
            assert!(found.is_err(), "{} of {} bytes: {found:?}", len, bytes.len());
        }
        for place in (0..bytes.len()).step_by(7) {
            let mut bytes = bytes.clone();
            bytes[place] ^= 0x41;
            // other values, or an error: nothing else
            let went = catch(|| {
                opened(format, &bytes).and_then(|table| rows(&table, &Wanted::new())).map(|r| r.len())
            });
            assert!(went, "{} byte {place}", format.name());
        }
        assert_eq!(good.len(), 30);
    }
}

#[test]
fn seconds_are_milliseconds_in_parquet() {
    let (mut schema, batches) = numbered();
    schema.fields[0].logical = Some(binfmt::table::Logical::Timestamp(binfmt::table::TimeUnit::Second));
    let mut writer = ParquetWriter::new(Vec::new(), &schema).unwrap();
    batches.iter().for_each(|batch| writer.write(batch.clone()).unwrap());
    let table = opened(&Parquet, &writer.finish().unwrap()).unwrap();
    let batch = table.clone().batches(&Wanted::new()).unwrap().next().unwrap().unwrap();
    assert_eq!(batch.get("n").unwrap().as_slice::<i64>().unwrap()[..3], [0, 1, 2]);
    assert_eq!(table.schema().fields[0].logical, schema.fields[0].logical);
}

#[test]
fn varied_numbers_have_no_dictionary_and_noise_is_not_compressed() {
    let rows = 2000u64;
    let noise = |n: u64| {
        let n = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    };
    let numbers = |n: fn(u64) -> f64| Column::from((0..rows).map(n).collect::<Vec<f64>>());
    let columns = vec![
        ("varied".into(), numbers(|n| (n as f64).sqrt())),
        ("few".into(), numbers(|n| (n % 1000) as f64)),
        ("short".into(), Column::from((0..rows).map(|n| n as u16).collect::<Vec<u16>>())),
        ("noise".into(), Column::from((0..rows).map(noise).collect::<Vec<u64>>())),
        ("steps".into(), numbers(|n| n as f64)),
    ];
    let columns = Columns::new(columns).unwrap();
    let schema = ColumnsTable::new(columns.clone()).schema().clone();
    let bytes = parquet(&schema, &[columns.slice(0..1500), columns.slice(1500..2000)]).unwrap();
    let metadata = ::parquet::file::metadata::ParquetMetaDataReader::new();
    let metadata = metadata.parse_and_finish(&bytes::Bytes::from(bytes.clone())).unwrap();
    let has = |column: usize| metadata.row_group(0).column(column).dictionary_page_offset().is_some();
    assert_eq!([has(0), has(1), has(2), has(3), has(4)], [false, true, true, false, false]);
    let is_compressed = |column: usize| {
        metadata.row_group(0).column(column).compression() != ::parquet::basic::Compression::UNCOMPRESSED
    };
    assert_eq!([is_compressed(1), is_compressed(3), is_compressed(4)], [true, false, true]);
    let found = rows_of(&opened(&Parquet, &bytes).unwrap());
    assert_eq!(found, rows_of(&(Arc::new(ColumnsTable::new(columns)) as Arc<dyn Table>)));
}

fn rows_of(table: &Arc<dyn Table>) -> Vec<String> {
    rows(table, &Wanted::new()).unwrap().iter().map(|row| format!("{row:?}")).collect()
}

#[test]
fn formats_write_tables() {
    let (schema, batches) = numbered();
    for format in [&Parquet as &dyn TableFormat, &Ipc] {
        let files = Arc::new(Memory::new());
        let settings = Settings::new().with("texts", "latin1");
        let mut sink = format.create(files.clone(), "x", &schema, &settings).unwrap();
        batches.iter().for_each(|batch| sink.write(batch.clone()).unwrap());
        assert_eq!(files.size("x").unwrap(), None);
        let written = sink.finish().unwrap();
        assert_eq!((written.rows, Some(written.bytes)), (30, files.size("x").unwrap()));
        let table = format.open(files.clone(), "x", &Settings::new()).unwrap();
        assert_eq!(rows(&table, &Wanted::new()).unwrap().len(), 30);
        let wrong = Settings::new().with("texts", "utf16");
        let e = format.create(files, "y", &schema, &wrong).unwrap_err();
        assert_eq!(
            e.to_string(),
            "setting `texts`: expected checked, binary, latin1 or lossy, found \"utf16\""
        );
    }
}
