//! A scheduler and two executors in this process: the rows of a file are read once, however many tasks there are.

use super::support::{CELLS, Folder, ROWS, cells};
use ballista_core::serde::BallistaCodec;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::utils::default_session_builder;
use ballista_executor::new_standalone_executor_from_builder;
use ballista_scheduler::standalone::new_standalone_scheduler_with_builder;
use binfmt_datafusion::cluster::{LogicalCodec, PhysicalCodec, config, connect};
use binfmt_datafusion::remote;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::common::Result;
use datafusion::execution::TaskContext;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::{SessionConfig, SessionContext};
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The codec of an executor, which counts its scans and their splits.
#[derive(Debug)]
struct Counted {
    codec: PhysicalCodec,
    scans: Arc<AtomicUsize>,
    files: Arc<AtomicUsize>,
}

impl PhysicalExtensionCodec for Counted {
    fn try_decode(
        &self,
        bytes: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        context: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = self.codec.try_decode(bytes, inputs, context, converter)?;
        if let Some((config, _)) = remote::scan_to_bytes(&*plan)? {
            self.scans.fetch_add(1, Ordering::SeqCst);
            let files = config.file_groups.iter().map(|group| group.len()).sum();
            self.files.fetch_add(files, Ordering::SeqCst);
        }
        Ok(plan)
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        bytes: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        self.codec.try_encode(node, bytes, converter)
    }
}

/// A scheduler and executors of one core each; the address of the scheduler, and the scans and splits that executors were given.
async fn cluster(executors: usize) -> (String, Arc<AtomicUsize>, Arc<AtomicUsize>) {
    let produce = || config(SessionConfig::new());
    let codec = BallistaCodec::new(Arc::new(LogicalCodec::default()), Arc::new(PhysicalCodec::default()));
    let scheduler =
        new_standalone_scheduler_with_builder(Arc::new(default_session_builder), Arc::new(produce), codec);
    let address = format!("localhost:{}", scheduler.await.unwrap().port());
    let (scans, files) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    for _ in 0..executors {
        let client = SchedulerGrpcClient::connect(format!("http://{address}")).await.unwrap();
        let state = default_session_builder(produce()).unwrap();
        let counted =
            Counted { codec: PhysicalCodec::default(), scans: Arc::clone(&scans), files: Arc::clone(&files) };
        let codec = BallistaCodec::new(Arc::new(LogicalCodec::default()), Arc::new(counted));
        new_standalone_executor_from_builder(
            client,
            1,
            Arc::new(produce),
            Arc::new(|_| Ok(Arc::new(RuntimeEnv::default()))),
            codec,
            (&state).into(),
        )
        .await
        .unwrap();
    }
    (address, scans, files)
}

