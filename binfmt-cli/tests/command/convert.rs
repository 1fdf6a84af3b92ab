//! `convert` from any table into any format: one way, whatever the two are.

use crate::support::{Folder, run};

/// What `cat --csv` shows of the columns.
fn rows(words: &[&str]) -> String {
    run(&[&["cat", "--csv"][..], words].concat()).ok().text().to_owned()
}

const CSV: &[u8] = b"n,x,name\n1,0.5,Q1\n-2,1e300,\"a,b\"\n3,-0.25,\xce\xb2\n";

#[test]
fn any_table_goes_into_any_format_and_back() {
    let folder = Folder::new("convert-any");
    let csv = folder.file("a.csv", CSV);
    let expected = rows(&[&csv]);
    let schema = "<n:int64, x:double, name:string>[i=0:*]";
    let layout =
        folder.file("a.layout", b"Row: record, le\n  n: i32\n  x: f64\n  name: text, length_prefixed(u8)\n");
    // the name of the file, and what says what is in it
    let all: [(&str, &[&str]); 7] = [
        ("b.sdds", &[]),
        ("b.sdds.gz", &["--mode", "ascii"]),
        ("b.tdb", &[]),
        ("b.npy", &[]),
        ("b.jsonl", &[]),
        ("b.scidb", &["--format", "scidb", "--schema", schema]),
        ("b.layout", &["--layout", &layout]),
    ];
    for (from, read) in all {
        let from = folder.path(from);
        let write: &[&str] = match read {
            ["--format", _, more @ ..] => more,
            more => more,
        };
        let done = run(&[&["convert", &csv, &from][..], write].concat());
        assert_eq!(done.status, 0, "{from}: {}", done.err);
        let read: &[&str] = if read.first() == Some(&"--mode") { &[] } else { read };
        let columns = ["--columns", "n,x,name"];
        assert_eq!(rows(&[&[from.as_str()][..], read, &columns].concat()), expected, "{from}");
        // and on into the others
        for to in ["c.sdds", "c.tdb", "c.npy", "c.csv", "c.jsonl"] {
            let to = folder.path(to);
            let done = run(&[&["convert", &from, &to][..], read, &columns].concat());
            assert_eq!(done.status, 0, "{from} {to}: {}", done.err);
            assert_eq!(rows(&[&to, "--columns", "n,x,name"]), expected, "{from} {to}");
            std::fs::remove_file(&to).or_else(|_| std::fs::remove_dir_all(&to)).unwrap();
        }
    }
}

#[test]
fn pages_and_parameters_stay() {
    let folder = Folder::new("convert-pages");
    let input = folder.file(
        "a.sdds",
        b"SDDS1\n&parameter name=Run, type=long &end\n&column name=x, units=m, type=short &end\n&data mode=ascii &end\n\
          7\n2\n1\n2\n8\n1\n3\n9\n2\n4\n5\n",
    );
    let out = folder.path("b.sdds");
    run(&["convert", &input, &out, "--where", "x != 2", "--mode", "binary"]).ok();
    let json = run(&["cat", "--json", &out]).ok().json();
    let pages = json["pages"].as_array().unwrap();
    assert_eq!(pages.len(), 3);
    assert!(json.to_string().contains("\"m\""), "{json}");
    // rows of some pages
    let some = |words: &[&str]| rows(&[&[input.as_str()][..], words].concat());
    assert_eq!(some(&["--pages", "1..", "--where", "x > 3"]), "x\n4\n5\n");
    assert_eq!(some(&["--pages", "0", "--rows", "-1.."]), "x\n2\n");
    let stats = run(&["stats", "--json", &input, "--pages", "1.."]).ok();
    assert!(stats.text().contains("3"), "{}", stats.text());
    let e = run(&["stats", &input, "--mode", "ascii"]).fails(2).err;
    assert!(e.contains("--mode is for convert"), "{e}");
    let npy = folder.path("x.npy");
    run(&["convert", &input, &npy, "--pages", "2"]).noted("Run");
    assert_eq!(rows(&[&npy]), "value\n4\n5\n");
}

