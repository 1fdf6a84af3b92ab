//! What a small file or document may make of itself: every command ends, with an error or with little.

use crate::support::{Folder, run, run_bounded};
use serde_json::json;

/// The commands that go over all rows, and what they would write.
fn rows_end(file: &str, said: &[&str], folder: &Folder) -> Vec<(String, i32)> {
    let mut ended = Vec::new();
    for words in [
        &["check"][..],
        &["cat"],
        &["cat", "--jsonl"],
        &["cat", "--csv"],
        &["cat", "--json"],
        &["cat", "--rows", "5.."],
        &["inspect"],
        &["stats"],
        &["dump"],
    ] {
        let run = run_bounded(&[words, &[file], said].concat(), 30, 16 << 20);
        assert!(run.status <= 2 && !run.err.contains("panicked"), "{words:?} {run:?}");
        ended.push((words.join(" "), run.status));
    }
    for out in ["o.npy", "o.tdb", "o.jsonl", "o.csv", "o.sdds", "o.fut"] {
        let place = folder.path(out);
        let to: &[&str] = if out == "o.fut" { &["--to", "futhark"] } else { &[] };
        let run = run_bounded(&[&["convert", file, &place][..], to, said].concat(), 30, 16 << 20);
        assert!(run.status <= 2 && !run.err.contains("panicked"), "{out} {run:?}");
        let bytes = std::fs::metadata(&place).map_or(0, |about| about.len());
        assert!(bytes <= 16 << 20, "{out}: {bytes} bytes");
        let _ = std::fs::remove_dir_all(&place).or_else(|_| std::fs::remove_file(&place));
        ended.push((format!("convert {out}"), run.status));
    }
    ended
}

#[test]
fn rows_without_columns_are_few() {
    let folder = Folder::new("bounded-sdds");
    let head = b"SDDS1\n!# little-endian\n&parameter name=p, type=long, fixed_value=7, &end\n&data mode=binary, &end\n";
    let pages =
        |rows: &[u32]| [&head[..], &rows.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>()].concat();
    // one page, one with the longer number, and many that are small
    let long = [&head[..], &i32::MIN.to_le_bytes(), &i64::MAX.to_le_bytes()].concat();
    let many = pages(&[60_000; 2_000]);
    for bytes in [pages(&[i32::MAX as u32]), pages(&[3, i32::MAX as u32]), long, many] {
        let file = folder.file("rows.sdds", &bytes);
        for (words, status) in rows_end(&file, &[], &folder) {
            let is_of_rows =
                ["check", "cat --jsonl", "cat --rows 5..", "stats", "convert o.npy", "convert o.jsonl"];
            assert!(status == 1 || !is_of_rows.contains(&words.as_str()), "{words} of {} bytes", bytes.len());
        }
        let run = run_bounded(&["check", &file], 30, 1 << 20).fails(1);
        assert!(run.err.contains("for elements of zero size"), "{}", run.err);
    }
    // some are kept
    let file = folder.file("few.sdds", &pages(&[2, 0, 1]));
    assert_eq!(run(&["cat", "--jsonl", &file]).ok().text(), "{\"p\":7}\n".repeat(3));
}

#[test]
fn rows_of_empty_arrays_are_few() {
    let folder = Folder::new("bounded-futhark");
    let array = |dims: &[u64]| {
        let dims: Vec<u8> = dims.iter().flat_map(|n| n.to_le_bytes()).collect();
        [&[b'b', 2, (dims.len() / 8) as u8], &b" i32"[..], &dims].concat()
    };
    for dims in [&[1 << 40, 0][..], &[1 << 31, 0, 5], &[1 << 31, 5, 0]] {
        let file = folder.file("x.in", &array(dims));
        rows_end(&file, &["--format", "futhark"], &folder);
        let run = run_bounded(&["cat", "--jsonl", &file, "--format", "futhark"], 30, 1 << 20).fails(1);
        assert!(run.err.contains("for elements of zero size"), "{}", run.err);
    }
    let several = folder.file("x.in", &[array(&[1 << 40, 0]), array(&[1 << 40, 0])].concat());
    rows_end(&several, &["--format", "futhark"], &folder);
}

#[test]
fn cells_that_were_never_written_are_bounded() {
    let folder = Folder::new("bounded-tiledb");
    let (csv, array) = (folder.file("x.csv", b"x,a\n1,7\n2,8\n"), folder.path("x.tdb"));
    run(&["convert", &csv, &array, "--dimensions", "x", "--array", "dense"]).ok();
    let small = run(&["cat", "--json", &array]).ok().json();
    // the same with a domain that has no end
    let mut schema = small["schema"].clone();
    schema["dims"][0]["hi"] = json!(1_u64 << 50);
    let wide = folder.path("wide.tdb");
    let described = serde_json::from_value::<binfmt::formats::tiledb::ArraySchema>(schema).unwrap();
    binfmt::formats::tiledb::Options::new().create(binfmt::storage::Folder::new(&wide), described).unwrap();
    rows_end(&wide, &[], &folder);
    let run = run_bounded(&["cat", "--jsonl", &wide], 30, 1 << 20).fails(1);
    assert!(run.err.contains("never written") && run.err.contains("--max-memory allows more"), "{}", run.err);
    let run = run_bounded(&["cat", "--jsonl", &wide, "--rows", "..2"], 30, 1 << 20).ok();
    assert_eq!(run.text().lines().count(), 2);
}

