//! Files that went through Parquet are written again in their own format: what tables do not hold as columns, the header, is there, too.

use crate::files::{opened, parquet, rows, said, whole};
use crate::fixtures::{Fixture, all};
use binfmt::storage::{Memory, Storage};
use binfmt::table::{Settings, Table, Wanted};
use binfmt_arrow::Parquet;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A table as a file of the format; what stands in the way of that, if something does.
fn write(fixture: &Fixture, table: &Arc<dyn Table>) -> Result<Arc<Memory>, String> {
    let files = Arc::new(Memory::new());
    let sink = binfmt::create_in(
        binfmt::FORMATS,
        files.clone(),
        "out",
        fixture.format,
        table.schema(),
        &Settings::new(),
    )
    .map_err(|e| e.to_string())?;
    table.write_to(&Wanted::new().batch_rows(50), sink).map_err(|e| e.to_string())?;
    Ok(files)
}

fn bytes(files: &Memory) -> Vec<u8> {
    let size = files.size("out").unwrap().unwrap();
    let mut bytes = vec![0; usize::try_from(size).unwrap()];
    files.read("out", 0, &mut bytes).unwrap();
    bytes
}

#[test]
fn files_are_written_again_with_their_header() {
    let mut seen: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for fixture in all().iter().filter(|fixture| ["beat", "sdds", "tiledb"].contains(&fixture.format)) {
        let Some((table, batches)) = whole(fixture) else { continue };
        if table.schema().fields.is_empty() {
            continue;
        }
        let again = opened(&Parquet, &parquet(table.schema(), &batches).unwrap()).unwrap();
        let told = match (write(fixture, &table), write(fixture, &again)) {
            (Err(e), Err(f)) => {
                assert_eq!(e, f, "{fixture:?}");
                "refused"
            }
            (Ok(first), Ok(second)) if fixture.format == "tiledb" => {
                // the names of fragments say when they were written
                let open =
                    |files| binfmt::open_in(binfmt::FORMATS, files, "out", Some("tiledb"), &Settings::new());
                let (first, second) = (open(first).unwrap(), open(second).unwrap());
                let all = Wanted::new();
                assert_eq!(rows(&second, &all).unwrap(), rows(&first, &all).unwrap(), "{fixture:?}");
                assert_eq!(said(&second), said(&first), "{fixture:?}");
                "same"
            }
            (Ok(first), Ok(second)) => {
                let (first, second) = (bytes(&first), bytes(&second));
                assert!(first == second, "{fixture:?}");
                // and these are those of the file, if it says each thing in the one way that is written
                if std::fs::read(&fixture.path).unwrap() == second { "the file" } else { "same" }
            }
            (first, second) => panic!("{fixture:?}: {:?} {:?}", first.err(), second.err()),
        };
        *seen.entry((fixture.format, told)).or_default() += 1;
    }
    let of = |format, told| seen.get(&(format, told)).copied().unwrap_or(0);
    // every file of BEAT
    assert!(of("beat", "the file") > 5 && of("beat", "same") == 0 && of("beat", "refused") == 0, "{seen:?}");
    assert!(of("sdds", "same") > 60 && of("sdds", "refused") < 3 && of("tiledb", "same") > 60, "{seen:?}");
}
