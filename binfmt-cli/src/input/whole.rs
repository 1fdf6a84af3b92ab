//! Inputs that are read as a whole.

use super::Input;
use crate::error::{Error, Result};
use crate::limits::{Limits, Size};
use std::io::Read;

impl Input {
    /// All bytes, for what goes from one part of them to another.
    pub(crate) fn whole(&mut self, limits: Limits) -> Result<Vec<u8>> {
        let most = limits.max_memory.map_or(u64::MAX, |Size(bytes)| bytes);
        self.settle()?;
        let known = self.len();
        let mut bytes = Vec::new();
        if known.is_none_or(|len| len <= most) {
            self.reader(0)?.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(Error::input)?;
        }
        if known.is_some_and(|len| len > most) || bytes.len() as u64 > most {
            let text = format!(
                "the whole file is read at once, and this one is larger than the limit of {most} bytes"
            );
            return Err(Error::data(text));
        }
        Ok(bytes)
    }
}
