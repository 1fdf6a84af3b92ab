//! What every format of this crate must answer: one kit of checks, for your own formats too.
//!
//! A format implements [`Conformance`]; [`check`] then reads and writes its samples, cuts them at every byte, changes
//! every byte, makes every length as large as it goes, adds bytes at the end, and lets the writer fail at every byte.
//! It lists what does not hold. A new case in the kit is a new required method: no format can forget to answer it.
//!
//! ```
//! use binfmt::conformance::{Conformance, Sample, check};
//! use binfmt::{BinFormat, Error, Result, dump};
//! use std::io::{Read, Write};
//!
//! #[derive(BinFormat, Debug, PartialEq)]
//! struct Names {
//!     version: u8,
//!     #[binfmt(length_prefixed(u8))]
//!     first: String,
//! }
//!
//! struct NamesFormat;
//! impl Conformance for NamesFormat {
//!     type Value = Names;
//!     fn name(&self) -> &str {
//!         "names"
//!     }
//!     fn samples(&self) -> Vec<Sample> {
//!         vec![Sample::new("one", *b"\x01\x02ab")]
//!     }
//!     fn decode(&self, _: &Sample, bytes: &[u8]) -> Result<Names> {
//!         binfmt::from_slice(bytes)
//!     }
//!     fn decode_stream(&self, _: &Sample, reader: &mut dyn Read) -> Result<Names> {
//!         binfmt::from_reader(reader)
//!     }
//!     fn encode(&self, _: &Sample, value: &Names, out: &mut dyn Write) -> Result<()> {
//!         binfmt::to_writer(value, out).map(|_| ())
//!     }
//!     fn trace(&self, _: &Sample, bytes: &[u8]) -> Vec<dump::Trace> {
//!         vec![dump::trace::<Names>(bytes)]
//!     }
//!     fn may_end_at(&self, _: &Sample, _: usize) -> bool {
//!         false
//!     }
//!     fn writes_all_it_reads(&self) -> bool {
//!         true
//!     }
//!     fn peak_memory(&self, run: &mut dyn FnMut()) -> Option<usize> {
//!         run();
//!         None
//!     }
//! }
//!
//! let report = check(&NamesFormat);
//! assert!(report.is_ok(), "{report}");
//! ```

mod damage;
mod kit;
mod report;
mod writer;

pub use kit::{Conformance, Sample, check};
pub use report::{Failure, Report};
pub use writer::FailingWriter;
