//! What files are like, in what they differ, where something is, and bytes of which nothing is known.

use crate::support::{Folder, run, run_with};

fn root(path: &str) -> String {
    format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"))
}

fn layout(folder: &Folder, fields: &str) -> String {
    folder.file("x.layout", format!("Row: record, le\n{fields}").as_bytes())
}

#[test]
fn stats_of_numbers_texts_and_missing_values() {
    let folder = Folder::new("daily-stats");
    let layout =
        layout(&folder, "  n: i64\n  x: f64, nullable\n  name: text, length_prefixed(u8)\n  flag: bool\n");
    let mut bytes = Vec::new();
    for n in 0..1000i64 {
        bytes.extend((n * n).to_le_bytes());
        bytes.push(if n % 4 == 0 { 3 } else { 255 });
        let x = if n % 4 == 1 { f64::NAN } else { n as f64 };
        bytes.extend(if n % 4 == 0 { [0; 8] } else { x.to_le_bytes() });
        let name = format!("Q{}", n % 5);
        bytes.push(2);
        bytes.extend(name.as_bytes());
        bytes.push(u8::from(n < 250));
    }
    let file = folder.file("x.bin", &bytes);
    let json = run(&["stats", "--json", &file, "--layout", &layout]).ok().json();
    assert_eq!(json["rows"], 1000);
    let [n, x, name, flag] = [0, 1, 2, 3].map(|i| &json["columns"][i]);
    assert_eq!((&n["min"], &n["max"], &n["distinct"]), (&0.into(), &998_001.into(), &1000.into()));
    assert_eq!((&n["mean"], &n["median"], &n["missing"]), (&332_833.5.into(), &249_500.5.into(), &0.into()));
    let deviation = n["deviation"].as_f64().unwrap();
    assert!((deviation - 298_011.754).abs() < 1.0, "{deviation}");
    assert_eq!(n["histogram"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), 1000);
    assert_eq!((&x["count"], &x["missing"], &x["nan"]), (&750.into(), &250.into(), &250.into()));
    assert_eq!((&x["min"], &x["max"]), (&2.0.into(), &999.0.into()));
    assert_eq!((&name["min"], &name["max"], &name["distinct"]), (&"Q0".into(), &"Q4".into(), &5.into()));
    assert!(name["mean"].is_null());
    assert_eq!((&flag["min"], &flag["mean"]), (&false.into(), &0.25.into()));

    let text = run(&["stats", &file, "--layout", &layout, "--columns", "n,name", "--where", "n < 100"]).ok();
    assert!(text.text().starts_with("Rows  10\n\nColumns\n"), "{}", text.text());
    assert!(text.text().contains('█'), "{}", text.text());
    // what was read before the damage is told
    let cut = folder.file("cut.bin", &bytes[..bytes.len() - 1]);
    let done = run(&["stats", "--json", &cut, "--layout", &layout]).fails(1);
    assert_eq!(done.json()["rows"], 999);
    assert!(done.err.contains("cut.bin: [999].flag at byte"), "{}", done.err);
    let piped = run_with(&["stats", "--json", "-", "--layout", &layout], &bytes).ok();
    assert_eq!(piped.json()["columns"][0]["max"], 998_001);
    // of no rows there is nothing to say
    let none = run(&["stats", "--json", &file, "--layout", &layout, "--rows", "0..0"]).ok().json();
    assert!(none["columns"][0]["min"].is_null() && none["columns"][0]["mean"].is_null());
}

#[test]
fn brief_statistics_are_the_exact_ones() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/data/twiss.sdds");
    let all = run(&["stats", "--json", file]).ok();
    let brief = run(&["stats", "--json", "--brief", file]).ok();
    let [all, brief] =
        [all, brief].map(|text| serde_json::from_slice::<serde_json::Value>(&text.out).unwrap());
    let (all, brief) = (all["columns"].as_array().unwrap(), brief["columns"].as_array().unwrap());
    assert_eq!(all.len(), brief.len());
    for (all, brief) in all.iter().zip(brief) {
        let brief = brief.as_object().unwrap();
        assert_eq!(brief.len(), 9);
        assert!(brief.iter().all(|(key, value)| all[key] == *value), "{brief:?}");
    }
    let table = String::from_utf8(run(&["stats", "--brief", file]).ok().out).unwrap();
    assert!(table.contains("deviation") && !table.contains("distinct"), "{table}");
}

#[test]
fn the_least_and_the_greatest_are_exact_for_people_too() {
    let folder = Folder::new("daily-ends");
    let layout = layout(&folder, "  x: f64\n  y: f32\n  n: u64\n");
    let rows = [(0.1f64 + 0.2, 0.1f32, u64::MAX), (1_234.567_89, 16_777_216.0, 7)];
    let bytes = rows.map(|(x, y, n)| [&x.to_le_bytes()[..], &y.to_le_bytes(), &n.to_le_bytes()].concat());
    let file = folder.file("x.bin", &bytes.concat());
    let text = run(&["stats", "--brief", &file, "--layout", &layout]).ok();
    for end in ["0.30000000000000004", "1234.56789", " 0.1 ", "16777216.0", "18446744073709551615"] {
        assert!(text.text().contains(end), "{end}: {}", text.text());
    }
    let json = run(&["stats", "--json", &file, "--layout", &layout]).ok();
    for end in ["0.30000000000000004", "1234.56789", " 0.1,", "16777216.0", "18446744073709551615"] {
        assert!(json.text().contains(end), "{end}: {}", json.text());
    }
    // what is computed is not
    assert!(text.text().contains(" 617.434 "), "{}", text.text());
}

