//! What users of the five formats have reported and asked for, each on a small file.

use crate::support::{Folder, Run, data, run};

fn status(words: &[&str]) -> i32 {
    run(words).status
}

#[track_caller]
fn good(words: &[&str]) -> Run {
    let run = run(words);
    assert_eq!(run.status, 0, "{}", run.err);
    run
}

#[track_caller]
fn csv(words: &[&str]) -> String {
    good(&[&["cat", "--csv"][..], words].concat()).text().to_owned()
}

/// A file of parameters alone, with a row of them for each page.
fn parameters(folder: &Folder, name: &str, values: &[f64]) -> String {
    let mut text =
        "SDDS1\n&parameter name=Step, type=long, &end\n&parameter name=ex, units=m, type=double, &end\n\
                    &data mode=ascii, &end\n"
            .to_owned();
    for (step, value) in values.iter().enumerate() {
        text.push_str(&format!("{step}\n{value}\n"));
    }
    folder.file(name, text.as_bytes())
}

/// A file of arrays of several lengths.
fn arrays(folder: &Folder, name: &str, last: &str) -> String {
    let text = format!(
        "SDDS1\n&parameter name=stamp, type=long64, &end\n&array name=bpm, type=string, &end\n\
         &array name=hor, units=mm, type=double, &end\n&data mode=ascii, &end\n!page number 1\n\
         1666860750138395000\n3\nU1 U2 U3\n4\n7.1 7.3 7.0 {last}\n"
    );
    folder.file(name, text.as_bytes())
}

#[test]
fn texts_are_found_without_what_stands_around_them() {
    let folder = Folder::new("users-find");
    let twiss = folder.file(
        "twiss.sdds",
        b"SDDS1\n&parameter name=nux, type=double, &end\n&column name=s, type=double,  &end\n\
          &column name=Name, type=string,  &end\n&data mode=ascii, &end\n! page number 1\n 8.250000000000000e+00\n\
          \x20                  2\n 0.000000000000000e+00 _BEG_ \n 1.750000000000000e+00 \"B \\\"C\" \n",
    );
    let binary = folder.path("binary.sdds");
    good(&["convert", &twiss, &binary, "--mode", "binary"]);
    for value in ["1.75", "_BEG_", "B \"C", "8.25"] {
        for file in [&twiss, &binary] {
            assert_eq!(good(&["find", value, file]).text().lines().count(), 1, "{value} {file}");
        }
    }
    // a text that looks like a number is none
    assert_eq!(
        status(&[
            "find",
            "8.250",
            &folder
                .file("t.sdds", b"SDDS1\n&column name=t, type=string &end\n&data mode=ascii &end\n1\n8.25\n")
        ]),
        1
    );
    // up to its NUL, and characters of a fixed number
    let load = folder.file("a.bin", b"\x03\0\0\0xy\0");
    assert!(
        good(&["find", "xy", &load, "--format", "scidb", "--schema", "(string)"]).text().contains("\"xy\"")
    );
    let array =
        format!("{}/tests/data/tiledb/d1_cvn", env!("CARGO_MANIFEST_DIR").trim_end_matches("/binfmt-cli"));
    assert_eq!(good(&["find", "wk", &array]).text().lines().count(), 1);
    // numbers of a list that is text
    let list = folder.file("a.in", b"[[1i32, -2i32],\n -- 7\n [0x1F, 3]]");
    assert_eq!(good(&["find", "31", &list]).text(), "0x00000018  [0].text[2]: 0x1F\n");
    assert_eq!(status(&["find", "7", &list]), 1);
}

