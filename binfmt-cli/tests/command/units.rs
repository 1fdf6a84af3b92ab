//! Units, types and missing values of columns on their way into other files.

use crate::support::*;

fn sdds(folder: &Folder, name: &str, definition: &str, rows: &[&str]) -> String {
    let text = format!("SDDS1\n{definition}&data mode=ascii &end\n{}\n{}\n", rows.len(), rows.join("\n"));
    folder.file(name, text.as_bytes())
}

#[test]
fn times_of_numbers_have_units_of_their_own() {
    let folder = Folder::new("units-times");
    for (definition, unit, number, expected) in [
        ("units=s, type=double", "s", "1579996800", ("us since 1970-01-01", "1579996800000000")),
        ("units=h, type=long64", "h", "438888", ("h since 1970-01-01", "438888")),
        ("units=m, type=float", "ms", "1024", ("us since 1970-01-01", "1024000")),
        ("type=long", "D", "20513", ("D since 1970-01-01", "20513")),
    ] {
        let file = sdds(&folder, "u.sdds", &format!("&column name=t, {definition} &end\n"), &[number]);
        let words =
            ["convert", &file, "-", "--to", "sdds", "--mode", "ascii", "--dates", &format!("t:{unit}")];
        let (units, value) = expected;
        let told = run(&words).noted(&format!("with the units `{units}`"));
        let text = told.text();
        assert!(text.contains(&format!("name=t, units=\"{units}\", type=long64")), "{text}");
        assert_eq!(text.lines().last().unwrap().trim(), value);
        // through an array, too
        let array = folder.path("t.tdb");
        run(&["convert", &file, &array, "--dates", &format!("t:{unit}")]).ok();
        let back = run(&["convert", &array, "-", "--to", "sdds", "--mode", "ascii", "--columns", "t"]);
        assert!(back.noted("units").text().contains(&format!("units=\"{units}\"")), "{definition}");
        std::fs::remove_dir_all(&array).unwrap();
    }
}

#[test]
fn the_header_of_another_file_does_not_say_other_units() {
    let folder = Folder::new("units-like");
    let column = |units: &str| format!("&column name=x, {units}type=double &end\n");
    let file = |name: &str, units: &str| sdds(&folder, name, &column(units), &["1.5"]);
    let (m, mm, none) = (file("m.sdds", "units=m, "), file("mm.sdds", "units=mm, "), file("none.sdds", ""));
    let like = |file: &str, like: &str| {
        run(&["convert", file, "-", "--to", "sdds", "--mode", "ascii", "--like", like])
    };
    let e = like(&m, &mm).fails(2);
    assert!(e.err.contains("--like: column `x` is in `m`, and the header has it in `mm`"), "{}", e.err);
    like(&m, &m).ok();
    assert!(like(&none, &mm).ok().text().contains("units=mm"));
    like(&m, &none).noted("column `x` is in `m`, and the header has no units for it");
    let csv = folder.file("x.csv", b"x\n9.5\n");
    assert!(like(&csv, &mm).ok().text().contains("units=mm"));
    let e = run(&["convert", &csv, "-", "--to", "sdds", "--like", &m, "--dates", "x:s"]).fails(2);
    assert!(e.err.contains("`us since 1970-01-01`, and the header has it in `m`"), "{}", e.err);
    let parameter = |units: &str| format!("&parameter name=p, units={units}, type=double &end\n");
    let of = |name: &str, units: &str| {
        let text = format!("SDDS1\n{}{}&data mode=ascii &end\n2\n1\n7\n", parameter(units), column(""));
        folder.file(name, text.as_bytes())
    };
    let e = like(&of("pm.sdds", "m"), &of("pmm.sdds", "mm")).fails(2);
    assert!(e.err.contains("column `p` is in `m`"), "{}", e.err);
}