#[test]
fn what_is_rounded_does_not_end_in_zeros() {
    let folder = Folder::new("daily-rounded");
    let csv = folder.file("n.csv", b"n\n1234567\n1234567\n1234567\n");
    let text = run(&["stats", &csv]).ok();
    // quartiles, median and mean
    assert_eq!(text.text().matches("1234567.0").count(), 4, "{}", text.text());
}

#[test]
fn stats_of_large_integers_are_exact() {
    let folder = Folder::new("daily-large");
    let layout = layout(&folder, "  n: u64\n");
    let values = [u64::MAX, u64::MAX - 1, 1 << 53, (1 << 53) + 1];
    let file = folder.file("x.bin", &values.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>());
    let json = run(&["stats", "--json", &file, "--layout", &layout]).ok().json();
    let n = &json["columns"][0];
    assert_eq!((&n["min"], &n["max"]), (&(1u64 << 53).into(), &u64::MAX.into()));
    assert_eq!(n["distinct"], 4);
}

#[test]
fn diff_tells_columns_values_and_the_first_byte() {
    let folder = Folder::new("daily-diff");
    let layout = layout(&folder, "  n: u16\n  x: f64\n");
    let of = |rows: &[(u16, f64)]| -> Vec<u8> {
        rows.iter().flat_map(|(n, x)| [&n.to_le_bytes()[..], &x.to_le_bytes()].concat()).collect()
    };
    let a = folder.file("a.bin", &of(&[(1, 1.0), (2, 2.0), (3, f64::NAN)]));
    let b = folder.file("b.bin", &of(&[(1, 1.0), (2, 2.000_001), (4, f64::NAN), (5, 5.0)]));
    let said = ["--layout", layout.as_str()];
    let diff = |a: &str, b: &str, words: &[&str]| run(&[&["diff", a, b][..], &said, words].concat());
    assert_eq!(diff(&a, &a, &[]).ok().text(), "the files are the same, byte for byte\n");
    let found = diff(&a, &b, &[]);
    assert_eq!((found.status, found.err.as_str()), (1, ""));
    assert_eq!(
        found.text(),
        "[1].x: 2.0 | 2.000001\n[2].n: 3 | 4\nrows: 3 | 4\nvalues: 2 values differ, in 2 rows of 3\n\
         bytes: differ from byte 12 (0xc) on: 00 | 06\n"
    );
    let near = diff(&a, &b, &["--tolerance", "1e-5", "--rows", "..2"]).ok();
    assert!(near.text().starts_with("the values are the same: 2 rows of 2 columns\n"), "{}", near.text());
    let near = diff(&a, &b, &["--absolute", "1", "--rows", "..3"]).ok();
    assert!(near.text().starts_with("the values are the same: 3 rows of 2 columns\n"), "{}", near.text());
    assert_eq!(diff(&a, &b, &["--absolute", "0.5", "--rows", "..3"]).status, 1);
    assert_eq!(diff(&a, &b, &["--columns", "n", "--rows", "..2"]).status, 0);
    assert!(
        diff(&a, &b, &["--most", "1"]).text().contains("[1].x")
            && !diff(&a, &b, &["--most", "1"]).text().contains("[2].n")
    );
    let e = diff(&a, &b, &["--tolerance", "2"]).fails(2).err;
    assert!(e.contains("less than 1"), "{e}");

    // of different formats, and columns of other types
    let npy = folder.path("a.npy");
    run(&["convert", &a, &npy, "--layout", &layout]).ok();
    let sdds = |name: &str, ty: &str| {
        let columns = format!("&column name=n, type={ty} &end\n&column name=y, type=double &end\n");
        folder.file(name, format!("SDDS1\n{columns}&data mode=ascii &end\n3\n1 1\n2 2\n3 3\n").as_bytes())
    };
    let found = run(&["diff", &npy, &sdds("a.sdds", "long")]);
    assert_eq!(found.status, 1);
    for line in ["column `n`: u16 | i32\n", "column `x`: only in", "column `y`: only in"] {
        assert!(found.text().contains(line), "{line}: {}", found.text());
    }
    // of no format at all
    let [x, y] = [folder.file("x", b"??a"), folder.file("y", b"??b")];
    let found = run(&["diff", &x, &y]);
    assert_eq!((found.status, found.text()), (1, "bytes: differ from byte 2 (0x2) on: 61 | 62\n"));
    run(&["diff", &x, &folder.path("none")]).fails(1);
}

#[test]
fn diff_allows_as_much_in_both_directions() {
    let folder = Folder::new("daily-diff-near");
    let layout = layout(&folder, "  x: f64\n");
    let [a, b] = [("a.bin", 1.0f64), ("b.bin", 2.0)].map(|(name, x)| folder.file(name, &x.to_le_bytes()));
    for [first, second] in [[&a, &b], [&b, &a]] {
        let diff =
            |tolerance: &str| run(&["diff", first, second, "--layout", &layout, "--tolerance", tolerance]);
        assert_eq!((diff("0.5").status, diff("0.49").status), (0, 1));
    }
}

