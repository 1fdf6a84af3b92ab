//! The annotated dump: every byte once, at its place, with a name.

use crate::support::{FLAT, Folder, cases, data, run, run_with, scidb};

/// The offset and the bytes of each row.
fn rows(text: &str) -> Vec<(usize, Vec<u8>)> {
    let row = |line: &str| {
        let offset = usize::from_str_radix(line.strip_prefix("0x")?.get(..8)?, 16).ok()?;
        let hex = line.get(12..59)?;
        let bytes = hex.split_whitespace().map(|b| u8::from_str_radix(b, 16).ok()).collect::<Option<_>>()?;
        Some((offset, bytes))
    };
    text.lines().filter_map(row).collect()
}

#[test]
fn every_byte_of_every_file_is_explained_once() {
    for case in cases(false) {
        let run = scidb(&["dump", &case.path], case.format()).ok();
        let text = run.text();
        assert!(!text.contains("not named"), "{}: {text}", case.name);
        let mut at = 0;
        for (offset, bytes) in rows(text) {
            // long values are shortened, so rows may leave out bytes
            assert!(offset == at || (text.contains("… ") && offset > at), "{}: {offset:#x}", case.name);
            assert_eq!(bytes, &case.bytes[offset..offset + bytes.len()], "{}", case.name);
            at = offset + bytes.len();
        }
        assert!(at == case.bytes.len() || text.contains("… "), "{}: only {at:#x} bytes", case.name);
    }
}

