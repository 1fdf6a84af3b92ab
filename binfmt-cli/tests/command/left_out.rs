//! What a conversion does not keep is told, and what is kept is the same under one name.

use crate::support::{Folder, run};

const PAGES: &[u8] = b"SDDS1\n&parameter name=Run, type=long &end\n&parameter name=x, type=string &end\n\
    &array name=A, type=short &end\n&column name=x, type=short &end\n&column name=s, type=double &end\n\
    &data mode=ascii &end\n7\nfirst\n1\n5\n2\n1 0.5\n2 1\n8\nnext\n1\n6\n1\n3 1.5\n";

#[test]
fn parameters_arrays_and_pages_that_have_no_column_are_told() {
    let folder = Folder::new("left-out-sdds");
    let input = folder.file("a.sdds", PAGES);
    let note = |words: &[&str]| {
        let done = run(words);
        assert_eq!(done.status, 0, "{}", done.err);
        done.err
    };
    for to in ["a.csv", "a.npy", "a.jsonl", "a.npz", "a.tdb"] {
        let to = folder.path(to);
        let told = note(&["convert", &input, &to]);
        assert!(told.contains("Run") && told.contains("`A`") && told.contains("_page"), "{to}: {told}");
    }
    let told = note(&["convert", &input, &folder.path("b.csv")]);
    assert!(told.contains("as in --columns Run,x"), "{told}");
    assert!(told.contains("2 pages in one table"), "{told}");
    let told = note(&["convert", &input, &folder.path("c.csv"), "--where", "s > 0.5"]);
    assert!(told.contains("not among the columns: _page, Run, parameter:x"), "{told}");
    for to in ["p.npy", "p.npz", "p.csv"] {
        let told = note(&["convert", &input, &folder.path(to), "--columns", "s"]);
        assert!(told.contains("2 pages in one table: --columns with _page"), "{told}");
    }
    // a file of the format keeps its pages
    let pages = folder.path("p.sdds");
    assert_eq!(note(&["convert", &input, &pages, "--columns", "s"]), "");
    let found = run(&["cat", "--csv", &pages, "--columns", "_page,Run,s"]).ok();
    assert_eq!(found.text(), "_page,Run,s\n0,7,0.5\n0,7,1.0\n1,8,1.5\n");
    // what was said needs no note; one page has no number
    let told = note(&["convert", &input, &folder.path("d.npy"), "--columns", "_page,Run,s"]);
    assert!(!told.contains("Run"), "{told}");
    let one =
        folder.file("one.sdds", b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n1\n5\n");
    run(&["convert", &one, &folder.path("e.npy")]).ok();
    run(&["convert", &one, &folder.path("e.csv")]).ok();
}

#[test]
fn what_has_one_value_in_a_page_can_be_a_column() {
    let folder = Folder::new("left-out-page");
    let input = folder.file("a.sdds", PAGES);
    let csv = |words: &[&str]| run(&[&["cat", "--csv", &input][..], words].concat()).ok().text().to_owned();
    assert_eq!(csv(&["--columns", "_page,s,Run"]), "_page,s,Run\n0,0.5,7\n0,1.0,7\n1,1.5,8\n");
    assert_eq!(csv(&["--columns", "parameter:x,x"]), "parameter:x,x\nfirst,1\nfirst,2\nnext,3\n");
    assert_eq!(csv(&["--columns", "Run", "--pages", "1"]), "Run\n8\n");
    // a pattern means columns, whether pages are kept apart or not
    assert_eq!(csv(&["--columns", "*", "--rows", "..1"]), "x,s\n1,0.5\n");
    assert_eq!(csv(&["--columns", "*", "--rows", "-1.."]), "x,s\n3,1.5\n");
    assert_eq!(csv(&["--columns", "*,Run", "--where", "s > 1"]), "x,s,Run\n3,1.5,8\n");
    let out = folder.path("b.csv");
    run(&["convert", &input, &out, "--columns", "_page,Run,s"]).ok();
    assert_eq!(csv(&["--columns", "_page,Run,s"]), std::fs::read_to_string(out).unwrap());
    let e = run(&["cat", &input, "--columns", "Rum"]).fails(2).err;
    assert!(e.contains("did you mean `Run`?"), "{e}");
    // a large file, whose rows are read in ranges
    let rows: String = (0..400_000).map(|n| format!("{n}\n")).collect();
    let text = format!(
        "SDDS1\n&parameter name=Run, type=long &end\n&column name=n, type=double &end\n&data mode=ascii &end\n7\n400000\n{rows}"
    );
    let (ascii, large) = (folder.file("ascii.sdds", text.as_bytes()), folder.path("large.sdds"));
    run(&["convert", &ascii, &large, "--mode", "binary"]).ok();
    let words = ["cat", "--csv", &large, "--columns", "n,Run,_page", "--rows", "399998.."];
    assert_eq!(run(&words).ok().text(), "n,Run,_page\n399998.0,7,0\n399999.0,7,0\n");
}

#[test]
fn indices_of_chunks_have_one_name() {
    let folder = Folder::new("left-out-beat");
    let input = folder.file("x.data", b"binary\nuser/n/1\n0 1 5\n\x07\0\0\0\n2 3 5\n\x08\0\0\0\n");
    let schema = ["--schema", r#"{"n": "int32"}"#];
    let cat = |words: &[&str]| {
        run(&[&["cat", "--csv", &input][..], &schema, words].concat()).ok().text().to_owned()
    };
    assert_eq!(cat(&[]), "_start,_end,n\n0,1,7\n2,3,8\n");
    assert_eq!(cat(&["--columns", "_end,n", "--where", "_start > 0"]), "_end,n\n3,8\n");
    let out = folder.path("x.jsonl");
    let done = run(&[&["convert", &input, &out][..], &schema].concat());
    assert_eq!(done.err, "");
    assert_eq!(cat(&["--where", "n > 7"]), "_start,_end,n\n2,3,8\n");
    run(&[&["convert", &input, &out, "--columns", "_start,_end,n"][..], &schema].concat()).ok();
}

#[test]
fn times_are_dates_and_their_units_are_kept_or_told() {
    let folder = Folder::new("left-out-times");
    let mut bytes = 1_700_000_000i64.to_le_bytes().to_vec();
    bytes.extend([255, 0, 0, 0, 0]);
    let input = folder.file("x.scidb", &bytes);
    let schema = ["--format", "scidb", "--schema", "<t:datetime NOT NULL, n:int32>[i=0:*]"];
    let convert = |to: &str| {
        let done = run(&[&["convert", &input, &folder.path(to)][..], &schema].concat());
        assert_eq!(done.status, 0, "{}", done.err);
        done.err
    };
    let csv = run(&[&["cat", "--csv", &input][..], &schema].concat()).ok();
    assert_eq!(csv.text(), "t,n\n2023-11-14T22:13:20,0\n");
    let told = convert("x.sdds");
    assert!(told.contains("units `s since 1970-01-01`"), "{told}");
    let json = run(&["cat", "--json", &folder.path("x.sdds")]).ok();
    assert!(json.text().contains("s since 1970-01-01"), "{}", json.text());
    // they are read as the same times again
    assert_eq!(convert("x.jsonl"), "");
    assert_eq!(convert("x.npy"), "");
    let npy = folder.path("x.npy");
    assert_eq!(run(&["cat", "--csv", &npy, "--columns", "t"]).ok().text(), "t\n2023-11-14T22:13:20\n");
    // what was written is read again
    let csv = folder.file("y.csv", b"t\n2023-11-14T22:13:20\n");
    let back = folder.path("y.npy");
    run(&["convert", &csv, &back, "--types", "t:time[s]"]).ok();
    assert_eq!(run(&["inspect", "--json", &back]).ok().json()["fields"][0]["dtype"], "<M8[s]");
    let missing = folder.file("m.scidb", &[7, 0, 0, 0, 0]);
    let schema = ["--format", "scidb", "--schema", "(int32 null)"];
    let done = run(&[&["convert", &missing, &folder.path("m.csv")][..], &schema].concat());
    assert!(done.err.contains("the codes of missing values are left out; JSON has them"), "{}", done.err);
}

#[test]
fn what_a_file_does_not_say_of_itself_is_told() {
    let folder = Folder::new("left-out-schema");
    let csv = folder.file("a.csv", b"n,name\n1,x\n");
    let done = run(&["convert", &csv, &folder.path("a.scidb"), "--to", "scidb"]);
    assert!(done.err.contains("not in the file: (int64 null, string null)"), "{}", done.err);
    let json = folder.file("a.jsonl", b"{\"n\": 1}\n");
    let done = run(&["convert", &json, &folder.path("a.data"), "--to", "beat", "--dataformat", "u/a/1"]);
    assert!(
        done.err.contains("the declaration is made of the columns") && done.err.contains("int64"),
        "{}",
        done.err
    );
}
