//! `diff`: what two files differ in is told, and status 1.

use crate::support::{Folder, Run, run};

#[track_caller]
fn differ(one: &str, other: &str, words: &[&str], told: &str) {
    let run = run(&[&["diff", one, other], words].concat());
    assert!(
        run.status == 1 && run.text().contains(told) && !run.text().contains("the values are the same"),
        "{run:?}"
    );
}

#[track_caller]
fn same(one: &str, other: &str) -> Run {
    let run = run(&["diff", one, other]);
    assert!(run.status == 0 && run.text().contains("the same"), "{run:?}");
    run
}

fn npy(folder: &Folder, name: &str, (descr, shape): (&str, &str), values: &[u8]) -> String {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let front =
        [b"\x93NUMPY\x01\0".as_slice(), &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
    folder.file(name, &[front.as_slice(), values].concat())
}

#[test]
fn shapes_of_arrays() {
    let folder = Folder::new("compared-shapes");
    let values: Vec<u8> = (0..12).flat_map(|n| f64::from(n).to_le_bytes()).collect();
    let of = |name: &str, shape: &str, num: usize| npy(&folder, name, ("<f8", shape), &values[..8 * num]);
    let [a, b, c] = [of("a.npy", "(2, 2, 3)", 12), of("b.npy", "(2, 3, 2)", 12), of("c.npy", "(2, 6)", 12)];
    differ(&a, &b, &[], "column `value`: [f64; 6] of the shape (2, 3) | [f64; 6] of the shape (3, 2)");
    differ(&a, &c, &[], "[f64; 6] of the shape (2, 3) | [f64; 6]");
    differ(&of("d.npy", "(2, 2)", 4), &of("e.npy", "(2, 2, 1)", 4), &[], "[f64; 2] of the shape (2, 1)");
    differ(&of("s.npy", "()", 1), &of("l.npy", "(1,)", 1), &[], "shape: a single value | a list");
    let big: Vec<u8> = (0..12).flat_map(|n| f64::from(n).to_be_bytes()).collect();
    same(&c, &npy(&folder, "big.npy", (">f8", "(2, 6)"), &big));
    let futhark = |name: &str, text: &str| folder.file(name, text.as_bytes());
    differ(&futhark("a.futhark", "[1i32]"), &futhark("b.futhark", "[[1i32]]"), &[], "dims: [1] | [1, 1]");
}

#[test]
fn types_of_one_format() {
    let folder = Folder::new("compared-types");
    let wide = |text: &str| text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect::<Vec<u8>>();
    let u3 = npy(&folder, "u3.npy", ("<U3", "(1,)"), &wide("abc"));
    differ(&u3, &npy(&folder, "s5.npy", ("|S5", "(1,)"), b"abc\0\0"), &[], "column `value`: U3 | S5");
    let seconds = npy(&folder, "s.npy", ("<M8[s]", "(1,)"), &1i64.to_le_bytes());
    let millis = npy(&folder, "ms.npy", ("<M8[ms]", "(1,)"), &1000i64.to_le_bytes());
    differ(&seconds, &millis, &[], "column `value`: time[s]? | time[ms]?");
    let flags = npy(&folder, "b.npy", ("|b1", "(1,)"), b"\x01");
    differ(&flags, &npy(&folder, "u.npy", ("|u1", "(1,)"), b"\x01"), &[], "[0].value: true | 1");
    // of text the types are made of the values
    let text = |name: &str, text: &str| folder.file(name, text.as_bytes());
    let (whole, float) = (text("a.csv", "a\n1\n"), text("b.csv", "a\n1.0\n"));
    assert!(!same(&whole, &float).text().contains("column `a`"));
    differ(&whole, &text("c.csv", "a\ntrue\n"), &[], "[0].a: 1 | true");
    let line = text("a.jsonl", "{\"a\":1}\n");
    differ(&text("b.jsonl", "{\"a\":true}\n"), &line, &[], "[0].a: true | 1");
    same(&line, &text("c.jsonl", "{\"a\":1.0}\n"));
}

fn sdds(folder: &Folder, name: &str, definitions: &str, values: &str) -> String {
    let text = format!("SDDS1\n{definitions}&data mode=ascii &end\n{values}");
    folder.file(name, text.as_bytes())
}

#[test]
fn definitions_and_shapes_of_sdds_arrays() {
    let folder = Folder::new("compared-arrays");
    let column = "&column name=x, type=double &end\n";
    for (columns, rows) in [("", ""), (column, "1\n3\n")] {
        let of = |name: &str, said: &str, values: &str| {
            let text = format!("&array name=a, type=double{said} &end\n{columns}");
            sdds(&folder, name, &text, &format!("{values}{rows}"))
        };
        let plain = of("plain.sdds", "", "4\n1 2 3 4\n");
        for (said, told) in [
            (", units=V", "units nothing | V"),
            (", description=d", "description nothing | d"),
            (", format_string=%g", "format_string nothing | %g"),
            (", symbol=s", "symbol nothing | s"),
            (", group_name=g", "group_name nothing | g"),
        ] {
            differ(&plain, &of("said.sdds", said, "4\n1 2 3 4\n"), &[], told);
        }
        let volts = of("v.sdds", ", units=V", "4\n1 2 3 4\n");
        differ(&volts, &of("kv.sdds", ", units=kV", "4\n1 2 3 4\n"), &[], "units V | kV");
        let square = of("square.sdds", ", dimensions=2", "2 2\n1 2 3 4\n");
        let wide = of("wide.sdds", ", dimensions=2", "1 4\n1 2 3 4\n");
        differ(&square, &wide, &[], "{\"shape\":[2,2],\"values\":[1.0,2.0,3.0,4.0]} | {\"shape\":[1,4]");
        differ(&square, &wide, &["--columns", "a"], "\"shape\":[1,4]");
        differ(&square, &plain, &[], "dimensions 2 | nothing");
        let definitions =
            format!("&associate filename=\"o.sdds\" &end\n&array name=a, type=double &end\n{columns}");
        let beside = sdds(&folder, "beside.sdds", &definitions, &format!("4\n1 2 3 4\n{rows}"));
        differ(&plain, &beside, &[], "associates: nothing | filename=\"o.sdds\"");
    }
}

#[test]
fn parameters_of_pages_without_rows() {
    let folder = Folder::new("compared-parameters");
    let definitions = "&parameter name=p, type=double &end\n&column name=x, type=double &end\n";
    let of = |name: &str, values: &str| sdds(&folder, name, definitions, values);
    let (one, other) = (of("a.sdds", "1\n0\n"), of("b.sdds", "9\n0\n"));
    for words in [&["--columns", "p"][..], &["--columns", "p,x"], &["--parameters", "p"], &[]] {
        differ(&one, &other, words, "p: 1.0 | 9.0");
    }
    run(&["diff", &one, &other, "--columns", "x"]).noted("");
    // the second page has no row
    let (one, other) = (of("c.sdds", "1\n1\n5\n2\n0\n"), of("d.sdds", "1\n1\n5\n7\n0\n"));
    differ(&one, &other, &["--columns", "p"], "[1].p: 2.0 | 7.0");
}

/// A dense array of these dimensions, each fragment with where it is.
fn dense(folder: &Folder, name: &str, dims: &str, fragments: &[(&str, &str)]) -> String {
    let filters = "{\"filters\":[],\"max_chunk_size\":65536}";
    let fragment = |(i, (place, values)): (usize, &(&str, &str))| {
        format!(
            "{{\"dense\":true,\"non_empty_domain\":{place},\"timestamps\":[{0},{0}],\"name\":\"__{0}_{0}_{0:032}\",\
             \"attributes\":{{\"v\":{values}}}}}",
            i + 100
        )
    };
    let fragments: Vec<String> = fragments.iter().enumerate().map(fragment).collect();
    let json = folder.file(
        &format!("{name}.json"),
        format!(
            "{{\"format\":\"tiledb\",\"schema\":{{\"array_type\":\"dense\",\"attrs\":[{{\"cell_val_num\":1,\
             \"filters\":{filters},\"name\":\"v\",\"type\":\"INT32\"}}],\"capacity\":10000,\"cell_order\":\"row\",\
             \"coords_filters\":{filters},\"dim_type\":\"INT64\",\"dims\":[{dims}],\"offsets_filters\":{filters},\
             \"tile_order\":\"row\"}},\"fragments\":[{}]}}",
            fragments.join(",")
        )
        .as_bytes(),
    );
    let array = folder.path(name);
    run(&["convert", &json, &array, "--to", "tiledb"]).ok();
    array
}

fn dimension(name: &str, high: u64, extent: u64) -> String {
    format!("{{\"name\":\"{name}\",\"lo\":0,\"hi\":{high},\"extent\":{extent}}}")
}

#[test]
fn domains_of_arrays() {
    let folder = Folder::new("compared-domains");
    let cells = [("[[0,3]]", "[1,2,3,4]")];
    let small = dense(&folder, "small", &dimension("r", 3, 2), &cells);
    let large = dense(&folder, "large", &dimension("r", 5, 2), &cells);
    differ(&small, &large, &[], "column `r`: domain 0..=3 | 0..=5");
    let tiles = dense(&folder, "tiles", &dimension("r", 3, 4), &cells);
    assert!(same(&small, &tiles).text().contains("column `r`: tile_extent 2 | 4 (how it is stored"));
}

/// Of an array whose domain is far larger than any memory, what was written is looked at.
#[test]
fn arrays_of_a_huge_domain() {
    let folder = Folder::new("compared-huge");
    let dims = [dimension("x", 9_999_999_999, 2), dimension("y", 9_999_999_999, 2)].join(",");
    let of = |name: &str, far: &[(&str, &str)]| {
        dense(&folder, name, &dims, &[&[("[[0,1],[0,1]]", "[1,2,3,4]")], far].concat())
    };
    let there = "[[9000000000,9000000001],[9000000000,9000000001]]";
    let far = of("far", &[(there, "[5,6,7,8]")]);
    let stats = run(&["stats", &far, "--json"]).noted("only the part was looked at").json();
    assert_eq!((&stats["rows"], &stats["columns"][2]["max"]), (&8.into(), &8.into()));
    assert_eq!(run(&["cat", &far, "--sample", "9", "--no-header"]).noted("only").text().lines().count(), 8);
    let other = of("other", &[(there, "[5,6,7,9]")]);
    differ(&far, &other, &[], "values: 1 value differs, in 1 row of 8");
    let elsewhere = of("elsewhere", &[("[[8000000000,8000000001],[0,1]]", "[5,6,7,8]")]);
    differ(&far, &elsewhere, &[], "values: 8 values differ, in 8 rows of 12");
    // each cell once, where one fragment lies over another
    let over = of("over", &[("[[0,3],[0,1]]", "[9,9,9,9,9,9,9,9]")]);
    assert_eq!(run(&["stats", &over, "--json"]).noted("only").json()["rows"], 8);
    let none = dense(&folder, "none", &dims, &[]);
    for words in [&["stats", &none, "--json"][..], &["cat", &none, "--sample", "3"]] {
        run(words).noted("no cell was written");
    }
    assert_eq!(run(&["stats", &none, "--json"]).json()["rows"], 0);
    differ(&none, &far, &[], "values: 8 values differ");
    let nothing = dense(&folder, "nothing", &dims, &[]);
    same(&none, &nothing);
    // one message and no table
    let e = run(&["stats", &far, "--subarray", ".., .."]).fails(1);
    assert_eq!(e.text(), "");
}

/// However many fragments lie far from each other, in the one dimension or in the other, only what was written is looked at.
#[test]
fn many_parts_of_a_huge_domain() {
    let folder = Folder::new("compared-many");
    let dims = [dimension("x", 9_999_999_999, 2), dimension("y", 9_999_999_999, 2)].join(",");
    let far = |i: u64| format!("[{0},{1}]", i * 30_000_000, i * 30_000_000 + 1);
    let of = |name: &str, place: &dyn Fn(u64) -> String| {
        let places: Vec<String> = (0..300).map(place).collect();
        let fragments: Vec<(&str, &str)> = places.iter().map(|place| (&**place, "[1,2,3,4]")).collect();
        dense(&folder, name, &dims, &fragments)
    };
    let down = of("down", &|i| format!("[{},[0,1]]", far(i)));
    let along = of("along", &|i| format!("[[0,1],{}]", far(i)));
    let both = of("both", &|i| format!("[{},{}]", far(i), far(299 - i)));
    for array in [&down, &along, &both] {
        assert_eq!(run(&["stats", array, "--json"]).noted("only").json()["rows"], 1200);
    }
    let sample = ["cat", "--no-header", "--sample", "4", &down, &along];
    assert_eq!(run(&sample).noted("only").text().lines().count(), 4);
    differ(&down, &along, &[], "values: ");
}

/// A value that a definition says is compared where no page has it, and not twice where one has.
#[test]
fn fixed_values_without_pages() {
    let folder = Folder::new("compared-fixed");
    let of = |name: &str, value: &str, pages: &str| {
        let text = format!(
            "SDDS1\n&parameter name=P, type=double{value}, &end\n&column name=x, type=double, &end\n\
             &data mode=ascii, &end\n{pages}"
        );
        folder.file(name, text.as_bytes())
    };
    let [one, two] = [of("1.sdds", ", fixed_value=1", ""), of("2.sdds", ", fixed_value=2", "")];
    let told = "column `P`: fixed_value 1 | 2";
    differ(&one, &two, &[], "column `P`: fixed_value 1 | 2");
    differ(&one, &two, &["--columns", "P"], told);
    differ(&one, &of("n.sdds", "", ""), &[], "column `P`: fixed_value 1 | nothing");
    same(&one, &of("w.sdds", ", fixed_value=1.0", ""));
    assert_eq!(run(&["diff", &one, &two, "--columns", "x"]).status, 0);
    for pages in ["1\n5\n", "0\n"] {
        let [a, b] = [of("a.sdds", ", fixed_value=1", pages), of("b.sdds", ", fixed_value=2", pages)];
        let text = run(&["diff", &a, &b]).text().to_owned();
        assert_eq!((text.matches(" | 2.0").count(), text.contains("fixed_value")), (1, false), "{text}");
    }
    // what no page would keep is not lost
    let paged = of("p.sdds", ", fixed_value=2", "1\n5\n");
    for files in [[&one, &two], [&one, &paged], [&paged, &one]] {
        let e = run(&["convert", files[0], files[1], &folder.path("o.sdds")]).fails(2).err;
        assert!(e.contains("1.sdds: parameter `P` has another fixed value in other files"), "{e}");
    }
}

/// How many values two files have is told once, and each that both have is compared.
#[test]
fn numbers_of_values() {
    let folder = Folder::new("compared-count");
    let of = |name: &str, text: &str| folder.file(name, text.as_bytes());
    let one = of("1.futhark", "[1i32]");
    for more in ["[1i32] true", "[1i32] [2i32]", "[1i32] 2i32"] {
        let done = run(&["diff", &one, &of("2.futhark", more)]);
        assert_eq!((done.status, done.text().matches("values: 1 | 2").count()), (1, 1), "{done:?}");
        assert!(!done.text().contains("value 0"), "{done:?}");
    }
    let two = [of("a.futhark", "[1i32, 2i32] true"), of("b.futhark", "[1i32, 2i32]")];
    assert_eq!(run(&["diff", &two[0], &two[1], "--pages", "0"]).status, 0);
}
