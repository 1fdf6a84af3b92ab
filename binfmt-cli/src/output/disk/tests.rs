//! A file system that tells what was done, for the tests of what is written.

use super::super::interrupt;
use super::*;
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::thread::JoinHandle;

/// Does what it is told, notes it, and fails at one of the steps.
#[derive(Clone, Debug, Default)]
pub(in crate::output) struct Noted {
    pub(in crate::output) steps: Rc<RefCell<Vec<String>>>,
    pub(in crate::output) fails_at: Option<usize>,
    /// Before which step a signal withdraws which name.
    pub(in crate::output) stopped: Option<(usize, PathBuf)>,
    /// The signal that waits.
    pub(in crate::output) waiting: Rc<RefCell<Option<JoinHandle<bool>>>>,
}

impl Noted {
    fn step(&self, text: String) -> io::Result<()> {
        let mut steps = self.steps.borrow_mut();
        steps.push(text);
        if let Some((_, path)) = self.stopped.clone().filter(|(step, _)| *step == steps.len()) {
            let signal = std::thread::spawn(move || interrupt::stop(&path));
            // while the name is given, signals wait
            match steps.iter().any(|step| step.starts_with("rename")) {
                true => *self.waiting.borrow_mut() = Some(signal),
                false => assert!(signal.join().unwrap()),
            }
        }
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
