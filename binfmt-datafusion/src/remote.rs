//! What travels to another machine: how files are opened, what is wanted of them, and which of their parts.
//!
//! Neither data nor columns travel. A table is its [`Opening`]: whoever receives it opens the files. A scan is an opening with the
//! names of the files and the splits that are to be read; whoever receives it opens a file when it reads a part of it. Ballista's
//! codecs are built upon this with the feature `ballista`; another engine that sends plans of DataFusion can do the same.
//!
//! ```
//! use binfmt_datafusion::{Opening, remote};
//! # let path = std::env::temp_dir().join(format!("binfmt-remote-{}.bin", std::process::id()));
//! # std::fs::write(&path, [1, 0, 2, 0])?;
//! # let path = path.to_str().unwrap();
//! let table = Opening::new(path).format("scidb").with("schema", "<x: int16 NOT NULL>[i]").table()?;
//! let bytes = remote::table_to_bytes(&table)?.unwrap();
//! let again = remote::table_from_bytes(&bytes, None)?;
//! assert_eq!(again.opening(), table.opening());
//! # std::fs::remove_file(path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every message begins with the version of this crate, and another version refuses it: what the numbers of a split mean is a matter of
//! the format, and may change with it.

use crate::files::{Files, difference};
use crate::opening::Opening;
use crate::provider::BinfmtTable;
use crate::root::Root;
use crate::scan::{Part, Scan};
use crate::wrong;
use binfmt::table::Wanted;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{DataFusionError, Result};
use datafusion::datasource::physical_plan::{FileScanConfig, FileSource};
use datafusion::datasource::source::DataSourceExec;
use datafusion::datasource::table_schema::TableSchema;
use datafusion::execution::memory_pool::MemoryPool;
use datafusion::physical_plan::ExecutionPlan;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::absolute;
use std::sync::Arc;

/// What every message begins with.
const MAGIC: &[u8] = b"binfmt\0";

/// The version that all machines of a cluster must have.
///
/// ```
/// assert_eq!(binfmt_datafusion::remote::VERSION, env!("CARGO_PKG_VERSION"));
/// ```
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// That of this program. A debug build may say that it is of another, so that a test can start a machine that is.
fn version() -> Cow<'static, str> {
    #[cfg(debug_assertions)]
    if let Ok(other) = std::env::var("BINFMT_CLUSTER_VERSION") {
        return other.into();
    }
    VERSION.into()
}

#[derive(Serialize, Deserialize)]
struct Message<T> {
    version: String,
    body: T,
}

/// The front of a message of any version.
#[derive(Deserialize)]
struct Front {
    version: String,
}

/// A scan: the files and splits of one task.
#[derive(Serialize, Deserialize)]
struct TaskScan {
    opening: Opening,
    files: BTreeMap<usize, String>,
    wanted: Wanted,
    parts: BTreeMap<i64, Part>,
}

