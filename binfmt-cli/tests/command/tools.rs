//! What people type into the tools of each format, here.

use crate::support::{Folder, run};

const LOG: &[u8] = b"SDDS1\n&parameter name=Run, type=long &end\n&parameter name=Note, type=string &end\n\
    &array name=a, type=short &end\n&column name=x, type=short &end\n&data mode=ascii &end\n\
    7\nfirst\n1\n5\n2\n1\n2\n8\nsecond\n1\n6\n0\n";

#[test]
fn parameters_are_a_line_for_each_page() {
    let folder = Folder::new("tools-parameters");
    let log = folder.file("log.sdds", LOG);
    let cat = |words: &[&str]| run(&[&["cat", &log][..], words].concat()).ok().text().to_owned();
    // a page without rows has its parameters
    assert_eq!(cat(&["--parameters", "Note,Run"]), "Note\tRun\nfirst\t7\nsecond\t8\n");
    assert_eq!(cat(&["--parameters", "_page,R*", "--csv", "--pages", "1"]), "_page,Run\n1,8\n");
    assert_eq!(cat(&["--parameters", "Run,_rows", "--where", "Run < 8"]), "Run\t_rows\n7\t2\n");
    assert_eq!(cat(&["--parameters", "Run", "--jsonl"]), "{\"Run\":7}\n{\"Run\":8}\n");
    let csv = run(&["convert", &log, "-", "--to", "csv", "--parameters", "Run"]).ok();
    assert_eq!(csv.text(), "Run\n7\n8\n");
    let wrong = run(&["cat", &log, "--parameters", "Rum"]).fails(2);
    assert!(wrong.err.contains("unknown column `Rum`") && wrong.err.contains("`Run`"), "{}", wrong.err);
    for words in [&["inspect", &log][..], &["check", &log], &["dump", &log]] {
        let e = run(&[words, &["--parameters", "Run"]].concat()).fails(2);
        assert!(e.err.contains("--parameters means nothing to this command"), "{}", e.err);
    }
    // into a file of the format, too, as columns with their units
    let collapsed = folder.path("collapsed.sdds");
    run(&["convert", &log, &collapsed, "--parameters", "Run"]).ok();
    assert_eq!(run(&["cat", &collapsed, "--csv"]).ok().text(), "Run\n7\n8\n");
    // of another file columns can become parameters
    let (csv, out) = (folder.file("a.csv", b"a,b\n1,5\n1,6\n2,7\n"), folder.path("out.sdds"));
    let e = run(&["convert", &csv, &out, "--parameters", "a"]).fails(2).err;
    assert!(
        e.contains("--parameters is about an SDDS file that is read") && e.contains("--as-parameters"),
        "{e}"
    );
    run(&["convert", &csv, &out, "--as-parameters", "a"]).ok();
    assert_eq!(run(&["cat", &out, "--parameters", "a,_rows"]).ok().text(), "a\t_rows\n1\t2\n2\t1\n");
}

#[test]
fn what_stands_above_the_columns_can_be_left_out() {
    let folder = Folder::new("tools-no-parameters");
    let log = folder.file("log.sdds", LOG);
    let table = |words: &[&str]| run(&[&["cat", "--table", &log, "--pages", "0"][..], words].concat()).ok();
    assert!(table(&[]).text().contains("Run: 7\nNote: first\na: "), "{}", table(&[]).text());
    assert_eq!(table(&["--no-parameters"]).text(), "page 0\nx\n1\n2\n");
}

#[test]
fn names_may_be_any_text() {
    let folder = Folder::new("tools-names");
    let file = folder
        .file("x.sdds", b"SDDS1\n&column name=\"1st x\", type=short &end\n&data mode=ascii &end\n2\n5\n6\n");
    assert!(run(&["cat", &file]).fails(1).err.contains("`1st x` is not a name"));
    for command in ["cat", "inspect", "check", "stats"] {
        run(&[command, &file, "--any-names"]).ok();
    }
    let chosen = run(&["cat", &file, "--any-names", "--where", "`1st x` > 5"]).ok();
    assert_eq!(chosen.text(), "1st x\n6\n");
}

