//! Whether a file is sound, and whether a struct fits its columns.

use super::layout::definition::Header;
use super::layout::types::Mode;
use super::read::Reader;
use super::read::page_reader::Pages;
use super::rows::structs::match_fields;
use crate::codec::Layout;
use crate::error::{Error, Result, Step};
use crate::schema::Differences;
use crate::wire::amount::after;
use crate::wire::{Cursor, Erased, Source};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// About as many bytes are read at a time.
const BLOCK: u64 = 1 << 20;
/// As many rows, at most.
const ROWS: u64 = 8192;

impl Header {
    /// Compares a struct with the columns: each of its fields must be a column of that name and type. There may be more
    /// columns, in any order; the byte order of the file does not count.
    ///
    /// `string` is `String` or [`Text`](super::Text) with `length_prefixed(i32)`, `character` is `u8`, `longdouble` is
    /// [`X87`](super::X87). A name that Rust does not allow is said with `rename`.
    ///
    /// ```
    /// use binfmt::BinFormat;
    /// use binfmt::formats::sdds::Header;
    /// #[derive(BinFormat)]
    /// struct Row { s: f64, #[binfmt(rename = "eta/x")] eta: f32 }
    /// let (header, _) = Header::parse(
    ///     b"SDDS1\n&column name=eta/x, type=double &end\n&column name=y, type=long &end\n&data mode=ascii &end\n",
    /// ).unwrap();
    /// assert_eq!(header.check_struct::<Row>().unwrap_err().to_string(), "\
    /// 2 differences between struct `Row` and the columns:
    ///   s: struct has f64, file has nothing
    ///   eta/x: struct has f32, file has double (f64)");
    /// ```
    ///
    /// # Errors
    /// They differ: one error that lists every difference.
    pub fn check_struct<T: Layout>(&self) -> Result<(), Differences> {
        let columns = self.columns.iter().map(|c| (c.name.as_str(), c.data_type));
        match_fields::<T>(columns).map(|_| ()).map_err(|e| e.found_in("the columns"))
    }
}

/// How much of a file was read and found sound.
///
/// ```
/// let verified = binfmt::formats::sdds::Verified::default();
/// assert_eq!((verified.pages, verified.rows, verified.bytes), (0, 0, 0));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verified {
    /// Pages.
    pub pages: u64,
    /// Rows of all pages.
    pub rows: u64,
    /// Bytes of the file with its header; of a compressed one those that it becomes.
    pub bytes: u64,
    /// That the last page has fewer rows than it states. It is not damage: with `fixed_row_count` a file is so while it is written.
    pub unclosed: Option<Unclosed>,
    /// That words of an ascii file, or fixed values, are not the values that are read of them, as the official library does.
    pub partial: Option<Partial>,
}

/// Words of an ascii file, and fixed values of a header, that are not the values that are read of them. Numbers end before their words do:
/// `1.0D+05` is read as 1.0, and `2e3` as 2 where it is a `long`. Others do not fit: 70000 is read as 4464 where it is a `short`. Of a
/// `character` only the first byte is read.
///
/// ```
/// use binfmt::formats::sdds::Options;
/// let file = b"SDDS1\n&column name=x, type=double &end\n&data mode=ascii &end\n2\n7\n1,5\n";
/// let partial = Options::new().slice(file)?.verify()?.partial.unwrap();
/// assert_eq!((partial.count, &*partial.path, partial.offset), (1, "pages[0].table[1]", 65));
/// assert_eq!(partial.text, "column `x`: only the beginning of `1,5` is a double, in line 3 of the data");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Partial {
    /// How many there are.
    pub count: u64,
    /// The page and the row of the first one.
    pub path: String,
    /// Its first byte; 0 of a fixed value.
    pub offset: u64,
    /// What it is, and what is read of it.
    pub text: String,
}

impl Partial {
    fn new(count: u64, first: &Error) -> Self {
        let (path, text) = (first.path().to_string(), first.kind().to_string());
        Partial { count, path, offset: first.offset().unwrap_or(0), text }
    }
}

impl fmt::Display for Partial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Partial { count, path, offset, text } = self;
        write!(f, "{path} at byte {offset:#x}: {text}")?;
        if *count > 1 { write!(f, "; {count} such values") } else { Ok(()) }
    }
}

