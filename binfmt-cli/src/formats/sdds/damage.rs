//! Files that are damaged, and what there is before the damage.

use crate::error::Error;
use binfmt::formats::sdds::{Page, Partial};

/// What ended the reading.
pub(super) struct Damage {
    pub(super) error: Error,
    pub(super) before: Box<Before>,
}

/// The whole rows of a page before its damage, and how many they are.
#[derive(Default)]
pub(super) struct Before {
    pub(super) page: Option<Page>,
    pub(super) rows: u64,
    /// The file may be sound: there is not enough memory for it.
    pub(super) is_of_memory: bool,
}

impl Damage {
    /// The same after so many whole rows.
    pub(super) fn after(mut self, rows: u64) -> Self {
        self.before.rows = rows;
        self
    }
}

impl From<Error> for Damage {
    fn from(error: Error) -> Damage {
        Damage { error, before: Box::default() }
    }
}

impl From<Damage> for Error {
    fn from(damage: Damage) -> Error {
        damage.error
    }
}

/// What to say of words that are not the values that are read of them.
pub(super) fn partial(found: &Partial) -> String {
    let Partial { path, offset, text, .. } = found;
    let more = if found.count > 1 { format!("; {} such values", found.count) } else { String::new() };
    format!("{path} at byte {offset} ({offset:#x}): {text}{more}")
}