async fn answer(context: &SessionContext, sql: &str) -> Result<String, String> {
    let frame = context.sql(sql).await.map_err(|e| e.to_string())?;
    let batches = frame.collect().await.map_err(|e| e.to_string())?;
    let table = pretty_format_batches(&batches).map_err(|e| e.to_string())?.to_string();
    let lines = table.lines().filter(|line| !line.starts_with('+')).skip(1);
    let words =
        lines.map(|line| line.split_whitespace().filter(|word| *word != "|").collect::<Vec<_>>().join(" "));
    Ok(words.collect::<Vec<_>>().join("\n"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_are_counted_once() {
    let folder = Folder::new("count");
    let cells = folder.write("cells.bin", cells());
    let (address, scans, files) = cluster(2).await;
    let context = connect(&address, SessionConfig::new().with_target_partitions(4)).unwrap();
    let table = format!("scidb('{cells}', '{CELLS}')");

    // every row is looked at
    let sql = format!("SELECT count(*), sum(n), min(n), max(n) FROM {table} WHERE d >= 0");
    let sum = ROWS * (ROWS - 1) / 2;
    assert_eq!(answer(&context, &sql).await.unwrap(), format!("{ROWS} {sum} 0 {}", ROWS - 1));
    assert_eq!(files.load(Ordering::SeqCst), 4, "each of four splits went to one task, in {scans:?} scans");

    let sql = format!("SELECT count(*) FROM {table}");
    assert_eq!(answer(&context, &sql).await.unwrap(), ROWS.to_string());
    let sql = format!("SELECT d, count(*) FROM {table} WHERE d < 2 GROUP BY d ORDER BY d");
    assert_eq!(answer(&context, &sql).await.unwrap(), "0 100000\n1 100000");
    let sql = format!("SELECT count(*) FROM (SELECT n FROM {table} LIMIT 5)");
    assert_eq!(answer(&context, &sql).await.unwrap(), "5");
}

/// SDDS: three pages of five rows; the column Run is a parameter.
fn run(first: i64) -> String {
    let mut text = String::from("SDDS1\n&parameter name=Run, type=long, &end\n");
    text.push_str("&column name=x, type=double, &end\n&data mode=ascii, &end\n");
    for page in 0..3 {
        writeln!(text, "{}\n5", first + page).unwrap();
        (0..5).for_each(|row| writeln!(text, "{}", page * 100 + row).unwrap());
    }
    text
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn formats_are_joined() {
    let folder = Folder::new("join");
    let cells = folder.write("cells.bin", &cells()[..16 * 1000]);
    folder.write("run0.sdds", run(0));
    folder.write("run1.sdds", run(10));
    let grid = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/tiledb/d2_row_row");
    let (address, _, files) = cluster(2).await;
    let context = connect(&address, SessionConfig::new().with_target_partitions(4)).unwrap();
    let sql = format!(
        "SELECT r.\"Run\", count(*), sum(c.d) FROM '{}/run*.sdds' r JOIN scidb('{cells}', '{CELLS}') c ON c.n = r.x \
         GROUP BY 1 ORDER BY 1",
        folder.0.display()
    );
    let expected = "0 5 10\n1 5 10\n2 5 10\n10 5 10\n11 5 10\n12 5 10";
    assert_eq!(answer(&context, &sql).await.unwrap(), expected);
    let sql = format!(
        "SELECT count(*), min(t.rows), max(t.rows) FROM tiledb('{}') t WHERE rows BETWEEN 2 AND 3",
        grid.display()
    );
    assert_eq!(answer(&context, &sql).await.unwrap(), "14 2 3");

    // a table of the client's own catalog, with what was said of it; pages that cannot match go to no executor
    let create =
        format!("CREATE EXTERNAL TABLE one STORED AS SDDS LOCATION '{}/run*.sdds'", folder.0.display());
    answer(&context, &create).await.unwrap();
    files.store(0, Ordering::SeqCst);
    assert_eq!(answer(&context, "SELECT count(x) FROM one WHERE \"Run\" = 11").await.unwrap(), "5");
    assert_eq!(files.load(Ordering::SeqCst), 1);

    // folders are columns there, too
    for (year, first) in [(2023, 0), (2024, 10)] {
        std::fs::create_dir(folder.0.join(format!("year={year}"))).unwrap();
        folder.write(&format!("year={year}/run.sdds"), run(first));
    }
    let tree = format!("'{}/year=*/run.sdds'", folder.0.display());
    let sql = format!("SELECT year, count(*), max(\"Run\") FROM {tree} WHERE x >= 0 GROUP BY 1 ORDER BY 1");
    assert_eq!(answer(&context, &sql).await.unwrap(), "2023 15 2\n2024 15 12");
    files.store(0, Ordering::SeqCst);
    let sql = format!("SELECT sum(year) FROM {tree} WHERE year = 2024 AND x >= 0");
    assert_eq!(answer(&context, &sql).await.unwrap(), (2024 * 15).to_string());
    assert!(files.load(Ordering::SeqCst) <= 3, "{files:?} splits of one file");
}

/// Rows come from several machines; a file is written by one, which `--output` says.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn copies_are_refused() {
    let folder = Folder::new("copy");
    let cells = folder.write("cells.bin", &cells()[..160]);
    let (address, ..) = cluster(1).await;
    let context = connect(&address, SessionConfig::new()).unwrap();
    let to = folder.0.join("out.sdds");
    let sql = format!("COPY (SELECT n FROM scidb('{cells}', '{CELLS}')) TO '{}'", to.display());
    let e = answer(&context, &sql).await.unwrap_err();
    assert!(
        e.contains("COPY TO a file of binfmt needs all rows on one machine") && e.contains("--output FILE"),
        "{e}"
    );
    assert!(!to.exists());
    let table = folder.write("t.csv", "a\n1\n");
    let e = answer(&context, &format!("INSERT INTO '{table}' SELECT 2 AS a")).await.unwrap_err();
    assert!(e.contains("INSERT INTO: not supported by a cluster"), "{e}");
    let recursive =
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 9) SELECT * FROM t";
    let e = answer(&context, recursive).await.unwrap_err();
    assert!(e.contains("WITH RECURSIVE is not supported by a cluster"), "{e}");
    // a query that no scheduler takes
    let large = format!("SELECT n, '{}' AS t FROM scidb('{cells}', '{CELLS}')", "a".repeat(17 << 20));
    let e = answer(&context, &large).await.unwrap_err();
    assert!(e.contains("the query is larger than a cluster takes (16 MiB)"), "{}", &e[..e.len().min(500)]);
    // of the program, which would keep the rows
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_binfmt-sql"));
    let output = program.args(["CREATE TABLE t AS SELECT 1 AS a", "--cluster", &address]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("error: CREATE TABLE is not supported with --cluster"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damage_is_told() {
    let folder = Folder::new("damage");
    let bytes = cells();
    let cut = folder.write("cut.bin", &bytes[..bytes.len() - 3]);
    let (address, ..) = cluster(2).await;
    let context = connect(&address, SessionConfig::new().with_target_partitions(4)).unwrap();
    let sql = format!("SELECT count(*), sum(n) FROM scidb('{cut}', '{CELLS}') WHERE d >= 0");
    let e = answer(&context, &sql).await.unwrap_err();
    assert!(e.contains("cut.bin") && e.contains("bytes"), "{e}");

    // the client has a file of it that the scheduler has not
    let gone = folder.write("gone.bin", &bytes[..160]);
    let create =
        format!("CREATE EXTERNAL TABLE gone STORED AS SCIDB LOCATION '{gone}' OPTIONS (schema '{CELLS}')");
    answer(&context, &create).await.unwrap();
    std::fs::remove_file(&gone).unwrap();
    let e = answer(&context, "SELECT sum(n) FROM gone").await.unwrap_err();
    assert!(e.contains("the scheduler cannot open the table gone"), "{e}");
    assert!(e.contains("under the same paths") && e.contains("there is no file"), "{e}");
}
