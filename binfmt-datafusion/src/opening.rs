//! How files are opened: all that another machine must be told.

use crate::provider::BinfmtTable;
use crate::{outside, wrong};
use binfmt::table::{Settings, Table};
use binfmt::{Error, Step};
use binfmt_arrow::Texts;
use datafusion::common::Result;
use serde::{Deserialize, Serialize};
use std::path::Path;
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
    /// Paths, in which `*`, `?` and `[..]` stand for what is there.
    pub paths: Vec<String>,
    /// The settings of the format.
    pub settings: Settings,
    /// Whether the codes of missing values are columns.
    pub missing_codes: bool,
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

    /// Says something more: a setting of the format, `missing_codes` (`true`), or `texts` (`binary`, `latin1`, `lossy`).
    ///
    /// ```
    /// let opening = binfmt_datafusion::Opening::new("a").with("schema", "(int8)").with("missing_codes", "true");
    /// assert!(opening.missing_codes && opening.settings.get("schema") == Some("(int8)"));
    /// ```
    #[must_use]
    pub fn with(mut self, name: &str, text: &str) -> Self {
        match (name, text) {
            ("missing_codes", text) => self.missing_codes = text == "true",
            ("texts", "binary") => self.texts = Texts::Binary,
            ("texts", "latin1") => self.texts = Texts::Latin1,
            ("texts", "lossy") => self.texts = Texts::Lossy,
            // of a word that nobody knows the format says so
            (name, text) => self.settings = self.settings.with(name, text),
        }
        self
    }

    pub(crate) fn open(&self, path: &Path) -> binfmt::Result<Arc<dyn Table>> {
        match &self.format {
            Some(format) => binfmt::open_as(path, format, &self.settings),
            None => binfmt::open(path),
        }
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
        let mut files = Vec::new();
        for pattern in &self.paths {
            let mut found = paths(pattern)?;
            found.sort();
            if found.is_empty() {
                return Err(wrong(format!("there is no file {pattern}")));
            }
            for path in found {
                let table = self.open(&path).map_err(|e| outside(named(e, &path)))?;
                files.push((path.display().to_string(), table));
            }
        }
        BinfmtTable::new(self, files)
    }
}

/// A file of that name, or those that a pattern stands for.
fn paths(pattern: &str) -> Result<Vec<std::path::PathBuf>> {
    let pattern = pattern.strip_prefix("file://").unwrap_or(pattern);
    let path = Path::new(pattern.trim_end_matches('/'));
    if path.exists() {
        return Ok(vec![path.to_owned()]);
    }
    let found = glob::glob(pattern).map_err(|e| wrong(format!("{pattern}: {e}")))?;
    found.map(|path| path.map_err(|e| wrong(format!("{pattern}: {e}")))).collect()
}

/// An error with the file that it is about, unless it names it.
fn named(e: Error, path: &Path) -> Error {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let knows = matches!(e.path().steps().next(), Some(Step::Name(first)) if Some(first) == name.as_ref());
    if knows { e } else { e.within(Step::Name(path.display().to_string())) }
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
