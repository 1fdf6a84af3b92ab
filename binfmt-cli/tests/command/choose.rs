//! Rows that are chosen: by conditions, from the end, by chance, of several files as one.

use crate::support::{Folder, run, run_with};

/// A layout and a file of 100 rows: `n`, `x` (missing at 3, 13, ..), and a name of seven.
fn rows(folder: &Folder) -> [String; 2] {
    let layout = folder.file(
        "x.layout",
        b"Row: record, le\n  n: u16\n  x: f32, nullable\n  name: text, length_prefixed(u8)\n",
    );
    [folder.file("x.bin", &bytes(0..100)), layout]
}

fn bytes(rows: std::ops::Range<u16>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for n in rows {
        bytes.extend(n.to_le_bytes());
        bytes.push(if n % 10 == 3 { 7 } else { 255 });
        bytes.extend((if n % 10 == 3 { 0.0 } else { f32::from(n) / 4.0 }).to_le_bytes());
        bytes.push(2);
        bytes.extend(format!("Q{}", n % 7).as_bytes());
    }
    bytes
}

#[test]
fn a_condition_chooses_rows_in_every_form() {
    let folder = Folder::new("choose-where");
    let [file, layout] = rows(&folder);
    let cat = |words: &[&str]| run(&[&["cat", &file, "--layout", &layout][..], words].concat());
    let found = |condition: &str| {
        let out = cat(&["--csv", "--no-header", "--columns", "n", "--where", condition]).ok();
        out.text().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(found("n >= 97"), ["97", "98", "99"]);
    assert_eq!(found("x > 24 and name = 'Q0'"), ["98"]);
    assert_eq!(found("x is missing and n < 20"), ["3", "13"]);
    assert_eq!(found("not (n > 1 or x > 0.1)"), ["0"]);
    assert_eq!(cat(&["--where", "n = 3"]).ok().text(), "n\tx\tname\n3\t\\N\tQ3\n");
    assert_eq!(cat(&["--where", "n = 3", "--table"]).ok().text(), "n        x  name\n3  null(7)  Q3\n");
    let line = "{\"n\":99,\"x\":24.75,\"name\":\"Q1\"}\n";
    assert_eq!(cat(&["--jsonl", "--where", "n > 98"]).ok().text(), line);
    // rows are counted among those that match
    assert_eq!(cat(&["--jsonl", "--where", "n % 3 = 0", "--rows", "-1.."]).ok().text(), line);
    assert_eq!(
        cat(&["--csv", "--columns", "n", "--where", "n > 50", "--rows", "1..3"]).ok().text(),
        "n\n52\n53\n"
    );
    let none = cat(&["--where", "n > 100"]);
    assert_eq!((none.status, none.text()), (0, "n\tx\tname\n"));
    assert!(none.err.contains("is true of no row"), "{}", none.err);
    // a stream is as good
    let piped = run_with(&["cat", "-", "--layout", &layout, "--where", "n = 3"], &bytes(0..10)).ok();
    assert_eq!(piped.text(), "n\tx\tname\n3\t\\N\tQ3\n");
    // written forms, too
    let out = folder.path("x.jsonl");
    run(&["convert", &file, &out, "--layout", &layout, "--where", "n > 98"]).ok();
    assert_eq!(std::fs::read_to_string(&out).unwrap(), line);
    let out = folder.path("x.csv");
    run(&["convert", &file, &out, "--layout", &layout, "--rows", "-2..-1"]).ok();
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "n,x,name\n98,24.5,Q0\n");
    let out = folder.path("x.npy");
    run(&["convert", &file, &out, "--layout", &layout, "--where", "name = 'Q3'", "--columns", "n"]).ok();
    assert_eq!(run(&["inspect", "--json", &out]).ok().json()["rows"], 14);
}

