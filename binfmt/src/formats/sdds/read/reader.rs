//! Opening a file, and reading it page by page.

use super::open_page::PageFront;
use super::page_reader::Pages;
#[cfg(feature = "table")]
use super::pages::ReadPlace;
use crate::error::{Error, Result};
use crate::formats::sdds::error::PageError;
use crate::formats::sdds::layout::definition::Header;
use crate::formats::sdds::layout::page::Page;
#[cfg(feature = "table")]
use crate::formats::sdds::layout::table::RowPlan;
use crate::formats::sdds::pack::{Compression, Unpacked};
use crate::formats::sdds::text::header::{self, HeaderError, Resolver, Rules};
use crate::wire::Stream;
use crate::wire::amount::times64;
use crate::wire::options::{Limits, Policy};
use crate::wire::{Endian, Erased, Slice, Source};
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use std::io::{Read, Seek};
use std::sync::Arc;

/// How a file is opened: what its header may include, what it may take, and what is assumed of it.
///
/// ```
/// use binfmt::formats::sdds::{Elements, Options};
/// let file = b"SDDS1\n!# big-endian\n&column name=x, type=short &end\n&data mode=binary &end\n\0\0\0\x02\0\x01\0\x02";
/// let mut reader = Options::new().slice(file)?;
/// let page = reader.next_page()?.unwrap();
/// assert_eq!(page.columns(), [Elements::from(vec![1i16, 2])]);
/// assert!(reader.next_page()?.is_none());
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    resolver: Option<&'a dyn Resolver>,
    any_names: bool,
    endian: Option<Endian>,
    memory: Option<usize>,
    unpacked: Option<u64>,
    huge_pages: Option<bool>,
}

/// What a compressed file may become, unless the caller says otherwise.
const MOST_UNPACKED: u64 = 16 << 30;

impl<'a> Options<'a> {
    /// Nothing may be included, names are checked, memory is bounded by the file.
    ///
    /// ```
    /// assert!(binfmt::formats::sdds::Options::new().slice(b"SDDS1\n&data mode=ascii &end\n").is_ok());
    /// ```
    pub fn new() -> Self {
        Options::default()
    }

    /// The header may include the files that this resolver finds.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Beneath, Options};
    /// let here = Beneath::new(".");
    /// let open = Options::new().include(&here);
    /// ```
    #[must_use]
    pub fn include(mut self, resolver: &'a dyn Resolver) -> Self {
        self.resolver = Some(resolver);
        self
    }

