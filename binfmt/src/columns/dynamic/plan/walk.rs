//! Where the rows are: one pass that looks at lengths and at nothing else.

use super::place::{Body, Prefix, Tail};
use crate::wire::Endian;
use alloc::vec::Vec;

/// The beginnings of the runs of some rows: `runs[run][row]`, and behind the last run where the row ends.
#[derive(Debug, Default)]
pub(super) struct Starts {
    pub(super) runs: Vec<Vec<usize>>,
}

impl Starts {
    /// For rows of a layout, none yet.
    pub(super) fn clear(&mut self, body: &Body) {
        self.runs.resize_with(body.runs.len().saturating_add(1), Vec::new);
        self.runs.iter_mut().for_each(Vec::clear);
    }

    pub(super) fn truncate(&mut self, rows: usize) {
        self.runs.iter_mut().for_each(|run| run.truncate(rows));
    }
}

impl Prefix {
    /// The count in the last bytes before `end`.
    #[inline(always)]
    pub(super) fn read(&self, bytes: &[u8], end: usize, little: bool) -> Option<usize> {
        let little = self.order.map_or(little, |order| order == Endian::Little);
        macro_rules! number {
            ($T:ident) => {{
                let at = end.checked_sub(size_of::<$T>())?;
                let b = *bytes.get(at..)?.first_chunk()?;
                if little { $T::from_le_bytes(b) } else { $T::from_be_bytes(b) }
            }};
        }
        let n = match (self.bytes, self.signed) {
            (4, false) => u64::from(number!(u32)),
            (1, false) => u64::from(number!(u8)),
            (2, false) => u64::from(number!(u16)),
            (8, false) => number!(u64),
            (1, true) => u64::try_from(number!(i8)).ok()?,
            (2, true) => u64::try_from(number!(i16)).ok()?,
            (4, true) => u64::try_from(number!(i32)).ok()?,
            _ => u64::try_from(number!(i64)).ok()?,
        };
        let n = if self.inclusive { n.checked_sub(u64::from(self.bytes))? } else { n };
        usize::try_from(n).ok().filter(|_| n <= self.max)
    }

    /// Writes a count into the last bytes of `front`; `None` when it cannot be written.
    #[inline(always)]
    pub(super) fn write(&self, n: usize, front: &mut [u8], little: bool) -> Option<()> {
        let width = usize::from(self.bytes);
        let n = u64::try_from(n).ok().filter(|n| *n <= self.max)?;
        let n = if self.inclusive { n.checked_add(width as u64)? } else { n };
        let bits = (width as u32).checked_mul(8)?.checked_sub(u32::from(self.signed))?;
        if bits < 64 && n.checked_shr(bits)? > 0 {
            return None;
        }
        let at = front.len().checked_sub(width)?;
        let room = front.get_mut(at..)?;
        if self.order.map_or(little, |order| order == Endian::Little) {
            room.copy_from_slice(n.to_le_bytes().get(..width)?);
        } else {
            room.copy_from_slice(n.to_be_bytes().get(8usize.checked_sub(width)?..)?);
        }
        Some(())
    }
}

impl Body {
    /// Looks for the end of the row at `pos` and notes where its runs begin. `None` when it is not whole, or not such a
    /// row: then some runs may have been noted.
    #[inline(always)]
    pub(super) fn walk(
        &self,
        bytes: &[u8],
        mut pos: usize,
        little: bool,
        mut note: impl FnMut(usize, usize),
    ) -> Option<usize> {
        let mut at = 0usize;
        while let Some(run) = self.runs.get(at) {
            note(at, pos);
            let end = pos.checked_add(run.len).filter(|end| *end <= bytes.len())?;
            at = at.saturating_add(1);
            pos = match &run.tail {
                Tail::Nothing => end,
                Tail::Items(prefix, size) => {
                    let n = prefix.read(bytes, end, little)?;
                    end.checked_add(n.checked_mul(*size)?).filter(|end| *end <= bytes.len())?
                }
                Tail::Skipped(prefix) => {
                    let n = prefix.read(bytes, end, little)?;
                    end.checked_add(n).filter(|end| *end <= bytes.len())?
                }
                Tail::Rows(prefix, body) => {
                    let n = prefix.read(bytes, end, little)?;
                    body.walk_rows(bytes, end, n, little)?
                }
                Tail::Terminated => {
                    let n = bytes.get(end..)?.iter().position(|b| *b == 0)?;
                    end.checked_add(n)?.checked_add(1)?
                }
                Tail::Maybe { present, missing, resume } => {
                    let code = *bytes.get(end.checked_sub(1)?)?;
                    if code != *present && code >= missing.0 && code <= missing.1 {
                        (at..*resume).for_each(|skipped| note(skipped, end));
                        at = *resume;
                    }
                    end
                }
            };
        }
        note(self.runs.len(), pos);
        Some(pos)
    }

    /// The end of `n` rows.
    pub(super) fn walk_rows(&self, bytes: &[u8], mut pos: usize, n: usize, little: bool) -> Option<usize> {
        for _ in 0..n {
            pos = self.walk(bytes, pos, little, |_, _| {})?;
        }
        Some(pos)
    }

    /// As many whole rows as there are, at most `most`; returns how many and where they end.
    pub(super) fn walk_block(
        &self,
        bytes: &[u8],
        mut pos: usize,
        most: usize,
        little: bool,
        starts: &mut Starts,
    ) -> (usize, usize) {
        starts.clear(self);
        for row in 0..most {
            let runs = &mut starts.runs;
            let note = |run: usize, at: usize| {
                if let Some(run) = runs.get_mut(run) {
                    run.push(at);
                }
            };
            // a row of no bytes would have no end
            match self.walk(bytes, pos, little, note).filter(|end| *end > pos) {
                Some(end) => pos = end,
                None => {
                    starts.truncate(row);
                    return (row, pos);
                }
            }
        }
        (most, pos)
    }
}
