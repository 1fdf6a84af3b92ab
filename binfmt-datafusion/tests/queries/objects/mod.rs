//! Files of a web server; those of S3 are in `tests/interop/objects.py`.

mod server;

use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::prelude::{SessionConfig, SessionContext};
use server::{Answer, Server};

const CELLS: &str = "<n: int64 NOT NULL, d: int64 NOT NULL>[i]";
const ROWS: i64 = 200_000;

/// n and n modulo 10: 3.2 MB.
fn cells() -> Vec<u8> {
    (0..ROWS).flat_map(|n| [n.to_le_bytes(), (n % 10).to_le_bytes()]).flatten().collect()
}

fn pages() -> Vec<u8> {
    let head = "SDDS1\n&parameter name=Run, type=long, &end\n&column name=x, type=double, &end\n&data mode=ascii, &end\n";
    let page = |run: i32| format!("{run}\n3\n1.5\n2.5\n{run}\n");
    [head.to_owned(), page(7), page(8)].concat().into_bytes()
}

async fn answer(sql: &str) -> Result<String, String> {
    let config = SessionConfig::new().with_target_partitions(2);
    let context = binfmt_datafusion::register(SessionContext::new_with_config(config));
    let frame = context.sql(sql).await.map_err(|e| e.to_string())?;
    let batches = frame.collect().await.map_err(|e| e.to_string())?;
    Ok(pretty_format_batches(&batches).unwrap().to_string())
}

fn of_cells(server: &Server, what: &str) -> String {
    format!("SELECT {what} FROM scidb('{}/data/cells.bin', '{CELLS}', 'row_numbers=true')", server.url)
}

const ALL: &str = "count(*) AS rows, sum(n) AS n, sum(d) AS d";