#[test]
fn diff_compares_what_pages_have_once_and_tells_what_it_leaves_out() {
    let folder = Folder::new("daily-diff-pages");
    let file = |name: &str, pages: &[(&str, &str)], more: &str| {
        let header =
            "&parameter name=p, type=double &end\n&column name=x, type=long &end\n&data mode=ascii &end\n";
        let pages: String = pages.iter().map(|(p, rows)| format!("{p}\n{rows}\n")).collect();
        folder.file(name, format!("SDDS1\n{more}{header}{pages}").as_bytes())
    };
    let a = file("a.sdds", &[("1.5", "2\n1\n2"), ("2.5", "1\n3")], "");
    let found = run(&["diff", &a, &file("b.sdds", &[("1.5", "2\n1\n2"), ("2.75", "1\n3")], "")]);
    assert_eq!(found.status, 1);
    assert!(found.text().starts_with("[2].p: 2.5 | 2.75\nvalues: 1 value differs"), "{}", found.text());
    // one line for all rows of a page
    let found = run(&["diff", &a, &file("b.sdds", &[("1.25", "2\n1\n2"), ("2.5", "1\n3")], "")]);
    assert!(
        found.text().starts_with("[0].p: 1.5 | 1.25\nvalues: 2 values differ, in 2 rows of 3"),
        "{found:?}"
    );
    // the same rows in other pages
    let c = file("c.sdds", &[("1", "2\n1\n2"), ("1", "1\n3")], "");
    let found = run(&["diff", &c, &file("d.sdds", &[("1", "1\n1"), ("1", "2\n2\n3")], "")]);
    assert!(found.text().starts_with("[1]._page: 0 | 1\n"), "{found:?}");
    assert_eq!(run(&["diff", &c, &folder.path("d.sdds"), "--columns", "x"]).status, 0);

    let other = file("b.sdds", &[("1.50", "2\n1\n2"), ("2.5", "1\n3")], "");
    let same = run(&["diff", &a, &other]).ok();
    assert!(same.text().starts_with("the values are the same: 3 rows of 2 columns\nbytes"), "{same:?}");
    let array = "&array name=z, type=long &end\n";
    let with = |name: &str, z: &str| {
        let one =
            format!("SDDS1\n{array}&column name=x, type=long &end\n&data mode=ascii &end\n1\n{z}\n1\n5\n");
        folder.file(name, one.as_bytes())
    };
    let other = run(&["diff", &with("e.sdds", "7"), &with("f.sdds", "8")]);
    assert_eq!(other.status, 1);
    let text = other.text();
    assert!(text.starts_with("the values of the rows are the same: 1 row of 1 column\n"), "{text}");
    assert!(text.contains("parameters and arrays, page by page:\n[0].array:z: [7] | [8]\n"), "{text}");
    // a format without pages
    let npy = folder.path("a.npy");
    run(&["convert", &a, &npy, "--columns", "x,p"]).ok();
    assert_eq!(run(&["diff", &a, &npy]).status, 0);
    assert_eq!(run(&["diff", &npy, &a]).status, 0);
}

#[test]
fn stats_show_the_front_of_long_texts() {
    let folder = Folder::new("daily-stats-long");
    let (long, short) = ("日".repeat(21), "日".repeat(20));
    let csv = folder.file("x.csv", format!("t,z\n{long},0\n{long},-0.0\n{long},1.5\n").as_bytes());
    let shown = run(&["stats", "--brief", &csv]).ok().text().to_owned();
    assert!(shown.contains(&format!("{short}…")) && !shown.contains(&long), "{shown}");
    let columns = run(&["stats", "--json", &csv]).ok().json()["columns"].clone();
    assert_eq!(columns[0]["max"], long.as_str());
    // the two zeros are one number
    assert_eq!(columns[1]["distinct"], 2);
}

/// How many values are distinct is an estimate if they are many, and never more than there are.
#[test]
fn no_more_values_are_distinct_than_there_are() {
    let folder = Folder::new("daily-stats-distinct");
    let layout = layout(&folder, "  a: i32\n  b: i32\n  c: i32\n  d: i32\n  e: i32\n");
    let row = |n: i32| [n, -n, n * 3, n * 7, n * 11].map(i32::to_le_bytes).concat();
    let file = folder.file("x.bin", &(0..20_000).flat_map(row).collect::<Vec<u8>>());
    let json = run(&["stats", "--json", &file, "--layout", &layout]).ok().json();
    let counts: Vec<u64> =
        json["columns"].as_array().unwrap().iter().filter_map(|column| column["distinct"].as_u64()).collect();
    assert_eq!(counts.len(), 5);
    assert!(counts.iter().all(|count| (19_000..=20_000).contains(count)), "{counts:?}");
}

#[test]
fn find_says_that_there_may_be_more_places() {
    let folder = Folder::new("daily-find-most");
    let file = folder.file("x", &[7; 10_001]);
    let found = |words: &[&str]| run(&[&["find", "--bytes", "07", &file], words].concat());
    let some = found(&[]);
    assert_eq!((some.status, some.text().lines().count()), (0, 10_000));
    assert!(some.err.contains("there may be more places, --most says how many are shown"), "{}", some.err);
    let all = found(&["--most", "20000"]);
    assert_eq!((all.text().lines().count(), all.err.as_str()), (10_001, ""));
}

