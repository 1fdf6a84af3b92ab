//! Any file as a table of the library: what every format shares.

mod absent;
mod advice;
mod forward;
mod row;
mod shown;
mod spread;
mod threads;
mod write;

use advice::advised;
pub(crate) use row::Row;
use shown::Batch;
pub(crate) use shown::is_number;
pub(crate) use spread::Part;

use crate::error::{Error, Result};
use crate::format::{Job, Selection};
use crate::front::Front;
use crate::limits::{Limits, Size};
use crate::pick::Pick;
use crate::place::Start;
use crate::probe::Probe;
use crate::span::{Pages, Span};
use crate::table::{self, Head, Tables};
use crate::unpack::name_inside;
use crate::watched::Watched;
use binfmt::Step;
use binfmt::columns::{Column, Columns};
use binfmt::storage::{Folder, Memory, Storage};
use binfmt::table::{
    Batches, Filter, Filtered, Leaf, Logical, Table, TableField, TableFormat, TimeUnit, as_written, keys,
    plain,
};
use std::path::Path;
use std::sync::Arc;

/// Where the library finds the file of a job, and its name there. A stream, and what is packed, is read as far
/// as it is asked for.
pub(crate) fn place(job: &mut Job<'_>) -> Result<(Arc<dyn Storage>, String)> {
    let path = job.input.path().to_owned();
    if job.input.is_directory() {
        return Ok((Arc::new(Folder::new(path)), String::new()));
    }
    let name = path.file_name().and_then(|name| name.to_str());
    if let (Some(_), Some(name)) = (job.input.len(), name) {
        let folder = path.parent().unwrap_or(Path::new(""));
        let files = watched(job, Arc::new(Folder::new(folder)), job.input.len());
        return Ok(match &job.end {
            Some(end) => (Arc::new(Front::new(files, Arc::clone(end))), name.to_owned()),
            None => (files, name.to_owned()),
        });
    }
    // of a name that is not a text, what is one
    let name = name_inside(&path.file_name().unwrap_or_default().to_string_lossy()).to_owned();
    if let Some(files) = job.input.spooled()? {
        return Ok((files, name));
    }
    let files = Memory::new();
    files.write(&name, &job.input.whole(job.limits)?).map_err(Error::input)?;
    Ok((Arc::new(files), name))
}

/// The same files, with a bar where a person waits for what is read of them.
pub(crate) fn watched(job: &Job<'_>, files: Arc<dyn Storage>, bytes: Option<u64>) -> Arc<dyn Storage> {
    let progress = job.input.progress(bytes);
    if progress.is_on() { Arc::new(Watched::new(files, progress)) } else { files }
}

/// Whether a file is of this format, as far as its first bytes and its name tell.
pub(crate) fn detects(format: &dyn TableFormat, probe: &Probe<'_>) -> bool {
    let (path, head) = (probe.path.to_string_lossy(), probe.head);
    let probed = binfmt::table::Probe { path: name_inside(&path), head, names: &[] };
    !probe.is_directory && format.detect(&probed)
}

/// The settings of a table, within the limits of the job.
pub(crate) fn limited(settings: binfmt::table::Settings, limits: Limits) -> binfmt::table::Settings {
    match limits.max_memory {
        Some(Size(bytes)) => settings.with("max_memory", bytes.to_string()),
        None => settings,
    }
}

/// An error about what was said of a file, by the name of the option.
pub(crate) fn misused(text: &str) -> Option<Error> {
    let (name, text) = text.strip_prefix("setting `")?.split_once("`: ")?;
    Some(Error::usage(format_args!("--{}: {text}", name.replace('_', "-"))))
}

/// An error of a table.
pub(crate) fn failure(e: &binfmt::Error) -> Error {
    advised(Start::default().located(e), e)
}

/// An error of a table that is made of these files: of several it names one.
pub(crate) fn failure_in(files: &[String], e: &binfmt::Error) -> Error {
    let named = match e.path().steps().next() {
        Some(Step::Name(name)) => files.iter().find(|file| *file == name),
        _ => None,
    };
    match named {
        Some(file) if files.len() > 1 => advised(Start::default().located_below(e, 1), e).at(file),
        _ => failure(e),
    }
}

/// The column with the numbers of the pages.
pub(crate) const PAGE: &str = "_page";

