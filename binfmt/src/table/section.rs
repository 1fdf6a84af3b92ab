//! What explains the bytes of a file.

use crate::codec::{DecodeOwned, Layout};
use crate::columns::Plan;
use crate::dump::{PartOptions, Trace, in_parts_from, trace_reader_with, trace_with};
use crate::error::{Error, Result};
use crate::schema::{Description, Schema};
use crate::value::{Program, Value};
use crate::wire::Options;
use crate::wire::amount::{after, times64};
use crate::wire::stream::Steady;
use std::borrow::Cow;
use std::fmt;
use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

/// Bytes of a file that one layout explains: one value, or rows, one after the other. A [`TableFormat`](super::TableFormat) gives
/// [those of a file](super::TableFormat::sections), so that a dump tells what each byte is, beyond what is in the columns.
///
/// ```
/// use binfmt::{BinFormat, dump::PartOptions, table::Section};
/// #[derive(BinFormat)]
/// #[binfmt(le, magic = b"LOG1")]
/// struct Header { count: u16 }
///
/// let file = b"LOG1\x02\0\x07\x08";
/// let header = Section::of::<Header>().between(0..6).named("header");
/// let rows = Section::described(&"record, le\n  level: u8\n".parse().unwrap())?.rows().between(6..8);
/// let mut lines = Vec::new();
/// for section in [header, rows] {
///     let start = section.bytes().start;
///     let bytes = &file[start as usize..section.bytes().end as usize];
///     section.trace(bytes, (start, 0), PartOptions::new(), |part| {
///         lines.extend(part.nodes().filter(|node| !node.is_group()).map(|node| (node.range(), node.path())));
///         true
///     })?;
/// }
/// assert_eq!(lines[1..], [(4..6, "header.count".into()), (6..7, "[0].level".into()), (7..8, "[1].level".into())]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone)]
pub struct Section {
    bytes: Range<u64>,
    name: String,
    is_rows: bool,
    is_whole: bool,
    options: Options,
    layout: Text,
    /// Bytes of each row, if all have the same number.
    row_size: Option<u64>,
    run: Arc<Run>,
}

/// Where a layout comes from.
#[derive(Clone)]
enum Text {
    Type(Schema),
    Given(Arc<Program>),
}

/// Runs the decoder on the tracing source.
type Run = dyn Fn(&mut dyn Read, &Work<'_>, Give<'_>) -> Result<()> + Send + Sync;

/// Takes the parts; whether it wants more.
type Give<'a> = &'a mut dyn FnMut(&Trace) -> bool;

/// What is explained now.
struct Work<'a> {
    section: &'a Section,
    start: (u64, u64),
    parts: PartOptions,
}

impl fmt::Debug for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.is_rows { "rows" } else { &self.name };
        f.debug_struct("Section").field("bytes", &self.bytes).field("name", &name).finish_non_exhaustive()
    }
}

