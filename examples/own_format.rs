//! A format of your own as a table: opened, written and found by its first bytes like those of the library, each byte explained.
//!
//! Files of a laboratory: a line `LAB1`, a line with the name and the type of each column, an empty line, then rows of numbers,
//! one after the other, in the order of little-endian machines.
//!
//! `cargo run -p examples --features table --example own_format`
//!
//! The command with this format beside its own is a program of one line, `binfmt_cli::run_with(std::env::args_os(), &[&Lab])`.

use binfmt::columns::{Column, ColumnType, Columns, Plan};
use binfmt::dump::PartOptions;
use binfmt::numbers::NumberType;
use binfmt::schema::{ByteOrder, Description, Field, Record, Type};
use binfmt::storage::{Memory, Storage, StorageReader, StorageWriter};
use binfmt::table::csv::Csv;
use binfmt::table::{
    ColumnsTable, Fit, Probe, RowsTable, Section, Settings, Table, TableFormat, TableSchema, TableSink,
    Wanted, Written,
};
use binfmt::{BinFormat, Error, Options, Result};
use std::io::{BufRead, BufReader, Write};
use std::sync::Arc;

/// The format: how files are recognised, opened and written.
pub(crate) struct Lab;

/// The first line.
const MARK: &str = "LAB1";

/// What a dump says of the lines before the rows.
#[derive(BinFormat)]
#[binfmt(magic = b"LAB1\n")]
struct Head {
    #[binfmt(ends(b"\n\n"))]
    columns: String,
}

impl TableFormat for Lab {
    fn name(&self) -> &'static str {
        "lab"
    }

    fn endings(&self) -> &'static [&'static str] {
        &["lab"]
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        probe.head.starts_with(MARK.as_bytes())
    }

    fn open(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Arc<dyn Table>> {
        settings.check(self.settings())?;
        let mut lines = BufReader::new(StorageReader::new(Arc::clone(&storage), path, 0..u64::MAX)?);
        let (mut start, mut fields, mut line) = (0, Vec::new(), String::new());
        loop {
            line.clear();
            let at = start;
            start += lines.read_line(&mut line)? as u64;
            match line.trim_end() {
                MARK if at == 0 => {}
                // the rows begin after an empty line
                "" if at > 0 && line.ends_with('\n') => break,
                text => {
                    let column = text.split_once(' ').filter(|_| at > 0);
                    let column = column.and_then(|(name, kind)| Some((name, NumberType::named(kind)?)));
                    let Some((name, kind)) = column else {
                        let text = format!("expected a name and a type such as `x f64`, found {text:?}");
                        return Err(Error::message(text, at));
                    };
                    fields.push(Field::new(name, Type::from(kind)));
                }
            }
        }
        let end = storage.size(path)?.unwrap_or(start);
        // splits, projection, ranges of rows and errors with their places come with the layout
        Ok(Arc::new(RowsTable::open(storage, path, &layout(fields), &Options::new())?.between(start..end)))
    }

    fn sections(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Vec<Section>> {
        // the rows are explained by the layout of the table, without this; the lines before them by a type
        let rows = self.open(storage, path, settings)?.sections();
        let start = rows.first().map_or(0, |rows| rows.bytes().start);
        Ok([Section::of::<Head>().between(0..start).named("head")].into_iter().chain(rows).collect())
    }

    fn writes(&self) -> bool {
        true
    }

    fn create(
        &self,
        storage: Arc<dyn Storage>,
        path: &str,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Box<dyn TableSink>> {
        settings.check(self.write_settings())?;
        let (mut head, mut fields) = (format!("{MARK}\n"), Vec::new());
        for field in &schema.fields {
            let (name, ty) = (field.name.as_str(), &field.ty);
            let ty = if let ColumnType::Nullable { values, .. } = ty { &**values } else { ty };
            let ColumnType::Number(kind) = ty else {
                return Err(Error::message(
                    format!("column `{name}` is {ty}, and a lab file has numbers"),
                    0,
                ));
            };
            head.push_str(&format!("{name} {kind}\n"));
            fields.push(Field::new(name, Type::from(*kind)));
        }
        let plan = Plan::new(&layout(fields)).map_err(|e| Error::message(e.to_string(), 0))?;
        let mut file = StorageWriter::new(storage, path)?;
        file.write_all(head.as_bytes())?;
        file.write_all(b"\n")?;
        Ok(Box::new(LabSink { plan, file, rows: 0 }))
    }
}

fn layout(fields: Vec<Field>) -> Description {
    Description::new(Type::Record(Record::new("row", fields).ordered(ByteOrder::Little)))
}

/// A file that is being written: without `finish` there is none.
struct LabSink {
    plan: Plan,
    file: StorageWriter,
    rows: u64,
}

impl TableSink for LabSink {
    fn write(&mut self, batch: Columns) -> Result<()> {
        let types: Vec<ColumnType> = self.plan.types().map(|(_, ty)| ty).collect();
        // a value that is missing is an error with its row
        let fitted =
            batch.iter().zip(&types).map(|((name, column), ty)| Ok((name.into(), Fit::convert(column, ty)?)));
        let fitted = Columns::new(fitted.collect::<Result<Vec<_>>>()?)?;
        self.plan.encode_to(&fitted, &mut self.file, &Options::new())?;
        self.rows += fitted.num_rows() as u64;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Written> {
        Ok(Written::new(self.rows, self.file.finish()?))
    }
}

fn main() -> Result<()> {
    // beside the formats of the library
    let formats: Vec<&dyn TableFormat> =
        binfmt::FORMATS.iter().copied().chain([&Lab as &dyn TableFormat]).collect();
    let files = Arc::new(Memory::new());

    let columns =
        vec![("s".into(), Column::from(vec![0.0, 0.5, 1.75])), ("n".into(), Column::from(vec![1u8, 2, 3]))];
    let table: Arc<dyn Table> = Arc::new(ColumnsTable::new(Columns::new(columns)?));
    let sink =
        binfmt::create_in(&formats, files.clone(), "run.lab", "lab", table.schema(), &Settings::new())?;
    println!("written: {:?}", table.write_to(&Wanted::new(), sink)?);

    // its first bytes tell the format
    let again = binfmt::open_in(&formats, files.clone(), "run.lab", None, &Settings::new())?;
    let last = Arc::clone(&again).batches(&Wanted::new().rows(1..3))?.next().expect("there are rows")?;
    assert_eq!(last.get("s"), Some(&Column::from(vec![0.5, 1.75])));

    // what each byte is
    for section in Lab.sections(files.clone(), "run.lab", &Settings::new())? {
        let bytes = StorageReader::new(files.clone(), "run.lab", section.bytes())?;
        section.trace(bytes, (section.bytes().start, 0), PartOptions::new(), |part| {
            print!("{part}");
            true
        })?;
    }

    // and every format of the library takes its rows
    let sink = Csv.create(files.clone(), "run.csv", again.schema(), &Settings::new())?;
    again.write_to(&Wanted::new(), sink)?;
    let size = files.size("run.csv")?.unwrap_or(0);
    let mut text = vec![0; size as usize];
    files.read("run.csv", 0, &mut text)?;
    print!("{}", String::from_utf8_lossy(&text));

    files.write("bad.lab", b"LAB1\ns f65\n\n")?;
    let e = binfmt::open_in(&formats, files, "bad.lab", None, &Settings::new()).unwrap_err();
    println!("{e}");
    Ok(())
}
