//! What users type, and files that are nearly right: each is told in a line.

use crate::support::*;

#[track_caller]
fn csv(words: &[&str]) -> String {
    run(&[&["cat", "--csv"], words].concat()).ok().text().to_owned()
}

#[test]
fn check_tells_numbers_that_end_before_their_words() {
    let folder = Folder::new("instruments-partly");
    let head = "SDDS1\n&parameter name=q, type=double, &end\n&column name=x, type=double, &end\n\
                &column name=n, type=long, &end\n&data mode=ascii, &end\n";
    let file = |name: &str, text: &str| folder.file(name, format!("{head}{text}").as_bytes());
    for (rows, place, word) in [
        ("1\n1.0D+05 2\n", "pages[0].table[0] at byte 139 (0x8b): column `x`", "1.0D+05"),
        ("2\n1 2\n1.#QNAN 3\n", "[0].table[1]", "1.#QNAN"),
        ("1\n1,5 2\n", "column `x`", "1,5"),
        ("1\n1.234-105 2\n", "column `x`", "1.234-105"),
        ("1\n1 2e3\n", "column `n`", "2e3"),
    ] {
        let path = file("a.sdds", &format!("8.25\n{rows}"));
        let told = run(&["check", &path]).noted(&format!("only the beginning of `{word}` is a "));
        assert!(told.err.contains(place) && told.err.lines().count() == 1, "{}", told.err);
        assert!(run(&["check", "--strict", &path]).fails(1).err.contains(word));
        run(&["cat", &path]).ok();
    }
    let second = file("p.sdds", "1\n1\n1 2\n1,5\n2\n1e5 0x1\n-1,5 2.5\n");
    let told = run(&["check", &second]).noted("pages[1]").err;
    assert!(
        told.contains("parameter `q`: only the beginning of `1,5`") && told.contains("4 such values"),
        "{told}"
    );
    run(&["check", "--strict", &file("w.sdds", "+1.5E-3\n3\n nan -2\n-INF 3\n0x1.8p1 \"4\"\n")]).ok();
    for (word, kind, told) in [
        ("70000", "short", "`70000` does not fit in a short, and is read as 4464"),
        ("-40000", "short", "does not fit in a short"),
        ("3000000000", "long", "does not fit in a long"),
        ("99999999999999999999", "long64", "does not fit in a long64"),
        ("-1", "ushort", "`-1` does not fit in a ushort, and is read as 65535"),
        ("-1", "ulong", "does not fit in a ulong"),
        ("-7", "ulong64", "does not fit in a ulong64"),
        ("1e39", "float", "`1e39` does not fit in a float, and is read as inf"),
        ("1e309", "double", "does not fit in a double"),
        ("abc", "character", "only the beginning of `abc` is a character"),
        ("1.5", "long", "only the beginning of `1.5` is a long"),
    ] {
        let of = |name: &str, what: &str, page: &str| {
            let head = format!("SDDS1\n{what}&column name=x, type={kind}, &end\n&data mode=ascii, &end\n");
            folder.file(name, format!("{head}{page}").as_bytes())
        };
        let parameter = format!("&parameter name=p, type={kind}, &end\n");
        let fixed = format!("&parameter name=p, type={kind}, fixed_value={word}, &end\n");
        let array = format!("&array name=a, type={kind}, &end\n");
        for (path, place) in [
            (of("a.sdds", "", &format!("2\n1\n{word}\n")), "pages[0].table[1]"),
            (of("b.sdds", &parameter, &format!("{word}\n1\n1\n")), "parameter `p`: "),
            (of("c.sdds", &fixed, "1\n1\n"), "parameters[0] at byte 0"),
            (of("d.sdds", &array, &format!("1\n{word}\n1\n1\n")), "array `a`, element 0"),
        ] {
            let noted = run(&["check", &path]).noted(told);
            assert!(noted.err.contains(place), "{}", noted.err);
            run(&["check", "--strict", &path]).fails(1);
        }
    }
    let limits = "SDDS1\n&parameter name=p, type=double, fixed_value=-1e3, &end\n&column name=a, type=short, &end\n\
                  &column name=b, type=ulong64, &end\n&column name=c, type=character, &end\n\
                  &column name=d, type=float, &end\n&data mode=ascii, &end\n\
                  2\n-32768 18446744073709551615 \\101 -inf\n32767 0 \"\" 3.4e38\n";
    run(&["check", "--strict", &folder.file("l.sdds", limits.as_bytes())]).ok();
    let arrays = "SDDS1\n&array name=h, type=float, &end\n&data mode=ascii, &end\n2\n1.5 2.5m\n";
    run(&["check", &folder.file("h.sdds", arrays.as_bytes())]).noted("array `h`, element 1");
}

#[test]
fn letters_in_brackets_are_patterns() {
    let folder = Folder::new("instruments-patterns");
    let table = folder.file("t.csv", b"PH1x,PH2x,PH3x,PH2y,v[0]\n1,2,3,4,5\n");
    assert_eq!(csv(&[&table, "--columns", "PH[23]x"]), "PH2x,PH3x\n2,3\n");
    assert_eq!(csv(&[&table, "--columns", "PH[!23]?,v[0]"]), "PH1x,v[0]\n1,5\n");
    assert!(run(&["cat", &table, "--columns", "PH[78]x"]).fails(2).err.contains("unknown column `PH[78]x`"));
    folder.file("u1.csv", b"a\n1\n");
    folder.file("u2.csv", b"a\n2\n");
    assert_eq!(csv(&[&folder.path("u[1-2].csv")]), "a\n1\n2\n");
}

