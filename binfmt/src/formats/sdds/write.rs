//! Writing a file page by page, and adding pages to one.

use crate::error::{Error, ErrorKind, Result};
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::page::Page;
use crate::formats::sdds::layout::table::RowPlan;
use crate::formats::sdds::layout::types::Mode;
use crate::formats::sdds::read::reader::Options;
use crate::formats::sdds::text::ascii;
use crate::wire::raw::out::writer_sink_in;
use crate::wire::{Be, Endian, Le};
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
}

impl<W: Write> Writer<W> {
    /// Writes the header. In a binary file that declares no byte order, it will be little-endian.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode, Writer};
    /// let file = Writer::new(Vec::new(), Header::new(Mode::Ascii))?.finish()?;
    /// assert_eq!(file, b"SDDS1\n&data mode=ascii, &end\n");
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
        Ok(Writer { out, header, plan, buffer: Vec::new(), pages: 0, open: false, parted: false })
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

    /// Writes what is left to write, and returns the writer.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Header, Mode, Writer};
    /// let file = Writer::new(Vec::new(), Header::new(Mode::Ascii))?.finish()?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The writer fails. Or no page was written to an ascii file with [`no_row_counts`](Header::no_row_counts) in which
    /// pages have rows and nothing else: readers would see a page.
    pub fn finish(mut self) -> Result<W> {
        if self.header.mode == Mode::Ascii && self.pages == 0 && !ascii::can_be_without_pages(&self.header) {
            return Err(ascii::no_page());
        }
        let end: &[u8] = if self.open { b"\n" } else { b"" };
        self.out.write_all(end)?;
        self.out.flush()?;
        Ok(self.out)
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
        let mut writer = Writer { out: file, header, plan, buffer: Vec::new(), pages, open: false, parted };
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
