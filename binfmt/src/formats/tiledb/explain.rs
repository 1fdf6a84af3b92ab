//! Every byte of an array's files, explained: as it is stored, and what comes out of its filters.

use super::array::{AnyArray, Fragment, METADATA_FILE, Options, SCHEMA_FILE};
use super::filter::{Key, TileCodec};
use super::layout::{
    ArraySchema, Datatype, Encryption, Footer, GenericTileHeader, RTree, TileChunks, TileOffsets,
};
use super::read::{FragmentFile, TileContent};
use super::room::zeros;
use super::storage::{Storage, in_file, read_file};
use super::values::Column;
use crate::dump::{Trace, trace_all_with, trace_with};
use crate::numbers::{Number, NumberType};
use crate::wire::amount::after;
use crate::{BinFormat, Decode, Error, ErrorKind, Result};
use std::ops::Range;

/// What [`Options::explain`] tells of a file, one after the other.
#[derive(Debug)]
#[non_exhaustive]
pub enum Explained {
    /// Bytes of the file.
    Stored(Trace),
    /// A tile without its filters follows: its name, and how many bytes it has.
    Tile(String, usize),
    /// A part of it, which is not in the file. The range is that of the chunks that were asked for, in bytes of the tile.
    Unfiltered(Trace, Range<u64>),
}

impl Options {
    /// Explains the bytes of one file of an array, named by its path in the storage: of the schema, of metadata, of cells. Each tile is
    /// told as it is stored, and then without its filters; tiles of cells that have none of the wanted bytes are left out. `give` takes the
    /// parts, and says whether more are wanted.
    ///
    /// In memory are a file of metadata and a tile of cells, neither of which may be larger than the [limit](Self::limit).
    ///
    /// # Errors
    /// The file is damaged or larger than the limit, or the key is missing or wrong; what comes before the damage is told before. The path
    /// begins with the file.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I32(1), Number::I32(2), Number::I32(2));
    /// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
    /// let mut array = Options::new().create(Memory::new(), schema)?;
    /// let a = Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::I32(vec![5, 6])).unwrap();
    /// let name = array.insert().column("a", a).write()?;
    /// let mut lines = String::new();
    /// Options::new().explain(array.storage(), &format!("{name}/a.tdb"), 0..u64::MAX, |part| {
    ///     if let Explained::Stored(trace) | Explained::Unfiltered(trace, _) = part {
    ///         lines += &trace.to_string();
    ///     }
    ///     true
    /// })?;
    /// assert!(lines.contains("tiles[0].num_chunks: 1 (u64 le)") && lines.contains("a[1]: 6 (i32 le)"), "{lines}");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn explain(
        &self,
        storage: &impl Storage,
        path: &str,
        bytes: Range<u64>,
        mut give: impl FnMut(Explained) -> bool,
    ) -> Result<()> {
        self.explain_file(storage, path, bytes, &mut give)
    }

    fn explain_file(
        &self,
        storage: &dyn Storage,
        path: &str,
        bytes: Range<u64>,
        give: &mut dyn FnMut(Explained) -> bool,
    ) -> Result<()> {
        let (key, limit) = (self.encryption_key(), self.most());
        let mut out = Explainer { give, bytes, within: ALL, goes_on: true, key, limit };
        let here = |e| in_file(e, path);
        let read = || read_file(storage, path, limit);
        match path.rsplit_once('/') {
            None if path == SCHEMA_FILE => {
                let (file, mut at) = (read()?, 0);
                out.generic::<ArraySchema>(&file, &mut at, "").map_err(here)?;
                out.rest(&file, at);
            }
            Some((_, METADATA_FILE)) => {
                let schema = read_file(storage, SCHEMA_FILE, limit)?;
                let schema = ArraySchema::from_file_within(&schema, key, limit);
                let schema = schema.map_err(|e| in_file(e, SCHEMA_FILE))?;
                out.metadata(&read()?, &schema).map_err(here)?;
            }
            Some((fragment, _)) => {
                let array = self.clone().fragment(fragment).at(u64::MAX).open(storage)?;
                let is_it = |file: &FragmentFile<'_>| file.path() == path;
                let found = array.fragments().iter().find_map(|fragment| {
                    Some((fragment, array.data_files(fragment).into_iter().find(is_it)?))
                });
                match found {
                    Some((fragment, file)) => out.cells(array.any(), fragment, &file)?,
                    None => out.rest(&read()?, 0),
                }
            }
            None => out.rest(&read()?, 0),
        }
        Ok(())
    }
}

