//! What the platform keeps beside a data file: the index, and the checksums of both.

use super::set::{parts, with_checksum};
use crate::error::{Error, Result};
use crate::output::Target;
use binfmt::formats::beat::{Checksum, DataPath, write_index};
use std::io::Write;
use std::path::Path;

/// The files beside one that is being written.
pub(super) struct SideFiles {
    file: DataPath,
    sum: Checksum,
    index: Vec<(u64, u64)>,
}

impl SideFiles {
    /// Those of a file that the platform finds: its name has indices.
    pub(super) fn of(out: &Target) -> Option<Self> {
        let Target::Path(path) = out else { return None };
        let (_, file) = parts(path)?;
        Some(SideFiles { file, sum: Checksum::new(), index: Vec::new() })
    }

    /// The next bytes of the data file.
    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.sum.update(bytes);
    }

    /// The next chunk.
    pub(super) fn chunk(&mut self, start: u64, end: u64) {
        self.index.push((start, end));
    }

    /// Writes the three files.
    pub(super) fn finish(self) -> Result<()> {
        let index = write_index(&self.index).map_err(Error::data)?;
        let index_path = self.file.index_path();
        let mut index_sum = Checksum::new();
        index_sum.update(index.as_bytes());
        put(&with_checksum(&self.file.path), &self.sum.finish())?;
        put(&with_checksum(&index_path), &index_sum.finish())?;
        put(&index_path, &index)
    }
}

fn put(path: &Path, text: &str) -> Result<()> {
    let target = Target::Path(path.to_owned());
    let mut out = target.create()?;
    out.write_all(text.as_bytes()).map_err(|e| Error::output(e).writing(target.name()))?;
    out.finish()
}
