//! What comes out: columns and rows, forms, colours, pipes, files.

use crate::support::{FLAT, Folder, command, data, run, run_with, scidb};
use binfmt::formats::packed::{Compression, Packed};
use std::io::{Read, Write};
use std::process::Stdio;

fn flat() -> String {
    data("seed_flat_35/input.bin")
}

#[test]
fn a_table_for_people() {
    let run = scidb(&["cat", "--table", &flat()], FLAT).ok();
    assert_eq!(run.text(), "a        b  c     d\n1       10  null  xy\n2  null(3)  c     def\n");
}

#[test]
fn plain_text_for_pipes() {
    let run = scidb(&["cat", &flat()], FLAT).ok();
    assert_eq!(run.text(), "a\tb\tc\td\n1\t10\t\\N\txy\n2\t\\N\tc\tdef\n");
    let run = scidb(&["cat", "--no-header", &flat()], FLAT).ok();
    assert_eq!(run.text(), "1\t10\t\\N\txy\n2\t\\N\tc\tdef\n");
}

#[test]
fn one_json_document() {
    let run = scidb(&["cat", "--json", &flat()], FLAT).ok();
    let expected = serde_json::json!({
        "format": "scidb",
        "schema": FLAT,
        "fields": [
            { "name": "a", "type": "int8", "nullable": false },
            { "name": "b", "type": "int16", "nullable": true },
            { "name": "c", "type": "string", "nullable": true },
            { "name": "d", "type": "string", "nullable": false },
        ],
        "cells": [[1, 10, { "missing": 0 }, "xy"], [2, { "missing": 3 }, "c", "def"]],
    });
    assert_eq!(run.json(), expected);
}

#[test]
fn chosen_columns_and_rows() {
    let flat = flat();
    let text = |words: &[&str]| scidb(&[&["cat", &flat], words].concat(), FLAT).ok().text().to_owned();
    assert_eq!(text(&["--columns", "d,a"]), "d\ta\nxy\t1\ndef\t2\n");
    assert_eq!(text(&["--rows", "1..", "--columns", "a"]), "a\n2\n");
    assert_eq!(text(&["--rows", "..=0", "--columns", "a"]), "a\n1\n");
    assert_eq!(text(&["--rows", "1", "--columns", "a"]), "a\n2\n");
    let in_vain = scidb(&["cat", &flat, "--rows", "5..", "--columns", "a"], FLAT);
    assert_eq!((in_vain.status, in_vain.text()), (0, "a\n"));
    assert_eq!(
        in_vain.err,
        format!("note: {flat}: --rows 5.. chooses nothing that is there: there are 2 rows\n")
    );
    assert_eq!(text(&["--rows", "0..0", "--columns", "a"]), "a\n");
    let json = scidb(&["cat", "--json", &flat, "--columns", "d,a", "--rows", "..1"], FLAT).ok().json();
    assert_eq!(json["schema"], "(string, int8)");
    assert_eq!(json["cells"], serde_json::json!([["xy", 1]]));
}

#[test]
fn rows_of_cells_of_one_size() {
    let folder = Folder::on_disk("sized");
    let bytes: Vec<u8> = (0..100_u16).flat_map(|n| n.to_le_bytes()).collect();
    let file = folder.file("n.bin", &bytes);
    let words = |rows| ["cat", file.as_str(), "--no-header", "--rows", rows];
    assert_eq!(scidb(&words("5..8"), "(uint16)").ok().text(), "5\n6\n7\n");
    assert_eq!(scidb(&words("98.."), "(uint16)").ok().text(), "98\n99\n");
    for rows in ["100..", "0xffff_ffff_ffff_ffff.."] {
        let in_vain = scidb(&words(rows), "(uint16)");
        assert!(
            (in_vain.status, in_vain.text()) == (0, "") && in_vain.err.contains("chooses nothing"),
            "{in_vain:?}"
        );
    }
    let piped = run_with(
        &["cat", "-", "--no-header", "--rows", "5..7", "--format", "scidb", "--schema", "(uint16)"],
        &bytes,
    );
    assert_eq!(piped.ok().text(), "5\n6\n");
    // the place of damage counts from the front of the file, not from the first row wanted
    let cut = folder.file("cut.bin", &bytes[..199]);
    let run = scidb(&["cat", &cut, "--rows", "98.."], "(uint16)").fails(1);
    assert!(run.err.contains("[99].a at byte 198 (0xc6)"), "{}", run.err);
    assert_eq!(run.text(), "a\n98\n");
}