    /// Takes names that the rules of the format do not allow, as long as they are UTF-8.
    ///
    /// ```
    /// use binfmt::formats::sdds::Options;
    /// let file = b"SDDS1\n&column name=1x, type=short &end\n&data mode=ascii &end\n";
    /// assert!(Options::new().slice(file).is_err());
    /// assert_eq!(Options::new().any_names(true).slice(file)?.header().columns[0].name, "1x");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn any_names(mut self, on: bool) -> Self {
        self.any_names = on;
        self
    }

    /// The byte order of a binary file whose header declares none. Without this it is that of the machine, and a page of
    /// more than ten million rows is refused, because its number of rows is then probably swapped.
    ///
    /// ```
    /// use binfmt::{Endian, formats::sdds::Options};
    /// let file = b"SDDS1\n&column name=x, type=short &end\n&data mode=binary &end\n\0\0\0\x01\0\x07";
    /// let page = Options::new().assume(Endian::Big).slice(file)?.next_page()?.unwrap();
    /// assert_eq!(page.rows(), 1);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn assume(mut self, endian: Endian) -> Self {
        self.endian = Some(endian);
        self
    }

    /// The most bytes of memory that one page may allocate. Without it, a length is believed only as far as bytes are
    /// there.
    ///
    /// ```
    /// use binfmt::formats::sdds::Options;
    /// let file = b"SDDS1\n!# little-endian\n&column name=x, type=short &end\n&data mode=binary &end\n\x02\0\0\0\x01\0\x02\0";
    /// assert!(Options::new().max_memory(3).slice(file)?.next_page().is_err());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn max_memory(mut self, bytes: usize) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Asks for huge pages for large columns, or does not: see [`Options::huge_pages`](crate::Options::huge_pages).
    ///
    /// ```
    /// use binfmt::formats::sdds::Options;
    /// assert!(Options::new().huge_pages(true).slice(b"SDDS1\n&data mode=ascii &end\n").is_ok());
    /// ```
    #[must_use]
    pub fn huge_pages(mut self, on: bool) -> Self {
        self.huge_pages = Some(on);
        self
    }

    /// Opens a file in memory, or one that is mapped into it.
    ///
    /// ```
    /// let e = binfmt::formats::sdds::Options::new().slice(b"PK").unwrap_err();
    /// assert!(e.to_string().contains("not an SDDS file"));
    /// ```
    ///
    /// # Errors
    /// The bytes do not begin with a header.
    pub fn slice(self, bytes: &[u8]) -> Result<Reader<'_, Slice<'_>>> {
        self.read_header(Slice::with(bytes, Limits::DEFAULT, self.policy()))
    }

    /// Opens a stream, which is read in blocks and only forward.
    ///
    /// ```
    /// let file = &b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n1\n7\n"[..];
    /// let mut reader = binfmt::formats::sdds::Options::new().reader(file)?;
    /// assert_eq!(reader.next_page()?.unwrap().rows(), 1);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The stream fails, or does not begin with a header.
    pub fn reader<R: Read>(self, reader: R) -> Result<Reader<'static, Stream<R>>> {
        self.read_header(Stream::with(reader, Limits::DEFAULT, self.policy(), false))
    }

    /// The most bytes that a compressed file may become, 16 GiB without this.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Compression, Header, Mode, Options, Packed, Writer};
    /// let packed = Packed::new(Vec::new(), Compression::Gzip)?;
    /// let file = Writer::new(packed, Header::new(Mode::Binary))?.finish()?.finish()?;
    /// assert!(Options::new().packed(&file[..]).is_ok());
    /// assert!(Options::new().max_unpacked(9).packed(&file[..]).is_err());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn max_unpacked(mut self, bytes: u64) -> Self {
        self.unpacked = Some(bytes);
        self
    }

    /// Opens a stream that may be compressed, which its first bytes tell: gzip, xz, or the old lzma form.
    ///
    /// Offsets in errors count decompressed bytes.
    ///
    /// ```
    /// let file = &b"SDDS1\n&data mode=ascii &end\n"[..];
    /// assert!(binfmt::formats::sdds::Options::new().packed(file).is_ok());
    /// ```
    ///
    /// # Errors
    /// The stream fails, or does not contain a file that begins with a header.
    pub fn packed<R: Read>(self, reader: R) -> Result<Reader<'static, Stream<Unpacked<R>>>> {
        self.reader(Unpacked::new(reader, self.unpacked.unwrap_or(MOST_UNPACKED))?)
    }

    /// [`packed`](Self::packed) of a stream that may be a file: what is stepped over of a plain one is not read. Where it
    /// cannot be sought, because it is a pipe, it is read.
    ///
    /// ```
    /// use std::io::Cursor;
    /// let file = Cursor::new(b"SDDS1\n&data mode=ascii &end\n");
    /// assert!(binfmt::formats::sdds::Options::new().seekable(file).is_ok());
    /// ```
    ///
    /// # Errors
    /// Those of [`packed`](Self::packed).
    pub fn seekable<R: Read + Seek>(self, reader: R) -> Result<Reader<'static, Stream<Unpacked<R>>>> {
        let reader = Unpacked::new(reader, self.unpacked.unwrap_or(MOST_UNPACKED))?;
        let stream = Stream::with(reader, Limits::DEFAULT, self.policy(), false);
        self.read_header(stream.leaping(Unpacked::leap))
    }

    /// Opens a file that may be compressed: [`packed`](Self::packed) of the file of this name.
    ///
    /// ```no_run
    /// let reader = binfmt::formats::sdds::Options::new().file("orbit.sdds.gz")?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no such file, or it does not begin with a header.
    pub fn file(
        self,
        path: impl AsRef<std::path::Path>,
    ) -> Result<Reader<'static, Stream<Unpacked<std::fs::File>>>> {
        let file = std::fs::File::open(path)?;
        let size = file.metadata().map_or(0, |about| stored_size(&about));
        let reader = Unpacked::new(file, self.unpacked.unwrap_or(MOST_UNPACKED))?;
        // what a compressed file becomes, its size does not tell
        let size = if reader.compression() == Compression::None { size } else { 0 };
        let stream = Stream::with(reader, Limits::DEFAULT, self.policy(), false);
        self.read_header(stream.likely_to_end_at(size).leaping(Unpacked::leap))
    }

    /// What a compressed stream becomes, up to the limit.
    #[cfg(feature = "table")]
    pub(crate) fn unpack<R: Read>(&self, reader: R) -> std::io::Result<Unpacked<R>> {
        Unpacked::new(reader, self.unpacked.unwrap_or(MOST_UNPACKED))
    }

    /// A stream that steps over bytes in its own way.
    #[cfg(feature = "table")]
    pub(crate) fn leaping<R: Read>(
        self,
        reader: R,
        leap: crate::wire::stream::Leap<R>,
    ) -> Result<Reader<'static, Stream<R>>> {
        self.read_header(Stream::with(reader, Limits::DEFAULT, self.policy(), false).leaping(leap))
    }

    fn policy(&self) -> Policy {
        Policy { huge_pages: self.huge_pages, ..Policy::STRICT }
    }

    fn limits(&self) -> Limits {
        Limits { memory: self.memory.unwrap_or(usize::MAX), ..Limits::DEFAULT }
    }

    fn read_header<'de, S: Source<'de>>(self, mut src: S) -> Result<Reader<'de, S>> {
        let pages = self.begin(&mut src.erase())?;
        Ok(Reader { src, pages, life: PhantomData })
    }

    fn begin(self, src: &mut Erased<'_, '_>) -> Result<Pages> {
        let rules = Rules { resolver: self.resolver, any_names: self.any_names };
        let mut file = header::read(src, rules).map_err(<Error as From<HeaderError>>::from)?;
        file.endian = file.endian.or(self.endian);
        Ok(Pages::new(Arc::new(file), self.limits()))
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("include", &self.resolver.is_some())
            .field("any_names", &self.any_names)
            .field("assume", &self.endian)
            .field("max_memory", &self.memory)
            .field("max_unpacked", &self.unpacked)
            .field("huge_pages", &self.huge_pages)
            .finish()
    }
}