/// Whether bytes are a message of this crate, of whatever version.
///
/// ```
/// assert!(!binfmt_datafusion::remote::is_message(b"another"));
/// ```
pub fn is_message(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Whether a message is of the version of this machine, as which it is told of.
///
/// # Errors
/// It is of another, which the error names, or damaged.
pub fn check(bytes: &[u8], machine: &str) -> Result<()> {
    let text =
        bytes.strip_prefix(MAGIC).ok_or_else(|| wrong("a plan of another machine is not of binfmt"))?;
    let front: Front = serde_json::from_slice(text).map_err(damaged)?;
    let (theirs, ours) = (front.version, version());
    if theirs != ours {
        return Err(wrong(format!(
            "the plan was made by binfmt-datafusion {theirs}, and {machine} has {ours}: all machines of a cluster must run the same version"
        )));
    }
    Ok(())
}

fn damaged(e: serde_json::Error) -> DataFusionError {
    wrong(format!("a plan of another machine is damaged: {e}"))
}

fn write(body: impl Serialize) -> Result<Vec<u8>> {
    let message = Message { version: version().into_owned(), body };
    let text = serde_json::to_vec(&message).map_err(|e| DataFusionError::External(Box::new(e)))?;
    Ok([MAGIC, &text].concat())
}

fn read<T: DeserializeOwned>(bytes: &[u8], machine: &str) -> Result<T> {
    check(bytes, machine)?;
    let text = bytes.get(MAGIC.len()..).unwrap_or_default();
    let message: Message<T> = serde_json::from_slice(text).map_err(damaged)?;
    Ok(message.body)
}

/// A path that means the same wherever a program was started.
fn rooted(path: &str) -> Result<String> {
    if path.contains("://") {
        return Ok(path.to_owned());
    }
    let path = absolute(path).map_err(|e| wrong(format!("{path}: {e}")))?;
    Ok(path.display().to_string())
}

/// How a table is opened on another machine; `None` of a table that is not of this crate.
///
/// # Errors
/// A path cannot be made absolute.
pub fn table_to_bytes(table: &dyn TableProvider) -> Result<Option<Vec<u8>>> {
    let Some(table) = table.downcast_ref::<BinfmtTable>() else { return Ok(None) };
    let mut opening = table.opening().clone();
    opening.paths = opening.paths.iter().map(|path| rooted(path)).collect::<Result<_>>()?;
    write(opening).map(Some)
}

/// Opens a table that another machine has told of, which has seen these columns.
///
/// # Errors
/// The message is damaged or of another version, or the files cannot be opened here, or have other columns.
pub fn table_from_bytes(bytes: &[u8], expected: Option<&SchemaRef>) -> Result<BinfmtTable> {
    table_within(bytes, expected, &Root::default())
}

/// The same of files within a root.
pub(crate) fn table_within(bytes: &[u8], expected: Option<&SchemaRef>, root: &Root) -> Result<BinfmtTable> {
    let opening: Opening = read(bytes, "the scheduler")?;
    let paths = opening.paths.join(", ");
    let table = opening.table_within(root)?;
    match expected.and_then(|expected| difference(expected, &table.schema())) {
        Some(how) => Err(wrong(format!("{paths} has other columns than where the query was asked: {how}"))),
        None => Ok(table),
    }
}

/// What another machine must be told of a scan, and the scan itself, which its engine must send besides; `None` of a plan that is not
/// a scan of this crate. Of the splits only those travel that the plan reads.
///
/// # Errors
/// A path cannot be made absolute.
pub fn scan_to_bytes(plan: &dyn ExecutionPlan) -> Result<Option<(&FileScanConfig, Vec<u8>)>> {
    let scan = plan.downcast_ref::<DataSourceExec>().and_then(|plan| plan.downcast_to_file_source::<Scan>());
    let Some((config, scan)) = scan else { return Ok(None) };
    let read = config.file_groups.iter().flat_map(|group| group.iter());
    let read: BTreeSet<i64> = read.filter_map(|file| Some(file.range.as_ref()?.start)).collect();
    let parts = scan.parts.iter().filter(|(number, _)| read.contains(number));
    let parts: BTreeMap<i64, Part> = parts.map(|(number, part)| (*number, part.clone())).collect();
    let mut files = BTreeMap::new();
    for part in parts.values() {
        files.insert(part.file, rooted(scan.files.name(part.file))?);
    }
    let opening = Opening { paths: Vec::new(), ..scan.files.opening().clone() };
    let told = TaskScan { opening, files, wanted: scan.wanted.clone(), parts };
    Ok(Some((config, write(told)?)))
}

/// The source of a scan that another machine has told of, for the columns that it has told besides. Its files are opened when they are
/// read, and its batches take memory of the pool. Errors name this machine, as the one that told knows it.
///
/// # Errors
/// The message is damaged or of another version.
pub fn source_from_bytes(
    bytes: &[u8],
    schema: TableSchema,
    pool: &Arc<dyn MemoryPool>,
    machine: &Arc<str>,
) -> Result<Arc<dyn FileSource>> {
    let told: TaskScan = read(bytes, machine)?;
    let files = Files::told(told.opening, Arc::clone(schema.file_schema()), told.files, machine);
    Ok(Arc::new(Scan::of_parts(Arc::new(files), told.wanted, told.parts, schema).in_memory(pool)))
}

/// The same of files within a root.
#[cfg(feature = "ballista")]
pub(crate) fn source_within(
    bytes: &[u8],
    schema: TableSchema,
    pool: &Arc<dyn MemoryPool>,
    (machine, root): (&Arc<str>, &Root),
) -> Result<Arc<dyn FileSource>> {
    let told: TaskScan = read(bytes, machine)?;
    let files = Files::told(told.opening, Arc::clone(schema.file_schema()), told.files, machine);
    let files = Arc::new(files.within(root.clone()));
    Ok(Arc::new(Scan::of_parts(files, told.wanted, told.parts, schema).in_memory(pool)))
}

/// A source that says why nothing is read by it, when it is read.
#[cfg(feature = "ballista")]
pub(crate) fn refused_source(why: DataFusionError, schema: TableSchema) -> Arc<dyn FileSource> {
    let files = Files::told(Opening::new(""), Arc::clone(schema.file_schema()), BTreeMap::new(), &"".into());
    Arc::new(Scan::of_parts(Arc::new(files), Wanted::new(), BTreeMap::new(), schema).refused(why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_version_is_refused() {
        let mut opening = Opening::new("a*.sdds").format("sdds").with("texts", "latin1");
        opening.paths = vec!["a".to_owned()];
        let bytes = write(&opening).unwrap();
        assert_eq!(read::<Opening>(&bytes, "node1").unwrap(), opening);

        let other = String::from_utf8(bytes).unwrap().replacen(VERSION, "77.0", 1);
        let e = read::<Opening>(other.as_bytes(), "node1").unwrap_err().to_string();
        assert!(e.contains("by binfmt-datafusion 77.0, and node1 has"), "{e}");
        // whatever else that version says
        let later = b"binfmt\0{\"version\":\"77.0\",\"parts\":[1]}";
        let e = read::<Opening>(later, "node1").unwrap_err().to_string();
        assert!(e.contains("must run the same version"), "{e}");
        let e = read::<Opening>(b"binfmt\0{\"version\":", "node1").unwrap_err().to_string();
        assert!(e.contains("is damaged"), "{e}");
    }

    #[test]
    fn paths_mean_the_same_everywhere() {
        assert_eq!(rooted("s3://a/b").unwrap(), "s3://a/b");
        let path = rooted("data/run*.sdds").unwrap();
        assert!(std::path::Path::new(&path).is_absolute() && path.ends_with("run*.sdds"), "{path}");
    }
}
