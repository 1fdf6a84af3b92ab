//! The arrays of `tests/data` with edits in one of their files: opened, read, verified; what is read in two orders has the
//! same number of cells.

use crate::targets::shared::input::Choices;
use binfmt::formats::tiledb::{Array, ArraySchema, Fill, Key, Options, Storage};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::OnceLock;

/// Larger ones take too long to be read often.
const MOST: usize = 24 << 10;

type Files = BTreeMap<String, Vec<u8>>;

struct Original {
    files: Files,
    is_encrypted: bool,
}

/// The files of an array, one of which is another.
struct Edited<'a> {
    files: &'a Files,
    path: &'a str,
    bytes: Vec<u8>,
}

impl Edited<'_> {
    fn get(&self, path: &str) -> Option<&[u8]> {
        if path == self.path { Some(&self.bytes) } else { self.files.get(path).map(Vec::as_slice) }
    }
}

impl Storage for Edited<'_> {
    fn list(&self, folder: &str) -> io::Result<Vec<String>> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let below = self.files.keys().filter_map(|path| path.strip_prefix(&prefix));
        let mut names: Vec<String> =
            below.filter_map(|path| path.split('/').next()).map(String::from).collect();
        names.dedup();
        Ok(names)
    }

    fn size(&self, path: &str) -> io::Result<Option<u64>> {
        Ok(self.get(path).map(|bytes| bytes.len() as u64))
    }

    fn read(&self, path: &str, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let bytes = self.get(path).ok_or(io::ErrorKind::NotFound)?;
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

pub fn run(data: &[u8]) {
    let c = &mut Choices(data);
    let originals = originals();
    let original = &originals[usize::from(c.byte()) % originals.len()];
    let at = usize::from(c.byte()) % original.files.len();
    let (path, bytes) = original.files.iter().nth(at).expect("within the number of files");
    let edited = Edited { files: &original.files, path, bytes: edit(bytes.clone(), c) };
    let options = Options::new().limit(1 << 20).threads(1);
    let options = if original.is_encrypted {
        options.key(Key::new(*b"0123456789abcdeF0123456789abcdeF"))
    } else {
        options
    };
    if let Ok(array) = options.open(edited) {
        look(&array);
    }
}

fn look(array: &Array<Edited<'_>>) {
    for fragment in array.fragments().iter().take(3) {
        let _ = array.verify(fragment);
    }
    let global = array.query().global_order().read();
    if let (Ok(a), Ok(b)) = (array.read(), global) {
        assert_eq!(a.num_cells(), b.num_cells());
    }
    let file = array.schema().to_file(None).expect("a schema that was read is written");
    assert_eq!(&ArraySchema::from_file(&file, None).expect("and read"), array.schema());
}

/// Edits: a place, what is done there and with how many bytes, the bytes.
fn edit(mut bytes: Vec<u8>, c: &mut Choices<'_>) -> Vec<u8> {
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

fn originals() -> &'static [Original] {
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
