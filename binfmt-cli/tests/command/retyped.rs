//! Fields of CSV and JSON lines, read as the types of what is written.

use crate::support::{Folder, Run, run};

#[track_caller]
fn good(words: &[&str]) -> Run {
    let run = run(words);
    assert_eq!(run.status, 0, "{}", run.err);
    run
}

/// What a text file becomes in SciDB.
#[track_caller]
fn scidb(folder: &Folder, (name, text): (&str, &str), schema: &str) -> Vec<u8> {
    let (file, out) = (folder.file(name, text.as_bytes()), folder.path("out.bin"));
    good(&["convert", &file, &out, "--to", "scidb", "--schema", schema, "--force"]);
    std::fs::read(&out).unwrap()
}

#[test]
fn bytes_are_hexadecimal_in_every_batch() {
    let folder = Folder::new("retyped-bytes");
    let many = format!("a\n{}", "0xdeadbeef\n".repeat(200_000));
    let out = scidb(&folder, ("many.csv", &many), "(binary)");
    assert!(out.chunks(8).all(|cell| cell == b"\x04\0\0\0\xde\xad\xbe\xef") && out.len() == 1_600_000);
    for (name, text, row) in [
        ("late.csv", format!("{many}xyz\n"), 200_000),
        ("early.csv", format!("a\nxyz\n{}", "0xdeadbeef\n".repeat(200_000)), 0),
        ("small.csv", "a\n0xde\nxyz\n".to_owned(), 1),
        ("number.csv", "a\n0xde\n12\n".to_owned(), 1),
        ("text.jsonl", "{\"a\":\"0xde\"}\n{\"a\":\"xyz\"}\n".to_owned(), 1),
    ] {
        let file = folder.file(name, text.as_bytes());
        let e = run(&["convert", &file, &folder.path("o.bin"), "--to", "scidb", "--schema", "(binary)"]);
        let e = e.fails(1);
        assert!(e.err.contains(&format!("[{row}].a at")), "{name}: {}", e.err);
        assert!(e.err.contains("expected bytes for the file that is written, found"), "{}", e.err);
        assert!(!e.err.contains("tip:") && !folder.names().contains(&"o.bin".to_owned()), "{}", e.err);
    }
    let lines = "{\"a\":\"0xde\"}\n{\"a\":{\"hex\":\"ad\"}}\n";
    assert_eq!(scidb(&folder, ("x.jsonl", lines), "(binary)"), b"\x01\0\0\0\xde\x01\0\0\0\xad");
    assert_eq!(scidb(&folder, ("x.csv", "a\n0xdead\n"), "(binary(2))"), b"\xde\xad");
    // what is said of a column holds
    let file = folder.file("said.csv", b"a\nxyz\n");
    let out = folder.path("said.bin");
    good(&["convert", &file, &out, "--to", "scidb", "--schema", "(binary)", "--types", "a:text"]);
    assert_eq!(std::fs::read(&out).unwrap(), b"\x03\0\0\0xyz");
    let layout = folder.file("row.layout", b"record, le\n  a: bytes, length_prefixed(u8)\n");
    let e = run(&["convert", &file, &folder.path("row.bin"), "--layout", &layout, "--to", "layout"]).fails(1);
    assert!(e.err.contains("[0].a at") && e.err.contains("expected bytes"), "{}", e.err);
}

#[test]
fn characters_are_the_text_of_the_field() {
    let folder = Folder::new("retyped-characters");
    let digits = folder.file("c.bin", b"789");
    let csv = folder.path("c.csv");
    good(&["convert", &digits, &csv, "--format", "scidb", "--schema", "(char)"]);
    let again = folder.path("c2.bin");
    good(&["convert", &csv, &again, "--to", "scidb", "--schema", "(char)"]);
    assert_eq!(std::fs::read(&again).unwrap(), b"789");
    assert_eq!(scidb(&folder, ("n.jsonl", "{\"a\":7}\n{\"a\":\"8\"}\n"), "(char)"), b"78");
    let e =
        run(&["convert", &folder.file("t.csv", b"a\ntrue\n"), &again, "--to", "scidb", "--schema", "(char)"]);
    assert!(e.fails(1).err.contains("\"true\" is not one character of one byte"));
    let like = folder.file(
        "like.sdds",
        b"SDDS1\n&column name=a, type=character, &end\n&column name=b, type=string, &end\n\
          &data mode=ascii, &end\n0\n",
    );
    let file = folder.file("d.csv", b"a,b\n7,1.50\n8,2\n");
    let sdds = folder.path("d.sdds");
    good(&["convert", &file, &sdds, "--like", &like]);
    assert!(
        std::fs::read_to_string(&sdds).unwrap().ends_with("7 1.50 \n8 2 \n"),
        "{:?}",
        std::fs::read(&sdds)
    );
}

