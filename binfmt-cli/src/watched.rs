//! Files of a storage that are read while a person waits: what is read is counted, and a bar drawn.

use crate::progress::Progress;
use binfmt::storage::Storage;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// A storage with a bar. Parts that are read twice count twice.
pub(crate) struct Watched {
    files: Arc<dyn Storage>,
    progress: Mutex<Progress>,
}

impl Watched {
    pub(crate) fn new(files: Arc<dyn Storage>, progress: Progress) -> Self {
        Watched { files, progress: Mutex::new(progress) }
    }

    fn add(&self, bytes: usize) {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).add(bytes as u64);
    }
}

/// What is only read: without `local`, which hands out the file itself.
impl Storage for Watched {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.files.list(folder)
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.files.size(path)
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.files.read(path, offset, out).inspect(|()| self.add(out.len()))
    }

    fn read_ranges(&self, path: &str, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        self.files.read_ranges(path, ranges)?;
        self.add(ranges.iter().map(|(_, out)| out.len()).sum());
        Ok(())
    }

    fn is_arriving(&self, path: &str) -> bool {
        self.files.is_arriving(path)
    }

    fn read_some(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        self.files.read_some(path, offset, out).inspect(|bytes| self.add(*bytes))
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.files.write(path, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binfmt::storage::Memory;

    #[test]
    fn what_is_read_is_counted() {
        let files = Arc::new(Memory::new());
        files.write("a", b"abcdef").unwrap();
        let watched = Watched::new(files, Progress::new("a", Some(6), false));
        let (mut some, mut two, mut more) = ([0; 2], [0; 2], [0; 1]);
        watched.read("a", 1, &mut some).unwrap();
        watched.read_ranges("a", &mut [(0, &mut two), (5, &mut more)]).unwrap();
        assert_eq!((some, two, more), (*b"bc", *b"ab", *b"f"));
        assert_eq!(watched.read_some("a", 4, &mut some).unwrap(), 2);
        assert!(watched.read("b", 0, &mut some).is_err());
        assert_eq!(watched.progress.lock().unwrap().done(), 7);
    }
}
