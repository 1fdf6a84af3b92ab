//! Several files as one table: which file a row is of, and what is told.

use crate::support::{Folder, data, run};

#[track_caller]
fn csv(words: &[&str]) -> String {
    run(&[&["cat", "--csv"], words].concat()).ok().text().to_owned()
}

#[test]
fn rows_are_chosen_by_the_names_of_their_files() {
    let folder = Folder::new("together-file");
    let (a, b) = (folder.file("a.csv", b"v\n1\n2\n"), folder.file("b.csv", b"v\n3\n"));
    let (is_b, not_b) = (format!("file = '{b}'"), format!("file != '{b}'"));
    for name in ["file", "_file"] {
        let condition = format!("{name} = '{b}'");
        assert_eq!(csv(&[&a, &b, "--where", &condition]), "v\n3\n");
        assert_eq!(csv(&[&b, "--where", &condition]), "v\n3\n");
        assert_eq!(csv(&[&a, "--where", &format!("{name} != 'x'"), "--columns", "v"]), "v\n1\n2\n");
        let counted =
            run(&["stats", "--json", &a, "--where", &format!("{name} != 'x' and v > 1")]).ok().json();
        assert_eq!(counted["rows"], 1, "{counted}");
    }
    let out = folder.path("o.csv");
    run(&["convert", &b, &out, "--where", &is_b]).ok();
    assert_eq!(std::fs::read_to_string(&out).unwrap(), format!("v,file\n3,{b}\n"));
    run(&["convert", &a, &b, &out, "--where", &not_b, "--force"]).ok();
    assert_eq!(std::fs::read_to_string(&out).unwrap(), format!("v,file\n1,{a}\n2,{a}\n"));
    let twiss = data("../../../examples/data/twiss.sdds");
    run(&["convert", &twiss, &out, "--columns", "file,s", "--rows", "..1"]).ok();
    assert_eq!(std::fs::read_to_string(&out).unwrap(), format!("file,s\n{twiss},0.0\n"));
    let sdds = folder.path("o.sdds");
    run(&["convert", &twiss, &sdds, "--columns", "file,s", "--rows", "..1"]).noted("its fixed value becomes");
    assert_eq!(csv(&[&sdds, "--columns", "file,s"]), format!("file,s\n{twiss},0.0\n"));
    // a text that is the word is not the column
    let texts = folder.file("t.csv", b"v\nfile\n");
    assert_eq!(csv(&[&texts, "--where", "v = 'file'"]), "v\nfile\n");
    run(&["convert", &texts, &out, "--where", "v = 'file'"]).ok();
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "v\nfile\n");
}

#[test]
fn a_column_file_of_any_file_is_that_column() {
    let folder = Folder::new("together-own");
    let own = folder.file("own.csv", b"file,v\nx,1\n");
    let none = folder.file("none.csv", b"v\n2\n");
    assert_eq!(csv(&[&own, "--where", "file = 'x'"]), "file,v\nx,1\n");
    assert_eq!(csv(&[&own, "--columns", "_file,file"]), format!("_file,file\n{own},x\n"));
    for files in [[&own, &none], [&none, &own]] {
        for words in [["--columns", "file"], ["--where", "file = 'x'"]] {
            let e = run(&[&["cat", files[0], files[1]], &words[..]].concat());
            assert!(e.status != 0 && e.err.contains("none.csv") && e.err.contains("`file`"), "{}", e.err);
        }
        let names = csv(&[files[0], files[1], "--columns", "_file,v"]);
        assert!(names.contains(&format!("{own},1\n")) && names.contains(&format!("{none},2\n")), "{names}");
    }
}

