//! Files of very many columns, parameters, types. A program of its own, because it measures what its runs of the command take.

mod support;

use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use support::{Folder, cpu_of_children, run};

/// One at a time: what others run would be counted.
static MEASURED: Mutex<()> = Mutex::new(());

/// How much larger the larger file is, and how much more time it may take.
const TIMES: usize = 8;
const MOST: f64 = 22.6;
/// Less than this is the start of the command.
const LEAST: Duration = Duration::from_millis(20);

/// `n` pieces that a function makes of their number.
fn each(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).map(piece).collect()
}

/// Runs a command on a file of a number of columns, and of eight times as many: `IN` is the file among the words, `OUT` another one.
/// It does not fail, or fails at once.
fn in_proportion(
    what: &str,
    ending: &str,
    columns: usize,
    make: impl Fn(usize) -> Vec<u8>,
    commands: &[&str],
) {
    let _alone = MEASURED.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new(&format!("growth-{what}"));
    let files = [columns / TIMES, columns].map(|n| folder.file(&format!("{n}.{ending}"), &make(n)));
    for command in commands {
        let time = |file: &String| {
            let out = folder.path("out");
            let words = command.split(' ').map(|word| word.replace("IN", file).replace("OUT", &out));
            let words: Vec<String> = words.collect();
            let start = cpu_of_children();
            let done = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
            assert!(!done.err.contains("panicked") && done.status < 3, "{what}: {command}: {done:?}");
            cpu_of_children() - start
        };
        let [mut small, mut large] = [time(&files[0]), time(&files[1])];
        for _ in 0..3 {
            if large.as_secs_f64() < small.max(LEAST).as_secs_f64() * MOST {
                break;
            }
            (small, large) = (small.min(time(&files[0])), large.min(time(&files[1])));
        }
        let is_linear = large.as_secs_f64() < small.max(LEAST).as_secs_f64() * MOST;
        assert!(is_linear, "{what}: {command}: {small:?} of {}, {large:?} of {columns}", columns / TIMES);
    }
}

const OF_TABLES: &[&str] = &[
    "check IN",
    "inspect IN",
    "stats IN",
    "stats --brief --json IN",
    "cat IN",
    "cat --csv IN",
    "cat --jsonl IN",
    "dump IN",
    "diff IN IN",
    "convert IN OUT.csv",
    "convert IN OUT.jsonl",
    "convert IN OUT.npy",
    "convert IN OUT.npz",
    "convert IN OUT.sdds",
];

