//! Files of any format, recognised by what they begin with.

use crate::error::{Error, ErrorKind, Result, Step};
#[cfg(feature = "sdds")]
use crate::formats::packed::Compression;
use crate::storage::{Folder, Storage};
use crate::table::{Probe, Settings, Table, TableFormat, TableSchema, TableSink};
use std::path::Path;
use std::sync::Arc;

/// The formats of this crate whose files are tables, those that its features have.
pub const FORMATS: &[&dyn TableFormat] = crate::formats::TABLES;

/// Opens a file, or an array in a folder, as a table. The format is told by what the file begins with.
///
/// ```no_run
/// let table = binfmt::open("run0.sdds")?;
/// for field in &table.schema().fields {
///     println!("{}: {}", field.name, field.ty);
/// }
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// There is no such file, it is of no format that tells itself ([`open_as`] says which it is), or it is damaged.
pub fn open(path: impl AsRef<Path>) -> Result<Arc<dyn Table>> {
    let (storage, name) = place(path.as_ref())?;
    open_in(FORMATS, storage, &name, None, &Settings::new())
}

/// The same for a file whose format is said, with the settings of that format.
///
/// ```no_run
/// use binfmt::table::Settings;
/// let table = binfmt::open_as("load.bin", "scidb", &Settings::new().with("schema", "(int8, string null)"))?;
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// There is no such format or file, or it is not of this format, or damaged.
pub fn open_as(path: impl AsRef<Path>, format: &str, settings: &Settings) -> Result<Arc<dyn Table>> {
    let (storage, name) = place(path.as_ref())?;
    open_in(FORMATS, storage, &name, Some(format), settings)
}

/// The same for a file of a storage, and with formats of your own beside [`FORMATS`]; the first that takes the file is the one.
///
/// ```
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::Settings;
/// use std::sync::Arc;
/// let files = Memory::new();
/// files.write("log.bin", b"abc")?;
/// let e = binfmt::open_in(binfmt::FORMATS, Arc::new(files), "log.bin", None, &Settings::new()).unwrap_err();
/// assert!(e.to_string().starts_with("log.bin: no format is told by its first bytes"), "{e}");
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// There is no such format or file, or it is not of this format, or damaged.
pub fn open_in(
    formats: &[&dyn TableFormat],
    storage: Arc<dyn Storage>,
    path: &str,
    format: Option<&str>,
    settings: &Settings,
) -> Result<Arc<dyn Table>> {
    // a storage that is a folder as a whole has no name in itself
    let named = |e: Error| if path.is_empty() { e } else { e.within(Step::Name(path.into())) };
    let found = match format {
        Some(name) => named_format(formats, name)?,
        None => {
            let (head, names) = look(&*storage, path).map_err(named)?;
            let probe = Probe { path, head: &head, names: &names };
            let found = formats.iter().find(|format| format.detect(&probe));
            *found.ok_or_else(|| named(unknown(formats, &names)))?
        }
    };
    found.open(storage, path, settings)
}

/// Begins a file of a format, for rows of this schema: the sink takes them batch by batch. Of a format that is a folder it is the folder.
///
/// ```no_run
/// use binfmt::table::{Settings, Wanted};
/// let table = binfmt::open("orbit.csv")?;
/// let sink = binfmt::create_as("orbit.jsonl", "jsonl", table.schema(), &Settings::new())?;
/// table.write_to(&Wanted::new(), sink)?;
/// # Ok::<(), binfmt::Error>(())
/// ```
///
/// # Errors
/// There is no such format, it does not write tables or cannot hold a column, or the file cannot be made.
pub fn create_as(
    path: impl AsRef<Path>,
    format: &str,
    schema: &TableSchema,
    settings: &Settings,
) -> Result<Box<dyn TableSink>> {
    let (storage, name) = beside(&Folder::written(path.as_ref())?)?;
    create_in(FORMATS, storage, &name, format, schema, settings)
}

/// The same for a file of a storage, and with formats of your own beside [`FORMATS`].
///
/// ```
/// use binfmt::storage::Memory;
/// use binfmt::table::{Settings, TableSchema};
/// use std::sync::Arc;
/// let schema = TableSchema::new([]);
/// let e = binfmt::create_in(binfmt::FORMATS, Arc::new(Memory::new()), "x", "cvs", &schema, &Settings::new()).unwrap_err();
/// assert!(e.to_string().contains("unknown format `cvs`"), "{e}");
/// ```
///
/// # Errors
/// There is no such format, it does not write tables or cannot hold a column, or the file cannot be made.
pub fn create_in(
    formats: &[&dyn TableFormat],
    storage: Arc<dyn Storage>,
    path: &str,
    format: &str,
    schema: &TableSchema,
    settings: &Settings,
) -> Result<Box<dyn TableSink>> {
    named_format(formats, format)?.create(storage, path, schema, settings)
}

fn named_format<'a>(formats: &[&'a dyn TableFormat], name: &str) -> Result<&'a dyn TableFormat> {
    let known = || formats.iter().map(|format| format.name());
    let found = formats.iter().find(|format| format.name() == name);
    found.copied().ok_or_else(|| ErrorKind::unknown("format", name, known()).into())
}

#[cold]
fn unknown(formats: &[&dyn TableFormat], names: &[String]) -> Error {
    let all: Vec<&str> = formats.iter().map(|format| format.name()).collect();
    let by = if names.is_empty() { "its first bytes" } else { "what is in the folder" };
    let text = format!("no format is told by {by}; say which of {} it is", all.join(", "));
    Error::other(text)
}

/// The first bytes of a file, or what is in a folder.
fn look(storage: &dyn Storage, path: &str) -> Result<(Vec<u8>, Vec<String>)> {
    let Some(size) = storage.size(path)? else {
        let names = storage.list(path)?;
        return match names.is_empty() {
            true => Err(ErrorKind::MissingFile { consequence: "" }.into()),
            false => Ok((Vec::new(), names)),
        };
    };
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let mut head = vec![0; size.min(Probe::BYTES)];
    storage.read(path, 0, &mut head)?;
    #[cfg(feature = "sdds")]
    if Compression::of(&head) == Compression::Zstd {
        head.resize(size.min(Probe::PACKED_BYTES), 0);
        storage.read(path, 0, &mut head)?;
    }
    Ok((head, Vec::new()))
}

/// The storage in which a path of the file system is, and its name there: of a folder the folder itself.
fn place(path: &Path) -> Result<(Arc<dyn Storage>, String)> {
    if path.is_dir() {
        return Ok((Arc::new(Folder::new(path)), String::new()));
    }
    beside(path)
}

/// The folder that a path of the file system is in, and its name there.
fn beside(path: &Path) -> Result<(Arc<dyn Storage>, String)> {
    let named = path.file_name().and_then(|name| name.to_str());
    let Some(name) = named else {
        return Err(Error::other(format!("{} is not the name of a file in UTF-8", path.display())));
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    Ok((Arc::new(Folder::new(folder)), name.to_owned()))
}