/// Whether a column has the numbers of elements, which follow from the order of the rows.
pub(crate) fn is_index(field: &TableField) -> bool {
    field.get(keys::ADDED).is_some() && field.name.starts_with("_index")
}

/// The rows of the chosen pages.
pub(crate) fn in_pages(table: Arc<dyn Table>, pages: Option<&Pages>) -> Result<Arc<dyn Table>> {
    let Some(pages) = pages.filter(|_| table.schema().position(PAGE).is_some()) else {
        return Ok(table);
    };
    let range = |span: &Span| match span.to {
        Some(to) => format!("({PAGE} >= {} and {PAGE} < {to})", span.from),
        None => format!("{PAGE} >= {}", span.from),
    };
    let ranges: Vec<String> = pages.ranges().iter().map(range).collect();
    // what is known of all of them leaves parts out
    let condition = format!("{} and ({})", range(&pages.cover()), ranges.join(" or "));
    let filter = Filter::new(&condition, table.schema()).map_err(|e| failure(&e))?;
    Ok(Arc::new(Filtered::new(table, filter)))
}

impl Selection {
    /// Those that were asked for. Without a word these are the columns of the file that differ from row to row, if there are any.
    pub(crate) fn of(table: Arc<dyn Table>, pick: &Pick) -> Result<Self> {
        Self::kept(plain(table, &[]), pick, &[])
    }

    /// The same for a format that keeps pages apart: all columns of the file, and the numbers of the pages.
    pub(crate) fn kept(table: Arc<dyn Table>, pick: &Pick, kept: &[&str]) -> Result<Self> {
        let table = in_pages(table, pick.pages.as_ref())?;
        let schema = table.schema();
        let all = schema.leaves();
        let leaves = match &pick.columns {
            Some(_) => {
                // patterns mean what differs from row to row
                let field = |leaf: &Leaf| schema.fields.get(leaf.column);
                let is_of_rows =
                    |leaf: &&Leaf| field(leaf).is_some_and(|field| !field.constant && !is_index(field));
                let (rows, others): (Vec<&Leaf>, Vec<&Leaf>) = all.iter().partition(is_of_rows);
                let count = if rows.is_empty() { others.len() } else { rows.len() };
                let leaves: Vec<&Leaf> = rows.into_iter().chain(others).collect();
                let names: Vec<&str> = leaves.iter().map(|leaf| leaf.name.as_str()).collect();
                let chosen = pick.columns_among(&names, count)?.into_iter();
                chosen.filter_map(|i| leaves.get(i).copied().cloned()).collect()
            }
            None => {
                let field = |leaf: &Leaf| schema.fields.get(leaf.column);
                let is_there =
                    |leaf: &&Leaf| field(leaf).is_some_and(|field| field.get(keys::ADDED).is_none());
                let varies = |leaf: &&Leaf| field(leaf).is_some_and(|field| !field.constant);
                let is_page = |leaf: &&Leaf| kept.contains(&leaf.name.as_str());
                match all.iter().any(|leaf| is_there(&leaf) && varies(&leaf)) {
                    _ if !kept.is_empty() => {
                        all.iter().filter(|leaf| is_page(leaf) || is_there(leaf)).cloned().collect()
                    }
                    true => all.iter().filter(is_there).filter(varies).cloned().collect(),
                    false => all.iter().filter(is_there).cloned().collect(),
                }
            }
        };
        Ok(Self::of_leaves(table, leaves, pick))
    }

    /// These columns in the rows that were asked for.
    fn of_leaves(table: Arc<dyn Table>, leaves: Vec<Leaf>, pick: &Pick) -> Self {
        let (is_chosen, files) = (pick.columns.is_some(), Vec::new());
        Selection { table, leaves, wanted: pick.wanted_rows(), is_chosen, files, skip: 0, told: None }
    }

    /// The chosen columns, or all of the file, as they are: records, and not their fields.
    pub(crate) fn with_records(mut self, all: bool) -> Self {
        let needed = self.needed();
        let schema = self.table.schema();
        let is_there = |leaf: &Leaf| {
            schema.fields.get(leaf.column).is_some_and(|field| field.get(keys::ADDED).is_none())
        };
        let mut columns = schema.whole_columns();
        columns.retain(|leaf| (all && is_there(leaf)) || needed.binary_search(&leaf.column).is_ok());
        self.leaves = columns;
        self
    }

