//! What a format has to do so that every command works on it: one trait.

use crate::error::{Error, Result};
pub(crate) use crate::facts::Facts;
use crate::input::{Input, is_dash};
use crate::json::{JsonWriter, Source};
use crate::limits::Limits;
use crate::output::Target;
use crate::pick::Pick;
use crate::place::Start;
use crate::probe::Probe;
use crate::region::Region;
use crate::sections;
use crate::settings::Settings;
use crate::span::Pages;
use crate::summary::Summary;
use crate::table::Tables;
pub(crate) use crate::tally::{Parts, Tally};
pub(crate) use crate::window::{Aim, Window};
use binfmt::schema::{Description, Type};
use binfmt::table::{Leaf, Section, Table, TableFormat, Wanted};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, atomic::AtomicU64};

/// A format that the command knows. Implemented in one file below `formats/` and named in one line of its list.
pub(crate) trait Format: Sync {
    fn facts(&self) -> &'static Facts;

    /// Whether a file is of this format, as far as its first bytes tell; never, where any bytes may be such a file.
    fn detect(&self, probe: &Probe<'_>) -> bool {
        let _ = probe;
        false
    }

    /// What a file is, by its name, that lies beside one of this format and is read with it, and that one, which may not be there.
    fn whole_of(&self, _: &Path) -> Option<(&'static str, PathBuf)> {
        None
    }

