//! Queries that several machines answer, by Apache DataFusion Ballista: the feature `ballista`.
//!
//! A cluster is a scheduler, executors, and clients that ask. Ballista's own programs know their own file formats only, so those of
//! this crate stand in their place: `binfmt-cluster scheduler`, `binfmt-cluster executor`, `binfmt-sql --cluster`. In a program:
//!
//! ```no_run
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! use binfmt_datafusion::cluster;
//! use datafusion::prelude::SessionConfig;
//! let context = cluster::connect("scheduler:50050", SessionConfig::new().with_target_partitions(16))?;
//! context.sql("SELECT count(*), avg(x) FROM '/data/run*.sdds'").await?.show().await?;
//! # Ok(())
//! # }
//! ```
//!
//! What travels is how files are opened, what is wanted of them, and which parts ([`remote`](crate::remote)); no machine
//! sends files to another, so that all must see them under the same paths, and all must run the same version of this crate.
//!
//! A scan is cut up by the splits of its tables: a task reads those of its own partitions, and no other.

mod again;
mod codec;
mod dotted;
mod engine;
mod executors;
mod fence;
mod jobs;
mod nodes;
mod oversight;
mod session;

pub use codec::{LogicalCodec, PhysicalCodec};
pub use nodes::{Executor, Scheduler};
pub(crate) use session::check;
pub use session::{config, connect};

/// How the error of a job begins that another attempt may answer.
const LOST: &str = "the cluster lost the query: ";