#[test]
fn text_that_could_break_lines_is_escaped() {
    let folder = Folder::on_disk("escaped");
    let file = folder.file("t.bin", b"\x07\0\0\0a\tb\nc\\\0\x04\0\0\0\x1b,\"\0\x02\0\0\0\xff\0\x01\0\0\0\0");
    let cat = |form| scidb(&["cat", &file, form, "--no-header"], "(string)").ok();
    assert_eq!(cat("--tsv").text(), "a\\tb\\nc\\\\\n\\x1b,\"\n\\xff\n\n");
    // of a text that is not UTF-8 the bytes
    assert_eq!(cat("--csv").out, b"\"a\tb\nc\\\"\n\"\x1b,\"\"\"\n\xff\n\"\"\n");
    let json = scidb(&["cat", &file, "--json"], "(string)").ok().json();
    assert_eq!(json["cells"], serde_json::json!([["a\tb\nc\\"], ["\u{1b},\""], [{ "hex": "ff" }], [""]]));
}

#[test]
fn numbers_keep_every_bit() {
    let folder = Folder::on_disk("bits");
    let mut bytes = Vec::new();
    for (single, double) in [
        (0.1_f32.to_bits(), 0.1_f64.to_bits()),
        (0x7fc0_0000, 0x7ff8_0000_0000_0000),
        (0x7fc0_0001, 0x7ff8_0000_0000_0001),
        (0xff80_0000, 0xfff0_0000_0000_0000),
        (0x8000_0000, 0x8000_0000_0000_0000),
        (1, u64::MAX),
    ] {
        bytes.extend_from_slice(&single.to_le_bytes());
        bytes.extend_from_slice(&double.to_le_bytes());
        bytes.extend_from_slice(&(double ^ 1).to_le_bytes());
    }
    let file = folder.file("x.bin", &bytes);
    let (json, back) = (folder.path("x.json"), folder.path("y.bin"));
    scidb(&["convert", &file, &json], "(float, double, uint64)").ok();
    let text = std::fs::read_to_string(&json).unwrap();
    assert!(text.contains("[0.1,0.1,"), "{text}");
    assert!(text.contains(r#"["nan","nan","#) && text.contains(r#"{"bits":"7ff8000000000001"}"#), "{text}");
    assert!(text.contains(r#"["-inf","-inf","#) && text.contains("[-0.0,-0.0,"), "{text}");
    assert!(text.contains("18446744073709551614"), "{text}");
    run(&["convert", &json, &back]).ok();
    assert_eq!(std::fs::read(&back).unwrap(), bytes);
}

#[test]
fn colours_only_where_they_are_wanted() {
    let flat = flat();
    let words = ["cat", "--table", &flat, "--format", "scidb", "--schema", FLAT];
    assert!(!run(&words).ok().text().contains('\x1b'));
    let always = run(&[&words[..], &["--color", "always"]].concat()).ok();
    assert!(always.text().contains("\x1b[1m"), "{}", always.text());
    let forced = command().args(words).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(forced.stdout.contains(&0x1b));
    let plain = command().args(words).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").output().unwrap();
    assert!(!plain.stdout.contains(&0x1b));
    assert!(!run(&["cat", &flat]).fails(2).err.contains('\x1b'));
    let red = run(&["cat", &flat, "--color", "always"]).fails(2);
    assert!(red.err.contains("\x1b[1m\x1b[31merror:"), "{:?}", red.err);
    let quoted = run(&["cat", "/nowhere/\x1b[2J"]).fails(1);
    assert!(!quoted.err.contains('\x1b'), "{:?}", quoted.err);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = Folder::on_disk("pipe");
    let file = folder.file("n.bin", &vec![7; 1 << 20]);
    for form in ["--tsv", "--csv", "--json", "--table"] {
        let mut child = command()
            .args(["cat", &file, form, "--format", "scidb", "--schema", "(int8)"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut some = [0; 16];
        child.stdout.take().unwrap().read_exact(&mut some).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{form}");
    }
}

#[test]
fn standard_input_and_output() {
    let bytes = std::fs::read(flat()).unwrap();
    let options = ["--format", "scidb", "--schema", FLAT];
    let go = |words: &[&str], input: &[u8]| run_with(&[words, &options].concat(), input);
    assert_eq!(go(&["cat", "-", "--rows", "1.."], &bytes).ok().text(), "a\tb\tc\td\n2\t\\N\tc\tdef\n");
    assert_eq!(go(&["check", "-"], &bytes).ok().text(), "standard input: ok (2 cells, 35 bytes)\n");
    assert!(go(&["inspect", "-"], &bytes).ok().text().contains("35 bytes"));
    let json = go(&["convert", "-", "-", "--to", "json"], &bytes).ok();
    assert_eq!(run_with(&["convert", "-", "-"], &json.out).ok().out, bytes);
    let csv = go(&["convert", "-", "-", "--to", "csv"], &bytes).noted("codes of missing values");
    assert_eq!(csv.text(), "a,b,c,d\n1,10,,xy\n2,,c,def\n");
}

#[test]
fn what_is_written_follows_from_the_ending() {
    let folder = Folder::on_disk("endings");
    let (flat, bytes) = (flat(), std::fs::read(flat()).unwrap());
    for name in ["x.json", "x.scidb", "x.bin", "x"] {
        scidb(&["convert", &flat, &folder.path(name)], FLAT).ok();
    }
    scidb(&["convert", &flat, &folder.path("x.CSV")], FLAT).noted("codes of missing values");
    let read = |name: &str| std::fs::read(folder.path(name)).unwrap();
    assert!(read("x.json").starts_with(b"{\"format\":\"scidb\""));
    assert!(read("x.CSV").starts_with(b"a,b,c,d\n"));
    assert!(["x.scidb", "x.bin", "x"].iter().all(|name| read(name) == bytes));
    let refused = run(&["convert", &folder.path("x.json"), &folder.path("y.csv")]).fails(2);
    assert!(refused.err.contains("--to"), "{}", refused.err);
    run(&["convert", &folder.path("x.json"), &folder.path("y.csv"), "--to", "scidb"]).ok();
    assert_eq!(read("y.csv"), bytes);
}

#[test]
fn a_file_may_be_written_in_its_own_place() {
    let folder = Folder::on_disk("place");
    let lenient = std::fs::read(data("read_null_garbage/input.bin")).unwrap();
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(data("read_null_garbage/content.json")).unwrap())
            .unwrap();
    let format = json["format"].as_str().unwrap();
    let file = folder.file("x.bin", &lenient);
    scidb(&["check", "--strict", &file], format).fails(1);
    let refused = scidb(&["convert", &file, &file], format).fails(2);
    assert!(refused.err.contains("it is the file that is read\n  tip: --force"), "{}", refused.err);
    let lossy = scidb(&["convert", &file, &file, "--to", "csv"], format).fails(2);
    assert_eq!((lossy.err, std::fs::read(&file).unwrap()), (refused.err, lenient));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("x.bin", folder.path("link")).unwrap();
        scidb(&["convert", &folder.path("link"), &file, "--to", "json"], format).fails(2);
        std::fs::remove_file(folder.path("link")).unwrap();
    }
    scidb(&["convert", "--force", &file, &file], format).ok();
    scidb(&["check", "--strict", &file], format).ok();
    assert_eq!(folder.names(), ["x.bin"]);
}

#[cfg(unix)]
#[test]
fn devices_and_links_are_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let folder = Folder::on_disk("special");
    scidb(&["convert", &flat(), "/dev/null", "--to", "json"], FLAT).ok();
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let target = folder.file("target.bin", b"old");
    std::os::unix::fs::symlink(&target, folder.path("link.bin")).unwrap();
    scidb(&["convert", &flat(), &folder.path("link.bin")], FLAT).ok();
    assert_eq!(std::fs::read(&target).unwrap().len(), 35);
    assert!(std::fs::symlink_metadata(folder.path("link.bin")).unwrap().file_type().is_symlink());
    // what a link names is made where it is not there
    std::os::unix::fs::symlink("new.bin", folder.path("dangling.bin")).unwrap();
    scidb(&["convert", &flat(), &folder.path("dangling.bin")], FLAT).ok();
    assert_eq!(std::fs::read(folder.path("new.bin")).unwrap().len(), 35);
    assert!(std::fs::symlink_metadata(folder.path("dangling.bin")).unwrap().file_type().is_symlink());
    if std::path::Path::new("/dev/full").exists() {
        let full = scidb(&["convert", &flat(), "/dev/full", "--to", "json"], FLAT).fails(1);
        assert!(full.err.contains("cannot write: no space left"), "{}", full.err);
    }
}

#[cfg(unix)]
#[test]
fn what_a_killed_run_has_left_goes_with_the_next() {
    let folder = Folder::on_disk("killed");
    let out = folder.path("x.json");
    let begin = || {
        let words = ["convert", "-", &out, "--format", "scidb", "--schema", "(int8)"];
        command().args(words).stdin(Stdio::piped()).spawn().unwrap()
    };
    let wait_for_that_of = |child: &std::process::Child| {
        let expected = [format!(".x.json.{}-0.tmp", child.id())];
        let is_so = (0..500).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            folder.names() == expected
        });
        assert!(is_so, "{expected:?} and not {:?}", folder.names());
    };
    let mut killed = begin();
    wait_for_that_of(&killed);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(folder.names().len(), 1, "no one could clean up");
    // one that is at work is left alone by others
    let mut at_work = begin();
    wait_for_that_of(&at_work);
    scidb(&["convert", &flat(), &out], FLAT).ok();
    assert_eq!(folder.names().len(), 2, "{:?}", folder.names());
    drop(at_work.stdin.take());
    assert!(at_work.wait().unwrap().success());
    assert_eq!(folder.names(), ["x.json"]);
}

#[cfg(unix)]
#[test]
fn who_stops_the_command_finds_nothing_left_over() {
    let folder = Folder::on_disk("stopped");
    // as shells count it: 128 and the number of the signal
    for (signal, status) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        // standard input that does not end keeps the command at work
        let mut child = command()
            .args(["convert", "-", &folder.path("x.json"), "--format", "scidb", "--schema", "(int8)"])
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let waited = (0..500).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            !folder.names().is_empty()
        });
        assert!(waited, "the command has begun its file");
        // waiting would close it
        let open = child.stdin.take();
        let stopped = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(stopped.unwrap().success());
        assert_eq!(child.wait().unwrap().code(), Some(status), "{signal}");
        drop(open);
        assert_eq!(folder.names(), Vec::<String>::new());
    }
}

