//! Tables that take the header of an SDDS file, and columns that become parameters.

use crate::support::*;

const P: &str = "&parameter name=P, type=long &end\n";
const X: &str = "&column name=x, type=long &end\n";

fn sdds(folder: &Folder, name: &str, definitions: &str, pages: &str) -> String {
    folder.file(name, format!("SDDS1\n{definitions}&data mode=ascii &end\n{pages}").as_bytes())
}

fn fixture(name: &str) -> String {
    data(&format!("../sdds/{name}"))
}

/// The parameters and columns of the pages.
fn pages(file: &str) -> Vec<String> {
    let written = run(&["cat", "--json", file]).ok().json();
    let of =
        |page: &serde_json::Value| format!("{} {}", page["parameters"], page["columns"]).replace('"', "");
    written["pages"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn a_fixed_value_is_that_of_the_table() {
    let folder = Folder::new("headers-fixed");
    let out = folder.path("o.sdds");
    for (kind, fixed, same, other) in [
        ("string", "two", "two", "one"),
        ("string", "\"a b\"", "\"a b\"", "a"),
        ("long", "2", "2", "1"),
        ("double", "-1.5e-3", "-0.0015", "0.0015"),
        ("float", "0.1", "0.1", "0.2"),
        ("longdouble", "0.1", "0.1", "0.2"),
        ("character", "Q", "Q", "R"),
        ("ulong64", "18446744073709551615", "18446744073709551615", "1"),
    ] {
        let k = |fixed: &str| format!("&parameter name=K, type={kind}, {fixed}&end\n{X}");
        let like = sdds(&folder, "like.sdds", &k(&format!("fixed_value={fixed}, ")), "");
        let file = |name: &str, second: &str| {
            sdds(&folder, name, &k(""), &format!("{same}\n1\n1\n{second}\n1\n2\n"))
        };
        let (equal, differs) = (file("e.sdds", same), file("d.sdds", other));
        let (csv, csv_differs) = (folder.path("e.csv"), folder.path("d.csv"));
        run(&["convert", &equal, &csv, "--columns", "K,x", "--force"]).noted("");
        run(&["convert", &differs, &csv_differs, "--columns", "K,x", "--force"]).noted("");
        let convert =
            |inputs: &[&str]| run(&[&["convert"][..], inputs, &[&out, "--like", &like, "--force"]].concat());
        for inputs in [&[&*equal][..], &[&csv]] {
            let done = convert(inputs);
            assert!(done.status == 0 && !done.err.contains("left out"), "{kind}: {}", done.err);
            let found: String = pages(&out).concat();
            assert!(found.contains("K:") && found.contains("{x:[1") && found.contains("2]}"), "{found}");
        }
        for inputs in [&[&*differs][..], &[&csv_differs], &[&equal, &differs], &[&csv, &csv_differs]] {
            let e = convert(inputs).fails(1).err;
            assert!(e.contains("at which the header fixes it") && e.contains("].K"), "{kind}: {e}");
        }
    }
    // what the table does not have is fixed all the same
    let like =
        sdds(&folder, "like.sdds", &format!("&parameter name=K, type=long, fixed_value=2 &end\n{X}"), "");
    let csv = folder.file("x.csv", b"x\n1\n");
    run(&["convert", &csv, &out, "--like", &like, "--force"]).noted("");
    assert_eq!(pages(&out), ["{K:2} {x:[1]}"]);
}

#[test]
fn a_header_without_columns_has_a_page_for_each_row() {
    let folder = Folder::new("headers-pages");
    let out = folder.path("o.sdds");
    let like = sdds(&folder, "like.sdds", P, "");
    let csv = folder.file("p.csv", b"P\n1\n1\n2\n");
    run(&["convert", &csv, &out, "--like", &like]).noted("");
    assert_eq!(pages(&out), ["{P:1} {}", "{P:1} {}", "{P:2} {}"]);
    let same = sdds(&folder, "p.sdds", P, "1\n1\n2\n");
    run(&["convert", &same, &out, "--like", &like, "--force"]).noted("");
    assert_eq!(pages(&out).len(), 3);
    // all parameters are fixed
    let (fixed, csv) = (fixture("official/params_allfixed_le.sdds"), folder.path("f.csv"));
    run(&["convert", &fixed, &csv]).ok();
    run(&["convert", &csv, &out, "--like", &fixed, "--force"]).noted("");
    assert_eq!(pages(&out), pages(&fixed));
    assert_eq!(pages(&out).len(), 2);
    let e = run(&["convert", &csv, &out, "--like", &fixed, "--force", "--mode", "ascii"]).fails(1);
    assert!(e.err.contains("has one page, and not 2"), "{}", e.err);
}

#[test]
fn a_header_of_which_the_table_has_nothing_is_refused() {
    let folder = Folder::new("headers-nothing");
    let csv = folder.file("a.csv", b"A\n1\n2\n");
    let out = folder.path("o.sdds");
    let array = "&array name=A, type=long &end\n";
    let fixed = "&parameter name=K, type=long, fixed_value=2 &end\n";
    for definitions in [array.to_owned(), format!("{fixed}{array}"), fixed.to_owned(), String::new()] {
        let like = sdds(&folder, "like.sdds", &definitions, "");
        let e = run(&["convert", &csv, &out, "--like", &like]).fails(2);
        assert!(e.err.contains("--like: ") && e.err.contains("nothing would be written"), "{}", e.err);
        assert!(!std::path::Path::new(&out).exists());
    }
}

#[test]
fn columns_become_parameters_also_if_none_is_left() {
    let folder = Folder::new("headers-all");
    let out = folder.path("o.sdds");
    let csv = folder.file("ab.csv", b"a,b\n1,2\n1,3\n1,3\n");
    run(&["convert", &csv, &out, "--as-parameters", "a,b", "--mode", "ascii"]).ok();
    assert_eq!(pages(&out), ["{a:1,b:2} {}", "{a:1,b:3} {}", "{a:1,b:3} {}"]);
    let s = sdds(&folder, "s.sdds", &format!("{P}{X}"), "1\n2\n1\n2\n");
    let e = run(&["convert", &s, &out, "--as-parameters", "x", "--force"]).fails(1);
    assert!(e.err.contains("].x: the value changes within a page"), "{}", e.err);
    let s = sdds(&folder, "t.sdds", &format!("{P}{X}"), "1\n1\n7\n2\n2\n8\n8\n");
    run(&["convert", &s, &out, "--as-parameters", "x", "--force"]).ok();
    assert_eq!(pages(&out), ["{P:1,x:7} {}", "{P:2,x:8} {}"]);
}

#[test]
fn pages_of_arrays_of_which_no_element_is_kept_are_told_of() {
    let folder = Folder::new("headers-arrays");
    let out = folder.path("o.sdds");
    let array = format!("{P}&array name=A, type=long &end\n");
    let file = sdds(&folder, "a.sdds", &array, "7\n3\n1 2 3\n8\n1\n9\n9\n1\n9\n");
    let convert =
        |words: &[&str]| run(&[&["convert", &file, &out, "--columns", "A", "--force"][..], words].concat());
    convert(&["--where", "A < 3"]).noted("a.sdds: 2 pages of which no row is kept");
    convert(&["--sample", "1"]).noted("2 pages of which no row is kept");
    convert(&["--pages", "..2", "--where", "A < 3"]).noted("a.sdds: 1 page of which no row is kept");
    convert(&["--pages", "0", "--where", "A < 3"]).ok();
    convert(&["--where", "A > 2"]).ok();
    assert_eq!(pages(&out), ["{P:7} {A:[3]}", "{P:8} {A:[9]}", "{P:9} {A:[9]}"]);
}

#[test]
fn dates_go_where_a_header_has_times() {
    let folder = Folder::new("headers-times");
    let (out, csv) = (folder.path("o.sdds"), folder.path("t.csv"));
    for (unit, second) in [("s", 1_i64), ("ms", 1000), ("ns", 1_000_000_000)] {
        let of = |kind: &str| {
            format!("&{kind} name=t{kind}, type=long64, units=\"{unit} since 1970-01-01\" &end\n")
        };
        let file = sdds(
            &folder,
            "t.sdds",
            &format!("{}{}", of("parameter"), of("column")),
            &format!("{}\n2\n{}\n-1\n", 100 * second, 7 * second),
        );
        run(&["convert", &file, &csv, "--columns", "tparameter,tcolumn", "--force"]).ok();
        run(&["convert", &csv, &out, "--like", &file, "--force"]).noted("");
        assert_eq!(pages(&out), pages(&file), "{unit}");
        let numbers = folder.file("n.csv", format!("tparameter,tcolumn\n{},5\n", 100 * second).as_bytes());
        run(&["convert", &numbers, &out, "--like", &file, "--force"]).noted("");
        assert_eq!(pages(&out), [format!("{{tparameter:{}}} {{tcolumn:[5]}}", 100 * second)]);
    }
    let whole =
        sdds(&folder, "s.sdds", "&column name=t, type=long64, units=\"s since 1970-01-01\" &end\n", "");
    let csv = folder.file("h.csv", b"t\n1970-01-01T00:00:01.5\n");
    run(&["convert", &csv, &out, "--like", &whole, "--force"]).fails(1);
    let csv = folder.file("h.jsonl", b"{\"t\":\"1970-01-01T00:00:02\"}\n");
    run(&["convert", &csv, &out, "--like", &whole, "--force"]).noted("");
    assert_eq!(pages(&out), ["{} {t:[2]}"]);
}

#[test]
fn a_parameter_and_a_column_of_one_name_are_two() {
    let folder = Folder::new("headers-two");
    let file = fixture("hand/samename.sdds");
    let (out, csv) = (folder.path("o.sdds"), folder.path("x.csv"));
    run(&["convert", &file, &csv, "--columns", "x"]).ok();
    let e = run(&["convert", &csv, &out, "--like", &file]).fails(2);
    assert!(e.err.contains("has as `parameter:x`, and the table has none: its columns are x"), "{}", e.err);
    run(&["convert", &file, &csv, "--columns", "parameter:x,x", "--force"]).ok();
    run(&["convert", &csv, &out, "--like", &file]).noted("");
    assert_eq!(pages(&out), pages(&file));
}
