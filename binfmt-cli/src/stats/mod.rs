//! What the values of a column are like: counted in one pass, in memory that does not grow with the rows.

mod column;
mod distinct;
mod doubles;
mod ends;
mod exact;
mod hashes;
mod items;
mod meaning;
mod moments;
mod quantiles;
mod there;

pub(crate) use column::ColumnStats;
pub(crate) use distinct::Limits;
pub(crate) use ends::Least;
pub(crate) use meaning::Meaning;
