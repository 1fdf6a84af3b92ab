//! The arrays of `tests/data` in memory, and what is done to their files.

use crate::targets::shared::input::Choices;
use binfmt::formats::tiledb::{Fill, Key, Options, Storage};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

/// Larger ones take too long to be read often.
const MOST: usize = 24 << 10;

type Files = BTreeMap<String, Vec<u8>>;

/// An array as its writer left it.
pub(crate) struct Original {
    pub(crate) files: Files,
    is_encrypted: bool,
}

impl Original {
    /// The same files, of which each may become another.
    pub(crate) fn stored(&self) -> Stored<'_> {
        let files = self.files.iter().map(|(path, bytes)| (path.clone(), Cow::Borrowed(bytes.as_slice())));
        Stored(files.collect())
    }

    pub(crate) fn options(&self) -> Options {
        let options = Options::new().limit(1 << 20).threads(1);
        if self.is_encrypted { options.key(Key::new(*b"0123456789abcdeF0123456789abcdeF")) } else { options }
    }
}

/// The files of an array, which cannot be written.
pub(crate) struct Stored<'a>(BTreeMap<String, Cow<'a, [u8]>>);

impl<'a> Stored<'a> {
    pub(crate) fn put(&mut self, path: String, bytes: impl Into<Cow<'a, [u8]>>) {
        self.0.insert(path, bytes.into());
    }

    pub(crate) fn take(&mut self, path: &str) -> Option<Cow<'a, [u8]>> {
        self.0.remove(path)
    }

    pub(crate) fn get(&self, path: &str) -> Option<Cow<'a, [u8]>> {
        self.0.get(path).cloned()
    }

    pub(crate) fn paths(&self) -> impl ExactSizeIterator<Item = &String> {
        self.0.keys()
    }
}

impl Storage for Stored<'_> {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let below = self.0.keys().filter_map(|path| path.strip_prefix(&prefix));
        let mut names: Vec<String> =
            below.filter_map(|path| path.split('/').next()).map(String::from).collect();
        names.dedup();
        Ok(names)
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        Ok(self.0.get(path).map(|bytes| bytes.len() as u64))
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let bytes = self.0.get(path).ok_or(io::ErrorKind::NotFound)?;
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let found = bytes.get(from..).and_then(|rest| rest.get(..out.len()));
        out.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write(&self, _: &str, _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::ReadOnlyFilesystem.into())
    }

    fn write_with(&self, _: &str, _: Fill<'_>) -> io::Result<()> {
        Err(io::ErrorKind::ReadOnlyFilesystem.into())
    }
}

/// Edits: a place, what is done there and with how many bytes, the bytes.
pub(crate) fn edit(mut bytes: Vec<u8>, c: &mut Choices<'_>) -> Vec<u8> {
    while !c.is_empty() && !bytes.is_empty() {
        let at = usize::from(u16::from_le_bytes([c.byte(), c.byte()])) % bytes.len();
        let (what, n) = (c.byte(), c.byte() & 15);
        let end = (at + usize::from(n)).min(bytes.len());
        match what % 16 {
            0..=8 => {
                let new = c.bytes(end - at);
                bytes[at..at + new.len()].copy_from_slice(new);
            }
            9..=11 => drop(bytes.splice(at..at, c.bytes(n.into()).iter().copied())),
            12..=14 => drop(bytes.drain(at..end)),
            _ => bytes.truncate(at),
        }
    }
    bytes
}

/// Those that are small enough.
pub(crate) fn originals() -> &'static [Original] {
    static ORIGINALS: OnceLock<Vec<Original>> = OnceLock::new();
    ORIGINALS.get_or_init(|| {
        let root = crate::targets::repository().join("tests/data/tiledb");
        let folders = std::fs::read_dir(root).expect("the arrays are there");
        let mut folders: Vec<_> = folders.map(|entry| entry.expect("an entry").path()).collect();
        folders.retain(|path| path.is_dir());
        folders.sort();
        let load = |folder: &Path| {
            let mut files = Files::new();
            add(folder, "", &mut files);
            let name = folder.file_name().expect("it has a name").to_string_lossy().into_owned();
            Original { files, is_encrypted: name.starts_with("e_") }
        };
        let mut all: Vec<_> = folders.iter().map(|folder| load(folder)).collect();
        all.retain(|array| array.files.values().map(Vec::len).sum::<usize>() <= MOST);
        all
    })
}

fn add(folder: &Path, below: &str, files: &mut Files) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        if path.is_dir() {
            add(&path, &format!("{below}{name}/"), files);
        } else {
            files.insert(format!("{below}{name}"), std::fs::read(&path).expect("it is read"));
        }
    }
}
