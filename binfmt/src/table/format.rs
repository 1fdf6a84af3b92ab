//! Formats whose files are tables.

use super::cells::{CellType, Found, Seen};
use super::{Section, Table, TableSchema, TableSink};
use crate::error::{Error, ErrorKind, Result};
use crate::storage::Storage;
use crate::wire::Endian;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;

/// A format whose files are tables: how they are recognised and opened.
///
/// The formats of this crate are in [`FORMATS`](crate::FORMATS); one of your own stands beside them in the list that [`open_in`](crate::open_in)
/// takes.
pub trait TableFormat: Send + Sync {
    /// Its name: `sdds`.
    fn name(&self) -> &'static str;

    /// What people call one of its files, in the singular and without an article: `SDDS file`. Without this it is a file of its name.
    fn title(&self) -> Option<&'static str> {
        None
    }

    /// Endings of the names of its files, without the dot: who writes a file of such a name means this format.
    fn endings(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether a file is of this format, as far as its first bytes tell; never, where any bytes may be such a file.
    fn detect(&self, probe: &Probe<'_>) -> bool {
        let _ = probe;
        false
    }

    /// What may be said when a file is opened.
    fn settings(&self) -> &'static [Setting] {
        &[]
    }

    /// Opens a file of a storage.
    ///
    /// # Errors
    /// The file is not of this format or is damaged, or what is said of it is wrong.
    fn open(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Arc<dyn Table>>;

    /// How the bytes of a file are laid out, from the front to the end, which a dump then explains; bytes between the sections are
    /// explained by none. Without this it is what the table says of [its rows](Table::sections), so that who opens a
    /// [`RowsTable`](super::RowsTable) adds the header in front of it, or nothing. The file may be damaged: what can be told of it is told.
    ///
    /// # Errors
    /// Nothing can be told of the file, or what is said of it is wrong.
    fn sections(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Vec<Section>> {
        Ok(self.open(storage, path, settings)?.sections())
    }

    /// Whether [`create`](Self::create) writes files.
    fn writes(&self) -> bool {
        false
    }

    /// What may be said when a file is written.
    fn write_settings(&self) -> &'static [Setting] {
        &[]
    }

    /// Begins a file of a storage, for rows of this schema.
    ///
    /// # Errors
    /// The format does not write tables, cannot hold a column, or the file cannot be made.
    fn create(
        &self,
        storage: Arc<dyn Storage>,
        path: &str,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Box<dyn TableSink>> {
        let _ = (storage, path, schema, settings);
        Err(Error::other(format!("the format {} does not write tables", self.name())))
    }
}

impl fmt::Debug for dyn TableFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TableFormat({})", self.name())
    }
}

/// What is known of a file before its format is.
///
/// ```
/// use binfmt::table::Probe;
/// let probe = Probe { path: "x.sdds", head: b"SDDS1\n", names: &[] };
/// assert!(!probe.is_folder());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Probe<'a> {
    /// Where it is in its storage.
    pub path: &'a str,
    /// The first bytes, up to [`Probe::BYTES`]; none of a folder.
    pub head: &'a [u8],
    /// What is in it, if it is a folder.
    pub names: &'a [String],
}

impl Probe<'_> {
    /// That many bytes are looked at.
    pub const BYTES: usize = 4096;

    /// That many of a file that is compressed as `zst`, of which nothing can be told before its first block is whole: 128 KiB at most.
    pub const PACKED_BYTES: usize = (128 << 10) + Self::BYTES;

    /// Whether it is a folder.
    ///
    /// ```
    /// # use binfmt::table::Probe;
    /// assert!(Probe { path: "", head: &[], names: &["a".to_owned()] }.is_folder());
    /// ```
    pub fn is_folder(&self) -> bool {
        !self.names.is_empty()
    }
}

/// Something that may be said when a file is opened.
///
/// ```
/// let schema = binfmt::table::Setting { name: "schema", help: "The format string or AFL schema" };
/// assert_eq!(schema.name, "schema");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name, in small letters.
    pub name: &'static str,
    /// What it says, in one line.
    pub help: &'static str,
}

/// What is said when a file is opened, by the names of a format's [`Setting`]s.
///
/// ```
/// use binfmt::table::Settings;
/// let settings = Settings::new().with("schema", "(int8)");
/// assert_eq!(settings.get("schema"), Some("(int8)"));
/// assert!(settings.is_on("schema").is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Settings {
    all: BTreeMap<String, String>,
}

impl Settings {
    /// Nothing is said.
    ///
    /// ```
    /// assert_eq!(binfmt::table::Settings::new().get("schema"), None);
    /// ```
    pub fn new() -> Self {
        Settings::default()
    }