/// The bytes of a file that are stored somewhere: a file of terabytes may be nothing but a hole, for which no memory is made
/// before it has been read.
fn stored_size(about: &std::fs::Metadata) -> u64 {
    if !about.is_file() {
        return 0;
    }
    #[cfg(unix)]
    {
        // blocks of 512 bytes, regardless of those of the file system
        let stored = times64(std::os::unix::fs::MetadataExt::blocks(about), 512);
        about.len().min(stored)
    }
    #[cfg(not(unix))]
    about.len()
}

/// The header of a file, and its pages one after the other. Made by [`Options`].
///
/// It is an iterator, too, which ends after the first error.
///
/// ```
/// use binfmt::formats::sdds::Options;
/// let file = b"SDDS1\n&parameter name=n, type=long &end\n&data mode=ascii &end\n1\n2\n3\n";
/// let pages = Options::new().slice(file)?.collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(pages.len(), 3);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub struct Reader<'de, S> {
    pub(crate) src: S,
    pub(crate) pages: Pages,
    life: PhantomData<&'de [u8]>,
}

/// A [`Reader`] of a stream, for structs that hold one. After [`Options::packed`], `R` is [`Unpacked`] of the stream.
///
/// ```
/// use binfmt::formats::sdds::{Options, StreamReader};
/// struct Log<'a> {
///     pages: StreamReader<&'a [u8]>,
/// }
/// let log = Log { pages: Options::new().reader(&b"SDDS1\n&data mode=ascii &end\n"[..])? };
/// assert_eq!(log.pages.num_read(), 0);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub type StreamReader<R> = Reader<'static, Stream<R>>;

