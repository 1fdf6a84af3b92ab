//! What a command writes, as a storage: there a format of the library puts its file, or the folder that it is.

use super::gated::Gated;
use super::growth::Growth;
use super::{NewFolder, Output, Target, interrupt};
use crate::error::Result;
use binfmt::storage::{Fill, Folder, NewFile, Storage};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name of an output that has none.
const OUTPUT: &str = "output";

/// The one file or folder that a command writes. Without [`Place::finish`] there is none.
pub(crate) struct Place {
    target: Target,
    /// The name under which the output is in it: that of the file.
    name: String,
    folder: Mutex<Option<(Held, Arc<Gated>)>>,
    has_failed: Arc<AtomicBool>,
}

/// What a folder that is written is until it is complete.
enum Held {
    New(NewFolder),
    Growing(Growth),
}

/// A file on its way to its place.
struct Part {
    out: Option<Output>,
    has_failed: Arc<AtomicBool>,
}

impl Part {
    fn noted<T>(&self, done: io::Result<T>) -> io::Result<T> {
        self.has_failed.fetch_or(done.is_err(), Ordering::Relaxed);
        done
    }
}

impl Write for Part {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let done = self.out.as_mut().map_or(Ok(bytes.len()), |out| out.write(bytes));
        self.noted(done)
    }

    fn flush(&mut self) -> io::Result<()> {
        let done = self.out.as_mut().map_or(Ok(()), Output::flush);
        self.noted(done)
    }
}

impl NewFile for Part {
    fn patch(&mut self, at: u64, bytes: &[u8]) -> io::Result<bool> {
        let done = self.out.as_mut().map_or(Ok(false), |out| out.patch(at, bytes));
        self.noted(done)
    }

    fn commit(mut self: Box<Self>) -> io::Result<()> {
        let done = self.out.take().map_or(Ok(()), Output::commit);
        self.noted(done)
    }
}

impl Place {
    /// A new file or folder, or a folder that is there and `grows`.
    pub(crate) fn new(target: &Target, grows: bool) -> Arc<Self> {
        interrupt::await_signals();
        let has_failed = Arc::new(AtomicBool::new(false));
        let name = match target {
            // of one that is not a text, what is one
            Target::Path(path) => path.file_name().map(|name| name.to_string_lossy().into_owned()),
            Target::Stdout => None,
        };
        let name = name.unwrap_or_else(|| OUTPUT.to_owned());
        let folder = match target {
            Target::Path(path) if grows && path.is_dir() => {
                Some((Held::Growing(Growth::of(path)), Arc::new(Gated(Folder::new(path)))))
            }
            _ => None,
        };
        Arc::new(Place { target: target.clone(), name, folder: Mutex::new(folder), has_failed })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is the output that cannot be written.
    pub(crate) fn has_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed)
    }

    /// Puts a folder in its place; a file is there already.
    pub(crate) fn finish(&self) -> Result<()> {
        match self.folder().take() {
            Some((Held::New(folder), _)) => folder.commit(),
            Some((Held::Growing(growth), _)) => {
                growth.keep();
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn folder(&self) -> MutexGuard<'_, Option<(Held, Arc<Gated>)>> {
        // it is whole after every call
        self.folder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is in the folder, which is made for the first file, with room for a file of this path.
    fn inside(&self, path: &str) -> io::Result<Arc<Gated>> {
        let mut folder = self.folder();
        if let Some((held, files)) = &*folder {
            if let Held::Growing(growth) = held {
                self.noted(growth.make_room(path))?;
            }
            return Ok(Arc::clone(files));
        }
        let new = self.noted(self.target.begin_folder())?;
        let files = Arc::new(new.files());
        *folder = Some((Held::New(new), Arc::clone(&files)));
        Ok(files)
    }

    fn noted<T>(&self, done: io::Result<T>) -> io::Result<T> {
        self.has_failed.fetch_or(done.is_err(), Ordering::Relaxed);
        done
    }

    /// The folder if it is there, and the path inside it. Who reads does not hold it: others read at the same time.
    fn there<'a>(&self, path: &'a str) -> Option<(Arc<Gated>, &'a str)> {
        let files = self.folder().as_ref().map(|(_, files)| Arc::clone(files))?;
        Some((files, self.below(path)?))
    }

    /// The path inside the folder.
    fn below<'a>(&self, path: &'a str) -> Option<&'a str> {
        path.strip_prefix(&*self.name)?.strip_prefix('/')
    }

    /// A file that belongs beside the output.
    fn beside(&self, path: &str) -> Option<Target> {
        match &self.target {
            Target::Path(place) if !path.contains('/') => Some(Target::Path(place.with_file_name(path))),
            _ => None,
        }
    }
}

fn elsewhere(path: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, format!("{path} is not what is written"))
}

impl Storage for Place {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        match &*self.folder() {
            Some((_, files)) => files.list(self.below(folder).unwrap_or("")),
            None => Ok(Vec::new()),
        }
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        self.there(path).map_or(Ok(None), |(files, path)| files.size(path))
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let (files, path) = self.there(path).ok_or(io::ErrorKind::NotFound)?;
        files.read(path, offset, out)
    }

    fn read_ranges(&self, path: &str, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        let (files, path) = self.there(path).ok_or(io::ErrorKind::NotFound)?;
        files.read_ranges(path, ranges)
    }

    fn local(&self, path: &str) -> io::Result<Option<std::fs::File>> {
        self.there(path).map_or(Ok(None), |(files, path)| files.local(path))
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        match self.below(path) {
            Some(path) => self.noted(self.inside(path)?.write(path, bytes)),
            None => self.write_with(path, &mut |file| file.write_all(bytes)),
        }
    }

    fn write_with(&self, path: &str, fill: Fill<'_>) -> io::Result<()> {
        match self.below(path) {
            Some(path) => self.noted(self.inside(path)?.write_with(path, fill)),
            None => match self.begin(path)? {
                Some(mut file) => fill(&mut file).and_then(|()| file.commit()),
                None => Err(elsewhere(path)),
            },
        }
    }

    fn begin(&self, path: &str) -> io::Result<Option<Box<dyn NewFile>>> {
        if let Some(path) = self.below(path) {
            return self.inside(path)?.begin(path);
        }
        let beside = self.beside(path);
        let target =
            if path == self.name { &self.target } else { beside.as_ref().ok_or_else(|| elsewhere(path))? };
        let out = self.noted(target.begin())?;
        Ok(Some(Box::new(Part { out: Some(out), has_failed: Arc::clone(&self.has_failed) })))
    }

    fn create_new(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        match self.below(path) {
            Some(path) => self.noted(self.inside(path)?.create_new(path, bytes)),
            None => self.write(path, bytes),
        }
    }

    fn delete(&self, path: &str) -> io::Result<()> {
        self.there(path).map_or(Ok(()), |(files, path)| files.delete(path))
    }
}