#[test]
fn missing_numbers_become_nan_in_floats() {
    let folder = Folder::new("units-nan");
    let of = |ty: &str| {
        let header = format!("&column name=a, type={ty} &end\n&column name=b, type={ty} &end\n");
        sdds(&folder, &format!("{ty}.sdds"), &header, &[])
    };
    let prefix = folder.path("prefix");
    std::fs::create_dir_all(format!("{prefix}/dataformats/u/n")).unwrap();
    std::fs::write(format!("{prefix}/dataformats/u/n/1.json"), br#"{"a": "float64", "b": "float32"}"#)
        .unwrap();
    for (text, expected) in [
        ("a,b\n,1\n", "nan,1"),
        ("a,b\n1,2\n,2.5\n", "1,2 nan,2.5"),
        ("a,b\n\"\",\n", ""),
        ("a,b\n-3,\n", "-3,nan"),
    ] {
        let csv = folder.file("x.csv", text.as_bytes());
        for to in ["double", "float", "longdouble", "beat"] {
            let out = folder.path(if to == "beat" { "o.data" } else { "o.sdds" });
            let like = if to == "beat" { String::new() } else { of(to) };
            let words = match to {
                "beat" => vec!["--to", "beat", "--dataformat", "u/n/1", "--prefix", &prefix],
                _ => vec!["--like", &like],
            };
            let done = run(&[&["convert", &csv, &out][..], &words].concat());
            if expected.is_empty() {
                done.fails(1);
                continue;
            }
            done.noted("missing value is NaN now");
            let shown = ["cat", "--csv", &out, "--columns", "a,b"];
            let beat = ["--prefix", prefix.as_str()];
            let shown = run(&[&shown[..], if to == "beat" { &beat } else { &[] }].concat()).ok();
            let rows: Vec<String> = shown.text().lines().skip(1).map(|row| row.replace(".0", "")).collect();
            assert_eq!(rows.join(" "), expected, "{to}: {text:?}");
        }
    }
    let e =
        run(&["convert", &folder.file("x.csv", b"a,b\n1,\n"), "-", "--to", "sdds", "--like", &of("long")]);
    assert!(e.fails(1).err.contains("a value is missing, and SDDS does not"));
}

#[test]
fn rows_of_csv_follow_those_of_other_formats() {
    let folder = Folder::new("units-formats");
    let a = sdds(&folder, "a.sdds", "&column name=x, type=double &end\n", &["1.5"]);
    for (text, rows) in [("x\n9.5\n", "9.5"), ("x\n9\n", "9.0"), ("x,\n", "")] {
        let csv = folder.file("a.csv", text.as_bytes());
        let cat = |one: &str, other: &str| run(&["cat", "--csv", one, other]);
        if rows.is_empty() {
            assert!(cat(&a, &csv).fails(1).err.contains("a.csv"));
            continue;
        }
        assert_eq!(cat(&a, &csv).ok().text(), format!("x\n1.5\n{rows}\n"));
        assert_eq!(cat(&csv, &a).ok().text(), format!("x\n{rows}\n1.5\n"));
        let stats = run(&["stats", "--json", &csv, &a]).ok().json();
        assert_eq!(stats["columns"][0]["count"], 2);
        for files in [[&a, &csv], [&csv, &a]] {
            let out = folder.path("o.sdds");
            run(&["convert", files[0], files[1], &out, "--force"]).ok();
            assert_eq!(run(&["cat", "--csv", &out]).ok().text().lines().count(), 3);
        }
    }
    // a missing one stays missing, whichever file is the first
    let csv = folder.file("m.csv", b"x,y\n,1\n");
    let b = sdds(
        &folder,
        "b.sdds",
        "&column name=x, type=float &end\n&column name=y, type=short &end\n",
        &["2 3"],
    );
    let lines = run(&["cat", "--jsonl", &b, &csv]).ok();
    assert_eq!(lines.text(), "{\"x\":2.0,\"y\":3}\n{\"x\":{\"missing\":0},\"y\":1}\n");
    let csv = folder.file("m.csv", b"x,y\n,1\n4,5\n");
    let lines = run(&["cat", "--jsonl", &b, &csv]).ok();
    assert_eq!(lines.text().lines().count(), 3);
    let array = folder.path("t.tdb");
    run(&["convert", &folder.file("d.csv", b"row,x\n7,0.5\n"), &array, "--dimensions", "row"]).noted("");
    let both = run(&["cat", "--csv", &array, &folder.file("e.csv", b"row,x\n8,\n9,1.5\n")]).ok();
    assert_eq!(both.text(), "row,x\n7,0.5\n8,\n9,1.5\n");
}