#[test]
fn a_layout_without_bytes_has_no_rows() {
    let folder = Folder::new("bounded-layout");
    let file = folder.file("x.bin", &[0xff, 0xff, 0xff, 0x7f]);
    for (text, refused) in [
        ("R: record\n", true),
        ("R: record, le\n  a: u8, if(1 == 2)\n", true),
        ("R: record, le\n  n: u32\n  rows: [Z], count = n\nZ: record\n", true),
        ("R: record, le\n  n: u32\n  rows: [Z], until_eof\nZ: record\n", false),
        ("R: record, le\n  n: u32\n  rows: [[Z], count = n], count = n\nZ: record\n", true),
    ] {
        let layout = folder.file("x.layout", text.as_bytes());
        for (words, status) in rows_end(&file, &["--layout", &layout], &folder) {
            let reads = words.starts_with("check") || words == "cat --jsonl";
            assert!(status == 1 || !(refused && reads), "{words} of {text}");
        }
    }
}

/// Where there is no memory for more threads, one does all.
#[cfg(target_os = "linux")]
#[test]
fn with_little_memory_one_thread_does_all() {
    let folder = Folder::new("bounded-threads");
    let rows: String = (0..60_000).map(|n| format!("{n},{}.5,text {n}\n", n % 7)).collect();
    let file = folder.file("x.csv", format!("a,b,c\n{rows}").as_bytes());
    let out = folder.path("o.npy");
    let run = |mib: u64, words: &[&str]| {
        let limited = format!("ulimit -v {}; exec \"$0\" \"$@\"", mib << 10);
        let mut command = std::process::Command::new("sh");
        command
            .args(["-c", &limited])
            .arg(crate::support::command().get_program())
            .args(words)
            .output()
            .unwrap()
    };
    // the program itself takes as much
    let least = (24..400).step_by(4).find(|mib| run(*mib, &["--version"]).status.success()).unwrap();
    for mib in (least + 8..least + 96).step_by(4) {
        for words in [&["stats", &file][..], &["convert", &file, &out]] {
            let _ = std::fs::remove_file(&out);
            let run = run(mib, words);
            let err = String::from_utf8_lossy(&run.stderr);
            assert_eq!(run.status.code(), Some(0), "{mib} MiB of {least}, {words:?}: {:?} {err}", run.status);
        }
    }
}

/// A document of a few bytes, with a layout that says how far its parts lie apart.
fn document(folder: &Folder, layout: &str, records: &serde_json::Value) -> String {
    let layout = folder.file("x.layout", layout.as_bytes());
    let layout = run(&["layout", "--json", &layout]).ok().json();
    let all = json!({"format": "layout", "layout": layout, "byte_order": "little", "records": records});
    folder.file("x.json", all.to_string().as_bytes())
}

#[test]
fn what_is_written_of_a_document_is_bounded() {
    let folder = Folder::new("bounded-json");
    let out = folder.path("x.bin");
    let padded = "R: record, le\n  a: u8, pad_to = 100000000\n";
    let file = document(&folder, padded, &json!([{"a": 1}]));
    let refused = |more: &[&str]| {
        let run = run_bounded(&[&["convert", &file, &out][..], more].concat(), 30, 1 << 20).fails(1);
        assert!(
            run.err.contains("larger than the limit") && run.err.contains("--max-memory allows more"),
            "{run:?}"
        );
        assert!(!std::path::Path::new(&out).exists());
    };
    refused(&[]);
    refused(&["--max-memory", "1M"]);
    run(&["convert", &file, &out, "--max-memory", "96M"]).ok();
    assert_eq!(std::fs::metadata(&out).unwrap().len(), 100_000_000);
    std::fs::remove_file(&out).unwrap();
    // a part anywhere
    let far = "R: record, le\n  place: u64\n  part: bytes, at(file) = place, count = 4\n";
    let placed = |place: u64| document(&folder, far, &json!([{"place": place, "part": {"hex": "61626364"}}]));
    for place in [80_000_000, 4_000_000_000, 1 << 40, i64::MAX as u64] {
        let file = placed(place);
        let run = run_bounded(&["convert", &file, &out], 30, 1 << 20).fails(1);
        assert!(run.err.contains("larger than the limit"), "{run:?}");
    }
    let file = placed(50_000_000);
    run_bounded(&["convert", &file, &out], 30, 1 << 20).ok();
    assert_eq!(std::fs::metadata(&out).unwrap().len(), 50_000_004);
    std::fs::remove_file(&out).unwrap();
    // many records that are small
    let padded = "R: record, le\n  a: u8, pad_to = 10000000\n";
    let file = document(&folder, padded, &json!(vec![json!({"a": 1}); 20]));
    let run = run_bounded(&["convert", &file, &out], 30, 1 << 20).fails(1);
    assert!(run.err.contains("larger than the limit"), "{run:?}");
    let file = document(&folder, padded, &json!(vec![json!({"a": 1}); 3]));
    run_bounded(&["convert", &file, &out], 30, 1 << 20).ok();
    assert_eq!(std::fs::metadata(&out).unwrap().len(), 30_000_000);
}
