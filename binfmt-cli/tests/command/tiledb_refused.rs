//! Arrays that the command does not read or write, and why; and parts of a file's dump.

use crate::support::{Folder, command, run};
use std::path::{Path, PathBuf};

fn data(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    root.join("tests/data/tiledb").join(name).to_str().unwrap().to_owned()
}

#[test]
fn arrays_that_a_later_version_has_changed() {
    let says = std::fs::read_to_string(data("later/says.json")).unwrap();
    let says: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&says).unwrap();
    assert_eq!(says.len(), 11);
    let folder = Folder::new("tiledb-later");
    for (name, wanted) in says {
        let (array, wanted) = (data(&format!("later/{name}")), wanted.as_str().unwrap().to_owned());
        let (copy, document) = (folder.path("copy.tiledb"), folder.path("copy.json"));
        for words in [
            &["inspect", &array][..],
            &["cat", &array],
            &["cat", "--csv", &array, "--rows", "0..1"],
            &["check", &array],
            &["convert", &array, &copy],
            &["convert", &array, &document],
        ] {
            let run = run(words).fails(1);
            assert!(
                run.err.contains(&wanted) && run.err.contains("writes; expected 3"),
                "{words:?}: {}",
                run.err
            );
            assert!(run.out.is_empty(), "{words:?}");
        }
        assert!(!Path::new(&copy).exists() && !Path::new(&document).exists(), "{name}");
    }
}

/// The only fragment of an array.
fn fragment(array: &str) -> PathBuf {
    let entries = std::fs::read_dir(array).unwrap().map(|entry| entry.unwrap().path());
    entries.into_iter().find(|path| path.is_dir()).unwrap()
}

/// An array of 100,000 numbers in one tile of several chunks.
fn large(folder: &Folder, filters: &str) -> PathBuf {
    let numbers: Vec<String> = (0..100_000).map(|n| n.to_string()).collect();
    let document = format!(
        r#"{{"format": "tiledb", "schema": {{"array_type": "dense", "dim_type": "INT32",
        "dims": [{{"name": "x", "lo": 0, "hi": 99999, "extent": 100000}}],
        "attrs": [{{"name": "a", "type": "INT32", "filters": {{"filters": [{filters}]}}}}]}},
        "attributes": {{"a": [{}]}}}}"#,
        numbers.join(",")
    );
    let array = folder.path("large.tiledb");
    let _ = std::fs::remove_dir_all(&array);
    run(&["convert", &folder.file("large.json", document.as_bytes()), &array]).ok();
    fragment(&array).join("a.tdb")
}

#[test]
fn the_range_of_a_dump_holds_for_cells() {
    let folder = Folder::new("tiledb-range");
    // a chunk has 16,384 numbers
    const CHUNK: usize = 65_536 / 4;
    for filters in ["", r#"{"type": "ZSTD", "level": 1}"#] {
        let file = large(&folder, filters);
        let file = file.to_str().unwrap();
        let lines = |range: &str| {
            let run = run(&["dump", file, "--range", range]).ok();
            run.text().lines().filter(|line| line.contains(" a[")).map(str::to_owned).collect::<Vec<_>>()
        };
        let first = lines("..64");
        assert_eq!(first.len(), CHUNK, "{filters}");
        assert!(first[0].contains(" a[0]") && first[CHUNK - 1].contains(&format!(" a[{}]", CHUNK - 1)));
        let size = std::fs::metadata(file).unwrap().len();
        let last = lines(&format!("{}..", size - 1));
        assert_eq!(last.len(), 100_000 % CHUNK, "{filters}");
        assert!(last.last().unwrap().contains(" a[99999]"), "{last:?}");
        // the number of chunks, and nothing of any
        assert_eq!(lines("..4").len(), 0, "{filters}");
        assert_eq!(lines("0..").len(), 100_000, "{filters}");
    }
}

#[test]
fn the_range_of_a_dump_holds_for_metadata() {
    let file = fragment(&data("s1_i32")).join("__fragment_metadata.tdb");
    let text = run(&["dump", file.to_str().unwrap(), "--range", "..40"]).ok();
    assert!(text.text().contains("rtree.header"), "{}", text.text());
    assert!(!text.text().contains("without its filters"), "{}", text.text());
    let text = run(&["dump", file.to_str().unwrap(), "--range", "60..80"]).ok();
    assert!(text.text().contains("rtree.tile without its filters"), "{}", text.text());
    assert!(!text.text().contains("tile_offsets[0].tile without"), "{}", text.text());
}

#[test]
fn fragments_that_no_one_would_see_are_not_written() {
    let folder = Folder::new("tiledb-hidden");
    let document = |times: [&str; 2]| {
        let [a, b] = times;
        format!(
            r#"{{"format": "tiledb", "schema": {{"array_type": "dense", "dim_type": "INT32",
            "dims": [{{"name": "x", "lo": 0, "hi": 1, "extent": 2}}], "attrs": [{{"name": "a", "type": "INT8"}}]}},
            "fragments": [{{"timestamps": {a}, "attributes": {{"a": [1, 2]}}}},
            {{"timestamps": {b}, "attributes": {{"a": [3, 4]}}}}]}}"#
        )
    };
    let array = folder.path("array.tiledb");
    for times in [["[1, 5]", "[3, 3]"], ["[3, 3]", "[1, 5]"]] {
        let document = folder.file("hidden.json", document(times).as_bytes());
        let run = run(&["convert", &document, &array]).fails(1);
        assert!(run.err.contains("would never be seen"), "{}", run.err);
        assert!(!Path::new(&array).exists());
    }
    run(&["convert", &folder.file("seen.json", document(["[1, 5]", "[6, 6]"]).as_bytes()), &array]).ok();
    assert_eq!(run(&["cat", "--csv", "--no-header", &array]).ok().text(), "0,3\n1,4\n");
}

#[cfg(unix)]
#[test]
fn a_disk_that_is_full_is_the_output_s() {
    let folder = Folder::new("tiledb-full");
    let (array, new) = (data("d1_i32"), folder.path("new.tiledb"));
    // no file may have a byte, and a write that is too long is an error, no signal
    let script = r#"trap '' XFSZ; ulimit -f 0; exec "$0" convert "$1" "$2""#;
    let program = command().get_program().to_owned();
    let output =
        std::process::Command::new("sh").args(["-c", script]).arg(program).args([&array, &new]).output();
    let output = output.unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("new.tiledb: cannot write") && !err.contains("d1_i32"), "{err}");
    assert!(!Path::new(&new).exists());
}
