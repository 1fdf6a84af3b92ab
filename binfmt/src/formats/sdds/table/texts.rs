//! Strings that stand in memory together, without a question to the source for each.

use crate::columns::BytesColumn;
use crate::error::Result;
use crate::numbers::Sealed;
use crate::wire::raw::bulk::{NoMemory, append_short, foresee_room, try_room};
use crate::wire::{Order, Source};

/// Bytes that are looked at together: few enough to be read twice from the first caches.
const PIECE: usize = 32 << 10;

/// Rows for which room is made at once.
const ROOM: usize = 16;

/// Bytes that come next and can be had without waiting for more than one; none where each is to be read by itself.
pub(in crate::formats::sdds) fn at_hand<'a, 'de, S: Source<'de>>(src: &'a mut S) -> Result<&'a [u8]> {
    let n = src.chunk()?.min(PIECE);
    src.peek(n)
}

/// The string whose length is at `at`, as the place of its first byte and of the one behind it; `None` where it is not all
/// there, or has no length that a string can have.
#[inline(always)]
pub(super) fn text_at<O: Order>(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let len = i32::read::<O>(bytes.get(at..at.checked_add(4)?)?);
    let start = at.checked_add(4)?;
    let end = start.checked_add(usize::try_from(len).ok()?)?;
    (end <= bytes.len()).then_some((start, end))
}

/// Appends a string that [`text_at`] has found to a column that has room for a row.
#[inline(always)]
pub(super) fn push_text(
    bytes: &[u8],
    (start, end): (usize, usize),
    column: &mut BytesColumn,
) -> Result<(), NoMemory> {
    let (offsets, items) = column.parts_mut();
    append_short(bytes.get(start..end).unwrap_or_default(), items)?;
    offsets.push(items.len());
    Ok(())
}

/// Appends strings that stand one behind the other, at most `most`: how many are whole, and how many bytes they take.
pub(in crate::formats::sdds) fn push_texts<O: Order>(
    bytes: &[u8],
    most: usize,
    column: &mut BytesColumn,
) -> Result<(usize, usize), NoMemory> {
    let (mut n, mut at) = (0usize, 0usize);
    while n < most
        && let Some(text) = text_at::<O>(bytes, at)
    {
        if n.is_multiple_of(ROOM) {
            try_room(column.parts_mut().0, ROOM.min(most.saturating_sub(n)))?;
        }
        push_text(bytes, text, column)?;
        at = text.1;
        n = n.saturating_add(1);
    }
    Ok((n, at))
}

/// Makes room for all strings of a column, by what the first of them take and an eighth more, so that a few long ones do
/// not make it grow; `most` is what there can be at most.
pub(in crate::formats::sdds) fn foresee(
    column: &mut BytesColumn,
    missing: usize,
    most: usize,
    huge_pages: Option<bool>,
) {
    let n = column.len();
    let (offsets, items) = column.parts_mut();
    let likely = items.len() as u128 * missing as u128 * 9 / (8 * n.max(1) as u128);
    foresee_room(offsets, missing, huge_pages);
    foresee_room(items, usize::try_from(likely).unwrap_or(usize::MAX).min(most), huge_pages);
}
