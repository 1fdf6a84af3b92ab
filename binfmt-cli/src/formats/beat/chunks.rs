//! The objects of a file, one in memory at a time.

use super::declared::Declared;
use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::input::Reader;
use crate::place::Start;
use crate::span::Span;
use binfmt::formats::beat::{Chunk, Declaration, Object};
use binfmt::value::Value;
use binfmt::{Decode, Facts, Layout, Options, Order, RecordsFromReader, Source};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::cell::Cell;
use std::io::Read;
use std::rc::Rc;

/// What is counted.
pub(super) const CHUNKS: (&str, &str) = ("chunk", "chunks");
pub(super) const OBJECTS: (&str, &str) = ("object", "objects");

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
    /// The indices within which chunks are wanted, if not all are.
    indices: Option<(u64, u64)>,
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

/// An object, and what is after it in its chunk.
struct ChunkObject {
    object: Object,
    /// The object reaches to the end of the chunk, and its last byte is that of a newline.
    takes_newline: bool,
}

impl Layout for ChunkObject {
    const FACTS: Facts<Self> = Facts::range(0, 0, usize::MAX);
}

impl<'de, 'd> Decode<'de, &'d Declaration> for ChunkObject {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, declaration: &'d Declaration) -> binfmt::Result<Self> {
        let object = Object::decode::<O, S>(src, declaration)?;
        let takes_newline =
            src.at_end()? && binfmt::to_vec_with(&object, &Options::new().ctx(declaration))?.ends_with(b"\n");
        Ok(ChunkObject { object, takes_newline })
    }
}

enum ChunkSource<'a> {
    Chunks(RecordsFromReader<Reader<'a>, Chunk<ChunkObject>, &'a Declaration>),
    Unknown(RecordsFromReader<Reader<'a>, Chunk<Unread>>),
    Object(Reader<'a>, Options<&'a Declaration>),
    End,
}

impl<'a> Chunks<'a> {
    pub(super) fn open(declared: &'a Declared, job: &'a mut Job<'_>) -> Result<Self> {
        let start = Start { byte: declared.header.unwrap_or(0), record: 0 };
        let reader = job.input.reader(start.byte)?;
        let bytes = reader.counter();
        let limits = job.limits;
        let options = limits.within(Options::new()).ctx(&declared.declaration);
        let source = match declared.header {
            Some(_) if !declared.is_known => {
                ChunkSource::Unknown(binfmt::records_from_reader_with(reader, &limits.within(Options::new())))
            }
            Some(_) => ChunkSource::Chunks(binfmt::records_from_reader_with(reader, &options)),
            None => ChunkSource::Object(reader, options),
        };
        Ok(Chunks { source, start, wanted: Span::ALL, indices: None, count: 0, taken: 0, bytes })
    }

    /// The same file, of which only chunks within these indices are wanted.
    pub(super) fn within(mut self, indices: Option<(u64, u64)>) -> Self {
        self.indices = indices;
        self
    }

    /// The same file, of which only these are wanted.
    pub(super) fn only(mut self, wanted: Span) -> Self {
        self.wanted = wanted;
        self
    }

    pub(super) fn next(&mut self) -> Result<Option<Item>> {
        while self.wanted.to.is_none_or(|to| self.count < to) {
            let Some(item) = self.read()? else { return Ok(None) };
            if let (Some((first, last)), Some((start, end))) = (self.indices, item.indices)
                && !(first <= start && end <= last)
            {
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
            ChunkSource::Unknown(chunks) => match chunks.next() {
                None => Ok(None),
                Some(Ok(Chunk { start, end, .. })) => {
                    Ok(Some(Item { indices: Some((start, end)), value: Value::Unit }))
                }
                Some(Err(e)) => Err(damaged(self.start, &e)),
            },
            ChunkSource::Object(reader, options) => {
                let mut bytes = Vec::new();
                reader.read_to_end(&mut bytes).map_err(Error::input)?;
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
        let unit = if self.start.byte > 0 { CHUNKS } else { OBJECTS };
        Tally { count: self.count, unit, bytes: self.bytes.get() + self.start.byte }
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
