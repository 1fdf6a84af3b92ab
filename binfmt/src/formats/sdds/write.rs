//! Writing a file page by page, and adding pages to one.

use crate::error::{Error, ErrorKind, Result};
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::page::Page;
use crate::formats::sdds::layout::table::RowPlan;
use crate::formats::sdds::layout::types::{DataType, Mode};
use crate::formats::sdds::layout::value::Elements;
use crate::formats::sdds::read::reader::Options;
use crate::formats::sdds::text::ascii;
use crate::wire::out::writer_sink_in;
use crate::wire::{Be, Endian, Le};
use alloc::format;
use alloc::vec::Vec;
use std::io::{Read, Seek, SeekFrom, Write};

/// Writes a file: the header at once, then page by page.
///
/// ```
/// use binfmt::formats::sdds::{Column, DataType, Elements, Header, Mode, Page, Writer};
/// let mut header = Header::new(Mode::Binary);
/// header.columns.push(Column::new("s", DataType::Double).units("m"));
/// let mut writer = Writer::new(Vec::new(), header)?;
/// let page = Page::new(writer.header(), [], [], [Elements::from(vec![0.5f64, 1.0])])?;
/// writer.write_page(&page)?;
/// let file = writer.finish()?;
/// assert!(file.starts_with(b"SDDS1\n!# little-endian\n&column name=s, units=m, type=double,  &end\n"));
/// assert!(file.ends_with(&1.0f64.to_le_bytes()));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    header: Header,
    /// How the rows of binary pages are written.
    plan: RowPlan,
    /// Bytes of a page before they go to `out`.
    buffer: Vec<u8>,
    pages: usize,
    /// Whether the last page is to be seen only when a blank line follows it.
    open: bool,
    /// Whether a blank line follows it already.
    parted: bool,
    /// Of the page that was begun: its rows, the column whose turn it is, and how many rows, or values of that column, are left.
    rows: u64,
    column: usize,
    left: u64,
}

impl<W: Write> Writer<W> {
    /// Writes the header. In a binary file that declares no byte order, it will be little-endian.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode, Writer};
    /// let file = Writer::new(Vec::new(), Header::new(Mode::Binary))?.finish()?;
    /// assert_eq!(file, b"SDDS1\n!# little-endian\n&data mode=binary, &end\n");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The header cannot be written, see [`Header::to_bytes`], or the writer fails.
    pub fn new(mut out: W, mut header: Header) -> Result<Self> {
        if header.mode == Mode::Binary {
            header.endian.get_or_insert(Endian::Little);
        }
        let text = header.to_bytes()?;
        out.write_all(&text)?;
        let plan = RowPlan::new(&header)?;
        Ok(Writer {
            out,
            header,
            plan,
            buffer: Vec::new(),
            pages: 0,
            open: false,
            parted: false,
            rows: 0,
            column: 0,
            left: 0,
        })
    }

    /// The header that the pages must fit.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode, Writer};
    /// let writer = Writer::new(Vec::new(), Header::new(Mode::Ascii))?;
    /// assert_eq!(writer.header().mode, Mode::Ascii);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Writes a page.
    ///
    /// In ascii, doubles have the 16 digits that the official library writes where these say which number it is, else 17;
    /// extended numbers 19 or 21. So all numbers read back to the same bits (a NaN loses its payload), which they do not
    /// when the official library wrote them.
    ///
    /// ```
    /// use binfmt::formats::sdds::{DataType, Header, Mode, Page, Parameter, Value, Writer};
    /// let mut header = Header::new(Mode::Ascii);
    /// header.parameters.push(Parameter::new("q", DataType::Double));
    /// let mut writer = Writer::new(Vec::new(), header)?;
    /// let page = Page::new(writer.header(), [Value::from(0.1 + 0.2)], [], [])?;
    /// writer.write_page(&page)?;
    /// assert!(writer.finish()?.ends_with(b"! page number 1\n3.0000000000000004e-01\n"));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The page does not fit the header, or the writer fails. What was written before stays written.
    pub fn write_page(&mut self, page: &Page) -> Result<()> {
        self.whole()?;
        let number = self.pages + 1;
        match self.header.mode {
            Mode::Binary => {
                page.check(&self.header)?;
                let Writer { out, header, plan, buffer, .. } = self;
                writer_sink_in(out, buffer, |out| match header.byte_order() {
                    Endian::Little => page.write::<Le, _>(out, header, plan, true),
                    Endian::Big => page.write::<Be, _>(out, header, plan, true),
                })?;
            }
            Mode::Ascii => {
                let out = &mut self.out;
                ascii::write_page(page, &self.header, (number, self.parted), &mut |text| {
                    out.write_all(text).map_err(Error::from)
                })?;
                self.parted = false;
                self.open = ascii::needs_an_end(page, &self.header);
            }
        }
        self.pages = number;
        Ok(())
    }

