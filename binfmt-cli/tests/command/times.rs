//! Times that files count in different units stay the same times.

use crate::support::{Folder, run};

const DATED: &[u8] = b"id,t\n1,2024-01-01T00:00:01\n2,\n3,1969-12-31T23:59:59\n";

/// An array of NumPy with these times in a unit.
fn npy(folder: &Folder, name: &str, unit: &str) -> String {
    let (csv, out) = (folder.file("dated.csv", DATED), folder.path(name));
    run(&["convert", &csv, &out, "--types", &format!("t:time[{unit}]")]).ok();
    out
}

#[test]
fn files_of_several_units_are_one_table() {
    let folder = Folder::new("times-several");
    let (seconds, milliseconds) = (npy(&folder, "s.npy", "s"), npy(&folder, "ms.npy", "ms"));
    let rows = "1,2024-01-01T00:00:01.000\n2,\n3,1969-12-31T23:59:59.000\n";
    for files in [[&seconds, &milliseconds], [&milliseconds, &seconds]] {
        let cat = run(&["cat", "--csv", files[0], files[1]]).ok();
        assert_eq!(cat.text(), format!("id,t\n{rows}{rows}"));
        let some = ["cat", "--csv", files[0], files[1], "--where", "t > '2024-01-01'", "--columns", "id"];
        assert_eq!(run(&some).ok().text(), "id\n1\n1\n");
    }
    let numbers = folder.file("numbers.jsonl", b"{\"id\":1,\"t\":5}\n");
    let e = run(&["cat", &seconds, &numbers]).fails(1).err;
    assert!(e.contains("numbers.jsonl: column `t` has numbers, in ") && e.contains("it has times"), "{e}");
}

#[test]
fn scidb_has_seconds() {
    let folder = Folder::new("times-scidb");
    let (npy, load) = (npy(&folder, "ms.npy", "ms"), folder.path("load.bin"));
    let words = ["--schema", "<id:int64 NOT NULL, t:datetime>[i]"];
    let told = "note: column `t`, times in ms to times in s: checked";
    run(&[&["convert", &npy, &load, "--to", "scidb"][..], &words].concat()).noted(told);
    let cat = run(&[&["cat", "--csv", &load, "--format", "scidb"][..], &words].concat()).ok();
    assert_eq!(cat.text().as_bytes(), DATED);

    let csv = folder.file("finer.csv", b"id,t\n1,2024-01-01T00:00:01\n2,2024-01-01T00:00:01.5\n");
    let finer = ["convert", &csv, &load, "--to", "scidb", "--types", "t:time[ns]"];
    let e = run(&[&finer[..], &words].concat()).fails(1).err;
    assert!(e.contains("finer.csv: [1].t: 2024-01-01T00:00:01.500000000 is not a time in s"), "{e}");
    let whole = ["--schema", "<id:int64 NOT NULL, t:int64>[i]"];
    let told = "they count ms since 1970 is left out";
    run(&[&["convert", &npy, &load, "--to", "scidb"][..], &whole].concat()).noted(told);
}

#[test]
fn an_array_keeps_its_unit_and_a_layout_has_none() {
    let folder = Folder::new("times-array");
    let (seconds, milliseconds) = (npy(&folder, "s.npy", "s"), npy(&folder, "ms.npy", "ms"));
    let array = folder.path("array.tdb");
    run(&["convert", &milliseconds, &array, "--where", "t is not missing", "--array", "sparse"]).ok();
    let more = ["convert", &seconds, &array, "--append", "--where", "id = 1"];
    run(&more).noted("times in s to times in ms: widened");
    let cat = run(&["cat", "--csv", &array, "--columns", "t", "--where", "id = 1"]).ok();
    assert_eq!(cat.text(), "t\n2024-01-01T00:00:01.000\n2024-01-01T00:00:01.000\n");

    let layout = folder.file("r.layout", b"R: record, le\n  id: u8\n  t: i64, nullable\n");
    for from in [&milliseconds, &array] {
        let out = folder.path("r.bin");
        let words = ["convert", from, &out, "--to", "layout", "--layout", &layout];
        run(&words).noted("they count ms since 1970 is left out");
        let rows = run(&["cat", "--csv", &out, "--layout", &layout, "--rows", "..1"]).ok();
        assert_eq!(rows.text(), "id,t\n1,1704067201000\n");
    }
}

