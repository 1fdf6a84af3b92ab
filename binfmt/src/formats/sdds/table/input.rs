//! A file that is read page after page, compressed or not.

use crate::error::Result;
use crate::formats::sdds::pack::{Compression, Unpacked};
use crate::formats::sdds::read::reader::{Options, Reader};
use crate::storage::{Storage, StorageReader};
use crate::wire::stream::Steady;
use crate::wire::{Endian, Stream};
use std::io::{self, Read, Seek};
use std::sync::Arc;

/// What was said of a file when it was opened.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReaderOptions {
    pub(super) any_names: bool,
    pub(super) assume: Option<Endian>,
    /// The most memory that a page may take.
    pub(super) memory: usize,
}

impl ReaderOptions {
    fn open(self) -> Options<'static> {
        let open = Options::new().any_names(self.any_names).max_memory(self.memory);
        self.assume.map_or(open, |endian| open.assume(endian))
    }
}

/// A reader of a whole file, as its first bytes say, and whether it is compressed.
pub(super) fn whole(
    storage: &Arc<dyn Storage>,
    path: &str,
    said: ReaderOptions,
) -> Result<(Reader<'static, Stream<Input>>, bool)> {
    let mut input = StorageReader::new(Arc::clone(storage), path, 0..u64::MAX)?;
    let mut head = Vec::new();
    Steady::new(&mut input).take(16).read_to_end(&mut head)?;
    input.rewind()?;
    let packed = Compression::of(&head) != Compression::None;
    let open = said.open();
    let input = if packed { Input::Packed(open.unpack(input)?) } else { Input::Plain(input) };
    Ok((open.leaping(input, leap)?, packed))
}

pub(super) enum Input {
    Plain(StorageReader),
    Packed(Unpacked<StorageReader>),
}

impl Read for Input {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Input::Plain(input) => input.read(out),
            Input::Packed(input) => input.read(out),
        }
    }
}

/// Steps over bytes of a plain file without reading them.
pub(super) fn leap(input: &mut Input, n: u64) -> io::Result<Option<u64>> {
    match input {
        Input::Plain(input) => input.leap(n),
        Input::Packed(_) => Ok(None),
    }
}
