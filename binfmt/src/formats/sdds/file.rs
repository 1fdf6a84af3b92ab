//! A whole file as one value.

use crate::BinFormat;
use crate::error::{Error, ErrorKind, Result};
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::page::Page;
use crate::formats::sdds::layout::table::{Chosen, RowPlan};
use crate::formats::sdds::layout::types::Mode;
use crate::formats::sdds::read::pages::{ReadPlace, next};
use crate::formats::sdds::text::ascii;
use crate::formats::sdds::text::header::{Rules, read};
use crate::wire::{Be, Cursor, Endian, Erased, Le, Order, Sink, Source};
use alloc::format;
use alloc::vec::Vec;

/// A file in memory, with all its pages: header text, then binary or ascii pages.
///
/// For tools that look at small files as a whole; [`Options`](super::Options) reads page by page, and tells more when a page
/// is damaged.
///
/// ```
/// use binfmt::formats::sdds::File;
/// let bytes = b"SDDS1\n!# little-endian\n&column name=x, type=short,  &end\n&data mode=binary, &end\n\x01\0\0\0\x07\0";
/// let file: File = binfmt::from_slice(bytes)?;
/// assert_eq!(file.pages[0].rows(), 1);
/// assert_eq!(binfmt::to_vec(&file)?, bytes);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct File {
    /// The header.
    #[binfmt(decode_with = header, encode_with = put_header)]
    pub header: Header,
    /// The pages.
    #[binfmt(decode_with = pages, encode_with = put_pages, args(header))]
    pub pages: Vec<Page>,
}

/// The header's text. Like all functions of a field, it is called with a byte order.
#[allow(clippy::extra_unused_type_parameters)]
fn header<'de, O: Order, S: Source<'de>>(src: &mut S) -> Result<Header> {
    let src = &mut src.erase();
    Ok(read(src, Rules { resolver: None, any_names: false })?)
}

#[allow(clippy::extra_unused_type_parameters)]
fn put_header<O: Order, W: Sink>(header: &Header, out: &mut W) -> Result<()> {
    out.bytes(&header.to_bytes()?, 0)
}

/// Columns without a value, beyond one for each byte: they take memory for which no bytes stand.
const MOST_EMPTY: u64 = 1 << 16;

/// Pages up to the end of the input, in the byte order of the header.
#[allow(clippy::extra_unused_type_parameters)]
fn pages<'de, O: Order, S: Source<'de>>(src: &mut S, header: &Header) -> Result<Vec<Page>> {
    let src = &mut src.erase();
    let mut place = ReadPlace::default();
    let mut all = Vec::new();
    let mut empty = 0u64;
    while let Some(page) = next(src, header, &mut place, &Chosen::ALL)? {
        src.charge(size_of::<Page>())?;
        if page.rows() == 0 {
            empty += header.columns.len() as u64;
        }
        if empty > src.pos() + MOST_EMPTY {
            return Err(Error::message("too many pages without rows to hold all at once", src.pos()));
        }
        all.push(page);
    }
    unfinished(src, &place)?;
    Ok(all)
}

/// The row that is being written.
fn unfinished(src: &mut Erased<'_, '_>, place: &ReadPlace) -> Result<()> {
    while place.stated.is_some() && !src.at_end()? {
        let n = src.chunk()?;
        src.skip(n as u64)?;
    }
    Ok(())
}

/// The header and the pages of a file.
///
/// Of the pages nothing is kept but how many there are: an [annotated dump in parts](crate::dump::trace_in_parts) takes no memory for
/// the rows. [`File`] is the same with its pages.
///
/// ```
/// use binfmt::formats::sdds::Contents;
/// let contents: Contents = binfmt::from_slice(b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n1\n7\n")?;
/// assert_eq!((contents.header.columns.len(), contents.pages), (1, 1));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
pub struct Contents {
    /// The header.
    #[binfmt(decode_with = header, encode_with = put_header)]
    pub header: Header,
    /// How many pages there are.
    #[binfmt(decode_with = passed, encode_with = kept, args(header))]
    pub pages: u64,
}

/// Steps over pages up to the end of the input.
#[allow(clippy::extra_unused_type_parameters)]
fn passed<'de, O: Order, S: Source<'de>>(src: &mut S, header: &Header) -> Result<u64> {
    let src = &mut src.erase();
    let mut place = ReadPlace::default();
    while next(src, header, &mut place, &Chosen::PASSED)?.is_some() {}
    unfinished(src, &place)?;
    Ok(place.pages as u64)
}

/// They are not there.
#[allow(clippy::extra_unused_type_parameters)]
fn kept<O: Order, W: Sink>(pages: &u64, _: &mut W, _: &Header) -> Result<()> {
    Err(ErrorKind::unsupported("the contents of a file", format!("encoding: {pages} pages were not kept"))
        .into())
}

#[allow(clippy::extra_unused_type_parameters)]
fn put_pages<O: Order, W: Sink>(pages: &[Page], out: &mut W, header: &Header) -> Result<()> {
    let mut plan = RowPlan::new(header)?;
    for (i, page) in pages.iter().enumerate() {
        match (header.mode, header.byte_order()) {
            (Mode::Binary, Endian::Little) => page.write::<Le, W>(out, header, &mut plan, false)?,
            (Mode::Binary, Endian::Big) => page.write::<Be, W>(out, header, &mut plan, false)?,
            (Mode::Ascii, _) => {
                ascii::write_page(page, header, (i + 1, false), &mut |text| out.bytes(text, 0))?;
            }
        }
    }
    if header.mode == Mode::Binary {
        return Ok(());
    }
    ascii::check_pages(header, pages.len())?;
    match pages.last() {
        Some(page) if ascii::needs_an_end(page, header) => out.bytes(b"\n", 0),
        _ => Ok(()),
    }
}
