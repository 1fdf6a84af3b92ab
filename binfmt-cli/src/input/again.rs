//! A file that is opened once more while it is read.

use super::spool::{Reading, Spool};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::PathBuf;
use std::sync::Arc;

/// Where its bytes are.
#[derive(Clone)]
pub(crate) enum Again {
    Path(PathBuf),
    Kept(Arc<Spool>),
}

/// What is read from anywhere.
pub(crate) trait FromAnywhere: Read + Seek + Send + Sync {}

impl<T: Read + Seek + Send + Sync> FromAnywhere for T {}

impl Again {
    /// All of its bytes.
    pub(crate) fn open(&self) -> io::Result<Box<dyn FromAnywhere>> {
        Ok(match self {
            Again::Path(path) => Box::new(File::open(path)?),
            Again::Kept(spool) => Box::new(Reading::new(spool, 0)),
        })
    }

    /// Nobody opens it once more.
    pub(crate) fn pass(self) {
        if let Again::Kept(spool) = self {
            spool.pass();
        }
    }
}
