//! Dates and times in files of text whose types nobody said.

use crate::support::{Folder, run};

fn types(file: &str) -> Vec<(String, String)> {
    let json = run(&["inspect", "--json", file]).ok().json();
    let fields = json["fields"].as_array().unwrap().iter();
    let text = |field: &serde_json::Value, key: &str| field[key].as_str().unwrap().to_owned();
    fields.map(|field| (text(field, "name"), text(field, "type"))).collect()
}

const ALL: &str = "\
day,when,ms,zone,mixed,odd,clock,number,code
2024-03-01,2024-03-01T12:00:00,2024-03-01 12:00:00.250,2024-03-01T12:00:00Z,2024-03-01,2024-03-01,12:00,20240301,0123
1969-12-31,2024-03-01 12:00:01,2024-03-01T12:00:00.5,2024-03-01T12:00:00+01:00,2024-03-01T00:00:01,2024-13-01,13:00,20240302,0124
,,,,,,,,
";

#[test]
fn they_are_times_where_types_are_told_and_text_where_text_is_shown() {
    let folder = Folder::new("dates");
    let csv = folder.file("a.csv", ALL.as_bytes());
    let found: Vec<String> = types(&csv).into_iter().map(|(_, ty)| ty).collect();
    let expected =
        ["time[D]?", "time[s]?", "time[ms]?", "time[s]?", "time[s]?", "text?", "text?", "i64?", "text?"];
    assert_eq!(found, expected);
    // as they are written
    assert_eq!(run(&["cat", "--csv", &csv]).ok().text(), ALL);
    assert_eq!(run(&["convert", &csv, "-", "--to", "csv"]).ok().text(), ALL);
    let lines = folder.path("a.jsonl");
    run(&["convert", &csv, &lines]).ok();
    assert_eq!(types(&lines), types(&csv));
    let again = folder.path("again.csv");
    run(&["convert", &lines, &again]).ok();
    assert_eq!(std::fs::read_to_string(&again).unwrap(), ALL);
    let json = run(&["cat", "--json", &csv, "--rows", "..1", "--columns", "day,ms"]).ok();
    assert!(json.text().contains("[\"2024-03-01\",\"2024-03-01 12:00:00.250\"]"), "{}", json.text());
    // as times
    let filtered =
        run(&["cat", "--csv", &csv, "--columns", "zone", "--where", "zone < '2024-03-01T11:30:00'"]);
    assert_eq!(filtered.ok().text(), "zone\n2024-03-01T12:00:00+01:00\n");
    let stats = run(&["stats", "--json", &csv, "--columns", "day"]).ok().json();
    assert_eq!(
        (&stats["columns"][0]["type"], &stats["columns"][0]["min"]),
        (&"time[D]?".into(), &(-1).into())
    );
    // what is said comes first
    let said = run(&["inspect", "--json", &csv, "--types", "day:text,code:i64"]).ok().json();
    assert_eq!((&said["fields"][0]["type"], &said["fields"][8]["type"]), (&"text?".into(), &"i64?".into()));
    assert!(run(&["find", "2024-13-01", &csv]).ok().text().contains("[1].odd"));
    assert!(run(&["find", "1969-12-31", &csv]).ok().text().contains("[1].day"));
}

#[test]
fn a_file_and_its_text_have_the_same_values() {
    let folder = Folder::new("dates-npy");
    let csv = folder.file("a.csv", b"d,t,x\n2024-03-01,2024-03-01T12:00:00.5,1\n2024-03-02,,2\n");
    let npy = folder.path("a.npy");
    run(&["convert", &csv, &npy]).ok();
    assert_eq!(run(&["inspect", "--json", &npy]).ok().json()["fields"][1]["dtype"], "<M8[ms]");
    assert_eq!(types(&npy)[..2], [("d".into(), "time[D]?".into()), ("t".into(), "time[ms]?".into())]);
    for name in ["b.csv", "b.tsv", "b.jsonl"] {
        let text = folder.path(name);
        run(&["convert", &npy, &text]).ok();
        assert!(run(&["diff", &npy, &text]).ok().text().contains("the same"), "{name}");
    }
    // drawn without a word of their types
    run(&["plot", &csv, "--output", &folder.path("a.svg"), "--x", "d", "--y", "x"]).ok();
}