#[test]
fn what_does_not_fit_leaves_nothing() {
    let folder = Folder::new("convert-refused");
    let csv = folder.file("a.csv", b"n,name\n1,a\n,b\n");
    for (name, words, expected) in [
        ("b.sdds", &[][..], "a.csv: [1].n: a value is missing, and SDDS does not support missing values"),
        ("b.sdds", &["--columns", "n"], "; --where '`n` is not missing' leaves such rows out"),
        ("b.futhark", &[], "column `name` is text?, which no array of Futhark can be"),
        ("b.tdb", &["--dimensions", "name"], "dimensions are numbers"),
        ("b.tdb", &["--dimensions", "m"], "unknown column `m`"),
        ("b.npy", &[], "a missing value"),
        ("b.sdds", &["--like", "none.sdds"], "none.sdds"),
    ] {
        let done = run(&[&["convert", &csv, &folder.path(name)][..], words].concat());
        assert!(done.status != 0 && done.err.contains(expected), "{name}: {}", done.err);
        assert_eq!(folder.names(), ["a.csv"], "{name}");
    }
    let taken = folder.path("b.tdb");
    assert_eq!(run(&["convert", &csv, &taken]).status, 0);
    let e = run(&["convert", &csv, &taken]).fails(1).err;
    assert!(e.contains("there is something already"), "{e}");
    let e = run(&["convert", &csv, "-", "--to", "tiledb"]).fails(1).err;
    assert!(e.contains("a folder of files cannot be written to standard output"), "{e}");
}

#[test]
fn a_dense_array_is_made_of_coordinates() {
    let folder = Folder::new("convert-dense");
    let csv = folder.file("a.csv", b"x,y,v\n1,0,10\n0,1,1\n1,1,11\n0,0,0\n");
    let out = folder.path("b.tdb");
    run(&["convert", &csv, &out, "--dimensions", "x,y", "--array", "dense"]).ok();
    assert_eq!(rows(&[&out]), "x,y,v\n0,0,0\n0,1,1\n1,0,10\n1,1,11\n");
    assert!(run(&["inspect", &out]).ok().text().contains("dense"));
    run(&["check", &out]).ok();
    let again = folder.path("c.tdb");
    run(&["convert", &out, &again, "--where", "x = 1"]).ok();
    assert_eq!(rows(&[&again]), "x,y,v\n1,0,10\n1,1,11\n");
}

#[test]
fn endings_of_other_programs_mean_the_same() {
    let folder = Folder::new("convert-endings");
    let csv = folder.file("a.csv", b"n,name\n1,\"a\tb\"\n2,\n");
    let tabs = folder.path("b.tsv");
    run(&["convert", &csv, &tabs]).ok();
    assert_eq!(std::fs::read_to_string(&tabs).unwrap(), "n\tname\n1\t\"a\tb\"\n2\t\n");
    assert_eq!(rows(&[&tabs]), rows(&[&csv]));
    let lines = folder.path("b.ndjson");
    run(&["convert", &tabs, &lines]).ok();
    assert_eq!(rows(&[&lines]), rows(&[&csv]));
    // one writer for both, but for what other software knows as `null`
    let shown = run(&["cat", "--jsonl", &csv]).ok().text().replace("{\"missing\":0}", "null");
    assert_eq!(std::fs::read_to_string(&lines).unwrap(), shown);
}

#[test]
fn messages_name_the_file_and_the_option_that_they_are_about() {
    let folder = Folder::new("convert-named");
    let csv = folder.file("a.csv", b"a b,x\n1,2\n");
    let out = folder.path("b.sdds");
    let e = run(&["convert", &csv, &out]).fails(2).err;
    assert!(
        e.contains("b.sdds: `a b` is not a name for a column of SDDS") && e.contains("--rename 'a b=NAME'"),
        "{e}"
    );
    let plain = folder.file("p.csv", b"x\n1\n");
    for (words, expected) in [
        (&["--as-parameters", "z"][..], "--as-parameters: unknown column `z`"),
        (&["--like", &plain], "--like: "),
        (&["--like", &plain, "--as-parameters", "x"], "--as-parameters: the header"),
    ] {
        let e = run(&[&["convert", &plain, &out][..], words].concat()).fails(2).err;
        assert!(e.contains(expected), "{e}");
    }
    let tdb = folder.path("b.tdb");
    let e = run(&["convert", &plain, &tdb, "--dimensions", "x,x"]).fails(2).err;
    assert!(e.contains("--dimensions: `x` is there twice"), "{e}");
    let none = folder.file("e.csv", b"");
    let e = run(&["convert", &none, &folder.path("e.bin"), "--to", "scidb"]).fails(2).err;
    assert!(e.contains("the table has no columns"), "{e}");
    // before a line is written
    let e = run(&["cat", "--csv", &plain, "--where", "x = 'a'"]).fails(2);
    assert!(e.out.is_empty() && e.err.contains("text is not a number"), "{e:?}");
    if cfg!(target_os = "linux") {
        let e = run(&["convert", &plain, "/dev/full", "--to", "npz"]).fails(1).err;
        assert!(e.contains("/dev/full: cannot write"), "{e}");
    }
}

