//! A SciDB binary load file, decoded through a struct and encoded again.
//!
//! `cargo run -p examples --example scidb [FILE]`: FILE is a load file of the same format; without it, one that SciDB's
//! own code wrote.

use binfmt::formats::scidb::{Reader, Template, save};
use binfmt::{BinFormat, Nullable};

/// One cell of `(int64, double null, string null, float)`.
#[derive(BinFormat, Debug)]
#[binfmt(le)]
struct Cell {
    id: i64,
    #[binfmt(nullable)]
    reading: Nullable<f64>,
    #[binfmt(nullable, var_len, nul)]
    note: Nullable<String>,
    weight: f32,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args()
        .nth(1)
        .unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/data/scidb_mixed.bin").to_owned());
    let bytes = std::fs::read(&file)?;
    let format: Template = "(int64, double null, string null, float)".parse()?;

    let mut cells = Vec::new();
    for cell in Reader::new().checked_cells::<Cell>(&bytes, &format)? {
        cells.push(cell?);
    }

    println!("{} bytes, {} cells of {format}", bytes.len(), cells.len());
    println!("{:>20}  {:>22}  {:>12}  note", "id", "reading", "weight");
    for Cell { id, reading, note, weight } in &cells {
        let (reading, note) = (or_missing(reading), or_missing(note));
        println!("{id:>20}  {reading:>22}  {weight:>12}  {note}");
    }

    let encoded = save(&cells)?;
    let first = bytes.iter().zip(&encoded).position(|(a, b)| a != b);
    match (encoded.len() == bytes.len(), first) {
        (true, None) => println!("encoded again: {} bytes, equal", encoded.len()),
        // SciDB reads files whose missing values have other bodies than zeros, but does not write them
        _ => println!("encoded again: {} bytes, different from byte {first:?}", encoded.len()),
    }
    Ok(())
}

fn or_missing<T: std::fmt::Debug>(v: &Nullable<T>) -> String {
    match v {
        Nullable::Value(v) => format!("{v:?}"),
        Nullable::Missing(code) => format!("missing ({code})"),
    }
}