#[test]
fn statistics_have_dates() {
    let folder = Folder::new("times-stats");
    let seconds = npy(&folder, "s.npy", "s");
    let done = run(&["stats", &seconds, "--columns", "t"]).ok();
    let told = done.text();
    let line = told.lines().last().unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(line[..2], ["t", "time[s]?"]);
    for date in ["1969-12-31T23:59:59", "1996-12-31T12:00:00", "2024-01-01T00:00:01"] {
        assert!(line.contains(&date), "{told}");
    }
    let done = run(&["stats", &seconds, &npy(&folder, "ms.npy", "ms"), "--brief"]).ok();
    let brief = done.text();
    assert!(brief.contains("time[ms]?") && brief.contains("2024-01-01T00:00:01.000"), "{brief}");
    let json = run(&["stats", "--json", &seconds, "--columns", "t"]).ok().json();
    assert_eq!(json["columns"][0]["max"], 1_704_067_201);
}

/// Times are compared in the finer unit; that the units are others is a difference of the types.
#[test]
fn the_same_times_in_other_units_are_of_another_type() {
    let folder = Folder::new("times-diff");
    let (seconds, milliseconds) = (npy(&folder, "s.npy", "s"), npy(&folder, "ms.npy", "ms"));
    for (one, other, units) in
        [(&seconds, &milliseconds, "time[s]? | time[ms]?"), (&milliseconds, &seconds, "time[ms]? | time[s]?")]
    {
        let done = run(&["diff", one, other]);
        assert!(
            done.status == 1 && done.text().starts_with(&format!("column `t`: {units}\nbytes: ")),
            "{done:?}"
        );
    }
    let other = folder.file("other.csv", b"id,u\n1,2024-01-01T00:00:01.000\n2,\n3,1969-12-31T23:59:59.001\n");
    let said = ["--types", "u:time[ms]", "--rename", "t=u"];
    let done = run(&[&["diff", &seconds, &other][..], &said].concat());
    let told = "[2].u: 1969-12-31T23:59:59.000 | 1969-12-31T23:59:59.001\n";
    assert!(
        done.status == 1 && done.text().contains(told) && done.text().contains("1 value differs"),
        "{done:?}"
    );
    run(&[&["diff", &seconds, &other, "--absolute", "1"][..], &said].concat()).ok();
    // what the finer unit cannot count
    let far = folder.file("far.csv", b"t\n1970-01-01T00:00:00\n3000-01-01T00:00:00\n");
    let near = folder.file("near.csv", b"t\n1970-01-01T00:00:00.000000000\n1970-01-01T00:00:00.000000001\n");
    let (coarse, fine) = (folder.path("far.npy"), folder.path("near.npy"));
    run(&["convert", &far, &coarse, "--types", "t:time[s]"]).ok();
    run(&["convert", &near, &fine, "--types", "t:time[ns]"]).ok();
    let e = run(&["diff", &coarse, &fine]).fails(1).err;
    assert!(
        e.contains("far.npy: [1].value: 3000-01-01T00:00:00 is too far from 1970 to be counted in ns"),
        "{e}"
    );
}

