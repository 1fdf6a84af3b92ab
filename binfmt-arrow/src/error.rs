//! Errors of both sides.

use arrow_schema::ArrowError;
use binfmt::{Error, Result};

/// An error of Arrow as one of ours; one that was ours is the same again.
pub(crate) fn ours(e: ArrowError) -> Error {
    match e {
        ArrowError::ExternalError(e) => match e.downcast::<Error>() {
            Ok(e) => *e,
            Err(e) => Error::other(e.to_string()),
        },
        ArrowError::IoError(text, e) => match e.kind() {
            std::io::ErrorKind::Other => Error::other(text),
            _ => Error::from(e),
        },
        e => Error::other(e.to_string()),
    }
}

/// An error of ours as one of Arrow, which readers of a stream get.
pub(crate) fn theirs(e: Error) -> ArrowError {
    let text = e.to_string();
    // the stream interface has texts that end with the first of them
    if text.contains('\0') {
        return ArrowError::ComputeError(text.replace('\0', "\u{fffd}"));
    }
    ArrowError::from_external_error(Box::new(e))
}

/// What only a mistake of this crate can make wrong.
pub(crate) fn uneven(what: &str) -> Error {
    Error::other(format!("the parts of {what} do not fit together"))
}

/// A value that Arrow has no room for.
pub(crate) fn narrow(n: usize, what: &str) -> Result<i32> {
    i32::try_from(n).map_err(|_| Error::other(format!("{what}: Arrow has no more than {} of them", i32::MAX)))
}

/// Runs a reader of files, some of which panic when a file is damaged: behind the stream interface that would end the program.
#[cfg(any(feature = "ipc", feature = "parquet"))]
pub(crate) fn guarded<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read));
    done.unwrap_or_else(|_| Err(Error::other("the file is damaged: its reader gave up")))
}
