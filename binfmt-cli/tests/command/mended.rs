//! What was wrong in the command, each kind on small files.

use crate::compressed::packed;
use crate::support::{Folder, Run, run};
use binfmt::formats::sdds::Compression;

/// A file of the repository.
fn repository(name: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
    root.join(name).to_str().expect("the path is text").to_owned()
}

fn twiss() -> String {
    repository("examples/data/twiss.sdds")
}

#[track_caller]
fn good(words: &[&str]) -> Run {
    let run = run(words);
    assert_eq!(run.status, 0, "{}", run.err);
    run
}

#[test]
fn options_stand_anywhere_among_the_files_of_convert() {
    let folder = Folder::new("mended-order");
    let (twiss, out) = (twiss(), folder.path("x.csv"));
    let mut texts = Vec::new();
    for words in [
        &["--columns", "s", &twiss, &out][..],
        &[&twiss, "--columns", "s", &out],
        &[&twiss, &out, "--columns", "s"],
        &["--columns=s", &twiss, "--force", &out],
        &["--force", "--columns", "s", "--", &twiss, &out],
    ] {
        good(&[&["convert"][..], words].concat());
        texts.push(std::fs::read_to_string(&out).unwrap());
        std::fs::remove_file(&out).unwrap();
    }
    assert!(texts[0].starts_with("s\n0.0\n") && texts.iter().all(|text| *text == texts[0]), "{texts:?}");
    good(&["convert", &twiss, "--columns", "s", &twiss, "--to", "csv", &out]);
    assert_eq!(std::fs::read_to_string(&out).unwrap().lines().count(), 2 * texts[0].lines().count() - 1);
    let e = run(&["convert", &twiss]).fails(2);
    assert!(e.err.contains("not provided") && e.err.contains("<OUT>"), "{}", e.err);
    assert!(run(&["convert"]).fails(2).err.contains("Usage: binfmt convert [OPTIONS] <IN>... <OUT>"));
}

#[test]
fn patterns_mean_arrays_where_there_are_no_columns() {
    let file = repository("tests/data/sdds/hand/ascii_array.sdds");
    for form in [&[][..], &["--csv"], &["--jsonl"], &["--table"]] {
        let of = |name: &str| good(&[&["cat", &file, "--columns", name][..], form].concat()).out;
        assert_eq!(of("s*"), of("s"), "{form:?}");
        assert_eq!(of("?"), of("a,s"), "{form:?}");
        let e = run(&[&["cat", &file, "--columns", "q*"][..], form].concat()).fails(2);
        assert!(e.err.contains("the columns are a, s"), "{}", e.err);
    }
}

#[test]
fn a_choice_of_an_sdds_file_keeps_what_its_pages_have() {
    let twiss = twiss();
    let of = |words: &[&str]| good(&[&["convert", &twiss, "-", "--mode", "ascii"][..], words].concat());
    let chosen = of(&["--where", "s > 1"]).ok();
    let text = chosen.text();
    assert!(text.contains("name=Program, type=string, fixed_value=elegant"), "{text}");
    assert_eq!(text.matches("! page number").count(), 2, "{text}");
    assert!(text.contains(" 8.500000000000000e+00\n                   0\n"), "{text}");
    let renamed = of(&["--columns", "betax", "--rename", "betax=b", "--pages", "1"]).ok();
    assert!(renamed.text().contains("name=b, symbol=") && renamed.text().contains("1.1"), "{renamed:?}");
    assert!(!renamed.text().contains("name=s,") && renamed.text().contains("fixed_value"), "{renamed:?}");
    // what is asked of a table, is one
    let e = run(&["convert", &twiss, "-", "--mode", "ascii", "--as-parameters", "ElementName"]).fails(1);
    assert!(e.err.contains("changes within a page"), "{}", e.err);
    let empty = repository("tests/data/sdds/official/multipage_ascii.sdds");
    let all = good(&["convert", &empty, "-", "--where", "n > 0"]).ok();
    assert!(all.text().contains("\"page 2\"\n                   0\n"), "{all:?}");
    assert!(all.text().contains("fixed_value=3.25"), "{all:?}");
}

#[test]
fn numbers_that_become_times_are_a_table() {
    let folder = Folder::new("mended-times");
    let file = folder.file(
        "a.sdds",
        b"SDDS1\n&array name=a, type=long, &end\n&column name=t, type=double, &end\n&data mode=ascii, &end\n\
          1\n7\n2\n0.5\n1.5\n",
    );
    let out = folder.path("b.sdds");
    good(&["convert", &file, &out, "--dates", "t:s"]);
    let shown = good(&["cat", &out]);
    assert_eq!(
        shown.text(),
        "# page 0\n# a: 1: 7\nt\n1970-01-01T00:00:00.500000\n1970-01-01T00:00:01.500000\n"
    );
}

