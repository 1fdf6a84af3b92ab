//! Writing data files with what is beside them.

use super::unfinished::{Unfinished, sync_folder};
use crate::codec::Encode;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::formats::beat::checksum::Checksum;
use crate::formats::beat::layout::payload::put_chunk;
use crate::formats::beat::layout::{FileHead, write_index};
use crate::formats::beat::read::files::with_suffix;
use crate::wire::{Options, vec_sink};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use std::path::{Path, PathBuf};

/// Writes a data file, its index file and the checksums of both.
///
/// The files appear under their names when everything is written and handed to the disk: each is first written under a
/// hidden name that no other writer has, and the data file gets its name last. A writer that is dropped before leaves
/// nothing.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use binfmt::formats::beat::Writer;
/// let folder = std::env::temp_dir().join("binfmt-doc-writer");
/// std::fs::create_dir_all(&folder)?;
/// let mut writer = Writer::create(folder.join("ints"), "u/int/1", 0, 3)?;
/// writer.write(0, 0, &7i32)?;
/// writer.write(1, 3, &8i32)?;
/// writer.finish()?;
/// assert_eq!(std::fs::read(folder.join("ints.0.3.data"))?, b"binary\nu/int/1\n0 0 5\n\x07\0\0\0\n1 3 5\n\x08\0\0\0\n");
/// assert_eq!(std::fs::read(folder.join("ints.0.3.index"))?, b"0 0\n1 3\n");
/// assert!(folder.join("ints.0.3.data.checksum").exists());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Writer {
    out: Unfinished,
    path: PathBuf,
    sum: Checksum,
    index: Vec<(u64, u64)>,
    end: u64,
    start: u64,
    at: u64,
    block: Vec<u8>,
}

impl Writer {
    /// A file `base.start.end.data` for objects of a format, which will contain the indices `start` to `end`.
    ///
    /// See [`Writer`] for an example.
    ///
    /// # Errors
    /// The name of the format is not one, the indices do not rise, or the file cannot be made.
    pub fn create(base: impl AsRef<Path>, format: &str, start: u64, end: u64) -> Result<Writer> {
        if start > end {
            let indices = format!("{start} to {end}");
            return Err(ErrorKind::invalid("range of indices", indices, "").into());
        }
        let path = with_suffix(base.as_ref(), &format!(".{start}.{end}.data"));
        let block = crate::to_vec(&FileHead { format: format.into() })?;
        let mut writer = Writer {
            out: Unfinished::beside(&path)?,
            path,
            sum: Checksum::new(),
            index: Vec::new(),
            start,
            end,
            at: 0,
            block,
        };
        writer.send()?;
        Ok(writer)
    }

    fn send(&mut self) -> Result<()> {
        self.out.write(&self.block)?;
        self.sum.update(&self.block);
        self.at += self.block.len() as u64;
        self.block.clear();
        Ok(())
    }

    /// Writes a chunk for the indices `start` to `end`.
    ///
    /// See [`Writer`] for an example.
    ///
    /// # Errors
    /// The indices do not rise or leave those of the file, the value contradicts its layout, or the file cannot be
    /// written.
    pub fn write<T: Encode>(&mut self, start: u64, end: u64, value: &T) -> Result<()> {
        self.write_with(start, end, value, &Options::new())
    }

    /// [`write`](Self::write) with a context: the declaration of an [`Object`](crate::formats::beat::Object), for example.
    ///
    /// See [`Writer`] for an example without.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_with<T: Encode<C>, C: Copy>(
        &mut self,
        start: u64,
        end: u64,
        value: &T,
        options: &Options<C>,
    ) -> Result<()> {
        let wrong = |reason: String| {
            let kind = ErrorKind::invalid("range of indices", format_args!("{start} to {end}"), reason);
            Err(Error::new(kind, self.at).within(Step::Index(self.index.len())))
        };
        if start < self.start || end > self.end || start > end {
            return wrong(format!("the file has {} to {}", self.start, self.end));
        }
        if let Some((_, last)) = self.index.last().filter(|(_, last)| start <= *last) {
            return wrong(format!("the chunk before ends at {last}"));
        }
        let done =
            vec_sink(&mut self.block, 0, |out| put_chunk(start, end, value, options.ctx, out.with(options)));
        done.map_err(|e| e.within(Step::Index(self.index.len())))?;
        self.index.push((start, end));
        self.send()
    }

    /// Completes the files and gives them their names.
    ///
    /// See [`Writer`] for an example.
    ///
    /// # Errors
    /// The last index is not that of the file, or the files cannot be written.
    pub fn finish(mut self) -> Result<()> {
        let last = self.index.last().map(|(_, end)| *end);
        if last != Some(self.end) {
            let found = last.map_or_else(|| "none".into(), |n| format!("{n}"));
            let kind = ErrorKind::mismatch("last index", format!("{}", self.end), found);
            return Err(Error::new(kind, self.at));
        }
        self.out.sync()?;
        let index = write_index(&self.index)?;
        let index_path = self.path.with_extension("index");
        let mut index_sum = Checksum::new();
        index_sum.update(index.as_bytes());
        let mut beside = Vec::new();
        for (path, text) in [
            (with_suffix(&index_path, ".checksum"), index_sum.finish()),
            (with_suffix(&self.path, ".checksum"), self.sum.finish()),
            (index_path, index),
        ] {
            let mut file = Unfinished::beside(&path)?;
            file.write(text.as_bytes())?;
            file.sync()?;
            beside.push(file);
        }
        beside.into_iter().try_for_each(Unfinished::place)?;
        // who finds the data file finds what belongs to it, after a power cut, too
        sync_folder(&self.path)?;
        self.out.place()?;
        sync_folder(&self.path)
    }
}
