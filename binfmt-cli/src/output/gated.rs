//! A folder that is written until the program is told to stop.

use super::interrupt::writing;
use binfmt::storage::{Fill, Folder, NewFile, Storage};
use std::fs::File;
use std::io;

/// The folder in which nothing is begun any more once what is in it is being removed.
#[derive(Debug)]
pub(crate) struct Gated(pub(super) Folder);

impl Storage for Gated {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        self.0.list(folder)
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.0.size(path)
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.read(path, offset, out)
    }

    fn read_ranges(&self, path: &str, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        self.0.read_ranges(path, ranges)
    }

    fn local(&self, path: &str) -> io::Result<Option<File>> {
        self.0.local(path)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let _writing = writing();
        self.0.write(path, bytes)
    }

    fn write_with(&self, path: &str, fill: Fill<'_>) -> io::Result<()> {
        let _writing = writing();
        self.0.write_with(path, fill)
    }

    fn begin(&self, path: &str) -> io::Result<Option<Box<dyn NewFile>>> {
        let _writing = writing();
        self.0.begin(path)
    }

    fn create_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let _writing = writing();
        self.0.create_new(path, bytes)
    }

    fn delete(&self, path: &str) -> io::Result<()> {
        self.0.delete(path)
    }

    fn delete_folder(&self, folder: &str) -> io::Result<()> {
        self.0.delete_folder(folder)
    }
}