#[test]
fn several_files_have_the_columns_of_one() {
    let folder = Folder::new("mended-several");
    let twiss = twiss();
    for form in ["csv", "jsonl", "tsv"] {
        let one = good(&["convert", &twiss, "-", "--to", form]);
        let two = good(&["convert", &twiss, &twiss, "-", "--to", form]);
        let (one, two) = (one.text().lines().next().unwrap(), two.text().lines().next().unwrap());
        let front = one.trim_end_matches('}');
        assert!(two.starts_with(front) && two.contains("file") && !two.contains("nux"), "{one} {two}");
    }
    let out = folder.path("all.sdds");
    good(&["convert", &twiss, &twiss, &out, "--force", "--columns", "s"]);
    let pages = good(&["cat", &out, "--csv", "--columns", "_page,nux,Program,s"]);
    let one = "0,8.25,elegant,0.0\n0,8.25,elegant,0.5\n0,8.25,elegant,1.75\n1,8.5,elegant,0.0\n";
    let other = one.replace("\n1,", "\n3,").replace("\n0,", "\n2,").replacen("0,", "2,", 1);
    assert_eq!(pages.text(), format!("_page,nux,Program,s\n{one}{other}"));
    let bare = folder.file(
        "bare.sdds",
        b"SDDS1\n&column name=s, units=m, type=double, &end\n&data mode=ascii, &end\n1\n7\n",
    );
    let noted = good(&["convert", &twiss, &bare, &out, "--force", "--columns", "s"]);
    noted.noted("not all files have these, which are left out: `Program`, `nux`");
}

#[test]
fn the_column_of_the_files_has_two_names() {
    let folder = Folder::new("mended-file");
    let a = folder.file("a.csv", b"a\n1\n");
    let b = folder.file("b.csv", b"a\n2\n");
    for name in ["file", "_file"] {
        let columns = format!("{name},a");
        let both = good(&["convert", &a, &b, "-", "--to", "csv", "--columns", &columns]);
        assert_eq!(both.text(), format!("file,a\n{a},1\n{b},2\n"));
        let condition = format!("{name} = '{b}'");
        let second = good(&["convert", &a, &b, "-", "--to", "csv", "--where", &condition]);
        assert_eq!(second.text(), format!("a,file\n2,{b}\n"));
        let shown = good(&["cat", "--csv", &a, &b, "--columns", &columns]);
        assert_eq!(shown.text(), format!("{name},a\n{a},1\n{b},2\n"));
    }
    assert_eq!(good(&["cat", "--csv", &a, "--columns", "_file,a"]).text(), format!("_file,a\n{a},1\n"));
    let one = good(&["convert", &a, "-", "--to", "csv", "--columns", "_file,a"]);
    assert_eq!(one.text(), format!("file,a\n{a},1\n"));
    let one = good(&["convert", &a, "-", "--to", "csv", "--columns", "file,a"]);
    assert_eq!(one.text(), format!("file,a\n{a},1\n"));
    assert_eq!(good(&["cat", "--csv", &a, "--columns", "file"]).text(), format!("file\n{a}\n"));
    // a column of the files is theirs
    let own = folder.file("own.csv", b"file,a\nx,1\n");
    let twice = good(&["cat", "--csv", &own, &own, "--columns", "file"]);
    assert_eq!(twice.text(), "file\nx\nx\n");
    assert_eq!(good(&["cat", "--csv", &own, "--columns", "file"]).text(), "file\nx\n");
}

#[test]
fn a_time_is_not_counted_twice() {
    let file = repository("tests/data/npy/mixed/input.npy");
    let e = run(&["cat", "--csv", &file, "--columns", "t", "--dates", "t:s"]).fails(2);
    assert!(e.err.contains("column `t` is a time already"), "{}", e.err);
    let e = run(&["cat", "--csv", &twiss(), "--dates", "ElementName:s"]).fails(2);
    assert!(e.err.contains("counts no time"), "{}", e.err);
}

