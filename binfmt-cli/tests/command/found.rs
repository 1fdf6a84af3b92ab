//! `find`: every value that `cat` shows, in every form.

use crate::support::{Folder, run, run_with, scidb};

#[track_caller]
fn finds(value: &str, path: &str, place: &str) {
    let found = run(&["find", value, path]).ok();
    assert!(found.text().contains(place), "{value}: {}", found.text());
}

#[track_caller]
fn none(value: &str, path: &str) {
    let found = run(&["find", "--", value, path]);
    assert_eq!((found.status, found.text()), (1, ""), "{value}");
}

#[test]
fn what_sdds_pages_have_is_found_in_text_and_binary() {
    let folder = Folder::new("found-sdds");
    let text = folder.file(
        "a.sdds",
        b"SDDS1\n&parameter name=p, type=character &end\n&parameter name=s, type=string &end\n\
          &parameter name=l, type=longdouble &end\n&array name=m, type=longdouble &end\n\
          &parameter name=f, type=string, fixed_value=\"a \\\"b\\\" c\" &end\n\
          &parameter name=g, type=double, fixed_value=\"1.50\" &end\n\
          &parameter name=h, type=double, fixed_value=-1.5e-3 &end\n\
          &parameter name=i, type=string, fixed_value=\"8.250\" &end\n\
          &array name=a, type=string &end\n&array name=n, type=character &end\n\
          &column name=c, type=character &end\n&column name=d, type=longdouble &end\n\
          &data mode=ascii &end\nP\nhello you\n-7.25\n2\n0.5 9.75\n2\nUEH21 UEH22\n3\na ~ 8\n2\n~ 2.5\nx -3\n",
    );
    let [binary, big, columns] = ["binary.sdds", "big.sdds", "columns.sdds"].map(|name| folder.path(name));
    run(&["convert", &text, &binary, "--mode", "binary"]).ok();
    run(&["convert", &text, &big, "--mode", "binary", "--byte-order", "big"]).ok();
    run(&["convert", &text, &columns, "--mode", "binary", "--order", "column"]).ok();
    for file in [&text, &binary, &big, &columns] {
        finds("UEH21", file, "pages[0].arrays.a[0]: \"UEH21\"");
        finds("hello you", file, "pages[0].parameters.s: \"hello you\"");
        finds("~", file, "pages[0].arrays.n[1]: \"~\"");
        finds("~", file, "c");
        assert_eq!(run(&["find", "~", file]).ok().text().lines().count(), 2, "{file}");
        finds("P", file, "pages[0].parameters.p: \"P\"");
        finds("8", file, "pages[0].arrays.n[2]: \"8\"");
        finds("2.5", file, "pages[0].table[0].d: ");
        finds("2.50", file, "pages[0].table[0].d: ");
        finds("9.75", file, "pages[0].arrays.m[1]: ");
        for (number, place) in [("-7.25", "pages[0].parameters.l: "), ("-3", "pages[0].table[1].d: ")] {
            let found = run(&["find", "--", number, file]).ok();
            assert!(found.text().contains(place), "{}", found.text());
        }
        finds("a \"b\" c", file, "header.parameters[");
        finds("1.5", file, "fixed_value");
        assert!(run(&["find", "--", "-0.0015", file]).ok().text().contains("fixed_value"));
        finds("8.250", file, "fixed_value");
        // characters and texts are no numbers
        for value in ["126", "80", "65", "8.0", "8.25"] {
            none(value, file);
        }
        let dumped = run(&["dump", file]).ok();
        assert!(dumped.text().contains("arrays.a[0]: \"UEH21") && !dumped.text().contains("[85, 69"));
    }
}

#[test]
fn characters_times_and_bytes_of_scidb_are_found() {
    let folder = Folder::new("found-scidb");
    let time = b"\x80\x38\xb3\x35\0\0\0\0\x20\x1c\0\0\0\0\0\0";
    let plain = folder.file("plain.bin", &[&time[..], b"A\x01ab"].concat());
    let may_be_missing = folder.file("null.bin", &[b"\xff", &time[..], b"\xffA\x01\xffab"].concat());
    for (file, schema) in [
        (plain, "(datetimetz, char, bool, binary(2))"),
        (may_be_missing, "(datetimetz null, char null, bool, binary(2) null)"),
    ] {
        let find = |value: &str| scidb(&["find", value, &file], schema);
        assert!(find("1998-07-20T12:30:56+02:00").ok().text().contains("[0].a: 1998-07-20T12:30:56+02:00"));
        assert!(find("0x6162").ok().text().contains("[0].d: "));
        assert!(find("A").ok().text().contains("[0].b: \"A\""));
        assert!(find("true").ok().text().contains("[0].c: true"));
        for value in ["65", "1", "1.0", "B", "false"] {
            assert_eq!(find(value).status, 1, "{value}");
        }
    }
}

