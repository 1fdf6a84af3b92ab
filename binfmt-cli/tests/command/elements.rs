//! Elements: those of the arrays of SDDS as rows, and those of lists in one column.

use crate::support::*;

/// Two pages of an image and fewer marks, beside a column.
const BOTH: &[u8] =
    b"SDDS1\n&parameter name=Run, type=long &end\n&array name=image, type=short, dimensions=2, units=mm &end\n\
    &array name=mark, type=string &end\n&column name=x, type=short &end\n&data mode=ascii &end\n\
    7\n2 3\n1 2 3 4 5 6\n2\na b\n1\n9\n8\n1 2\n7 8\n0\n\n0\n";

/// Positions of a turn-by-turn file, which has no columns.
const TURNS: &[u8] =
    b"SDDS1\n&parameter name=turns, type=long &end\n&array name=horA, type=float &end\n&array name=horB, type=float &end\n\
    &array name=bpm, type=string &end\n&data mode=ascii &end\n3\n3\n0.5 1.5 2.5\n3\n-1 -2 -3\n2\nBPM.1 BPM.2\n";

#[track_caller]
fn csv(words: &[&str]) -> String {
    run(&[&["cat", "--csv"], words].concat()).ok().text().to_owned()
}

#[test]
fn arrays_are_chosen_by_name() {
    let folder = Folder::new("elements-named");
    let both = folder.file("both.sdds", BOTH);
    assert_eq!(csv(&[&both, "--arrays", "image,mark"]), "image,mark\n1,a\n2,b\n3,\n4,\n5,\n6,\n7,\n8,\n");
    assert_eq!(csv(&[&both, "--arrays", "*"]), csv(&[&both, "--arrays", "[mi]*"]));
    // the columns that no file has are there for those who name them
    let named = ["--arrays", "image", "--columns", "Run,_page,_index0,_index1,image", "--where", "image > 5"];
    let expected = "Run,_page,_index0,_index1,image\n7,0,1,2,6\n8,1,0,0,7\n8,1,0,1,8\n";
    assert_eq!(csv(&[&[both.as_str()][..], &named].concat()), expected);
    let every = csv(&[&both, "--arrays", "image", "--columns", "*"]);
    assert!(every.starts_with("image\n1\n"), "{every}");
    let turns = folder.file("turns.sdds", TURNS);
    assert_eq!(
        csv(&[&turns, "--arrays", "hor*", "--where", "_index between 1 and 5"]),
        "horA,horB\n1.5,-2.0\n2.5,-3.0\n"
    );
    assert_eq!(csv(&[&turns, "--where", "bpm like '%.2'"]), "horA,horB,bpm\n1.5,-2.0,BPM.2\n");

    for (words, why) in [
        (&["cat", &both, "--arrays", "imag"][..], "unknown array `imag`, expected one of `image`, `mark`"),
        (&["cat", &both, "--arrays", "x*"], "unknown array `x*`"),
        (&["cat", &data("../sdds/hand/ascii_plain.sdds"), "--arrays", "*"], "the file has no arrays"),
        (&["cat", &both, "--arrays", "*", "--parameters", "Run"], "a row for each page, and --arrays"),
        (&["cat", &both, "--arrays", "*", "--json"], "--arrays is for tables"),
        (&["check", &both, "--arrays", "*"], "--arrays"),
    ] {
        let e = run(words);
        assert!(e.status > 0 && e.err.contains(why), "{words:?}: {}", e.err);
    }
}

#[test]
fn every_command_takes_arrays() {
    let folder = Folder::new("elements-commands");
    let both = folder.file("both.sdds", BOTH);
    let stats = run(&["stats", "--json", &both, "--arrays", "image"]).ok().json();
    assert_eq!(stats["columns"][0]["count"], 8);
    assert_eq!(stats["columns"][0]["max"], 8);
    let svg = folder.path("p.svg");
    run(&["plot", &both, "--output", &svg, "--arrays", "image", "--x", "_index", "--y", "image"]).ok();
    assert!(std::fs::read_to_string(&svg).unwrap().contains("image"));
    let more = folder.file("more.sdds", &[&BOTH[..BOTH.len() - 2], b"0\n"].concat());
    run(&["diff", &both, &more, "--arrays", "*"]).ok();
    let many = csv(&[&both, &more, "--arrays", "image", "--columns", "_file,image", "--where", "image = 8"]);
    assert_eq!(many.lines().count(), 3, "{many}");
    for out in ["o.csv", "o.npy", "o.jsonl", "o.sdds"] {
        let out = folder.path(out);
        let done = run(&["convert", &both, &out, "--arrays", "image"]);
        assert!(done.status == 0 && !done.err.contains("_index"), "{done:?}");
        let found = run(&["cat", "--csv", &out]).ok();
        assert_eq!(found.text().lines().count(), 9, "{out}: {found:?}");
    }
    let out = folder.path("c.sdds");
    let renamed = ["--arrays", "image", "--columns", "_index,image", "--rename", "_index=n"];
    run(&[&["convert", both.as_str(), &out][..], &renamed].concat()).ok();
    assert_eq!(csv(&[&out]).lines().next(), Some("n,image"));
}

