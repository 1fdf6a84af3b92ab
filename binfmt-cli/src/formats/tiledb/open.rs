//! Opening an array: where it is, its key, the time at which it is wanted.

use super::options::Options;
use super::place::{self, Place};
use crate::error::{Error, Result};
use crate::format::Job;
use crate::limits::Size;
use crate::place::Start;
use binfmt::formats::tiledb::{self, Array, Encryption, Folder, GenericTileHeader, Key, Storage};
use binfmt::{ErrorKind, KeyProblem};

/// The place that a job names, which must be a whole array.
pub(super) fn place(job: &Job<'_>) -> Result<Place> {
    let place = place::of(job.input.path(), job.input.is_directory())?;
    match place.file {
        None => Ok(place),
        Some(file) => Err(Error::usage(format_args!("{file} is one file of a TileDB array"))
            .tip(format_args!("the array is {}", place.root.display()))),
    }
}

/// Opens the array of a job.
pub(super) fn open(options: &Options, job: &Job<'_>) -> Result<Array> {
    at(&place(job)?, options, job)
}

/// Opens the array at a place.
pub(super) fn at(place: &Place, options: &Options, job: &Job<'_>) -> Result<Array> {
    let folder = Folder::new(&place.root);
    open_options(&folder, options, job)?.open(folder).map_err(|e| failure(&e))
}

/// How an array is opened, as the command line says.
pub(super) fn open_options(folder: &Folder, options: &Options, job: &Job<'_>) -> Result<tiledb::Options> {
    let mut open = tiledb::Options::new().threads(options.threads());
    if let Some(Size(bytes)) = job.limits.max_memory {
        open = open.limit(bytes);
    }
    // one from the environment may be meant for another array
    if let Some(key) = key(options)?.filter(|_| is_encrypted(folder)) {
        open = open.key(key);
    }
    if let Some(time) = options.at() {
        open = open.at(time);
    }
    Ok(open)
}

/// Whether the schema, and with it everything, is encrypted.
pub(super) fn is_encrypted(folder: &Folder) -> bool {
    const NAME: &str = "__array_schema.tdb";
    const LONGEST: u64 = 4096;
    let size = folder.size(NAME).ok().flatten().unwrap_or(0).min(LONGEST);
    let mut head = vec![0; size as usize];
    folder.read(NAME, 0, &mut head).is_ok()
        && binfmt::from_prefix::<GenericTileHeader>(&head)
            .is_ok_and(|(header, _)| header.encryption != Encryption::None)
}

/// The key that was given. No message tells what it is.
pub(super) fn key(options: &Options) -> Result<Option<Key>> {
    let Some(bytes) = options.key.bytes()? else { return Ok(None) };
    // a file may have a newline at its end, and a key of bytes may end with that byte
    let key = Key::from_text(&bytes).or_else(|| Key::from_text(bytes.trim_ascii_end()));
    key.map(Some).ok_or_else(|| {
        let text = format!("--key has {} bytes", bytes.len());
        Error::usage(text).tip("a key is 32 characters, 64 hexadecimal digits, or a file with either: @FILE")
    })
}

/// An error of the library, which names the file inside the array, and what to do about it.
pub(super) fn failure(e: &binfmt::Error) -> Error {
    failure_below(e, 0)
}

/// The same without the first steps of the path.
pub(super) fn failure_below(e: &binfmt::Error, steps: usize) -> Error {
    let error = Start::default().located_below(e, steps);
    match e.kind() {
        ErrorKind::Key(KeyProblem::Missing) => error.tip("say --key KEY or --key @FILE, or set BINFMT_KEY"),
        ErrorKind::Key(KeyProblem::Wrong) => {
            error.tip("is --key (or BINFMT_KEY) the key that the array was written with?")
        }
        _ => error,
    }
}