    /// What the file is.
    fn inspect(&self, job: &mut Job<'_>) -> Result<Summary>;

    /// The data as tables.
    fn tables(&self, job: &mut Job<'_>, pick: &Pick, out: &mut dyn Tables) -> Result<()>;

    /// The data as the JSON document of this format.
    fn json(&self, job: &mut Job<'_>, pick: &Pick, out: &mut JsonWriter<&mut dyn Write>) -> Result<()>;

    /// The JSON document from which the whole file can be made again, where that has more than the data.
    fn document(&self, job: &mut Job<'_>, out: &mut JsonWriter<&mut dyn Write>) -> Result<()> {
        self.json(job, &Pick::ALL, out)
    }

    /// The data in that text form.
    fn text(&self, _: &mut Job<'_>, _: &Pick, _: &mut dyn Write) -> Result<()> {
        Err(Error::usage(format_args!("{} has no text form of its own", self.facts().one())))
    }

    /// Reads everything.
    fn check(&self, job: &mut Job<'_>) -> Result<Tally>;

    /// The layout of the file, as text, where there is one.
    fn layout(&self, job: &mut Job<'_>) -> Result<Option<String>> {
        let sections = self.sections(job)?;
        let known = sections.iter().map(Section::layout).filter(|layout| !is_opaque(layout));
        let texts: Vec<String> = known.map(|layout| layout.to_string()).collect();
        Ok((!texts.is_empty()).then(|| texts.join("\n")))
    }

    /// What explains its bytes, from the front to the end.
    fn sections(&self, _: &mut Job<'_>) -> Result<Vec<Section>> {
        Ok(Vec::new())
    }

    /// What is wrong with bytes that are explained.
    fn damaged(&self, _: &mut Input, e: &binfmt::Error) -> Error {
        Start::default().located(e)
    }

    /// Explains the bytes, line by line.
    fn dump(&self, job: &mut Job<'_>, window: &Window, out: &mut dyn Write) -> Result<()> {
        let (sections, window) = (self.sections(job)?, (window, self.facts().title));
        let input = (&mut job.input, job.limits);
        sections::dump(&sections, input, window, |input, e| self.damaged(input, e), out)
    }

    /// Writes the same data again, exactly as the format wants it.
    fn rewrite(&self, job: &mut Job<'_>, out: &Target) -> Result<Tally>;

    /// Writes the same file with what was chosen, or several one after the other, where that has more than a table of them; `None` if a table
    /// has all.
    fn rewrite_chosen(&self, _: &mut Jobs<'_, '_, '_>, _: &Kept<'_>, _: &Target) -> Result<Option<Tally>> {
        Ok(None)
    }

    /// The parts among which `--pages` chooses, if each is a table by itself.
    fn parts(&self, _: &mut Job<'_>) -> Result<Option<Parts>> {
        Ok(None)
    }

    /// What to say of a file in which nothing is that the options of the format choose.
    fn in_vain(&self, _: &mut Job<'_>) -> Option<String> {
        None
    }

    /// Makes one part of those that a file grew by, and says what became of them.
    fn consolidate(&self, _: &mut Job<'_>) -> Result<String> {
        Err(Error::usage(format_args!("{} has nothing to consolidate", self.facts().one())))
    }

    /// Removes what is left over among its files, and tells each.
    fn vacuum(&self, _: &mut Job<'_>, _: Vacuum) -> Result<Tally> {
        Err(Error::usage(format_args!("{} leaves nothing over", self.facts().one())))
    }

    /// The data as one table of the library, from which other formats are written.
    fn table(&self, _: &mut Job<'_>) -> Result<Arc<dyn Table>> {
        Err(Error::usage(format_args!("{} is not one table", self.facts().one())))
    }

    /// The chosen parts of a file as tables with names, where they are not one table; `None` where they are.
    fn apart(&self, _: &mut Job<'_>) -> Result<Option<Vec<NamedTable>>> {
        Ok(None)
    }

    /// Where in a file that has a place for each row some were written; `None` of any other.
    fn written(&self, _: &mut Job<'_>) -> Result<Option<Vec<Region>>> {
        Ok(None)
    }

    /// What of the file is in no column of its table, as another table; `None` if there is no such thing.
    fn rest(&self, _: &mut Job<'_>) -> Result<Option<Arc<dyn Table>>> {
        Ok(None)
    }

    /// What the library is told when it writes a table of any format in this one.
    fn sink(&self, _: &Settings, _: &Target) -> Result<Sink> {
        Err(Error::usage(format_args!("a table cannot be written as {}", self.facts().one())))
    }

    /// Writes what a JSON document of this format describes.
    fn write_json(&self, json: &mut Source, settings: &Settings, out: &Target) -> Result<Tally>;

    /// Writes random data.
    fn make(&self, _: &Making<'_>, _: &Settings, _: &Target) -> Result<Tally> {
        Err(Error::usage(format_args!("no {} can be made", self.facts().title)))
    }
}

/// A part of a file that is a table by itself, with its name.
pub(crate) type NamedTable = (String, Arc<dyn Table>);

/// A format of the library, and what it is told.
pub(crate) type Sink = (&'static dyn TableFormat, binfmt::table::Settings);

/// Whether only a codec knows what the bytes are.
fn is_opaque(layout: &Description) -> bool {
    matches!(layout.resolve(&layout.root), Some(Type::Opaque { .. }))
}

/// Which random data are wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Making<'a> {
    /// What is made, one after the other, in the words of the format.
    pub(crate) types: &'a [String],
    /// Lower and upper ends: none, one for all, or one for each type.
    pub(crate) bounds: &'a [String],
    pub(crate) seed: u64,
}

/// What is left over and goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vacuum {
    /// It is told, and stays.
    pub(crate) dry_run: bool,
    /// Also what another program may be writing just now.
    pub(crate) all: bool,
}

/// One file and what was said about it.
pub(crate) struct Job<'a> {
    pub(crate) input: Input,
    pub(crate) settings: &'a Settings,
    /// What was said about the file that is written.
    pub(crate) out: &'a Settings,
    pub(crate) limits: Limits,
    /// The pages that a table is of, if not of all.
    pub(crate) pages: Option<Pages>,
    /// Names of columns that are asked for, and conditions on some.
    pub(crate) asked: Vec<String>,
    /// Whether rows that nobody has written are left out, in a file that has a place for each.
    pub(crate) written: Written,
    /// The format that is written, about which options may say something.
    pub(crate) to: Option<&'static str>,
    /// Where a table of the file ends, if it grows while it is read.
    pub(crate) end: Option<Arc<AtomicU64>>,
}

/// Which rows are wanted of a file that has a place for each.
#[derive(Clone, Debug, Default)]
pub(crate) enum Written {
    /// All, also where nobody has written any.
    #[default]
    All,
    /// Those that were written.
    Own,
    /// Those of these parts.
    In(Vec<Region>),
}

/// Columns and rows of a table that are wanted.
#[derive(Clone)]
pub(crate) struct Selection {
    pub(crate) table: Arc<dyn Table>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) wanted: Wanted,
    /// Whether it was said which columns.
    pub(crate) is_chosen: bool,
    /// The files whose rows they are, if there are several.
    pub(crate) files: Vec<String>,
    /// Rows before the wanted ones, which are read all the same.
    pub(crate) skip: u64,
    /// What is wrong with the file, where its format has words for it.
    pub(crate) told: Option<fn(&binfmt::Error) -> Error>,
}

/// What is kept of a file that is written again.
pub(crate) struct Kept<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) pages: Option<&'a Pages>,
    /// Columns that are named.
    pub(crate) columns: &'a [String],
    /// Other names, `old=new`.
    pub(crate) rename: &'a [String],
    /// Whether some rows of the pages are chosen.
    pub(crate) selects_rows: bool,
    /// The condition, if nothing else chooses rows.
    pub(crate) condition: Option<&'a str>,
    /// Of how many columns the numbers become times.
    pub(crate) num_times: usize,
    /// What each page is to have the name of its file in.
    pub(crate) file: Option<String>,
    /// The option that is about the rows of several files as one table.
    pub(crate) of_all: Option<&'static str>,
    /// The rows and columns, with those of the other names that are of columns.
    pub(crate) rows: &'a dyn Fn(&mut Job<'_>, Vec<String>) -> Result<Selection>,
}

