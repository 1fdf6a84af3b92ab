//! Data files and single objects, written as the platform writes them.

use super::chunks::{CHUNKS, Item, OBJECTS};
use super::side_files::SideFiles;
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::output::{Output, Target};
use binfmt::formats::beat::{Chunk, Declaration, FileHead, Object};
use binfmt::{Options, Step};
use std::io::Write;

/// A file that grows object by object. Without [`Writer::finish`] there is none. A data file whose name has its indices
/// gets an index and checksums beside it, without which the platform does not read it.
pub(super) struct Writer<'a> {
    declaration: &'a Declaration,
    /// Whether chunks are written, not a single object.
    has_header: bool,
    out: Output,
    side_files: Option<SideFiles>,
    block: Vec<u8>,
    tally: Tally,
}

impl<'a> Writer<'a> {
    /// A data file of objects with this name, or one object without a name.
    pub(super) fn new(declaration: &'a Declaration, name: Option<&str>, out: &Target) -> Result<Self> {
        let mut block = Vec::new();
        if let Some(name) = name {
            let done = binfmt::append(&FileHead { format: name.to_owned() }, &mut block);
            done.map_err(|_| Error::data(format_args!("`{name}` is not the name of a format")))?;
        }
        let has_header = name.is_some();
        let unit = if has_header { CHUNKS } else { OBJECTS };
        Ok(Writer {
            declaration,
            has_header,
            out: out.create()?,
            side_files: SideFiles::of(out).filter(|_| has_header),
            block,
            tally: Tally { count: 0, unit, bytes: 0 },
        })
    }

    pub(super) fn write(&mut self, item: Item) -> Result<()> {
        let options = Options::new().ctx(self.declaration);
        let number = self.tally.count;
        let object = Object(item.value);
        let done = match item.indices {
            Some((start, end)) if self.has_header => {
                if let Some(side_files) = &mut self.side_files {
                    side_files.chunk(start, end);
                }
                binfmt::append_with(&Chunk { start, end, value: object }, &mut self.block, &options)
            }
            None if !self.has_header && number == 0 => {
                let done = binfmt::append_with(&object, &mut self.block, &options);
                done.map_err(|e| e.within(Step::Field("value")))
            }
            None if self.has_header => {
                return Err(Error::data(format_args!("chunks[{number}] has no \"start\" and \"end\"")));
            }
            _ => return Err(Error::data("a file without a header is one object, not several chunks")),
        };
        let unwritten = |e: binfmt::Error| {
            let path = e.path().to_string();
            let dot = if path.is_empty() { "" } else { "." };
            Error::data(format_args!("chunks[{number}]{dot}{path}: {}", e.kind()))
        };
        done.map_err(unwritten)?;
        self.tally.count += 1;
        self.send()
    }

    fn send(&mut self) -> Result<()> {
        self.out.write_all(&self.block).map_err(Error::output)?;
        if let Some(side_files) = &mut self.side_files {
            side_files.update(&self.block);
        }
        self.tally.bytes += self.block.len() as u64;
        self.block.clear();
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<Tally> {
        if !self.has_header && self.tally.count == 0 {
            return Err(Error::data(
                "the document has no chunks, and no \"dataformat\" for a file without any",
            ));
        }
        self.send()?;
        // the data file last: who looks for it finds what belongs to it
        if let Some(side_files) = self.side_files {
            side_files.finish()?;
        }
        self.out.finish()?;
        Ok(self.tally)
    }
}
