//! Files of queries with their answers, as sqllogictest has them: `statement ok`, `statement error TEXT`, `query` with the answer
//! after `----`. `$DATA` stands for the folder of the fixtures, `$TMP` for one that the test makes.

use binfmt::formats::tiledb::{
    ArraySchema, Attribute, CellValNum, Column, Datatype, Dimension, Number, Numbers, Options,
};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::prelude::{SessionConfig, SessionContext};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// A row in each line, values after each other.
async fn answer(context: &SessionContext, sql: &str) -> Result<String, String> {
    let batches =
        context.sql(sql).await.map_err(|e| e.to_string())?.collect().await.map_err(|e| e.to_string())?;
    let options = FormatOptions::new().with_null("NULL");
    let mut text = String::new();
    for batch in batches {
        let columns = batch.columns().iter().map(|array| ArrayFormatter::try_new(array, &options).unwrap());
        let columns: Vec<_> = columns.collect();
        for row in 0..batch.num_rows() {
            let values: Vec<String> = columns.iter().map(|column| column.value(row).to_string()).collect();
            writeln!(text, "{}", values.join(" ")).unwrap();
        }
    }
    Ok(text)
}

async fn run(path: &Path, tmp: &Path) -> usize {
    let config = SessionConfig::new().with_target_partitions(4).with_information_schema(true);
    let context = binfmt_datafusion::register(SessionContext::new_with_config(config));
    let data = root().join("tests/data");
    let text = std::fs::read_to_string(path).unwrap();
    let prefix = root().join("tests/support/beat_prefix");
    let places = [("$DATA", &*data), ("$TMP", tmp), ("$PREFIX", &*prefix)];
    let text = places.iter().fold(text, |text, (name, place)| text.replace(name, place.to_str().unwrap()));
    let mut count = 0;
    for block in text.split("\n\n").map(str::trim).filter(|block| !block.is_empty()) {
        let block: String =
            block.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
        let Some((kind, rest)) = block.split_once('\n') else { continue };
        let (sql, expected) = rest.split_once("----\n").unwrap_or((rest, ""));
        let found = answer(&context, sql).await;
        let shown = path.file_name().unwrap().to_string_lossy().into_owned();
        match kind.trim() {
            "statement ok" => assert!(found.is_ok(), "{shown}: {sql}\n{found:?}"),
            "query" => {
                let found = found.unwrap_or_else(|e| panic!("{shown}: {sql}\n{e}"));
                assert_eq!(found.trim(), expected.trim(), "{shown}: {sql}");
            }
            "query contains" => {
                let found = found.unwrap_or_else(|e| panic!("{shown}: {sql}\n{e}"));
                for line in expected.lines() {
                    assert!(found.contains(line.trim()), "{shown}: {sql}\n{line}\n{found}");
                }
            }
            kind => {
                let wanted =
                    kind.strip_prefix("statement error ").unwrap_or_else(|| panic!("{shown}: {kind:?}"));
                let e = found.expect_err(sql);
                assert!(e.contains(wanted), "{shown}: {sql}\n{e}");
            }
        }
        count += 1;
    }
    count
}

/// Files with numbers that are known.
fn made(folder: &Path) {
    // (int64, double null), 1000 rows: n, and n / 2 or missing where n is a multiple of 10
    let row = |n: i64| {
        let value = if n % 10 == 0 { vec![7] } else { vec![255] };
        let half = if n % 10 == 0 { 0.0 } else { n as f64 / 2.0 };
        [&n.to_le_bytes()[..], &value, &half.to_le_bytes()].concat()
    };
    let bytes: Vec<u8> = (0..1000).flat_map(row).collect();
    std::fs::write(folder.join("cells.bin"), &bytes).unwrap();
    std::fs::write(folder.join("cut.bin"), &bytes[..bytes.len() - 3]).unwrap();
    std::fs::write(folder.join("part1.bin"), &bytes[..17 * 400]).unwrap();
    std::fs::write(folder.join("part2.bin"), &bytes[17 * 400..]).unwrap();
    // pages of five rows each, by number
    for (file, names) in [("run0.sdds", ["x", "y"]), ("run1.sdds", ["x", "y"]), ("other.sdds", ["x", "z"])] {
        let mut text = String::from("SDDS1\n&parameter name=Run, type=long, &end\n");
        for name in names {
            writeln!(text, "&column name={name}, type=double, units=mm, &end").unwrap();
        }
        text.push_str("&data mode=ascii, &end\n");
        for page in 0..3 {
            let run = if file == "run1.sdds" { 10 + page } else { page };
            writeln!(text, "{run}\n5").unwrap();
            (0..5).for_each(|row| writeln!(text, "{row} {}", run * 100 + row).unwrap());
        }
        std::fs::write(folder.join(file), text).unwrap();
    }
    others(folder);
    let places = [
        ("run0.sdds", "tree/year=2023/part=a"),
        ("run1.sdds", "tree/year=2024/part=b"),
        ("run0.sdds", "tree/year=2024/part=__HIVE_DEFAULT_PARTITION__"),
        ("run0.sdds", "tree/year=2024/odd"),
        ("run0.sdds", "same/x=500"),
    ];
    for (file, place) in places {
        std::fs::create_dir_all(folder.join(place)).unwrap();
        std::fs::copy(folder.join(file), folder.join(place).join(file)).unwrap();
    }
}