#[test]
fn texts_are_as_the_file_has_them() {
    let folder = Folder::new("retyped-texts");
    let csv = "a,b,c,d\n12,1.50,true,NaN\n15,2,false,1\n";
    let out = scidb(&folder, ("x.csv", csv), "(string, string, string, string)");
    assert_eq!(
        out,
        b"\x03\0\0\x0012\0\x05\0\0\x001.50\0\x05\0\0\0true\0\x04\0\0\0NaN\0\
          \x03\0\0\x0015\0\x02\0\0\x002\0\x06\0\0\0false\0\x02\0\0\x001\0"
    );
    // a condition has the numbers, the file the texts
    let (file, chosen) = (folder.path("x.csv"), folder.path("chosen.bin"));
    let words = ["--to", "scidb", "--schema", "(string, string)", "--columns", "b,a", "--rename", "a=z"];
    good(&[&["convert", &file, &chosen, "--where", "a > 12", "--sample", "5"][..], &words].concat());
    assert_eq!(std::fs::read(&chosen).unwrap(), b"\x02\0\0\x002\0\x03\0\0\x0015\0");
    good(&[&["convert", &file, &file, &chosen, "--force", "--where", "a > 12"][..], &words].concat());
    assert_eq!(std::fs::read(&chosen).unwrap(), b"\x02\0\0\x002\0\x03\0\0\x0015\0".repeat(2));
    let layout = folder.file("row.layout", b"record, le\n  b: text, length_prefixed(u8)\n  a: u8\n");
    let rows = folder.path("rows.bin");
    let noted = good(&["convert", &file, &rows, "--layout", &layout, "--to", "layout"]);
    assert!(noted.err.contains("column `a`, i64? to u8: checked"), "{}", noted.err);
    assert_eq!(std::fs::read(&rows).unwrap(), b"\x041.50\x0c\x012\x0f");
    let lines = "{\"a\":1.50,\"b\":[1, 2]}\n{\"a\":null,\"b\":null}\n";
    let out = scidb(&folder, ("x.jsonl", lines), "(string null, string null)");
    assert_eq!(out, b"\xff\x05\0\0\x001.50\0\xff\x07\0\0\0[1, 2]\0\0\0\0\0\0\0\0\0\0\0");
}

#[test]
fn columns_without_a_value_are_of_any_type() {
    let folder = Folder::new("retyped-nothing");
    for text in ["a,b\n1,\n2,\n", "a,b\n"] {
        let rows = text.lines().count() - 1;
        let out = scidb(&folder, ("x.csv", text), "<a:int8, b:double null>");
        assert_eq!(out.len(), 11 * rows);
        let file = folder.path("x.csv");
        let like = folder.file(
            "like.sdds",
            b"SDDS1\n&column name=a, type=long, &end\n&column name=b, type=float, &end\n&data mode=ascii, &end\n0\n",
        );
        let sdds = folder.path("x.sdds");
        good(&["convert", &file, &sdds, "--like", &like, "--force"]);
        assert_eq!(std::fs::read_to_string(&sdds).unwrap().matches("nan").count(), rows);
    }
}

/// An array of these attributes, in which nothing is.
fn array(folder: &Folder, name: &str, dimension: &str, attributes: &str) -> String {
    let document = format!(
        r#"{{"format":"tiledb","schema":{{"array_type":"sparse","dim_type":"{dimension}","allows_duplicates":false,
        "dims":[{{"name":"x","lo":0,"hi":1000,"extent":10}}],"attrs":[{attributes}]}}}}"#
    );
    let (document, path) = (folder.file("array.json", document.as_bytes()), folder.path(name));
    good(&["convert", &document, &path]);
    path
}

#[track_caller]
fn append(folder: &Folder, (name, text): (&str, &str), array: &str) -> Run {
    let file = folder.file(name, text.as_bytes());
    good(&["convert", &file, array, "--append", "--to", "tiledb"])
}