const ALL: Range<u64> = 0..u64::MAX;

/// Where the parts go.
struct Explainer<'a> {
    give: &'a mut dyn FnMut(Explained) -> bool,
    /// The bytes of the file that are wanted.
    bytes: Range<u64>,
    /// The bytes without filters that are wanted of the tile at hand.
    within: Range<u64>,
    goes_on: bool,
    key: Option<&'a Key>,
    limit: u64,
}

impl Explainer<'_> {
    fn put(&mut self, part: Explained) {
        self.goes_on = self.goes_on && (self.give)(part);
    }

    fn stored(&mut self, trace: Trace) {
        self.put(Explained::Stored(trace));
    }

    fn unfiltered(&mut self, trace: Trace) {
        self.put(Explained::Unfiltered(trace, self.within.clone()));
    }

    /// Bytes that are of nothing that is known.
    fn rest(&mut self, file: &[u8], at: usize) {
        if let Some(rest) = file.get(at..).filter(|rest| !rest.is_empty()) {
            self.stored(bytes(rest).placed(at as u64, "(unknown)"));
        }
    }

    /// Whether a part of the file is wanted.
    fn wants(&self, part: Range<u64>) -> bool {
        self.goes_on && part.start < self.bytes.end && part.end > self.bytes.start
    }

    /// Begins with a tile without its filters, if any of its chunks is wanted: that of the file is at a place.
    fn begin(&mut self, name: &str, at: u64, tile: &[u8], len: usize) -> Result<bool> {
        self.within = ALL;
        if let (false, Ok(TileChunks { chunks })) = (self.bytes == ALL, crate::from_slice(tile)) {
            let sizes: Vec<usize> = chunks.iter().map(crate::encoded_len).collect::<Result<_>>()?;
            // the number of chunks is before them
            let before = tile.len() - sizes.iter().sum::<usize>();
            let (mut at, mut from, mut wanted) = (at + before as u64, 0, None::<Range<u64>>);
            for (chunk, size) in chunks.iter().zip(sizes) {
                let (end, to) = (at + size as u64, from + u64::from(chunk.len_original));
                if self.wants(at..end) {
                    wanted = Some(wanted.map_or(from, |wanted| wanted.start)..to);
                }
                (at, from) = (end, to);
            }
            self.within = wanted.unwrap_or(0..0);
        }
        if self.within.is_empty() {
            return Ok(false);
        }
        self.put(Explained::Tile(name.to_owned(), len));
        Ok(self.goes_on)
    }

    /// A generic tile: its header, its chunks, and what is in it.
    fn generic<T: for<'de> Decode<'de>>(&mut self, file: &[u8], at: &mut usize, name: &str) -> Result<()> {
        let dot = |part: &str| if name.is_empty() { part.to_owned() } else { format!("{name}.{part}") };
        let (start, bytes) = (*at as u64, &file[*at..]);
        let found = crate::from_prefix::<GenericTileHeader>(bytes);
        let len = found.as_ref().map_or(bytes.len(), |(_, rest)| bytes.len() - rest.len());
        self.stored(plain::<GenericTileHeader>(&bytes[..len]).placed(start, &dot("header")));
        let (header, rest) = found.map_err(|e| e.shifted(start))?;
        let tile = &rest[..usize::try_from(header.persisted_size).map_or(rest.len(), |n| n.min(rest.len()))];
        let (from, encrypted) = (start + len as u64, header.encryption == Encryption::Aes256Gcm);
        for part in header.pipeline.explain(header.datatype, encrypted, tile) {
            self.stored(part.placed(from, &dot("tile")));
        }
        let cell = usize::try_from(header.cell_size).unwrap_or(usize::MAX);
        let mut codec =
            TileCodec::new(&header.pipeline, header.datatype, cell, self.key.filter(|_| encrypted))?;
        let size = usize::try_from(header.tile_size).ok().filter(|_| header.tile_size <= self.limit);
        let size = size.ok_or_else(|| {
            Error::new(ErrorKind::size_limit("tile", Some(header.tile_size), self.limit), start)
        })?;
        let mut data = zeros(size).map_err(|e| e.or_at(start))?;
        codec.unfilter(tile, &mut data).map_err(|e| e.shifted(from).or_at(from))?;
        if self.begin(&dot("tile"), from, tile, size)? {
            let inner = plain::<T>(&data);
            self.unfiltered(if name.is_empty() { inner } else { inner.placed(0, name) });
        }
        *at += len + tile.len();
        Ok(())
    }

    /// The tiles of a fragment's metadata one after the other, then the footer.
    fn metadata(&mut self, file: &[u8], schema: &ArraySchema) -> Result<()> {
        let end = file.len() - Footer::size(schema).map_or(file.len(), |size| size.min(file.len()));
        let (body, footer) = file.split_at(end);
        let (n, mut at) = (schema.attributes.len(), 0);
        self.generic::<RTree>(body, &mut at, "rtree")?;
        for (list, count) in [("tile_offsets", n + 1), ("tile_var_offsets", n), ("tile_var_sizes", n)] {
            for i in 0..count {
                self.generic::<TileOffsets>(body, &mut at, &format!("{list}[{i}]"))?;
            }
        }
        self.rest(body, at);
        let options = crate::Options::new().ctx(schema);
        self.stored(trace_with::<Footer, _>(footer, &options).placed(end as u64, "footer"));
        let footer = crate::from_slice_with::<Footer, _>(footer, &options);
        footer.map(|_| ()).map_err(|e| e.shifted(end as u64))
    }

    /// The tiles of a file of cells that are wanted: as they are stored, then without their filters.
    fn cells(&mut self, array: &AnyArray<'_>, fragment: &Fragment, file: &FragmentFile<'_>) -> Result<()> {
        for tile in 0..file.num_tiles() {
            let range = file.range(tile)?;
            if !self.wants(range.clone()) {
                continue;
            }
            let stored = array.stored_tile(file, tile)?;
            let path = format!("tiles[{tile}]");
            for part in file.pipeline().explain(file.datatype(), self.key.is_some(), &stored) {
                self.stored(part.placed(range.start, &path));
            }
            let data = array.tile(file, tile)?;
            if self.begin(&path, range.start, &stored, data.len())? {
                self.tile(array, fragment, (file, tile), &data)?;
            }
        }
        Ok(())
    }

    /// What is in a tile of cells.
    fn tile(
        &mut self,
        array: &AnyArray<'_>,
        fragment: &Fragment,
        (file, tile): (&FragmentFile<'_>, usize),
        data: &[u8],
    ) -> Result<()> {
        let ArraySchema { attributes, domain, .. } = &array.schema;
        let (kind, of) = (file.datatype(), |a: usize| attributes.get(a));
        let name = |a: usize| of(a).map_or("", |attribute| &attribute.name);
        match file.content() {
            TileContent::Offsets(_) => self.numbers(kind, 1, data, ("offsets", 0)),
            TileContent::Values(a) => {
                let values = of(a).and_then(|attribute| attribute.cell_val_num.fixed());
                self.numbers(kind, values.unwrap_or(1), data, (name(a), 0));
            }
            TileContent::VariableValues(a) => {
                self.variable(&array.tile_column(fragment, a, tile)?, data, name(a));
            }
            TileContent::Coordinates => {
                let each = (data.len() / domain.dimensions.len().max(1)).max(1);
                for (i, part) in data.chunks(each).enumerate() {
                    let name =
                        domain.dimensions.get(i).map(|d| d.name.clone()).filter(|name| !name.is_empty());
                    let name = name.unwrap_or_else(|| format!("__dim_{i}"));
                    self.numbers(kind, 1, part, (&name, (i * each) as u64));
                }
            }
        }
        Ok(())
    }

    /// Cells of that many values each, which are called so and begin at a place.
    fn numbers(&mut self, datatype: Datatype, values: u32, bytes: &[u8], (name, at): (&str, u64)) {
        let kind = number_type(datatype);
        if datatype.is_byte_text() {
            let cells = bytes.chunks((values as usize).max(1)).enumerate();
            return self.texts(cells, kind, (name, at));
        }
        if is_wide(datatype) {
            let size = kind.size() * (values as usize).max(1);
            for (i, cell) in bytes.chunks(size).enumerate() {
                let trace = wide_text(cell, datatype).unwrap_or_else(|| list(cell, kind));
                self.unfiltered(trace.placed(after(at, (i * size) as u64), &format!("{name}[{i}]")));
            }
            return;
        }
        let mut each = |trace: Trace| {
            self.unfiltered(trace.placed(at, name));
            self.goes_on
        };
        _ = match values {
            1 => trace_all_with::<Number, _>(bytes, &crate::Options::new().ctx(kind)).all(&mut each),
            n => {
                let options = crate::Options::new().ctx((kind, n as usize));
                trace_all_with::<List, _>(bytes, &options).all(&mut each)
            }
        };
    }

    /// Cells of some characters each; what is no text is numbers.
    fn texts<'b>(
        &mut self,
        cells: impl Iterator<Item = (usize, &'b [u8])>,
        kind: NumberType,
        (name, at): (&str, u64),
    ) {
        for (i, cell) in cells {
            if !self.goes_on {
                return;
            }
            let options = crate::Options::new();
            let trace = match (core::str::from_utf8(cell), cell.len()) {
                (Ok(text), _) => trace_with::<Text<'_>, usize>(cell, &options.ctx(text.len())),
                (Err(_), 1) => trace_with::<Number, _>(cell, &options.ctx(kind)),
                (Err(_), len) => trace_with::<List, _>(cell, &options.ctx((kind, len))),
            };
            self.unfiltered(trace.placed(after(at, (i * cell.len()) as u64), &format!("{name}[{i}]")));
        }
    }

    /// Cells of variable length, each by itself.
    fn variable(&mut self, column: &Column, data: &[u8], name: &str) {
        let (kind, size) = (number_type(column.datatype()), column.values().number_type().size());
        for (i, ends) in column.offsets().windows(2).enumerate() {
            let [from, to] = [ends[0] * size, ends[1] * size];
            // what was read for the column may be another file by now
            let Some(cell) = data.get(from..to) else { return };
            let trace = match column.text(i) {
                Some(text) => trace_with::<Text<'_>, usize>(cell, &crate::Options::new().ctx(text.len())),
                None => match wide_text(cell, column.datatype()) {
                    Some(trace) => trace,
                    None if column.datatype().is_text() => bytes(cell),
                    None => list(cell, kind),
                },
            };
            self.unfiltered(trace.placed(from as u64, &format!("{name}[{i}]")));
        }
    }
}