    /// Says one thing more.
    ///
    /// ```
    /// assert!(binfmt::table::Settings::new().with("page", "true").is_on("page")?);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.all.insert(name.into(), text.into());
        self
    }

    /// What is said under a name.
    ///
    /// ```
    /// assert_eq!(binfmt::table::Settings::new().with("a", "b").get("a"), Some("b"));
    /// ```
    pub fn get(&self, name: &str) -> Option<&str> {
        self.all.get(name).map(String::as_str)
    }

    /// What is said, if it is one of these words.
    pub(crate) fn word<T: Copy>(&self, name: &str, known: &[(&str, T)]) -> Result<Option<T>> {
        let Some(said) = self.get(name) else { return Ok(None) };
        let found = known.iter().find(|(word, _)| *word == said);
        let all: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
        let expected = || format!("setting `{name}`: expected {}, found {said:?}", all.join(" or "));
        found.map(|(_, value)| Some(*value)).ok_or_else(|| Error::other(expected()))
    }

    /// The byte order that is said.
    pub(crate) fn endian(&self, name: &str) -> Result<Option<Endian>> {
        self.word(name, &[("little", Endian::Little), ("big", Endian::Big)])
    }

    /// The number that is said.
    pub(crate) fn number<T: std::str::FromStr>(&self, name: &str) -> Result<Option<T>> {
        let of = |text: &str| {
            let wrong = |_| Error::other(format!("setting `{name}`: expected a number, found {text:?}"));
            text.parse().map_err(wrong)
        };
        self.get(name).map(of).transpose()
    }

    /// Whether something is on: `true` or `false` is said, or nothing.
    ///
    /// ```
    /// assert!(!binfmt::table::Settings::new().is_on("page")?);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// Something else is said.
    pub fn is_on(&self, name: &str) -> Result<bool> {
        match self.get(name) {
            None | Some("false") => Ok(false),
            Some("true") => Ok(true),
            Some(text) => {
                let text = format!("setting `{name}`: expected true or false, found {text:?}");
                Err(Error::other(text))
            }
        }
    }

    /// The most memory that one value, row or page may take, as the setting `max_memory` says, which every format knows. Without a
    /// word what the bytes that are there need.
    ///
    /// ```
    /// assert_eq!(binfmt::table::Settings::new().with("max_memory", "1024").max_memory()?, 1024);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// It is not a number.
    pub fn max_memory(&self) -> Result<usize> {
        Ok(self.number("max_memory")?.unwrap_or(usize::MAX))
    }

    /// Whether only these settings are said.
    ///
    /// ```
    /// use binfmt::table::{Setting, Settings};
    /// let known = [Setting { name: "schema", help: "" }];
    /// let e = Settings::new().with("shema", "x").check(&known).unwrap_err();
    /// assert_eq!(e.to_string(), "unknown setting `shema`, expected `schema`");
    /// ```
    ///
    /// # Errors
    /// One of another name.
    pub fn check(&self, known: &[Setting]) -> Result<()> {
        let is_known = |name: &str| name == "max_memory" || known.iter().any(|known| known.name == name);
        match self.all.keys().find(|name| !is_known(name)) {
            Some(name) => {
                Err(ErrorKind::unknown("setting", name, known.iter().map(|known| known.name)).into())
            }
            None => Ok(()),
        }
    }
}

/// The types of columns: what is said, or what their first fields look like.
pub(super) fn types_by(said: &[Option<CellType>], seen: &[Seen]) -> Vec<Found> {
    let of = |(said, seen): (&Option<CellType>, &Seen)| match said {
        Some(said) => Found { ty: *said, inferred: None },
        None => seen.found(),
    };
    said.iter().zip(seen).map(of).collect()
}

/// The types that are said: `a:i64,b:text`.
pub(super) fn types_of(settings: &Settings, names: &[String]) -> Result<Vec<Option<CellType>>> {
    let mut types = vec![None; names.len()];
    let wrong = |text: String| Error::other(format!("setting `types`: {text}"));
    let mut places: Option<HashMap<&str, usize>> = None;
    for part in settings.get("types").unwrap_or_default().split(',').filter(|part| !part.trim().is_empty()) {
        let Some((name, ty)) = part.rsplit_once(':') else {
            return Err(wrong(format!("expected a name and a type, such as a:i64, found {part:?}")));
        };
        let places = places.get_or_insert_with(|| names.iter().map(String::as_str).zip(0..).collect());
        let place = places.get(name).or_else(|| places.get(name.trim()));
        let place = place.and_then(|place| types.get_mut(*place));
        let Some(place) = place else {
            return Err(wrong(format!("there is no column `{name}`")));
        };
        *place = Some(ty.trim().parse().map_err(wrong)?);
    }
    Ok(types)
}
