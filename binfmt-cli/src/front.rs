//! The front of a file that grows: what is written beyond it just now is not there yet.

use binfmt::storage::Storage;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A place whose files end there, if they do not end before. It may move while they are read.
pub(crate) struct Front {
    files: Arc<dyn Storage>,
    end: Arc<AtomicU64>,
}

impl Front {
    pub(crate) fn new(files: Arc<dyn Storage>, end: Arc<AtomicU64>) -> Self {
        Front { files, end }
    }

    fn end(&self) -> u64 {
        self.end.load(Ordering::Relaxed)
    }
}

impl Storage for Front {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.files.list(folder)
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        Ok(self.files.size(path)?.map(|bytes| bytes.min(self.end())))
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        match offset.saturating_add(out.len() as u64) > self.end() {
            true => Err(io::ErrorKind::UnexpectedEof.into()),
            false => self.files.read(path, offset, out),
        }
    }

    fn write(&self, path: &str, _: &[u8]) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, format!("{path} is only read")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binfmt::storage::Memory;

    #[test]
    fn a_file_ends_where_it_is_said() {
        let files = Memory::new();
        files.write("a", b"abcdef").unwrap();
        let end = Arc::new(AtomicU64::new(4));
        let front = Front::new(Arc::new(files), Arc::clone(&end));
        let mut two = [0; 2];
        assert_eq!((front.size("a").unwrap(), front.size("b").unwrap()), (Some(4), None));
        front.read("a", 2, &mut two).unwrap();
        assert_eq!(&two, b"cd");
        assert_eq!(front.read("a", 3, &mut two).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        end.store(9, Ordering::Relaxed);
        assert_eq!(front.size("a").unwrap(), Some(6));
        assert!(front.write("a", b"").is_err() && front.list("").unwrap() == ["a"]);
    }
}
