//! What it takes to make record batches and Parquet of files: reads a job a line from standard input, as JSON (`{"job": "arrow", "path":
//! .., "format": ..}`), and answers with one (`{"cpu": .., "wall": .., "bytes": ..}`), so that other programs can take turns with it.
//! `binfmt/benches/tables/convert.py` does.
//!
//! ```console
//! $ echo '{"job": "arrow", "path": "run0.sdds", "format": "sdds"}' | cargo run --release -p binfmt-arrow --features parquet --example rates
//! ```

use arrow_array::RecordBatch;
use binfmt::storage::{Folder, Memory, Storage};
use binfmt::table::{Settings, Table, TableFormat, Wanted};
use binfmt_arrow::{Conversion, Mapping, Parquet};
use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

type Done<T> = Result<T, Box<dyn Error>>;

/// Seconds of all threads of this process.
fn cpu() -> Done<f64> {
    let time = nix::time::clock_gettime(nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID)?;
    Ok(time.tv_sec() as f64 + time.tv_nsec() as f64 * 1e-9)
}

/// What `work` took; what it gives is dropped outside of the clock.
fn took<T>(bytes: u64, work: impl FnOnce() -> Done<T>) -> Done<Value> {
    let (before, wall) = (cpu()?, Instant::now());
    let found = std::hint::black_box(work()?);
    let (cpu, wall) = (cpu()? - before, wall.elapsed().as_secs_f64());
    drop(found);
    Ok(json!({"cpu": cpu, "wall": wall, "bytes": bytes}))
}

fn text<'a>(args: &'a Value, name: &str) -> Done<&'a str> {
    Ok(args[name].as_str().ok_or_else(|| format!("`{name}` is missing"))?)
}

fn settings(all: &Value) -> Settings {
    let all = all.as_object().into_iter().flatten();
    all.fold(Settings::new(), |all, (name, said)| all.with(name, said.as_str().unwrap_or_default()))
}

/// A file in memory; what has several is read from its folder.
fn storage(path: &Path) -> Done<(Arc<dyn Storage>, String)> {
    if path.is_dir() {
        return Ok((Arc::new(Folder::new(path)), String::new()));
    }
    let files = Memory::new();
    files.write("file", &std::fs::read(path)?)?;
    Ok((Arc::new(files), "file".to_owned()))
}

fn open(args: &Value) -> Done<Arc<dyn Table>> {
    let (storage, file) = storage(Path::new(text(args, "path")?))?;
    Ok(binfmt::open_in(
        binfmt::FORMATS,
        storage,
        &file,
        Some(text(args, "format")?),
        &settings(&args["settings"]),
    )?)
}

/// The bytes of a file or folder.
fn size(path: &Path) -> Done<u64> {
    if !path.is_dir() {
        return Ok(path.metadata()?.len());
    }
    std::fs::read_dir(path)?.map(|entry| size(&entry?.path())).sum()
}

fn run(args: &Value) -> Done<Value> {
    let path = Path::new(text(args, "path")?);
    let bytes = if path.exists() { size(path)? } else { 0 };
    match text(args, "job")? {
        // the columns of each batch, which are dropped
        "decode" => {
            let table = open(args)?;
            took(bytes, || {
                let mut rows = 0;
                for columns in table.batches(&Wanted::new())? {
                    rows += std::hint::black_box(columns?).num_rows();
                }
                Ok(rows)
            })
        }
        // the same, and record batches of them
        "convert" => {
            let table = open(args)?;
            let mapping = Mapping::of_table(table.schema(), &Conversion::new())?;
            took(bytes, || {
                let mut rows = 0;
                for columns in table.batches(&Wanted::new())? {
                    rows += std::hint::black_box(mapping.to_batch(columns?)?).num_rows();
                }
                Ok(rows)
            })
        }
        // all record batches of a file that is opened
        "arrow" => took(bytes, || {
            let table = open(args)?;
            let mapping = Mapping::of_table(table.schema(), &Conversion::new())?;
            let batches = table.batches(&Wanted::new())?.map(|columns| Ok(mapping.to_batch(columns?)?));
            batches.collect::<Done<Vec<RecordBatch>>>()
        }),
        // a file of another format, by default Parquet
        "write" => took(bytes, || {
            let table = binfmt::open_as(path, text(args, "format")?, &settings(&args["settings"]))?;
            let out = Path::new(text(args, "out")?);
            let folder = Folder::new(out.parent().ok_or("no folder")?);
            let name = out.file_name().and_then(|name| name.to_str()).ok_or("no name")?;
            let formats: Vec<&dyn TableFormat> =
                binfmt::FORMATS.iter().copied().chain([&Parquet as _]).collect();
            let to = args["to"].as_str().unwrap_or("parquet");
            let (schema, said) = (table.schema(), settings(&args["said"]));
            let sink = binfmt::create_in(&formats, Arc::new(folder), name, to, schema, &said)?;
            Ok(table.write_to(&Wanted::new(), sink)?)
        }),
        other => Err(format!("there is no job {other}").into()),
    }
}

fn main() -> Done<()> {
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let args: Value = serde_json::from_str(&line?)?;
        let answer = run(&args).unwrap_or_else(|e| json!({"error": e.to_string()}));
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