#[test]
fn paths_may_be_those_of_files_everywhere() {
    let folder = Folder::new("instruments-paths");
    let table = format!("file://{}", folder.file("t.csv", b"a\n1\n"));
    assert_eq!(csv(&[&table]), "a\n1\n");
    folder.file("a b%20é.csv", b"a\n2\n");
    assert_eq!(csv(&[&format!("file://{}", folder.path("a%20b%2520%C3%A9.csv"))]), "a\n2\n");
    assert_eq!(csv(&[&folder.path("a b%20é.csv")]), "a\n2\n");
    let array = format!("file://{}", data("../tiledb/d1_dim_int16"));
    assert_eq!(csv(&[&array]), csv(&[&data("../tiledb/d1_dim_int16")]));
    let out = folder.path("o.jsonl");
    run(&["convert", &table, &format!("file://localhost{out}")]).ok();
    assert_eq!(std::fs::read(&out).unwrap(), b"{\"a\":1}\n");
    run(&["check", "file://server/t.csv"]).fails(1);
}

#[test]
fn other_text_is_told_with_what_makes_it_readable() {
    let folder = Folder::new("instruments-text");
    let wide =
        |order: fn(u16) -> [u8; 2]| "\u{feff}a,b\n1,2\n".encode_utf16().flat_map(order).collect::<Vec<u8>>();
    for (name, bytes) in [
        ("le.csv", wide(u16::to_le_bytes)),
        ("be.csv", wide(u16::to_be_bytes)),
        ("be.txt", wide(u16::to_be_bytes)),
    ] {
        let e = run(&["cat", &folder.file(name, &bytes)]);
        assert!(e.err.contains("UTF-16") && e.err.contains("iconv -f UTF-16 -t UTF-8"), "{}", e.err);
    }
    for name in ["a.json", "a.jsonl", "a.txt"] {
        let path = folder.file(name, b"[{\"a\":1},{\"a\":2}]");
        for words in [&["cat", path.as_str()][..], &["convert", &path, &folder.path("o.csv")]] {
            let told = run(words).err;
            assert!(told.contains("a JSON array") && told.contains("jq -c '.[]'"), "{words:?} {told}");
        }
    }
}

#[test]
fn the_tip_names_the_type_that_is_meant() {
    let folder = Folder::new("instruments-tips");
    for (name, text, tip) in
        [("f.csv", "a\n1.5\n", "a:f64"), ("g.csv", "a\nx\n", "a:text"), ("h.csv", "a\n1e3\n", "a:f64")]
    {
        let path = folder.file(name, text.as_bytes());
        let told = run(&["cat", &path, "--types", "a:i64"]).err;
        assert!(told.contains(tip), "{told}");
    }
    let path = folder.file("f.jsonl", b"{\"a\":1.5}\n");
    assert!(run(&["cat", &path, "--types", "a:i64"]).err.contains("a:f64"));
}

#[cfg(feature = "plot")]
#[test]
fn a_column_is_drawn_over_itself() {
    let folder = Folder::new("instruments-plot");
    let table = folder.file("t.csv", b"T,v\n1,5\n2,7\n");
    let out = folder.path("p.svg");
    let lines = |y: &str| {
        run(&["plot", &table, "--x", "T", "--y", y, "--output", &out]).ok();
        let text = std::fs::read_to_string(&out).unwrap();
        let is_of_data = |line: &&str| {
            line.contains("<polyline") && !line.contains("#8A929C") && !line.contains("#E4E7EB")
        };
        text.lines().filter(is_of_data).count()
    };
    assert_eq!(lines("T"), 1);
    // those of the legend, too
    assert_eq!(lines("v,T"), 4);
}

#[test]
fn what_lies_beside_a_data_file_is_told_in_a_line() {
    let folder = Folder::new("instruments-beside");
    let file = folder.file("s.0.0.data", b"binary\nuser/i/1\n0 0 4\n\x03\0\0\0");
    let beside: Vec<String> = ["s.0.0.index", "s.0.0.data.checksum", "s.0.0.index.checksum"]
        .map(|name| folder.file(name, b"0 0 4\n"))
        .into();
    for path in &beside {
        let told = run(&["cat", path]).fails(2).err;
        assert!(
            told.lines().count() == 1
                && told.contains(&format!("of a BEAT data file, and is read with {file}")),
            "{told}"
        );
        let told = run(&["check", path]).noted("is read with").err;
        assert_eq!(told.lines().count(), 1, "{told}");
    }
    std::fs::remove_file(file).unwrap();
    run(&["check", &beside[0]]).fails(2);
}

#[test]
fn what_lies_beside_no_data_file_is_told_in_a_line() {
    let folder = Folder::new("instruments-lone");
    let data = folder.path("s.0.0.data");
    for (name, what) in [
        ("s.0.0.index", "the index"),
        ("s.0.0.data.checksum", "the checksum"),
        ("s.0.0.index.checksum", "the checksum of the index"),
    ] {
        let path = folder.file(name, b"0 0 4\n");
        for command in ["cat", "inspect", "check", "stats"] {
            let told = run(&[command, &path]).fails(2).err;
            let expected = format!("{path}: it is {what} of a BEAT data file, {data}, which is not there\n");
            assert_eq!(told, format!("error: {expected}"));
        }
    }
    // other files have such names, too
    assert!(run(&["cat", &folder.file("pages.index", b"1\n")]).fails(2).err.contains("cannot tell"));
}
