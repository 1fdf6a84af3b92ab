//! Compressed files of every format: recognised by their content, read as what they become, up to a limit.

use crate::support::{FLAT, Folder, Run, data, run, run_bounded, run_with, scidb};
use binfmt::formats::sdds::{Compression, Packed};
use std::io::Write;

const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests");

pub(crate) fn packed(bytes: &[u8], how: Compression) -> Vec<u8> {
    let mut packed = Packed::new(Vec::new(), how).unwrap();
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// A file of each format that consists of bytes, with the options that it needs.
fn files() -> Vec<(String, Vec<String>)> {
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let prefix = format!("{TESTS}/support/beat_prefix");
    vec![
        (data("seed_flat_35/input.bin"), words(&["--format", "scidb", "--schema", FLAT])),
        (data("t_int64/input.bin"), words(&["--format", "scidb", "--schema", "(int64)"])),
        (format!("{TESTS}/data/beat/file_ints/input.data"), words(&["--prefix", &prefix])),
        (
            format!("{TESTS}/data/beat/box/input.bin"),
            words(&["--format", "beat", "--schema", "user/box/1", "--prefix", &prefix]),
        ),
        (format!("{TESTS}/data/futhark/mixed_1/input.in"), words(&["--format", "futhark"])),
        (format!("{TESTS}/../examples/data/twiss.sdds"), Vec::new()),
    ]
}

/// What a run has shown, without the name of the file.
fn shown(run: Run, path: &str) -> (i32, String, String) {
    (run.status, run.text().replace(path, "FILE"), run.err.replace(path, "FILE"))
}

#[test]
fn a_compressed_file_is_read_as_what_it_becomes() {
    let folder = Folder::new("packed");
    for (path, options) in files() {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let bytes = std::fs::read(&path).unwrap();
        for how in [Compression::Gzip, Compression::Xz] {
            let small = packed(&bytes, how);
            // the name says nothing
            let file = folder.file("small", &small);
            for command in
                [&["cat", "--json"][..], &["cat", "--csv"], &["cat"], &["cat", "--table"], &["dump"]]
            {
                let expected = shown(run(&[command, &[path.as_str()], &options].concat()), &path);
                let found = shown(run(&[command, &[file.as_str()], &options].concat()), &file);
                assert_eq!(found, expected, "{command:?} {path} {how:?}");
                let piped = shown(run_with(&[command, &["-"], &options].concat(), &small), "standard input");
                assert_eq!(piped, expected, "{command:?} - {path} {how:?}");
            }
            let check = run(&[&["check", &file][..], &options].concat()).ok();
            assert!(check.text().contains(": ok ("), "{}", check.text());
            let inspect = run(&[&["inspect", "--json", &file][..], &options].concat()).ok();
            let expected = if how == Compression::Gzip { "gzip" } else { "xz" };
            assert_eq!(inspect.json()["compression"], expected, "{path}");
            let anew = folder.path("anew");
            let _ = std::fs::remove_file(&anew);
            run(&[&["convert", &file, &anew][..], &options].concat()).ok();
            let plain = folder.path("plain");
            let _ = std::fs::remove_file(&plain);
            run(&[&["convert", &path, &plain][..], &options].concat()).ok();
            assert_eq!(std::fs::read(&anew).unwrap(), std::fs::read(&plain).unwrap(), "{path}");
        }
    }
}

/// Cut anywhere, a compressed file is an error, in every command and whatever is said to be in it.
#[test]
fn a_compressed_file_that_is_cut_ends_every_command() {
    let folder = Folder::new("packed-cut");
    let sdds = std::fs::read(format!("{TESTS}/../examples/data/twiss.sdds")).unwrap();
    // an xz file as other programs make it: one chunk, which must be whole before anything of it comes
    let xz = [
        0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 1, 0x69, 0x22, 0xde, 0x36, 2, 0, 0x21, 1, 0x12, 0, 0, 0, 0x23,
        0xb8, 0x87, 0x2c, 0xe0, 7, 0x22, 0, 0x40,
    ];
    let gz = packed(&sdds, Compression::Gzip);
    let mut files: Vec<&[u8]> = (13..=xz.len()).map(|n| &xz[..n]).collect();
    files.extend([14, 30, gz.len() / 2, gz.len() - 1].map(|n| &gz[..n]));
    let ours = packed(&sdds, Compression::Xz);
    files.extend([26, 27, 28, 60, ours.len() - 1].map(|n| &ours[..n]));
    for bytes in files {
        let file = folder.file("c.bin", bytes);
        let out = folder.path("out.npy");
        for words in [
            &["dump"][..],
            &["dump", "--json"],
            &["dump", "--html"],
            &["dump", "--depth", "1"],
            &["find", "1"],
            &["find", "--bytes", "00"],
            &["cat"],
            &["cat", "--jsonl"],
            &["cat", "--rows", "3..5"],
            &["check"],
            &["inspect"],
            &["stats"],
        ] {
            for format in ["sdds", "csv"] {
                let place = if words[0] == "find" { words.len() } else { 1 };
                let words = [&words[..place], &[&file], &words[place..], &["--format", format]].concat();
                let run = run_bounded(&words, 20, 1 << 20);
                assert!(
                    run.status <= 2 && !run.err.contains("panicked"),
                    "{words:?} {}: {run:?}",
                    bytes.len()
                );
            }
        }
        let run = run_bounded(&["convert", &file, &out, "--format", "sdds"], 20, 1 << 20);
        assert!(run.status == 1 && !run.err.contains("panicked"), "{}: {run:?}", bytes.len());
    }
}

#[test]
fn rows_and_bytes_in_the_middle_are_those_of_the_file_within() {
    let folder = Folder::new("middle");
    let bytes: Vec<u8> = (0..50_000_u64).flat_map(u64::to_le_bytes).collect();
    let file = folder.file("x.gz", &packed(&bytes, Compression::Gzip));
    let rows = scidb(&["cat", "--rows", "40000..40002", &file], "(uint64)").ok();
    assert_eq!(rows.text(), "a\n40000\n40001\n");
    let dump = scidb(&["dump", "--range", "0x40000..0x40008", &file], "(uint64)").ok();
    assert!(
        dump.text().starts_with("0x00040000") && dump.text().contains("[32768].a: 32768"),
        "{}",
        dump.text()
    );
    let inspect = scidb(&["inspect", &file], "(uint64)").ok();
    assert!(inspect.text().contains("Cells           50000\n"), "{}", inspect.text());
}

#[test]
fn documents_may_be_compressed_too() {
    let folder = Folder::new("documents");
    let json = scidb(&["cat", "--json", &data("seed_flat_35/input.bin")], FLAT).ok();
    let file = folder.file("x.json.gz", &packed(&json.out, Compression::Gzip));
    run(&["convert", &file, &folder.path("x.bin")]).ok();
    let expected = std::fs::read(data("seed_flat_35/input.bin")).unwrap();
    assert_eq!(std::fs::read(folder.path("x.bin")).unwrap(), expected);
    let piped = run_with(&["convert", "-", "-"], &packed(&json.out, Compression::Xz)).ok();
    assert_eq!(piped.out, expected);
}

#[test]
fn what_a_file_may_become_has_a_limit() {
    let folder = Folder::new("bomb");
    for (path, options) in files() {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        let bytes = std::fs::read(&path).unwrap();
        let file = folder.file("x.gz", &packed(&bytes, Compression::Gzip));
        let all = bytes.len().to_string();
        run(&[&["check", &file, "--max-unpacked", &all][..], &options].concat()).ok();
        let less = (bytes.len() - 1).to_string();
        for command in [&["check"][..], &["cat"], &["cat", "--json"], &["inspect"], &["dump"]] {
            let words = [command, &[&file, "--max-unpacked", &less], &options].concat();
            let refused = run(&words).fails(1);
            let text = format!(
                "decompresses to more than the limit of {less} bytes\n  tip: --max-unpacked allows more\n"
            );
            assert!(refused.err.ends_with(&text), "{words:?}: {}", refused.err);
            assert!(refused.err.starts_with(&format!("error: {file}: ")), "{words:?}: {}", refused.err);
        }
        // a plain file is as large as it is
        run(&[&["check", &path, "--max-unpacked", "1"][..], &options].concat()).ok();
    }
}

#[test]
fn damage_inside_is_told_with_its_place() {
    let folder = Folder::new("inside");
    let bytes = std::fs::read(data("cut_second_attr/input.bin")).unwrap();
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(data("cut_second_attr/content.json")).unwrap())
            .unwrap();
    let schema = json["format"].as_str().unwrap();
    let file = folder.file("x.gz", &packed(&bytes, Compression::Gzip));
    let run = scidb(&["check", &file], schema).fails(1);
    assert!(run.err.contains("[1].b at byte 4 (0x4)"), "{}", run.err);
    // and that of the compressed file itself
    let whole = packed(&bytes.repeat(100), Compression::Gzip);
    let cut = folder.file("cut.gz", &whole[..whole.len() - 5]);
    scidb(&["check", &cut], "(int8)").fails(1);
}