#[test]
fn what_is_lost_is_told() {
    let folder = Folder::new("convert-lost");
    let sdds = folder.file(
        "a.sdds",
        b"SDDS1\n&parameter name=Who, type=string, fixed_value=Jane &end\n&array name=a, type=short &end\n\
          &column name=s, type=short &end\n&data mode=ascii &end\n0\n0\n0\n1\n5\n",
    );
    let done = run(&["convert", &sdds, &folder.path("b.npy")]);
    assert_eq!(done.status, 0, "{}", done.err);
    for expected in ["arrays are not columns, and are left out: `a`", "a page without rows is left out"] {
        assert!(done.err.contains(expected), "{}", done.err);
    }
    let csv = folder.file("m.csv", b"n,x\n1,\n,2\n");
    let done = run(&["convert", &csv, &folder.path("m.tdb")]);
    assert!(
        done.status == 0 && done.err.contains("column `n`: 1 missing value is the fill value"),
        "{done:?}"
    );
    let missing = folder.file("x.csv", b"n,x\n1,0.5\n2,\n3,\n");
    for to in ["x.sdds", "x.npy", "x.npz"] {
        let done = run(&["convert", &missing, &folder.path(to), "--columns", "x"]);
        assert_eq!(
            (done.status, &*done.err),
            (0, "note: column `x`: 2 missing values are NaN now\n"),
            "{to}"
        );
    }
    let done = run(&["convert", &csv, &folder.path("m.in")]);
    assert!(done.status == 0 && done.err.contains("it is CSV, as the input is"), "{done:?}");
    // types of the files differ
    let other = folder.file("n.csv", b"n,x\n0.5,x\n");
    assert_eq!(rows(&[&csv, &other]), "n,x\n1.0,\n,2\n0.5,x\n");
}

