//! Files that are rows of one layout, one after the other, where the user says what the layout is.

mod bound;
mod write;

pub(crate) use bound::Bound;
pub(crate) use write::{Writer, rewrite};

use crate::error::{Error, Result};
use crate::format::{Job, Selection, Tally};
use crate::place::Start;
use binfmt::columns::Plan;
use binfmt::schema::{Field, Type};
use binfmt::table::Section;
use binfmt::value::Program;
use binfmt::{ErrorKind, Options};

/// How the rows of a file are read and written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowFile<'a> {
    pub(crate) program: &'a Program,
    /// How they become columns; without it only values can be read.
    pub(crate) plan: Option<&'a Plan>,
    pub(crate) options: Options,
    pub(crate) words: Words,
}

impl RowFile<'_> {
    /// Whether the file is one row, whose parts lie anywhere in it.
    pub(crate) fn is_one_value(&self) -> bool {
        self.program.description().has_parts_elsewhere()
    }

    /// How many rows and bytes a job's file has, and what ended the counting early. Rows that all have the same size need not be read
    /// for that.
    pub(crate) fn count<'j>(
        &self,
        job: &'j mut Job<'_>,
        read: impl FnOnce(&'j mut Job<'_>) -> Result<(Tally, Option<Error>)>,
    ) -> Result<(Tally, Option<Error>)> {
        let all = job.input.len();
        let (tally, damage) = match (self.row_size(), all) {
            (Some(each), Some(bytes)) if bytes.is_multiple_of(each) => {
                (Tally { count: bytes / each, ..self.words.nothing() }, None)
            }
            _ => read(job)?,
        };
        Ok((Tally { bytes: all.unwrap_or(tally.bytes), ..tally }, damage))
    }

    /// What explains its bytes.
    pub(crate) fn sections(&self) -> Result<Vec<Section>> {
        let section = Section::described(self.program.description()).map_err(Error::data)?;
        let section = section.with_options(self.options);
        Ok(vec![if self.is_one_value() { section } else { section.rows() }])
    }

    /// Bytes of a row, if each has the same number.
    pub(crate) fn row_size(&self) -> Option<u64> {
        self.plan.and_then(Plan::row_size).map(|n| n as u64).filter(|n| *n > 0)
    }
}

/// Reads all of these rows, in the columns that bytes may be wrong for.
pub(crate) fn check(plan: &Plan, mut rows: Selection, words: Words, job: &Job<'_>) -> Result<Tally> {
    // in their order
    let columns = doubtful(plan);
    rows.leaves.retain(|leaf| columns.binary_search(&leaf.column).is_ok());
    match until_damage(&rows, words, job) {
        (tally, None) => Ok(tally),
        (_, Some(e)) => Err(e),
    }
}

/// Reads all of these rows. Tells what was read, and what ended the reading before the end.
pub(crate) fn until_damage(rows: &Selection, words: Words, job: &Job<'_>) -> (Tally, Option<Error>) {
    let mut tally = words.nothing();
    let read = rows.each(|_, rows| {
        tally.count += rows as u64;
        Ok(())
    });
    (Tally { bytes: job.input.len().unwrap_or_else(|| job.input.passed()), ..tally }, read.err())
}

/// The columns of rows that bytes may be wrong for: integers and floats are right whatever their bytes are.
fn doubtful(plan: &Plan) -> Vec<usize> {
    let layout = plan.description();
    let fields = match layout.resolve(&layout.root) {
        Some(Type::Record(record)) => record.fields.as_slice(),
        _ => &[],
    };
    let is_plain = |field: &Field| {
        field.rules.is_empty()
            && matches!(layout.resolve(&field.ty), Some(Type::Int { .. } | Type::Float { .. }))
    };
    // a field without values has no column
    let mut columns: Vec<usize> = (0..plan.names().len()).collect();
    if columns.len() == fields.len() {
        columns.retain(|i| !fields.get(*i).is_some_and(is_plain));
    }
    columns
}

/// What messages call things.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    /// A row, in the singular and the plural.
    pub(crate) unit: (&'static str, &'static str),
    /// The option that gives the layout.
    pub(crate) option: &'static str,
}

impl Words {
    /// An error in the bytes, with what may be the reason.
    pub(crate) fn damaged(self, start: Start, e: &binfmt::Error) -> Error {
        let error = start.located(e);
        let what = match e.kind() {
            ErrorKind::Io(_) => return error,
            _ if e.is_incomplete() => "was cut short",
            _ => "is damaged",
        };
        error.tip(format_args!("the file {what}, or its {} are not what {} says", self.unit.1, self.option))
    }

    /// What is wrong with a row that cannot be written; its number in the error counts from the row `first`.
    fn unwritten(self, e: &binfmt::Error, first: u64) -> Error {
        let start = Start { byte: 0, record: first };
        Error::unwritten(e, |kind| Error::data(format_args!("{}{}: {kind}", self.unit.1, start.path(e))))
    }

    /// Nothing that was read or written.
    pub(crate) fn nothing(self) -> Tally {
        Tally { count: 0, unit: self.unit, bytes: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    #[test]
    fn numbers_are_not_in_doubt() {
        let plan = |text: &str| {
            let layout = binfmt::schema::Description::from_str(text).unwrap();
            let plan = Plan::new(&layout).unwrap();
            plan.pick(&doubtful(&plan)).names().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(plan("Row: record, le\n  a: i32\n  b: f64\n"), [""; 0]);
        assert_eq!(plan("Row: record, le\n  a: i32\n  b: bool\n  c: f32, nullable\n"), ["b", "c"]);
    }
}
