//! What numbers mean, where that changes what is known of them.

use super::there::{is_there, present};
use binfmt::numbers::Numbers;
use binfmt::table::{Leaf, Logical, TableField, keys};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Plain,
    /// The least number is no time.
    Times,
    /// Two of them are a complex one, which has no order.
    Complex,
}

/// Which numbers are summed up.
pub(super) enum Meant {
    All,
    Some {
        known: Vec<bool>,
        missing: u64,
    },
    /// None: how many complex numbers have a half that is NaN.
    Halves {
        nan: u64,
    },
}

impl Meaning {
    /// That of the numbers of a leaf.
    pub(crate) fn of_leaf(leaf: &Leaf, field: Option<&TableField>) -> Self {
        let Some(field) = field.filter(|_| leaf.path.is_empty()) else { return Meaning::Plain };
        // an array of several dimensions has another logical type
        let native = field.get(keys::NATIVE).unwrap_or_default().trim_start_matches(['<', '>']);
        let is_one = |letters: &[&str]| letters.iter().any(|letter| native.starts_with(letter));
        match field.logical {
            Some(Logical::Timestamp(_) | Logical::Duration(_)) => Meaning::Times,
            Some(Logical::Complex) => Meaning::Complex,
            _ if is_one(&["complex", "c8", "c16"]) => Meaning::Complex,
            _ if is_one(&["M8", "m8"]) => Meaning::Times,
            _ => Meaning::Plain,
        }
    }

    /// What is to be done with some of those that are there.
    pub(super) fn of(self, numbers: &Numbers, there: Option<&[bool]>) -> Meant {
        match (self, numbers.as_slice::<i64>()) {
            (Meaning::Times, Some(times)) if times.contains(&i64::MIN) => {
                let known = times.iter().enumerate().map(|(row, n)| is_there(there, row) && *n != i64::MIN);
                let known: Vec<bool> = known.collect();
                let missing = there.map_or(times.len(), present).saturating_sub(present(&known));
                Meant::Some { known, missing: missing as u64 }
            }
            (Meaning::Complex, _) => {
                let is_nan = |row: &usize| {
                    let mut halves = *row..row.saturating_add(2);
                    let nan = |row| numbers.get(row).is_some_and(|n| n.to_f64().is_nan());
                    is_there(there, *row) && halves.any(nan)
                };
                Meant::Halves { nan: (0..numbers.len()).step_by(2).filter(is_nan).count() as u64 }
            }
            _ => Meant::All,
        }
    }
}