/// That many values.
#[derive(BinFormat, Debug)]
#[binfmt(le, transparent, ctx(kind: NumberType, len: usize))]
struct List(#[binfmt(count = len, args(kind))] Vec<Number>);

#[derive(BinFormat, Debug)]
#[binfmt(transparent, ctx(len: usize))]
struct Text<'a>(#[binfmt(count = len)] &'a str);

#[derive(BinFormat, Debug)]
#[binfmt(transparent, ctx(len: usize))]
struct Bytes<'a>(#[binfmt(count = len)] &'a [u8]);

/// That many units of two bytes.
#[derive(BinFormat, Debug)]
#[binfmt(transparent, ctx(len: usize))]
struct Utf16(#[binfmt(count = len, text = utf16le)] String);

/// That many of four.
#[derive(BinFormat, Debug)]
#[binfmt(transparent, ctx(len: usize))]
struct Utf32(#[binfmt(count = len, text = utf32le)] String);

/// Whether texts have characters of several bytes.
const fn is_wide(datatype: Datatype) -> bool {
    datatype.is_text() && !datatype.is_byte_text()
}

/// A cell of such a text, if it is one.
fn wide_text(cell: &[u8], datatype: Datatype) -> Option<Trace> {
    let options = |size: usize| crate::Options::new().ctx(cell.len() / size);
    let trace = match datatype {
        Datatype::StringUtf16 | Datatype::StringUcs2 => trace_with::<Utf16, _>(cell, &options(2)),
        Datatype::StringUtf32 | Datatype::StringUcs4 => trace_with::<Utf32, _>(cell, &options(4)),
        _ => return None,
    };
    trace.error().is_none().then_some(trace)
}

fn list(cell: &[u8], kind: NumberType) -> Trace {
    trace_with::<List, _>(cell, &crate::Options::new().ctx((kind, cell.len() / kind.size())))
}

fn plain<'de, T: Decode<'de>>(bytes: &'de [u8]) -> Trace {
    trace_with::<T, ()>(bytes, &crate::Options::new())
}

fn bytes(bytes: &[u8]) -> Trace {
    trace_with::<Bytes<'_>, usize>(bytes, &crate::Options::new().ctx(bytes.len()))
}

/// The numbers of a type; unknown ones are bytes.
fn number_type(datatype: Datatype) -> NumberType {
    datatype.number_type().unwrap_or(NumberType::U8)
}
