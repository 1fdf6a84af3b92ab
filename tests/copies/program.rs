//! A program as a user has it, with a reader, a writer and a storage of its own: its symbols tell what of the library was compiled again
//! for them.
//!
//! It is built and not run. What it reads comes from outside, so that nothing is decided while compiling.

use binfmt::columns::Plan;
use binfmt::formats::{beat, futhark, scidb, sdds, tiledb};
use binfmt::schema::Description;
use binfmt::storage::{Memory, Storage};
use binfmt::value::{Program, Value};
use binfmt::{BinFormat, Options, Result, dump};
use std::io::{self, Read, Write};

/// A reader of the program.
struct Tap<'a>(&'a [u8]);

impl Read for Tap<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = out.len().min(self.0.len()).min(7);
        let (now, later) = self.0.split_at(n);
        out[..n].copy_from_slice(now);
        self.0 = later;
        Ok(n)
    }
}

/// A writer of the program.
struct Drain(u64);

impl Write for Drain {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = bytes.iter().fold(self.0, |sum, byte| sum.rotate_left(5) ^ u64::from(*byte));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A storage of the program.
struct Shelf(Memory);

impl Storage for Shelf {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.0.list(folder)
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.0.size(path)
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.read(path, offset, out)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.0.write(path, bytes)
    }
}

/// A struct of the program.
#[derive(BinFormat, Debug)]
#[binfmt(le, len = u32)]
struct Row {
    id: u32,
    #[binfmt(var_len)]
    name: String,
    #[binfmt(var_len)]
    samples: Vec<f32>,
}

/// Arguments of an entry point of Futhark.
#[derive(BinFormat, Debug)]
#[binfmt(le, len = u64)]
struct Arguments {
    n: i32,
    #[binfmt(var_len)]
    xs: Vec<f64>,
}

/// A cell of an array.
#[derive(BinFormat, Debug)]
struct Cell {
    x: i64,
    v: f64,
}

fn other(e: impl std::fmt::Display) -> binfmt::Error {
    binfmt::Error::other(e.to_string())
}

fn values(bytes: &[u8], description: &Description) -> Result<usize> {
    let program = Program::new(description).map_err(other)?;
    let options = Options::new().ctx(&program);
    let one: Value = binfmt::from_reader_with(Tap(bytes), &options)?;
    let same: Value = binfmt::from_slice_with(bytes, &options)?;
    let all = binfmt::records_from_reader_with::<Value, _, _>(Tap(bytes), &options).count();
    let written = binfmt::to_writer_with(&one, Drain(0), &options)?;
    Ok(usize::from(one == same) + all + written as usize)
}

fn columns(bytes: &[u8], description: &Description) -> Result<usize> {
    let plan = Plan::new(description).map_err(other)?;
    let mut reader = plan.reader(Tap(bytes), &Options::new()).batch_bytes(1 << 16).starting_at(10, 1);
    let mut rows = reader.skip_rows(1)? as usize;
    while let Some(batch) = reader.next_batch(100)? {
        rows += plan.encode_to(&batch, Drain(0), &Options::new())? as usize;
    }
    Ok(rows)
}

fn dumps(bytes: &[u8], description: &Description) -> Result<usize> {
    let program = Program::new(description).map_err(other)?;
    let options = Options::new().ctx(&program);
    let of_values = dump::trace_reader_with::<Value, _, _>(Tap(bytes), &options).count();
    let of_slice = dump::trace_all_with::<Value, _>(bytes, &options).count();
    let of_rows = dump::trace_reader::<Row, _>(Tap(bytes)).starting_at(10, 1).count();
    let mut parts = 0;
    dump::trace_in_parts::<Row, (), _>(Tap(bytes), &Options::new(), dump::PartOptions::new(), |_| {
        parts += 1;
        true
    })?;
    Ok(of_values + of_slice + of_rows + parts + dump::trace::<Row>(bytes).nodes().count())
}

fn rows(bytes: &[u8]) -> Result<usize> {
    let rows: Vec<Row> = binfmt::records_from_reader(Tap(bytes)).collect::<Result<_>>()?;
    Ok(rows.len() + binfmt::encode_all_to_writer(&rows, Drain(0))? as usize)
}

fn pages(bytes: &[u8]) -> Result<usize> {
    let mut found = 0;
    let mut reader = sdds::Options::new().reader(Tap(bytes))?;
    let mut writer = sdds::Writer::new(Drain(0), reader.header().clone())?;
    while let Some(page) = reader.next_page()? {
        found += page.columns().len();
        writer.write_page(&page)?;
    }
    let mut packed = sdds::Options::new().packed(Tap(bytes))?.columns(&["x"])?;
    while packed.begin_page()?.is_some() {
        while let Some(page) = packed.next_rows(100)? {
            found += page.columns().len();
        }
    }
    Ok(found)
}

fn entry_point(bytes: &[u8]) -> Result<usize> {
    let arguments: Arguments = futhark::arguments_from_reader(Tap(bytes))?;
    let values = futhark::values_from_reader(Tap(bytes)).filter_map(Result::ok).count();
    let outlines = futhark::outlines_from_reader(Tap(bytes)).count();
    let pieces = futhark::pieces_from_reader(Tap(bytes)).count();
    Ok(arguments.n as usize + arguments.xs.len() + values + outlines + pieces)
}

fn objects(bytes: &[u8], declaration: &str) -> Result<usize> {
    let declaration = beat::Declaration::parse(declaration).map_err(other)?;
    let options = Options::new().ctx(&declaration);
    let file: beat::DataFile<beat::Object> = binfmt::from_reader_with(Tap(bytes), &options)?;
    Ok(file.chunks.len())
}

fn cells(bytes: &[u8], format: &str) -> Result<usize> {
    let format: scidb::Template = format.parse().map_err(other)?;
    let program = Program::new(&format.description()).map_err(other)?;
    let plan = Plan::new(&format.description()).map_err(other)?;
    let values = scidb::Reader::new().values_from_reader(Tap(bytes), &program).count();
    let mut columns = scidb::Reader::new().columns_from_reader(Tap(bytes), &plan);
    Ok(values + columns.next_batch(100)?.map_or(0, |batch| batch.num_rows()))
}

fn arrays(bytes: &[u8]) -> Result<usize> {
    let memory = Memory::new();
    memory.write("__array_schema.tdb", bytes)?;
    let mut array = tiledb::Options::new().open(Shelf(memory))?;
    let cells = array.query().range("x", 3..).read_as::<Cell>()?;
    array.insert().range("x", 0..=9).cells(&cells)?.write()?;
    let batches = array.query().global_order().batches(1 << 20).count();
    Ok(cells.len() + batches + array.fragments().len())
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || arguments.next().unwrap_or_default();
    let (bytes, text) = (std::fs::read(next())?, next());
    let description = text.parse()?;
    println!("{}", values(&bytes, &description)? + columns(&bytes, &description)?);
    println!("{}", dumps(&bytes, &description)? + rows(&bytes)?);
    println!("{} {}", pages(&bytes)?, entry_point(&bytes)?);
    println!("{} {} {}", objects(&bytes, &text)?, cells(&bytes, &text)?, arrays(&bytes)?);
    Ok(())
}
