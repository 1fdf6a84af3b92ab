//! The objects of a file, one in memory at a time.

use super::declared::Declared;
use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::input::Reader;
use crate::limits::Size;
use crate::place::Start;
use crate::span::Span;
use binfmt::formats::beat::{self, Chunk, DataSet, Declaration, Joined, Object};
use binfmt::schema::Name;
use binfmt::value::Value;
use binfmt::{Decode, Facts, Layout, Options, Order, RecordsFromReader, Source};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::cell::Cell;
use std::io::{Read, Take};
use std::ops::RangeInclusive;
use std::rc::Rc;

/// What is counted.
pub(super) const CHUNKS: (&str, &str) = ("chunk", "chunks");
pub(super) const OBJECTS: (&str, &str) = ("object", "objects");

/// As many bytes more than an object may have are read: it tells itself which of its values is too large.
const BEYOND: u64 = 64 << 10;

/// An object, and the indices of a chunk that contains it.
pub(super) struct Item {
    pub(super) indices: Option<(u64, u64)>,
    pub(super) value: Value,
}

impl Serialize for Item {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        if let Some((start, end)) = self.indices {
            object.serialize_entry("start", &start)?;
            object.serialize_entry("end", &end)?;
        }
        object.serialize_entry("value", &self.value)?;
        object.end()
    }
}

/// The wanted objects of a file.
pub(super) struct Chunks<'a> {
    source: ChunkSource<'a>,
    /// Where the first chunk begins.
    start: Start,
    wanted: Span,
    /// The indices of which chunks are wanted.
    indices: Option<RangeInclusive<u64>>,
    unit: (&'static str, &'static str),
    /// Objects that have been read, wanted or not.
    count: u64,
    /// Of these, those that take the newline after them for their own.
    taken: u64,
    bytes: Rc<Cell<u64>>,
}

/// A chunk's bytes, of any kind.
#[derive(binfmt::BinFormat)]
struct Unread {
    #[binfmt(until_eof, rename = "bytes")]
    _bytes: Vec<u8>,
}

/// An object, and what is after it in its chunk. Without a declaration it is nothing.
struct ChunkObject {
    object: Object,
    /// The object reaches to the end of the chunk, and its last byte is that of a newline.
    takes_newline: bool,
}

impl Layout for ChunkObject {
    const FACTS: Facts<Self> = Facts::range(0, 0, usize::MAX);
}

impl<'de, 'd> Decode<'de, Option<&'d Declaration>> for ChunkObject {
    fn decode<O: Order, S: Source<'de>>(
        src: &mut S,
        declaration: Option<&'d Declaration>,
    ) -> binfmt::Result<Self> {
        let Some(declaration) = declaration else {
            Unread::decode::<O, S>(src, ())?;
            return Ok(ChunkObject { object: Object(Value::Unit), takes_newline: false });
        };
        let object = Object::decode::<O, S>(src, declaration)?;
        let takes_newline =
            src.at_end()? && binfmt::to_vec_with(&object, &Options::new().ctx(declaration))?.ends_with(b"\n");
        Ok(ChunkObject { object, takes_newline })
    }
}

/// By which declaration objects are read; without one they are stepped over.
type Known<'a> = Options<Option<&'a Declaration>>;

enum ChunkSource<'a> {
    Chunks(RecordsFromReader<Reader<'a>, Chunk<ChunkObject>, Option<&'a Declaration>>),
    Object(Take<Reader<'a>>, Options<&'a Declaration>),
    Set(beat::Chunks, Known<'a>),
    Joined(Joined, Box<[(&'a str, Known<'a>)]>),
    End,
}

impl<'a> Chunks<'a> {
    pub(super) fn open(declared: &'a Declared, job: &'a mut Job<'_>) -> Result<Self> {
        let start = Start { byte: declared.header.unwrap_or(0), record: 0 };
        if let Some(set) = &declared.set {
            return Ok(Self::of_set(declared, set, job));
        }
        let reader = job.input.reader(start.byte)?;
        let bytes = reader.counter();
        let options = job.limits.within(Options::new());
        let source = match declared.header {
            Some(_) => {
                let options = options.ctx(declared.known());
                ChunkSource::Chunks(binfmt::records_from_reader_with(reader, &options))
            }
            None => {
                let most = job.limits.max_memory.map_or(u64::MAX, |Size(bytes)| bytes.saturating_add(BEYOND));
                ChunkSource::Object(reader.take(most), options.ctx(&declared.declaration))
            }
        };
        let unit = if declared.header.is_some() { CHUNKS } else { OBJECTS };
        let indices = declared.indices.clone();
        Ok(Chunks { source, start, wanted: Span::ALL, indices, unit, count: 0, taken: 0, bytes })
    }