#[test]
fn diff_of_some_columns_says_nothing_of_what_is_left_out() {
    let folder = Folder::new("daily-diff-some");
    let header =
        "SDDS1\n&array name=z, type=long &end\n&column name=x, type=long &end\n&data mode=ascii &end\n";
    let file = |name: &str, z: &str| folder.file(name, format!("{header}1\n{z}\n1\n5\n").as_bytes());
    let (a, b) = (file("a.sdds", "7"), file("b.sdds", "8"));
    let all = run(&["diff", &a, &b]);
    assert!(all.status == 1 && all.text().contains("[0].array:z: [7] | [8]"), "{all:?}");
    let some = run(&["diff", &a, &b, "--columns", "x"]).ok();
    assert!(some.text().starts_with("the values are the same: 1 row of 1 column\n"), "{some:?}");
    assert!(!some.text().contains("not compared"), "{some:?}");
}

#[test]
fn stats_of_several_files_are_those_of_all_their_rows() {
    let folder = Folder::new("daily-stats-several");
    let layout = layout(&folder, "  n: i32, nullable\n  x: f64\n  name: text, nul\n");
    let row = |n: i32| {
        let (code, x) = if n % 3 == 0 { (7, f64::NAN) } else { (255, f64::from(n)) };
        [&[code][..], &n.to_le_bytes(), &x.to_le_bytes(), format!("Q{}\0", n % 5).as_bytes()].concat()
    };
    let bytes = |rows: std::ops::Range<i32>| rows.flat_map(row).collect::<Vec<u8>>();
    let [a, b, all] = [("a.bin", 0..10), ("b.bin", 10..31), ("all.bin", 0..31)]
        .map(|(name, rows)| folder.file(name, &bytes(rows)));
    let stats = |files: &[&str]| {
        let words = [&["stats", "--json", "--layout", &layout], files].concat();
        let mut json = run(&words).ok().json();
        // which are as exact as the order of the sums
        for column in json["columns"].as_array_mut().unwrap() {
            ["mean", "deviation"].iter().for_each(|name| column[name] = 0.into());
        }
        json
    };
    let of_all = stats(&[&all]);
    assert_eq!((&of_all["rows"], &of_all["columns"][0]["missing"]), (&31.into(), &11.into()));
    assert_eq!(of_all["columns"][1]["nan"], 11);
    assert_eq!(stats(&[&a, &b]), of_all);
}

#[test]
fn find_tells_offset_and_path() {
    let [file, layout] = ["examples/data/readings.bin", "examples/data/readings.layout"].map(root);
    let find = |words: &[&str]| run(&[&["find"][..], words, &[&file, "--layout", &layout]].concat());
    assert_eq!(find(&["43"]).ok().text(), "0x0000000c  [1].sensor: 43\n");
    assert_eq!(find(&["21.5"]).ok().text(), "0x00000003  [0].celsius: 21.5\n");
    assert_eq!(find(&["roof"]).ok().text(), "0x00000008  [0].place: \"roof\"\n");
    assert_eq!(find(&["--bytes", "6f 6f"]).ok().text(), "0x00000009  [0].place: \"roof\"\n");
    let none = find(&["99"]);
    assert_eq!((none.status, none.text(), none.err.as_str()), (1, "", ""));
    assert_eq!(find(&["--most", "1", "--bytes", "00"]).ok().text().lines().count(), 1);
    let e = find(&["--bytes", "zz"]).fails(2).err;
    assert!(e.contains("pairs of hexadecimal digits"), "{e}");

    // elements of lists, in both byte orders, and files of no format
    let folder = Folder::new("daily-find");
    let layout = folder.file("x.layout", b"Row: record\n  v: [i16; 3]\n");
    let big = folder.file("big.bin", &[0, 1, 0xff, 0xfe, 0, 3]);
    let found = run(&["find", "-2", &big, "--layout", &layout, "--assume-byte-order", "big"]).ok();
    assert_eq!(found.text(), "0x00000002  [0].v[1]: -2\n");
    assert_eq!(run(&["find", "--bytes", "00 03", &big]).ok().text(), "0x00000004\n");
    assert_eq!(run_with(&["find", "--bytes", "b", "-"], b"ab").fails(2).status, 2);
    assert_eq!(run_with(&["find", "--bytes", "62", "-"], b"ab").ok().text(), "0x00000001\n");
}

/// The last place has a path, too, where nothing but its first byte is between the places.
#[test]
fn find_explains_the_last_place() {
    let folder = Folder::new("daily-find-last");
    let layout = layout(&folder, "  n: u16\n");
    let file = folder.file("x.bin", &[1, 0, 3, 0, 2, 0, 3, 0]);
    let found = run(&["find", "--bytes", "03 00", &file, "--layout", &layout]).ok();
    assert_eq!(found.text(), "0x00000002  [1].n: 3\n0x00000006  [3].n: 3\n");
}