/// What `convert` writes for times in a format without any is times again.
#[test]
fn times_come_back_from_sdds() {
    let folder = Folder::new("times-sdds");
    let csv = folder.file("t.csv", b"t,v\n2020-01-26T00:00:00,1\n2020-01-27T10:00:00,2\n");
    let shown = "t,v\n2020-01-26T00:00:00,1\n2020-01-27T10:00:00,2\n";
    for (mode, unit) in [("ascii", "s"), ("binary", "s"), ("binary", "us")] {
        let path = folder.path(&format!("{mode}-{unit}.sdds"));
        let types = format!("t:time[{unit}]");
        run(&["convert", &csv, &path, "--types", &types, "--mode", mode]).noted("since 1970-01-01");
        let table = run(&["cat", &path, "--no-parameters"]).ok();
        assert!(table.text().contains("2020-01-26T00:00:00"), "{table:?}");
        let later = run(&["cat", &path, "--csv", "--where", "t > '2020-01-26'"]).ok();
        assert_eq!(later.text().replace(".000000", ""), "t,v\n2020-01-27T10:00:00,2\n");
        let stats = run(&["stats", &path, "--columns", "t", "--json"]).ok().json();
        assert_eq!(stats["columns"][0]["type"], format!("time[{unit}]"));
        assert!(run(&["find", "2020-01-26", &path]).ok().text().contains("table[0].t: 2020-01-26T00:00:00"));
        assert_eq!(run(&["convert", &path, "-", "--to", "csv"]).ok().text().replace(".000000", ""), shown);
        // the same file again, whatever was chosen
        let again = folder.path("again.sdds");
        run(&["convert", &path, &again, "--force"]).ok();
        assert_eq!(std::fs::read(&again).unwrap(), std::fs::read(&path).unwrap());
        run(&["convert", &path, &again, "--force", "--where", "v = 1"]).ok();
        let units = run(&["inspect", &again]).ok();
        assert!(units.text().contains(&format!("long64  {unit} since 1970-01-01")), "{units:?}");
    }
    // several units become one
    let [one, other, both] = ["ascii-s.sdds", "binary-us.sdds", "both.sdds"].map(|name| folder.path(name));
    run(&["convert", &one, &other, &both]);
    assert!(run(&["inspect", &both]).ok().text().contains("us since 1970-01-01"));
    assert_eq!(
        run(&["cat", &both, "--csv", "--columns", "t", "--where", "t = '2020-01-26'"])
            .ok()
            .text()
            .lines()
            .count(),
        3
    );
}

#[test]
fn numbers_are_no_times_unless_it_is_said() {
    let folder = Folder::new("times-numbers");
    let of = |units: &str, kind: &str| {
        let text =
            format!("SDDS1\n&column name=t, type={kind}{units} &end\n&data mode=ascii &end\n1\n1579996800\n");
        folder.file("n.sdds", text.as_bytes())
    };
    for (units, kind) in
        [("", "long64"), (", units=s", "long64"), (", units=\"s since 1970-01-01\"", "double")]
    {
        let file = of(units, kind);
        let e = run(&["cat", &file, "--where", "t > '2020-01-01'"]).fails(2).err;
        assert!(e.contains("text is not a number") && e.contains("--dates NAME:UNIT"), "{e}");
        let stats = run(&["stats", &file, "--dates", "t:s", "--json"]).ok().json();
        let kind = stats["columns"][0]["type"].as_str().unwrap();
        assert!(kind.starts_with("time["), "{kind}");
        assert_eq!(
            run(&["cat", &file, "--csv", "--no-header", "--dates", "t:s"]).ok().text().get(..10),
            Some("2020-01-26")
        );
    }
    let e = run(&["cat", &of("", "long64"), "--where", "t > 'x'"]).fails(2).err;
    assert!(!e.contains("--dates"), "{e}");
}

/// A column without a value, or a file without a row, has missing times.
#[test]
fn nothing_is_missing_times() {
    let folder = Folder::new("times-nothing");
    let missing = folder.file("m.csv", b"t,v\n,1\n");
    let empty = folder.file("e.csv", b"t,v\n");
    let null = folder.file("n.jsonl", b"{\"t\":null,\"v\":1}\n");
    let dates = ["--dates", "t:s"];
    for (file, rows) in [(&missing, ",1\n"), (&empty, ""), (&null, ",1\n")] {
        for words in [&["convert", file, "-", "--to", "csv"][..], &["cat", "--csv", file]] {
            assert_eq!(run(&[words, &dates].concat()).ok().text(), format!("t,v\n{rows}"));
        }
        let stats = run(&[&["stats", "--json", file][..], &dates].concat()).ok().json();
        assert_eq!(stats["columns"][0]["type"], "time[s]?");
        let sorted = ["cat", "--csv", file, "--where", "t > '2020-01-01'", "--dates", "t:s"];
        assert!(run(&sorted).text().starts_with("t,v\n"));
        let out = folder.path("o.npy");
        run(&[&["convert", file, &out][..], &dates].concat()).ok();
    }
    let times = folder.file("t.csv", b"t,v\n1600000000,2\n");
    let cat = run(&["cat", "--csv", &missing, &times, "--dates", "t:s"]).ok();
    assert_eq!(cat.text(), "t,v\n,1\n2020-09-13T12:26:40,2\n");
    let text = folder.file("x.csv", b"t,v\nx,1\n");
    assert!(run(&["cat", &text, "--dates", "t:s"]).fails(2).err.contains("counts no time"));
    // a unit is said once
    let e = run(&["cat", &times, "--dates", "t:s,t:ms"]).fails(2).err;
    assert!(e.contains("--dates: column `t` is there twice"), "{e}");
}