    /// The chunks of all files of a set, and what stands beside them.
    fn of_set(declared: &'a Declared, set: &DataSet, job: &Job<'_>) -> Self {
        let indices = declared.indices.clone().unwrap_or(0..=u64::MAX);
        let within = |declaration| job.limits.within(Options::new()).ctx(declaration);
        let own = set.within(indices.clone());
        let source = match &declared.joined {
            None => ChunkSource::Set(own, within(declared.known())),
            Some(beside) => {
                let others = beside.sets.iter().map(|side| side.set.within(indices.clone()));
                let own_name = std::iter::once((beside.own.as_str(), within(declared.known())));
                let names =
                    beside.sets.iter().map(|side| (side.name.as_str(), within(Some(&side.declaration))));
                ChunkSource::Joined(
                    Joined::new(std::iter::once(own).chain(others)),
                    own_name.chain(names).collect(),
                )
            }
        };
        Chunks {
            source,
            start: Start::default(),
            wanted: Span::ALL,
            indices: None,
            unit: CHUNKS,
            count: 0,
            taken: 0,
            bytes: Rc::default(),
        }
    }

    /// The same file, of which only these are wanted.
    pub(super) fn only(mut self, wanted: Span) -> Self {
        self.wanted = wanted;
        self
    }

    pub(super) fn next(&mut self) -> Result<Option<Item>> {
        while self.wanted.to.is_none_or(|to| self.count < to) {
            let Some(item) = self.read()? else { return Ok(None) };
            let is_within = |(start, end): (u64, u64)| match &self.indices {
                Some(indices) => start >= *indices.start() && end <= *indices.end(),
                None => true,
            };
            if !item.indices.is_none_or(is_within) {
                continue;
            }
            self.count += 1;
            if self.count > self.wanted.from {
                return Ok(Some(item));
            }
        }
        Ok(None)
    }

    fn read(&mut self) -> Result<Option<Item>> {
        match &mut self.source {
            ChunkSource::End => Ok(None),
            ChunkSource::Chunks(chunks) => match chunks.next() {
                None => Ok(None),
                Some(Ok(Chunk { start, end, value })) => {
                    self.taken += u64::from(value.takes_newline);
                    Ok(Some(Item { indices: Some((start, end)), value: value.object.0 }))
                }
                Some(Err(e)) => Err(damaged(self.start, &e)),
            },
            ChunkSource::Set(chunks, options) => {
                let Some(chunk) = chunks.next().transpose().map_err(|e| damaged(self.start, &e))? else {
                    return Ok(None);
                };
                self.bytes.set(self.bytes.get().saturating_add(chunk.bytes.len() as u64));
                let found = chunk.decode_with::<ChunkObject, _>(options);
                let Chunk { start, end, value } = found.map_err(|e| damaged(self.start, &e))?;
                self.taken += u64::from(value.takes_newline);
                Ok(Some(Item { indices: Some((start, end)), value: value.object.0 }))
            }
            ChunkSource::Joined(joined, sides) => {
                let Some(found) = joined.next().transpose().map_err(|e| damaged(self.start, &e))? else {
                    return Ok(None);
                };
                let values = found.chunks.iter().zip(&**sides).map(|(chunk, (name, options))| {
                    let value = match chunk {
                        Some(chunk) => chunk.decode_with::<ChunkObject, _>(options)?.value.object.0,
                        None => Value::Unit,
                    };
                    Ok((Name::from(*name), value))
                });
                let values =
                    values.collect::<binfmt::Result<Vec<_>>>().map_err(|e| damaged(self.start, &e))?;
                Ok(Some(Item { indices: Some((found.start, found.end)), value: Value::record(values) }))
            }
            ChunkSource::Object(reader, options) => {
                let mut bytes = Vec::new();
                reader.read_to_end(&mut bytes).map_err(Error::input)?;
                if reader.limit() == 0 {
                    let most = bytes.len() as u64 - BEYOND;
                    return Err(Error::data(format_args!(
                        "the object is larger than the limit of {most} bytes"
                    )));
                }
                let object = binfmt::from_slice_with::<Object, _>(&bytes, options);
                self.source = ChunkSource::End;
                let object = object.map_err(|e| damaged(self.start, &e))?;
                Ok(Some(Item { indices: None, value: object.0 }))
            }
        }
    }

    /// Refuses a file in which every chunk's newline was read as a part of its object: so it is where the declaration has a
    /// byte too many. (Files of other software may have no newlines; then the objects end in all kinds of bytes.)
    pub(super) fn newlines(&self) -> Result<()> {
        if self.taken == 0 || self.taken < self.count {
            return Ok(());
        }
        let text = "no chunk has a newline after its object: the last byte of each object is one";
        Err(Error::data(text).tip("the declaration has a byte more than the objects"))
    }

    pub(super) fn tally(&self) -> Tally {
        Tally { count: self.count, unit: self.unit, bytes: self.bytes.get() + self.start.byte }
    }
}

/// An error in the bytes, with what may be the reason.
pub(super) fn damaged(start: Start, e: &binfmt::Error) -> Error {
    let error = start.located(e);
    match e.kind() {
        binfmt::ErrorKind::Io(_) => error,
        _ => error.tip("the file is damaged, or its objects are not what the declaration says"),
    }
}