#[test]
fn conditions_that_are_wrong_say_why() {
    let folder = Folder::new("choose-wrong");
    let [file, layout] = rows(&folder);
    let fails = |condition: &str, status| {
        let words = ["cat", &file, "--layout", &layout, "--where", condition];
        run(&words).fails(status).err
    };
    let e = fails("m > 1 and nmae = 'x'", 2);
    assert!(e.contains("--where: unknown column `m`"), "{e}");
    let csv = folder.file("odd.csv", b"c-d,f:g\n1,2\n");
    for condition in ["c-d > 0", "f:g = 2"] {
        let (name, e) = (&condition[..3], run(&["cat", &csv, "--where", condition]).fails(2).err);
        assert!(e.contains(&format!("tip: the name `{name}` is written with the backquotes there")), "{e}");
    }
    assert_eq!(run(&["cat", &csv, "--where", "`c-d` = 1 and `f:g` = 2"]).ok().text(), "c-d\tf:g\n1\t2\n");
    let e = fails("nam = 'x'", 2);
    assert!(e.contains("did you mean `name`?"), "{e}");
    let e = fails("n >", 2);
    assert!(e.contains("`n >` is not a condition: something is missing at the end"), "{e}");
    let e = fails("name > 5", 2);
    assert!(e.contains("--where: `name > 5` cannot be computed: text is not a number"), "{e}");
    let e = fails("1 / n > 0", 1);
    assert!(e.contains("x.bin: [0]: `1 / n > 0` cannot be computed: this divides by 0"), "{e}");
    // rows that a part of the condition leaves out are counted, too
    let e = fails("n > 50 and 1 / (n - 60) = 0", 1);
    assert!(e.contains("x.bin: [60]: `n > 50"), "{e}");
    let e = fails("x > 20 and 1 / (n - 90) = 0 and n % 2 = 0", 1);
    assert!(e.contains("x.bin: [90]: `x > 20"), "{e}");
    let words = ["--format", "csv", "--where", "1 / (n - 2) = 0"];
    let piped = run_with(&[&["cat", "-"][..], &words].concat(), b"n\n5\n6\n2\n").fails(1);
    assert!(piped.err.contains("standard input: [2]: `1 / (n - 2) = 0`"), "{piped:?}");
    let summed = run_with(&[&["stats", "-"][..], &words].concat(), b"n\n2\n6\n2\n").fails(1);
    assert!(summed.err.contains("[0]: `1 / (n - 2) = 0`"), "{summed:?}");
    let e = run(&["cat", &file, "--layout", &layout, "--where", "n = 1", "--json"]).fails(2).err;
    assert!(e.contains("--jsonl"), "{e}");
    let e = run(&["cat", &file, "--layout", &layout, "--rows", "-1"]).fails(2).err;
    assert!(e.contains("did you mean -1.."), "{e}");
}

#[test]
fn rows_from_the_end_and_by_chance() {
    let folder = Folder::new("choose-end");
    let [file, layout] = rows(&folder);
    let found = |words: &[&str]| {
        let all = ["cat", &file, "--layout", &layout, "--csv", "--no-header", "--columns", "n"];
        let out = run(&[&all[..], words].concat()).ok();
        out.text().lines().map(|n| n.parse().unwrap()).collect::<Vec<u16>>()
    };
    assert_eq!(found(&["--rows", "-2.."]), [98, 99]);
    assert_eq!(found(&["--rows", "-2..-1"]), [98]);
    assert_eq!(found(&["--rows", "97..-1"]), [97, 98]);
    assert_eq!(found(&["--rows", "-1000..1"]), [0]);
    let some = found(&["--sample", "10"]);
    assert_eq!(some.len(), 10);
    assert!(some.is_sorted() && some != (0..10).collect::<Vec<_>>(), "{some:?}");
    assert_eq!(found(&["--sample", "10"]), some);
    assert_eq!(found(&["--sample", "1000"]).len(), 100);
    assert_eq!(found(&["--sample", "3", "--rows", "50..53"]), [50, 51, 52]);
    assert_eq!(found(&["--sample", "2", "--where", "n > 97"]), [98, 99]);
    // none are what was asked for: nothing is said about it
    let none = run(&["cat", &file, "--layout", &layout, "--csv", "--sample", "0", "--columns", "n"]).ok();
    assert_eq!((none.text(), none.err.as_str()), ("n\n", ""));
    for words in [&["--where", "n > 97"][..], &["--rows", "10.."]] {
        let none =
            run(&[&["cat", &file, "--layout", &layout, "--csv", "--sample", "0"], words].concat()).ok();
        assert_eq!((none.text().lines().count(), none.err.as_str()), (1, ""));
    }
}