/// Of the last page nothing is said: it is there.
#[test]
fn the_last_page_may_be_chosen() {
    let folder = Folder::new("daily-last-page");
    let text = b"SDDS1\n&column name=x, type=long &end\n&data mode=ascii &end\n1\n5\n1\n6\n";
    let file = folder.file("x.sdds", text);
    let json = run(&["stats", "--json", &file, "--pages", "1.."]).ok();
    assert_eq!((json.err.as_str(), &json.json()["columns"][0]["min"]), ("", &6.into()));
    run(&["stats", "--json", &file, "--pages", "2.."]).noted("the last page with rows is 1");
}

#[test]
fn find_looks_into_every_format() {
    let find = |value: &str, path: &str| run(&["find", value, &root(path)]).ok().out;
    let text = |out: Vec<u8>| String::from_utf8(out).unwrap();
    assert!(text(find("12.125", "examples/data/twiss.sdds")).contains("betax"));
    assert!(text(find("2", "tests/data/futhark/mixed_1/input.in")).contains("[1].rank: 2"));
    let tiledb = run(&["find", "2", &root("tests/data/tiledb/s2_f32")]);
    assert!(
        tiledb.status == 0 && tiledb.text().lines().all(|line| line.trim_start().starts_with("0x")),
        "{tiledb:?}"
    );
}

