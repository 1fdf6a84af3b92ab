//! SDDS, self-describing data sets: the files of accelerator codes and control systems (elegant, the SDDS toolkit, EPICS
//! loggers, OPAL, CERN's turn-by-turn measurements).
//!
//! A text header says which parameters, arrays and columns each page has; pages follow to the end of the file, as bytes or
//! as text. The whole may be compressed. What is said here of "the official library" was observed on its C library,
//! SDDSlib of 2026-08 and in the Python wheel soliday.sdds 5.7.6.
//!
//! # Bytes
//!
//! The header is text: [`Header`] and the [commands](Header::parse). Pages of a binary file follow it at once, each
//! as [`Page`] describes it, in the byte order that the header declares:
//!
//! | part | bytes | here |
//! |---|---|---|
//! | number of rows | `i32`; or `00 00 00 80` (-2³¹) and an `i64` | [`RowCount`] |
//! | parameters without `fixed_value` | one value each | [`Value`] |
//! | arrays | `i32` for each dimension, then the elements, the last index running fastest | [`ArrayValue`] |
//! | rows, `column_major_order` 0 | row after row, each a value of every column | [`Elements`], taken apart |
//! | columns, `column_major_order` not 0 | column after column, each with its value of every row | [`Elements`] |
//!
//! | type | bytes of a value | in a struct of your own |
//! |---|---|---|
//! | `short` `ushort` · `long` `ulong` · `long64` `ulong64` | 2 · 4 · 8 | `i16` … `u64` |
//! | `float` · `double` | 4 · 8, IEEE 754 | `f32` · `f64` |
//! | `longdouble` | 16, of which ten count | [`X87`] |
//! | `string` | `i32` length, bytes | `#[binfmt(length_prefixed(i32))] String`, or [`Text`] |
//! | `character` | 1 | `u8` |
//!
//! There is no padding, no count of pages and no end: up to three bytes after the last page are passed over.
//!
//! # Reading
//!
//! Columns come as vectors of their type, regardless of the order in the file, and in ascii, too:
//!
//! ```
//! use binfmt::BinFormat;
//! use binfmt::formats::sdds::{Elements, Options, Value};
//!
//! let file = b"SDDS1
//! !# little-endian
//! &description text=\"Twiss parameters\", &end
//! &parameter name=nux, type=double, &end
//! &parameter name=code, type=string, fixed_value=elegant, &end
//! &column name=s, units=m, type=float,  &end
//! &column name=ElementName, type=string,  &end
//! &data mode=binary, &end
//! \x02\0\0\0\0\0\0\0\0\0\xe0\x3f\0\0\0\0\x02\0\0\0Q1\0\0\x80\x3f\x02\0\0\0D1";
//!
//! let mut reader = Options::new().slice(file)?;
//! let page = reader.next_page()?.expect("a page");
//! let header = reader.header();
//! assert_eq!(page.parameter(header, "nux"), Some(Value::from(0.5f64)));
//! assert_eq!(page.parameter(header, "code"), Some(Value::String("elegant".into())));
//! assert_eq!(page.column(header, "s"), Some(&Elements::from(vec![0.0f32, 1.0])));
//! assert_eq!(page.column(header, "ElementName"), Some(&Elements::strings(["Q1", "D1"])));
//!
//! // or as structs, which are matched with the columns by name and checked
//! #[derive(BinFormat, Debug, PartialEq)]
//! struct Element {
//!     #[binfmt(rename = "ElementName", length_prefixed(i32))]
//!     name: String,
//!     s: f32,
//! }
//! let elements: Vec<Element> = page.rows_as(header)?;
//! assert_eq!(elements[1], Element { name: "D1".into(), s: 1.0 });
//! assert!(reader.next_page()?.is_none());
//! # Ok::<(), binfmt::Error>(())
//! ```
//!
//! # What is supported
//!
//! * Versions 1 to 5: [`Options`] and [`Reader`] from memory (or a mapped file), a stream, a file, compressed or not;
//!   [`Writer`] for new files and for more pages of old ones; [`Follower`] for files that grow; [`File`] for a small file
//!   as one value.
//! * A part of a file: [columns](Reader::columns), [rows](Reader::rows), [pages](Reader::skip_page), the rest stepped over;
//!   of pages that have one column after the other [some rows](ColumnBlocks), where they are.
//! * gzip, xz, and the old form of lzma, found out by the content: [`Compression`]. Not the outside programs of `.Z` and
//!   `.F`.
//! * `&include` through a [`Resolver`], for example [`Beneath`] a directory; refused without one.
//! * A page that is cut off or damaged in its rows: an error that has the whole rows before it, [`PageError::recover`].
//! * Structs of your own for rows and parameters: [`Page::rows_as`], [`Page::parameters_as`], [`Elements::of_rows`].
//! * Not supported: `&associate` is read and never written, as by the official library, and so are `field_length` and
//!   `additional_header_lines`. `format_string` is checked against the type and kept; nothing is printed with it.
//!
//! # Where this differs from the official library
//!
//! What the C library reads is read here with the same values, and what it refuses is refused, but for this; a differential
//! test (`tests/interop/sdds_random.py`) knows of no other difference.
//!
//! Read here, and refused there:
//!
//! * The types of CERN's dialect: `llong`, `boolean`, `char`.
//! * A command of the header may have more than its 1023 bytes, up to 256 KiB. It is not written then.
//! * `&end` may be in a quoted value on any line of a command, and not only on the first.
//! * Blank lines before a number, an array or a number of rows are passed over in ascii, and blank lines and comments
//!   after the last page are not pages. An empty line is an empty string where a string parameter stands, and an empty page where
//!   rows are not counted.
//! * With `lines_per_row=0` there may be blank lines between rows.
//!
//! Refused here, and read there:
//!
//! * Two declarations of the byte order that contradict each other. It takes big-endian on a little-endian machine; SDDS++,
//!   the other official library, takes what the comment says.
//! * A `fixed_value` that is not a value of its type is refused with the header, not with the first page.
//! * An ascii file that ends after a parameter or an array of a page: it takes that for the end of the file and loses them.
//! * A row that is not complete, at the end of an ascii page without a row count: it drops the row.
//! * A size of an array that is negative is damage; it takes the array for one without elements.
//! * Damage in the rows of a binary page under `fixed_row_count`: it takes that for the end. Here only the end is one.
//!
//! Read with other content:
//!
//! * The last parameter of an ascii file without a line feed at the end keeps its last byte.
//! * A quote that is not closed ends with its line. It takes the line feed into the text, or loses the row.
//! * Of a page that is cut off, all whole rows are recovered. It loses the last one when bytes are swapped.
//! * Where a blank line is before the first array of an ascii page, that page is read; it ends there.
//! * Under `fixed_row_count`, the rows before a damaged one are kept in ascii. It loses all of them where the values of the
//!   row are in too few or too many lines.
//! * Strings keep what follows a NUL: [`Text::until_nul`] is what it shows.
//! * An ascii file with `no_row_counts` whose pages are rows and nothing else has no page where there is no row; it sees one
//!   page without rows. And the last page of such a file is there when it has parameters or arrays, although it has no rows.
//! * Without columns, the number of rows of a binary page is what the page says; it says 0.
//! * `ulong64` and the other whole numbers stop at the limits of 64 bits in ascii, where it takes some digits of a longer one.
//!
//! # Where other software differs
//!
//! There are two official libraries, in C and in C++ (SDDS++), and independent readers and writers: pylhc's `sdds` and
//! `pysdds` in Python, those of CERN in Java, OPAL's and JSPEC's own. Nearly all files that there are come from the C
//! library and everything reads what it writes, so it is the one that is followed wherever two of them disagree:
//!
//! | | C library, and here | SDDS++ |
//! |---|---|---|
//! | words after the version in the first line | passed over | refused |
//! | `long64`, `column_major_order` under `SDDS1` | read | refused |
//! | `additional_header_lines` | skipped in ascii only | skipped in binary files, too |
//! | both byte orders declared | refused | the last comment counts |
//! | a name that breaks the rules | refused; read with [`Options::any_names`] | read |
//! | `format_string` that does not fit the type | refused | kept |
//! | 1 to 3 bytes after the last binary page | passed over | refused |
//! | `1.9` as `long`, 70000 as `short` in ascii | 1, and 4464, as `scanf` has them | refused |
//! | denormal numbers in ascii | read | refused |
//! | words after the last column of a line | passed over | refused |
//! | `lines_per_row=0`, `field_length` | read | fails |
//! | two blank lines with `no_row_counts` | an empty page | one end of a page |
//!
//! CERN's turn-by-turn files have types of their own, which pylhc reads and the C library refuses: `llong` is read here as
//! `long64`, and `boolean` and `char` as `character` ([`Header::dialect`]). They are written by these standard names, which
//! pylhc does not know; it reads what has none of them. Files that it writes are read when their texts need no quotes, for it
//! writes none; its field `modifier` is refused. `pysdds` refuses or misreads texts that are no
//! ASCII, `fixed_row_count`, `&include`, `&associate`, arrays of several dimensions and `longdouble`; none of that is a
//! limit of the format.
//!
//! **Doubles in ascii files of the official libraries are not those of the program that wrote them**: 16 digits are written,
//! which change 45 of 100 random doubles in their last bit, and turn the largest into infinity. Nothing can be done about it
//! when reading; write binary files, or ascii ones with this crate.
//!
//! # What is written
//!
//! The bytes that the C library writes, but for this:
//!
//! * Header values with `!` or `&` are quoted: it writes them bare, and cannot read `!` and `&end` then; other readers
//!   cannot read any `&`. A `"` that has a backslash gets no other one: headers are never unescaped, so that a quote
//!   in them comes back with its backslash.
//! * In ascii, a double has 17 digits where 16 do not say which number it is (it changes 45 of 100 doubles), a
//!   `longdouble` 21 where 19 do not; and a byte above 127 has three octal digits, of which it writes eleven.
//! * The padding of `longdouble` is zeros.
//! * With `no_row_counts`, a last page without rows has a blank line after it, without which no reader sees it.

mod check;
mod error;
mod file;
mod layout;
mod members;
mod pack;
mod read;
mod rows;
#[cfg(feature = "serde")]
mod serial;
#[cfg(feature = "table")]
mod table;
mod text;
mod write;

pub use check::{Partial, Unclosed, Verified};
pub use error::PageError;
pub use file::{Contents, File};
pub use layout::definition::{Array, Associate, Column, Definition, DialectType, Header, Parameter};
pub use layout::page::{Page, RowCount};
pub use layout::text::Text;
pub use layout::types::{DataType, Mode};
pub use layout::value::{ArrayValue, Elements, Value};
pub use layout::x87::X87;
pub use pack::{Compression, Packed, Unpacked};
pub use read::{ColumnBlocks, Follower, News, Options, PageFront, PageStart, Reader, StreamReader};
#[cfg(feature = "serde")]
pub use serial::{NamedPage, PageSeed};
#[cfg(feature = "table")]
pub use table::Tables;
pub use text::header::{Beneath, HeaderError, Included, Resolver};
pub use write::Writer;