#[test]
fn several_files_are_one_table() {
    let folder = Folder::new("choose-several");
    let [_, layout] = rows(&folder);
    let (a, b) = (folder.file("run1.bin", &bytes(0..3)), folder.file("run2.bin", &bytes(10..12)));
    folder.file("other.txt", b"");
    let pattern = folder.path("run*.bin");
    for files in [&[a.as_str(), &b][..], &[pattern.as_str()]] {
        let words = [&["cat"], files, &["--layout", &layout, "--csv", "--columns", "n"]].concat();
        assert_eq!(run(&words).ok().text(), "n\n0\n1\n2\n10\n11\n");
        let last = run(&[&words[..], &["--rows", "-3..", "--where", "n != 10"]].concat()).ok();
        assert_eq!(last.text(), "n\n1\n2\n11\n");
    }
    let check = run(&["check", &pattern, "--layout", &layout]).ok();
    assert_eq!(check.text().lines().count(), 2);
    let inspect = run(&["inspect", &pattern, "--layout", &layout]).ok();
    assert!(inspect.text().contains("run1.bin <==\n") && inspect.text().contains("run2.bin <==\n"));
    let json = run(&["inspect", "--json", &pattern, "--layout", &layout]).ok().json();
    assert_eq!(json[1]["file"], b.as_str());
    assert_eq!(json[1]["format"], json[0]["format"]);

    let e = run(&["cat", &folder.path("nothing*"), "--layout", &layout]).fails(1).err;
    assert!(e.contains("no file has a name like that"), "{e}");
    let e = run(&["cat", &a, &b, "--json", "--layout", &layout]).fails(2).err;
    assert!(e.contains("--jsonl"), "{e}");
    // the damage of one of them
    let cut = folder.file("run3.bin", &bytes(20..22)[..15]);
    let found = run(&["cat", &a, &cut, "--layout", &layout, "--csv", "--columns", "n"]).fails(1);
    assert_eq!(found.text(), "n\n0\n1\n2\n20\n");
    assert!(found.err.contains("run3.bin: [1]") && found.err.contains("at byte"), "{}", found.err);
    let inspect = run(&["inspect", &a, &folder.path("other.txt")]);
    assert_eq!(inspect.status, 2, "{}", inspect.err);
}

#[test]
fn what_is_chosen_in_vain_is_told_of_every_format_and_by_every_command() {
    let folder = Folder::new("choose-vain");
    let csv = folder.file("a.csv", b"n,x\n1,0.5\n2,1.5\n3,2.5\n");
    let sdds = folder.path("a.sdds");
    let npy = folder.path("a.npy");
    let array = folder.path("a.tdb");
    let beat = folder.path("a.0.2.data");
    for (out, more) in [
        (&sdds, &[][..]),
        (&npy, &[]),
        (&array, &["--to", "tiledb"]),
        (&beat, &["--to", "beat", "--dataformat", "user/a/1"]),
    ] {
        run(&[&["convert", &csv, out][..], more].concat());
    }
    let other = folder.file("b.csv", b"n,x\n1,0.5\n2,1.5\n3,2.5\n4,3.5\n");
    let declared = ["--schema", "{\"n\": \"int64\", \"x\": \"float64\"}"];
    for (file, more) in [(&csv, &[][..]), (&sdds, &[]), (&npy, &[]), (&array, &[]), (&beat, &declared)] {
        for rows in ["10..20", "-10..-8", "3.."] {
            let out = folder.path("out.npz");
            let commands: [&[&str]; 5] = [
                &["cat", file],
                &["cat", file, "--jsonl"],
                &["stats", file],
                &["convert", file, "-", "--to", "csv"],
                &["convert", file, &out],
            ];
            for command in commands {
                let command = [command, &["--rows", rows], more].concat();
                let done = run(&command);
                assert_eq!(done.status, 0, "{done:?}");
                let notes =
                    done.err.matches(&format!(": --rows {rows} chooses nothing that is there")).count();
                assert_eq!(notes, 1, "{command:?}: {}", done.err);
                assert!(
                    file == &sdds || done.err.contains(": there are 3 rows"),
                    "{command:?}: {}",
                    done.err
                );
            }
        }
        // of two files both are told
        let done = run(&[&["diff", file, &other, "--rows", "4.."], more].concat());
        assert_eq!(done.err.matches(": --rows 4.. chooses nothing that is there").count(), 2, "{done:?}");
        run(&[&["cat", file, "--rows", "1..1", "--csv"][..], more].concat()).ok();
        for rows in ["5..3", "-1..-5"] {
            let e = run(&[&["cat", file, "--rows", rows][..], more].concat()).fails(2).err;
            assert!(e.contains("it ends before it begins"), "{e}");
        }
    }
    let both =
        run(&["cat", "--csv", &csv, "--rows", "2..", "--where", "n < 3"]).noted("--rows 2.. choose nothing");
    assert!(
        both.err.contains("--where \"n < 3\" and --rows 2.. choose nothing that is there"),
        "{}",
        both.err
    );
    run(&["stats", &sdds, "--pages", "4.."])
        .noted("--pages 4.. chooses nothing that is there: the last page with rows is 0");
    let cat = [&["cat", "--csv", &beat][..], &declared].concat();
    let e = run(&[&cat[..], &["--start", "3", "--end", "1"]].concat()).fails(2).err;
    assert!(e.contains("--end 1 is before --start 3"), "{e}");
    for command in ["cat", "stats"] {
        let done = run(&[&[command, &beat, "--start", "5"][..], &declared].concat());
        done.noted("no chunk lies wholly within the indices from 5: those of the file are 0 to 2");
    }
    #[cfg(feature = "plot")]
    for (choice, told) in [
        (["--rows", "3.."], "a.csv: --rows 3.. chooses nothing that is there: there are 3 rows"),
        (["--where", "n > 9"], "a.csv: --where \"n > 9\" is true of no row"),
    ] {
        let plot = ["plot", &csv, "--x", "n", "--y", "x", "--output", "-"];
        run(&[&plot[..], &choice].concat()).noted(told);
    }
    run(&["dump", &csv, "--range", "100.."])
        .noted("--range 100.. begins after the end: the file has 22 bytes");
}