#[test]
fn what_is_in_no_column_is_compared() {
    let folder = Folder::new("users-diff");
    let diff = |a: &str, b: &str| {
        let run = run(&["diff", a, b]);
        (run.status, run.text().to_owned())
    };
    let found =
        diff(&parameters(&folder, "a.sdds", &[1.5, 2.0]), &parameters(&folder, "b.sdds", &[1.5, 9.5]));
    assert!(found.0 == 1 && found.1.contains("[1].ex: 2.0 | 9.5"), "{found:?}");
    assert_eq!(diff(&arrays(&folder, "c.sdds", "7.2"), &arrays(&folder, "d.sdds", "7.25")).0, 1);
    assert_eq!(diff(&arrays(&folder, "e.sdds", "7.2"), &arrays(&folder, "f.sdds", "7.20")).0, 0);
    // units, and other types in one format
    let column = |name: &str, units: &str, ty: &str| {
        let text = format!(
            "SDDS1\n&column name=x, units={units}, type={ty}, &end\n&data mode=ascii, &end\n1\n1.5\n"
        );
        folder.file(name, text.as_bytes())
    };
    let found = diff(&column("g.sdds", "m", "double"), &column("h.sdds", "mm", "double"));
    assert_eq!((found.0, found.1.lines().next()), (1, Some("column `x`: units m | mm")));
    assert_eq!(diff(&column("i.sdds", "m", "double"), &column("j.sdds", "m", "float")).0, 1);
    // in another format the same values may have another type
    let table = folder.file("g.csv", b"x\n1.5\n");
    assert_eq!(diff(&folder.path("g.sdds"), &table).0, 0);
    for (a, b) in [
        ("[1i32]", "[1i64]"),
        ("empty([0][2]i32)", "empty([0][3]i32)"),
        ("1i32 [1f64]", "1i64 [1f64]"),
        ("1i32 2i32", "1i32"),
    ] {
        let (a, b) = (folder.file("a.in", a.as_bytes()), folder.file("b.in", b.as_bytes()));
        assert_eq!((diff(&a, &b).0, diff(&a, &a).0), (1, 0), "{a} {b}");
    }
    // the indices of chunks
    let chunk = |name: &str, end: &str| {
        folder.file(name, format!("binary\nuser/i/1\n5 {end} 5\n\x03\0\0\0\n").as_bytes())
    };
    let words = ["--schema", r#"{"v": "int32"}"#];
    let (a, b) = (chunk("a.data", "9"), chunk("b.data", "8"));
    assert_eq!(run(&[&["diff", &a, &b][..], &words].concat()).status, 1);
}

#[test]
fn files_of_parameters_and_of_arrays_stay_what_they_are() {
    let folder = Folder::new("users-keep");
    let fin = parameters(&folder, "fin.sdds", &[1.5, 2.5, 3.5]);
    let out = folder.path("out.sdds");
    let head =
        "SDDS1\n&parameter name=Step, type=long, &end\n&parameter name=ex, units=m, type=double, &end\n";
    for (words, pages) in [
        (&["--pages", "1"][..], "1\n 2.5"),
        (&["--where", "ex > 3"], "2\n 3.5"),
        (&["--pages", "..1,2.."], "0\n 1.5"),
    ] {
        good(&[&["convert", &fin, &out, "--force"][..], words].concat());
        let text = std::fs::read_to_string(&out).unwrap();
        assert!(text.starts_with(head) && text.contains(pages), "{words:?} {text}");
    }
    good(&["convert", &fin, &out, "--rename", "ex=emit"]);
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(text.contains("&parameter name=emit, units=m") && text.contains("! page number 3"), "{text}");
    assert_eq!(csv(&[&fin]), "Step,ex\n0,1.5\n1,2.5\n2,3.5\n");
    assert_eq!(csv(&[&fin, "--where", "ex > 2", "--columns", "Step"]), "Step\n1\n2\n");
    // elements of arrays are rows; where they are not as many, the others are missing
    let leir = arrays(&folder, "leir.sdds", "7.2");
    assert_eq!(csv(&[&leir, "--columns", "hor"]), "hor\n7.1\n7.3\n7.0\n7.2\n");
    assert_eq!(
        csv(&[&leir, "--columns", "stamp,hor", "--where", "hor > 7.2"]),
        "stamp,hor\n1666860750138395000,7.3\n"
    );
    assert_eq!(csv(&[&leir]), "bpm,hor\nU1,7.1\nU2,7.3\nU3,7.0\n,7.2\n");
    let columns = folder.path("columns.sdds");
    good(&["convert", &leir, &columns, "--columns", "hor"]);
    let text = std::fs::read_to_string(&columns).unwrap();
    assert!(text.contains("&column name=hor, units=mm") && text.contains("&parameter name=stamp"), "{text}");
    assert_eq!(status(&["convert", &leir, &out, "--where", "hor > 7.2"]), 2);
    good(&["convert", &leir, &out, "--pages", "0", "--rename", "hor=h"]);
    assert!(std::fs::read_to_string(&out).unwrap().contains("&array name=h, units=mm"));
}

#[test]
fn columns_look_alike_on_every_way() {
    let folder = Folder::new("users-looks");
    let long = folder.file(
        "ld.sdds",
        b"SDDS4\n&column name=x, type=longdouble, &end\n&data mode=ascii, &end\n2\n1.0\n2.5\n",
    );
    for words in [&[][..], &["--where", "1 = 1"], &["--sample", "2"]] {
        assert_eq!(csv(&[&[long.as_str()], words].concat()), "x\n1.0\n2.5\n");
    }
    assert_eq!(good(&["cat", "--jsonl", &long]).text(), "{\"x\":1.0}\n{\"x\":2.5}\n");
    assert_eq!(csv(&[&long, "--where", "x > 1"]), "x\n2.5\n");
    assert_eq!(good(&["stats", "--json", &long]).json()["columns"][0]["max"], 2.5);
    // exact in its own format, and into it from others
    let (copy, table) = (folder.path("copy.sdds"), folder.file("t.csv", b"x\n1\n2.5\n"));
    good(&["convert", &long, &copy, "--where", "x > 1"]);
    assert!(std::fs::read_to_string(&copy).unwrap().contains("longdouble"));
    good(&["convert", &table, &copy, "--like", &long]);
    assert_eq!(csv(&[&copy]), "x\n1.0\n2.5\n");
    // one character, and times with the distance of their zone, in both directions
    let said = |path: &str, schema: &'static str| {
        [path.to_owned(), "--format".into(), "scidb".into(), "--schema".into(), schema.into()]
    };
    for (bytes, schema, expected) in [
        (&b"A~"[..], "(char)", "a\nA\n~\n"),
        (b"\x80\x38\xb3\x35\0\0\0\0\x20\x1c\0\0\0\0\0\0", "(datetimetz)", "a\n1998-07-20T12:30:56+02:00\n"),
    ] {
        let load = folder.file("load.bin", bytes);
        let read = said(&load, schema);
        let read: Vec<&str> = read.iter().map(String::as_str).collect();
        assert_eq!(csv(&read), expected);
        assert_eq!(csv(&[&read[..], &["--where", "1 = 1"]].concat()), expected);
        let (table, again) = (folder.file("a.csv", expected.as_bytes()), folder.path("again.bin"));
        good(&["convert", &table, &again, "--to", "scidb", "--schema", schema]);
        assert_eq!(std::fs::read(&again).unwrap(), bytes);
    }
    // what CSV says of bytes is those bytes
    let (table, again) = (folder.file("b.csv", b"a\n0xdeadbeef\n"), folder.path("b.bin"));
    good(&["convert", &table, &again, "--to", "scidb", "--schema", "(binary)"]);
    assert_eq!(std::fs::read(&again).unwrap(), b"\x04\0\0\0\xde\xad\xbe\xef");
}

