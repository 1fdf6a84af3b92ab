//! Layouts as drawings.

use crate::support::{Folder, run};

#[test]
fn a_layout_is_drawn() {
    let folder = Folder::new("diagram");
    let text = "Row: record, le\n  id: u16\n  name: text, length_prefixed(u8)\n  \"a<b\": f64\n";
    let layout = folder.file("row.layout", text.replace("\"a<b\"", "x").as_bytes());
    let run = run(&["layout", &layout, "--svg"]).ok();
    let svg = run.text();
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{svg}");
    for part in [
        "<title>Row</title>",
        ">id</text>",
        ">name</text>",
        "<title>name: text, length_prefixed(u8); at 2 (0x2), 1 bytes or more</title>",
        ">0x00</text>",
        ">+0x00</text>",
        ">11 bytes or more</text>",
        "prefers-color-scheme: dark",
    ] {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    // two bytes of fifty pixels each
    assert!(svg.contains("class=\"number\" x=\"87.0\" y=\"58\" width=\"98.0\""), "{svg}");
    assert!(svg.contains("class=\"open\""), "{svg}");
    let both = crate::support::run(&["layout", &layout, "--svg", "--json"]).fails(2);
    assert!(both.err.contains("--json"), "{}", both.err);
}

#[test]
fn one_without_a_name_and_one_that_is_no_record() {
    let folder = Folder::new("diagram-name");
    let layout = folder.file("a&b.layout", b"record, le\n  id: u16\n");
    let run = run(&["layout", &layout, "--svg"]).ok();
    assert!(run.text().contains("a&amp;b.layout</title>"), "{}", run.text());
    let number = folder.file("n.layout", b"u16\n");
    assert!(crate::support::run(&["layout", &number, "--svg"]).ok().text().contains("0 bytes"));
}

#[test]
fn sizes_that_no_file_has() {
    let folder = Folder::new("diagram-far");
    let mut chain = String::from("R: record, le\n  a: T0\n");
    (0..70).for_each(|i| chain += &format!("T{i}: record\n  a: [T{}; 2]\n", i + 1));
    let layouts = [
        "R: record, le\n  a: u8\n  _: skip(bytes = 18446744073709551615)\n  b: u8\n".to_owned(),
        "R: record, le\n  a: u8, pad_to = 18446744073709551615\n  b: u8, pad_to = 18446744073709551615\n"
            .to_owned(),
        chain + "T70: record\n  a: u8\n",
    ];
    for text in layouts {
        let layout = folder.file("far.layout", text.as_bytes());
        let drawn = crate::support::run(&["layout", &layout, "--svg"]);
        assert!(drawn.status == 0 && drawn.text().ends_with("</svg>\n"), "{drawn:?}");
    }
}