#[test]
fn bytes_of_no_known_format_are_shown() {
    let folder = Folder::new("daily-hex");
    let png = folder.file("x", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR more");
    let shown = run(&["dump", &png]);
    assert_eq!(
        (shown.status, shown.text()),
        (
            0,
            "0x00000000  89 50 4e 47 0d 0a 1a 0a  00 00 00 0d 49 48 44 52  .PNG........IHDR\n\
             0x00000010  20 6d 6f 72 65                                     more\n"
        )
    );
    assert!(shown.err.contains("it begins like a PNG image"), "{}", shown.err);
    let some = run(&["dump", &png, "--range", "1..4"]);
    assert_eq!(some.text(), "0x00000000     50 4e 47                                        PNG\n");
    let zeros = folder.file("zeros", &[[0; 64].to_vec(), vec![1]].concat());
    assert_eq!(run(&["dump", &zeros]).text().lines().count(), 3);
    let e = run(&["inspect", &png]).fails(2).err;
    assert!(e.contains("cannot tell the format of this file; it begins like a PNG image"), "{e}");
    let empty = folder.file("empty", b"");
    for command in ["inspect", "cat", "dump", "check", "stats"] {
        let e = run(&[command, &empty]).fails(2).err;
        assert!(e.contains("the file is empty"), "{command}: {e}");
    }
    // and so of one whose name alone tells the format
    let empty = folder.file("empty.csv", b"");
    for command in ["inspect", "cat", "dump", "check", "stats"] {
        let noted = run(&[command, &empty]).noted("empty.csv: the file is empty");
        assert_eq!(noted.err.matches("is empty").count(), 1, "{}", noted.err);
    }
    // who says what it is, is believed
    run(&["dump", &png, "--format", "tiledb"]).fails(1);
}

#[test]
fn csv_is_read_and_written_as_anything() {
    let folder = Folder::new("daily-csv");
    let csv =
        folder.file("x.csv", b"n,x,name,ok\r\n1,0.5,\"a,b\",true\r\n2,,\"\",false\r\n-3,1e3,\xc3\xa4,\r\n");
    assert_eq!(
        run(&["cat", "--csv", &csv]).ok().text(),
        "n,x,name,ok\n1,0.5,\"a,b\",true\n2,,\"\",false\n-3,1000.0,ä,\n"
    );
    let json = run(&["inspect", "--json", &csv]).ok().json();
    assert_eq!((&json["format"], &json["fields"][1]["type"]), (&"csv".into(), &"f64?".into()));
    assert!(json["fields"][1].get("dtype").is_none(), "{json}");
    let text = run(&["inspect", &csv]).ok();
    assert!(
        text.text()
            .ends_with("Fields\n  name  type\n  n     i64?\n  x     f64?\n  name  text?\n  ok    bool?\n"),
        "{}",
        text.text()
    );
    let lines = run(&["cat", "--jsonl", &csv, "--where", "x is missing"]).ok();
    assert_eq!(lines.text(), "{\"n\":2,\"x\":{\"missing\":0},\"name\":\"\",\"ok\":false}\n");
    let npy = folder.path("x.npy");
    run(&["convert", &csv, &npy, "--columns", "n,x,name"]).noted("column `x`: 1 missing value is NaN now");
    assert_eq!(
        run(&["cat", "--csv", "--no-header", &npy]).ok().text(),
        "1,0.5,\"a,b\"\n2,nan,\"\"\n-3,1000.0,ä\n"
    );
    run(&["check", &csv]).ok();
    let piped = run_with(
        &["stats", "--json", "--format", "csv", "-", "--delimiter", ";", "--missing", "NA"],
        b"a;b\n1;NA\n2;x\n",
    );
    assert_eq!(piped.ok().json()["columns"][1]["missing"], 1);
    // an empty word means nothing, and not `true`
    let none = run_with(&["cat", "--jsonl", "--format", "csv", "-", "--missing", ""], b"a\ntrue\nfalse\n");
    assert_eq!(none.ok().text(), "{\"a\":true}\n{\"a\":false}\n");
    let raw = run(&["cat", "--tsv", &csv, "--header", "false", "--rows", "..1"]).ok();
    assert_eq!(raw.text(), "c0\tc1\tc2\tc3\nn\tx\tname\tok\n");

    // a bad cell after the rows by which the types were inferred
    let mut text = b"n,name\n".to_vec();
    text.extend((0..200_000).flat_map(|n| format!("{n},Q\n").into_bytes()));
    text.extend(b"x7,Q\n");
    let bad = folder.file("bad.csv", &text);
    let e = run(&["check", &bad]).fails(1).err;
    assert!(
        e.contains("bad.csv: [200000].n at byte") && e.contains("expected i64, found \"x7\" in line 200002"),
        "{e}"
    );
    assert!(e.contains("--types n:text"), "{e}");
    run(&["check", &bad, "--types", "n:text"]).ok();
    // what the ending does not say, and types that the values do not tell
    let dated = folder.file("dated.csv", b"d\n2024-01-02\n");
    let load = folder.path("dated.scidb");
    let words = ["convert", &dated, &load, "--schema", "<d:datetime>[i]"];
    run(&words).ok();
    let read = std::fs::read(&load).unwrap();
    run(&[&words[..], &["--types", "d:time[s]"]].concat()).ok();
    assert_eq!(std::fs::read(&load).unwrap(), read);
    let e = run(&["convert", &dated, &folder.path("x.0.0.data"), "--dataformat", "user/x/1"]).fails(2).err;
    assert!(e.contains("--to says what is written"), "{e}");
    for (file, words, expected) in [
        (&b"a,b\n1\n"[..], &[][..], "[0] at byte 4 (0x4): line 2 has 1 field, expected 2"),
        (b"a,a\n1,2\n", &[], "at byte 2 (0x2): two columns are called `a`"),
        (b"a\n\"1\n", &[], "the quote in line 2 is not closed"),
    ] {
        let path = folder.file("wrong.csv", file);
        let e = run(&[&["cat", path.as_str()], words].concat()).fails(1).err;
        assert!(e.contains(expected), "{e}");
    }
    let e = run(&["cat", &csv, "--types", "m:i64"]).fails(2).err;
    assert!(e.contains("there is no column `m`"), "{e}");
    let e = run(&["cat", &csv, "--types", "n:int"]).fails(2).err;
    assert!(e.contains("unknown type `int`, expected `bool`, `i64`"), "{e}");
    let e = run(&["cat", &csv, "--delimiter", "ab"]).fails(2).err;
    assert!(e.contains("expected one character"), "{e}");
}

#[test]
fn columns_are_fitted_to_a_layout() {
    let folder = Folder::new("daily-fit");
    let csv = folder.file("x.csv", b"n,x,name\n1,0.5,ab\n2,,cd\n300,1,ef\n");
    let out = folder.path("y.scidb");
    let convert = |words: &[&str]| run(&[&["convert", &csv, &out][..], words].concat());
    let schema = "<n:int16, x:float, nm:string NOT NULL>[i]";
    let done = convert(&["--schema", schema, "--rename", "name=nm"]);
    assert_eq!(done.status, 0, "{}", done.err);
    // what becomes of each column is told
    for line in ["column `n`, i64? to i16?: checked", "column `x`, f64? to f32?: rounded"] {
        assert!(done.err.contains(line), "{line}: {}", done.err);
    }
    let shown = run(&["cat", "--csv", &out, "--format", "scidb", "--schema", schema]).ok();
    assert_eq!(shown.text(), "n,x,nm\n1,0.5,ab\n2,,cd\n300,1.0,ef\n");
    let before = std::fs::read(&out).unwrap();
    // a value that does not fit, a column that is not there, a type that cannot be: nothing is written
    let e = convert(&["--schema", "(int8 null, float null, string)"]);
    assert_eq!(e.status, 1);
    assert!(e.err.contains("x.csv: [2].n: 300 does not fit in i8"), "{}", e.err);
    let e = convert(&["--schema", schema]);
    assert!(e.status == 2 && e.err.contains("--rename n=nm gives one another name"), "{}", e.err);
    let e = convert(&["--schema", "<n:string, x:float, name:string>[i]", "--types", "n:i64"]);
    assert!(
        e.status == 2 && e.err.contains("column `n` is i64?, which cannot be written as text"),
        "{}",
        e.err
    );
    let e = convert(&["--schema", "<x:float NOT NULL>[i]", "--columns", "x"]);
    assert!(e.err.contains("[1].x: a value is missing"), "{}", e.err);
    assert_eq!(std::fs::read(&out).unwrap(), before);
    let e = run(&["cat", &csv, "--schema", schema]).fails(2).err;
    assert!(e.contains("--schema means nothing for a CSV file"), "{e}");

    let layout = folder.file("y.layout", b"Row: record, be\n  x: f64, nullable\n  n: u16\n");
    let raw = folder.path("y.raw");
    let done = run(&["convert", &csv, &raw, "--format", "csv", "--to", "layout", "--layout", &layout]);
    assert!(done.status == 0 && done.err.contains("column `name` is left out"), "{}", done.err);
    let shown = run(&["cat", "--csv", &raw, "--layout", &layout]).ok();
    assert_eq!(shown.text(), "x,n\n0.5,1\n,2\n1.0,300\n");

    // an archive of arrays
    let npz = folder.path("x.npz");
    run(&["convert", &csv, &npz]).noted("column `x`: 1 missing value is NaN now");
    let bytes = std::fs::read(&npz).unwrap();
    for name in [&b"n.npy"[..], b"x.npy", b"name.npy"] {
        assert_eq!(bytes.windows(name.len()).filter(|found| *found == name).count(), 2);
    }
    let first = folder.file("n.npy", &bytes[30 + 5 + 20..]);
    assert_eq!(bytes[30 + 5 + 20..][..6], *b"\x93NUMPY", "{first}");
}

#[test]
fn json_lines_are_read_again() {
    let folder = Folder::new("daily-jsonl");
    let csv = folder.file("x.csv", b"n,x,name\n1,0.5,\"a,b\"\n2,,\"\"\n-3,1e3,\xc3\xa4\n");
    let lines = folder.path("x.jsonl");
    run(&["convert", &csv, &lines]).ok();
    let again = folder.path("y.csv");
    run(&["convert", &lines, &again]).ok();
    let shown = run(&["cat", "--csv", &csv]).ok().out;
    assert_eq!(std::fs::read(&again).unwrap(), shown);
    let printed = run(&["cat", "--jsonl", &lines]).ok().text().replace("{\"missing\":0}", "null");
    assert_eq!(printed, std::fs::read_to_string(&lines).unwrap());
    assert!(printed.contains("{\"n\":2,\"x\":null,\"name\":\"\"}\n"), "{printed}");
    assert_eq!(
        run(&["diff", &csv, &lines]).text().lines().next(),
        Some("the values are the same: 3 rows of 3 columns")
    );
    let piped = run_with(&["stats", "--json", "--format", "jsonl", "-"], b"{\"a\":1}\n{\"a\":2}\n").ok();
    assert_eq!(piped.json()["columns"][0]["mean"], 1.5);
    let bad = folder.file("bad.jsonl", b"{\"a\":1}\n{\"a\" 2}\n");
    let e = run(&["check", &bad]).fails(1).err;
    assert!(e.contains("bad.jsonl: [1] at byte 13 (0xd): JSON: expected `:`, found \"2}\" in line 2"), "{e}");
}

#[test]
fn names_change_all_at_once_and_no_two_are_the_same() {
    let folder = Folder::new("daily-rename");
    let csv = folder.file("x.csv", b"x,y\n1,2\n");
    let renamed = |names: &str| run(&["convert", &csv, &folder.path("z.jsonl"), "--rename", names]);
    renamed("x=y,y=x").ok();
    assert_eq!(std::fs::read(folder.path("z.jsonl")).unwrap(), b"{\"y\":1,\"x\":2}\n");
    assert!(renamed("x=y").fails(2).err.contains("two columns are called `y`"));
    assert!(renamed("x=").fails(2).err.contains("column `x` needs a name"));
    let npy = folder.path("x.npy");
    assert!(
        run(&["convert", &csv, &npy, "--columns", "x,x"]).fails(2).err.contains("two columns are called `x`")
    );
    assert_eq!(run(&["convert", &csv, "-"]).ok().text(), "x,y\n1,2\n");
    let other = folder.file("y.csv", b"z,y\n1.0,2\n");
    let same = run(&["diff", &csv, &other, "--rename", "x=z"]).ok();
    assert!(same.text().starts_with("the values are the same: 1 row of 2 columns\n"), "{same:?}");
}

#[test]
fn numbers_that_differ_in_sign_are_different() {
    let folder = Folder::new("daily-sign");
    let csv = folder.file("x.csv", b"n\n0\n-1\n1\n-2\n");
    assert_eq!(run(&["stats", "--json", &csv]).ok().json()["columns"][0]["distinct"], 4);
}

#[test]
fn a_mark_of_utf8_is_no_part_of_a_name() {
    let folder = Folder::new("daily-mark");
    let csv = folder.file("x.csv", b"\xef\xbb\xbf\"a,b\",c\n1,2\n");
    assert_eq!(run(&["cat", "--jsonl", &csv]).ok().text(), "{\"a,b\":1,\"c\":2}\n");
    assert_eq!(
        run(&["cat", "--jsonl", &csv, "--header", "false", "--rows", "1.."]).ok().text(),
        "{\"c0\":\"1\",\"c1\":\"2\"}\n"
    );
    let lines = folder.file("x.jsonl", b"\xef\xbb\xbf{\"a\":1}\n{\"a\":2,\"a\":3}\n");
    let e = run(&["check", &lines]).fails(1).err;
    assert!(e.contains("[1] at byte 22 (0x16): `a` in line 2 is there twice"), "{e}");
}

#[test]
fn a_file_of_an_option_is_spared() {
    let folder = Folder::new("daily-spared");
    let layout = layout(&folder, "  n: u16\n");
    let file = folder.file("x.bin", &[1, 0, 2, 0, 3, 0]);
    let words = ["--layout", &layout, "--to", "layout", "--force"];
    let e = run(&[&["convert", &file, &layout][..], &words].concat()).fails(2).err;
    assert!(e.contains("it is the file of --layout"), "{e}");
    // rows are counted as in the file
    let other = folder.file("y.bin", &[1, 0, 2, 0, 4, 0]);
    let found = run(&["diff", &file, &other, "--layout", &layout, "--rows", "1.."]);
    assert!(found.text().starts_with("[2].n: 3 | 4\n"), "{found:?}");
}

#[test]
fn records_in_lists_are_compared_as_numbers_are() {
    let folder = Folder::new("daily-diff-records");
    let layout = layout(&folder, "  p: [Point; 1]\n\nPoint: record\n  x: f64\n");
    let file = |name: &str, x: f64| folder.file(name, &[f64::NAN, x].map(f64::to_le_bytes).concat());
    let (a, b) = (file("a.bin", 1.0), file("b.bin", 1.0001));
    let found = run(&["diff", &a, &b, "--layout", &layout]);
    assert_eq!(found.status, 1);
    assert!(
        found.text().starts_with("[1].p: [{\"x\":1.0}] | [{\"x\":1.0001}]\nvalues: 1 value differs"),
        "{found:?}"
    );
    run(&["diff", &a, &b, "--layout", &layout, "--tolerance", "0.01"]).ok();
}

#[test]
fn values_are_found_in_files_of_text_and_of_numpy() {
    let folder = Folder::new("daily-find-text");
    let csv = folder.file("a.csv", b"n,name\n1,Q1\n2.0,\"D\n1\"\n3,x\n");
    let found = |words: &[&str]| run(&[&["find"][..], words].concat()).ok().text().to_owned();
    assert_eq!(found(&["2", &csv]), "0x0000000c  [1].n: 2\n");
    assert_eq!(found(&["D\n1", &csv]), "0x0000000c  [1].name: \"D\\n1\"\n");
    assert_eq!(run(&["find", "9", &csv]).status, 1);
    let lines = folder.file("a.jsonl", b"{\"a\":true}\n{\"b\":[1,2.5]}\n");
    assert_eq!(found(&["2.5", &lines]), "0x0000000b  [1].b[1]: 2.5\n");
    assert_eq!(found(&["true", &lines]), "0x00000000  [0].a: true\n");
    let npy = folder.path("a.npy");
    run(&["convert", &csv, &npy]).ok();
    let text = found(&["3", &npy]);
    assert!(text.ends_with("[2].n: 3\n"), "{text}");
    // a text there is four bytes a character, and as long as the longest
    assert!(found(&["x", &npy]).ends_with("[2].name: \"x\"\n"), "{}", found(&["x", &npy]));
    assert!(found(&["D\n1", &npy]).ends_with("[1].name: \"D\\n1\"\n"));
    assert_eq!(run(&["find", "D", &npy]).status, 1);
    let header = "{'descr': '>U3', 'fortran_order': False, 'shape': (2,), }\n";
    let texts = ["β𝄞", "Q1"].map(|text| {
        let mut units: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
        units.resize(12, 0);
        units
    });
    let front = [&b"\x93NUMPY\x01\0"[..], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
    let big = folder.file("b.npy", &[front, texts.concat()].concat());
    assert!(found(&["β𝄞", &big]).contains("[0]") && found(&["Q1", &big]).contains("[1]"));
    let dump = run(&["dump", &npy]).ok();
    assert!(dump.text().contains("[0].name: \"Q1\"") && dump.text().contains("NUMPY"), "{}", dump.text());
}

#[test]
fn words_of_other_programs_are_understood() {
    let twiss = root("examples/data/twiss.sdds");
    assert!(run(&["cat", "--md", &twiss]).ok().text().contains("|--:|"));
    for (words, expected) in [
        (&["cat", &twiss, "--head", "5"][..], "--rows ..10 shows the first ten rows"),
        (&["cat", &twiss, "--stats"], "binfmt stats FILE"),
        (&["convert", &twiss, "--output", "x"], "the last word of the line"),
        (&["cat", &twiss, "--columns", "0"], "columns go by their names: "),
        (&["cat", &twiss, "--key", "k"], "--key means nothing for an SDDS file"),
    ] {
        let e = run(words).fails(2).err;
        assert!(e.contains(expected) && !e.contains("similar"), "{e}");
    }
    let folder = Folder::new("daily-packed");
    let packed = folder.file("a.csv.gz", &{
        use binfmt::formats::packed::{Compression, Packed};
        let mut packed = Packed::new(Vec::new(), Compression::Gzip).unwrap();
        std::io::Write::write_all(&mut packed, b"n\n1\n2\n").unwrap();
        packed.finish().unwrap()
    });
    assert_eq!(run(&["cat", "--csv", &packed]).ok().text(), "n\n1\n2\n");
}

#[test]
fn floats_of_two_widths_that_differ_look_different() {
    let folder = Folder::new("daily-widths");
    let layout = layout(&folder, "  x: f32\n");
    let file = folder.file("x.bin", &[0.1f32, 0.5].map(f32::to_le_bytes).concat());
    let csv = folder.path("x.csv");
    run(&["convert", &file, &csv, "--layout", &layout]).ok();
    let told = run(&["diff", &file, &csv, "--layout", &layout]);
    assert_eq!(told.status, 1);
    assert!(told.text().contains("[0].x: 0.10000000149011612 | 0.1\n"), "{}", told.text());
}
