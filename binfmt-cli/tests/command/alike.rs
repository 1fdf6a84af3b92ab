//! One table in every form, which is asked the same questions.

use crate::support::{Folder, Run, run};

/// Forms of the table: the name of a file, what is said when it is written, and when it is read.
const FORMS: [(&str, &[&str], &[&str]); 17] = [
    ("a.csv", &[], &[]),
    ("a.tsv", &[], &[]),
    ("a.txt", &["--to", "csv"], &["--format", "csv"]),
    ("a.jsonl", &[], &[]),
    ("ascii.sdds", &["--mode", "ascii"], &[]),
    ("binary.sdds", &["--mode", "binary"], &[]),
    ("big.sdds", &["--mode", "binary", "--byte-order", "big"], &[]),
    ("columns.sdds", &["--mode", "binary", "--order", "column"], &[]),
    ("a.sdds.gz", &["--mode", "ascii"], &[]),
    ("a.sdds.xz", &["--mode", "binary"], &[]),
    ("load.bin", &["--to", "scidb", "--schema", SCHEMA], &["--format", "scidb", "--schema", SCHEMA]),
    ("rows.bin", &["--layout", "LAYOUT"], &["--layout", "LAYOUT"]),
    ("big.bin", &["--layout", "BIG"], &["--layout", "BIG"]),
    ("a.npy", &[], &[]),
    ("sparse.tdb", &[], &[]),
    ("dense.tdb", &["--array", "dense"], &[]),
    ("named.tdb", &["--dimensions", "n"], &[]),
];

const SCHEMA: &str = "<n:int32, x:double, name:string>[i=0:*]";
const LAYOUT: &[u8] = b"Row: record, le\n  n: i32\n  x: f64\n  name: text, length_prefixed(u8)\n";
const BIG: &[u8] = b"Row: record, be\n  n: i32\n  x: f64\n  name: text, nul\n";
const NAMES: [&str; 5] = ["Q1", "QUAD", "\u{3b2}\u{3b3}", "a,b", "a \"quote\""];

fn csv(changed: Option<(usize, &str)>) -> String {
    let mut text = "n,x,name\n".to_owned();
    for row in 0..40usize {
        let name = NAMES[row % NAMES.len()];
        let name = match changed {
            Some((at, other)) if at == row => other,
            _ => name,
        };
        text.push_str(&format!(
            "{},{:?},\"{}\"\n",
            100 + 3 * row,
            row as f64 / 4.0 + 0.125,
            name.replace('"', "\"\"")
        ));
    }
    text
}

struct Forms {
    folder: Folder,
    layouts: [String; 2],
}

impl Forms {
    fn new(name: &str) -> Self {
        let folder = Folder::new(name);
        let layouts = [folder.file("le.layout", LAYOUT), folder.file("be.layout", BIG)];
        Forms { folder, layouts }
    }

    fn words<'a>(&'a self, words: &[&'a str]) -> Vec<&'a str> {
        let word = |word: &&'a str| match *word {
            "LAYOUT" => self.layouts[0].as_str(),
            "BIG" => self.layouts[1].as_str(),
            word => word,
        };
        words.iter().map(word).collect()
    }

    /// Asks each form, and expects one answer.
    fn all_say(&self, ask: impl Fn(&dyn Fn(&[&str], &[&str]) -> Run, &str) -> String, expected: &str) {
        let source = self.folder.path("a.csv");
        for (name, write, read) in FORMS {
            let path = self.folder.path(name);
            if !std::path::Path::new(&path).exists() {
                good(run(&[&["convert", &source, &path][..], &self.words(write)].concat()));
            }
            let asked = |before: &[&str], after: &[&str]| {
                run(&[before, &[path.as_str()], &self.words(read), after].concat())
            };
            assert_eq!(ask(&asked, name), expected, "{name}");
        }
    }
}

/// Ended well, whatever was told.
#[track_caller]
fn good(run: Run) -> Run {
    assert_eq!(run.status, 0, "{}", run.err);
    run
}

#[test]
fn one_table_is_the_same_in_every_form() {
    let forms = Forms::new("alike");
    let source = forms.folder.file("a.csv", csv(None).as_bytes());
    let same = forms.folder.file("same.csv", csv(None).as_bytes());
    let other = forms.folder.file("other.csv", csv(Some((7, "other"))).as_bytes());
    let lines = |run: Run| run.text().lines().count().to_string();
    let all = ["--columns", "n,x,name"];
    let expected = good(run(&["cat", "--csv", &source])).text().to_owned();
    // 1: all values
    forms.all_say(|ask, _| good(ask(&["cat", "--csv"], &all)).text().to_owned(), &expected);
    // 2: as JSON lines, of which the order of the columns is what was asked for
    let jsonl = good(run(&["cat", "--jsonl", &source])).text().to_owned();
    forms.all_say(|ask, _| good(ask(&["cat", "--jsonl"], &all)).text().to_owned(), &jsonl);
    // 3 and 4: conditions on numbers and on texts
    let rows = |condition: &'static str| {
        move |ask: &dyn Fn(&[&str], &[&str]) -> Run, _: &str| {
            good(ask(&["cat", "--csv"], &["--columns", "n", "--where", condition])).text().replace('\n', " ")
        }
    };
    forms.all_say(rows("x > 9.5"), "n 214 217 ");
    forms.all_say(rows("name = 'a,b' and n < 130"), "n 109 124 ");
    // 5: some rows
    let some = ["--columns", "x", "--rows", "3..5"];
    forms.all_say(|ask, _| good(ask(&["cat", "--csv"], &some)).text().replace('\n', " "), "x 0.875 1.125 ");
    // 6: the last rows
    let last = ["--columns", "n", "--rows", "-2.."];
    forms.all_say(|ask, _| good(ask(&["cat", "--csv"], &last)).text().replace('\n', " "), "n 214 217 ");
    // 7: rows by chance
    let sample = ["--columns", "n", "--sample", "5"];
    forms.all_say(|ask, _| lines(good(ask(&["cat", "--csv"], &sample))), "6");
    // 8: statistics
    let stats = |run: Run| {
        let found = run.json();
        let column = |name: &str| {
            let columns = found["columns"].as_array().unwrap();
            let column = columns.iter().find(|column| column["column"] == name).unwrap();
            format!("{} {} {}", column["min"], column["max"], column["count"])
        };
        format!("{}; {}; {}", column("n"), column("x"), column("name"))
    };
    let expected = "100 217 40; 0.125 9.875 40; \"Q1\" \"\u{3b2}\u{3b3}\" 40";
    forms.all_say(|ask, _| stats(good(ask(&["stats", "--json"], &all))), expected);
    // 9 to 11: where a value is, which a part of a wire format has in bytes of its own
    for (value, count) in
        [("QUAD", "8"), ("a \"quote\"", "8"), ("\u{3b2}\u{3b3}", "8"), ("9.625", "1"), ("151", "1")]
    {
        forms.all_say(|ask, _| lines(ask(&["find", value], &[])), count);
    }
    // 12 and 13: the same values, and others
    let status = |run: Run| run.status.to_string();
    for (beside, expected) in [(&same, "0"), (&other, "1")] {
        forms.all_say(|ask, _| status(ask(&["diff", beside], &all)), expected);
    }
    // 14: sound, and told of
    forms.all_say(|ask, _| status(ask(&["check"], &[])), "0");
    forms.all_say(|ask, _| status(ask(&["inspect"], &[])), "0");
}