/// A second name of a file is the file, however it came about.
#[cfg(unix)]
#[test]
fn the_file_that_is_read_is_known_under_every_name() {
    let folder = Folder::new("same-file");
    let same = folder.file("same.csv", b"a\n1\n");
    let (hard, soft) = (folder.path("hard.csv"), folder.path("soft.csv"));
    std::fs::hard_link(&same, &hard).unwrap();
    std::os::unix::fs::symlink(&same, &soft).unwrap();
    for other in [&hard, &soft, &folder.path("./same.csv")] {
        let refused = run(&["convert", &same, other]).fails(2);
        assert!(refused.err.contains("it is the file that is read"), "{}", refused.err);
    }
    run(&["convert", &same, &hard, "--force"]).ok();
    assert_eq!(std::fs::read(&hard).unwrap(), b"a\n1\n");
}

/// What of a name is text tells what the file is.
#[cfg(unix)]
#[test]
fn a_name_that_is_not_text_has_its_ending() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("not-utf8");
    let place = |ending: &[u8]| {
        let name = [b"x\xff\xfe".as_slice(), ending].concat();
        std::path::Path::new(&folder.path("")).join(std::ffi::OsStr::from_bytes(&name))
    };
    let cat = |path: &std::path::Path| {
        let run = command().args(["cat", "--jsonl"]).arg(path).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stdout).unwrap()
    };
    std::fs::write(place(b".csv"), "a,b\n1,2\n").unwrap();
    std::fs::write(place(b".tsv"), "a\tb\n1\t2\n").unwrap();
    std::fs::write(place(b".jsonl"), "{\"a\":1,\"b\":2}\n").unwrap();
    let mut packed = Packed::new(Vec::new(), Compression::Gzip).unwrap();
    packed.write_all(b"a\tb\n1\t2\n").unwrap();
    std::fs::write(place(b".tsv.gz"), packed.finish().unwrap()).unwrap();
    for ending in [&b".csv"[..], b".tsv", b".jsonl", b".tsv.gz"] {
        assert_eq!(cat(&place(ending)), "{\"a\":1,\"b\":2}\n", "{}", String::from_utf8_lossy(ending));
    }
    for ending in [&b".tsv"[..], b".npy", b".jsonl"] {
        let out = place(ending);
        let _ = std::fs::remove_file(&out);
        let run = command().arg("convert").arg(place(b".csv")).arg(&out).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        assert_eq!(cat(&out), "{\"a\":1,\"b\":2}\n");
    }
}

