//! SQL over any file that [`binfmt`] reads, by Apache DataFusion: SDDS, TileDB, SciDB, Futhark, BEAT, NPY, CSV, JSON lines, and rows of
//! any layout of your own. One [`TableProvider`](datafusion::catalog::TableProvider) for all of them.
//!
//! ```
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! # runtime.block_on(async {
//! use datafusion::prelude::SessionContext;
//! let context = binfmt_datafusion::register(SessionContext::new());
//! # let path = std::env::temp_dir().join(format!("binfmt-datafusion-{}.bin", std::process::id()));
//! # std::fs::write(&path, [1, 0, 2, 0, 3, 0])?;
//! # let path = path.to_str().unwrap();
//! let sql = format!("SELECT sum(x) AS total FROM scidb('{path}', '<x: int16 NOT NULL>[i]')");
//! let batches = context.sql(&sql).await?.collect().await?;
//! let text = datafusion::arrow::util::pretty::pretty_format_batches(&batches)?.to_string();
//! assert!(text.contains("| 6     |"), "{text}");
//! # std::fs::remove_file(path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `sdds_parameters('f')` has a row for each page of SDDS files, with its parameters, `sdds_arrays('f')` one for each element of the
//! arrays (of some, `sdds_arrays('f', 'x,y')`); `binfmt_columns('f')` says of the columns of any
//! file their types, units and descriptions, as `information_schema.columns` does of tables if the session has an `information_schema`.
//!
//! After [`register`] a query names files in three ways:
//!
//! ```sql
//! SELECT * FROM 'run*.sdds';                                   -- recognised by what it begins with
//! SELECT * FROM scidb('load.bin', '(int64, double null)');     -- sdds, tiledb, futhark, beat, npy, csv, jsonl, layout, binfmt
//! CREATE EXTERNAL TABLE t STORED AS SCIDB LOCATION 'load.bin' OPTIONS (schema '(int64, double null)', row_numbers 'true');
//! ```
//!
//! `COPY (SELECT ..) TO 'x.sdds'` writes the answer as a file of any format that is written, by its ending or `STORED AS`, with the
//! format's settings as `OPTIONS`.
//!
//! Folders with names like `year=2024` on the way to files that a pattern stands for (`FROM 'data/year=*/run*.sdds'`) are columns, whole
//! numbers if all are; filters of them say which files are read.
//!
//! With the feature `objects` a file may be a URL of S3, Google Cloud Storage, Azure or a web server: `FROM 's3://bucket/run*.sdds'`. Keys
//! and servers are said by the environment, as the stores' own programs know them (`AWS_ACCESS_KEY_ID`, `AWS_REGION`, `AWS_ENDPOINT`,
//! `GOOGLE_APPLICATION_CREDENTIALS`, `AZURE_STORAGE_ACCOUNT_NAME` ..). Bytes are fetched in growing pieces while reading goes on and the next
//! piece ahead of time; neighbouring ranges go together, and a server that is busy or cut off is asked again.
//!
//! The functions take the settings of the format after the path: the schema or the layout alone or the name of a file with it
//! (`'@log.layout'`), others as `page_numbers => true`, `'page_numbers=true'` or `'page_numbers', 'true'`.
//!
//! `page_numbers` adds a column `_page` to SDDS files, `row_numbers` a column `_row` to SciDB files and those of a layout, `offsets` a column
//! `_offset` to CSV and JSON lines, `file_names` a column `_file` to all. The program `binfmt-sql` adds them where a query names them.
//!
//! # What is pushed down
//!
//! Only the columns of a query are read. Comparisons of a column with a constant (`=`, `<`, `<=`, `>`, `>=`, `BETWEEN`, joined by
//! `AND`; of `IN` and `OR` what lies between the least and the greatest) go to the format, which leaves out pages, tiles and rows that cannot match; the engine looks again. A `LIMIT` without a
//! filter goes there, too. The number of rows is exact where the format knows it, so that `count(*)` reads nothing.
//!
//! The scan is a `FileScanConfig` whose files are numbered splits: engines that hand out the parts of a plan to several machines know how
//! to restrict it, while a data source of its own would be read whole by each.
//!
//! Codes of missing values are not columns, unless the option `missing_codes` is `true`. A text that is not UTF-8 is an error, unless the
//! option `texts` is `binary`, `latin1` or `lossy`.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

mod added;
mod catalog;
#[cfg(feature = "ballista")]
pub mod cluster;
mod command;
mod copy;
mod decimals;
mod described;
mod drawn;
mod factory;
mod files;
mod first;
mod folders;
mod function;
mod information;
mod kept;
#[cfg(feature = "objects")]
mod objects;
mod opening;
mod place;
mod printed;
#[cfg(feature = "prompt")]
mod prompt;
mod provider;
mod ranges;
mod refusal;
pub mod remote;
mod root;
mod said;
mod scan;
mod scopes;
mod sentence;
mod session;
mod signals;
mod sink;
mod statistics;
mod stoppable;
mod stopping;
mod syntax;
mod whole;
mod word;

pub use command::Command;
pub use opening::Opening;
pub use provider::BinfmtTable;
pub use root::Root;

use datafusion::prelude::SessionContext;

/// Lets a session read files of all formats: by their names in `FROM`, by table functions, and by `CREATE EXTERNAL TABLE`.
///
/// ```
/// use datafusion::prelude::SessionContext;
/// let context = binfmt_datafusion::register(SessionContext::new());
/// assert!(context.state().table_functions().contains_key("sdds"));
/// ```
pub fn register(context: SessionContext) -> SessionContext {
    let context = with_formats(context);
    whole::register(&context);
    context
}

/// The same of a session whose plans are sent elsewhere.
pub(crate) fn with_formats(context: SessionContext) -> SessionContext {
    #[cfg(feature = "objects")]
    let context = objects::with_stores(context);
    let context = catalog::with_files(context);
    function::register(&context);
    factory::register(&context);
    copy::register(&context);
    context
}

/// An error of a file as one of DataFusion.
pub(crate) fn outside(e: binfmt::Error) -> datafusion::common::DataFusionError {
    datafusion::common::DataFusionError::External(Box::new(e))
}

/// Something that was asked for wrongly.
pub(crate) fn wrong(text: impl Into<String>) -> datafusion::common::DataFusionError {
    datafusion::common::DataFusionError::Plan(text.into())
}
