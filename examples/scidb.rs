//! A SciDB binary load file, decoded through a struct and encoded again.
//!
//! `cargo run --release --example scidb [FILE]`: FILE is a load file of the same format; without it, one that SciDB's
//! own code wrote.

use binfmt::formats::scidb::{Loader, Template, save};
use binfmt::{BinFormat, Nullable};

/// One cell of `(int64, double null, string null, float)`.
#[derive(BinFormat, Debug)]
#[binfmt(le)]
struct Cell {
    id: i64,
    #[binfmt(nullable)]
    reading: Nullable<f64>,
    #[binfmt(nullable, var_len, nul)]
    note: Option<String>,
    weight: f32,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| {
        concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/scidb_mixed.bin").to_owned()
    });
    let bytes = std::fs::read(&file)?;
    let format: Template = "(int64, double null, string null, float)".parse()?;

    let mut cells = Vec::new();
    for cell in Loader::new().checked_cells::<Cell>(&bytes, &format)? {
        cells.push(cell?);
    }

    println!("{file}: {} bytes, {} cells of {format}", bytes.len(), cells.len());
    println!("{:>20}  {:>22}  {:<16}  {:>12}", "id", "reading", "note", "weight");
    for Cell { id, reading, note, weight } in &cells {
        let reading = match reading {
            Nullable::Value(v) => v.to_string(),
            Nullable::Missing(code) => format!("missing ({code})"),
        };
        let note: String = note.as_deref().map_or("missing".into(), |t| format!("{t:?}")).chars().take(16).collect();
        println!("{id:>20}  {reading:>22}  {note:<16}  {weight:>12}");
    }

    let encoded = save(&cells)?;
    let first = bytes.iter().zip(&encoded).position(|(a, b)| a != b);
    match (encoded.len() == bytes.len(), first) {
        (true, None) => println!("encoded again: {} bytes, equal", encoded.len()),
        // an `Option` keeps no code, and the body of a missing value may hold anything
        _ => println!("encoded again: {} bytes, different from byte {:?}", encoded.len(), first),
    }
    Ok(())
}