#[test]
fn numbers_in_lists_are_summed_up() {
    let folder = Folder::new("elements-stats");
    let layout = folder.file("l.layout", b"record, le\n  n: u8\n  v: [u16], length_prefixed(u8)\n");
    let lists = folder.file("l.bin", b"\x01\x02\x01\0\x02\0\x02\x01\x0a\0\x03\0");
    let of = |words: &[&str]| run(&[&["stats", "--json"], words].concat()).ok().json()["columns"].clone();
    let read = ["--layout", layout.as_str(), lists.as_str()];
    for brief in [&[][..], &["--brief"]] {
        let found = of(&[&read[..], brief].concat());
        let v = &found[1];
        assert_eq!((&v["count"], &v["missing"]), (&3.into(), &0.into()), "{v}");
        assert_eq!((&v["elements"], &v["elements_missing"]), (&3.into(), &0.into()), "{v}");
        assert_eq!((v["min"].as_f64(), v["max"].as_f64()), (Some(1.0), Some(10.0)), "{v}");
        assert_eq!(v["mean"].as_f64(), Some(13.0 / 3.0), "{v}");
        assert!(found[0]["elements"].is_null());
        let shown = run(&[&["stats"], &read[..], brief].concat()).ok();
        assert!(shown.text().contains("elements"), "{}", shown.text());
    }
    // a matrix, and an array of three dimensions
    let matrix = folder.file("m.in", b"[[1i32, 2i32], [3i32, 6i32]]");
    let found = of(&[&matrix, "--format", "futhark"]);
    assert_eq!((&found[0]["elements"], found[0]["mean"].as_f64()), (&4.into(), Some(3.0)), "{found}");
    let head = format!("{:<117}\n", "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 2, 2), }");
    let values: Vec<u8> = (1..=8i16).flat_map(i16::to_le_bytes).collect();
    let cube = [&b"\x93NUMPY\x01\0\x76\0"[..], head.as_bytes(), &values].concat();
    let found = of(&[&folder.file("cube.npy", &cube)]);
    assert_eq!((&found[0]["count"], &found[0]["elements"]), (&2.into(), &8.into()), "{found}");
    assert_eq!(found[0]["mean"].as_f64(), Some(4.5), "{found}");
    // without lists there is no word of elements
    let plain = folder.file("p.csv", b"a\n1\n2\n");
    assert!(
        !run(&["stats", &plain]).ok().text().contains("elements")
            && of(&[&plain])[0].get("elements").is_none()
    );
}

#[test]
fn texts_are_matched_and_numbers_lie_between() {
    let folder = Folder::new("elements-like");
    let file = folder.file("b.csv", b"name,s\nBPM.1,0.5\nBPM_2,1.5\nQ1,2.5\n,3\n");
    let names = |condition: &str| csv(&[&file, "--where", condition, "--columns", "name", "--no-header"]);
    assert_eq!(names("name like 'BPM%'"), "BPM.1\nBPM_2\n");
    assert_eq!(names(r"name like 'BPM\_%'"), "BPM_2\n");
    assert_eq!(names("name ILIKE 'bpm._' or s between 2 and 2.5"), "BPM.1\nQ1\n");
    assert_eq!(names("name not like '%1'"), "BPM_2\n");
    assert_eq!(names("s not between 1 and 4"), "BPM.1\n");
    for (condition, why) in [
        ("name =~ 'x'", "say `not`, or `name like 'ab%'`"),
        ("startswith(name, 'B')", "no function `startswith`: say `name like 'ab%'`"),
        ("name.contains('B')", "no function `contains`: say `name like '%ab%'`"),
        ("s > 0 & s < 2", "`and` joins conditions"),
        ("name starts with 'B'", "say `name like 'ab%'`"),
        ("name = null", "`x is missing`"),
    ] {
        let e = run(&["cat", &file, "--where", condition]).fails(2).err;
        assert!(e.contains(why), "{condition}: {e}");
    }
}