#[test]
fn characters_are_text_everywhere() {
    let file = repository("tests/data/sdds/official/alltypes_ascii.sdds");
    let table = good(&["cat", "--table", &file, "--columns", "c_character", "--rows", "..2"]);
    let text = table.text();
    assert!(text.ends_with("c_character\n\"\nA\n"), "{text}");
    assert!(text.contains("p_character: A\n") && text.contains("a_character: 6: \" A "), "{text}");
    let both = ["c_character,p_character", "--rows", "1..2", "--no-parameters"];
    let table = good(&[&["cat", "--tsv", &file, "--columns"][..], &both].concat());
    assert!(table.text().ends_with("c_character\tp_character\nA\tA\n"), "{table:?}");
}

#[test]
fn elements_of_arrays_are_compared_as_they_are_shown() {
    let file = |end: &str| repository(&format!("tests/data/sdds/official/arrays_{end}.sdds"));
    let run = run(&["diff", &file("ascii"), &file("le")]);
    assert!(
        run.text().contains("array:longdouble1d: [\"-inf\",") && !run.text().contains("000000"),
        "{run:?}"
    );
    assert!(run.text().contains("array:character1d: [\" \",\"\\\\\",\"!\",\"\\\"\",\"A\"] | "), "{run:?}");
}

#[test]
fn that_a_value_may_be_missing_is_no_difference_between_formats() {
    let folder = Folder::new("mended-nullable");
    let (twiss, csv) = (twiss(), folder.path("t.csv"));
    good(&["convert", &twiss, &csv]);
    let told = run(&["diff", &twiss, &csv, "--columns", "s,betax,ElementName"]);
    assert!(told.status == 0 && !told.text().contains('?'), "{told:?}");
    let text = std::fs::read_to_string(&csv).unwrap().replace("12.125", "");
    let missing = folder.file("m.csv", text.as_bytes());
    let told = run(&["diff", &twiss, &missing, "--columns", "s,betax,ElementName"]);
    assert!(told.status == 1 && told.text().contains("[2].betax: 12.125 | missing"), "{told:?}");
}

#[test]
fn a_file_of_another_unit_is_named() {
    let folder = Folder::new("mended-units");
    let file = |unit: &str| {
        let text = format!(
            "SDDS1\n&column name=x, units={unit}, type=double &end\n&data mode=ascii &end\n2\n1\n2\n"
        );
        folder.file(&format!("{unit}.sdds"), text.as_bytes())
    };
    let (one, other) = (file("m"), file("mm"));
    let e = run(&["cat", &one, &other]).fails(1);
    assert!(e.err.contains(&format!("error: {other}: column `x` is in mm")), "{}", e.err);
    if cfg!(feature = "plot") {
        let e = run(&["plot", &one, &other, "--y", "x", "--output", &folder.path("x.svg")]).fails(2);
        assert!(e.err.contains(&format!("error: {other}: column `x` is in mm")), "{}", e.err);
    }
}

#[test]
fn times_are_found_as_dates() {
    let folder = Folder::new("mended-find");
    let mixed = repository("tests/data/npy/mixed/input.npy");
    let found = good(&["find", "1970-01-02", &mixed]).ok();
    assert_eq!(found.text(), "0x00000130  [1].t: 1970-01-02\n");
    assert_eq!(run(&["find", "1970-01-03", &mixed]).status, 1);
    let array = repository("tests/data/tiledb/p_posdelta_bwr_datetime_zstd");
    let found = good(&["find", "1970-01-01T00:00:00.000000011", &array]).ok();
    assert!(found.text().trim().ends_with(" ns[1]: 1970-01-01T00:00:00.000000011"), "{found:?}");
    let csv = folder.file("t.csv", b"t,a\n1970-01-02T00:00:00,1\n2026-03-01T12:00:00,2\n");
    let found = good(&["find", "1970-01-02", &csv, "--types", "t:time[s]"]).ok();
    assert_eq!(found.text(), "0x00000004  [0].t: 1970-01-02T00:00:00\n");
    assert_eq!(good(&["find", "2026-03-01T12:00:00", &csv]).text().lines().count(), 1);
}