impl Section {
    /// One value of a type, from the front of the file to its end.
    ///
    /// ```
    /// use binfmt::table::Section;
    /// assert_eq!(Section::of::<u32>().layout().to_string().trim_end(), "u32");
    /// ```
    pub fn of<T: DecodeOwned + Layout + 'static>() -> Self {
        Section::new::<T>(Arc::new(|bytes, work, give| work.run::<T, ()>(bytes, (), give)))
    }

    /// The same of a type that is decoded with a context: what else is known of the file, a header that was read before.
    ///
    /// ```
    /// use binfmt::{BinFormat, dump::PartOptions, table::Section};
    /// #[derive(BinFormat)]
    /// #[binfmt(le, ctx(width: &usize))]
    /// struct Row { #[binfmt(count = *width)] cells: Vec<u8> }
    /// let mut rows = 0;
    /// Section::with_context::<Row, usize>(2).rows().trace(&[1u8, 2, 3, 4][..], (0, 0), PartOptions::new(), |_| {
    ///     rows += 1;
    ///     true
    /// })?;
    /// assert_eq!(rows, 2);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn with_context<T, C>(context: C) -> Self
    where
        T: for<'c> DecodeOwned<&'c C> + Layout + 'static,
        C: Send + Sync + 'static,
    {
        Section::new::<T>(Arc::new(move |bytes, work, give| work.run::<T, &C>(bytes, &context, give)))
    }

    /// One value of a layout that is known only at run time.
    ///
    /// ```
    /// use binfmt::{schema::Description, table::Section};
    /// let layout: Description = "record, be\n  x: u16\n".parse().unwrap();
    /// assert_eq!(*Section::described(&layout)?.layout(), layout);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The description contradicts itself.
    pub fn described(layout: &Description) -> Result<Self> {
        let program = Arc::new(Program::new(layout)?);
        let run = Arc::clone(&program);
        let plan = Plan::new(layout).ok();
        let row_size = plan.and_then(|plan| plan.row_size()).map(|size| size as u64);
        Ok(Section {
            is_whole: layout.has_parts_elsewhere(),
            layout: Text::Given(program),
            row_size,
            ..Section::new::<()>(Arc::new(move |bytes, work, give| {
                work.run::<Value, &Program>(bytes, &run, give)
            }))
        })
    }

    fn new<T: Layout>(run: Arc<Run>) -> Self {
        Section {
            bytes: 0..u64::MAX,
            name: String::new(),
            is_rows: false,
            is_whole: false,
            options: Options::new(),
            layout: Text::Type(Schema::of::<T>()),
            row_size: T::FACTS.sizes().exact().map(|size| size as u64),
            run,
        }
    }

    /// Rows, one after the other, in place of one value.
    ///
    /// ```
    /// use binfmt::table::Section;
    /// assert_eq!(Section::of::<u16>().rows().row_at(7, &[][..])?, (6, 3));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn rows(mut self) -> Self {
        self.is_rows = true;
        self
    }

    /// Only these bytes of the file; the end may be `u64::MAX` for that of the file.
    ///
    /// ```
    /// assert_eq!(binfmt::table::Section::of::<u16>().between(4..6).bytes(), 4..6);
    /// ```
    #[must_use]
    pub fn between(mut self, bytes: Range<u64>) -> Self {
        self.bytes = bytes;
        self
    }

    /// What paths of a value begin with; those of rows begin with their numbers.
    ///
    /// ```
    /// use binfmt::{dump::PartOptions, table::Section};
    /// Section::of::<(u8, u8)>().named("size").trace(&[1u8, 2][..], (0, 0), PartOptions::new(), |part| {
    ///     assert_eq!(part.nodes().last().unwrap().path(), "size.1");
    ///     true
    /// })?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// A value of which parts lie anywhere: its bytes are taken at once. Of a description that is known.
    ///
    /// ```
    /// use binfmt::{BinFormat, dump::PartOptions, table::Section};
    /// #[derive(BinFormat)]
    /// #[binfmt(le)]
    /// struct File { start: u8, #[binfmt(at = *start)] mark: u8 }
    /// let section = Section::of::<File>().whole();
    /// section.trace(&[2u8, 0, 7][..], (0, 0), PartOptions::new(), |part| part.error().is_none())?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.is_whole = true;
        self
    }

    /// With this byte order and these limits.
    ///
    /// ```
    /// use binfmt::{Endian, Options, dump::PartOptions, table::Section};
    /// let section = Section::of::<u16>().with_options(Options::new().endian(Endian::Big));
    /// section.trace(&[0u8, 7][..], (0, 0), PartOptions::new(), |part| {
    ///     assert_eq!(part.nodes().next().unwrap().value().unwrap(), "7");
    ///     true
    /// })?;
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn with_options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Byte order and limits.
    ///
    /// ```
    /// let section = binfmt::table::Section::of::<u16>();
    /// let limited = section.clone().with_options(section.options().max_memory(1 << 20));
    /// ```
    pub fn options(&self) -> Options {
        self.options
    }

    /// Which bytes of the file they are.
    ///
    /// ```
    /// assert_eq!(binfmt::table::Section::of::<u16>().bytes(), 0..u64::MAX);
    /// ```
    pub fn bytes(&self) -> Range<u64> {
        self.bytes.clone()
    }

    /// The layout of the value, or of a row.
    ///
    /// ```
    /// let section = binfmt::table::Section::of::<(u8, bool)>();
    /// assert!(section.layout().to_string().contains("bool"));
    /// ```
    pub fn layout(&self) -> Cow<'_, Description> {
        match &self.layout {
            Text::Type(schema) => Cow::Owned(schema.description().into_owned()),
            Text::Given(program) => Cow::Borrowed(program.description()),
        }
    }

    /// Where a row begins from which a byte is explained: its place in the file, and its number. It is the row that has the byte if all are of one
    /// size, else one before it; `bytes` are those of the section, from its first on, which are read for that if there is a faster way than to
    /// explain them.
    ///
    /// ```
    /// use binfmt::table::Section;
    /// let rows = Section::described(&"record\n  x: bytes, length_prefixed(u8)\n".parse().unwrap())?.rows().between(10..14);
    /// assert_eq!(rows.row_at(13, &b"\x01a\x01b"[..])?, (10, 0));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The bytes cannot be read. Those that are damaged are explained from the last sound rows on.
    pub fn row_at(&self, byte: u64, bytes: impl Read) -> Result<(u64, u64)> {
        let mut found = (self.bytes.start, 0);
        let into = byte.min(self.bytes.end).checked_sub(self.bytes.start);
        let Some(into) = into.filter(|into| *into > 0 && self.is_rows && !self.is_whole) else {
            return Ok(found);
        };
        if let Some((size, row)) = self.row_size.and_then(|size| Some((size, into.checked_div(size)?))) {
            return Ok((after(found.0, times64(row, size)), row));
        }
        let Text::Given(program) = &self.layout else { return Ok(found) };
        let Ok(plan) = Plan::new(program.description()) else { return Ok(found) };
        let mut rows = plan.reader(bytes, &self.options).batch_bytes(BATCH).starting_at(found.0, 0);
        while let Ok(Some(batch)) = rows.next_batch(ROWS) {
            if rows.offset() > byte {
                break;
            }
            found = (rows.offset(), after(found.1, batch.num_rows() as u64));
        }
        Ok(found)
    }

    /// Tells what each byte is, from a [row](Self::row_at) on, or from the front: of rows the traces come one by one, of a value
    /// [in parts](crate::dump::trace_in_parts). `bytes` begin there, and end with the section. When the function says that it wants no more,
    /// nothing more is read.
    ///
    /// ```
    /// use binfmt::{dump::PartOptions, table::Section};
    /// let (mut found, rows) = (Vec::new(), Section::of::<u16>().rows());
    /// rows.trace(&[7u8, 0, 8, 0][..], (2, 1), PartOptions::new(), |row| {
    ///     found.push((row.range(), row.nodes().next().unwrap().path()));
    ///     true
    /// })?;
    /// assert_eq!(found, [(2..4, "[1]".into()), (4..6, "[2]".into())]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The decoder failed: the last trace has the same error.
    pub fn trace(
        &self,
        bytes: impl Read,
        start: (u64, u64),
        parts: PartOptions,
        mut give: impl FnMut(&Trace) -> bool,
    ) -> Result<()> {
        (self.run)(&mut Steady::new(bytes), &Work { section: self, start, parts }, &mut give)
    }
}

