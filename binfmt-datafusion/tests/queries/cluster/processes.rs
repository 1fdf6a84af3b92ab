//! Scheduler, executors and clients as programs, each a process with ports of its own on this machine.

use super::support::{CELLS, Folder, ROWS, cells};
use binfmt_datafusion::cluster::connect;
use datafusion::prelude::SessionConfig;
use futures::StreamExt;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// After so many seconds an executor is lost.
const LOST: u64 = 6;

/// A program that ends with the test.
pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_binfmt-cluster"));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// A port that is free, as is the one after it.
pub(crate) fn port() -> u16 {
    loop {
        let first = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = first.local_addr().unwrap().port();
        if port < u16::MAX && TcpListener::bind(("127.0.0.1", port + 1)).is_ok() {
            return port;
        }
    }
}

/// A scheduler that listens, and its address.
fn scheduler() -> (Process, String) {
    let address = format!("127.0.0.1:{}", port());
    let lost = LOST.to_string();
    let mut command = program();
    let process =
        Process(command.args(["scheduler", "--bind", &address, "--lost-after", &lost]).spawn().unwrap());
    let begin = Instant::now();
    while std::net::TcpStream::connect(&address).is_err() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the scheduler does not listen");
        sleep(Duration::from_millis(50));
    }
    (process, address)
}

/// What an executor of one core is started with.
fn executor_args(scheduler: &str) -> Vec<String> {
    let bind = format!("127.0.0.1:{}", port());
    ["executor", "--scheduler", scheduler, "--bind", &bind, "--cores", "1"].map(str::to_owned).to_vec()
}

fn executor(scheduler: &str) -> Process {
    let mut command = program();
    Process(command.args(executor_args(scheduler)).spawn().unwrap())
}

fn client(scheduler: &str, sql: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_binfmt-sql"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.args(["--cluster", scheduler, "--partitions", "8", "--format", "csv", sql]);
    command
}

fn ask(scheduler: &str, sql: &str) -> Child {
    client(scheduler, sql).spawn().unwrap()
}

/// The rows of an answer without the names of its columns, or what the error said.
fn answer(client: Child) -> Result<String, String> {
    let output = client.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    match output.status.success() {
        true => Ok(text(output.stdout).lines().skip(1).collect::<Vec<_>>().join("\n")),
        false => Err(text(output.stderr)),
    }
}

/// How long a process has worked, in hundredths of a second.
#[cfg(target_os = "linux")]
fn worked(process: &Process) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", process.0.id())).unwrap();
    // after the name in brackets, the twelfth and thirteenth word
    let words = text.rsplit_once(')').unwrap().1.split_whitespace().skip(11).take(2);
    words.map(|word| word.parse::<u64>().unwrap()).sum()
}

/// A query that takes seconds, and its answer.
fn slow(path: &str) -> (String, String) {
    let sql = format!(
        "SELECT count(*) AS rows, sum(n) AS total, count(DISTINCT length(repeat(md5(CAST(n AS VARCHAR)), 3))) AS lengths \
         FROM scidb('{path}', '{CELLS}') WHERE d >= 0"
    );
    (sql, format!("{ROWS},{},1", ROWS * (ROWS - 1) / 2))
}

#[test]
fn files_stand_without_a_folder() {
    let folder = Folder::new("dotted");
    folder.write("room.csv", "celsius,door\n21,1\n20,2\n");
    folder.write("log.bin", [1, 0, 2, 0]);
    folder.write("log.layout", "record, le\n  n: u16\n");
    let (_scheduler, address) = scheduler();
    let _executor = executor(&address);
    let ask = |sql: &str| answer(client(&address, sql).current_dir(&folder.0).spawn().unwrap());
    assert_eq!(ask("SELECT celsius FROM 'room.csv' WHERE door > 1"), Ok("20".to_owned()));
    assert_eq!(ask("SELECT *, _offset FROM 'room.csv' WHERE celsius = 21"), Ok("21,1,13".to_owned()));
    assert_eq!(ask("SELECT sum(n) FROM layout('log.bin', '@log.layout') WHERE n > 1"), Ok("2".to_owned()));
}