#[test]
fn tables_of_text_go_into_any_types() {
    let folder = Folder::new("users-types");
    let file = |name: &str, text: &str| folder.file(name, text.as_bytes());
    let out = folder.path("out.bin");
    let scidb = |table: &str, schema: &str| {
        good(&["convert", table, &out, "--to", "scidb", "--schema", schema]);
        std::fs::read(&out).unwrap()
    };
    let missing = scidb(&file("m.csv", "a,b\n,1\n,2\n"), "<a:double,b:int64>[i]");
    assert_eq!((missing.len(), missing[0], missing[9]), (36, 0, 255));
    assert_eq!(scidb(&file("e.csv", "a,b\n"), "<a:double,b:string>[i]"), b"");
    assert_eq!(scidb(&file("j.jsonl", "{\"a\":null,\"b\":1}\n"), "<a:double,b:int64>[i]").len(), 18);
    let e = run(&["convert", &file("x.csv", "a\nx\n"), &out, "--to", "scidb", "--schema", "<a:double>[i]"]);
    assert!(e.status == 1 && e.err.contains("[0].a at byte 2 (0x2): expected f64 "), "{}", e.err);
    // an array whose types are not 64 bits wide
    let layout = file("r.layout", "R: record, le\n  x: u32\n  v: f32\n");
    let rows = folder.file("r.bin", &[0, 0, 0, 0, 0, 0, 0xc0, 0x3f, 1, 0, 0, 0, 0, 0, 0x20, 0x40]);
    let array = folder.path("arr");
    good(&["convert", &rows, &array, "--to", "tiledb", "--layout", &layout, "--dimensions", "x"]);
    good(&["convert", &file("more.csv", "x,v\n1,3.5\n"), &array, "--append", "--to", "tiledb"]);
    assert_eq!(csv(&[&array]), "x,v\n0,1.5\n1,3.5\n");
    let e = run(&["convert", &file("less.csv", "x,v\n-1,3.5\n"), &array, "--append", "--to", "tiledb"]);
    assert!(e.status == 1 && e.err.contains("-1 does not fit in u32"), "{}", e.err);
    // blanks around numbers, and in names
    let blanks = file("s.csv", "a, b\n1, 2\n3,\t4\n");
    assert_eq!(csv(&[&blanks, "--where", "b > 3"]), "a,b\n3,4\n");
    assert_eq!(csv(&[&blanks, "--types", " b:f64"]), "a,b\n1,2.0\n3,4.0\n");
    let quoted = file("q.csv", "a , b ,\" c\"\n1,2,3\n");
    assert_eq!(csv(&[&quoted, "--columns", "b"]), "b\n2\n");
    assert_eq!(csv(&[&quoted, "--columns", " c,a"]), "\" c\",a\n3,1\n");
    #[cfg(feature = "plot")]
    assert_eq!(status(&["plot", &folder.path("e.csv"), "--y", "a", "--output", &folder.path("n.svg")]), 0);
}