    /// An error of the table.
    pub(crate) fn failure(&self, e: &binfmt::Error) -> Error {
        self.told.map_or_else(|| failure_in(&self.files, e), |told| told(e))
    }

    /// The batches, which have the columns that the leaves are in.
    pub(crate) fn batches(&self) -> Result<Batches> {
        let wanted = self.wanted.clone().columns(self.needed());
        let batches = Arc::clone(&self.table).batches(&wanted).map_err(|e| self.failure(&e))?;
        let mut skip = self.skip;
        let mut rest = move |columns: Columns| {
            let skipped = skip.min(columns.num_rows() as u64);
            skip -= skipped;
            if skipped > 0 { columns.slice(skipped as usize..usize::MAX) } else { columns }
        };
        Ok(Box::new(batches.map(move |batch| batch.map(&mut rest))))
    }

    fn needed(&self) -> Vec<usize> {
        let mut needed: Vec<usize> = self.leaves.iter().map(|leaf| leaf.column).collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// The leaves of a batch.
    pub(crate) fn columns<'a>(&self, batch: &'a Columns) -> Vec<&'a Column> {
        let all: Vec<&Column> = batch.iter().map(|(_, column)| column).collect();
        let needed = self.needed();
        let of = |leaf: &Leaf| leaf.of(all.get(needed.binary_search(&leaf.column).ok()?)?);
        self.leaves.iter().filter_map(of).collect()
    }

    /// Takes the batches of the columns, up to the end or the damage.
    pub(crate) fn each(&self, mut take: impl FnMut(&[&Column], usize) -> Result<()>) -> Result<()> {
        for batch in self.batches()? {
            let batch = batch.map_err(|e| self.failure(&e))?;
            take(&self.columns(&batch), batch.num_rows())?;
        }
        Ok(())
    }

    /// What the numbers of a column count since 1970, if they are times.
    pub(crate) fn time(&self, leaf: &Leaf) -> Option<TimeUnit> {
        let field = self.table.schema().fields.get(leaf.column).filter(|_| leaf.path.is_empty())?;
        match field.logical {
            Some(Logical::Timestamp(unit)) => Some(unit),
            _ => None,
        }
    }

    /// The same with the times of a file of text as they are written there, if nobody said that they are some.
    pub(crate) fn as_written(&self) -> Self {
        let mut selection = self.clone();
        selection.table = as_written(&self.table);
        for leaf in selection.leaves.iter_mut().filter(|leaf| leaf.path.is_empty()) {
            if let Some(field) = selection.table.schema().fields.get(leaf.column) {
                leaf.ty = field.ty.clone();
            }
        }
        selection
    }

    /// What the values of a column are called.
    pub(crate) fn type_name(&self, leaf: &Leaf) -> String {
        let field = self.table.schema().fields.get(leaf.column).filter(|_| leaf.path.is_empty());
        field.map_or_else(|| leaf.ty.to_string(), TableField::type_name)
    }

    /// What stands above them.
    pub(crate) fn head(&self) -> Head {
        let written = self.as_written();
        let column = |leaf: &Leaf| table::Column {
            time: written.time(leaf),
            ..table::Column::new(&leaf.name, is_number(&leaf.ty))
        };
        Head { columns: written.leaves.iter().map(column).collect(), ..Head::default() }
    }

    /// Shows them below a line that is there, and tells how many rows there are.
    pub(crate) fn put(&self, out: &mut dyn Tables) -> Result<u64> {
        let mut count = 0;
        let written = self.as_written();
        let times: Vec<Option<TimeUnit>> = written.leaves.iter().map(|leaf| written.time(leaf)).collect();
        written.each(|columns, rows| {
            count += rows as u64;
            out.rows(&Batch { columns, times: &times, rows })
        })?;
        Ok(count)
    }

    /// Shows them as one table, and tells how many rows there are.
    pub(crate) fn show(&self, out: &mut dyn Tables) -> Result<u64> {
        self.show_below(&self.head(), out)
    }

    /// The same below what is said of the columns.
    pub(crate) fn show_below(&self, head: &Head, out: &mut dyn Tables) -> Result<u64> {
        out.begin(head)?;
        let done = self.put(out);
        out.end().and(done)
    }
}
