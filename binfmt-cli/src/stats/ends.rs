//! The least and the greatest value.

use binfmt::numbers::Number;
use std::cmp::Ordering;

/// A value that is the least or greatest so far.
#[derive(Clone, Debug)]
pub(crate) enum Least {
    Number(Number),
    Text(Vec<u8>),
}

/// Both, of what was there.
#[derive(Debug, Default)]
pub(super) struct Ends {
    pub(super) low: Option<Least>,
    pub(super) high: Option<Least>,
}

impl Ends {
    pub(super) fn number(&mut self, n: Number) {
        let is_beyond = |known: &Option<Least>, wanted: Ordering| match known {
            Some(Least::Number(known)) => n.compare(*known) == Some(wanted),
            _ => true,
        };
        if is_beyond(&self.low, Ordering::Less) {
            self.low = Some(Least::Number(n));
        }
        if is_beyond(&self.high, Ordering::Greater) {
            self.high = Some(Least::Number(n));
        }
    }

    pub(super) fn text(&mut self, text: &[u8]) {
        let is_beyond = |known: &Option<Least>, wanted: Ordering| match known {
            Some(Least::Text(known)) => text.cmp(known) == wanted,
            _ => true,
        };
        if is_beyond(&self.low, Ordering::Less) {
            self.low = Some(Least::Text(text.to_vec()));
        }
        if is_beyond(&self.high, Ordering::Greater) {
            self.high = Some(Least::Text(text.to_vec()));
        }
    }

    /// Those of other values of the same column.
    pub(super) fn merge(&mut self, other: Ends) {
        [other.low, other.high].into_iter().flatten().for_each(|end| match end {
            Least::Number(n) => self.number(n),
            Least::Text(text) => self.text(&text),
        });
    }
}