#[test]
fn lines_as_instruments_write_them() {
    let folder = Folder::new("users-lines");
    let file = |name: &str, text: &str| folder.file(name, text.as_bytes());
    let scope = file("scope.csv", "Model,MSO64\n\"Record Length\",5\n\nTIME,CH1\n0,0.1\n1,0.2\n");
    assert_eq!(csv(&[&scope, "--skip", "3"]), "TIME,CH1\n0,0.1\n1,0.2\n");
    let e = run(&["cat", &file("w.csv", "a,b\n1,2,3\n")]);
    assert!(e.err.contains("--skip how many lines are before the names"), "{}", e.err);
    let plain = file("p.csv", "  1 10\t 0.5\n2   11 10.5  \n");
    assert_eq!(
        csv(&[&plain, "--delimiter", "blanks", "--header", "false"]),
        "c0,c1,c2\n1,10,0.5\n2,11,10.5\n"
    );
    let german = file("de.csv", "ID;Vref\n1,5 V;1,5\nB;-2,5e3\n");
    assert_eq!(csv(&[&german, "--delimiter", ";", "--decimal", ","]), "ID,Vref\n\"1,5 V\",1.5\nB,-2500.0\n");
    assert_eq!(status(&["cat", &german, "--decimal", ","]), 2);
    let comments = file("c.csv", "# of June\na,b\n#1,2\n3,4\n");
    assert_eq!(csv(&[&comments, "--comment", "#"]), "a,b\n3,4\n");
    // how many seconds there are since 1970
    let epoch = file("t.csv", "t\n1579999999\n");
    assert_eq!(csv(&[&epoch, "--types", "t:time[s]"]), "t\n2020-01-26T00:53:19\n");
    assert_eq!(csv(&[&epoch, "--dates", "t:s", "--where", "t > '2020-01-26'"]), "t\n2020-01-26T00:53:19\n");
    let floats = file("f.csv", "t,v\n1579999999.25,1\n,2\n");
    assert_eq!(csv(&[&floats, "--dates", "t:s"]), "t,v\n2020-01-26T00:53:19.250000,1\n,2\n");
    assert!(run(&["cat", &epoch, "--dates", "t:parsec"]).fails(2).err.contains("units are s, ms"));
}

