//! A TileDB array, format version 3: made, written and read again.
//!
//! `cargo run --example tiledb` makes an array in a temporary folder. `cargo run --example tiledb -- FOLDER` shows one that
//! is there, such as `tests/data/tiledb/d2_row_col`, which libtiledb 1.6.3 wrote.

use binfmt::formats::tiledb::*;

fn main() -> binfmt::Result<()> {
    match std::env::args().nth(1) {
        Some(folder) => show(&Array::open(folder)?),
        None => {
            let folder = std::env::temp_dir().join(format!("binfmt-example-{}", std::process::id()));
            make(Folder::new(&folder))?;
            show(&Array::open(&folder)?)?;
            println!("\nThe array is in {}: libtiledb 1.6 and 2 read it.", folder.display());
            Ok(())
        }
    }
}

/// Temperatures of some days at some places.
fn make(folder: Folder) -> binfmt::Result<()> {
    let day = Dimension::new("day", Scalar::I32(1), Scalar::I32(31), Scalar::I32(7));
    let place = Dimension::new("place", Scalar::I32(0), Scalar::I32(3), Scalar::I32(4));
    let schema = ArraySchema::dense(Datatype::Int32, [day, place])
        .attribute(
            Attribute::new("celsius", Datatype::Float32).filtered([Filter::byteshuffle(), Filter::zstd(3)]),
        )
        .attribute(Attribute::new("note", Datatype::StringUtf8).values(CellValNum::VAR));
    let mut array = OpenOptions::new().create(folder, schema)?;

    // two days of four places each
    let celsius = Values::F32(vec![20.5, 21.0, 19.5, 18.0, 22.5, 23.0, 21.5, 19.0]);
    let celsius = Column::fixed(Datatype::Float32, CellValNum::ONE, celsius);
    let notes = Values::U8(b"sunrain".to_vec());
    let notes = Column::variable(Datatype::StringUtf8, notes, vec![0, 3, 3, 3, 3, 7, 7, 7, 7]);
    if let (Some(celsius), Some(notes)) = (celsius, notes) {
        array.insert().range("day", 10..=11).column("celsius", celsius).column("note", notes).write()?;
    }
    Ok(())
}

fn show(array: &Array) -> binfmt::Result<()> {
    let schema = array.schema();
    println!("{} array, tiles {}, cells {}", schema.array_type, schema.tile_order, schema.cell_order);
    for d in &schema.domain.dimensions {
        println!("  dimension {:?}: {} to {}", d.name, d.domain[0], d.domain[1]);
    }
    for a in &schema.attributes {
        let filters: Vec<String> = a.filters.filters.iter().map(Filter::to_string).collect();
        println!("  attribute {:?}: {}, filters [{}]", a.name, a.datatype, filters.join(", "));
    }
    for fragment in array.fragments() {
        println!("  fragment {}", fragment.name());
    }
    // of dense cells that nobody wrote there are fill values
    let Some(written) = array.fragments().last() else { return Ok(()) };
    let mut query = array.query();
    for (d, range) in schema.domain.dimensions.iter().zip(&written.metadata().footer.non_empty_domain) {
        if let [Some(low), Some(high)] = range.map(|v| v.integer().and_then(|v| i64::try_from(v).ok())) {
            query = query.range(&d.name, low..=high);
        }
    }
    let cells = query.read()?;
    for (name, column) in cells.columns() {
        let shown: Vec<String> = (0..column.num_cells().min(60))
            .map(|i| match column.text(i) {
                Some(text) => format!("{text:?}"),
                None => column.cell(i).map(|v| v.to_string()).collect::<Vec<_>>().join(" "),
            })
            .collect();
        println!("{name}: {}", shown.join(", "));
    }
    Ok(())
}