impl<S> fmt::Debug for Reader<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader")
            .field("header", &self.pages.file)
            .field("place", &self.pages.place)
            .finish_non_exhaustive()
    }
}

impl<S> Reader<'_, S> {
    /// Pages of a file with this header, from a source that begins with one.
    pub(crate) fn after_header(src: S, header: Arc<Header>) -> Self {
        Reader { src, pages: Pages::new(header, Limits::DEFAULT), life: PhantomData }
    }

    /// The same reader, whose source is at the beginning of a page.
    #[cfg(feature = "table")]
    pub(crate) fn at_page(mut self, place: ReadPlace) -> Self {
        let whole = self.pages.place.whole.take();
        self.pages.place = ReadPlace { whole, ..place };
        self
    }

    /// The plan of all columns of binary rows, if one was made.
    #[cfg(feature = "table")]
    pub(crate) fn plan(&mut self) -> &mut Option<RowPlan> {
        &mut self.pages.place.whole
    }

    /// The header, to be shared.
    #[cfg(feature = "table")]
    pub(crate) fn shared_header(&self) -> Arc<Header> {
        Arc::clone(&self.pages.file)
    }

    /// Where the text of an ascii file stands.
    pub(crate) fn text_place(&self) -> crate::formats::sdds::text::ascii::TextPlace {
        self.pages.place.text
    }

    /// The header of the pages that are read: that of the file, with the chosen columns only.
    ///
    /// ```
    /// let file = b"SDDS1\n&data mode=ascii &end\n";
    /// assert!(binfmt::formats::sdds::Options::new().slice(file)?.header().columns.is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn header(&self) -> &Header {
        self.pages.header()
    }

    /// The header of the file.
    ///
    /// ```
    /// let file = b"SDDS1\n&column name=x, type=short &end\n&data mode=ascii &end\n";
    /// let reader = binfmt::formats::sdds::Options::new().slice(file)?.columns(&[])?;
    /// assert_eq!((reader.file_header().columns.len(), reader.header().columns.len()), (1, 0));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn file_header(&self) -> &Header {
        self.pages.file_header()
    }

    /// With that much memory for a page.
    #[cfg_attr(not(feature = "table"), expect(dead_code, reason = "tables use it"))]
    pub(crate) fn within(mut self, memory: usize) -> Self {
        self.pages.limits.memory = memory;
        self
    }

    /// Decodes these columns only, and steps over the others. They come in the order of the file. What is wrong with what is stepped
    /// over may stay unsaid: a line of text from which no value is wanted is not looked at.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Elements, Options};
    /// let file = b"SDDS1\n&column name=x, type=long &end\n&column name=y, type=long &end\n&data mode=ascii &end\n2\n1 2\n3 4\n";
    /// let mut reader = Options::new().slice(file)?.columns(&["y"])?;
    /// assert_eq!(reader.next_page()?.unwrap().columns(), [Elements::from(vec![2i32, 4])]);
    /// let e = Options::new().slice(file)?.columns(&["z"]).unwrap_err();
    /// assert_eq!(e.to_string(), "unknown column `z`, expected one of `x`, `y`");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A name is not that of a column.
    pub fn columns(mut self, names: &[&str]) -> Result<Self> {
        self.pages.choose(names)?;
        Ok(self)
    }

    /// Decodes these rows of each page only, counted from 0, and steps over the others.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Elements, Options};
    /// let file = b"SDDS1\n&column name=x, type=long &end\n&data mode=ascii &end\n3\n5\n6\n7\n";
    /// let mut reader = Options::new().slice(file)?.rows(1..2);
    /// assert_eq!(reader.next_page()?.unwrap().columns(), [Elements::from(vec![6i32])]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn rows(mut self, rows: Range<u64>) -> Self {
        self.pages.choose_rows(rows);
        self
    }

    /// Decodes these rows of the pages that come next only.
    #[cfg(feature = "table")]
    pub(crate) fn choose_rows(&mut self, rows: Range<u64>) {
        self.pages.choose_rows(rows);
    }

    /// How many pages were read or stepped over.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::Options::new().slice(b"SDDS1\n&data mode=ascii &end\n")?.num_read(), 0);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn num_read(&self) -> usize {
        self.pages.num_read()
    }

    /// The byte of a binary file where the rows of the last page begin: what [`ColumnBlocks`](super::ColumnBlocks) reads.
    ///
    /// ```
    /// let file = b"SDDS1\n!# little-endian\n&column name=x, type=short &end\n&data mode=binary &end\n\x01\0\0\0\x07\0";
    /// let mut reader = binfmt::formats::sdds::Options::new().slice(file)?;
    /// reader.next_page()?;
    /// assert_eq!(reader.rows_offset(), file.len() as u64 - 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn rows_offset(&self) -> u64 {
        self.pages.place.table
    }

    /// Whether the last page has fewer rows than it says: a file with `fixed_row_count` whose writer has not closed it.
    ///
    /// ```
    /// let file = b"SDDS1\n!# little-endian fixed-rowcount\n&column name=x, type=short &end\n&data mode=binary &end\n\x09\0\0\0\x07\0";
    /// let mut reader = binfmt::formats::sdds::Options::new().slice(file)?;
    /// assert_eq!(reader.next_page()?.unwrap().rows(), 1);
    /// assert!(reader.is_cut());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn is_cut(&self) -> bool {
        self.pages.place.stated.is_some()
    }

    /// How many rows the last page says it has, where it [has fewer](Self::is_cut).
    ///
    /// ```
    /// let file = b"SDDS1\n!# fixed-rowcount\n&column name=x, type=short &end\n&data mode=ascii &end\n500\n7\n8\n";
    /// let mut reader = binfmt::formats::sdds::Options::new().slice(file)?;
    /// assert_eq!(reader.next_page()?.unwrap().rows(), 2);
    /// assert_eq!(reader.stated_rows(), Some(500));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn stated_rows(&self) -> Option<u64> {
        self.pages.stated_rows()
    }
}