#[test]
fn each_of_the_35_bytes() {
    let run = scidb(&["dump", &data("seed_flat_35/input.bin")], FLAT).ok();
    let text = run.text();
    assert_eq!(rows(text).iter().map(|(_, bytes)| bytes.len()).sum::<usize>(), 35);
    for words in [
        "[0].a: 1",
        "[0].b (presence): 0xff, present",
        "[0].b: 10",
        "[0].c (presence): 0x00, missing with code 0",
        "[0].d (length): 3",
        "[0].d: \"xy\"",
        "[1].b (presence): 0x03, missing with code 3",
        "[1].c: \"c\"",
        "[1].d: \"def\"",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn damage_stands_at_its_place() {
    for case in cases(true) {
        let run = scidb(&["dump", &case.path], case.format()).fails(1);
        assert!(run.text().lines().last().unwrap().contains("error: "), "{}", run.text());
        assert!(run.err.contains(&format!("{}: [", case.path)) && run.err.contains("at byte"), "{}", run.err);
    }
}

#[test]
fn a_part_and_an_overview() {
    let flat = data("seed_flat_35/input.bin");
    let part = scidb(&["dump", &flat, "--range", "0x14..25"], FLAT).ok();
    assert_eq!(rows(part.text()).iter().map(|r| r.0).collect::<Vec<_>>(), [20, 21]);
    let whole = scidb(&["dump", &flat, "--depth", "0"], FLAT).ok();
    assert_eq!(rows(whole.text()).iter().map(|r| r.0).collect::<Vec<_>>(), [0, 16, 32]);
    let nothing = scidb(&["dump", &flat, "--range", "1000.."], FLAT);
    let nothing = nothing.noted("--range 1000.. begins after the end: the file has 35 bytes");
    assert_eq!(nothing.text(), "");
}

#[test]
fn cells_of_any_size_before_the_window_are_stepped_over() {
    let folder = Folder::new("stepped");
    // numbers up to 9999 as texts: more than one batch, and then a cell that is cut
    let cell =
        |n: u32| [&(n.to_string().len() as u32 + 1).to_le_bytes(), n.to_string().as_bytes(), b"\0"].concat();
    let mut bytes: Vec<u8> = (0..10_000).flat_map(cell).collect();
    let all = bytes.len();
    bytes.extend(b"\x09\0\0\0cut");
    let file = folder.file("n.bin", &bytes);
    let last = scidb(&["dump", &file, "--range", &format!("{}..{all}", all - 9)], "(string)").ok();
    assert!(last.text().contains("[9999].a: \"9999\"") && !last.text().contains("9998"), "{}", last.text());
    let middle = scidb(&["dump", &file, "--range", "30000..30009"], "(string)").ok();
    let piped = run_with(
        &["dump", "-", "--range", "30000..30009", "--format", "scidb", "--schema", "(string)"],
        &bytes,
    );
    assert_eq!(middle.text(), piped.ok().text());
    let damage = scidb(&["dump", &file, "--range", &format!("{all}..")], "(string)").fails(1);
    let place = format!("[10000].a at byte {all} ({all:#x})");
    assert!(damage.err.contains(&place), "{}", damage.err);
}

#[test]
fn places_are_right_where_the_file_was_sought_into() {
    let folder = Folder::new("sought");
    let bytes: Vec<u8> = (0..100_u8).collect();
    let file = folder.file("n.bin", &bytes[..99]);
    let line = "0x0000000c  0c 0d";
    let part = scidb(&["dump", &file, "--range", "13..14"], "(uint16, uint16)").ok();
    assert!(part.text().starts_with(line) && part.text().contains("[3].a: 3340"), "{}", part.text());
    let piped = run_with(
        &["dump", "-", "--range", "13..14", "--format", "scidb", "--schema", "(uint16, uint16)"],
        &bytes,
    );
    assert_eq!(piped.ok().out, part.out);
    let end = scidb(&["dump", &file, "--range", "97.."], "(uint16, uint16)").fails(1);
    assert!(end.err.contains("[24].b at byte 98 (0x62)"), "{}", end.err);
}

#[test]
fn parts_are_lines_of_json() {
    let folder = Folder::new("dump-jsonl");
    let layout = folder.file("x.layout", b"Row: record, le\n  n: u16\n  name: text, length_prefixed(u8)\n");
    let file = folder.file("x.bin", b"\x07\0\x02ab\x08\0\x01c");
    let lines = |words: &[&str]| -> Vec<serde_json::Value> {
        let done = run(&[&["dump", "--jsonl", &file, "--layout", &layout][..], words].concat()).ok();
        done.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let all = lines(&[]);
    let of = |path: &str| all.iter().find(|part| part["path"] == path).unwrap().clone();
    assert_eq!(
        (&of("[1].n")["start"], &of("[1].n")["end"], &of("[1].n")["value"]),
        (&5.into(), &7.into(), &"8".into())
    );
    assert_eq!(of("[0].n")["type"], "u16 le");
    assert!(lines(&["--range", "5.."]).iter().all(|part| part["end"].as_u64() >= Some(5)));
    let done = run(&["convert", &file, &folder.path("x.parquet"), "--layout", &layout]);
    assert!(done.status == 0 || done.err.contains("cargo feature `arrow`"), "{}", done.err);
}

/// The same digits as in JSON, with an exponent where that has one.
#[test]
fn numbers_far_from_one_have_an_exponent() {
    let folder = Folder::new("dump-exponents");
    let layout = folder.file("x.layout", b"record, le\n  x: f64\n  y: f32\n");
    let numbers = [(1e300, 1e30), (1e-300, 1.5e-9), (1e16, 1e13), (123_456.75, 1e-4), (-5e-324, -1e38)];
    let row = |(x, y): (f64, f32)| [&x.to_le_bytes()[..], &y.to_le_bytes()].concat();
    let file = folder.file("x.bin", &numbers.map(row).concat());
    let json = run(&["cat", "--jsonl", &file, "--layout", &layout]).ok();
    let dump = run(&["dump", &file, "--layout", &layout]).ok();
    let shown: Vec<&str> =
        dump.text().lines().filter_map(|line| line.split([' ', ':']).rev().nth(2)).collect();
    assert_eq!(shown[..2], ["1e+300", "1e+30"]);
    for (line, pair) in json.text().lines().zip(shown.chunks(2)) {
        assert_eq!(line, format!("{{\"x\":{},\"y\":{}}}", pair[0], pair[1]));
    }
    for text in ["1e300", "1e-300", "-5e-324"] {
        let found = run(&["find", text, &file, "--layout", &layout]).ok();
        assert!(found.text().ends_with(&format!(".x: {}\n", text.replace("1e3", "1e+3"))), "{found:?}");
    }
    let found = run(&["find", "1e300", &folder.file("x.csv", b"x\n1e300\n0.5\n")]).ok();
    assert!(found.text().ends_with("x: 1e+300\n"), "{found:?}");
}