#[test]
fn files_of_other_columns_are_refused() {
    let folder = Folder::new("choose-mixed");
    let sdds = |name: &str, columns: &str, row: &str| {
        let text = format!("SDDS1\n{columns}&data mode=ascii &end\n1\n{row}\n");
        folder.file(name, text.as_bytes())
    };
    let column = |name: &str, ty: &str| format!("&column name={name}, type={ty} &end\n");
    let a = sdds("a.sdds", &(column("s", "double") + &column("k", "long")), "0.5 7");
    let b = sdds("b.sdds", &column("s", "double"), "0.5");
    let c = sdds("c.sdds", &(column("s", "double") + &column("k", "string")), "0.5 7");
    let d = sdds("d.sdds", &(column("s", "double") + &column("k", "double")), "0.5 7.5");
    let e = run(&["cat", &a, &b]).fails(1);
    assert!(e.err.contains("b.sdds: column `k` of") && e.err.contains("is missing"), "{}", e.err);
    assert!(e.out.is_empty());
    let e = run(&["cat", &a, &c]).fails(1);
    assert!(e.err.contains("c.sdds: column `k` is text, in"), "{}", e.err);
    // of two numbers the wider one
    assert_eq!(run(&["cat", "--csv", &a, &d]).ok().text(), "s,k\n0.5,7.0\n0.5,7.5\n");
    assert_eq!(run(&["cat", "--csv", &a, &a]).ok().text(), "s,k\n0.5,7\n0.5,7\n");
}

#[test]
fn the_limit_of_memory_holds_for_tables() {
    let folder = Folder::new("choose-memory");
    let long = "x".repeat(100_000);
    let csv = folder.file("a.csv", format!("n,t\n1,a\n2,{long}\n").as_bytes());
    let lines = folder.file("a.jsonl", format!("{{\"t\":\"a\"}}\n{{\"t\":\"{long}\"}}\n").as_bytes());
    let mut cells = vec![1, 0, 0, 0, 0];
    cells.extend(100_001u32.to_le_bytes());
    cells.extend(long.bytes().chain([0]));
    let scidb = folder.file("a.scidb", &cells);
    let sdds = folder.path("a.sdds");
    run(&["convert", &csv, &sdds]).ok();
    let text = folder.file("a.futhark", format!("[{}1i32]", "1i32, ".repeat(50_000)).as_bytes());
    for (file, more) in [
        (&csv, &["--where", "t != 'z'"][..]),
        (&lines, &["--where", "t != 'z'"]),
        (&scidb, &["--format", "scidb", "--schema", "(string, string)", "--where", "b != 'z'"]),
        (&sdds, &["--where", "t != 'z'"]),
        (&text, &["--where", "value = 1"]),
    ] {
        let words = [&["cat", "--csv", file, "--max-memory", "10K"][..], more].concat();
        let done = run(&words);
        assert!(done.status == 1 && done.err.contains("--max-memory allows more"), "{words:?}: {done:?}");
        let words = [&["cat", "--csv", file, "--max-memory", "10M"][..], more].concat();
        run(&words).ok();
    }
}

#[test]
fn rows_of_csv_are_counted_through_all_pages() {
    let folder = Folder::new("choose-pages");
    let twiss = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/twiss.sdds");
    let out = folder.path("out.csv");
    for (rows, expected) in
        [("..2", "0.0\n0.5\n"), ("2..4", "1.75\n0.0\n"), ("3", "0.0\n"), ("-1..", "0.0\n")]
    {
        let words = ["--rows", rows, "--columns", "s"];
        let cat = run(&[&["cat", "--csv", twiss][..], &words].concat()).ok();
        assert_eq!(cat.text(), format!("s\n{expected}"), "{rows}");
        assert_eq!(run(&[&["convert", twiss, &out][..], &words].concat()).status, 0);
        assert_eq!(std::fs::read_to_string(&out).unwrap(), format!("s\n{expected}"), "{rows}");
        let lines = run(&[&["cat", "--jsonl", twiss][..], &words].concat()).ok();
        assert_eq!(lines.text().lines().count(), expected.lines().count(), "{rows}");
    }
}