impl<'de, S: Source<'de>> Reader<'de, S> {
    /// The next page; `None` after the last one.
    ///
    /// Up to three bytes after the last binary page are passed over.
    ///
    /// ```
    /// let file = b"SDDS1\n&data mode=ascii &end\n";
    /// // all of its parameters are fixed, of which there are none: a page without a text
    /// assert!(binfmt::formats::sdds::Options::new().slice(file)?.next_page()?.is_some());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The page is damaged or cut off. The error may hold its whole rows: [`PageError::recover`]. In a file with
    /// `fixed_row_count` a cut of the rows is not an error, but the end of the last page.
    pub fn next_page(&mut self) -> Result<Option<Page>, PageError> {
        self.pages.next(&mut self.src.erase())
    }

    /// Steps over a page; false after the last one.
    ///
    /// ```
    /// let file = b"SDDS1\n&parameter name=n, type=long &end\n&data mode=ascii &end\n1\n2\n";
    /// let mut reader = binfmt::formats::sdds::Options::new().slice(file)?;
    /// assert!(reader.skip_page()?);
    /// assert_eq!(reader.next_page()?.unwrap().parameters(), [binfmt::formats::sdds::Value::from(2i32)]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The page is damaged or cut off.
    pub fn skip_page(&mut self) -> Result<bool, PageError> {
        self.pages.skip(&mut self.src.erase())
    }

    /// Where the next page begins, for [`go_to`](Reader::go_to).
    ///
    /// ```
    /// let file = b"SDDS1\n&parameter name=n, type=long &end\n&data mode=ascii &end\n1\n2\n";
    /// let reader = binfmt::formats::sdds::Options::new().slice(file)?;
    /// assert_eq!(reader.page_front().number(), 0);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn page_front(&self) -> PageFront {
        self.pages.front_at(self.src.pos())
    }

    /// The byte of the file after what was read: where the next page begins.
    ///
    /// ```
    /// let file = b"SDDS1\n&data mode=ascii &end\n";
    /// assert_eq!(binfmt::formats::sdds::Options::new().slice(file)?.offset(), 28);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn offset(&self) -> u64 {
        self.src.pos()
    }
}

impl<'de, S: Source<'de>> Iterator for Reader<'de, S> {
    type Item = Result<Page, PageError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_page().transpose()
    }
}
