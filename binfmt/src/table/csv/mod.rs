//! Comma-separated values (RFC 4180) as tables.
//!
//! A row is a line, or several where a field in quotes has line ends. The first line has the names of the columns, unless
//! `header` is `false`. Fields are separated by commas, or by what `delimiter` says; without a word by tabs if the file
//! is named `.tsv`.
//!
//! | setting | |
//! |---|---|
//! | `types` | types of columns by name: `a:i64,b:text`; the others are inferred |
//! | `delimiter` | one character, or `tab` |
//! | `header` | `false` if the first line is a row; the columns are then `c0`, `c1`, .. |
//! | `missing` | a word for a missing value, such as `NA`; an empty field is missing in any case |
//! | `offsets` | `true` for a column `_offset` at the end: where each row begins in the file |
//!
//! Lines end with a newline, perhaps after a carriage return, or with a carriage return alone if the file has no newlines.
//!
//! Types are `bool` (`true`, `false`), `i64`, `u64`, `f64` (also `nan`, `inf`, `-inf`) and `text`. Those that are not said are
//! the narrowest for the first rows, text if a float would change an integer, up to 1 MiB of them; a later field that does not fit is an error with its place.
//! Where a column has no value there, more rows are looked at, up to 64 MiB; a column without any is text that takes the type of others
//! in a [`Concatenated`](super::Concatenated) table. A file whose types are declared [asks](super::TableSink::reads) for fields of columns whose types are
//! not said as values of its own types: bytes, times, lists, or texts as they are written.
//! A column in which a number is written so that it would come out as another word stays text: zeros before its digits (`01234`),
//! a `+` before an integer (`+49`). A type that is said takes such numbers. An empty field is a missing value, `""` an
//! empty text. In a file of one column an empty line is a row whose value is missing, and so is `""` where the others are not texts;
//! in other files empty lines are not rows. A delimiter may end each row, if it ends all of them and not the line of names. Blanks
//! around names and numbers are not part of them, unless a name is in quotes.
//!
//! Bytes are written as `0x00ff`, and read again if the type `bytes` is said or asked for; else they are texts. Texts that are not UTF-8 are
//! written as their bytes.
//!
//! Times are written as ISO 8601 has them, without a zone. A column of dates, `2024-03-01`, is one of times in days; one of times of day with a
//! date, `2024-03-01T12:00:00` or with a blank for the `T`, is one of seconds, or of what their fractions need: the finest that the first rows
//! have. At their end they may say `Z` or how far from UTC they are, `+01:00`, if all of them do. With another value, but `NaT` for no time, they
//! are texts. What they are in the file is found by [`as_written`](super::as_written), and is written to files of lines. A type that is said
//! (`time[s]`, or another unit: `ms`, `us`, `ns`, `D` ..) takes whole numbers of the unit, too.
//!
//! Lists are written as JSON, and read again if their type is said or asked for, `[f64]`, else they are texts.

mod dialect;
mod index;
mod lines;
mod read;
mod records;
mod write;
mod writer;

pub use super::cells::{CellType, Item};
pub use read::Csv;
pub(crate) use records::UTF8_MARK;
pub use writer::Writer;
