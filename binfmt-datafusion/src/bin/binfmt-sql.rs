//! `binfmt-sql`: SQL over files of all formats.

use binfmt::storage::Folder;
use binfmt::table::{Settings, Table, TableFormat, TableSink, Wanted};
use binfmt_arrow::{BatchReader, BatchesTable, Mapping};
use clap::{Parser, ValueEnum};
use datafusion::arrow::array::{RecordBatch, RecordBatchIterator};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::error::DataFusionError;
use datafusion::prelude::{SessionConfig, SessionContext};
use futures::StreamExt;
use std::error::Error;
use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

/// SQL over SDDS, TileDB, SciDB, Futhark, BEAT, NPY, CSV, Parquet and other files.
#[derive(Debug, Parser)]
#[command(name = "binfmt-sql", version, after_help = EXAMPLES)]
struct Args {
    /// The query; without it queries are read from standard input, each up to a semicolon
    query: Option<String>,
    /// Writes the answer to a file: .parquet, .arrow, .csv, .jsonl, .npy, .sdds ..
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The format of that file, if its name does not tell
    #[arg(long, value_name = "FORMAT", requires = "output")]
    to: Option<String>,
    /// A setting of that format, such as schema=(int64)
    #[arg(long, value_name = "NAME=TEXT", requires = "output")]
    set: Vec<String>,
    /// How the answer is printed
    #[arg(long, value_enum, default_value = "table")]
    format: Printed,
    /// How many parts are read at the same time; as many as there are processors without this
    #[arg(long, value_name = "N")]
    partitions: Option<usize>,
}

const EXAMPLES: &str = "Examples:
  binfmt-sql \"SELECT count(*), avg(x) FROM 'run*.sdds'\"
  binfmt-sql \"SELECT * FROM scidb('load.bin', '(int64, double null)') WHERE a > 3\" --output x.parquet
  binfmt-sql \"SELECT g.celsius, o.x FROM 'grid.tdb' g JOIN 'run0.sdds' o ON g.x = o.id\" --format csv";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Printed {
    Table,
    Csv,
    Jsonl,
}

type Done<T = ()> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let args = Args::parse();
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(e) => return failed(&e),
    };
    match runtime.block_on(run(&args)) {
        Ok(()) => ExitCode::SUCCESS,
        // whoever reads has enough
        Err(e)
            if e.downcast_ref::<std::io::Error>()
                .is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe) =>
        {
            ExitCode::SUCCESS
        }
        Err(e) => failed(&*e),
    }
}

