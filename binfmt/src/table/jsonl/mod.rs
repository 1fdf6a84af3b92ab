//! JSON lines as tables: an object in each line, whose members are the columns.
//!
//! Columns are the names of the members in the first lines, up to 1 MiB of them, in the order in which they come; a member that
//! a line does not have is missing, and so are `null` and `{"missing": 3}`, with its code. A member that is in none of the first lines is an
//! error, and a name that none of them has is a column for [`with_absent`](super::with_absent). Of very many columns lines must have some: 128 cells for each byte are read, more are refused. Types are those of [CSV](super::csv), inferred or said by the setting `types`. Lists whose items are of one type and
//! of one depth are lists, `[f64]` or `[[text]]`; other lists, and objects, are the text that they are. Times are written as ISO 8601
//! has them; texts that are dates and times are read as in [CSV](super::csv). Missing values are written as `null`, or `{"missing": 3}` if a code
//! says why.

mod line;
mod read;
mod write;

pub use read::JsonLines;
pub use write::Writer;