/// Files of a layout and of text, and of each kind one that is damaged in the middle.
fn others(folder: &Path) {
    let pair = |n: i16| [&n.to_le_bytes()[..], &(f32::from(n) / 2.0).to_le_bytes()].concat();
    std::fs::write(folder.join("pairs.bin"), (0..100).flat_map(pair).collect::<Vec<u8>>()).unwrap();
    std::fs::write(folder.join("lines.jsonl"), "{\"name\":\"a\",\"n\":1}\n{\"name\":\"b\",\"n\":2}\n")
        .unwrap();
    std::fs::write(folder.join("cut.parquet"), b"PAR1").unwrap();
    std::fs::write(folder.join("lines.csv"), "name,n\nc,1\nd,2\n").unwrap();
    let head = "SDDS1\n&parameter name=Name, type=string, &end\n&column name=x, type=double, &end\n&data mode=ascii, &end\n";
    std::fs::write(folder.join("names.sdds"), format!("{head}b\n1\n1\ncafé\n2\n2\n3\n")).unwrap();

    let folder = &folder.join("damaged");
    std::fs::create_dir_all(folder).unwrap();
    // three pages of three texts; one of the second has an impossible length
    let mut sdds =
        b"SDDS1\n!# little-endian\n&parameter name=Run, type=long, &end\n&column name=s, type=string, &end\n\
        &data mode=binary, &end\n"
            .to_vec();
    for page in 0..3i32 {
        sdds.extend([3, page].map(i32::to_le_bytes).concat());
        for text in ["aa", "bb", "cc"] {
            let length = if (page, text) == (1, "bb") { -7 } else { 2i32 };
            sdds.extend([&length.to_le_bytes()[..], text.as_bytes()].concat());
        }
    }
    std::fs::write(folder.join("middle.sdds"), sdds).unwrap();
    // (int64, string): the text of row 500 is longer than the file
    let row = |n: i64| {
        let text = format!("n{n}\0").into_bytes();
        let length = if n == 500 { i32::MAX as u32 } else { text.len() as u32 };
        [&n.to_le_bytes()[..], &length.to_le_bytes(), &text].concat()
    };
    std::fs::write(folder.join("middle.bin"), (0..1000).flat_map(row).collect::<Vec<u8>>()).unwrap();
    // the second tile of an attribute says that it is longer than it is
    let from = root().join("tests/data/tiledb/d2_var_nofilter");
    let to = folder.join("middle.tdb");
    for entry in std::fs::read_dir(&from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            std::fs::create_dir_all(&to).unwrap();
            for file in std::fs::read_dir(entry.path()).unwrap().map(Result::unwrap) {
                let mut bytes = std::fs::read(file.path()).unwrap();
                if file.file_name() == "w_var.tdb" {
                    bytes[52..56].copy_from_slice(&i32::MAX.to_le_bytes());
                }
                std::fs::write(to.join(file.file_name()), bytes).unwrap();
            }
        } else {
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn queries_have_their_answers() {
    let tmp = std::env::temp_dir().join(format!("binfmt-sql-{}", std::process::id()));
    std::fs::create_dir_all(&tmp).unwrap();
    made(&tmp);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sql");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut count = 0;
    for file in files {
        count += run(&file, &tmp).await;
    }
    assert!(count > 100, "{count}");
    std::fs::remove_dir_all(&tmp).unwrap();
}

/// What the program prints, or what it says is wrong.
fn program(folder: &Path, args: &[&str]) -> Result<String, String> {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_binfmt-sql"));
    let output = command.current_dir(folder).args(args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

/// What outgrows the memory that it may have says so in one line, and leaves no file; what need not keep its rows does not.
#[test]
fn a_query_that_outgrows_its_memory_says_so() {
    let tmp = std::env::temp_dir().join(format!("binfmt-sql-memory-{}", std::process::id()));
    std::fs::create_dir_all(&tmp).unwrap();
    let rows: Vec<u8> = (0..200_000i64).flat_map(|n| [n, n % 7]).flat_map(i64::to_le_bytes).collect();
    std::fs::write(tmp.join("rows.bin"), rows).unwrap();
    let table = "scidb('rows.bin', '<n: int64 NOT NULL, d: int64 NOT NULL>[i]')";
    let sql = |query: &str, args: &[&str]| {
        let few = ["--partitions", "1", "--max-memory", "1M"];
        program(&tmp, &[&[query], &few[..], args].concat())
    };
    let told = |e: String, of: &str| {
        let begins = e.starts_with("error: the query needs more memory than it may have (--max-memory): ");
        assert!(begins && e.contains(of) && e.lines().count() == 1, "{e}");
    };
    assert_eq!(
        sql(&format!("SELECT count(*) AS n, sum(d) AS d FROM {table} WHERE n >= 0"), &["--format", "csv"])
            .unwrap(),
        "n,d\n200000,599994\n"
    );
    let both = format!("SELECT count(*) AS n FROM {table} a JOIN {table} b ON a.n = b.n");
    told(sql(&both, &[]).unwrap_err(), "HashJoin");
    told(
        sql(&format!("SELECT n FROM {table}"), &["--format", "table"]).unwrap_err(),
        "the answer as a table",
    );
    told(sql(&format!("SELECT n FROM {table}"), &["--output", "n.npy"]).unwrap_err(), "the rows of n.npy");
    let copy = format!("COPY (SELECT n FROM {table}) TO 'n.npy'");
    told(sql(&copy, &[]).unwrap_err(), "the rows of n.npy");
    assert!(!tmp.join("n.npy").exists());
    // rows of which few make a batch of more
    let wide =
        "SELECT max(cardinality(x)) AS n FROM layout('rows.bin', 'record, le\n  x: [i64], count = 1000\n')";
    told(sql(wide, &[]).unwrap_err(), "a batch of rows.bin");
    assert_eq!(program(&tmp, &[wide, "--format", "csv", "--max-memory", "64M"]).unwrap(), "n\n1000\n");
    assert_eq!(program(&tmp, &[&both, "--format", "csv", "--max-memory", "1GiB"]).unwrap(), "n\n200000\n");
    // one cell of a tile of 8 MB, which is unfiltered for it
    let x = Dimension::new("x", Number::I32(0), Number::I32(0xFFFFF), Number::I32(0x100000));
    let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Float64));
    let mut array = Options::new().create(binfmt::storage::Folder::new(tmp.join("one.tdb")), schema).unwrap();
    let values =
        Column::fixed(Datatype::Float64, CellValNum::ONE, Numbers::F64(vec![0.5; 0x100000])).unwrap();
    array.insert().column("a", values).write().unwrap();
    let cell = "SELECT a FROM 'one.tdb' WHERE x = 3";
    told(sql(cell, &[]).unwrap_err(), "a batch of one.tdb");
    assert_eq!(program(&tmp, &[cell, "--format", "csv", "--max-memory", "16M"]).unwrap(), "a\n0.5\n");
    let e = program(&tmp, &["SELECT 1", "--max-memory", "1"]).unwrap_err();
    assert!(e.contains("expected a number with K, M or G, such as 2G"), "{e}");
    let e = program(&tmp, &["SELECT 1", "--partitions", "0"]).unwrap_err();
    assert!(e.contains("invalid value '0' for '--partitions <N>'"), "{e}");
    std::fs::remove_dir_all(&tmp).unwrap();
}

/// The program: an answer as a file of each format, by its ending.
#[test]
fn answers_are_written() {
    let tmp = std::env::temp_dir().join(format!("binfmt-sql-output-{}", std::process::id()));
    std::fs::create_dir_all(&tmp).unwrap();
    made(&tmp);
    let sql = |args: &[&str]| program(&tmp, args);
    for ending in ["sdds", "parquet", "arrow", "feather", "csv", "jsonl", "npy", "tdb"] {
        let file = format!("answer.{ending}");
        let printed = sql(&["SELECT x, y FROM 'run0.sdds' WHERE y > 100", "--output", &file]).unwrap();
        assert_eq!(printed, "", "{ending}");
        let query = format!("SELECT count(*) AS n, sum(y) AS s FROM '{file}'");
        let found = sql(&[&query, "--format", "csv"]).unwrap().replace(".0", "");
        assert_eq!(found, "n,s\n9,1420\n", "{ending}");
    }
    let schema = "schema=(double, double)";
    sql(&["SELECT x, y FROM 'run0.sdds'", "--output", "answer.bin", "--to", "scidb", "--set", schema])
        .unwrap();
    assert_eq!(std::fs::read(tmp.join("answer.bin")).unwrap().len(), 15 * 16);

    let e = sql(&["SELECT 1 AS a", "--output", "answer.bin"]).unwrap_err();
    assert!(
        e.contains("\"bin\" is not a format that is written; these are: parquet, arrow, ")
            && e.contains("--to"),
        "{e}"
    );
    let e = sql(&["SELECT 1 AS a", "--output", "a.npy", "--set", "x"]).unwrap_err();
    assert!(e.contains("--set: expected NAME=TEXT, found \"x\""), "{e}");
    std::fs::remove_dir_all(&tmp).unwrap();
}

/// What is wrong is said with what can be done about it.
#[test]
fn errors_say_what_can_be_done() {
    let tmp = std::env::temp_dir().join(format!("binfmt-sql-errors-{}", std::process::id()));
    std::fs::create_dir_all(&tmp).unwrap();
    made(&tmp);
    let is_told = |query: &str, sentence: &str| {
        let e = program(&tmp, &[query]).unwrap_err();
        assert!(e.starts_with(&format!("error: {sentence}")) && e.lines().count() == 1, "{query}: {e}");
    };
    let quotes = "a file stands in quotes, with its ending or its folder: FROM";
    is_told("SELECT * FROM 'none.parquet'", "there is no file none.parquet\n");
    is_told("SELECT * FROM runs", &format!("there is no table `runs`; {quotes} './runs'\n"));
    is_told("SELECT * FROM run0.sdds", &format!("there is no table `run0.sdds`; {quotes} 'run0.sdds'\n"));
    is_told(
        "SELECT X FROM 'run0.sdds'",
        "there is no column `X`, did you mean `x`? These are: run0.sdds.Run, run0.sdds.x, run0.sdds.y\n",
    );
    is_told("SELECT c.z FROM 'run0.sdds' c", "there is no column `c.z`. These are: c.Run, c.x, c.y\n");
    is_told("SELEC 1", "the query: Expected: an SQL statement, found: SELEC at Line: 1, Column: 1\n");
    is_told(
        "COPY (SELECT 1 AS a) TO 'a.foo'",
        "the ending `foo` tells no format that is written; STORED AS names one of: ",
    );
    is_told(
        "CREATE EXTERNAL TABLE t STORED AS SDS LOCATION 'run0.sdds'",
        "STORED AS SDS: unknown format; these are: binfmt, ",
    );
    is_told(
        "CREATE EXTERNAL TABLE t (a INT) STORED AS SDDS LOCATION 'run0.sdds'",
        "table t: its columns are those of the file, and are not said\n",
    );
    is_told(
        "CREATE EXTERNAL TABLE t STORED AS SDDS WITH ORDER (x DESC) LOCATION 'run0.sdds'",
        "table t: WITH ORDER has no effect on such files; say ORDER BY in a query\n",
    );
    is_told("SELECT * FROM 'tree/'", "tree: no format is told by what is in the folder; say which of ");
    is_told(
        "SELECT * FROM '*.sdds'",
        "other.sdds has other columns than names.sdds: column 0 is `Run` of type Int32, and there `Name` of type LargeUtf8\n",
    );
    std::fs::remove_dir_all(&tmp).unwrap();
}
