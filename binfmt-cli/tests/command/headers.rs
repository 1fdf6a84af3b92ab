//! Tables that take the header of an SDDS file, and columns that become parameters.

use crate::support::*;

const P: &str = "&parameter name=P, type=long &end\n";

fn sdds(folder: &Folder, name: &str, definitions: &str, pages: &str) -> String {
    folder.file(name, format!("SDDS1\n{definitions}&data mode=ascii &end\n{pages}").as_bytes())
}

/// The parameters and columns of the pages.
fn pages(file: &str) -> Vec<String> {
    let written = run(&["cat", "--json", file]).ok().json();
    let of =
        |page: &serde_json::Value| format!("{} {}", page["parameters"], page["columns"]).replace('"', "");
    written["pages"].as_array().unwrap().iter().map(of).collect()
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