/// Signals at any moment, most of them while the array takes its place.
#[cfg(unix)]
#[test]
fn an_array_whose_writing_is_stopped_is_whole_or_absent() {
    let folder = Folder::on_disk("stopped-array");
    let rows = (0..3_000).map(|n| format!("{n},{}\n", n * 7)).collect::<String>();
    let table = folder.file("t.csv", format!("a,b\n{rows}").as_bytes());
    let array = folder.path("x.tdb");
    let convert = || {
        command().args(["convert", &table, &array, "--to", "tiledb"]).stderr(Stdio::null()).spawn().unwrap()
    };
    let begun = std::time::Instant::now();
    assert!(convert().wait().unwrap().success());
    let once = begun.elapsed();
    for n in 0..40_u32 {
        let _ = std::fs::remove_dir_all(&array);
        let mut child = convert();
        // the name is given when nearly all is done
        std::thread::sleep(once.mul_f64(0.5 + 0.6 * f64::from(n) / 40.0));
        let id = child.id().to_string();
        std::process::Command::new("kill").args(["-TERM", &id]).stderr(Stdio::null()).status().unwrap();
        let status = child.wait().unwrap().code();
        assert!(matches!(status, Some(0 | 143)) || status.is_none(), "{status:?}");
        let path = std::path::Path::new(&array);
        assert_eq!(path.is_dir(), path.symlink_metadata().is_ok(), "{n}: a file is in its place");
        if path.is_dir() {
            run(&["check", &array]).ok();
        }
        if status.is_some() {
            assert_eq!(folder.names().len(), 1 + usize::from(path.is_dir()), "{:?}", folder.names());
        }
    }
}

