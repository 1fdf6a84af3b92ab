//! What a description is good for beside the codec: as text, compared with a file, as columns, as a dump; and the same for
//! a layout that is known only at run time.

use binfmt::columns::{ColumnData, Plan};
use binfmt::formats::scidb::{Reader, Template};
use binfmt::{BinFormat, Describe, Nullable, TypedColumns, dump};
use std::error::Error;

/// One cell of the file, as a program would declare it.
#[derive(BinFormat, Debug)]
#[binfmt(le, columns)]
struct Cell {
    id: i64,
    /// What was measured, or why it was not.
    #[binfmt(nullable)]
    reading: Nullable<f64>,
    #[binfmt(nullable, var_len, nul)]
    note: Nullable<String>,
    weight: f32,
}

/// The same with three mistakes in it.
#[derive(BinFormat, Debug)]
#[binfmt(le)]
#[allow(dead_code, reason = "only its schema is used")]
struct Mistaken {
    id: i32,
    reading: f64,
    #[binfmt(nullable, var_len, nul)]
    note: Nullable<String>,
    weight: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/data/scidb_mixed.bin"))?;
    let format: Template = "(int64, double null, string null, float)".parse()?;
    let description = format.description();

    println!("The schema of the struct, fingerprint {}:\n{}", Cell::SCHEMA.fingerprint(), Cell::SCHEMA);
    Cell::SCHEMA.check(&description.clone().into())?;
    println!("It fits the file. A struct with mistakes does not:");
    let differences = Mistaken::SCHEMA.check(&description.clone().into());
    println!("{}\n", differences.expect_err("three fields are declared wrong"));

    let columns = CellColumns::from_slice(&file)?;
    println!(
        "As columns of the struct: {} ids, {} notes missing",
        columns.id.len(),
        columns.note.num_missing()
    );

    let plan = Plan::new(&description)?;
    let columns = Reader::new().columns(&file, &plan)?;
    println!("As columns without a struct:");
    for (name, column) in columns.iter() {
        println!("  {name}: {} values, the first {:?}", columns.num_rows(), column.get(0));
    }

    println!("\nEach byte of the first two cells:");
    for trace in dump::trace_all::<Cell>(&file).take(2) {
        print!("{trace}");
    }
    Ok(())
}