#[test]
fn arrays_say_what_fields_are() {
    let folder = Folder::new("retyped-arrays");
    let attributes = r#"{"name":"s","type":"DATETIME_SEC"},{"name":"c","type":"CHAR"},
        {"name":"d","type":"CHAR","cell_val_num":3},{"name":"u","type":"STRING_UTF8","cell_val_num":"var"},
        {"name":"w","type":"STRING_UTF16","cell_val_num":"var"},
        {"name":"p","type":"INT16","cell_val_num":2},{"name":"l","type":"UINT8","cell_val_num":"var"}"#;
    let made = array(&folder, "a", "INT32", attributes);
    let first = "x,s,c,d,u,w,p,l\n1,2020-01-01T00:00:01,7,789,12,34,\"[1,2]\",\"[3]\"\n";
    append(&folder, ("first.csv", first), &made);
    let lines = "{\"x\":2,\"s\":\"2020-01-01T00:00:02\",\"c\":8,\"d\":\"ab\",\"u\":1.50,\"w\":\"é\",\"p\":[3,4],\"l\":[]}\n";
    append(&folder, ("second.jsonl", lines), &made);
    let shown = good(&["cat", "--csv", &made]);
    assert_eq!(
        shown.text(),
        "x,s,c,d,u,w,p,l\n1,2020-01-01T00:00:01,7,789,12,34,\"[1,2]\",[3]\n\
         2,2020-01-01T00:00:02,8,ab,1.50,é,\"[3,4]\",[]\n"
    );
    assert_eq!(good(&["cat", "--csv", "--where", "true", &made]).text(), shown.text());
    // its own CSV goes into another one
    let again = array(&folder, "b", "INT32", attributes);
    append(&folder, ("own.csv", shown.text()), &again);
    assert_eq!(good(&["cat", "--csv", &again]).text(), shown.text());
    let times = array(&folder, "t", "DATETIME_DAY", r#"{"name":"v","type":"FLOAT64"}"#);
    append(&folder, ("days.csv", "x,v\n1970-01-03,1\n"), &times);
    assert_eq!(good(&["cat", "--csv", &times]).text(), "x,v\n1970-01-03,1.0\n");
    let e = folder.file("wrong.csv", b"x,v\nsoon,1\n");
    let e = run(&["convert", &e, &times, "--append", "--to", "tiledb"]).fails(1);
    assert!(e.err.contains("[0].x at") && e.err.contains("expected time[D]"), "{}", e.err);
}

#[test]
fn arrays_take_columns_without_a_value() {
    let folder = Folder::new("retyped-arrays-nothing");
    for (ty, fill) in
        [("INT8", "-128"), ("INT64", "-9223372036854775808"), ("FLOAT64", "nan"), ("DATETIME_SEC", "NaT")]
    {
        let made = array(&folder, ty, "INT32", &format!(r#"{{"name":"v","type":"{ty}"}}"#));
        append(&folder, ("x.csv", "x,v\n1,\n2,\n"), &made);
        append(&folder, ("x.jsonl", "{\"x\":3,\"v\":null}\n"), &made);
        let shown = good(&["cat", "--csv", &made]);
        assert_eq!(shown.text(), format!("x,v\n1,{fill}\n2,{fill}\n3,{fill}\n"));
    }
}

#[test]
fn decimal_commas_are_in_numbers_alone() {
    let folder = Folder::new("retyped-commas");
    let file = folder.file("d.csv", b"a;b;c\n1,5;1,5;-2,5e3\nx;2,5;\"3,5\"\n");
    let words = ["cat", &file, "--delimiter", ";", "--decimal", ",", "--jsonl"];
    assert_eq!(
        good(&[&words[..], &["--types", "b:text"]].concat()).text(),
        "{\"a\":\"1,5\",\"b\":\"1,5\",\"c\":-2500.0}\n{\"a\":\"x\",\"b\":\"2,5\",\"c\":3.5}\n"
    );
    let found =
        run(&["cat", &file, "--delimiter", ";", "--decimal", ",", "--where", "b > 2", "--columns", "a"]);
    assert_eq!(found.ok().text(), "a\nx\n");
    // what is a text there is one, too
    let out = folder.path("o.bin");
    let words =
        ["--to", "scidb", "--schema", "(string, double, float)", "--delimiter", ";", "--decimal", ","];
    good(&[&["convert", &file, &out][..], &words].concat());
    assert!(std::fs::read(&out).unwrap().starts_with(b"\x04\0\0\x001,5\0\0\0\0\0\0\0\xf8\x3f"));
}

#[test]
fn a_column_without_a_value_takes_the_type_of_the_others() {
    let folder = Folder::new("retyped-parts");
    let file = |name: &str, text: &str| folder.file(name, text.as_bytes());
    let (full, none) = (file("p1.csv", "x,y\n1.5,2\n2.5,3\n"), file("p2.csv", "x,y\n"));
    let (missing, lines) = (file("p3.csv", "x,y\n,4\n"), file("p4.jsonl", "{\"x\":null,\"y\":5}\n"));
    for other in [&none, &missing, &lines] {
        for files in [[&full, other], [other, &full]] {
            let shown = good(&["stats", "--json", files[0], files[1]]).json();
            let x = &shown["columns"][0];
            assert_eq!((&x["type"], &x["mean"]), (&"f64?".into(), &2.0.into()), "{files:?}: {shown}");
            let found = good(&["cat", "--csv", files[0], files[1], "--where", "x > 2"]);
            assert_eq!(found.text(), "x,y\n2.5,3\n");
            let all = good(&["convert", files[0], files[1], "-", "--to", "jsonl", "--columns", "x"]);
            assert!(all.text().contains("{\"x\":1.5}\n{\"x\":2.5}\n"), "{all:?}");
        }
    }
    let three = good(&["cat", "--csv", &none, &missing, &full]);
    assert_eq!(three.text(), "x,y\n,4\n1.5,2\n2.5,3\n");
    // alone it is nothing that a condition holds for
    assert_eq!(good(&["cat", "--csv", &missing, "--where", "x > 2"]).text(), "x,y\n");
    assert_eq!(good(&["cat", "--csv", &missing, "--where", "x is missing and y = 4"]).text(), "x,y\n,4\n");
    // of other formats, and times
    let npy = folder.path("n.npy");
    good(&["convert", &full, &npy, "--columns", "x", "--rename", "x=value"]);
    let nothing = file("n.jsonl", "{\"value\":null}\n");
    assert_eq!(good(&["cat", "--csv", &npy, &nothing]).text(), "value\n1.5\n2.5\n\n");
    assert_eq!(good(&["cat", "--csv", &nothing, &npy]).text(), "value\n\n1.5\n2.5\n");
    let like = folder.file("t.csv", b"t\n2020-01-01\n");
    let days = folder.path("t.npy");
    good(&["convert", &like, &days, "--types", "t:time[D]", "--rename", "t=value"]);
    assert_eq!(good(&["cat", "--csv", &nothing, &days]).text(), "value\n\n2020-01-01\n");
    // the first value comes late
    let late = format!("a,b\n{}2,1\n2.5,2\n,7\n", ",1\n".repeat(700_000));
    let shown = good(&["stats", "--json", &file("late.csv", &late)]).json();
    assert_eq!(shown["columns"][0]["mean"], 2.25, "{shown}");
    let late = format!("{}{{\"a\":2}}\n{{\"a\":2.5}}\n", "{\"a\":null}\n".repeat(200_000));
    let shown = good(&["stats", "--json", &file("late.jsonl", &late)]).json();
    assert_eq!(shown["columns"][0]["mean"], 2.25, "{shown}");
}

#[test]
fn lines_may_end_in_a_delimiter() {
    let folder = Folder::new("retyped-ends");
    let shown = |text: &str| run(&["cat", "--csv", &folder.file("x.csv", text.as_bytes())]);
    assert_eq!(shown("a,b\n1,2,\n3,4,\n").ok().text(), "a,b\n1,2\n3,4\n");
    assert_eq!(shown("a\n1,\n").ok().text(), "a\n1\n");
    assert_eq!(shown("a,b,\n1,2,\n").ok().text(), "a,b,c2\n1,2,\n");
    let e = shown("a,b\n1,2,\n3,4\n").fails(1);
    assert!(e.err.contains("line 3 has 2 fields, expected 2 and a delimiter at the end"), "{}", e.err);
    assert!(shown("a,b\n1,2,\n3,4,5\n").fails(1).err.contains("line 3 has 3 fields"));
    assert!(shown("a,b\n1,2\n3,4,\n").fails(1).err.contains("line 3 has 3 fields, expected 2"));
    // comments, and numbers of other countries
    for text in ["# c\n# d\na,b\n1,2\n", "# c, d, e\na,b\n1,2\n", "a,b\n1,2\n# c\n3,4\n"] {
        let e = shown(text).fails(1);
        assert!(e.err.contains("tip: --comment '#' leaves out the lines that begin with it"), "{}", e.err);
    }
    shown("# c\na\n1\n").noted("--comment '#' leaves out the lines that do");
    shown("# x,y\n1,2\n").ok();
    let file = folder.file("d.csv", b"id;v\nA;1,5\nB;2\n");
    let words = ["cat", "--csv", &file, "--delimiter", ";"];
    run(&words).noted("column `v` has texts such as 1,5: --decimal , reads them as numbers");
    run(&[&words[..], &["--decimal", ","]].concat()).ok();
    run(&[&words[..], &["--decimal", "."]].concat()).ok();
    let texts = folder.file("t.csv", b"id;v\nA;1,5\nB;x,y\n");
    run(&["cat", "--csv", &texts, "--delimiter", ";"]).ok();
}