#[test]
fn memory_for_one_value_has_a_limit_that_can_be_said() {
    let folder = Folder::new("memory");
    let string = [&1001_u32.to_le_bytes()[..], &[b'x'; 1000], b"\0"].concat();
    let cells = folder.file("cells", &string);
    // one row, which a table holds as a whole
    let futhark = folder.file("x.in", b"b\x02\x02  i8\x01\0\0\0\0\0\0\0\xe8\x03\0\0\0\0\0\0");
    let mut bytes = std::fs::read(&futhark).unwrap();
    bytes.extend_from_slice(&[1; 1000]);
    std::fs::write(&futhark, bytes).unwrap();
    let header = "SDDS1\n&column name=c, type=string, &end\n&data mode=binary, endian=little, &end\n";
    let page = [header.as_bytes(), &1_u32.to_le_bytes(), &1000_u32.to_le_bytes(), &[b'x'; 1000]].concat();
    let sdds = folder.file("x.sdds", &page);
    let object = [&1000_u64.to_le_bytes()[..], &[b'x'; 1000]].concat();
    let beat = folder.file("object", &object);
    let declared = ["--format", "beat", "--schema", r#"{"s":"string"}"#];
    let files: [(&str, &[&str]); 4] = [
        (&cells, &["--format", "scidb", "--schema", "(string)"]),
        (&futhark, &[]),
        (&sdds, &[]),
        (&beat, &declared),
    ];
    for (path, options) in files {
        run(&[&["cat", "--json", path, "--max-memory", "64K"][..], options].concat()).ok();
        for command in [&["cat", "--json"][..], &["cat", "--table"]] {
            let refused = run(&[command, &[path, "--max-memory", "500"], options].concat()).fails(1);
            assert!(refused.err.contains("memory needed, the limit leaves"), "{path}: {}", refused.err);
            assert!(refused.err.ends_with("tip: --max-memory allows more\n"), "{path}: {}", refused.err);
        }
    }
    let array = format!("{TESTS}/data/tiledb/s2_f32");
    run(&["cat", "--json", &array, "--max-memory", "1M"]).ok();
    let refused = run(&["cat", "--json", &array, "--max-memory", "10"]).fails(1);
    assert!(refused.err.contains("exceeds the limit of 10"), "{}", refused.err);
    assert!(run(&["cat", &cells, "--max-memory", "1X"]).fails(2).err.contains("K, M, G or T"));
}

#[test]
fn a_name_does_not_promise_what_is_not_written() {
    let folder = Folder::new("promised");
    let json = scidb(&["cat", "--json", &data("seed_flat_35/input.bin")], FLAT).ok();
    let json = folder.file("x.json", &json.out);
    let sdds = format!("{TESTS}/../examples/data/twiss.sdds");
    let out = folder.path("y.gz");
    for words in [&["convert", &json, &out][..], &["convert", &sdds, &out, "--to", "csv"]] {
        let refused = run(words).fails(2);
        assert!(refused.err.contains("what is written is not compressed"), "{}", refused.err);
    }
    run(&["convert", &sdds, &out]).ok();
    assert!(std::fs::read(&out).unwrap().starts_with(&[0x1f, 0x8b]));
}

#[test]
fn zst_is_read() {
    let folder = Folder::new("compressed-zst");
    // a frame of one block that is stored as it is
    let frame = |text: &[u8]| {
        let len = text.len() as u8;
        [&b"\x28\xb5\x2f\xfd\x20"[..], &[len, (len << 3) | 1, 0, 0], text].concat()
    };
    let file = folder.file("a.csv.zst", &[frame(b"n\n1\n2\n"), frame(b"3\n")].concat());
    assert_eq!(run(&["cat", "--csv", &file]).ok().text(), "n\n1\n2\n3\n");
    let piped = run_with(&["cat", "-", "--csv", "--format", "csv"], &frame(b"n\n7\n")).ok();
    assert_eq!(piped.text(), "n\n7\n");
    let cut = folder.file("b.csv.zst", &frame(b"n\n1\n2\n")[..12]);
    assert_eq!(run(&["cat", "--csv", &cut]).fails(1).out, b"");
    let e = run(&["convert", &file, &folder.path("c.sdds.zst"), "--to", "sdds"]).fails(2).err;
    assert!(e.contains(".zst is only read"), "{e}");
    let e = run(&["convert", &file, &folder.path("c.csv.zst")]).fails(2).err;
    assert!(e.contains("what is written is not compressed"), "{e}");
}

#[test]
fn the_bytes_within_are_counted() {
    let folder = Folder::new("compressed-bytes");
    let rows = b"x\n1\n2\n";
    let file = folder.file("x.csv.gz", &packed(rows, Compression::Gzip));
    let said = |run: Run| run.ok().text().rsplit_once(": ").unwrap().1.to_owned();
    assert_eq!(said(run(&["check", &file])), "ok (2 rows, 6 bytes)\n");
    assert_eq!(said(run_with(&["check", "-", "--format", "csv"], rows)), "ok (2 rows, 6 bytes)\n");
}
