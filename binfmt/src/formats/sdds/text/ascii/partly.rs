//! Words that are not the values that are read of them, such as numbers of which only the beginning is one.

use crate::error::{Error, Step};
use alloc::format;
use alloc::string::String;

/// The first of them, and how many they are.
#[derive(Debug, Default)]
pub(crate) struct Partly {
    pub(crate) count: u64,
    /// Where the first one is in its page.
    pub(crate) first: Option<Error>,
    /// What is to be said of the first one, and where it begins, before it is known what it is a value of.
    fresh: Option<(String, u64)>,
}

impl Partly {
    /// A word was found that begins there, in that line.
    #[cold]
    pub(super) fn found(&mut self, told: impl FnOnce() -> String, (line, at): (usize, u64)) {
        self.count += 1;
        if self.first.is_none() {
            self.fresh = Some((format!("{}, in line {line} of the data", told()), at));
        }
    }

    /// What the word is a value of, if one was found.
    pub(super) fn placed(&mut self, of: impl FnOnce() -> String, row: Option<u64>) {
        let Some((text, at)) = self.fresh.take() else { return };
        let error = Error::message(format!("{}: {text}", of()), at);
        self.first = Some(match row {
            Some(row) => {
                let row = usize::try_from(row).unwrap_or(usize::MAX);
                error.within(Step::Index(row)).within(Step::Field("table"))
            }
            None => error,
        });
    }
}