#[test]
fn a_bool_is_not_a_number() {
    let folder = Folder::new("found-bool");
    let csv = folder.file("a.csv", b"a\ntrue\nfalse\n");
    let lines = folder.file("a.jsonl", b"{\"a\":true}\n{\"a\":false}\n");
    let values = folder.file("a.futhark", b"[true,false]");
    let npy = folder.path("a.npy");
    run(&["convert", &csv, &npy]).ok();
    for file in [&csv, &lines, &values, &npy] {
        finds("true", file, "true");
        for number in ["1", "1.0", "0"] {
            none(number, file);
        }
    }
}

#[test]
fn hexadecimal_floats_of_futhark_are_numbers() {
    let folder = Folder::new("found-futhark");
    let values = folder.file("a.futhark", b"[0x1p3f64, -0x1.8p1f64]");
    finds("8", &values, "0x1p3f64");
    let found = run(&["find", "--", "-3", &values]).ok();
    assert!(found.text().contains("-0x1.8p1f64"), "{}", found.text());
    none("1", &values);
}

#[test]
fn texts_of_wide_characters_are_found_in_tiledb() {
    let array = format!("{}/../tests/data/tiledb/d1_types", env!("CARGO_MANIFEST_DIR"));
    let shown = run(&["cat", &array, "--columns", "a_string_utf16", "--rows", "6..8"]).ok();
    for text in shown.text().lines().skip(1) {
        finds(text, &array, "a_string_utf16.tdb: a_string_utf16[");
    }
}

#[test]
fn a_value_of_an_array_is_in_a_file_of_its_folder() {
    let folder = Folder::new("found-tiledb");
    let (csv, array) = (folder.file("a.csv", b"r,v\n0,5\n1,77\n"), folder.path("a.tdb"));
    run(&["convert", &csv, &array, "--dimensions", "r"]).ok();
    let more = folder.file("b.csv", b"r,v\n0,77\n1,8\n");
    run(&["convert", &more, &array, "--append"]);
    let found = run(&["find", "77", &array]).ok();
    let names = std::fs::read_dir(&array).unwrap().map(|entry| entry.unwrap());
    let fragments: Vec<String> = names
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    for line in found.text().lines() {
        assert!(fragments.iter().any(|name| line.contains(&format!("  {name}/v.tdb: v["))), "{line}");
    }
    // one file that is named needs no name
    let file = format!("{array}/{}/v.tdb", fragments[0]);
    assert!(run(&["find", "77", &file]).ok().text().contains("  v["));
}

#[test]
fn why_nothing_is_found_in_fortran_order() {
    let folder = Folder::new("found-fortran");
    let header = "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }\n";
    let front =
        [b"\x93NUMPY\x01\0".as_slice(), &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
    let values: Vec<u8> = [1i16, 4, 2, 5, 3, 6].iter().flat_map(|n| n.to_le_bytes()).collect();
    let file = folder.file("f.npy", &[front, values].concat());
    assert_eq!(run(&["cat", &file, "--no-header"]).ok().text(), "[1,2,3]\n[4,5,6]\n");
    let e = run(&["find", "5", &file]).fails(1);
    assert!(e.err.contains("Fortran order"), "{}", e.err);
    let (csv, other) =
        (folder.file("c.jsonl", b"{\"value\":[1,2,3]}\n{\"value\":[4,5,6]}\n"), folder.path("c.npy"));
    run(&["convert", &file, &other]).ok();
    assert!(run(&["diff", &file, &other]).ok().text().contains("the values are the same"));
    assert!(run(&["diff", &file, &csv]).ok().text().contains("the values are the same"));
}

/// Values of an array are found in a stream as they are in a file, also one that is compressed, and times are dates there.
#[test]
fn arrays_in_a_stream() {
    let folder = Folder::new("found-stream");
    let csv = folder.file("m.csv", b"a,t\n1,2020-01-01T00:00:00\n3,2021-01-01T00:00:00\n");
    let (npy, sdds) = (folder.path("m.npy"), folder.path("m.sdds"));
    run(&["convert", &csv, &npy, "--types", "t:time[s]"]).ok();
    run(&["convert", &csv, &sdds, "--types", "t:time[s]"]).noted("its times become numbers");
    for file in [&npy, &sdds] {
        let bytes = std::fs::read(file).unwrap();
        let packed = crate::compressed::packed(&bytes, binfmt::formats::sdds::Compression::Gzip);
        for value in ["3", "2021-01-01"] {
            let found = run(&["find", value, file]).ok();
            assert_eq!(found.text().lines().count(), 1, "{found:?}");
            for stream in [&bytes, &packed] {
                assert_eq!(run_with(&["find", value, "-"], stream).ok().text(), found.text());
            }
        }
        assert_eq!(run_with(&["find", "77", "-"], &bytes).status, 1);
    }
}
