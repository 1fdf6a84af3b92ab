//! A file system that tells what was done, for the tests of what is written.

use super::*;
use std::cell::RefCell;
use std::rc::Rc;

/// Does what it is told, notes it, and fails at one of the steps.
#[derive(Clone, Debug, Default)]
pub(in crate::output) struct Noted {
    pub(in crate::output) steps: Rc<RefCell<Vec<String>>>,
    pub(in crate::output) fails_at: Option<usize>,
}

impl Noted {
    fn step(&self, text: String) -> io::Result<()> {
        let mut steps = self.steps.borrow_mut();
        steps.push(text);
        if self.fails_at == Some(steps.len()) { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

impl Disk for Noted {
    fn sync(&self, file: &File) -> io::Result<()> {
        // all bytes must be there, and not in some buffer of the program
        self.step(format!("sync {} bytes", file.metadata()?.len()))?;
        System.sync(file)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.step(format!("rename to {}", name(to)))?;
        System.rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.step(format!("sync folder {}", name(folder)))?;
        System.sync_folder(folder)
    }
}
