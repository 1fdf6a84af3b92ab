//! Rows with text, decoded by all threads of the machine: the iterator over the spans is shared, so that each thread decodes one
//! span while the next is looked for.
//!
//! `cargo run --release -p examples --features dynamic --example parallel`

use binfmt::columns::{Columns, Plan, RowSpan};
use binfmt::schema::{Description, Encoding, Extent, Field, Integer, Record, Type};
use binfmt::{Error, Options};
use std::num::NonZero;
use std::sync::Mutex;
use std::time::Instant;

const ROWS: u32 = 1_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let len = Extent::Prefixed { len: Integer::unsigned(4), max: None, inclusive: false };
    let name = Field::new("name", Type::Text { encoding: Encoding::Utf8, nul: false, len });
    let n = Field::new("n", Type::Int { bytes: 4, signed: false });
    let x = Field::new("x", Type::Float { bytes: 8 });
    let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", [name, n, x]))))?;
    let bytes = rows();

    let start = Instant::now();
    let whole = plan.decode(&bytes)?;
    println!("{} rows at once: {:.1?}", whole.num_rows(), start.elapsed());
    drop(whole);

    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let start = Instant::now();
    let parts = decode(&plan, &bytes, threads)?;
    let rows: usize = parts.iter().map(|(_, columns)| columns.num_rows()).sum();
    println!("{rows} rows in {} spans by {threads} threads: {:.1?}", parts.len(), start.elapsed());
    Ok(())
}

/// The spans of the input with their columns, in order; or the first error.
fn decode(plan: &Plan, bytes: &[u8], threads: usize) -> Result<Vec<(RowSpan, Columns)>, Error> {
    let options = Options::new();
    let spans = Mutex::new(plan.spans(bytes, &options));
    let work = || {
        let mut done = Vec::new();
        loop {
            // a thread that panics takes no lock with it
            let next = spans.lock().map(|mut spans| spans.next());
            let Ok(Some(span)) = next else { return done };
            done.push((plan.decode_span(bytes, &span, &options), span));
        }
    };
    let mut all = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let done = workers.into_iter().map(|worker| worker.join().expect("no decoder panics"));
        done.flatten().collect::<Vec<_>>()
    });
    all.sort_by_key(|(_, span)| span.rows.start);
    all.into_iter().map(|(columns, span)| Ok((span, columns?))).collect()
}

fn rows() -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in 0..ROWS {
        let name = format!("element {}", row % 1000);
        bytes.extend((name.len() as u32).to_le_bytes());
        bytes.extend(name.bytes());
        bytes.extend(row.to_le_bytes());
        bytes.extend(f64::from(row).to_le_bytes());
    }
    bytes
}