#[test]
fn a_table_becomes_a_file_of_the_platform() {
    let folder = Folder::new("convert-beat");
    let csv = folder.file("a.csv", b"score,name\n0.5,a\n1.5,b\n");
    let out = folder.path("scores.0.1.data");
    let e = run(&["convert", &csv, &out, "--to", "beat"]).fails(2).err;
    assert!(e.contains("--dataformat: "), "{e}");
    run(&["convert", &csv, &out, "--to", "beat", "--dataformat", "user/score/1"])
        .noted("made of the columns");
    assert_eq!(
        folder.names(),
        [
            "a.csv",
            "scores.0.1.data",
            "scores.0.1.data.checksum",
            "scores.0.1.index",
            "scores.0.1.index.checksum"
        ]
    );
    let schema = ["--schema", r#"{"score": "float64", "name": "string"}"#];
    run(&[&["check", &out][..], &schema].concat()).ok();
    assert_eq!(
        rows(&[&[out.as_str()][..], &schema].concat()),
        "_start,_end,name,score\n0,0,a,0.5\n1,1,b,1.5\n"
    );
    // the indices of those that are chosen stay
    let one = folder.path("one.data");
    run(&[&["convert", &out, &one, "--to", "beat", "--where", "score > 1"][..], &schema].concat()).ok();
    assert_eq!(rows(&[&[one.as_str()][..], &schema].concat()), "_start,_end,name,score\n1,1,b,1.5\n");
}

#[test]
fn rows_are_numbered_on_in_an_array_of_rows() {
    let folder = Folder::new("convert-append-rows");
    let first = folder.file("a.csv", b"v\n1.5\n2.5\n");
    let more = folder.file("b.csv", b"v\n7.0\n8.5\n9.5\n");
    let array = folder.path("a.tdb");
    run(&["convert", &first, &array]).ok();
    run(&["convert", &more, &array, "--append"]).ok();
    run(&["convert", &first, &array, "--append"]).ok();
    assert_eq!(rows(&[&array]), "row,v\n0,1.5\n1,2.5\n2,7.0\n3,8.5\n4,9.5\n5,1.5\n6,2.5\n");
    run(&["check", &array]).ok();
    // a dense array ends with its last row
    let dense = folder.path("b.tdb");
    run(&["convert", &first, &dense, "--array", "dense"]).ok();
    let e = run(&["convert", &more, &dense, "--append"]).fails(1).err;
    assert!(e.contains("no room for row 2 in its dimension `row`: its domain ends at 1"), "{e}");
    assert_eq!(rows(&[&dense]), "row,v\n0,1.5\n1,2.5\n");
}

#[test]
fn rows_are_appended_to_an_array() {
    let folder = Folder::new("convert-append");
    let first = folder.file("a.csv", b"x,v\n0,1.5\n9,2.5\n");
    let more = folder.file("b.csv", b"x,v\n4,7.0\n9,8.5\n");
    let array = folder.path("a.tdb");
    run(&["convert", &first, &array, "--dimensions", "x"]).ok();
    run(&["convert", &more, &array, "--append"]).ok();
    assert_eq!(rows(&[&array]), "x,v\n0,1.5\n4,7.0\n9,8.5\n");
    run(&["check", &array]).ok();
    let names = || std::fs::read_dir(&array).unwrap().count();
    let before = names();
    let out = folder.file("c.csv", b"x,v\n10,1.0\n");
    let e = run(&["convert", &out, &array, "--append"]).fails(1).err;
    assert!(e.contains("10"), "{e}");
    assert_eq!(names(), before);
    assert_eq!(rows(&[&array]), "x,v\n0,1.5\n4,7.0\n9,8.5\n");
    let none = folder.path("none.tdb");
    let e = run(&["convert", &out, &none, "--append"]).fails(2).err;
    assert!(e.contains("--append: there is no array to append to"), "{e}");
    assert!(!std::path::Path::new(&none).exists());
    let e = run(&["cat", &array, "--append"]).fails(2).err;
    assert!(e.contains("--append"), "{e}");
}

#[test]
fn options_for_a_table_hold_where_the_format_stays() {
    let folder = Folder::new("convert-remade");
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    // it was a copy of the array, of the file, without a word
    let (array, out) = (format!("{root}/tests/data/tiledb/d2_fragments"), folder.path("grid"));
    assert!(run(&["convert", &array, &out, "--dimensions", "nope"]).fails(2).err.contains("`nope`"));
    run(&["convert", &array, &out, "--array", "sparse"]).ok();
    assert_eq!(run(&["inspect", "--json", &out]).ok().json()["array_type"], "sparse");
    let (ints, out) = (format!("{root}/tests/data/beat/file_ints/input.data"), folder.path("x.0.3.data"));
    let prefix = format!("{root}/tests/support/beat_prefix");
    run(&["convert", &ints, &out, "--prefix", &prefix, "--dataformat", "u/new/1"])
        .noted("made of the columns");
    assert!(std::fs::read(&out).unwrap().starts_with(b"binary\nu/new/1\n"));
    let (twiss, out) = (format!("{root}/examples/data/twiss.sdds"), folder.path("x.sdds"));
    assert!(run(&["convert", &twiss, &out, "--parameters", "nope"]).fails(2).err.contains("`nope`"));
    assert!(run(&["convert", &twiss, &out, "--like", "/no/such"]).fails(2).err.contains("/no/such"));
}

/// A name that no line of JSON has is a missing value in each, also where there are no lines.
#[test]
fn names_that_no_line_has() {
    let folder = Folder::new("convert-absent");
    let (none, some) = (folder.file("z.jsonl", b""), folder.file("y.jsonl", b"{\"y\":1}\n"));
    let out = folder.path("o.b");
    let into = |file: &str, schema: &str| run(&["convert", file, &out, "--to", "scidb", "--schema", schema]);
    for schema in ["<x:int8>", "<x:int8 not null, y:string, t:datetime, f:float, b:bool>"] {
        into(&none, schema).ok();
        assert_eq!(std::fs::read(&out).unwrap(), b"");
    }
    into(&some, "<x:int8, y:int64, t:datetime, s:string>").ok();
    let cat =
        ["cat", "--jsonl", &out, "--format", "scidb", "--schema", "<x:int8, y:int64, t:datetime, s:string>"];
    assert_eq!(
        run(&cat).ok().text(),
        "{\"x\":{\"missing\":0},\"y\":1,\"t\":{\"missing\":0},\"s\":{\"missing\":0}}\n"
    );
    let e = into(&some, "<x:int8 not null, y:int64>").fails(1).err;
    assert!(e.contains("y.jsonl: [0].x: "), "{e}");
    // of other rows nothing is written
    let e = into(&some, "<a:int8, b:int8>").fails(2).err;
    assert!(e.contains("the layout has a column `a`, and the table has none"), "{e}");
    let csv = folder.file("y.csv", b"y\n1\n");
    assert!(into(&csv, "<x:int8, y:int8>").fails(2).err.contains("has a column `x`"));
    let e = run(&["convert", &some, &out, "--to", "scidb", "--schema", "<x:int8, y:int8>", "--columns", "y"]);
    assert!(e.fails(2).err.contains("has a column `x`"));
    // the header of another file, and an array that is there
    let like = folder.file(
        "l.sdds",
        b"SDDS1\n&parameter name=p, type=long &end\n&column name=x, type=double &end\n\
          &column name=y, type=long64 &end\n&data mode=ascii &end\n",
    );
    let sdds = folder.path("o.sdds");
    run(&["convert", &none, &sdds, "--like", &like]).ok();
    assert_eq!(run(&["cat", "--csv", "--columns", "x,y", &sdds]).ok().text(), "x,y\n");
}