fn failed(e: &(dyn Error + 'static)) -> ExitCode {
    eprintln!("error: {}", told(e));
    ExitCode::FAILURE
}

/// What went wrong, without the names of those that it went through.
fn told(e: &(dyn Error + 'static)) -> String {
    match e.downcast_ref::<DataFusionError>().map(DataFusionError::find_root) {
        Some(DataFusionError::External(e)) => e.to_string(),
        Some(DataFusionError::Plan(text)) => text.clone(),
        Some(e) => e.to_string(),
        None => e.to_string(),
    }
}

async fn run(args: &Args) -> Done {
    let mut config = SessionConfig::new().with_information_schema(true);
    if let Some(partitions) = args.partitions {
        config = config.with_target_partitions(partitions.max(1));
    }
    let context = binfmt_datafusion::register(SessionContext::new_with_config(config));
    if let Some(query) = &args.query {
        return answer(&context, query, args).await;
    }
    let input = std::io::stdin();
    let prompt = |text: &str| {
        if input.is_terminal() {
            eprint!("{text}");
        }
    };
    let mut query = String::new();
    prompt("sql> ");
    for line in input.lock().lines() {
        query.push_str(&line?);
        query.push('\n');
        if !query.trim_end().ends_with(';') {
            prompt("...> ");
            continue;
        }
        match answer(&context, query.trim().trim_end_matches(';'), args).await {
            Err(e) if input.is_terminal() => eprintln!("error: {}", told(&*e)),
            done => done?,
        }
        query.clear();
        prompt("sql> ");
    }
    if query.trim().is_empty() { Ok(()) } else { answer(&context, query.trim(), args).await }
}

async fn answer(context: &SessionContext, query: &str, args: &Args) -> Done {
    let frame = context.sql(query).await?;
    let schema: SchemaRef = Arc::clone(frame.schema().inner());
    let mut batches = frame.execute_stream().await?;
    if let Some(path) = &args.output {
        let mut sink = sink(path, args, &schema)?;
        let mapping = Mapping::of_arrow(&schema)?;
        if sink.looks_at().is_none() {
            while let Some(batch) = batches.next().await {
                sink.write(mapping.to_columns(batch?)?)?;
            }
            sink.finish()?;
            return Ok(());
        }
        // the front of such a file says what only the rows tell
        let mut all = Vec::new();
        while let Some(batch) = batches.next().await {
            all.push(Ok(batch?));
        }
        let reader = BatchReader::new(RecordBatchIterator::new(all, schema))?;
        let table: Arc<dyn Table> = Arc::new(BatchesTable::read(reader)?);
        table.write_to(&Wanted::new(), sink)?;
        return Ok(());
    }
    match args.format {
        Printed::Table => {
            let mut all = Vec::new();
            while let Some(batch) = batches.next().await {
                all.push(batch?);
            }
            if all.is_empty() {
                all.push(RecordBatch::new_empty(schema));
            }
            writeln!(std::io::stdout(), "{}", pretty_format_batches(&all)?)?;
        }
        Printed::Csv | Printed::Jsonl => {
            let name = if matches!(args.format, Printed::Csv) { "csv" } else { "jsonl" };
            let files = Arc::new(binfmt::storage::Memory::new());
            let mapping = Mapping::of_arrow(&schema)?;
            let mut sink =
                format(name)?.create(files.clone(), "out", mapping.table_schema(), &Settings::new())?;
            while let Some(batch) = batches.next().await {
                sink.write(mapping.to_columns(batch?)?)?;
            }
            sink.finish()?;
            let size = binfmt::storage::Storage::size(&*files, "out")?.unwrap_or(0);
            let mut bytes = vec![0; usize::try_from(size)?];
            binfmt::storage::Storage::read(&*files, "out", 0, &mut bytes)?;
            std::io::stdout().write_all(&bytes)?;
        }
    }
    Ok(())
}

fn format(name: &str) -> Done<&'static dyn TableFormat> {
    let arrow: [&'static dyn TableFormat; 2] = [&binfmt_arrow::Parquet, &binfmt_arrow::Ipc];
    let found = arrow.into_iter().chain(binfmt::FORMATS.iter().copied()).find(|format| format.name() == name);
    found.ok_or_else(|| {
        format!("unknown format `{name}`; say --to with one of parquet, arrow, csv, jsonl, npy, sdds, scidb")
            .into()
    })
}

fn sink(path: &Path, args: &Args, schema: &SchemaRef) -> Done<Box<dyn TableSink>> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name = match (&args.to, ending.as_str()) {
        (Some(name), _) => name.as_str(),
        (None, "feather") => "arrow",
        (None, "ndjson") => "jsonl",
        (None, ending) => ending,
    };
    let mut settings = Settings::new();
    for said in &args.set {
        let Some((name, text)) = said.split_once('=') else {
            return Err(format!("--set: expected NAME=TEXT, found {said:?}").into());
        };
        settings = settings.with(name, text);
    }
    let Some(file) = path.file_name().and_then(|name| name.to_str()) else {
        return Err(format!("{} is not the name of a file", path.display()).into());
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let mapping = Mapping::of_arrow(schema)?;
    Ok(format(name)?.create(Arc::new(Folder::new(folder)), file, mapping.table_schema(), &settings)?)
}
