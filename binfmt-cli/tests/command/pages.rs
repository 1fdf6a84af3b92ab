//! Pages, and what they have beside columns, in files of the same format; parts that are chosen.

use crate::support::*;

const ARRAY: &str = "&array name=A, type=double &end\n";
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
fn an_array_beside_columns_stays_or_is_refused() {
    let folder = Folder::new("pages-arrays");
    let k = sdds(&folder, "k.sdds", &format!("{ARRAY}{COLUMN}"), "3\n1 2 3\n1\n7\n1\n1\n1\n8\n");
    let out = folder.path("o.sdds");
    for words in [&["--where", "A > 2"][..], &["--dates", "A:s"], &["--rows", "1", "--where", "A > 0"]] {
        let e = run(&[&["convert", &k, &out][..], words].concat()).fails(2);
        assert!(e.err.contains("an array stays whole"), "{}", e.err);
    }
    let like = sdds(&folder, "like.sdds", COLUMN, "1\n1\n");
    for words in [&["--like", &like][..], &["--as-parameters", "x"]] {
        let e = run(&[&["convert", &k, &out][..], words].concat()).fails(2);
        assert!(e.err.contains("are left out: `A`"), "{}", e.err);
    }
    assert!(!std::path::Path::new(&out).exists());
    run(&["convert", &k, &out, "--dates", "x:s"]).noted("its times become numbers");
    let (one, other) = ("{} {A:[1.0,2.0,3.0]} {x:[7000000]}", "{} {A:[1.0]} {x:[8000000]}");
    let shape = |text: String| text.replace("{shape:[3],values:", "").replace("{shape:[1],values:", "");
    let found: Vec<String> =
        pages(&out).into_iter().map(shape).map(|text| text.replace("}} ", "} ")).collect();
    assert_eq!(found, [one, other]);
    // rows are those of arrays where their columns are asked for
    run(&["convert", &k, &out, "--columns", "A", "--where", "A > 2"]).ok();
    assert_eq!(run(&["cat", "--csv", &out]).ok().text(), "A\n3.0\n");
}

#[test]
fn what_is_a_parameter_stays_one() {
    let folder = Folder::new("pages-parameters");
    let head = "&parameter name=p, type=double &end\n&parameter name=s, type=string &end\n";
    let p = sdds(&folder, "p.sdds", head, "1\na\n2\nb\n");
    let out = folder.path("o.sdds");
    let all = ["{p:1.0,s:a} {} {}", "{p:2.0,s:b} {} {}"];
    run(&["convert", &p, &out, "--as-parameters", "p"]).ok();
    assert_eq!(pages(&out), all);
    run(&["convert", &p, &out, "--as-parameters", "s, p"]).ok();
    assert_eq!(pages(&out), all);
    run(&["convert", &p, &out, "--dates", "p:s"]).fails(2);
    let x = sdds(&folder, "x.sdds", &format!("{head}{COLUMN}"), "1\na\n0\n2\nb\n1\n7\n");
    run(&["convert", &x, &out, "--as-parameters", "p"]).ok();
    assert_eq!(pages(&out), ["{p:1.0,s:a} {} {x:[]}", "{p:2.0,s:b} {} {x:[7.0]}"]);
    let e = run(&["convert", &x, &out, "--as-parameters", "x"]).fails(2);
    assert!(e.err.contains("a page without rows is left out"), "{}", e.err);
}

