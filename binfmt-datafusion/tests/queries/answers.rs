//! Files of queries with their answers, as sqllogictest has them: `statement ok`, `statement error TEXT`, `query` with the answer
//! after `----`. `$DATA` stands for the folder of the fixtures, `$TMP` for one that the test makes.

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
    let text = text.replace("$DATA", data.to_str().unwrap()).replace("$TMP", tmp.to_str().unwrap());
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
    assert!(count > 25, "{count}");
    std::fs::remove_dir_all(&tmp).unwrap();
}

/// The program: an answer as a file of each format, by its ending.
#[test]
fn answers_are_written() {
    let tmp = std::env::temp_dir().join(format!("binfmt-sql-output-{}", std::process::id()));
    std::fs::create_dir_all(&tmp).unwrap();
    made(&tmp);
    let sql = |args: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_binfmt-sql"))
            .current_dir(&tmp)
            .args(args)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
    };
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