#[test]
fn what_cannot_be_written_is_named() {
    if !std::path::Path::new("/dev/full").exists() {
        return;
    }
    for to in ["csv", "json", "scidb"] {
        let run = scidb(&["convert", &flat(), "/dev/full", "--to", to], FLAT).fails(1);
        assert_eq!(run.err, "error: /dev/full: cannot write: no space left on device\n");
    }
    let full = "error: /dev/full: cannot write: no space left on device\n";
    assert_eq!(run(&["make", "futhark", "/dev/full", "--generate", "[100000]f64"]).fails(1).err, full);
    // nothing is damaged that could be recovered
    let folder = Folder::new("output-full-sdds");
    let header = "SDDS1\n&column name=x, type=long, &end\n&data mode=ascii, &end\n";
    let pages = folder.file("pages.sdds", (header.to_owned() + &"1\n7\n".repeat(30_000)).as_bytes());
    assert_eq!(run(&["convert", &pages, "/dev/full", "--to", "sdds"]).fails(1).err, full);
    let flat = flat();
    let cat = ["cat", &flat, "--format", "scidb", "--schema", FLAT];
    // the metadata of its fragments is where the buffer is full
    let array = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/tiledb/s2_f32");
    for words in [
        &cat[..],
        &["dump", array],
        &["--help"],
        &["cat", "--help"],
        &["--version"],
        &["completions", "bash"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = crate::support::command().args(words).stdout(full).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said, "error: standard output: cannot write: no space left on device\n", "{words:?}");
        assert_eq!(output.status.code(), Some(1), "{words:?}");
    }
}

