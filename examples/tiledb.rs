//! TileDB arrays, format version 3: one that libtiledb 1.6.3 wrote is read, and one is written that libtiledb reads.
//!
//! ```text
//! cargo run -p examples --features tiledb --example tiledb
//! cargo run -p examples --features tiledb --example tiledb -- FOLDER
//! ```

use binfmt::BinFormat;
use binfmt::formats::tiledb::*;
use std::path::Path;

/// A cell of the array that libtiledb wrote: attributes and dimensions by name, in any order.
#[derive(BinFormat, Debug)]
struct Sample {
    x: i64,
    y: i64,
    b: f64,
    #[binfmt(rename = "s", var_len)]
    word: String,
}

/// A cell of the array that is written here.
#[derive(BinFormat, Clone, Debug, PartialEq)]
struct Weather {
    celsius: f32,
    #[binfmt(var_len)]
    note: String,
}

/// The same cell, with its place.
#[derive(BinFormat, Debug)]
struct Placed {
    day: i32,
    place: i32,
    celsius: f32,
    #[binfmt(var_len)]
    note: String,
}

fn main() -> binfmt::Result<()> {
    if let Some(folder) = std::env::args().nth(1) {
        return show(&Array::open(folder)?);
    }
    theirs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/tiledb/s2_row_col"))?;

    let folder = std::env::temp_dir().join(format!("binfmt-example-{}", std::process::id()));
    ours(Folder::new(&folder))?;
    println!("\nlibtiledb 1.6 and 2 read the array in {}:", folder.display());
    println!("  python3 -c \"import tiledb; print(tiledb.open('{}')[10:12])\"", folder.display());
    Ok(())
}

/// Some cells of a sparse array; only the tiles are read that have them.
fn theirs(folder: &Path) -> binfmt::Result<()> {
    let array = Array::open(folder)?;
    show(&array)?;
    println!("cells from x = 3, in the order of the file:");
    for cell in array.query().range("x", 3..).global_order().read_as::<Sample>()? {
        println!("  {cell:?}");
    }
    Ok(())
}

/// Temperatures of some days at some places.
fn ours(folder: Folder) -> binfmt::Result<()> {
    let day = Dimension::new("day", Number::I32(1), Number::I32(31), Number::I32(7));
    let place = Dimension::new("place", Number::I32(0), Number::I32(3), Number::I32(4));
    let celsius = Attribute::new("celsius", Datatype::Float32);
    let note = Attribute::new("note", Datatype::StringUtf8).values(CellValNum::VAR);
    let schema = ArraySchema::dense(Datatype::Int32, [day, place])
        .attribute(celsius.filtered([Filter::byteshuffle(), Filter::zstd(3)]))
        .attribute(note.filtered([Filter::lz4(-1)]));
    let mut array = Options::new().create(folder, schema)?;

    // two days of four places each
    let notes = ["sun", "", "fog", "rain", "sun", "", "", "hail"];
    let cells: Vec<Weather> = (18u8..)
        .zip(notes)
        .map(|(celsius, note)| Weather { celsius: celsius.into(), note: note.into() })
        .collect();
    array.insert().range("day", 10..=11).cells(&cells)?.write()?;

    // a later write of one cell: it wins where both have something
    let later = [Weather { celsius: 31.5, note: "heat".into() }];
    array.insert().range("day", 11..=11).range("place", 2..=2).cells(&later)?.write()?;

    println!("\nthe second day, as it was written here:");
    for cell in array.query().range("day", 11..=11).read_as::<Placed>()? {
        println!("  {cell:?}");
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
    // a batch at a time: the array may be larger than memory
    let mut num_cells = 0;
    for cells in array.query().global_order().batches(1 << 20) {
        num_cells += cells?.num_cells();
    }
    println!("  {num_cells} cells");
    Ok(())
}