#[track_caller]
fn is_all(answer: &Result<String, String>) {
    let text = answer.as_ref().unwrap();
    assert!(text.contains(&format!("| {ROWS} | {} | {} |", ROWS * (ROWS - 1) / 2, ROWS / 10 * 45)), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_a_web_server_are_tables() {
    let server = Server::start([("data/cells.bin", cells()), ("run0.sdds", pages())], |_| Answer::Right);
    is_all(&answer(&of_cells(&server, ALL)).await);
    // most of it by large requests
    let counts = server.counted();
    assert!(counts.requests < 40 && counts.bytes < 4_500_000, "{} {}", counts.requests, counts.bytes);

    let text = answer(&format!("SELECT sum(x) AS x FROM '{}/run0.sdds' WHERE \"Run\" = 8", server.url))
        .await
        .unwrap();
    assert!(text.contains("| 12.0 |"), "{text}");
}

/// The bytes that are sent are in proportion to the rows that are wanted.
#[tokio::test]
async fn what_is_not_wanted_is_not_fetched() {
    let server = Server::start([("data/cells.bin", cells())], |_| Answer::Right);
    let few = of_cells(&server, "sum(n) AS n").to_owned() + " WHERE _row BETWEEN 150000 AND 150009";
    let text = answer(&few).await.unwrap();
    assert!(text.contains("| 1500045 |"), "{text}");
    let counts = server.counted();
    assert!(counts.bytes <= 3 * 65536, "{}", counts.bytes);

    answer(&(of_cells(&server, "n") + " LIMIT 3")).await.unwrap();
    let counts = server.counted();
    assert!(counts.bytes < 600_000, "{}", counts.bytes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_fails_for_a_time_is_asked_for_again() {
    let judges: [fn(usize) -> Answer; 3] = [
        |n| if n % 3 == 0 { Answer::Status(503) } else { Answer::Right },
        |n| if n % 5 == 1 { Answer::Cut(70) } else { Answer::Right },
        |n| if n % 4 == 2 { Answer::Cut(0) } else { Answer::Right },
    ];
    for judge in judges {
        for has_tags in [true, false] {
            let server = Server::with_tags([("data/cells.bin", cells())], judge, has_tags);
            is_all(&answer(&of_cells(&server, ALL)).await);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_stays_wrong_is_told_with_its_url() {
    let refused = |n| if n < 3 { Answer::Right } else { Answer::Status(403) };
    let server = Server::start([("data/cells.bin", cells())], refused);
    let e = answer(&of_cells(&server, ALL)).await.unwrap_err();
    assert!(e.contains(&format!("{}/data/cells.bin: access is refused", server.url)), "{e}");

    let server = Server::with_tags([("data/cells.bin", cells())], |_| Answer::Cut(9), false);
    let e = answer(&of_cells(&server, ALL)).await.unwrap_err();
    assert!(e.contains(&format!("{}/data/cells.bin: ", server.url)), "{e}");

    let server = Server::start([("data/cells.bin", cells())], |_| Answer::Status(503));
    let e = answer(&of_cells(&server, ALL)).await.unwrap_err();
    assert!(e.contains(&format!("{}/data/cells.bin: ", server.url)) && e.contains("503"), "{e}");

    let e = answer(&format!("SELECT * FROM '{}/none.sdds'", server.url)).await.unwrap_err();
    assert!(e.contains(&format!("there is no file {}/none.sdds", server.url)), "{e}");
    let e = answer(&format!("SELECT * FROM '{}/run*.sdds'", server.url)).await.unwrap_err();
    assert!(e.contains("a web server does not list its files; name each"), "{e}");
    let e = answer("SELECT * FROM 'ftp://a/b.sdds'").await.unwrap_err();
    assert!(e.contains("ftp://a/b.sdds: expected a URL of s3, gs, az, abfs, http or https"), "{e}");
    let e = answer("SELECT * FROM 'http://127.0.0.1:9/b.sdds?key=1'").await.unwrap_err();
    assert!(e.contains("`?` and `#` are not supported in the URL of a file"), "{e}");
}

/// A file that is another one after its front was read is not mixed of both.
#[tokio::test]
async fn a_file_that_changes_is_an_error() {
    let server = Server::start([("data/cells.bin", cells())], |_| Answer::Right);
    let context = binfmt_datafusion::register(SessionContext::new());
    let frame = context.sql(&of_cells(&server, ALL)).await.unwrap();
    server.files.lock().unwrap().insert("/data/cells.bin".to_owned(), vec![1; 16 * ROWS as usize]);
    let e = frame.collect().await.unwrap_err().to_string();
    assert!(e.contains("the object changed while it was read"), "{e}");
}

/// Of a page that cannot match only what stands at its front is fetched, and of an array only the wanted rows.
#[tokio::test]
async fn pages_that_cannot_match_are_not_fetched() {
    let mut pages =
        b"SDDS1\n!# little-endian\n&parameter name=Run, type=long, &end\n&column name=x, type=double, &end\n\
        &column name=y, type=double, &end\n&data mode=binary, &end\n"
            .to_vec();
    for run in 0..8i32 {
        pages.extend([40_000i32.to_le_bytes(), run.to_le_bytes()].concat());
        pages.extend((0..80_000).flat_map(|n| f64::from(n).to_le_bytes()));
    }
    let size = pages.len();
    let server = Server::start([("run.sdds", pages)], |_| Answer::Right);
    let all = format!("SELECT sum(x) AS x, min(y) AS y FROM '{}/run.sdds'", server.url);
    answer(&all).await.unwrap();
    assert!((size..size * 3 / 2).contains(&server.counted().bytes), "all of it");

    let one = answer(&format!("{all} WHERE \"Run\" = 5")).await.unwrap();
    assert!(one.contains("| 1599960000.0 | 1.0 |"), "{one}");
    let bytes = server.counted().bytes;
    assert!(bytes < size / 3, "{bytes} of {size}");

    answer(&format!("SELECT count(*) FROM '{}/run.sdds'", server.url)).await.unwrap();
    let bytes = server.counted().bytes;
    assert!(bytes < size / 8, "{bytes} of {size}");
}
