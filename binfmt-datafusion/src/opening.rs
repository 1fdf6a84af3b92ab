//! How files are opened: all that another machine must be told.

use crate::place;
use crate::provider::BinfmtTable;
use crate::root::Root;
use crate::{outside, wrong};
use binfmt::table::{Settings, Table, TableFormat};
use binfmt::{Error, Step};
use binfmt_arrow::Texts;
use datafusion::common::Result;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Which files a table is made of, and what is said of them.
///
/// ```
/// use binfmt_datafusion::Opening;
/// let e = Opening::new("no-such-file*.sdds").table().unwrap_err();
/// assert!(e.to_string().contains("there is no file no-such-file*.sdds"), "{e}");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opening {
    /// The name of the format; without it every file must tell.
    pub format: Option<String>,
    /// Paths and URLs, in which `*`, `?` (in paths) and `[..]` stand for what is there.
    pub paths: Vec<String>,
    /// The settings of the format.
    pub settings: Settings,
    /// Whether the codes of missing values are columns.
    pub missing_codes: bool,
    /// Whether there is a column `_file`.
    #[serde(default)]
    pub file_names: bool,
    /// What becomes of texts that may be no UTF-8.
    #[serde(with = "texts")]
    pub texts: Texts,
}

impl Opening {
    /// A file, or several, which tell their format.
    ///
    /// ```
    /// assert_eq!(binfmt_datafusion::Opening::new("a.sdds").format, None);
    /// ```
    pub fn new(path: impl Into<String>) -> Self {
        Opening {
            format: None,
            paths: vec![path.into()],
            settings: Settings::new(),
            missing_codes: false,
            file_names: false,
            texts: Texts::Checked,
        }
    }

    /// The same of a format.
    ///
    /// ```
    /// let opening = binfmt_datafusion::Opening::new("a").format("sdds");
    /// assert_eq!(opening.format.as_deref(), Some("sdds"));
    /// ```
    #[must_use]
    pub fn format(self, format: impl Into<String>) -> Self {
        Opening { format: Some(format.into()), ..self }
    }

    /// Says something more: a setting of the format, `missing_codes` or `file_names` (`true`), or `texts` (`binary`, `latin1`, `lossy`).
    ///
    /// ```
    /// let opening = binfmt_datafusion::Opening::new("a").with("schema", "(int8)").with("missing_codes", "true");
    /// assert!(opening.missing_codes && opening.settings.get("schema") == Some("(int8)"));
    /// ```
    #[must_use]
    pub fn with(mut self, name: &str, text: &str) -> Self {
        match (name, text) {
            ("missing_codes", text) => self.missing_codes = text == "true",
            ("file_names", text) => self.file_names = text == "true",
            ("texts", "binary") => self.texts = Texts::Binary,
            ("texts", "latin1") => self.texts = Texts::Latin1,
            ("texts", "lossy") => self.texts = Texts::Lossy,
            // of a word that nobody knows the format says so
            (name, text) => self.settings = self.settings.with(name, text),
        }
        self
    }

    /// Opens a file or a folder, if it is within the root; `None` if there is none.
    pub(crate) fn open(&self, name: &str, root: &Root) -> binfmt::Result<Option<Arc<dyn Table>>> {
        root.admits(name).and_then(|()| root.admits_settings(&self.settings)).map_err(Error::other)?;
        let Some((storage, file)) = place::to_read(name)? else { return Ok(None) };
        let table = match &self.format {
            Some(format) if format == "arrow" => binfmt_arrow::Ipc.open(storage, &file, &self.settings)?,
            format => binfmt::open_in(binfmt::FORMATS, storage, &file, format.as_deref(), &self.settings)?,
        };
        // in a query, a number of 80 bits is a number and a character is text
        Ok(Some(binfmt::table::plain(table, &[])))
    }

    /// The files as one table.
    ///
    /// ```no_run
    /// let table = binfmt_datafusion::Opening::new("run*.sdds").table()?;
    /// # Ok::<(), datafusion::common::DataFusionError>(())
    /// ```
    ///
    /// # Errors
    /// There is no such file, it is of no known format, it is damaged, or files have other columns than the first.
    pub fn table(self) -> Result<BinfmtTable> {
        self.table_within(&Root::default())
    }

    /// The same of files within a root.
    pub(crate) fn table_within(self, root: &Root) -> Result<BinfmtTable> {
        let mut files = Vec::new();
        for pattern in &self.paths {
            root.admits(pattern).map_err(wrong)?;
            let none = || wrong(format!("there is no file {pattern}"));
            let found = place::all(pattern)?;
            if found.is_empty() {
                return Err(none());
            }
            for name in found {
                let table = self.open(&name, root).map_err(|e| outside(named(e, &name)))?;
                files.push((name, table.ok_or_else(none)?));
            }
        }
        BinfmtTable::new(self, files)
    }
}

/// An error with the file that it is about, unless it names it.
fn named(e: Error, name: &str) -> Error {
    let file = name.rsplit('/').next();
    let knows = matches!(e.path().steps().next(), Some(Step::Name(first)) if Some(first.as_str()) == file);
    // an object store names what it is about
    let knows = knows || place::is_url(name) && e.to_string().contains(name);
    if knows { e } else { e.within(Step::Name(name.to_owned())) }
}

/// The word that stands for what becomes of texts.
mod texts {
    use binfmt_arrow::Texts;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    const WORDS: [(&str, Texts); 4] = [
        ("checked", Texts::Checked),
        ("binary", Texts::Binary),
        ("latin1", Texts::Latin1),
        ("lossy", Texts::Lossy),
    ];

    pub(super) fn serialize<S: Serializer>(texts: &Texts, to: S) -> Result<S::Ok, S::Error> {
        let word = WORDS.iter().find(|(_, known)| known == texts).map_or("checked", |(word, _)| word);
        word.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Texts, D::Error> {
        let word = String::deserialize(from)?;
        let found = WORDS.iter().find(|(known, _)| *known == word);
        found
            .map(|(_, texts)| *texts)
            .ok_or_else(|| D::Error::custom(format!("unknown word {word:?} for texts")))
    }
}