#[test]
fn what_is_not_a_time_makes_texts_of_all() {
    let folder = Folder::new("dates-text");
    for (rows, expected) in [
        ("2024-03-01\nn/a\n", "text?"),
        ("2024-03-01\n5\n", "text?"),
        ("5\n2024-03-01\n", "text?"),
        ("2024-03-01T12:00:00\n2024-03-01T12:00:00Z\n", "text?"),
        ("2024-03-01T12:00:00.000000001\n9999-12-31\n", "text?"),
        ("2024-02-30\n", "text?"),
        ("NaT\n", "text?"),
        ("2024-03-01\nNaT\n", "time[D]?"),
        ("\"2024-03-01\"\n", "time[D]?"),
        ("2024-03-01T12:00\n", "time[s]?"),
        ("2024-03-01\n2024-03-01T12:00:00.123456789\n", "time[ns]?"),
    ] {
        let csv = folder.file("a.csv", format!("t\n{rows}").as_bytes());
        assert_eq!(types(&csv), [("t".to_owned(), expected.to_owned())], "{rows}");
        assert_eq!(run(&["cat", "--csv", "--no-header", &csv]).ok().text(), rows.replace('"', ""), "{rows}");
    }
    // `NaT` is no time
    let csv = folder.file("a.csv", b"t\n2024-03-01\nNaT\n");
    assert_eq!(run(&["cat", "--csv", &csv, "--where", "t is missing"]).ok().text(), "t\nNaT\n");
    // times in one file, and something else in the other
    let one = folder.file("one.csv", b"t\n2024-03-01\n");
    for (other, expected) in [("7", "7"), ("x", "x"), ("2024-03-01T00:00:00.5", "2024-03-01T00:00:00.5")] {
        let other = folder.file("other.csv", format!("t\n{other}\n").as_bytes());
        for both in [[&one, &other], [&other, &one]] {
            let shown = run(&["cat", "--csv", both[0], both[1]]).ok();
            assert!(shown.text().contains("\n2024-03-01\n"), "{}", shown.text());
            assert!(shown.text().contains(&format!("\n{expected}\n")), "{}", shown.text());
        }
    }
}

#[test]
fn local_times_of_one_file_are_not_among_those_of_another_that_are_none() {
    let folder = Folder::new("dates-zones");
    let local = folder.file("local.csv", b"t\n2024-03-01T12:00:00\n");
    let zoned = folder.file("zoned.csv", b"t\n2024-03-01T12:00:00.5Z\n");
    let ty = |files: [&String; 2]| {
        run(&["stats", "--json", files[0], files[1]]).ok().json()["columns"][0]["type"].clone()
    };
    assert_eq!(ty([&local, &zoned]), "text?");
    assert_eq!(ty([&zoned, &local]), "text?");
    assert_eq!(ty([&zoned, &zoned]), "time[ms]?");
}

#[test]
fn a_later_field_is_text_or_an_error_and_never_another_time() {
    let folder = Folder::new("dates-late");
    let begin = format!("t\n{}", "2024-03-01T12:00:00\n".repeat(60_000));
    for (late, tip) in [
        ("n/a", "--types t:text"),
        ("1700000000", "--types t:text"),
        ("2024-03-01T12:00:00Z", "--types t:text"),
        ("2024-03-01T12:00:00.5", "--types 't:time[ms]'"),
    ] {
        let csv = folder.file("a.csv", format!("{begin}{late}\n").as_bytes());
        assert_eq!(types(&csv)[0].1, "time[s]?");
        let text = run(&["cat", "--csv", &csv]).ok();
        assert!(text.text().ends_with(&format!("\n{late}\n")), "{late}");
        let e = run(&["convert", &csv, &folder.path("a.npy")]).fails(1).err;
        assert!(e.contains(&format!("expected time[s], found \"{late}\" in line 60002")), "{e}");
        assert!(e.contains(tip), "{e}");
    }
}
