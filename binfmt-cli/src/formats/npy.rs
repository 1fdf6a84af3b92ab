//! NPY, one array of NumPy.

use crate::error::{Error, Result};
use crate::format::{Facts, Format, Job, Selection, Tally, Window};
use crate::json::{JsonWriter, Source};
use crate::output::{self, Target};
use crate::pick::Pick;
use crate::probe::Probe;
use crate::settings::Settings;
use crate::summary::{Listing, Summary};
use crate::table::Tables;
use crate::tabular;
use crate::units;
use binfmt::columns::{Column, ColumnData};
use binfmt::table::npy::{self, Npy};
use binfmt::table::{Probe as Head, Table, TableFormat, keys};
use serde::ser::{Serialize, Serializer};
use std::io::Write;
use std::sync::Arc;

pub(crate) struct NpyFile;

/// What the command knows of the format.
const FACTS: Facts = Facts {
    endings: &["npy"],
    examples: &["binfmt convert twiss.sdds twiss.npy --columns s,betax", "binfmt cat orbit.npy --rows ..10"],
    takes_tables: true,
    ..Facts::new("npy", "NPY file")
};

/// What is counted.
const UNIT: (&str, &str) = ("row", "rows");

impl Format for NpyFile {
    fn facts(&self) -> &'static Facts {
        &FACTS
    }

    fn detect(&self, probe: &Probe<'_>) -> bool {
        Npy.detect(&Head { path: "", head: probe.head, names: &[] })
    }

    fn inspect(&self, job: &mut Job<'_>) -> Result<Summary> {
        let table = self.table(job)?;
        let schema = table.schema();
        let mut summary = Summary::default();
        summary.worded("format", "Format", FACTS.name, FACTS.title.to_owned());
        summary.fact("rows", "Rows", table.num_rows().guess());
        if let Some(bytes) = job.input.len() {
            summary.worded("bytes", "Size", bytes, units::bytes(bytes));
        }
        let rows = schema.fields.iter().map(|field| {
            let native = field.get(keys::NATIVE).unwrap_or_default();
            vec![field.name.as_str().into(), native.into(), field.ty.to_string().into()]
        });
        let columns = &["name", "dtype", "type"];
        summary.table("fields", Listing { title: "Fields", columns, rows: rows.collect() });
        Ok(summary)
    }

    fn tables(&self, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()> {
        Selection::of(self.table(job)?, pick)?.show(out)
    }

    fn json(&self, job: &mut Job<'_>, pick: &Pick, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        let selection = Selection::of(self.table(job)?, pick)?;
        out.object()?;
        out.member("format", FACTS.name)?;
        out.member("fields", &selection.leaves.iter().map(|leaf| leaf.name.as_str()).collect::<Vec<_>>())?;
        out.member_list("rows")?;
        selection.each(|columns, rows| (0..rows).try_for_each(|row| out.item(&Row { columns, row })))?;
        out.end()?;
        out.end()
    }

    fn check(&self, job: &mut Job<'_>) -> Result<Tally> {
        let selection = Selection::of(self.table(job)?, &Pick::ALL)?;
        let mut count = 0;
        selection.each(|_, rows| {
            count += rows as u64;
            Ok(())
        })?;
        Ok(Tally { count, unit: UNIT, bytes: job.input.len().unwrap_or(0) })
    }

    fn dump(&self, _: &mut Job<'_>, _: &Window, _: &mut dyn Write) -> Result<()> {
        Err(Error::usage("dump does not explain NPY files").tip("binfmt inspect tells what the array is"))
    }

    fn rewrite(&self, job: &mut Job<'_>, out: &Target) -> Result<Tally> {
        self.write_table(&Selection::of(self.table(job)?, &Pick::ALL)?, out)
    }

    fn write_json(&self, _: &mut Source, _: &Settings, _: &Target) -> Result<Tally> {
        Err(Error::usage("an NPY file is not written from JSON").tip("write a file of another format first"))
    }

    fn table(&self, job: &mut Job<'_>) -> Result<Arc<dyn Table>> {
        let (storage, name) = tabular::place(job)?;
        Npy.open(storage, &name, &binfmt::table::Settings::new()).map_err(|e| tabular::failure(&e))
    }

    fn write_table(&self, from: &Selection, out: &Target) -> Result<Tally> {
        let mut file = output::Counted::new(out.create()?);
        let written = npy::write(&from.table, &from.leaves, &from.wanted, &mut file);
        let count = written.map_err(|e| tabular::failure(&e))?;
        file.inner.finish()?;
        Ok(Tally { count, unit: UNIT, bytes: file.bytes })
    }
}

/// One row, as a list.
struct Row<'a> {
    columns: &'a [&'a Column],
    row: usize,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.columns.iter().map(|column| column.get(self.row)))
    }
}