#[test]
fn arrays_of_times_have_missing_ones_and_complex_numbers_no_mean() {
    let folder = Folder::new("times-arrays");
    let npy = |name: &str, dtype: &str, shape: &str, data: &[u8]| {
        let head = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}");
        let head = format!("{head:<117}\n");
        let bytes = [b"\x93NUMPY\x01\0", &118u16.to_le_bytes()[..], head.as_bytes(), data].concat();
        let path = folder.file(name, &bytes);
        run(&["stats", "--json", &path]).ok().json()["columns"][0].clone()
    };
    let days: Vec<u8> = [10, i64::MIN, 20, 30].iter().flat_map(|n: &i64| n.to_le_bytes()).collect();
    for (dtype, shape) in [("<M8[D]", "(2, 2)"), ("<m8[s]", "(1, 4)"), ("<M8[D]", "(1, 2, 2)")] {
        let found = npy("t.npy", dtype, shape, &days);
        assert_eq!((&found["min"], &found["mean"]), (&10.into(), &20.0.into()), "{found}");
        assert_eq!((&found["elements"], &found["elements_missing"]), (&3.into(), &1.into()), "{found}");
    }
    npy("t.npy", "<M8[D]", "(2, 2)", &days);
    let lists = ["[\"1970-01-11\",null]", "[\"1970-01-21\",\"1970-01-31\"]"];
    let file = folder.path("t.npy");
    assert_eq!(run(&["cat", &file]).ok().text(), format!("value\n{}\n{}\n", lists[0], lists[1]));
    let lines = run(&["convert", &file, "-", "--to", "jsonl"]);
    assert_eq!(lines.text(), format!("{{\"value\":{}}}\n{{\"value\":{}}}\n", lists[0], lists[1]));
    assert!(lines.err.contains("column `value`, times to text: ISO 8601\n"), "{}", lines.err);
    let halves: Vec<u8> = [1.0, f64::NAN, 3.0, 4.0].iter().flat_map(|x: &f64| x.to_le_bytes()).collect();
    let found = npy("c.npy", "<c16", "(2,)", &halves);
    assert_eq!((&found["nan"], found["elements"].is_null()), (&1.into(), true), "{found}");
    for shape in ["(2,)", "(1, 2)", "(1, 1, 2)"] {
        let found = npy("c.npy", "<c16", shape, &halves);
        assert!(["min", "mean", "median", "distinct"].iter().all(|key| found[key].is_null()), "{found}");
    }
}

#[test]
fn advice_about_a_late_time_ends() {
    let folder = Folder::new("times-late");
    let text = "t\n2024-03-01T00:00:00.123456789\n3000-01-01T00:00:00\n";
    let file = folder.file("a.csv", text.as_bytes());
    let said = |unit: &str| run(&["cat", &file, "--types", &format!("t:time[{unit}]")]).fails(1).err;
    assert!(said("s").contains("--types 't:time[ns]'"));
    assert!(said("ns").contains("--types t:text"), "{}", said("ns"));
    run(&["cat", &file, "--types", "t:text"]).ok();
}

#[test]
fn notes_call_times_by_their_name() {
    let folder = Folder::new("times-notes");
    let file = folder.file("a.csv", b"t\n2024-03-01\n");
    let layout = folder.file("a.layout", b"record, le\n  t: i64\n");
    let out = folder.path("a.bin");
    let done = run(&["convert", &file, &out, "--layout", &layout, "--to", "layout"]);
    done.noted("column `t`, time[D]? to i64: checked");
}

#[test]
fn a_layout_without_columns_takes_no_table() {
    let folder = Folder::new("layout-none");
    let file = folder.file("a.csv", b"t\n1\n");
    let layout = folder.file("a.layout", b"P: record, le\na: i64\nb: f64\n");
    let out = folder.path("a.bin");
    let e = run(&["convert", &file, &out, "--to-layout", &layout, "--to", "layout"]).fails(2).err;
    assert!(e.contains("the layout has no columns"), "{e}");
    assert!(!folder.names().contains(&"a.bin".to_owned()));
}
