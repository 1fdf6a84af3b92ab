//! What people type, and what the program answers.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with files of several formats.
pub(super) struct Files(pub(super) PathBuf);

impl Files {
    pub(super) fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("binfmt-sql-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let files = Files(folder);
        let head = "SDDS1\n&parameter name=Run, type=long, &end\n&column name=x, type=long64, units=m, &end\n&data mode=ascii, &end\n";
        files.write("run0.sdds", format!("{head}1\n2\n1\n2\n1\n1\n3\n1\n2\n4\n5\n"));
        files.write("run1.sdds", format!("{head}2\n1\n2\n"));
        let cells = [(1i64, 0.5f64), (2, 1.0), (3, 2.0)];
        let present =
            |(x, weight): (i64, f64)| [&x.to_le_bytes()[..], &[255], &weight.to_le_bytes()].concat();
        files.write("load.bin", cells.map(present).concat());
        files.write("load.afl", "<x: int64 NOT NULL, weight: double>[i]\n");
        files.write("log.bin", [0, 1, 0, 2]);
        files.write("log.layout", "record, be\n  n: u16\n");
        files.write("room.csv", "celsius,door\n21.5,1\n20.5,2\n");
        files
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.0.join(name), bytes).unwrap();
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_binfmt-sql"));
        command.current_dir(&self.0).args(["--partitions", "1"]).args(words).output().unwrap()
    }

    /// The answer as CSV.
    #[track_caller]
    fn csv(&self, query: &str) -> String {
        let output = self.run(&[query, "--format", "csv"]);
        assert!(output.status.success(), "{query}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    #[track_caller]
    fn error(&self, query: &str) -> String {
        let output = self.run(&[query]);
        assert!(!output.status.success(), "{query}");
        String::from_utf8(output.stderr).unwrap()
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn columns_are_there_where_a_query_names_them() {
    let files = Files::new("added");
    let csv = |query: &str| files.csv(query);
    assert_eq!(csv("SELECT max(_page) AS p FROM 'run0.sdds'"), "p\n2\n");
    let pages = "SELECT _page, count(*) AS n FROM 'run0.sdds' GROUP BY _page ORDER BY 1";
    assert_eq!(csv(pages), "_page,n\n0,2\n1,1\n2,2\n");
    // all columns are those of the file, and what is named beside them
    assert_eq!(csv("SELECT * FROM 'run0.sdds' WHERE _page = 1"), "Run,x\n1,3\n");
    assert_eq!(csv("SELECT *, _page FROM 'run0.sdds' WHERE x = 3"), "Run,x,_page\n1,3,1\n");
    assert_eq!(csv("SELECT _page, s.* FROM sdds('run0.sdds') s WHERE x = 3"), "_page,Run,x\n1,1,3\n");
    let join = "SELECT *, a._page FROM 'run0.sdds' a JOIN 'room.csv' ON x = door JOIN (SELECT x AS y FROM 'run1.sdds' WHERE _page = 0) b ON a.x = y";
    assert_eq!(csv(join), "Run,x,celsius,door,y,_page\n1,2,20.5,2,2,0\n");
    assert!(files.error("SELECT Run, * FROM 'run0.sdds'").contains("two columns are called `run0.sdds.Run`"));
    // through another query, which names it
    assert_eq!(
        csv("WITH c AS (SELECT *, _page FROM 'run0.sdds') SELECT max(_page) AS _page FROM c"),
        "_page\n2\n"
    );
    // tables of the session
    let table = "CREATE EXTERNAL TABLE t STORED AS SDDS LOCATION 'run*.sdds';";
    let names = "SELECT _file, max(_page) AS p, count(*) AS n FROM t GROUP BY _file ORDER BY 1";
    assert_eq!(csv(&format!("{table}{names}")), "_file,p,n\nrun0.sdds,2,5\nrun1.sdds,0,1\n");
    assert_eq!(csv(&format!("{table} SELECT x FROM t WHERE _file = 'run1.sdds'")), "x\n2\n");
    // other formats
    assert_eq!(csv("SELECT _row, x FROM scidb('load.bin', '@load.afl') WHERE _row > 1"), "_row,x\n2,3\n");
    assert_eq!(csv("SELECT _offset FROM 'room.csv'"), "_offset\n13\n20\n");
    let e = files.error("SELECT _page FROM 'room.csv'");
    assert!(e.contains("`_page` is of SDDS files"), "{e}");
}

#[test]
fn a_column_that_is_named_changes_nothing_else() {
    let files = Files::new("scopes");
    // rows of a set operation are as without it
    let set = "SELECT * FROM 'run0.sdds' WHERE _page = 1 INTERSECT SELECT * FROM 'run0.sdds'";
    assert_eq!(files.csv(set), "Run,x\n1,3\n");
    assert_eq!(files.csv("SELECT DISTINCT * FROM 'run0.sdds' WHERE _page = 1"), "Run,x\n1,3\n");
    assert_eq!(
        files.csv("SELECT * FROM (SELECT * FROM 'run0.sdds' WHERE _page = 1 LIMIT 9) d"),
        "Run,x\n1,3\n"
    );
    assert_eq!(files.csv("SELECT * FROM 'run0.sdds' ORDER BY _page = 1 DESC, x LIMIT 1"), "Run,x\n1,3\n");
    assert_eq!(files.csv("SELECT x AS _page FROM 'run0.sdds' ORDER BY _page DESC LIMIT 1"), "_page\n5\n");
    let joined = "SELECT a.*, b._page FROM 'run0.sdds' a JOIN 'run0.sdds' b USING (x) WHERE a._page = 1";
    assert_eq!(files.csv(joined), "Run,x,_page\n1,3,1\n");
    // it is of the query that names it
    for outer in ["sdds('run0.sdds', page_numbers => true)", "(SELECT x, 7 AS _page FROM 'run0.sdds') o"] {
        let inner = format!(
            "SELECT x FROM {outer} WHERE x IN (SELECT x FROM 'run0.sdds' WHERE _page = 1) ORDER BY x"
        );
        assert_eq!(files.csv(&inner), "x\n3\n", "{outer}");
    }
    let outer = "SELECT x FROM 'run0.sdds' a WHERE EXISTS (SELECT 1 FROM 'room.csv' WHERE door = a._page + 2) ORDER BY x LIMIT 1";
    assert_eq!(files.csv(outer), "x\n1\n");
    let view = "CREATE VIEW v AS SELECT *, _page FROM 'run0.sdds'; SELECT max(_page) AS p FROM v";
    assert_eq!(files.csv(view), "p\n2\n");
}

#[test]
fn a_column_is_refused_where_it_would_change_the_rest() {
    let files = Files::new("refused");
    let function = "FROM sdds('run0.sdds', page_numbers => true)";
    for query in [
        "SELECT count(*) FROM 'run0.sdds' a NATURAL JOIN 'run1.sdds' b WHERE a._page >= 0",
        "SELECT * EXCLUDE (x) FROM 'run0.sdds' WHERE _page = 1",
        "SELECT * EXCEPT (x) FROM 'run0.sdds' WHERE _page = 1",
        "SELECT * FROM 'run0.sdds' a JOIN 'run1.sdds' b USING (x) WHERE a._page = 1",
        "SELECT * FROM ('run0.sdds' a JOIN 'run1.sdds' b ON a.x = b.x) WHERE a._page = 1",
        "SELECT * FROM 'run0.sdds' a LEFT SEMI JOIN 'run1.sdds' b ON a.x = b.x WHERE a._page = 1",
        "SELECT * FROM 'run0.sdds' a LEFT ANTI JOIN 'run1.sdds' b ON a.x = b.x WHERE a._page = 1",
        "SELECT DISTINCT * FROM 'run0.sdds' ORDER BY _page",
        "SELECT * FROM 'run0.sdds' AS a (r, y) WHERE _page = 1",
        "SELECT x AS _page, count(*) FROM 'run0.sdds' GROUP BY _page",
    ] {
        let e = files.error(query);
        assert!(e.contains(function), "{query}: {e}");
    }
    for query in [
        "SELECT * FROM (SELECT * FROM 'run0.sdds') WHERE _page = 1",
        "WITH c AS (SELECT * FROM 'run0.sdds') SELECT max(_page) FROM c",
        "WITH c AS (SELECT * FROM 'run0.sdds') SELECT max(_page), max(_file) FROM c",
        "CREATE VIEW v AS SELECT * FROM 'run0.sdds'; SELECT max(_page) FROM v",
        "SELECT * FROM 'run0.sdds' UNION ALL SELECT * FROM 'run1.sdds' ORDER BY _page",
        "SELECT * FROM (SELECT x FROM 'run0.sdds' WHERE _page = 1) d ORDER BY _page",
    ] {
        let e = files.error(query);
        assert!(e.contains("do not hand on `_page`") && e.contains("page_numbers"), "{query}: {e}");
    }
    let e = files.error("SELECT a.x FROM 'run0.sdds' a JOIN 'run1.sdds' b ON a.x = b.x WHERE _page = 1");
    assert!(e.contains("several tables have `_page`"), "{e}");
}

#[test]
fn page_numbers_are_told_without_reading() {
    let files = Files::new("pages");
    let plan = files.csv("EXPLAIN SELECT max(_page) FROM 'run0.sdds'");
    assert!(plan.contains("PlaceholderRowExec") && !plan.contains("DataSourceExec"), "{plan}");
}

#[test]
fn settings_are_said_in_all_forms() {
    let files = Files::new("settings");
    for said in [
        "'page_numbers=true'",
        "'page_numbers', 'true'",
        "page_numbers => true",
        "page_numbers => 'true'",
        "page_numbers := true",
        "page_numbers = true",
        "PAGE_NUMBERS => true",
    ] {
        let query = format!("SELECT * FROM sdds('run0.sdds', {said}) WHERE x = 3");
        assert_eq!(files.csv(&query), "_page,Run,x\n1,1,3\n", "{said}");
    }
    let query = "SELECT sum(x) AS x FROM SciDB('load.bin', schema => '(int64, double null)') AS c(x, w)";
    assert_eq!(files.csv(query), "x\n6\n");
    for said in ["'@log.layout'", "'log.layout'", "layout => 'log.layout'", "'record, be\n  n: u16\n'"] {
        assert_eq!(files.csv(&format!("SELECT * FROM layout('log.bin', {said})")), "n\n1\n2\n", "{said}");
    }
    let table = "CREATE EXTERNAL TABLE t STORED AS LAYOUT LOCATION 'log.bin' OPTIONS (layout '@log.layout');";
    assert_eq!(files.csv(&format!("{table} SELECT sum(n) AS n FROM t")), "n\n3\n");
    let wrong = |query: &str, text: &str| {
        let e = files.error(query);
        assert!(e.contains(text), "{query}: {e}");
    };
    wrong("SELECT * FROM layout('log.bin', 'no.layout')", "there is no file no.layout");
    wrong("SELECT * FROM layout('log.bin', '@no')", "there is no file no");
    wrong("SELECT * FROM sdds('run0.sdds', 'page_numbers')", "`page_numbers` has no value");
    wrong("SELECT * FROM sdds('run0.sdds', page => 1)", "unknown setting `page`");
}

#[test]
fn decimals_are_written() {
    let files = Files::new("decimals");
    let query = "SELECT CAST(x AS decimal(9, 2)) AS d, CAST(x AS decimal(5, 0)) AS i FROM 'run1.sdds'";
    assert_eq!(files.csv(query), "d,i\n2.00,2\n");
    for name in ["out.sdds", "out.npy", "out.parquet", "out.jsonl"] {
        let written = files.run(&[query, "--output", name]);
        assert!(written.status.success(), "{name}: {}", String::from_utf8_lossy(&written.stderr));
        assert_eq!(
            files.csv(&format!("SELECT d = 2.0 AS d, i = 2 AS i FROM '{name}'")),
            "d,i\ntrue,true\n",
            "{name}"
        );
    }
    let long = "SELECT CAST(x AS decimal(30, 2)) AS d FROM 'run1.sdds'";
    let told = files.run(&[long, "--output", "long.npy"]).stderr;
    assert!(String::from_utf8_lossy(&told).contains("column `d`: decimals become floats"));
}

#[test]
fn nothing_is_answered_by_silence() {
    let files = Files::new("silence");
    assert_eq!(files.csv("FROM 'run1.sdds'"), "Run,x\n2,2\n");
    assert_eq!(files.csv("FROM 'run0.sdds' WHERE x > 2 LIMIT 1"), "Run,x\n1,3\n");
    assert_eq!(files.csv("SELECT max(x) AS x FROM (FROM 'run0.sdds')"), "x\n5\n");
    let columns = "column_name,data_type,is_nullable,units\nRun,Int32,NO,\nx,Int64,NO,m\n";
    for query in ["SHOW COLUMNS FROM 'run0.sdds'", "DESCRIBE 'run0.sdds'", "SHOW COLUMNS IN 'run0.sdds'"] {
        assert_eq!(files.csv(query), columns, "{query}");
    }
    assert!(files.error("SHOW COLUMNS FROM 'none.sdds'").contains("there is no file none.sdds"));
    assert!(files.error("DESCRIBE none").contains("there is no table `none`"));
    let view = "CREATE VIEW v AS SELECT x FROM 'run0.sdds';";
    assert_eq!(files.csv(&format!("{view} SHOW TABLES")), "table_name,table_type\nv,view\n");
    assert_eq!(files.csv(&format!("{view} PREPARE p AS SELECT max(x) AS x FROM v; EXECUTE p")), "x\n5\n");
    // in a pipe a statement without rows says nothing, and an answer without rows that it has none
    let text = |query: &str| String::from_utf8(files.run(&[query]).stdout).unwrap();
    assert_eq!(text(view), "");
    assert_eq!(text("SET datafusion.execution.batch_size = 100"), "");
    let none = text("SELECT * FROM 'run0.sdds' WHERE x > 9");
    assert!(none.contains("| Run | x |") && none.ends_with("0 rows\n"), "{none}");
    let e = files.error("INSERT INTO 'run0.sdds' VALUES (1, 2)");
    assert!(e.contains("COPY"), "{e}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_program_and_leaves_no_half_file() {
    use nix::sys::signal::{Signal, kill};
    use std::os::unix::process::ExitStatusExt;
    let files = Files::new("signals");
    let rows = "SELECT a.value AS a, b.value AS b FROM generate_series(1, 1000000) a CROSS JOIN generate_series(1, 1000000) b";
    let copy = format!("COPY ({rows}) TO 'half.parquet'");
    for (words, signal, status) in [
        (vec![rows, "--output", "half.csv"], Signal::SIGINT, 130),
        (vec![&copy], Signal::SIGTERM, 143),
        (vec![rows, "--format", "csv"], Signal::SIGINT, 130),
    ] {
        let count = |files: &Path| std::fs::read_dir(files).unwrap().count();
        let before = count(&files.0);
        let mut command = Command::new(env!("CARGO_BIN_EXE_binfmt-sql"));
        command.current_dir(&files.0).args(&words).stdout(std::process::Stdio::null());
        let mut child = command.spawn().unwrap();
        // the file that is being written, under another name
        let until = std::time::Instant::now() + std::time::Duration::from_secs(60);
        while words.len() < 3 && count(&files.0) == before && std::time::Instant::now() < until {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        std::thread::sleep(std::time::Duration::from_secs(1));
        let pid = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
        kill(pid, signal).unwrap();
        let ended = child.wait().unwrap();
        assert_eq!((ended.code(), ended.signal()), (Some(status), None), "{words:?}");
        assert_eq!(count(&files.0), before, "{words:?}");
    }
}

/// What may be missing in one of several files may be in all.
#[test]
fn arrays_of_several_files() {
    let files = Files::new("arrays");
    let head = "SDDS1\n&array name=a, type=long, &end\n&array name=b, type=long, &end\n&data mode=ascii, &end\n2\n1 2\n";
    files.write("a1.sdds", format!("{head}2\n3 4\n"));
    files.write("a2.sdds", format!("{head}1\n5\n"));
    files.write("a3.sdds", "SDDS1\n&array name=a, type=long, &end\n&data mode=ascii, &end\n1\n1\n");
    for list in ["a[12].sdds", "a[21].sdds"] {
        let query = format!("SELECT a, b, _file FROM sdds_arrays('{list}') ORDER BY _file, a");
        assert_eq!(files.csv(&query), "a,b,_file\n1,3,a1.sdds\n2,4,a1.sdds\n1,5,a2.sdds\n2,,a2.sdds\n");
        assert_eq!(files.csv(&format!("SELECT count(b) AS n FROM sdds_arrays('{list}')")), "n\n3\n");
    }
    let e = files.error("SELECT * FROM sdds_arrays('a*.sdds')");
    assert!(
        e.contains(
            "a3.sdds has other columns than a1.sdds: column 3 is nothing, and there `b` of type Int32 or NULL"
        ),
        "{e}"
    );
}

#[test]
fn a_table_is_drawn() {
    let files = Files::new("drawn");
    let query = "SELECT 'a\nb' AS x, 2 AS y, '日本' AS z UNION ALL SELECT 'q', 10, NULL ORDER BY y";
    let drawn = "+---+----+------+\n| x | y  | z    |\n+---+----+------+\n| a | 2  | 日本 |\n| b |    |      |\n| q | 10 |      |\n+---+----+------+\n";
    let shown = |query: &str| String::from_utf8(files.run(&[query]).stdout).unwrap();
    assert_eq!(shown(query), drawn);
    let none = "+---+\n| x |\n+---+\n+---+\n0 rows\n";
    assert_eq!(shown("SELECT x FROM 'run0.sdds' WHERE x < 0"), none);
    let many = shown("SELECT value AS v FROM generate_series(1, 1000)");
    assert!(
        many.lines().count() == 1004
            && many.contains("\n| 9    |\n")
            && many.ends_with("\n| 1000 |\n+------+\n")
    );
}

/// Each kind of step looks whether its query is cancelled, and does what it did without.
#[test]
fn steps_of_all_kinds_answer() {
    let files = Files::new("steps");
    let run = "'run0.sdds'";
    for (query, expected) in [
        (
            "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 1000) SELECT count(*) AS c, sum(n) AS s FROM t"
                .to_owned(),
            "c,s\n1000,500500\n",
        ),
        (
            format!("WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT r.x + 1 FROM t JOIN {run} r ON r.x = n) SELECT max(n) AS m FROM t"),
            "m\n6\n",
        ),
        (format!("SELECT x, sum(x) OVER (ORDER BY x) AS s FROM {run} ORDER BY x DESC LIMIT 2"), "x,s\n5,15\n4,10\n"),
        (format!("SELECT x, row_number() OVER (ORDER BY x DESC) AS r FROM {run} ORDER BY r LIMIT 1"), "x,r\n5,1\n"),
        (format!("SELECT sum(x) AS s FROM (SELECT x FROM {run} UNION ALL SELECT x FROM 'run1.sdds')"), "s\n17\n"),
        (format!("SELECT x FROM {run} UNION SELECT x FROM 'run1.sdds' ORDER BY 1 LIMIT 2 OFFSET 1"), "x\n2\n3\n"),
        (format!("SELECT x FROM {run} INTERSECT SELECT x FROM 'run1.sdds'"), "x\n2\n"),
        (format!("SELECT count(DISTINCT x) AS d, median(x) AS m FROM {run}"), "d,m\n5,3.0\n"),
        (format!("SELECT x FROM {run} WHERE x IN (SELECT x FROM 'run1.sdds')"), "x\n2\n"),
        (format!("SELECT sum(x) AS s FROM {run} WHERE x NOT IN (SELECT x FROM 'run1.sdds')"), "s\n13\n"),
        (
            format!("SELECT sum(a.x) AS s FROM {run} a WHERE EXISTS (SELECT 1 FROM {run} b WHERE b.x > a.x)"),
            "s\n10\n",
        ),
        (format!("SELECT sum(a.x * b.x) AS s FROM {run} a CROSS JOIN {run} b"), "s\n225\n"),
        (format!("SELECT count(*) AS c FROM {run} a JOIN {run} b ON a.x < b.x"), "c\n10\n"),
        (format!("SELECT count(*) AS c FROM {run} a FULL JOIN 'run1.sdds' b ON a.x = b.x AND a.x > 2"), "c\n6\n"),
        (format!("SELECT sum(u) AS s FROM (SELECT unnest([x, 1]) AS u FROM {run})"), "s\n20\n"),
        ("SELECT sum(a) AS s FROM (VALUES (1), (2)) AS t(a)".to_owned(), "s\n3\n"),
        (format!("SELECT (SELECT max(x) FROM {run}) AS m"), "m\n5\n"),
    ] {
        assert_eq!(files.csv(&query), expected, "{query}");
    }
}
