//! Arrays in Fortran order, whose first index is the fastest, in the order of rows.

use super::header::Header;
use crate::error::{Error, ErrorKind, Result};
use crate::storage::{Memory, Storage};
use crate::wire::raw::bulk;
use std::ops::Range;
use std::sync::Arc;

impl Header {
    /// Whether the values are not in the order in which rows are one after the other.
    pub(super) fn is_in_other_order(&self) -> bool {
        self.fortran && self.shape.iter().filter(|len| **len > 1).count() > 1
    }
}

/// The bytes of an array, its last index the fastest. They are in memory together with those of the file, each once.
pub(super) fn rows(
    storage: &dyn Storage,
    path: &str,
    (bytes, memory): (Range<u64>, usize),
    header: &Header,
) -> Result<Arc<dyn Storage>> {
    let all = usize::try_from(bytes.end.saturating_sub(bytes.start)).unwrap_or(usize::MAX);
    if all > memory {
        let limit = ErrorKind::size_limit("array in Fortran order", Some(all as u64), memory as u64);
        return Err(limit.into());
    }
    let size = storage.size(path)?.unwrap_or(0);
    if size < bytes.end {
        let needed = usize::try_from(bytes.end).unwrap_or(usize::MAX);
        let kind =
            ErrorKind::UnexpectedEnd { needed, remaining: usize::try_from(size).unwrap_or(usize::MAX) };
        return Err(Error::new(kind, 0));
    }
    let mut columns = zeros(all)?;
    storage.read(path, bytes.start, &mut columns)?;
    let mut rows = zeros(all)?;
    let each = header.dtype.size().and_then(|size| usize::try_from(size).ok()).unwrap_or(1).max(1);
    // how far the same index plus one is away in the file
    let mut step = each;
    let mut places: Vec<(usize, usize)> = Vec::new();
    for len in &header.shape {
        let len = usize::try_from(*len).unwrap_or(usize::MAX);
        places.push((len, step));
        step = step.saturating_mul(len);
    }
    let mut index = vec![0usize; places.len()];
    let mut from = 0usize;
    for to in rows.chunks_exact_mut(each) {
        let value = columns.get(from..).and_then(|rest| rest.get(..each));
        to.copy_from_slice(value.ok_or_else(|| Error::other("an array is shorter than its shape"))?);
        for (at, (len, step)) in index.iter_mut().zip(&places).rev() {
            *at = at.saturating_add(1);
            from = from.saturating_add(*step);
            if *at < *len {
                break;
            }
            from = from.saturating_sub(step.saturating_mul(*len));
            *at = 0;
        }
    }
    let files = Memory::new();
    files.write(path, &rows)?;
    Ok(Arc::new(files))
}

fn zeros(bytes: usize) -> Result<Vec<u8>> {
    let mut all = Vec::new();
    bulk::try_room(&mut all, bytes)?;
    all.resize(bytes, 0);
    Ok(all)
}
