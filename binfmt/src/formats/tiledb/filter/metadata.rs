//! The metadata of one chunk, taken from the front by one filter after the other.

use crate::{Error, ErrorKind, Options, Result};

/// The metadata of a chunk while it is read: each filter takes its own from the front.
#[derive(Debug, Default)]
pub(crate) struct Metadata {
    bytes: Vec<u8>,
    at: usize,
}

impl Metadata {
    pub(crate) fn set(&mut self, bytes: &[u8]) {
        self.bytes.clear();
        self.bytes.extend_from_slice(bytes);
        self.at = 0;
    }

    pub(crate) fn rest(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// The metadata of the filter whose turn it is.
    pub(crate) fn take<T: for<'de> crate::Decode<'de>>(&mut self) -> Result<T> {
        let (value, rest) = crate::from_prefix_with::<T, ()>(self.rest(), &Options::new())
            .map_err(|e| e.within(crate::Step::Field("metadata")))?;
        self.at = self.bytes.len() - rest.len();
        Ok(value)
    }

    pub(crate) fn replace(&mut self, bytes: Vec<u8>) {
        self.bytes = bytes;
        self.at = 0;
    }

    /// At the end, every byte must have belonged to a filter.
    pub(crate) fn finish(&self) -> Result<()> {
        match self.rest().len() {
            0 => Ok(()),
            n => {
                let e = Error::from(ErrorKind::UnconsumedRegion { count: n as u64 });
                Err(e.within(crate::Step::Field("metadata")))
            }
        }
    }
}
