//! Options that the formats of both files of `convert` know.

use crate::support::{Folder, run};

/// What describes a file of that format, and what the option is called that says it of the file that is written.
struct Described {
    format: &'static str,
    option: &'static str,
    of_output: &'static str,
    /// Two descriptions of rows of an integer and a float: of 64 bits, and of 32.
    wide: &'static str,
    narrow: &'static str,
    /// What names the format of the file that is written.
    to: &'static [&'static str],
}

const ALL: [Described; 3] = [
    Described {
        format: "scidb",
        option: "--schema",
        of_output: "--to-schema",
        wide: "<a:int64 NOT NULL, b:double NOT NULL>[i=0:*]",
        narrow: "<a:int32 NOT NULL, b:float NOT NULL>[i=0:*]",
        to: &["--to", "scidb"],
    },
    Described {
        format: "beat",
        option: "--schema",
        of_output: "--to-schema",
        wide: "{\"a\": \"int64\", \"b\": \"float64\"}",
        narrow: "{\"a\": \"int32\", \"b\": \"float32\"}",
        to: &["--to", "beat", "--dataformat", "user/o/1"],
    },
    Described {
        format: "layout",
        option: "--layout",
        of_output: "--to-layout",
        wide: "Row: record, le\n  a: i64\n  b: f64\n",
        narrow: "Row: record, le\n  a: i32\n  b: f32\n",
        to: &["--to", "layout"],
    },
];

impl Described {
    /// The value of the option: a layout is in a file.
    fn value(&self, folder: &Folder, text: &str) -> String {
        match self.format {
            "layout" => {
                let name = if text == self.wide { "wide.layout" } else { "narrow.layout" };
                folder.file(name, text.as_bytes())
            }
            _ => text.to_owned(),
        }
    }
}

#[test]
fn each_side_has_its_own_description() {
    let folder = Folder::new("sides");
    let csv = folder.file("a.csv", b"a,b\n1,0.5\n-2,2.5\n");
    let expected = "a,b\n1,0.5\n-2,2.5\n";
    for from in &ALL {
        let (wide, input) = (from.value(&folder, from.wide), folder.path(&format!("{}.raw", from.format)));
        let made = run(&[&["convert", &csv, &input, from.of_output, &wide][..], from.to].concat());
        assert_eq!(made.status, 0, "{}", made.err);
        let of_input = ["--format", from.format, from.option, &wide];
        let shown = |words: &[&str]| {
            let words = [&["cat", "--csv", "--columns", "a,b"][..], words].concat();
            run(&words).ok().text().to_owned()
        };
        assert_eq!(shown(&[&[&*input], &of_input[..]].concat()), expected);
        for to in &ALL {
            let out = folder.path(&format!("{}-{}.raw", from.format, to.format));
            let narrow = to.value(&folder, to.narrow);
            let words = [&["convert", &input, &out, "--columns", "a,b"][..], &of_input, to.to].concat();
            let done = run(&[&words[..], &[to.of_output, &narrow]].concat());
            assert_eq!(done.status, 0, "{} to {}: {}", from.format, to.format, done.err);
            let of_output = ["--format", to.format, to.option, &narrow];
            assert_eq!(
                shown(&[&[&*out], &of_output[..]].concat()),
                expected,
                "{} to {}",
                from.format,
                to.format
            );
            // without a word of the columns, too
            let words = [&["convert", &input, &out][..], &of_input, to.to, &[to.of_output, &narrow]].concat();
            let done = run(&words);
            assert_eq!(done.status, 0, "{} to {}: {}", from.format, to.format, done.err);
            assert_eq!(
                shown(&[&[&*out], &of_output[..]].concat()),
                expected,
                "{} to {}",
                from.format,
                to.format
            );
        }
    }
}