#[test]
fn an_ending_that_means_nothing_here_is_no_load_file() {
    let folder = Folder::on_disk("endings");
    let refused = scidb(&["convert", &flat(), &folder.path("x.yaml")], FLAT).fails(2);
    assert!(refused.err.contains(".yaml") && refused.err.contains("--to"), "{}", refused.err);
    assert!(refused.err.contains(".json") && refused.err.contains(".scidb"), "{}", refused.err);
    assert_eq!(folder.names(), Vec::<String>::new());
    let odd = folder.file("x.odd", &std::fs::read(flat()).unwrap());
    for to in [folder.path("y.odd"), folder.path("none"), folder.path("y.scidb"), folder.path("y.bin")] {
        scidb(&["convert", &odd, &to], FLAT).ok();
        assert_eq!(std::fs::read(to).unwrap(), std::fs::read(flat()).unwrap());
    }
    scidb(&["convert", &flat(), &folder.path("x.yaml"), "--to", "json"], FLAT).ok();
}

#[cfg(target_os = "linux")]
#[test]
fn the_file_of_standard_output_is_not_replaced() {
    use std::io::Write;
    let folder = Folder::on_disk("stdout");
    let path = folder.file("all", b"before\n");
    let mut file = std::fs::File::options().append(true).open(&path).unwrap();
    let line = ["convert", &flat(), "/dev/stdout", "--to", "csv", "--format", "scidb", "--schema", FLAT];
    let done = crate::support::command().args(line).stdout(file.try_clone().unwrap()).status().unwrap();
    assert!(done.success());
    file.write_all(b"after\n").unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("before\na,b,c,d\n") && text.ends_with("after\n"), "{text}");
}

#[cfg(unix)]
#[test]
fn names_of_files_do_not_drive_the_terminal() {
    let folder = Folder::on_disk("names");
    let odd = folder.file("\x1b[31mred\nline", &std::fs::read(flat()).unwrap());
    let run = scidb(&["check", &odd], FLAT).ok();
    assert!(
        run.text().lines().count() == 1
            && !run.text().contains('\x1b')
            && run.text().contains("\\x1b[31mred\\nline: ok ("),
        "{}",
        run.text()
    );
}

#[test]
fn the_colour_of_help_and_of_mistakes_can_be_chosen() {
    assert!(run(&["--color", "always", "--help"]).text().contains('\x1b'));
    assert!(run(&["--color=always", "cat", "--fromat"]).err.contains('\x1b'));
    let words = ["--color", "never", "cat", "--fromat"];
    let output = crate::support::command().env("CLICOLOR_FORCE", "1").args(words).output().unwrap();
    assert!(!output.stderr.contains(&0x1b));
}