    /// Begins a page of that many rows, whose parameters and arrays are those of `content`; [`write_rows`](Self::write_rows) writes them block by
    /// block; where columns come one after the other, [`write_values`](Self::write_values) writes them, block by block, too.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Column, DataType, Elements, Header, Mode, Page, Writer};
    /// let mut header = Header::new(Mode::Ascii);
    /// header.columns.push(Column::new("n", DataType::Short));
    /// let rows = |v: Vec<i16>| Page::new(&header, [], [], [Elements::from(v)]);
    /// let mut writer = Writer::new(Vec::new(), header.clone())?;
    /// writer.begin_page(&rows(vec![])?, 3)?;
    /// writer.write_rows(&rows(vec![5, 6])?)?;
    /// assert!(writer.write_page(&rows(vec![])?).is_err());
    /// writer.write_rows(&rows(vec![7])?)?;
    /// assert!(writer.finish()?.ends_with(b"! page number 1\n                   3\n5 \n6 \n7 \n"));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The parameters or arrays do not fit the header, the page before has too few rows, or the writer fails.
    pub fn begin_page(&mut self, content: &Page, rows: u64) -> Result<()> {
        self.whole()?;
        content.check_head(&self.header)?;
        let number = self.pages + 1;
        let Writer { out, header, buffer, parted, .. } = self;
        match header.mode {
            Mode::Binary => {
                writer_sink_in(out, buffer, |out| match header.byte_order() {
                    Endian::Little => content.write_head::<Le, _>(rows, out, header),
                    Endian::Big => content.write_head::<Be, _>(rows, out, header),
                })?;
            }
            Mode::Ascii => {
                let mut put = |text: &[u8]| out.write_all(text).map_err(Error::from);
                ascii::write_head(content, rows, header, (number, *parted), &mut put)?;
                self.parted = false;
                self.open = rows == 0 && ascii::needs_an_end(content, &self.header);
            }
        }
        self.pages = number;
        (self.rows, self.column, self.left) =
            (rows, 0, if self.header.columns.is_empty() { 0 } else { rows });
        Ok(())
    }

    /// Writes values of the column whose turn it is, in a page that was [begun](Self::begin_page) and whose columns come one after the other.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Column, DataType, Elements, Header, Mode, Page, Writer};
    /// let mut header = Header::new(Mode::Binary);
    /// header.column_major = true;
    /// header.columns = vec![Column::new("a", DataType::Short), Column::new("b", DataType::Short)];
    /// let [a, b] = [vec![1i16, 2], vec![3, 4]].map(Elements::from);
    /// let page = Page::new(&header, [], [], [a.clone(), b.clone()])?;
    /// let mut writer = Writer::new(Vec::new(), header.clone())?;
    /// writer.begin_page(&page, 2)?;
    /// writer.write_values(&a)?;
    /// writer.write_values(&Elements::from(vec![3i16]))?;
    /// writer.write_values(&Elements::from(vec![4i16]))?;
    /// let mut whole = Writer::new(Vec::new(), header)?;
    /// whole.write_page(&page)?;
    /// assert_eq!(writer.finish()?, whole.finish()?);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// They are of another type, or more than the column has left; rows come one after the other; or the writer fails.
    pub fn write_values(&mut self, values: &Elements) -> Result<()> {
        let (of_columns, left) = (self.header.is_column_major(), self.left);
        let Writer { out, header, plan, buffer, column, .. } = self;
        let expected = header.columns.get(*column).filter(|_| of_columns).map(|column| column.data_type);
        if !expected.is_some_and(|expected| values.is_of(expected)) {
            let expected = expected.map_or("rows", DataType::name).to_owned();
            let found = values.data_type().map_or("other values", DataType::name).to_owned();
            return Err(ErrorKind::mismatch("values of a column", expected, found).into());
        }
        let Some(left) = left.checked_sub(values.len() as u64) else {
            return Err(Error::other(format!("a block of {} values where {left} are left", values.len())));
        };
        writer_sink_in(out, buffer, |out| match header.byte_order() {
            Endian::Little => plan.write_values::<Le, _>(*column, values, out),
            Endian::Big => plan.write_values::<Be, _>(*column, values, out),
        })?;
        self.left = left;
        if left == 0 {
            *column += 1;
            self.left = if *column < self.header.columns.len() { self.rows } else { 0 };
        }
        Ok(())
    }

