//! Opening an array: where it is, its key, the time at which it is wanted.

use super::place::{self, Place};
use crate::error::{Error, Result};
use crate::format::Job;
use crate::limits::Size;
use crate::place::Start;
use crate::settings::{Setting, Settings};
use binfmt::formats::tiledb::{Array, Encryption, Folder, GenericTileHeader, Key, OpenOptions, Storage};
use binfmt::{ErrorKind, KeyProblem};

pub(super) const KEY: Setting = Setting {
    name: "key",
    value: Some("KEY"),
    help: "the key of an encrypted array: 32 characters, 64 hexadecimal\n\
           digits, or @FILE; BINFMT_KEY keeps it off the command line.\n\
           Said to convert, it encrypts what is written",
    env: Some("BINFMT_KEY"),
};

pub(super) const AT: Setting = Setting {
    name: "at",
    value: Some("TIME"),
    help: "the array as it was then: milliseconds since 1970",
    env: None,
};

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
pub(super) fn open(job: &Job<'_>) -> Result<Array> {
    at(&place(job)?, job)
}

/// Opens the array at a place.
pub(super) fn at(place: &Place, job: &Job<'_>) -> Result<Array> {
    let folder = Folder::new(&place.root);
    options(&folder, job)?.open(folder).map_err(|e| failure(&e))
}

/// Refuses options that mean something to other commands only.
pub(super) fn without(settings: &Settings, names: &[&str]) -> Result<()> {
    match names.iter().find(|name| settings.get(name).is_some()) {
        Some(name) => Err(Error::usage(format_args!("--{name} means nothing to this command"))),
        None => Ok(()),
    }
}

/// How an array is opened, as the command line says.
pub(super) fn options(folder: &Folder, job: &Job<'_>) -> Result<OpenOptions> {
    let mut options = OpenOptions::new();
    if let Some(Size(bytes)) = job.limits.max_memory {
        options = options.limit(bytes);
    }
    if let Some(key) = key_of(folder, job.settings)? {
        options = options.key(key);
    }
    if let Some(time) = job.settings.get("at") {
        let time = time.replace('_', "").parse();
        let wrong = |_| Error::usage("--at must be a number of milliseconds since 1970");
        options = options.at(time.map_err(wrong)?);
    }
    Ok(options)
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

/// The key that was given, for an array that is encrypted: one from the environment may be meant for another.
pub(super) fn key_of(folder: &Folder, settings: &Settings) -> Result<Option<Key>> {
    Ok(key(settings)?.filter(|_| is_encrypted(folder)))
}

/// The key that was given. No message tells what it is.
pub(super) fn key(settings: &Settings) -> Result<Option<Key>> {
    let Some(bytes) = settings.secret("key")? else { return Ok(None) };
    let exact = |bytes: &[u8]| bytes.try_into().ok().or_else(|| hex(bytes)).map(Key::new);
    // a file may have a newline at its end, and a key of bytes may end with that byte
    let key = exact(&bytes).or_else(|| exact(bytes.trim_ascii_end()));
    key.map(Some).ok_or_else(|| {
        let text = format!("--key has {} bytes", bytes.len());
        Error::usage(text).tip("a key is 32 characters, 64 hexadecimal digits, or a file with either: @FILE")
    })
}

fn hex(digits: &[u8]) -> Option<[u8; 32]> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let pairs = digits.as_chunks::<2>().0.iter();
    let bytes = pairs.map(|[a, b]| Some((digit(a)? << 4 | digit(b)?) as u8)).collect::<Option<Vec<u8>>>()?;
    (digits.len() == 64).then_some(bytes)?.try_into().ok()
}

/// An error of the library, which names the file inside of the array, and what to do about it.
pub(super) fn failure(e: &binfmt::Error) -> Error {
    let error = Start::default().located(e);
    match e.kind() {
        ErrorKind::Key(KeyProblem::Missing) => error.tip("say --key KEY or --key @FILE, or set BINFMT_KEY"),
        ErrorKind::Key(KeyProblem::Wrong) => {
            error.tip("is --key (or BINFMT_KEY) the key that the array was written with?")
        }
        _ => error,
    }
}