#[test]
fn several_files_are_one_and_units_are_never_mixed() {
    let folder = Folder::new("users-several");
    let file = |name: &str, units: &str, other: &str| {
        let text = format!(
            "SDDS1\n&column name=x, units={units}, type=double, &end\n&column name={other}, type=double, &end\n\
             &data mode=ascii, &end\n2\n1 5\n2 6\n"
        );
        folder.file(name, text.as_bytes())
    };
    let (a, b, c) = (file("a.sdds", "m", "y"), file("b.sdds", "mm", "y"), file("c.sdds", "m", "z"));
    for words in [&["stats", &a, &b][..], &["cat", &a, &b], &["convert", &a, &b, &folder.path("n.csv")]] {
        let told = run(words).fails(1).err;
        assert!(told.contains("column `x` is in mm, in") && told.contains("it is in m"), "{told}");
    }
    #[cfg(feature = "plot")]
    run(&["plot", &a, &b, "--x", "y", "--y", "x", "--output", &folder.path("p.svg")]).fails(2);
    // what is not asked for need not be there
    assert_eq!(csv(&[&a, &c, "--columns", "x"]), "x\n1.0\n2.0\n1.0\n2.0\n");
    let all = folder.path("all.sdds");
    good(&["convert", &a, &a, &all, "--mode", "ascii"]);
    assert_eq!(csv(&[&all, "--columns", "_page,x"]), "_page,x\n0,1.0\n0,2.0\n1,1.0\n1,2.0\n");
    assert!(csv(&[&all, "--columns", "file,y"]).contains("a.sdds,6.0\n"));
    let (one, two) = (folder.file("1.csv", b"v\n1\n"), folder.file("2.csv", b"v\n2\n"));
    let out = folder.path("both.jsonl");
    good(&["convert", &one, &two, &out, "--columns", "v"]);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "{\"v\":1}\n{\"v\":2}\n");
}

#[test]
fn files_of_other_programs_and_versions_are_told_apart() {
    let folder = Folder::new("users-told");
    let e = |words: &[&str]| run(words).err;
    let pointer =
        folder.file("kdd.bin", b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n");
    assert!(e(&["check", &pointer]).contains("a pointer of Git LFS"));
    for ending in ["csv", "tsv", "jsonl", "ndjson", "json", "sdds", "npy", "in", "index", "parquet"] {
        let named = folder.file(&format!("x.{ending}"), &std::fs::read(&pointer).unwrap());
        for words in [&["cat", &named][..], &["convert", &named, &folder.path("out.csv")], &["stats", &named]]
        {
            let e = e(words);
            assert!(e.contains("it is a pointer of Git LFS") && e.contains("git lfs pull"), "{words:?}: {e}");
        }
    }
    for (text, expected) in [
        ("300u8\n", "not in the range of u8"),
        ("(-1)\n", "found `(`"),
        ("\"abc\"\n", "a string: its bytes as u8"),
        ("True\n", "found `True`"),
        ("[1,2,3]i32\n", "the type `i32` without a number before it"),
    ] {
        let told = e(&["check", &folder.file("a.in", text.as_bytes())]);
        assert!(told.contains(expected), "{told}");
    }
    for text in [&b"  \n"[..], b""] {
        let file = folder.file("b.in", text);
        assert!(good(&["check", &file]).text().contains("0 values"));
        assert_eq!(good(&["inspect", "--json", &file]).json()["count"], 0);
    }
    // results of an analyzer
    let result = folder.file("r.data", b"binary\nanalysis:u/an/1\n0 0 5\n\x2a\0\0\0\n");
    let prefix = folder.path("prefix");
    std::fs::create_dir_all(format!("{prefix}/algorithms/u/an")).unwrap();
    let declared = r#"{"results": {"out_data": {"type": "int32", "display": false}}}"#;
    std::fs::write(format!("{prefix}/algorithms/u/an/1.json"), declared).unwrap();
    assert_eq!(csv(&[&result, "--prefix", &prefix]), "_start,_end,out_data\n0,0,42\n");
    good(&["inspect", &result, "--prefix", &prefix]);
    // a file beside its zeros, which tapes have
    let packed = folder.path("s.sdds.gz");
    good(&["convert", &data("../sdds/official/numeric_le_cm.sdds"), &packed]);
    let whole = std::fs::read(&packed).unwrap();
    let padded = folder.file("padded.sdds.gz", &[&whole[..], &[0; 512]].concat());
    assert_eq!(csv(&[&padded]), csv(&[&packed]));
    let more = folder.file("more.sdds.gz", &[&whole[..], b"more"].concat());
    assert!(e(&["check", &more]).contains("neither gzip nor zeros"));
}
