//! Files that queries write: whole or not at all, and with a word on what they do not keep.

use datafusion::prelude::{SessionConfig, SessionContext};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that is gone after the test.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn folder(name: &str) -> Folder {
    let path = std::env::temp_dir().join(format!("binfmt-sql-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    Folder(path)
}

fn program(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_binfmt-sql")).current_dir(folder).args(args).output().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The formats that DataFusion writes, and one that it does not.
const ENDINGS: [&str; 5] = ["arrow", "csv", "json", "parquet", "sdds"];

/// Rows before a damaged one are no answer, in a file as little as elsewhere, and what was there stays.
#[test]
fn damaged_rows_make_no_file() {
    let Folder(tmp) = &folder("whole");
    // more rows than a batch, and one that is cut
    let rows: Vec<u8> = (0..300_000i64).flat_map(i64::to_le_bytes).collect();
    std::fs::write(tmp.join("cut.bin"), &rows[..rows.len() - 3]).unwrap();
    std::fs::write(tmp.join("old.parquet"), "what was there").unwrap();
    let copy = |name: &str| {
        let query = format!("COPY (SELECT n FROM scidb('cut.bin', '<n: int64 NOT NULL>[i]')) TO '{name}'");
        let output = program(tmp, &[&query]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with("error: cut.bin[299999].n at byte 0x249ef8: "), "{name}: {said}");
        assert!(!output.status.success(), "{name}");
    };
    ENDINGS.iter().for_each(|ending| copy(&format!("new.{ending}")));
    copy("old.parquet");
    assert!(std::fs::read(tmp.join("old.parquet")).unwrap() == b"what was there");
    assert_eq!(names(tmp), ["cut.bin", "old.parquet"]);
}

/// The same for who has a session of his own.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_make_no_file_of_damaged_rows() {
    let Folder(tmp) = &folder("session");
    std::fs::write(tmp.join("cut.bin"), vec![0; 8 * 100_000 + 5]).unwrap();
    let config = SessionConfig::new().with_target_partitions(2);
    let context = binfmt_datafusion::register(SessionContext::new_with_config(config));
    let tmp = tmp.display();
    for ending in ENDINGS {
        let query = format!(
            "COPY (SELECT * FROM scidb('{tmp}/cut.bin', '<n: int64 NOT NULL>[i]')) TO '{tmp}/new.{ending}'"
        );
        let e = context.sql(&query).await.unwrap().collect().await.unwrap_err();
        assert!(e.to_string().contains("8 bytes needed, 5 remain"), "{e}");
        assert!(!Path::new(&format!("{tmp}/new.{ending}")).exists(), "{ending}");
    }
}

/// Rows that are sound become files as before, with their options.
#[test]
fn sound_rows_make_files() {
    let Folder(tmp) = &folder("sound");
    for ending in ENDINGS {
        let copy = format!("COPY (SELECT * FROM (VALUES (1.5), (2.5)) AS t(x)) TO 'x.{ending}'");
        let output = program(tmp, &[&copy, "--format", "csv"]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "count\n2\n", "{ending}: {output:?}");
    }
    let copy = "COPY (SELECT 1 AS a, 2 AS b) TO 'y.csv' OPTIONS ('format.delimiter' ';')";
    assert!(program(tmp, &[copy]).status.success());
    assert_eq!(std::fs::read_to_string(tmp.join("y.csv")).unwrap(), "a;b\n1;2\n");
    let table = "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION 'y.csv' OPTIONS ('format.delimiter' ';')";
    let mut session = Command::new(env!("CARGO_BIN_EXE_binfmt-sql"));
    let mut session = session
        .current_dir(tmp)
        .args(["--format", "csv"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let queries = format!("{table};\nSELECT b FROM t;\n");
    std::io::Write::write_all(&mut session.stdin.take().unwrap(), queries.as_bytes()).unwrap();
    let output = session.wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("b\n2\n"), "{output:?}");
}

/// A format without missing values says what became of them.
#[test]
fn what_a_file_does_not_keep_is_told() {
    let Folder(tmp) = &folder("notes");
    let rows = "SELECT x, CASE WHEN x = 2 THEN NULL ELSE x END AS n FROM (VALUES (1), (2), (3)) AS t(x)";
    let copy = format!("COPY ({rows}) TO 'copied.tdb'");
    for args in [vec![copy.as_str()], vec![rows, "--output", "written.tdb"]] {
        let output = program(tmp, &args);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && said.starts_with("note: "), "{args:?}: {said}");
        assert!(said.contains("`n`"), "{said}");
    }
}

/// Several queries in one text are answered in their order; a file takes one answer.
#[test]
fn queries_are_divided_by_semicolons() {
    let Folder(tmp) = &folder("several");
    let both = "CREATE VIEW t AS SELECT 1 AS a; SELECT a, ';' AS b FROM t; SELECT 2 AS c";
    let output = program(tmp, &[both, "--format", "csv"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a,b\n1,;\nc\n2\n", "{output:?}");
    let output = program(tmp, &["CREATE VIEW t AS SELECT 1 AS a; SELECT a FROM t;", "--output", "a.csv"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(std::fs::read_to_string(tmp.join("a.csv")).unwrap(), "a\n1\n");
    for (queries, error) in [
        (
            "SELECT 2 AS a; SELECT 3 AS a",
            "error: --output: a.csv has the answer of a query; here is another\n",
        ),
        (" ;", "error: there is no query\n"),
    ] {
        let output = program(tmp, &[queries, "--output", "a.csv"]);
        assert_eq!(String::from_utf8_lossy(&output.stderr), error);
    }
    assert_eq!(std::fs::read_to_string(tmp.join("a.csv")).unwrap(), "a\n2\n");
}

/// On standard input a semicolon in a text or a comment ends no query, and what is empty is none.
#[test]
fn queries_take_as_long_as_they_may() {
    let folder = folder("timeout");
    let long = "SELECT count(*) FROM generate_series(1, 100000000000) AS t(n) WHERE n % 7 = 3";
    // what makes many rows of each that it reads
    let wide =
        "SELECT sum(a.n % b.n) FROM generate_series(1, 1000000) AS a(n), generate_series(1, 1000000) AS b(n)";
    for (sql, partitions) in [(long, "1"), (wide, "1"), (wide, "2")] {
        let begin = std::time::Instant::now();
        let output = program(&folder.0, &[sql, "--timeout", "1", "--partitions", partitions]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said, "error: the query took longer than 1 second (--timeout)\n", "{sql}");
        assert!(!output.status.success() && begin.elapsed().as_secs() < 30, "{sql}: {:?}", begin.elapsed());
    }
    // a table is drawn in pieces
    let begin = std::time::Instant::now();
    let said =
        program(&folder.0, &["SELECT *, value * 2 FROM generate_series(1, 3000000)", "--timeout", "1"])
            .stderr;
    assert_eq!(String::from_utf8(said).unwrap(), "error: the query took longer than 1 second (--timeout)\n");
    assert!(begin.elapsed().as_secs() < 8, "{:?}", begin.elapsed());
    // what was begun to be written is taken back
    for ending in ENDINGS {
        let rows =
            "SELECT a.value FROM generate_series(1, 3000000) a CROSS JOIN generate_series(1, 3000000) b";
        let copy = format!("COPY ({rows}) TO 'long.{ending}'");
        let said = String::from_utf8(program(&folder.0, &[&copy, "--timeout", "1"]).stderr).unwrap();
        assert_eq!(said, "error: the query took longer than 1 second (--timeout)\n", "{ending}");
        assert!(names(&folder.0).is_empty(), "{ending}: {:?}", names(&folder.0));
    }
    // each query for itself
    let output = program(&folder.0, &["SELECT 1; SELECT 2", "--timeout", "60"]);
    assert!(output.status.success());
}

#[test]
fn lines_are_queries_where_they_end_with_one() {
    let Folder(tmp) = &folder("lines");
    let lines = "SELECT 1 -- done;\n+ 1 AS c;\nSELECT 'a;\nb' AS d;\n;\n-- no;\nSELECT 3 AS e; -- x\n/* 4;\n*/ SELECT 5 AS f;\n-- end\n";
    let mut session = Command::new(env!("CARGO_BIN_EXE_binfmt-sql"));
    let session = session.current_dir(tmp).args(["--format", "csv"]);
    let mut session =
        session.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut session.stdin.take().unwrap(), lines.as_bytes()).unwrap();
    let output = session.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "c\n2\nd\n\"a;\nb\"\ne\n3\nf\n5\n");
}

/// Rows with a missing value have no folder, and where one file cannot be written none is.
#[test]
fn folders_are_whole_or_not_there() {
    let Folder(tmp) = &folder("folders");
    let refused = |query: &str, expected: &str| {
        let said = String::from_utf8(program(tmp, &[query]).stderr).unwrap();
        assert!(said.starts_with("error: ") && said.contains(expected), "{query}: {said}");
    };
    let rows = "(SELECT * FROM (VALUES (1, 2), (2, NULL)) AS t(a, f))";
    refused(
        &format!("COPY {rows} TO 'missing/' STORED AS CSV PARTITIONED BY (f)"),
        "PARTITIONED BY: `f` is missing in a row",
    );
    // a file system takes no names of 300 letters
    let rows = "(SELECT * FROM (VALUES (1, 'a'), (2, 'b'), (3, repeat('c', 300))) AS t(a, f))";
    refused(&format!("COPY {rows} TO 'long/' STORED AS CSV PARTITIONED BY (f)"), "File name too long");
    let files = |folder: PathBuf| std::fs::read_dir(folder).map_or(0, |all| all.count());
    assert_eq!(files(tmp.join("missing")), 0);
    assert_eq!(files(tmp.join("long/f=a")) + files(tmp.join("long/f=b")), 0);
    refused("COPY (SELECT 1 AS a) TO 'x[1].csv'", "x[1].csv: a pattern does not name a file");
}

/// A file of an answer is read and written again with the columns that it has.
#[test]
fn answers_keep_their_columns() {
    let Folder(tmp) = &folder("columns");
    let rows = "SELECT * FROM (VALUES (1, 1.5), (NULL, NULL)) AS t(i, d)";
    for ending in ["parquet", "arrow"] {
        let (one, two) = (format!("one.{ending}"), format!("two.{ending}"));
        assert!(program(tmp, &[rows, "--output", &one]).status.success());
        let all = format!("SELECT * FROM '{one}'");
        assert!(program(tmp, &[&all, "--output", &two]).status.success());
        let output = program(tmp, &[&format!("SELECT * FROM '{two}'"), "--format", "csv"]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "i,d\n1,1.5\n,\n", "{output:?}");
    }
    // codes where they are asked for, and then their names are taken
    let codes = ["--set", "missing_codes=true", "--output"];
    assert!(program(tmp, &[&[rows], &codes[..], &["one.parquet"]].concat()).status.success());
    let all = "SELECT * FROM 'one.parquet'";
    let output = program(tmp, &[all, "--format", "csv"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "i,i.missing,d,d.missing\n1,,1.5,\n,0,,0\n");
    let output = program(tmp, &[&[all], &codes[..], &["x.parquet"]].concat());
    assert!(String::from_utf8_lossy(&output.stderr).contains("two columns are called"), "{output:?}");
}

/// What is said of a file that is written may be in another, as of one that is read.
#[test]
fn schemas_of_files_are_read_from_files() {
    let Folder(tmp) = &folder("schemas");
    std::fs::write(tmp.join("l.schema"), "(int64, double)\n").unwrap();
    let rows = "SELECT CAST(7 AS BIGINT) AS a, 2.5 AS b";
    let copy = format!("COPY ({rows}) TO 'a.bin' STORED AS SCIDB OPTIONS (schema '@l.schema')");
    for args in
        [&[copy.as_str()][..], &[rows, "--output", "b.bin", "--to", "scidb", "--set", "schema=@l.schema"]]
    {
        let output = program(tmp, args);
        assert!(output.status.success(), "{output:?}");
    }
    let expected = [7i64.to_le_bytes(), 2.5f64.to_le_bytes()].concat();
    assert!(["a.bin", "b.bin"].iter().all(|name| std::fs::read(tmp.join(name)).unwrap() == expected));
    let said = program(tmp, &[&copy.replace("@l", "@none")]).stderr;
    assert!(String::from_utf8_lossy(&said).contains("there is no file none.schema"));
}

/// A server that is no URL is told before it is asked.
#[cfg(feature = "objects")]
#[test]
fn servers_are_checked() {
    let folder = folder("servers");
    for query in ["SELECT * FROM 's3://b/a.sdds'", "COPY (SELECT 1 AS a) TO 's3://b/a.parquet'"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_binfmt-sql"));
        let output = command.current_dir(&folder.0).arg(query).env("AWS_ENDPOINT", "127.0.0.1:9").output();
        let said = String::from_utf8(output.unwrap().stderr).unwrap();
        let expected = "the variable AWS_ENDPOINT is `127.0.0.1:9`, and no URL of a server";
        assert!(said.starts_with("error: s3://b") && said.contains(expected), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

/// Whoever waits for a query is told to end at once, and does.
#[cfg(unix)]
#[test]
fn waiting_for_queries_ends() {
    use nix::sys::signal::{Signal, kill};
    use std::os::unix::process::ExitStatusExt;
    use std::time::{Duration, Instant};
    let folder = folder("waiting");
    for (signal, status) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143), (Signal::SIGHUP, 129)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_binfmt-sql"));
        let session = command.current_dir(&folder.0).stdin(std::process::Stdio::piped());
        let mut session = session.stdout(std::process::Stdio::piped()).spawn().unwrap();
        let input = session.stdin.as_mut().unwrap();
        std::io::Write::write_all(input, b"SELECT 1 AS a;\n").unwrap();
        // it is at work, and hears signals
        std::io::Read::read_exact(session.stdout.as_mut().unwrap(), &mut [0; 4]).unwrap();
        std::thread::sleep(Duration::from_millis(300));
        if signal == Signal::SIGHUP && ignores_hangups() {
            continue;
        }
        let begin = Instant::now();
        kill(nix::unistd::Pid::from_raw(session.id().try_into().unwrap()), signal).unwrap();
        let input = session.stdin.take();
        let ended = session.wait().unwrap();
        drop(input);
        assert_eq!(ended.code(), Some(status), "{signal}: {:?}", ended.signal());
        assert!(begin.elapsed() < Duration::from_millis(900), "{signal}: {:?}", begin.elapsed());
    }
}

/// Whether the tests run with `nohup`, which the program inherits.
#[cfg(unix)]
pub(crate) fn ignores_hangups() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.is_some_and(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & 1 == 1))
}
