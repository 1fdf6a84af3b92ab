//! The objects of a file, one in memory at a time.

use super::declared::Declared;
use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::input::Reader;
use crate::items::Items;
use crate::limits::Size;
use crate::place::Start;
use binfmt::formats::beat::{Chunk, DataSet, Declaration, Joined, JoinedChunk, Object, RawChunk};
use binfmt::schema::Name;
use binfmt::value::Value;
use binfmt::{Decode, Facts, Layout, Options, Order, Source};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::cell::Cell;
use std::io::{Read, Take};
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
    /// The object reaches to the end of the chunk, and its last byte is that of a newline.
    pub(super) takes_newline: bool,
}

impl Item {
    fn of(Chunk { start, end, value }: Chunk<ChunkObject>) -> Item {
        Item { indices: Some((start, end)), value: value.object.0, takes_newline: value.takes_newline }
    }
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

/// A chunk's bytes, of any kind.
#[derive(binfmt::BinFormat)]
struct Unread {
    #[binfmt(until_eof, rename = "bytes")]
    _bytes: Vec<u8>,
}

/// An object, and whether it takes the newline of its chunk. Without a declaration it is nothing.
struct ChunkObject {
    object: Object,
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

/// The objects of a file, or of all files of a set with what stands beside them.
pub(super) fn chunks<'a>(declared: &'a Declared, job: &'a mut Job<'_>) -> Result<Items<'a, Item>> {
    let options = job.limits.within(Options::new());
    let Some(header) = declared.header else {
        let most = job.limits.max_memory.map_or(u64::MAX, |Size(bytes)| bytes.saturating_add(BEYOND));
        let reader = job.input.reader(0)?;
        let bytes = reader.counter();
        let object = move || object(reader.take(most), &options.ctx(&declared.declaration));
        return Ok(Items::new(OBJECTS, bytes, std::iter::once_with(object)));
    };
    let options = options.ctx(declared.known());
    if let Some(set) = &declared.set {
        return Ok(of_set(declared, set, options));
    }
    let reader = job.input.reader(header)?;
    let (bytes, start) = (reader.counter(), Start { byte: header, record: 0 });
    let is_within = |item: &Result<Item>| match (item, &declared.indices) {
        (Ok(Item { indices: Some((start, end)), .. }), Some(wanted)) => {
            start >= wanted.start() && end <= wanted.end()
        }
        _ => true,
    };
    let chunks = binfmt::records_from_reader_with(reader, &options);
    let items = chunks.map(move |chunk| chunk.map(Item::of).map_err(|e| damaged(start, &e)));
    Ok(Items::new(CHUNKS, bytes, items.filter(is_within)).after(header))
}

/// By which declaration objects are read; without one they are stepped over.
type Known<'a> = Options<Option<&'a Declaration>>;

/// The chunks of all files of a set, and what stands beside them.
fn of_set<'a>(declared: &'a Declared, set: &DataSet, options: Known<'a>) -> Items<'a, Item> {
    let indices = declared.indices.clone().unwrap_or(0..=u64::MAX);
    let (own, bytes) = (set.within(indices.clone()), Rc::<Cell<u64>>::default());
    let told = |e: binfmt::Error| damaged(Start::default(), &e);
    let Some(beside) = &declared.joined else {
        let read = Rc::clone(&bytes);
        let item = move |chunk: RawChunk| {
            read.set(read.get().saturating_add(chunk.bytes.len() as u64));
            chunk.decode_with(&options).map(Item::of)
        };
        return Items::new(CHUNKS, bytes, own.map(move |chunk| chunk.and_then(&item).map_err(told)));
    };
    let others = beside.sets.iter().map(|side| side.set.within(indices.clone()));
    let joined = Joined::new(std::iter::once(own).chain(others));
    let names = beside.sets.iter().map(|side| (side.name.as_str(), options.ctx(Some(&side.declaration))));
    let sides: Vec<(&str, Known<'_>)> =
        std::iter::once((beside.own.as_str(), options)).chain(names).collect();
    let item = move |found: JoinedChunk| {
        let values = found.chunks.iter().zip(&sides).map(|(chunk, (name, options))| {
            let value = match chunk {
                Some(chunk) => chunk.decode_with::<ChunkObject, _>(options)?.value.object.0,
                None => Value::Unit,
            };
            Ok((Name::from(*name), value))
        });
        let value = Value::record(values.collect::<binfmt::Result<Vec<_>>>()?);
        Ok(Item { indices: Some((found.start, found.end)), value, takes_newline: false })
    };
    Items::new(CHUNKS, bytes, joined.map(move |found| found.and_then(&item).map_err(told)))
}

/// The only object of a file.
fn object(mut reader: Take<Reader<'_>>, options: &Options<&Declaration>) -> Result<Item> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).map_err(Error::input)?;
    if reader.limit() == 0 {
        let most = bytes.len() as u64 - BEYOND;
        return Err(Error::data(format_args!("the object is larger than the limit of {most} bytes")));
    }
    let object = binfmt::from_slice_with::<Object, _>(&bytes, options);
    let object = object.map_err(|e| damaged(Start::default(), &e))?;
    Ok(Item { indices: None, value: object.0, takes_newline: false })
}

/// Reads all objects. A file in which every chunk's newline was read as a part of its object is refused: so it is where the
/// declaration has a byte too many. (Files of other software may have no newlines; then the objects end in all kinds of bytes.)
pub(super) fn check(items: Items<'_, Item>) -> Result<Tally> {
    let mut taken = 0;
    match items.until_damage(|item| taken += u64::from(item.takes_newline)) {
        (_, Some(e)) => Err(e),
        (tally, None) if taken == 0 || taken < tally.count => Ok(tally),
        _ => {
            let text = "no chunk has a newline after its object: the last byte of each object is one";
            Err(Error::data(text).tip("the declaration has a byte more than the objects"))
        }
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
