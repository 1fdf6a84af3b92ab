//! `--fill`: values in the places of missing ones.

use crate::support::{Folder, run};

const CSV: &[u8] = b"zone,place,day,x,ok,none\n3,roof,2024-03-01,0.5,true,\n,,,,,\n";

#[test]
fn formats_without_missing_values_get_some() {
    let folder = Folder::new("fill");
    let csv = folder.file("a.csv", CSV);
    let all = "zone=-1,place=nowhere,day=1970-01-01,x=nan,ok=false,none=7";
    let expected =
        "zone,place,day,x,ok,none\n3,roof,2024-03-01,0.5,true,7\n-1,nowhere,1970-01-01,nan,false,7\n";
    assert_eq!(run(&["cat", "--csv", &csv, "--fill", all]).ok().text(), expected);
    for (name, words, columns) in [
        ("a.sdds", &[][..], "zone,place,x"),
        ("a.npy", &[], "zone,place,day,x,ok"),
        ("a.futhark", &["--to", "futhark"], "zone,x"),
        ("a.0.1.data", &["--to", "beat", "--dataformat", "user/a/1"], "zone,place,x,ok"),
    ] {
        let out = folder.path(name);
        let convert = [&["convert", &csv, &out, "--columns", columns][..], words].concat();
        let e = run(&convert);
        assert!(e.status != 0 && e.err.contains("tip: --fill '"), "{name}: {}", e.err);
        let done = run(&[&convert[..], &["--fill", all]].concat());
        assert_eq!(done.status, 0, "{name}: {}", done.err);
    }
    let npy = folder.path("a.npy");
    assert_eq!(
        run(&["cat", "--csv", &npy]).ok().text(),
        "zone,place,day,x,ok\n3,roof,2024-03-01,0.5,true\n-1,nowhere,1970-01-01,nan,false\n"
    );
    // several files, conditions before, other names after
    let two = run(&["cat", "--csv", &csv, &csv, "--columns", "zone", "--fill", "zone=0"]).ok();
    assert_eq!(two.text(), "zone\n3\n0\n3\n0\n");
    let words = ["--where", "zone is missing", "--fill", "zone=0", "--rename", "zone=z", "--columns", "zone"];
    assert_eq!(run(&[&["cat", "--csv", &csv][..], &words].concat()).ok().text(), "z\n0\n");
    let mean = run(&["stats", "--json", &csv, "--columns", "zone", "--fill", "zone=0"]).ok().json();
    assert_eq!(mean["columns"][0]["mean"], 1.5);
    // missing values of other formats
    let load = folder.file("a.bin", &[255, 7, 0, 0, 0, 3, 0, 0, 0, 0]);
    let scidb = ["--format", "scidb", "--schema", "(int32 null)"];
    assert_eq!(
        run(&[&["cat", "--csv", &load, "--fill", "a=-9"][..], &scidb].concat()).ok().text(),
        "a\n7\n-9\n"
    );
}

#[test]
fn patterns_fill_what_is_asked_for_and_may_be_missing() {
    let folder = Folder::new("fill-patterns");
    let csv = folder.file("a.csv", b"a,b,c\n1,2,x\n,,\n");
    let cat = |words: &[&str]| run(&[&["cat", "--csv", &csv][..], words].concat());
    assert_eq!(cat(&["--fill", "*=0"]).ok().text(), "a,b,c\n1,2,x\n0,0,0\n");
    assert_eq!(cat(&["--fill", "*=0,b=5"]).ok().text(), "a,b,c\n1,2,x\n0,5,0\n");
    assert_eq!(cat(&["--columns", "c", "--fill", "*=none"]).ok().text(), "c\nx\nnone\n");
    // bools, and what has commas, blanks and quotes
    let text = folder.file("t.csv", b"n,p,ok\n1,x,true\n,,\n");
    let filled = |fill: &[&str]| {
        run(&[&["cat", "--csv", &text][..], fill].concat()).ok().text().replace("n,p,ok\n1,x,true\n", "")
    };
    assert_eq!(filled(&["--fill", "*=0"]), "0,0,false\n");
    assert_eq!(filled(&["--fill", "*=1, p=a b"]), "1,a b,true\n");
    assert_eq!(filled(&["--fill", "p=\"a, b=c\", n=2"]), "2,\"a, b=c\",\n");
    assert_eq!(filled(&["--fill", "p=\"a\"\",b\",ok=1"]), ",\"a\"\",b\",true\n");
    assert_eq!(filled(&["--fill", "p=5\"", "--fill", "ok=false"]), ",\"5\"\"\",false\n");
    assert_eq!(filled(&["--fill", "p=\"\",n=3"]), "3,\"\",\n");
    assert_eq!(cat(&["--fill", "[ab]=0"]).ok().text(), "a,b,c\n1,2,x\n0,0,\n");
}

#[test]
fn what_is_no_value_is_told() {
    let folder = Folder::new("fill-wrong");
    let csv = folder.file("a.csv", CSV);
    for (fill, expected) in [
        ("zone=x", "column `zone` is i64?, and \"x\" is not"),
        ("zone=0.5", "column `zone` is i64?, and \"0.5\" is not"),
        ("day=x", "column `day` is time[D]?, and \"x\" is not, such as 1970-01-01"),
        ("ok=2", "column `ok` is bool?, and \"2\" is not"),
        ("zon=1", "did you mean `zone`?"),
        ("zone", "expected NAME=VALUE"),
        ("q*=1", "unknown column `q*`"),
    ] {
        let e = run(&["cat", &csv, "--fill", fill]).fails(2).err;
        assert!(e.contains(expected), "{fill}: {e}");
    }
    let load = folder.file("a.bin", &[255, 7]);
    let scidb = ["--format", "scidb", "--schema", "(int8 null)", "--fill", "a=300"];
    let e = run(&[&["cat", "--csv", &load][..], &scidb].concat()).fails(2).err;
    assert!(e.contains("column `a` is i8?, and \"300\" is not"), "{e}");
    let lists = folder.file("a.jsonl", b"{\"v\":[1]}\n{}\n");
    let e = run(&["cat", "--csv", &lists, "--fill", "v=1"]).fails(2).err;
    assert!(e.contains("column `v` is [i64]?, and missing values of such are not filled"), "{e}");
}

#[test]
fn what_is_not_filled_is_told() {
    let folder = Folder::new("fill-not");
    let csv = folder.file("a.csv", b"x,n\n1.5,1\nNaN,\n,3\n");
    let out = folder.path("a.npy");
    run(&["convert", &csv, &out, "--fill", "x=0,n=0"]).noted("column `x`: NaN is a value, and stays");
    assert_eq!(run(&["cat", "--csv", &out]).ok().text(), "x,n\n1.5,1\nnan,0\n0.0,3\n");
    run(&["convert", &csv, &out, "--columns", "n", "--fill", "n=0"]).ok();
    run(&["convert", &csv, &out, "--fill", "x=nan,n=0"]).ok();
    run(&["cat", &out, "--fill", "x=0"]).noted("--fill: column `x` has no missing values: NaN is a value");
    run(&["cat", &out, "--fill", "n=0"]).noted("note: --fill: column `n` has no missing values\n");
    run(&["cat", &out, "--fill", "*=0"]).ok();
    let e = run(&["cat", &csv, "--fill", "n=1,n=2"]).fails(2).err;
    assert!(e.contains("--fill: column `n` is there twice"), "{e}");
}