#[test]
fn tables_of_many_columns() {
    let names = |n: usize| (0..n).map(|i| format!("c{i}")).collect::<Vec<_>>().join(",");
    let csv = |n| format!("{}\n{1}\n{1}\n", names(n), vec!["1.5"; n].join(",")).into_bytes();
    in_proportion("csv", "csv", 2400, csv, OF_TABLES);
    let line = |n| format!("{{{}}}\n", each(n, |i| format!("\"k{i}\":1,")).trim_end_matches(','));
    in_proportion(
        "jsonl",
        "jsonl",
        4000,
        |n| line(n).repeat(2).into_bytes(),
        &["check IN", "stats IN", "cat IN"],
    );
    let new = |n| each(n, |i| format!("{{\"k{i}\":1}}\n")).into_bytes();
    in_proportion(
        "new-keys",
        "jsonl",
        16_000,
        new,
        &["check IN", "cat --rows 0..1 IN", "convert IN OUT.csv"],
    );
    let sdds = |columns: usize, parameters: usize| {
        let columns = each(columns, |i| format!("&column name=c{i}, type=short &end\n"));
        let parameters = each(parameters, |i| format!("&parameter name=p{i}, type=short &end\n"));
        format!("SDDS1\n!# little-endian\n{parameters}{columns}&data mode=binary &end\n").into_bytes()
    };
    let pages = |columns, parameters, pages: usize| {
        let page = [&1i32.to_le_bytes()[..], &[1, 0].repeat(columns + parameters)].concat();
        [sdds(columns, parameters), page.repeat(pages)].concat()
    };
    in_proportion("columns", "sdds", 2400, |n| pages(n, 1, 2), OF_TABLES);
    in_proportion("parameters", "sdds", 2400, |n| pages(1, n, 2), OF_TABLES);
    in_proportion(
        "pages",
        "sdds",
        4000,
        |n| pages(1, 1, n),
        &["check IN", "inspect IN", "stats IN", "cat IN", "diff IN IN"],
    );
    let npy = |n: usize| {
        let fields = each(n, |i| format!("('f{i}', '|u1'), "));
        let text = format!("{{'descr': [{fields}], 'fortran_order': False, 'shape': (2,), }}\n");
        let head = [&b"\x93NUMPY\x02\x00"[..], &(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
        [head, vec![1; 2 * n]].concat()
    };
    in_proportion("npy", "npy", 2400, npy, OF_TABLES);
}

#[test]
fn layouts_of_many_types() {
    let of_layouts = &[
        "layout IN",
        "layout IN --json",
        "layout IN --offsets",
        "layout IN --svg",
        "layout IN --against IN",
        "layout IN --type T1",
        "check IN --format layout --layout IN",
        "inspect IN --format layout --layout IN",
        "stats IN --format layout --layout IN",
    ];
    let fields = |n| format!("R: record, le\n{}", each(n, |i| format!("  f{i}: u8\n"))).into_bytes();
    in_proportion("fields", "layout", 2400, fields, of_layouts);
    let named = |i: usize| format!("T{i}: record\n  a: u8\n");
    let types = |n| format!("R: record, le\n{}{}", each(n, |i| format!("  f{i}: T{i}\n")), each(n, named));
    in_proportion("types", "layout", 2400, |n| types(n).into_bytes(), of_layouts);
    let chain =
        |n| format!("{}T{n}: record\n  a: u8\n", each(n, |i| format!("T{i}: record\n  a: T{}\n", i + 1)));
    in_proportion("chain", "layout", 8000, |n| chain(n).into_bytes(), of_layouts);
    let bits =
        |i: usize| each(8, |k| format!("  b{i}_{k}: u8, bits(1{})\n", if k == 0 { ", of = u8" } else { "" }));
    let bits = |n: usize| format!("R: record, le\n{}", each(n / 8, bits)).into_bytes();
    in_proportion("bits", "layout", 8000, bits, of_layouts);
    let variants = |n| {
        format!("[R], until_eof\nR: choice, tag(u8)\n{}", each(n, |i| format!("  {i} => V{i}\n    a: u8\n")))
    };
    in_proportion("variants", "layout", 2400, |n| variants(n).into_bytes(), of_layouts);
}

/// Types that hold the next one twice have more fields than anyone reads.
#[test]
fn types_that_double() {
    let _alone = MEASURED.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new("doubled");
    let types = each(60, |i| format!("T{i}: record\n  a: T{0}\n  b: T{0}\n", i + 1));
    let layout = folder.file("x.layout", format!("{types}T60: record\n  a: u8\n").as_bytes());
    for word in ["--offsets", "--svg"] {
        let done = run(&["layout", &layout, word]).noted("records are left out");
        assert!(done.out.len() < 40 << 20, "{word}: {} bytes", done.out.len());
    }
}

#[test]
fn schemas_of_many_columns_take_no_longer_for_each() {
    const COLUMNS: usize = 60_000;
    // a time that grows with the square would be minutes
    const LONGEST: Duration = Duration::from_secs(60);
    let _alone = MEASURED.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = Folder::new("scidb-wide");
    let bytes = folder.file("wide.bin", &[7; COLUMNS]);
    let format = format!("({})", ["int8"; COLUMNS].join(", "));
    let names: Vec<String> = (0..COLUMNS).map(|i| format!("a{i}:int8 NOT NULL")).collect();
    let schema = format!("<{}>[i=0:*]", names.join(", "));
    let (document, again) = (folder.path("wide.json"), folder.path("again.bin"));
    let start = cpu_of_children();
    for text in [&format, &schema] {
        let text = format!("@{}", folder.file("schema.txt", text.as_bytes()));
        let said = ["--format", "scidb", "--schema", &text];
        run(&[&["check", &bytes][..], &said].concat()).ok();
        run(&[&["convert", &bytes, &document][..], &said].concat()).ok();
        run(&["convert", &document, &again]).ok();
        assert_eq!(std::fs::read(&again).unwrap(), [7; COLUMNS]);
    }
    let taken = cpu_of_children() - start;
    assert!(taken < LONGEST, "{taken:?}");
    let twice = schema.replace("a59999:", "a7:");
    let twice = format!("@{}", folder.file("schema.txt", twice.as_bytes()));
    let e = run(&["check", &bytes, "--format", "scidb", "--schema", &twice]).fails(2).err;
    assert!(e.contains("a second attribute `a7`"), "{e}");
}