/// The option is about the file whose format `--format` tells, or about the other one where that tells itself what it is.
#[test]
fn one_option_is_about_one_file() {
    let folder = Folder::new("sides-one");
    let load = folder.file("load.bin", &[&7i64.to_le_bytes()[..], &0.5f64.to_le_bytes()].concat());
    let data = folder.path("o.data");
    let scidb = ["--format", "scidb", "--schema", "(int64, double)"];
    let beat = ["--to", "beat", "--dataformat", "user/o/1"];
    run(&[&["convert", &load, &data][..], &scidb, &beat].concat()).noted("\"a\": \"int64\"");
    let declared = ["--schema", "{\"a\": \"int64\", \"b\": \"float64\"}"];
    let csv = run(&[&["cat", "--csv", &data][..], &declared].concat()).ok();
    assert_eq!(csv.text(), "_start,_end,a,b\n0,0,7,0.5\n");
    // a file that tells its format leaves the option to the one that is written
    let beneath = folder.path("beat/dataformats/user/o/1.json");
    std::fs::create_dir_all(std::path::Path::new(&beneath).parent().unwrap()).unwrap();
    std::fs::write(&beneath, declared[1]).unwrap();
    let back = folder.path("back.bin");
    let words = ["convert", &data, &back, "--prefix", &folder.path("beat"), "--columns", "a,b"];
    run(&[&words[..], &["--to", "scidb", "--schema", "(int64, double)"]].concat()).ok();
    assert_eq!(std::fs::read(&back).unwrap(), std::fs::read(&load).unwrap());
    // a copy is of one schema, unless another one is said
    let copy = folder.path("copy.bin");
    run(&[&["convert", &load, &copy][..], &scidb].concat()).ok();
    assert_eq!(std::fs::read(&copy).unwrap(), std::fs::read(&load).unwrap());
    run(&[&["convert", &load, &copy, "--to-schema", "(int8, double null)"][..], &scidb].concat())
        .noted("checked");
    assert_eq!(std::fs::read(&copy).unwrap(), [&[7, 255][..], &0.5f64.to_le_bytes()].concat());
    // several files
    let narrow = ["--to-schema", "<a:int8 NOT NULL, b:double NOT NULL>[i]"];
    let done = run(&[&["convert", &load, &load, &copy, "--force"][..], &narrow, &scidb].concat());
    assert_eq!(done.status, 0, "{}", done.err);
    assert_eq!(std::fs::read(&copy).unwrap().len(), 18);
    for (words, expected) in [
        (
            &["convert", &load, "-", "--to", "csv", "--to-schema", "(int8)"][..],
            "--to-schema means nothing for",
        ),
        (&["cat", &load, "--to-schema", "(int8)"], "--to-schema means nothing for"),
    ] {
        let e = run(&[words, &scidb].concat()).fails(2).err;
        assert!(e.contains(expected), "{e}");
    }
    let csv = folder.file("a.csv", b"a\n1\n");
    let both = ["--schema", "(int8)", "--to-schema", "(int16)", "--to", "scidb"];
    let e = run(&[&["convert", &csv, &copy][..], &both].concat()).fails(2).err;
    assert!(e.contains("--schema and --to-schema are both about the file that is written"), "{e}");
}

#[test]
fn arrays_are_encrypted_anew() {
    let folder = Folder::new("sides-key");
    let csv = folder.file("a.csv", b"a\n1\n");
    let (one, other) = ("0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210");
    let (first, second) = (folder.path("first.tdb"), folder.path("second.tdb"));
    run(&["convert", &csv, &first, "--to", "tiledb", "--key", one]).ok();
    run(&["convert", &first, &second, "--key", one, "--to-key", other]).ok();
    let shown = |array: &str, key: &str| run(&["cat", "--csv", array, "--columns", "a", "--key", key]);
    assert_eq!(shown(&second, other).ok().text(), "a\n1\n");
    shown(&second, one).fails(1);
    // one key is for both
    let third = folder.path("third.tdb");
    run(&["convert", &first, &third, "--key", one]).ok();
    assert_eq!(shown(&third, one).ok().text(), "a\n1\n");
}

#[test]
fn lines_are_separated_as_is_said_of_each_file() {
    let folder = Folder::new("sides-lines");
    let semicolons = folder.file("a.csv", b"a;b\n1;x,y\n");
    let convert = |words: &[&str]| run(&[&["convert"][..], words].concat()).ok().text().to_owned();
    let csv = ["--to", "csv"];
    assert_eq!(convert(&[&[&*semicolons, "-", "--delimiter", ";"][..], &csv].concat()), "a,b\n1,\"x,y\"\n");
    let both = [&*semicolons, "-", "--delimiter", ";", "--to-delimiter", ";"];
    assert_eq!(convert(&[&both[..], &csv].concat()), "a;b\n1;x,y\n");
    let lines = folder.file("a.jsonl", b"{\"a\":1,\"b\":\"x;y\"}\n");
    for option in ["--delimiter", "--to-delimiter"] {
        assert_eq!(convert(&[&[&*lines, "-", option, ";"][..], &csv].concat()), "a;b\n1;\"x;y\"\n");
        assert_eq!(convert(&[&[&*lines, "-", option, "tab"][..], &csv].concat()), "a\tb\n1\tx;y\n");
    }
    let twice = [&*lines, &lines, "-", "--to-delimiter", "|", "--rows", "..1", "--columns", "a,b"];
    assert_eq!(convert(&[&twice[..], &csv].concat()), "a|b\n1|x;y\n");
    let e = run(&["convert", &lines, "-", "--to", "csv", "--delimiter", "blanks"]).fails(2).err;
    assert!(e.contains("one character or tab"), "{e}");
}