/// Bytes and rows of a batch that is stepped over.
const BATCH: u64 = 64 << 10;
const ROWS: usize = 1 << 10;

impl Work<'_> {
    fn run<T: DecodeOwned<C>, C: Copy>(&self, bytes: &mut dyn Read, ctx: C, give: Give<'_>) -> Result<()> {
        let Work { section, start: (at, row), parts } = self;
        let options = section.options.ctx(ctx);
        if section.is_whole {
            let mut trace = trace_with::<T, C>(&whole(bytes, options.limits.memory)?, &options);
            if !section.name.is_empty() {
                trace = trace.placed(*at, &section.name);
            }
            give(&trace);
            return trace.into_error().map_or(Ok(()), Err);
        }
        if !section.is_rows {
            return in_parts_from::<T, C, _>(bytes, &options, *parts, (*at, &section.name), give);
        }
        let first = usize::try_from(*row).unwrap_or(usize::MAX);
        for trace in trace_reader_with::<T, C, _>(bytes, &options).starting_at(*at, first) {
            if !give(&trace) {
                return Ok(());
            }
            if let Some(e) = trace.into_error() {
                return Err(e);
            }
        }
        Ok(())
    }
}

/// All bytes, within the limit of memory.
fn whole(bytes: &mut dyn Read, most: usize) -> Result<Vec<u8>> {
    let mut all = Vec::new();
    let limit = most as u64;
    bytes.take(after(limit, 1)).read_to_end(&mut all)?;
    if all.len() as u64 > limit {
        let text = "the whole file is read at once, and this one is larger than the limit of";
        return Err(Error::other(format!("{text} {limit} bytes")));
    }
    Ok(all)
}
