//! Which rows have a value.

/// Which items of lists are in rows that have one; each list begins and ends at these places.
pub(super) fn of_items(there: &[bool], ends: &[usize], items: usize) -> Vec<bool> {
    let mut found = vec![false; items];
    for (row, ends) in ends.windows(2).enumerate() {
        found.get_mut(ends[0]..ends[1]).unwrap_or_default().fill(is_there(Some(there), row));
    }
    found
}

pub(super) fn is_there(there: Option<&[bool]>, row: usize) -> bool {
    there.is_none_or(|there| there.get(row).copied().unwrap_or_default())
}

pub(super) fn present(there: &[bool]) -> usize {
    there.iter().filter(|is_there| **is_there).count()
}
