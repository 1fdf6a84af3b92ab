//! Data files of the BEAT platform.

use crate::table::support::{all, file, is_the_same_in_parts, picks, rows};
use binfmt::Options;
use binfmt::columns::{Column, Columns, Plan};
use binfmt::formats::beat::{DataFile, Declaration};
use binfmt::schema::Name;
use binfmt::table::{Estimate, Settings, Table, Wanted};
use binfmt::value::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files() -> Vec<PathBuf> {
    let folders = std::fs::read_dir(root().join("tests/data/beat")).unwrap();
    let mut files: Vec<PathBuf> = folders.map(|entry| entry.unwrap().path().join("input.data")).collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

fn prefix() -> Settings {
    Settings::new().with("prefix", root().join("tests/support/beat_prefix").to_str().unwrap())
}

/// The rows of a file as its own codec reads them.
fn expected(bytes: &[u8]) -> Result<Vec<String>, String> {
    let text = String::from_utf8_lossy(bytes);
    let format = text.lines().nth(1).unwrap_or_default();
    let declaration =
        Declaration::load(format, root().join("tests/support/beat_prefix")).map_err(|e| e.to_string())?;
    let plan = Plan::new(declaration.description()).map_err(|e| e.to_string())?;
    let options = Options::new().ctx(declaration.program());
    let file: DataFile<Value> = binfmt::from_slice_with(bytes, &options).map_err(|e| e.to_string())?;
    let row = |chunk: binfmt::formats::beat::Chunk<Value>| {
        let index = |name: &str, index: u64| (Name::from(name), Column::from(vec![index as i64]));
        let mut columns = vec![index("_start", chunk.start), index("_end", chunk.end)];
        columns.extend(plan.columns_of(&[chunk.value]).unwrap().into_columns());
        rows([&Columns::new(columns).unwrap()]).remove(0)
    };
    Ok(file.chunks.into_iter().map(row).collect())
}

#[test]
fn files_of_the_platform_are_what_their_codec_reads() {
    let mut count = 0;
    for path in files() {
        let bytes = std::fs::read(&path).unwrap();
        let table = binfmt::open_as(&path, "beat", &prefix());
        match expected(&bytes) {
            Ok(expected) => {
                let table = table.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
                is_the_same_in_parts(&table, &expected);
                if expected.len() > 2 {
                    picks(&table, &expected);
                }
                count += 1;
            }
            Err(e) => assert!(table.is_err(), "{}: {e}", path.display()),
        }
    }
    assert!(count >= 5, "{count}");
}

/// Ten chunks of two indices.
fn numbers() -> Vec<u8> {
    let mut bytes = b"binary\nuser/number/1\n".to_vec();
    for i in 0..10u32 {
        bytes.extend(format!("{} {} 5\n", 2 * i, 2 * i + 1).bytes());
        bytes.extend(i.to_le_bytes());
        bytes.push(b'\n');
    }
    bytes
}

fn opened(bytes: &[u8]) -> Arc<dyn Table> {
    let settings = Settings::new().with("schema", r#"{"value": "uint32"}"#);
    binfmt::open_in(binfmt::FORMATS, file(bytes), "file", None, &settings).unwrap()
}

#[test]
fn ranges_of_indices_choose_chunks() {
    let table = opened(&numbers());
    let found = |wanted: &Wanted, parts: usize| -> Vec<u32> {
        let splits = table.splits(wanted, parts).unwrap();
        let batches = splits.iter().flat_map(|split| table.clone().read(split, wanted).unwrap());
        batches
            .flat_map(|batch| batch.unwrap().get("value").unwrap().as_slice::<u32>().unwrap().to_vec())
            .collect()
    };
    for parts in [1, 3] {
        assert_eq!(found(&Wanted::new().range(0, 4i64..=8), parts), [2, 3, 4]);
        assert_eq!(found(&Wanted::new().range(1, ..4i64), parts), [0, 1]);
        assert!(found(&Wanted::new().range(0, 100i64..), parts).is_empty());
    }
    let bounds = table.bounds(1).unwrap();
    assert!(bounds.may_meet(&19.into(), &19.into()) && !bounds.may_meet(&20.into(), &30.into()));
}

#[test]
fn chunks_of_any_number_are_found() {
    const CHUNKS: u32 = (3 << 16) + 3;
    let mut bytes = b"binary\nuser/number/1\n".to_vec();
    for i in 0..CHUNKS {
        bytes.extend(format!("{i} {i} 5\n").bytes());
        bytes.extend(i.to_le_bytes());
        bytes.push(b'\n');
    }
    let found = |bytes: &[u8], wanted: &Wanted, parts: usize| -> Vec<u32> {
        let table = opened(bytes);
        let splits = table.splits(wanted, parts).unwrap();
        let batches = splits.iter().flat_map(|split| table.clone().read(split, wanted).unwrap());
        let values = batches.filter_map(Result::ok);
        values.flat_map(|batch| batch.get("value").unwrap().as_slice::<u32>().unwrap().to_vec()).collect()
    };
    let all: Vec<u32> = (0..CHUNKS).collect();
    for parts in [1, 7] {
        assert!(found(&bytes, &Wanted::new(), parts) == all);
        assert_eq!(found(&bytes, &Wanted::new().rows(70_001..70_003), parts), [70_001, 70_002]);
        assert_eq!(found(&bytes, &Wanted::new().rows(i64::from(CHUNKS) - 1..i64::MAX), parts), [CHUNKS - 1]);
        // some neighbours are read as well, and nothing else
        let some = found(&bytes, &Wanted::new().range(0, 100_001i64..=100_002), parts);
        assert!(some.contains(&100_001) && some.contains(&100_002) && some.len() <= 8, "{some:?}");
        // the last one is not complete
        assert!(found(&bytes[..bytes.len() - 3], &Wanted::new(), parts) == all[..all.len() - 1]);
    }
    let table = opened(&bytes);
    assert_eq!(table.num_rows(), Estimate::Exact(CHUNKS.into()));
    let bounds = table.bounds(0).unwrap();
    let last = i64::from(CHUNKS) - 1;
    assert!(
        bounds.may_meet(&last.into(), &last.into()) && !bounds.may_meet(&(last + 1).into(), &i64::MAX.into())
    );
}

#[test]
fn damage_comes_after_the_rows_before_it() {
    let bytes = numbers();
    for cut in 1..30 {
        let bytes = &bytes[..bytes.len() - cut];
        let declaration = Declaration::parse(r#"{"value": "uint32"}"#).unwrap();
        let options = Options::new().ctx(declaration.program());
        let e = match binfmt::from_slice_with::<DataFile<Value>, _>(bytes, &options) {
            Ok(file) => {
                assert_eq!(opened(bytes).num_rows(), Estimate::Exact(file.chunks.len() as u64));
                continue;
            }
            Err(e) => e,
        };
        let table = opened(bytes);
        for parts in [1, 4] {
            let (found, told) = all(&table, &Wanted::new(), parts);
            let told = told.unwrap();
            // a stream finds out later that the bytes are not there
            assert!(told.path().to_string().starts_with(&e.path().to_string()), "{told}");
            // the last chunks have 13 bytes each, with their lines
            assert_eq!(found.len(), 10 - cut.div_ceil(13));
        }
    }
    let e = binfmt::open_in(binfmt::FORMATS, file(&bytes), "file", None, &Settings::new()).unwrap_err();
    assert!(e.to_string().contains("the setting `schema` or `prefix` must"), "{e}");
}