    /// Writes rows of the page that was [begun](Self::begin_page): of `rows` only the columns count.
    ///
    /// # Errors
    /// The columns do not fit the header, there are more than the page has, or the writer fails.
    pub fn write_rows(&mut self, rows: &Page) -> Result<()> {
        rows.table.check(&self.header)?;
        if self.header.is_column_major() && rows.rows() != self.left {
            return Err(Error::other("rows where columns come one after the other"));
        }
        let Some(left) = self.left.checked_sub(rows.rows()) else {
            return Err(Error::other(format!(
                "a block of {} rows where {} are left",
                rows.rows(),
                self.left
            )));
        };
        let Writer { out, header, plan, buffer, .. } = self;
        match (header.mode, header.byte_order()) {
            (Mode::Binary, Endian::Little) => {
                writer_sink_in(out, buffer, |out| plan.write::<Le, _>(&rows.table, out))?;
            }
            (Mode::Binary, Endian::Big) => {
                writer_sink_in(out, buffer, |out| plan.write::<Be, _>(&rows.table, out))?;
            }
            (Mode::Ascii, _) => {
                let mut put = |text: &[u8]| out.write_all(text).map_err(Error::from);
                ascii::write_rows(&rows.table.columns, header, &mut put)?;
            }
        }
        self.left = left;
        Ok(())
    }

    /// The page that was begun must have all its rows.
    fn whole(&self) -> Result<()> {
        match self.left {
            0 => Ok(()),
            left => Err(Error::other(format!("the page has {left} rows that were not written"))),
        }
    }

    /// Writes what is left to write, and returns the writer.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode, Writer};
    /// let file = Writer::new(Vec::new(), Header::new(Mode::Binary))?.finish()?;
    /// // no page of it would write anything
    /// assert!(Writer::new(Vec::new(), Header::new(Mode::Ascii))?.finish().is_err());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The writer fails. Or no page was written to an ascii file with [`no_row_counts`](Header::no_row_counts) in which
    /// pages have rows and nothing else: readers would see a page. Or there is not one page in an ascii file in which pages have neither
    /// columns nor values of their own: readers would see one.
    pub fn finish(mut self) -> Result<W> {
        self.whole()?;
        if self.header.mode == Mode::Ascii {
            ascii::check_pages(&self.header, self.pages)?;
        }
        let end: &[u8] = if self.open { b"\n" } else { b"" };
        self.out.write_all(end)?;
        self.out.flush()?;
        Ok(self.out)
    }
}

#[cfg(feature = "table")]
impl<W: Write> Writer<W> {
    /// What is written to.
    pub(super) fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// Ends the page that was begun with the rows that it has; how many were to come.
    pub(super) fn cut_page(&mut self) -> u64 {
        core::mem::take(&mut self.left)
    }
}

impl<F: Read + Write + Seek> Writer<F> {
    /// Goes to the end of a file that is there, so that pages can be added to it.
    ///
    /// The file is stepped through first: after a page that is cut off no other can be found.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Elements, Options, Page, Writer};
    /// use std::io::Cursor;
    /// let file = b"SDDS1\n!# little-endian\n&column name=x, type=short &end\n&data mode=binary &end\n\x01\0\0\0\x07\0".to_vec();
    /// let mut writer = Writer::append(Cursor::new(file), Options::new())?;
    /// let page = Page::new(writer.header(), [], [], [Elements::from(vec![8i16])])?;
    /// writer.write_page(&page)?;
    /// let file = writer.finish()?.into_inner();
    /// assert!(file.ends_with(b"\x01\0\0\0\x07\0\x01\0\0\0\x08\0"));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be read to its end, or has bytes after its last page.
    pub fn append(mut file: F, open: Options<'_>) -> Result<Self> {
        file.rewind()?;
        let mut reader = open.reader(&mut file)?;
        let mut at_end = false;
        while reader.skip_page()? {
            at_end = reader.text_place().cut;
        }
        let (header, end, pages) = (reader.file_header().clone(), reader.offset(), reader.num_read());
        if reader.is_cut() {
            return Err(Error::message("the last page is not complete: its number of rows is larger", end));
        }
        let size = file.seek(SeekFrom::End(0)).map_err(|e| Error::new(ErrorKind::Io(e), end))?;
        if size != end {
            return Err(Error::new(ErrorKind::TrailingBytes { count: size.saturating_sub(end) }, end));
        }
        let parted = header.no_row_counts && pages > 0 && !at_end;
        let plan = RowPlan::new(&header)?;
        let mut writer = Writer {
            out: file,
            header,
            plan,
            buffer: Vec::new(),
            pages,
            open: false,
            parted,
            rows: 0,
            column: 0,
            left: 0,
        };
        if writer.header.mode == Mode::Ascii {
            writer.end_line()?;
        }
        Ok(writer)
    }

    /// Ends the last line of the file, if nothing does.
    fn end_line(&mut self) -> Result<()> {
        let mut last = [b'\n'];
        self.out.seek(SeekFrom::End(-1))?;
        self.out.read_exact(&mut last)?;
        self.out.seek(SeekFrom::End(0))?;
        if last != *b"\n" {
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }
}