/// The last of many values does not fit: the fragments before it go.
#[test]
fn an_append_that_fails_leaves_the_array_as_it_was() {
    let folder = Folder::on_disk("failed-append");
    let layout = folder.file("x.layout", b"record, le\n  x: f64\n  is_good: bool\n");
    let few = folder.file("few.bin", &[1; 27]);
    let mut bytes = vec![0; 1_100_000 * 9];
    bytes.extend([7; 9]);
    let many = folder.file("many.bin", &bytes);
    let array = folder.path("a.tdb");
    run(&["convert", &few, &array, "--layout", &layout]).noted("is_good");
    let names = || std::fs::read_dir(&array).unwrap().count();
    let before = names();
    let done = run(&["convert", &many, &array, "--layout", &layout, "--append"]);
    assert!(done.status == 1 && done.err.contains("[1100000].is_good at byte"), "{done:?}");
    assert_eq!(names(), before);
}

#[cfg(unix)]
fn names_in(folder: &str) -> Vec<std::ffi::OsString> {
    let mut names: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

/// Runs the command, and stops it as Ctrl-C does when something is there.
#[cfg(unix)]
#[track_caller]
fn stopped_when(is_there: impl Fn() -> bool, words: &[&str]) {
    let mut child = command().args(words).spawn().unwrap();
    let waited = (0..6000).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        is_there()
    });
    assert!(waited, "no fragment is written");
    let stopped = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(stopped.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// Who stops the command while it appends finds the array as it was: without the fragments that were complete, too.
#[cfg(unix)]
#[test]
fn who_stops_an_append_finds_the_array_as_it_was() {
    let folder = Folder::on_disk("stopped-append");
    let layout = folder.file("x.layout", b"record, le\n  x: f64\n");
    let rows = |n: u32| (0..n).flat_map(|n| f64::from(n).sqrt().to_le_bytes()).collect::<Vec<u8>>();
    let (few, many) = (folder.file("few.bin", &rows(3)), folder.file("many.bin", &rows(6_000_000)));
    let array = folder.path("a.tdb");
    run(&["convert", &few, &array, "--layout", &layout]).ok();
    let before = names_in(&array);
    // a fragment is complete when its metadata are there, and many are to come
    let is_complete = || {
        names_in(&array)
            .iter()
            .filter(|name| !before.contains(name))
            .any(|name| std::path::Path::new(&array).join(name).join("__fragment_metadata.tdb").exists())
    };
    stopped_when(is_complete, &["convert", &many, &array, "--layout", &layout, "--append"]);
    assert_eq!(names_in(&array), before);
    assert_eq!(run(&["cat", "--csv", &array, "--columns", "row"]).ok().text(), "row\n0\n1\n2\n");
}

/// Who stops the command while it puts fragments together finds those that were there, and no other.
#[cfg(unix)]
#[test]
fn who_stops_a_consolidation_finds_the_array_as_it_was() {
    let folder = Folder::on_disk("stopped-consolidation");
    let layout = folder.file("x.layout", b"record, le\n  x: f64\n");
    let rows = (0..2_000_000).flat_map(|n| f64::from(n).sqrt().to_le_bytes()).collect::<Vec<u8>>();
    let (rows, array) = (folder.file("rows.bin", &rows), folder.path("a.tdb"));
    run(&["convert", &rows, &array, "--layout", &layout]).ok();
    run(&["convert", &rows, &array, "--layout", &layout, "--append"]).ok();
    let before = names_in(&array);
    stopped_when(|| names_in(&array).len() > before.len(), &["consolidate", &array]);
    assert_eq!(names_in(&array), before);
    run(&["consolidate", &array]).ok();
    assert_eq!(names_in(&array).len(), before.len() + 1);
}