/// Pages of several blocks, in every order of values, with conditions that leave some rows, none of a page, and a part of all.
#[test]
fn a_choice_of_large_pages_is_the_same_in_every_order() {
    let folder = Folder::new("mended-large");
    let mut text = "SDDS1\n&parameter name=p, type=long, &end\n&column name=n, type=long, &end\n\
                    &column name=x, type=double, &end\n&column name=t, type=string, &end\n&data mode=ascii, &end\n"
        .to_owned();
    for (page, rows) in [20_000, 3, 0, 155_000].into_iter().enumerate() {
        text.push_str(&format!("{page}\n{rows}\n"));
        (0..rows).for_each(|n| text.push_str(&format!("{n} {}.5 t{n}\n", n % 1000)));
    }
    let file = folder.file("a.sdds", text.as_bytes());
    let [rows, columns] = [folder.path("rows.sdds"), folder.path("columns.sdds")];
    good(&["convert", &file, &rows, "--mode", "binary"]);
    good(&["convert", &file, &columns, "--mode", "binary", "--order", "column"]);
    for choice in [
        &["--where", "n > 5 and x < 900"][..],
        &["--rows", "19990..160000"],
        &["--columns", "t,n", "--where", "n >= 154000"],
        &["--pages", "1,3", "--columns", "n", "--rows", "-100.."],
        &["--sample", "1000"],
        &["--columns", "p"],
    ] {
        let texts = [(&file, "row"), (&rows, "column"), (&columns, "row")].map(|(from, order)| {
            let out = folder.path("out.sdds");
            good(&[&["convert", from, &out, "--mode", "binary", "--order", order][..], choice].concat());
            good(&["convert", &out, "-", "--mode", "ascii"]).out
        });
        assert!(texts.iter().all(|text| *text == texts[0]), "{choice:?}");
        let pages = String::from_utf8_lossy(&texts[0]).matches("! page number").count();
        assert_eq!(pages, if choice.contains(&"1,3") { 2 } else { 4 }, "{choice:?}");
        if !choice.contains(&"p") {
            let of = |file: &str| good(&["cat", "--csv", file]).out;
            let table = good(&[&["cat", "--csv", &rows][..], choice].concat()).out;
            assert_eq!(of(&folder.path("out.sdds")), table, "{choice:?}");
        }
    }
}

#[test]
fn a_column_of_the_files_may_be_called_file() {
    let folder = Folder::new("called-file");
    let [a, b] = ["a.csv", "b.csv"].map(|name| folder.file(name, b"file,n\nx,1\n"));
    let text = good(&["convert", &a, &b, "-", "--to", "csv"]).out;
    let text = String::from_utf8_lossy(&text).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.first(), Some(&"file,n,_file"), "{text}");
    assert_eq!(lines.len(), 3, "{text}");
    good(&["convert", &a, &b, "-", "--to", "jsonl"]);
}

#[test]
fn what_is_wrong_with_the_name_of_a_file_names_that_file() {
    let folder = Folder::new("mended-name");
    let csv = folder.file("run0.csv", b"a\n1\n2\n");
    let out = folder.path("o.0.99999.data");
    let e = run(&["convert", &csv, &out, "--to", "beat", "--dataformat", "user/o/1"]);
    assert!(
        e.err.contains("o.0.99999.data: the name says that the last index is 99999, and it is 1"),
        "{}",
        e.err
    );
    assert!(!e.err.contains("run0.csv"), "{}", e.err);
}

#[test]
fn facts_come_before_the_table_of_fields() {
    let folder = Folder::new("mended-facts");
    let csv = folder.file("a.csv", b"a\n1\n");
    let npy = folder.path("a.npy");
    good(&["convert", &csv, &npy, "--fill", "a=0"]);
    let small = packed(&std::fs::read(&npy).unwrap(), Compression::Gzip);
    let packed = folder.file("a.npy.gz", &small);
    let text = good(&["inspect", &packed]).out;
    let text = String::from_utf8_lossy(&text).into_owned();
    let place = |word: &str| text.find(word).unwrap_or_else(|| panic!("{word} in {text}"));
    assert!(place("Compression") < place("Fields"), "{text}");
}

#[test]
fn images_have_the_numbers_of_their_rows_and_columns() {
    let folder = Folder::new("mended-image");
    let lines =
        folder.file("a.jsonl", b"{\"m\":[1,2,3,4,5,6]}\n{\"m\":[1,2,3,4,5,7]}\n{\"m\":[1,2,3,4,5,7]}\n");
    let svg = folder.path("a.svg");
    good(&["plot", &lines, "--image", "m", "--output", &svg]);
    let text = std::fs::read_to_string(&svg).unwrap();
    let labels: Vec<&str> = text.lines().collect();
    assert!(labels.contains(&"2") && labels.contains(&"5"), "{text}");
    assert!(!labels.contains(&"0.5") && !labels.contains(&"−0.5"), "{text}");
}

#[test]
fn a_file_alone_is_no_command() {
    let folder = Folder::new("mended-alone");
    let csv = folder.file("a.csv", b"a\n1\n");
    let e = run(&[&csv]).fails(2).err;
    assert!(e.contains(&format!("binfmt inspect {csv} tells what the file is")), "{e}");
}
