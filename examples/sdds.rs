//! SDDS files: a lattice written from structs, read back as structs; with a file's name, what is in that file, and as structs
//! where they fit, as they do the Twiss output of elegant.
//!
//! ```text
//! cargo run -p examples --features sdds --example sdds
//! cargo run -p examples --features sdds --example sdds -- run.twi
//! ```

use binfmt::BinFormat;
use binfmt::formats::sdds::{DataType, Elements, Header, Mode, Options, Page, Parameter, Value, Writer};

/// A row: fields are matched with columns by name, in any order.
#[derive(BinFormat, Debug, PartialEq)]
struct Element {
    #[binfmt(rename = "ElementName", length_prefixed(i32))]
    name: String,
    s: f64,
    betax: f64,
}

/// The parameters of a page, fixed ones too.
#[derive(BinFormat, Debug)]
struct Tunes {
    nux: f64,
    nuy: f64,
    #[binfmt(rename = "SVNVersion", length_prefixed(i32))]
    version: String,
}

fn main() -> Result<(), binfmt::Error> {
    match std::env::args().nth(1) {
        Some(path) => show(&path),
        None => there_and_back(),
    }
}

/// Writes a file and reads it again.
fn there_and_back() -> Result<(), binfmt::Error> {
    let lattice = [("Q1", 0.3, 11.2), ("D1", 1.8, 9.7), ("Q2", 2.1, 9.1)];
    let lattice = lattice.map(|(name, s, betax)| Element { name: name.into(), s, betax });

    let mut header = Header::new(Mode::Binary);
    header.text = Some("Twiss parameters".into());
    header.parameters = vec![
        Parameter::new("nux", DataType::Double).symbol("$gn$r$bx$n"),
        Parameter::new("nuy", DataType::Double).symbol("$gn$r$by$n"),
        Parameter::new("SVNVersion", DataType::String).fixed_value("example"),
    ];
    header.columns = Header::columns_of::<Element>()?;
    for column in header.columns.iter_mut().skip(1) {
        column.units = Some("m".into());
    }

    let mut writer = Writer::new(Vec::new(), header)?;
    let columns = Elements::of_rows(writer.header(), &lattice)?;
    let page = Page::new(writer.header(), [Value::from(36.2), Value::from(19.27)], [], columns)?;
    writer.write_page(&page)?;
    let file = writer.finish()?;
    println!("{} bytes, of which the header is\n", file.len());

    let mut reader = Options::new().slice(&file)?;
    print!("{}", String::from_utf8_lossy(&file[..reader.offset() as usize]));
    while let Some(page) = reader.next_page()? {
        println!("\n{:?}", page.parameters_as::<Tunes>(reader.header())?);
        let rows: Vec<Element> = page.rows_as(reader.header())?;
        assert_eq!(rows, lattice);
        rows.iter().for_each(|row| println!("{row:?}"));
    }
    Ok(())
}

/// What is in a file, compressed or not.
fn show(path: &str) -> Result<(), binfmt::Error> {
    let mut reader = Options::new().file(path)?;
    let header = reader.header().clone();
    println!("SDDS{} {}", header.version, header.mode.name());
    for p in &header.parameters {
        println!("parameter {:<24} {}", p.name, p.data_type);
    }
    for a in &header.arrays {
        println!("array     {:<24} {} in {} dimensions", a.name, a.data_type, a.dimensions);
    }
    for c in &header.columns {
        let units = c.units.as_ref().map_or(String::new(), |u| format!(" [{u}]"));
        println!("column    {:<24} {}{units}", c.name, c.data_type);
    }
    loop {
        let (number, offset) = (reader.num_read() + 1, reader.offset());
        match reader.next_page() {
            Ok(None) => return Ok(()),
            Ok(Some(page)) => {
                println!("page {number} at byte {offset:#x}: {} rows", page.rows());
                show_lattice(&page, &header)?;
            }
            Err(e) => {
                println!("page {number}: {e}");
                let rows = e.recover().map_or(0, |page| page.rows());
                println!("{rows} whole rows can be had");
                return Ok(());
            }
        }
    }
}

/// The tunes and the first elements of a page that has them.
fn show_lattice(page: &Page, header: &Header) -> Result<(), binfmt::Error> {
    if let Ok(tunes) = page.parameters_as::<Tunes>(header) {
        println!("  {tunes:?}");
    }
    if header.check_struct::<Element>().is_ok() {
        let rows: Vec<Element> = page.rows_as(header)?;
        rows.iter().take(5).for_each(|row| println!("  {row:?}"));
    }
    Ok(())
}
