//! Chosen rows on their way into files.

use super::{PAGE, absent, is_index, misused, spread};
use crate::error::{Error, Result};
use crate::format::{Format, Selection, Tally};
use crate::output::{Place, Target};
use crate::pick;
use crate::report::remark;
use crate::settings::Settings;
use crate::table::in_one_table;
use binfmt::table::{NoColumn, Projected, Table, TableFormat, jsonl};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

impl Selection {
    /// What of the file is not among them, each in a sentence: columns that were not asked for, unless it was said which, and what is in
    /// no column.
    pub(crate) fn left_out(&self) -> Vec<String> {
        let schema = self.table.schema();
        let needed = self.needed();
        let is_one = |place: usize| {
            let bounds = self.table.bounds(place);
            bounds.is_some_and(|range| matches!(range.integers(), (low, high) if low == high))
        };
        let fields = schema.fields.iter().enumerate();
        let lost: Vec<&str> = fields
            .filter(|(place, _)| !needed.contains(place))
            // one page needs no number
            .filter(|(place, field)| !(field.name == PAGE && is_one(*place)))
            // that of an element follows from its place
            .filter(|(_, field)| !is_index(field))
            .map(|(_, field)| &*field.name)
            .collect();
        let lost = lost
            .first()
            .filter(|_| !self.is_chosen)
            .map(|first| pick::lost(&lost, first, self.leaves.first().map(|leaf| leaf.name.as_str())));
        lost.into_iter().chain(self.table.left_out()).collect()
    }

    /// That all rows of several pages are chosen, and nothing that tells them apart.
    pub(crate) fn merged(&self) -> Option<String> {
        let schema = self.table.schema();
        let (first, last) = self.table.bounds(schema.position(PAGE)?)?.integers();
        let is_told =
            self.leaves.iter().any(|leaf| schema.fields.get(leaf.column).is_some_and(|field| field.constant));
        let pages = u64::try_from(last.checked_sub(first)?.checked_add(1)?).ok()?;
        let has_all_rows = self.wanted.rows.is_none();
        (self.is_chosen && has_all_rows && !is_told && pages > 1).then(|| in_one_table(pages))
    }

    /// Writes them in a format.
    pub(crate) fn write(&self, format: &dyn Format, settings: &Settings, out: &Target) -> Result<Tally> {
        let (format, settings) = format.sink(settings, out)?;
        self.write_as(format, &settings, out)
    }

    /// Writes them in a format of the library. What becomes of each column is told before the first byte, unless it is kept as it is.
    pub(crate) fn write_as(
        &self,
        format: &dyn TableFormat,
        settings: &binfmt::table::Settings,
        out: &Target,
    ) -> Result<Tally> {
        let place = Place::new(out, settings.is_on("append").unwrap_or(false));
        let table: Arc<dyn Table> = Arc::new(Projected::new(Arc::clone(&self.table), self.leaves.clone()));
        let is_read = AtomicBool::new(false);
        let told = |e: binfmt::Error| match place.has_failed() {
            true => Error::unwritten(&e, |kind| Error::data(kind)),
            // what is wrong with all of it is the file that would be there
            false if is_read.load(Ordering::Relaxed) && e.path().steps().next().is_none() => {
                self.failure(&e).at(out.name())
            }
            false => self.failure(&e),
        };
        let own = table.schema().fields.len();
        let create =
            |table: &Arc<dyn Table>| format.create(place.clone(), place.name(), table.schema(), settings);
        let made = if self.is_chosen {
            create(&table).map(|sink| (Arc::clone(&table), sink))
        } else {
            absent::made(&table, create)
        };
        let (table, sink) =
            made.map_err(|e| if place.has_failed() { told(e) } else { self.refused(&e, out) })?;
        absent::notes(&table, own, &*sink).iter().for_each(|note| remark(note));
        let written = table.write_by(&self.wanted, sink, |table, wanted, take| {
            is_read.store(false, Ordering::Relaxed);
            spread::each(table, wanted, take)?;
            is_read.store(true, Ordering::Relaxed);
            Ok(())
        });
        let written = written.map_err(told)?;
        place.finish()?;
        written.notes.iter().chain(&self.left_out()).chain(&self.merged()).for_each(|note| remark(note));
        Ok(Tally { count: written.rows, unit: ("row", "rows"), bytes: written.bytes })
    }

    /// A format that cannot hold these columns, or an option that is wrong.
    fn refused(&self, e: &binfmt::Error, out: &Target) -> Error {
        let (path, kind) = (e.path().to_string(), e.kind().to_string());
        // where it is in a file that was not begun says nothing
        let text = if path.is_empty() { kind } else { format!("{path}: {kind}") };
        if let Some(misused) = misused(&text) {
            return misused;
        }
        let error = Error::usage(format_args!("{}: {text}", out.name()));
        let missing = e.downcast_ref::<NoColumn>().map(NoColumn::name);
        let unfit = text.split_once("` is not a name for a ").and_then(|(begin, _)| begin.split_once('`'));
        match (missing, unfit, self.leaves.first()) {
            (Some(name), _, Some(leaf)) => {
                error.tip(format_args!("--rename {}={name} gives one another name", leaf.name))
            }
            (None, Some((_, name)), _) => {
                error.tip(format_args!("--rename '{name}=NAME' gives it another name"))
            }
            _ => error,
        }
    }

    /// Writes a JSON object for each row, in a line of its own, and tells how many there are. What was read before a damage is written.
    pub(crate) fn lines(&self, out: &mut dyn Write) -> Result<u64> {
        let told = |e: binfmt::Error| Error::unwritten(&e, |kind| Error::data(kind));
        let names = self.leaves.iter().map(|leaf| leaf.name.as_str());
        let mut lines = jsonl::Writer::new(out, names).map_err(told)?;
        let mut count = 0;
        let done = self.as_written().each(|columns, rows| {
            lines.rows(columns, rows).map_err(told)?;
            count += rows as u64;
            Ok(())
        });
        lines.flush().map_err(told).and(done).map(|()| count)
    }
}