/// A last page with fewer rows than it states, in a file with `fixed_row_count`.
///
/// ```
/// use binfmt::formats::sdds::Unclosed;
/// let text = "pages[0] states 500 rows and has 2: the file is still being written, or was never closed";
/// assert_eq!(Unclosed { page: 0, stated: 500, rows: 2 }.to_string(), text);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unclosed {
    /// The number of the page.
    pub page: u64,
    /// The rows that it states.
    pub stated: u64,
    /// The rows that it has.
    pub rows: u64,
}

impl fmt::Display for Unclosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Unclosed { page, stated, rows } = self;
        write!(f, "pages[{page}] states {stated} rows and has {rows}: ")?;
        f.write_str("the file is still being written, or was never closed")
    }
}

impl<'de, S: Source<'de>> Reader<'de, S> {
    /// Reads the pages that are left, to the end of the file, and keeps none: all rows and columns, regardless of those that were chosen.
    /// Text is read as values. Rows of binary pages are stepped over, as any bytes are numbers and strings; with `fixed_row_count` they are
    /// read, since the number of rows is not to be trusted.
    ///
    /// ```
    /// use binfmt::formats::sdds::Options;
    /// let file = b"SDDS1\n!# fixed-rowcount\n&column name=x, type=short &end\n&data mode=ascii &end\n500\n7\n8\n";
    /// let verified = Options::new().slice(file)?.verify()?;
    /// assert_eq!((verified.pages, verified.rows, verified.bytes), (1, 2, file.len() as u64));
    /// assert_eq!(verified.unclosed.unwrap().stated, 500);
    ///
    /// let file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n2\n7\nx\n";
    /// let e = Options::new().slice(file)?.verify().unwrap_err();
    /// assert!(e.to_string().starts_with("pages[0].table"), "{e}");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The first page that is damaged or cut off.
    pub fn verify(mut self) -> Result<Verified> {
        verify(&mut self.pages, &mut self.src.erase())
    }
}

fn verify(pages: &mut Pages, src: &mut Erased<'_, '_>) -> Result<Verified> {
    let header = pages.file_header();
    let is_passed = header.mode == Mode::Binary && !header.fixed_row_count;
    let num_columns = header.columns.len() as u64;
    let fixed = partly_fixed(header);
    let names: Vec<_> = header.columns.iter().map(|column| column.name.clone()).collect();
    let wanted: Vec<&str> = names.iter().filter(|_| !is_passed).map(String::as_str).collect();
    let is_all = !is_passed && pages.header().columns.len() == names.len();
    pages.choose_rows(0..u64::MAX);
    if !is_all {
        pages.choose(&wanted)?;
    }
    pages.watch();
    // of text nothing says how long it is
    let most = ((BLOCK >> 4) / num_columns.max(1)).clamp(1, ROWS) as usize;
    let (mut verified, mut last) = (Verified::default(), 0);
    let mut page_of_first = None;
    loop {
        let page = pages.num_read();
        let is_begun = pages.begin(src)?.is_some();
        if is_begun {
            last = 0u64;
            while let Some(rows) = pages.rows_within(src, most, BLOCK)? {
                last = after(last, rows.rows());
            }
            verified.rows = after(verified.rows, last);
        }
        if page_of_first.is_none() && pages.partly().as_ref().is_some_and(|partly| partly.count > 0) {
            page_of_first = Some(page);
        }
        if !is_begun {
            break;
        }
    }
    (verified.pages, verified.bytes) = (pages.num_read() as u64, src.pos());
    let unclosed = |stated| Unclosed { page: verified.pages - 1, stated, rows: last };
    verified.unclosed = pages.stated_rows().map(unclosed);
    let found = pages.partly().take().and_then(|partly| Some((partly.count, partly.first?)));
    let of_pages = found.zip(page_of_first).map(|((count, first), page)| {
        let first = first.within(Step::Index(page)).within(Step::Field("pages"));
        Partial::new(count, &first)
    });
    verified.partial = match (fixed, of_pages) {
        (Some(fixed), Some(others)) => Some(Partial { count: after(fixed.count, others.count), ..fixed }),
        (fixed, others) => fixed.or(others),
    };
    Ok(verified)
}

/// Fixed values whose texts are not the values that are read of them.
fn partly_fixed(header: &Header) -> Option<Partial> {
    let mut found =
        header.parameters.iter().enumerate().filter_map(|(i, p)| Some((i, p, p.partly_fixed()?))).peekable();
    let (i, parameter, text) = found.peek()?;
    let text = format!("parameter `{}`: {text} as its fixed value", parameter.name);
    let first = Error::other(text).within(Step::Index(*i)).within(Step::Field("parameters"));
    Some(Partial::new(found.count() as u64, &first))
}