#[cfg(target_os = "linux")]
#[test]
fn an_executor_that_is_killed_is_made_up_for() {
    let folder = Folder::new("killed");
    let (sql, expected) = slow(&folder.write("cells.bin", cells()));
    let (_scheduler, address) = scheduler();
    let (first, second) = (executor(&address), executor(&address));
    assert_eq!(answer(ask(&address, "SELECT 1 + 1")).unwrap(), "2");
    let before = worked(&first);
    let mut client = ask(&address, &sql);
    // until it is at work
    while worked(&first) < before + 50 {
        assert!(
            client.try_wait().unwrap().is_none(),
            "the query was over before the executor could be killed"
        );
        sleep(Duration::from_millis(20));
    }
    drop(first);
    assert!(client.try_wait().unwrap().is_none(), "the query was over before the executor was killed");
    assert_eq!(answer(client).unwrap(), expected);
    drop(second);
}

/// Sends a signal to a process.
#[cfg(target_os = "linux")]
fn signal(process: &Child, name: &str) {
    let done = Command::new("kill").args([name, &process.id().to_string()]).status().unwrap();
    assert!(done.success());
}

/// What it was working on is answered by the other one.
#[cfg(target_os = "linux")]
#[test]
fn an_executor_that_is_asked_to_end_says_goodbye() {
    let folder = Folder::new("goodbye");
    let (sql, expected) = slow(&folder.write("cells.bin", cells()));
    let (_scheduler, address) = scheduler();
    let (mut first, second) = (executor(&address), executor(&address));
    assert_eq!(answer(ask(&address, "SELECT 1 + 1")).unwrap(), "2");
    let before = worked(&first);
    let client = ask(&address, &sql);
    while worked(&first) < before + 20 {
        sleep(Duration::from_millis(20));
    }
    let begin = Instant::now();
    signal(&first.0, "-TERM");
    assert!(first.0.wait().unwrap().success());
    assert!(begin.elapsed() < Duration::from_secs(10), "goodbye took {:?}", begin.elapsed());
    assert_eq!(answer(client).unwrap(), expected);
    drop(second);
}

/// Whichever way it leaves, even without a word.
#[cfg(target_os = "linux")]
#[test]
fn a_client_that_leaves_ends_its_query() {
    let folder = Folder::new("left");
    let path = folder.write("cells.bin", cells());
    let endless = format!(
        "SELECT sum(a.n % b.n) FROM scidb('{path}', '{CELLS}') a, scidb('{path}', '{CELLS}') b WHERE b.n > 0"
    );
    let (_scheduler, address) = scheduler();
    let first = executor(&address);
    assert_eq!(answer(ask(&address, "SELECT 1 + 1")).unwrap(), "2");
    for how in ["-TERM", "-KILL"] {
        let before = worked(&first);
        let mut client = ask(&address, &endless);
        while worked(&first) < before + 50 {
            sleep(Duration::from_millis(20));
        }
        signal(&client, how);
        assert!(!client.wait().unwrap().success());
        // until it does next to nothing for two seconds
        let begin = Instant::now();
        loop {
            let before = worked(&first);
            sleep(Duration::from_secs(2));
            if worked(&first) < before + 10 {
                break;
            }
            assert!(begin.elapsed() < Duration::from_secs(30), "{how}: the executor goes on");
        }
        assert_eq!(answer(ask(&address, "SELECT 1 + 1")).unwrap(), "2");
    }
}

/// Rows that were given out cannot be taken back.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_breaks_off_is_an_error() {
    let folder = Folder::new("broken");
    let path = folder.write("cells.bin", &cells()[..16 * 200_000]);
    let sql =
        format!("SELECT n, repeat(md5(CAST(n AS VARCHAR)), 30) AS text FROM scidb('{path}', '{CELLS}')");
    let (_scheduler, address) = scheduler();
    let first = executor(&address);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let context = connect(&address, SessionConfig::new().with_target_partitions(2)).unwrap();
        let mut batches = context.sql(&sql).await.unwrap().execute_stream().await.unwrap();
        let mut rows = batches.next().await.unwrap().unwrap().num_rows();
        drop(first);
        let e = loop {
            match batches.next().await.expect("an answer that is whole") {
                Ok(batch) => rows += batch.num_rows(),
                Err(e) => break e.to_string(),
            }
        };
        assert!(e.contains(&format!("({rows} rows of the answer had been given out; ask again)")), "{e}");
        assert!(e.contains("the cluster lost the query: "), "{e}");
    });
}