/// A file, and what reads it.
pub(crate) type Opened<'s> = (&'static dyn Format, Job<'s>);

/// Files of one format.
pub(crate) enum Jobs<'j, 'p, 's> {
    One(&'j mut Job<'s>),
    Several(&'j mut Several<'p, 's>),
}

/// Files by their names.
pub(crate) struct Several<'p, 's> {
    paths: &'p [PathBuf],
    open: &'p dyn Fn(&Path) -> Result<Opened<'s>>,
    /// Streams stay open.
    held: BTreeMap<usize, Opened<'s>>,
}

impl<'p, 's> Several<'p, 's> {
    pub(crate) fn new(paths: &'p [PathBuf], open: &'p dyn Fn(&Path) -> Result<Opened<'s>>) -> Self {
        Several { paths, open, held: BTreeMap::new() }
    }

    /// Takes one after the other, as long as that returns `true`; whether it always did.
    pub(crate) fn each(
        &mut self,
        mut take: impl FnMut(&'static dyn Format, &mut Job<'s>) -> Result<bool>,
    ) -> Result<bool> {
        for (i, path) in self.paths.iter().enumerate() {
            let (format, mut job) = self.held.remove(&i).map_or_else(|| (self.open)(path), Ok)?;
            let goes_on = take(format, &mut job).map_err(|e| job.input.blamed(e));
            if is_dash(path) {
                self.held.insert(i, (format, job));
            }
            if !goes_on? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Jobs<'_, '_, '_> {
    /// Takes one after the other, as long as that returns `true`; whether it always did.
    pub(crate) fn each(&mut self, mut take: impl FnMut(&mut Job<'_>) -> Result<bool>) -> Result<bool> {
        match self {
            Jobs::One(job) => take(job),
            Jobs::Several(several) => several.each(|_, job| take(job)),
        }
    }
}