#[test]
fn a_unit_that_only_some_files_have_is_told() {
    let folder = Folder::new("together-units");
    let file = |name: &str, units: &str| {
        let text = format!(
            "SDDS1\n&column name=x, {units} type=double, &end\n&column name=y, {units} type=double, &end\n\
             &column name=n, type=long, &end\n&data mode=ascii, &end\n1\n1 2 3\n"
        );
        folder.file(name, text.as_bytes())
    };
    let (metres, none) = (file("m.sdds", "units=m,"), file("n.sdds", ""));
    let out = folder.path("o.csv");
    for other in [&none] {
        let told = format!("note: column `x` is in m in {metres} and has no unit in {other}");
        for words in [
            &["cat", &metres, other][..],
            &["cat", other, &metres],
            &["stats", &metres, other],
            &["convert", &metres, other, &out, "--force"],
            &["cat", &metres, other, "--columns", "x"],
        ] {
            let done = run(words).noted(&told);
            assert_eq!(
                done.err.lines().filter(|line| line.contains("has no unit")).count(),
                1,
                "{}",
                done.err
            );
        }
    }
    #[cfg(feature = "plot")]
    for files in [[&metres, &none], [&none, &metres]] {
        let out = folder.path("o.svg");
        let drawn = run(&["plot", files[0], files[1], "--x", "n", "--y", "x", "--output", &out]);
        drawn.noted("column `x` is in m in ");
    }
    for words in [["cat", &metres, &metres], ["cat", &none, &none], ["stats", &none, &none]] {
        run(&words).ok();
    }
    run(&["cat", &metres, &none, "--columns", "n"]).ok();
}

/// A condition chooses rows, and no columns.
#[test]
fn a_condition_leaves_no_column_out() {
    let folder = Folder::new("together-where");
    let a = folder.file("a.csv", b"x,y\n1,2\n");
    let b = folder.file("b.csv", b"y\n3\n");
    let missing = "b.csv: column `x` of a.csv is missing";
    for words in [&["cat"][..], &["stats"]] {
        for rows in [&[][..], &["--where", "y > 0"]] {
            let e = run(&[words, rows, &[&a, &b]].concat()).fails(1);
            assert!(e.err.replace(&folder.path(""), "").contains(missing), "{}", e.err);
        }
    }
    let all = folder.path("all.csv");
    run(&["convert", &a, &b, &all, "--where", "y > 0"]).fails(1);
    let named = run(&["cat", "--csv", "--columns", "y", "--where", "y > 2", &a, &b]).ok();
    assert_eq!(named.text(), "y\n3\n");
    // units that differ are told, whatever the condition names
    let head = |units: &str| {
        format!(
            "SDDS1\n&column name=x, type=double, units={units} &end\n&column name=y, type=long &end\n&data mode=ascii &end\n1\n1 2\n"
        )
    };
    let a = folder.file("a.sdds", head("m").as_bytes());
    let b = folder.file("b.sdds", head("mm").as_bytes());
    let e = run(&["cat", "--where", "y > 0", &a, &b]).fails(1);
    assert!(e.err.contains("column `x` is in mm"), "{}", e.err);
}

#[test]
fn the_last_of_several_files_is_not_replaced_by_chance() {
    let folder = Folder::new("together-last");
    let [a, b, c] = ["a", "b", "c"].map(|name| folder.file(&format!("{name}.csv"), b"v\n1\n"));
    let e = run(&["convert", &a, &b, &c]).fails(2).err;
    assert!(e.contains("c.csv: it is there") && e.contains("--force"), "{e}");
    assert_eq!(std::fs::read(&c).unwrap(), b"v\n1\n");
    run(&["convert", &a, &b, &c, "--force"]).ok();
    assert_eq!(std::fs::read_to_string(&c).unwrap(), format!("v,file\n1,{a}\n1,{b}\n"));
    // one file and a name, or a pattern and a name, are no list that lacks one
    run(&["convert", &a, &c]).ok();
    run(&["convert", &folder.path("[ab].csv"), &c]).ok();
}

#[test]
fn names_of_files_are_left_out_where_columns_have_no_names() {
    let folder = Folder::new("together-places");
    let csv = folder.file("a.csv", b"a,b\n1,2\n");
    let out = folder.path("o.bin");
    let written = ["--to", "scidb", "--schema", "(int8, int8)"];
    run(&[&["convert", &csv, &csv, &out][..], &written].concat()).noted("is left out");
    assert_eq!(std::fs::read(&out).unwrap(), [1, 2, 1, 2]);
    let read = ["--format", "scidb", "--schema", "(int8, int8)", "--force"];
    let load = folder.file("l.bin", &[3, 4]);
    run(&[&["convert", &load, &load, &out][..], &read].concat()).noted("column `file` is left out");
    assert_eq!(std::fs::read(&out).unwrap(), [3, 4, 3, 4]);
    // where there is a place for them they are written
    let named = ["--to", "scidb", "--schema", "(int8, int8, string)", "--force"];
    run(&[&["convert", &csv, &csv, &out][..], &named].concat());
    assert!(std::fs::read(&out).unwrap().windows(5).any(|bytes| bytes == b"a.csv"));
}
