//! The side of binfmt in the benchmarks of the formats: reads one job a line from standard input, as JSON
//! (`{"job": "futhark.read", "path": …}`), and answers with one line (`{"cpu": …, "wall": …, "bytes": …}`), so that `side.py` can
//! take turns with the other software, which runs in processes of its own.

mod beat;
mod clock;
mod futhark;
mod sdds;
mod tiledb;

use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, Write};

/// What one job says of itself: the time of the part that counts, and the bytes of data that it handled.
pub type Answer = Result<clock::Took, Box<dyn Error>>;

fn run(job: &str, args: &Value) -> Answer {
    let (format, job) = job.split_once('.').ok_or("a job is called format.job")?;
    match format {
        "beat" => beat::run(job, args),
        "futhark" => futhark::run(job, args),
        "sdds" => sdds::run(job, args),
        "tiledb" => tiledb::run(job, args),
        other => Err(format!("there is no format {other}").into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let args: Value = serde_json::from_str(&line?)?;
        let answer = match run(args["job"].as_str().unwrap_or_default(), &args) {
            Ok(took) => json!({"cpu": took.cpu, "wall": took.wall, "bytes": took.bytes, "peak": took.peak}),
            Err(error) => json!({"error": error.to_string()}),
        };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
