//! Pages, and what they have beside columns, in files of the same format; parts that are chosen.

use crate::support::*;

const COLUMN: &str = "&column name=x, type=double &end\n";

fn sdds(folder: &Folder, name: &str, definitions: &str, pages: &str) -> String {
    folder.file(name, format!("SDDS1\n{definitions}&data mode=ascii &end\n{pages}").as_bytes())
}

/// The parameters, arrays and columns of the pages.
fn pages(file: &str) -> Vec<String> {
    let written = run(&["cat", "--json", file]).ok().json();
    let of = |page: &serde_json::Value| {
        let part = |key: &str| page[key].to_string().replace('"', "");
        format!("{} {} {}", part("parameters"), part("arrays"), part("columns"))
    };
    written["pages"].as_array().unwrap().iter().map(of).collect()
}

#[test]
fn pages_in_several_ranges_are_shown_as_those_in_one() {
    let folder = Folder::new("pages-ranges");
    let head = format!("&parameter name=p, type=long &end\n{COLUMN}");
    let text: String = (0..6).map(|i| format!("{i}\n1\n{i}.5\n")).collect();
    let m = sdds(&folder, "m.sdds", &head, &text);
    let cat = |words: &[&str]| run(&[&["cat", &m][..], words].concat()).ok().text().to_owned();
    assert_eq!(cat(&["--pages", "1,4"]), cat(&["--pages", "1"]) + &cat(&["--pages", "4"]));
    assert_eq!(cat(&["--pages", "..1,5.."]), cat(&["--pages", "0"]) + &cat(&["--pages", "5"]));
    assert_eq!(cat(&["--parameters", "p", "--pages", "1,4"]), "p\n1\n4\n");
    assert_eq!(cat(&["--csv", "--pages", "1,3..5"]), "x\n1.5\n3.5\n4.5\n");
    let json = run(&["cat", &m, "--json", "--pages", "1,4"]).ok().json();
    assert_eq!(json["pages"][1]["parameters"]["p"], 4);
    let f = folder.file("f.in", b"1i32 [1i32,2i32] 3i32 5i64");
    let cat = |words: &[&str]| run(&[&["cat", &f][..], words].concat()).ok().text().to_owned();
    assert_eq!(cat(&["--pages", "0,2"]), "1i32\n3i32\n");
    assert_eq!(cat(&["--pages", "0,2..", "--csv"]), "0,1,2\n1,3,5\n");
    assert_eq!(cat(&["--pages", "0,2", "--jsonl"]), "{\"0\":1,\"2\":3}\n");
    assert_eq!(cat(&["--pages", "2", "--jsonl"]), "{\"value\":3}\n");
    assert_eq!(cat(&["--pages", "0,3", "--json"]).matches("shape").count(), 2);
    run(&["stats", &f, "--pages", "0,2"]).ok();
    assert!(run(&["cat", &f, "--csv", "--pages", "0,9"]).fails(2).err.contains("--pages: "));
}

#[test]
fn all_parameters_become_columns() {
    let folder = Folder::new("pages-all");
    let head = format!("&parameter name=p, type=long &end\n&parameter name=q, type=long &end\n{COLUMN}");
    let x = sdds(&folder, "x.sdds", &head, "1\n2\n1\n7\n3\n4\n0\n");
    let out = folder.path("c.sdds");
    run(&["convert", &x, &out, "--parameters", "*"]).ok();
    assert_eq!(pages(&out), ["{} {} {p:[1,3],q:[2,4]}"]);
    run(&["convert", &x, &out, "--parameters", "q,[op]"]).ok();
    assert_eq!(run(&["cat", "--csv", &out]).ok().text(), "q,p\n2,1\n4,3\n");
    let all = run(&["cat", "--csv", &x, "--parameters", "*"]).ok();
    assert_eq!(all.text(), "_page,p,q,_rows\n0,1,2,1\n1,3,4,0\n");
    let e = run(&["cat", &x, "--parameters", "p,_file"]).fails(2);
    assert!(e.err.contains("--parameters p --columns p,_file"), "{}", e.err);
    run(&["cat", &x, "--parameters", "p", "--columns", "p,_file"]).ok();
}