#[test]
fn an_executor_may_join_late() {
    let folder = Folder::new("late");
    let (sql, expected) = slow(&folder.write("cells.bin", cells()));
    let (_scheduler, address) = scheduler();
    let mut client = ask(&address, &sql);
    sleep(Duration::from_secs(2));
    assert!(client.try_wait().unwrap().is_none(), "nobody can have answered");
    let _first = executor(&address);
    sleep(Duration::from_secs(1));
    let _second = executor(&address);
    assert_eq!(answer(client).unwrap(), expected);
}

/// One executor finds an empty folder where the other has the files.
#[test]
fn files_that_one_executor_does_not_see_are_told() {
    let folder = Folder::new("unseen");
    let (sql, _) = slow(&folder.write("cells.bin", cells()));
    let may = Command::new("unshare").args(["--user", "--map-root-user", "--mount", "true"]).output();
    if !may.is_ok_and(|output| output.status.success()) {
        eprintln!("not tested: this machine does not let programs have mounts of their own");
        return;
    }
    let (_scheduler, address) = scheduler();
    let _sees = executor(&address);
    let hide = r#"mount -t tmpfs none "$1" && shift && exec "$@""#;
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--mount", "sh", "-c", hide, "sh"]);
    let blind = executor_args(&address);
    command.arg(&folder.0).arg(env!("CARGO_BIN_EXE_binfmt-cluster")).args(&blind);
    let _blind = Process(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    sleep(Duration::from_secs(2));
    let e = answer(ask(&address, &sql)).unwrap_err();
    assert!(e.contains(&format!("executor {} does not see", blind[4])) && e.contains("cells.bin"), "{e}");
    assert!(Path::new(&folder.0).join("cells.bin").exists());
}

/// A damaged file, and a scheduler that nobody started: each is a sentence.
#[test]
fn what_a_cluster_cannot_do_is_a_sentence() {
    let folder = Folder::new("sentence");
    let all = cells();
    let path = folder.write("cut.bin", &all[..all.len() - 3]);
    let (_scheduler, address) = scheduler();
    let _first = executor(&address);
    let e = answer(ask(&address, &format!("SELECT sum(d) FROM scidb('{path}', '{CELLS}')"))).unwrap_err();
    assert!(e.starts_with(&format!("error: {path}[{}].d at byte ", ROWS - 1)), "{e}");
    assert_eq!(e.lines().count(), 1, "{e}");
    let e = answer(ask(&address, "SELECT 1 / sum(n) FROM (VALUES (0)) AS t(n)")).unwrap_err();
    assert_eq!(e, "error: the query divides by zero\n");

    let nobody = format!("127.0.0.1:{}", port());
    let mut command = program();
    let output = command.args(executor_args(&nobody)).stderr(Stdio::piped()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let begins = format!("error: the scheduler at {nobody} cannot be reached (--scheduler): ");
    assert!(said.starts_with(&begins) && !output.status.success(), "{said}");
}

/// Programs of which one says that it is of another version, as debug builds may.
#[cfg(debug_assertions)]
#[test]
fn machines_of_another_version_are_refused_by_name() {
    const OTHER: (&str, &str) = ("BINFMT_CLUSTER_VERSION", "99.1.0");
    let ours = binfmt_datafusion::remote::VERSION;
    let folder = Folder::new("version");
    let path = folder.write("cells.bin", &cells()[..160]);
    let sql = format!("SELECT sum(n) FROM scidb('{path}', '{CELLS}') WHERE d >= 0");
    let is_refused = |e: String, made: &str, machine: &str, has: &str| {
        let told = format!("the plan was made by binfmt-datafusion {made}, and {machine} has {has}: ");
        assert!(e.contains(&told) && e.contains("must run the same version"), "{e}");
    };
    let (_scheduler, address) = scheduler();
    let other = executor_args(&address);
    let later = Process(program().args(&other).env(OTHER.0, OTHER.1).spawn().unwrap());
    let e = answer(ask(&address, &sql)).unwrap_err();
    is_refused(e, ours, &format!("executor {}", other[4]), OTHER.1);
    // its place is taken by one that is of the scheduler's
    drop(later);
    let _same = executor(&address);
    let e = answer(client(&address, &sql).env(OTHER.0, OTHER.1).spawn().unwrap()).unwrap_err();
    is_refused(e, OTHER.1, "the scheduler", ours);
    assert_eq!(answer(ask(&address, &sql)).unwrap(), "45");
}
