//! The files of a table, each opened when it is first read.

use crate::opening::Opening;
use crate::place;
use crate::root::Root;
use crate::{outside, wrong};
use binfmt::Step;
use binfmt::table::Table;
use binfmt_arrow::{Choices, Conversion, Mapping};
use datafusion::arrow::datatypes::{Fields, Schema, SchemaRef};
use datafusion::common::{DataFusionError, Result};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// An opened file with its way to Arrow.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) table: Arc<dyn Table>,
    pub(crate) mapping: Mapping,
}

impl File {
    pub(crate) fn new(opening: &Opening, table: Arc<dyn Table>) -> Result<Self> {
        let how = Conversion::new()
            .choices(Choices::Struct)
            .missing_codes(opening.missing_codes)
            .texts(opening.texts);
        let mapping = Mapping::of_table(table.schema(), &how).map_err(outside)?;
        Ok(File { table, mapping })
    }
}

#[derive(Debug)]
struct Entry {
    name: String,
    opened: OnceLock<File>,
}

/// The files of a table by their numbers. Where a plan was made all of them are open; another machine opens those that it reads.
#[derive(Debug)]
pub(crate) struct Files {
    opening: Opening,
    schema: SchemaRef,
    entries: BTreeMap<usize, Entry>,
    /// What this machine is called, if another one has told of them.
    told_to: Option<Arc<str>>,
    /// Where they are.
    root: Root,
}

impl Files {
    /// Files that are open; all must have the columns of the first. Values that may be missing in one may be in all.
    pub(crate) fn opened(opening: Opening, files: Vec<(String, File)>) -> Result<Self> {
        let Some((first, file)) = files.first() else { return Err(wrong("which file?")) };
        // what is said of a whole file is left out: the engine takes a join of files that say different things for a mistake
        let mut fields = file.mapping.arrow_schema().fields().to_vec();
        for (number, field) in fields.iter_mut().enumerate() {
            let is_nullable = |(_, file): &(String, File)| {
                file.mapping.arrow_schema().fields().get(number).is_some_and(|field| field.is_nullable())
            };
            let nullable = files.iter().any(is_nullable);
            *field = Arc::new(field.as_ref().clone().with_nullable(nullable));
        }
        let schema = Arc::new(Schema::new(fields));
        let first = first.clone();
        let mut entries = BTreeMap::new();
        for (number, (name, file)) in files.into_iter().enumerate() {
            if let Some(how) = difference(&schema, file.mapping.arrow_schema()) {
                return Err(wrong(format!("{name} has other columns than {first}: {how}")));
            }
            entries.insert(number, Entry { name, opened: OnceLock::from(file) });
        }
        Ok(Files { opening, schema, entries, told_to: None, root: Root::default() })
    }

    /// Files that another machine has told this one of.
    pub(crate) fn told(
        opening: Opening,
        schema: SchemaRef,
        names: BTreeMap<usize, String>,
        machine: &Arc<str>,
    ) -> Self {
        let entry = |(number, name)| (number, Entry { name, opened: OnceLock::new() });
        let entries = names.into_iter().map(entry).collect();
        Files { opening, schema, entries, told_to: Some(Arc::clone(machine)), root: Root::default() }
    }

    /// The same within a root: others are not opened.
    #[cfg(feature = "ballista")]
    pub(crate) fn within(self, root: Root) -> Self {
        Files { root, ..self }
    }

    pub(crate) fn opening(&self) -> &Opening {
        &self.opening
    }

    pub(crate) fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The files that are open, in their order, with their numbers.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, &File)> {
        self.entries.iter().filter_map(|(number, entry)| Some((*number, entry.opened.get()?)))
    }

    pub(crate) fn name(&self, number: usize) -> &str {
        self.entries.get(&number).map_or("", |entry| entry.name.as_str())
    }

    fn machine(&self) -> &str {
        self.told_to.as_deref().unwrap_or("this machine")
    }

    /// An error of a file. To another machine its sentence travels: whoever passes it on may show what is meant for developers.
    pub(crate) fn error(&self, number: usize, e: binfmt::Error) -> DataFusionError {
        let name = self.name(number);
        // an object store has named it
        let knows = place::is_url(name) && e.to_string().contains(name);
        let e = if knows { e } else { e.within(Step::Name(name.to_owned())) };
        if self.told_to.is_some() { DataFusionError::Execution(e.to_string()) } else { outside(e) }
    }

    /// A file, which is opened if it is not.
    pub(crate) fn get(&self, number: usize) -> Result<&File> {
        let Some(entry) = self.entries.get(&number) else {
            return Err(wrong("a file that the plan does not name"));
        };
        if let Some(file) = entry.opened.get() {
            return Ok(file);
        }
        let Some(table) = self.opening.open(&entry.name, &self.root).map_err(|e| self.error(number, e))?
        else {
            return Err(wrong(format!(
                "{} does not see {}: every machine of a cluster needs the files under the same paths",
                self.machine(),
                entry.name
            )));
        };
        let file = File::new(&self.opening, table)?;
        if let Some(how) = difference(&self.schema, file.mapping.arrow_schema()) {
            let name = &entry.name;
            let machine = self.machine();
            return Err(wrong(format!(
                "{name} has other columns on {machine} than where the query was planned: {how}"
            )));
        }
        // of two threads that open it at the same time one is first
        Ok(entry.opened.get_or_init(|| file))
    }
}

/// What is different in the columns of a file, if something is: values need not be missing where they may be, and nobody looks at what else
/// is said of them.
pub(crate) fn difference(expected: &SchemaRef, found: &SchemaRef) -> Option<String> {
    let (a, b) = (expected.fields(), found.fields());
    let place = (0..a.len().max(b.len())).find(|i| match (a.get(*i), b.get(*i)) {
        (Some(a), Some(b)) => {
            a.name() != b.name() || a.data_type() != b.data_type() || b.is_nullable() && !a.is_nullable()
        }
        _ => true,
    })?;
    let said = |fields: &Fields| match fields.get(place) {
        Some(field) => {
            let missing = if field.is_nullable() { " or NULL" } else { "" };
            format!("`{}` of type {}{missing}", field.name(), field.data_type())
        }
        None => "nothing".to_owned(),
    };
    Some(format!("column {place} is {}, and there {}", said(b), said(a)))
}