#[test]
fn an_array_schema_names_the_columns_of_a_format() {
    let folder = Folder::new("tools-template");
    let cell = |id: u8, name: &[u8; 4]| [&[id, b'?', b'?'][..], name, &[9; 16]].concat();
    let file = folder.file("x.bin", &[cell(1, b"ab\0\0"), cell(2, b"abcd")].concat());
    let schema = "<id:int8 NOT NULL, name:string NOT NULL, r:rational NOT NULL>[i=0:*]";
    let format = "(int8, skip(2), string(4), rational)";
    let said = ["--format", "scidb", "--schema", schema, "--template", format, "--user-types", "rational=16"];
    let of = |words: &[&str]| run(&[words, &said].concat()).ok();
    let rows = format!("id\tname\tr\n1\tab\t0x{0}\n2\tabcd\t0x{0}\n", "09".repeat(16));
    assert_eq!(of(&["cat", &file]).text(), rows);
    // by the library's table, too
    assert_eq!(of(&["cat", &file, "--where", "id = 2", "--columns", "name"]).text(), "name\nabcd\n");
    assert!(of(&["inspect", &file]).text().contains("Bytes per cell  23"));
    assert!(of(&["dump", &file]).text().contains("[1].name: \"abcd\""));
    let again = folder.path("again.bin");
    let csv = folder.path("x.csv");
    of(&["convert", &file, &csv, "--columns", "id,name"]);
    run(&[
        "convert",
        &csv,
        &again,
        "--to",
        "scidb",
        "--schema",
        "<id:int8 NOT NULL, name:string NOT NULL>[i]",
        "--template",
        "(int8, skip(2), string(4))",
    ])
    .noted("");
    assert_eq!(std::fs::read(&again).unwrap(), b"\x01\0\0ab\0\0\x02\0\0abcd");
    for (words, message) in [
        (
            &["--schema", "<id:int8>[i]", "--template", format, "--user-types", "rational=16"][..],
            "3 attribute columns",
        ),
        (&["--schema", "(int8)", "--template", "(int8)"], "--schema is a format string"),
        (&["--schema", schema, "--template", format], "unknown type `rational`"),
        (&["--schema", "(r)", "--user-types", "r=x"], "--user-types: `r=x`: expected a name"),
    ] {
        for command in ["cat", "stats"] {
            let e = run(&[&[command, &file, "--format", "scidb"][..], words].concat()).fails(2);
            assert!(e.err.contains(message), "{words:?}: {}", e.err);
        }
    }
}

#[test]
fn values_of_any_shape_are_listed_made_and_compared() {
    let folder = Folder::new("tools-values");
    let one = folder.file("a.in", b"[1.0, 2.0]\n[[1i32,2],[3,4],[5,6]]\n7i8\n");
    let other = folder.file("b.in", b"[1.0, 2.0000001]\n[[1i32,2],[3,4],[5,7]]\n7i8\n");
    for words in [["inspect", "--types", &one], ["inspect", &one, "--types"]] {
        assert_eq!(run(&words).ok().text(), "[2]f64\n[3][2]i32\ni8\n");
    }
    // a name with a colon is not what a column is
    let colon = folder.file("a:i64.in", b"7i8\n");
    for words in [&["inspect", "--types", &colon][..], &["inspect", "--format", "futhark", "--types", &colon]]
    {
        assert_eq!(run(words).ok().text(), "i8\n");
    }
    let damaged = [&b"[1, 2"[..], b"[1, 3"].map(|bytes| folder.file(&format!("{}.in", bytes[4]), bytes));
    let differs = run(&["diff", &damaged[0], &damaged[1]]).fails(1);
    assert!(differs.text().contains("bytes: differ from byte 4 (0x4) on: 32 | 33"), "{differs:?}");
    assert!(differs.err.contains("expected `,` or `]`"), "{differs:?}");
    let differs = run(&["compare", &one, &other, "--tolerance", "1e-6"]);
    assert_eq!(differs.status, 1, "{differs:?}");
    assert!(differs.text().starts_with("value 1\n[2].value: [5,6] | [5,7]\n"), "{}", differs.text());
    assert!(!differs.text().contains("value 0"), "{}", differs.text());
    let same = run(&["compare", &one, &other, "--tolerance", "0.2"]).ok();
    assert!(same.text().starts_with("the values are the same: 3 of them\n"), "{}", same.text());
    let fewer = folder.file("c.in", b"[1.0, 2.0]\n[[1i32,2],[3,4],[5,6]]\n");
    let counted = run(&["diff", &one, &fewer]);
    assert!(counted.status == 1 && counted.text().contains("values: 3 | 2"), "{}", counted.text());
    let made = run(&["make", "futhark", "--generate", "[1i32, 2]", "--generate", "3.5f64"]).ok();
    assert_eq!(made.text(), "[1i32, 2i32]\n3.5f64\n");
    run(&["make", "futhark", "--generate", "[1i32]", "--bounds", "0:1"]).fails(2);
}