#[test]
fn pages_of_several_files_stay_as_they_are() {
    let folder = Folder::new("pages-several");
    let out = folder.path("all.sdds");
    let named = |pages: Vec<String>| -> Vec<String> {
        pages.into_iter().map(|page| page.replace(&*folder.path(""), "")).collect()
    };
    // parameters alone
    let head = "&parameter name=p, type=double &end\n";
    let (one, two) = (sdds(&folder, "1.sdds", head, "1\n2\n"), sdds(&folder, "2.sdds", head, "3\n"));
    run(&["convert", &one, &two, &out, "--force"]).ok();
    let of = |p: &str, file: &str| format!("{{file:{file}.sdds,p:{p}.0}} {{}} {{}}");
    assert_eq!(named(pages(&out)), [of("1", "1"), of("2", "1"), of("3", "2")]);
    // arrays of different lengths, as turn-by-turn files have
    let head = "&array name=bpm, type=string &end\n&array name=data, type=float &end\n";
    let t = |name: &str, n: &str| sdds(&folder, name, head, &format!("2\nb{n} c\n3\n1 2 {n}\n"));
    let (one, two) = (t("t1.sdds", "7"), t("t2.sdds", "8"));
    run(&["convert", &one, &two, &out, "--force"]).ok();
    let text = run(&["convert", &out, "-", "--mode", "ascii"]).ok().text().to_owned();
    assert!(
        text.contains("b7 c") && text.contains("b8 c") && text.matches("! page number").count() == 2,
        "{text}"
    );
    assert!(!text.contains("&column"), "{text}");
    run(&["convert", &one, &two, &out, "--force", "--where", "data > 1"]).fails(2);
    // files of one page, of which a choice is one table
    let p = format!("&parameter name=p, type=double &end\n{COLUMN}");
    for (head, values, expected) in [
        (&p[..], ["1\n", "2\n"], ["{p:1.0} {} {x:[5.0]}", "{p:2.0} {} {x:[5.0]}"]),
        (COLUMN, ["", ""], ["{} {} {x:[5.0]}"; 2]),
    ] {
        let one = sdds(&folder, "p1.sdds", head, &format!("{}1\n5\n", values[0]));
        let two = sdds(&folder, "p2.sdds", head, &format!("{}1\n5\n", values[1]));
        run(&["convert", &one, &two, &out, "--force", "--rows", "0..2", "--columns", "x"]).ok();
        assert_eq!(pages(&out), expected);
    }
    // columns, arrays and pages without rows, with a choice of rows
    let k = |name: &str, pages: &str| sdds(&folder, name, &format!("{ARRAY}{COLUMN}"), pages);
    let (one, two) = (k("k1.sdds", "1\n1\n2\n6\n7\n"), k("k2.sdds", "1\n2\n0\n1\n3\n1\n9\n"));
    run(&["convert", &one, &two, &out, "--force", "--where", "x > 6", "--columns", "x"]).ok();
    let columns: Vec<String> =
        pages(&out).iter().map(|page| page.rsplit(' ').next().unwrap().to_owned()).collect();
    assert_eq!(columns, ["{x:[7.0]}", "{x:[]}", "{x:[9.0]}"]);
    // pages are counted from 0 in each file
    for words in [["--pages", "0"], ["--where", "_page = 0"]] {
        run(&[&["convert", &one, &two, &out, "--force"][..], &words].concat()).ok();
        let all = named(pages(&out)).join("\n");
        let a = |n: u8| format!("{{A:{{shape:[1],values:[{n}.0]}}}}");
        let first = format!("{{file:k1.sdds}} {} {{x:[6.0,7.0]}}\n{{file:k2.sdds}} {} {{x:[]}}", a(1), a(2));
        assert!(all.starts_with(&first), "{all}");
    }
    let csv =
        run(&["convert", &one, &two, "-", "--to", "csv", "--columns", "_page,x", "--where", "_page >= 0"]);
    assert_eq!(csv.text(), "_page,x\n0,6.0\n0,7.0\n1,9.0\n");
    for words in [&["--rows", "1.."][..], &["--sample", "1"], &["--where", "_page = 1 and _file like '%2%'"]]
    {
        let e = run(&[&["convert", &one, &two, &out, "--force"][..], words].concat()).fails(2);
        assert!(e.err.contains("are left out: `A`"), "{}", e.err);
    }
    let e = run(&["convert", &one, &sdds(&folder, "c.sdds", COLUMN, "1\n5\n"), &out, "--force"]).fails(2);
    assert!(e.err.contains("array `A` is not the same in"), "{}", e.err);
    // the parameter with the names of the files may be there
    run(&["convert", &one, &two, &out, "--force"]).ok();
    let e = run(&["convert", &out, &out, &folder.path("more.sdds")]).fails(2);
    assert!(e.err.contains("--rename _file=NAME gives that another name"), "{}", e.err);
    run(&["convert", &out, &out, &folder.path("more.sdds"), "--rename", "_file=source"]).ok();
    assert!(pages(&folder.path("more.sdds"))[3].contains("k1.sdds,source:"));
    run(&["convert", &out, &out, &folder.path("more.sdds"), "--columns", "x,file", "--force"]).ok();
    assert!(!pages(&folder.path("more.sdds"))[2].contains("all.sdds"));
    // what is fixed in both is fixed, and what is not becomes a value of each page
    let f = |name: &str, value: &str| {
        let head = format!("&parameter name=q, type=long, fixed_value={value} &end\n{COLUMN}");
        sdds(&folder, name, &head, "1\n5\n")
    };
    let (one, two) = (f("f1.sdds", "4"), f("f2.sdds", "5"));
    run(&["convert", &one, &one, &out, "--force"]).ok();
    assert!(run(&["convert", &out, "-", "--mode", "ascii"]).ok().text().contains("fixed_value=4"));
    run(&["convert", &one, &two, &out, "--force"])
        .noted("parameter `q`: its fixed value becomes one of each page");
    let both = ["{file:f1.sdds,q:4} {} {x:[5.0]}", "{file:f2.sdds,q:5} {} {x:[5.0]}"];
    assert_eq!(named(pages(&out)), both);
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

/// Pages that are not there are told once, of one file and of several.
#[test]
fn pages_beyond_the_last() {
    let folder = Folder::new("pages-beyond");
    let text = "SDDS1\n&parameter name=P, type=double &end\n&column name=x, type=double, &end\n\
                &data mode=ascii, &end\n1\n1\n5\n";
    let file = folder.file("a.sdds", text.as_bytes());
    let out = folder.path("o.csv");
    let commands = [
        &["cat"][..],
        &["cat", "--csv", "--columns", "x"],
        &["cat", "--where", "x > 1"],
        &["cat", "--sample", "1"],
        &["stats"],
        &["stats", "--where", "x > 1"],
        &["convert", &out, "--columns", "x", "--force"],
    ];
    for words in commands {
        for files in [&[file.as_str()][..], &[&file, &file]] {
            let (command, rest) = words.split_first().unwrap();
            let (out, rest): (Vec<&str>, Vec<&str>) = rest.iter().partition(|word| word.ends_with(".csv"));
            let all = [&[*command][..], files, &out, &rest, &["--pages", "7"]].concat();
            let done = run(&all);
            assert_eq!((done.status, done.err.matches("--pages 7").count()), (0, 1), "{all:?}: {}", done.err);
        }
    }
}
