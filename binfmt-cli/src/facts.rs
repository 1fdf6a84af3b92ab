//! What of a format does not depend on a file.

use crate::settings::{Setting, Settings};
use crate::units::with_article;
use binfmt::table::{Logical, Table, plain, spread};
use std::sync::Arc;

/// What does not depend on a file.
#[derive(Clone, Copy)]
pub(crate) struct Facts {
    /// The word for `--format`, `--to` and the JSON form.
    pub(crate) name: &'static str,
    /// What people call it, in the singular and without an article: `load file of a database`.
    pub(crate) title: &'static str,
    /// Endings of file names, without the dot, that mean this format where a file is written.
    pub(crate) endings: &'static [&'static str],
    /// Lines that show how the command is used on such files.
    pub(crate) examples: &'static [&'static str],
    /// The option that only files of this format have: who gives it need not name the format.
    pub(crate) implied_by: Option<&'static str>,
    /// The option that says of what kind a file of this format is that is written: who gives it need not say `--to`.
    pub(crate) aimed_by: Option<&'static str>,
    /// Options that this format has and others may not have.
    pub(crate) settings: &'static [Setting],
    /// What to do when a file of this format could not be recognised; `None` if every one can be.
    pub(crate) undetected: Option<&'static str>,
    /// What to do when a folder of this format could not be recognised.
    pub(crate) undetected_folder: Option<&'static str>,
    /// Whether its files have several of what `--pages` chooses among.
    pub(crate) has_pages: bool,
    /// Whether it writes compressed files, which the name of the output asks for.
    pub(crate) compresses: bool,
    /// Whether it can be written from a table of any format.
    pub(crate) takes_tables: bool,
    /// Columns that a reader adds and that it has a place for, such as the numbers of pages; then it gets those that have one value
    /// in each page, too.
    pub(crate) keeps: &'static [&'static str],
    /// Columns that a reader adds and that are shown like those of the file.
    pub(crate) shows: &'static [&'static str],
    /// Options by which a file of the format becomes another table, and not the same file in another form.
    pub(crate) remakes: &'static [&'static str],
    /// Options about a file of the format that is read, which mean nothing where another one becomes such a file.
    pub(crate) reads: &'static [&'static str],
    /// What it has types for that other formats have not.
    pub(crate) takes: &'static [Logical],
    /// Whether it has no arrays: those of a table that has nothing else become columns.
    pub(crate) spreads_arrays: bool,
    /// Whether it holds records: then it gets them as they are, and not their fields.
    pub(crate) takes_records: bool,
    /// Whether it gets all columns, those that have one value for each page, too.
    pub(crate) takes_all: bool,
    /// Whether its data have a text form of their own, which people and programs know.
    pub(crate) has_text: bool,
    /// Whether files with random data can be made.
    pub(crate) makes: bool,
}

impl Facts {
    /// Whether pages are rows of one table, and not values of any shapes, which have a text form of their own.
    pub(crate) fn has_pages_of_rows(&self) -> bool {
        self.has_pages && !self.has_text
    }

    /// Whether an option says that a file of this format is written, and not as the one that is read.
    pub(crate) fn is_aimed(&self, settings: &Settings) -> bool {
        self.aimed_by.is_some_and(|option| settings.has(option))
    }

    /// A table with the types that it has.
    pub(crate) fn taken(&self, table: Arc<dyn Table>) -> Arc<dyn Table> {
        let table = plain(table, self.takes);
        if self.spreads_arrays { spread(table) } else { table }
    }

    /// What people call it, with its article: `an NPY file`.
    pub(crate) fn one(&self) -> String {
        with_article(self.title)
    }

    /// Those of a format that has nothing special.
    pub(crate) const fn new(name: &'static str, title: &'static str) -> Self {
        Facts {
            name,
            title,
            endings: &[],
            examples: &[],
            implied_by: None,
            aimed_by: None,
            settings: &[],
            undetected: None,
            undetected_folder: None,
            has_pages: false,
            compresses: false,
            takes_tables: false,
            keeps: &[],
            shows: &[],
            remakes: &[],
            reads: &[],
            takes: &[],
            spreads_arrays: false,
            takes_records: false,
            takes_all: false,
            has_text: false,
            makes: false,
        }
    }
}
