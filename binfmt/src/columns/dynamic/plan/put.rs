//! From columns to one row of any size: what blocks cannot measure beforehand, or doubt, without the detour through a value.

use super::super::column::{Column, ColumnRef};
use super::fill::Places;
use super::place::{Blank, Body, Node, Prefix, Tail};
use super::ranges::within;
use super::scatter::{Target, checks_of, is_encoded, put as put_fixed, put_items};
use crate::columns::data::ColumnData;
use alloc::vec::Vec;

/// A row that is being written.
struct Row<'r> {
    body: &'r Body,
    out: &'r mut Vec<u8>,
    /// Where the runs begin that have been begun.
    starts: Vec<Option<usize>>,
    row: usize,
    little: bool,
}

/// Appends a row; false when it is in doubt, and then part of it may have been appended.
pub(super) fn put_row<'c>(
    body: &Body,
    columns: impl Iterator<Item = ColumnRef<'c>>,
    row: usize,
    little: bool,
    out: &mut Vec<u8>,
) -> bool {
    let mut writer = Row { body, out, starts: Vec::with_capacity(body.runs.len()), row, little };
    for (node, column) in body.nodes.iter().zip(columns) {
        if writer.put(node, column).is_none() {
            return false;
        }
    }
    body.runs.len().checked_sub(1).is_some_and(|last| writer.begin(last).is_some())
        && writer.checks().is_some()
}

impl Row<'_> {
    /// Begins the runs up to this one; what stands at their tails and is not a value is empty.
    fn begin(&mut self, run: usize) -> Option<()> {
        while self.starts.len() <= run {
            let at = self.starts.len();
            let of = self.body.runs.get(at)?;
            self.starts.push(Some(self.out.len()));
            self.out.try_reserve(of.len).ok()?;
            self.out.resize(self.out.len().checked_add(of.len)?, 0);
            if let Tail::Skipped(prefix) = &of.tail {
                self.prefix(*prefix, 0)?;
            }
        }
        Some(())
    }

    /// Writes a count into the last bytes.
    fn prefix(&mut self, prefix: Prefix, n: usize) -> Option<()> {
        prefix.write(n, self.out, self.little)
    }

    fn put(&mut self, node: &Node, column: ColumnRef<'_>) -> Option<()> {
        match (node, column) {
            (Node::Text { run, nul, terminated, encoding }, ColumnRef::Text(v)) => {
                let text = v.get(self.row)?;
                if !is_encoded(text, *encoding) {
                    return None;
                }
                self.bytes(*run, text, *nul, *terminated)
            }
            (Node::Bytes { run, terminated }, ColumnRef::Bytes(v)) => {
                self.bytes(*run, v.get(self.row)?, *terminated, *terminated)
            }
            (Node::List { run, item }, ColumnRef::List(v)) => {
                let range = v.range(self.row)?;
                self.list(*run, item, v.items(), range)
            }
            (Node::Nullable { at, missing, blank, body }, ColumnRef::Nullable(v)) => {
                if *blank != Blank::Absent && !matches!(blank, Blank::Empty { .. }) {
                    return self.fixed(node, column, at.run);
                }
                self.begin(at.run)?;
                let start = (*self.starts.get(at.run)?)?;
                let code = *v.codes().get(self.row)?;
                *self.out.get_mut(start.checked_add(at.offset)?)? = code;
                if code == v.present() {
                    return self.put(body, v.values().borrowed());
                }
                if code < missing.0 || code > missing.1 {
                    return None;
                }
                self.missing(*blank, at.run)
            }
            (Node::Ranged { ranges, body }, column) => {
                if within(ranges, column, self.row) {
                    self.put(body, column)
                } else {
                    None
                }
            }
            (Node::Record { nodes }, ColumnRef::Record { fields, .. }) => {
                nodes.iter().zip(fields).try_for_each(|(node, (_, column))| self.put(node, column.borrowed()))
            }
            (node, column) => self.fixed(node, column, run_of(node)?),
        }
    }

    /// What stands for a missing value whose presence byte ends this run.
    fn missing(&mut self, blank: Blank, run: usize) -> Option<()> {
        match blank {
            Blank::Empty { run } => {
                self.begin(run)?;
                match self.body.runs.get(run)?.tail {
                    Tail::Items(prefix, _) => self.prefix(prefix, 0),
                    Tail::Terminated => {
                        self.out.push(0);
                        Some(())
                    }
                    _ => None,
                }
            }
            _ => {
                let Tail::Maybe { resume, .. } = self.body.runs.get(run)?.tail else { return None };
                self.starts.resize(resume, None);
                Some(())
            }
        }
    }

    fn bytes(&mut self, run: usize, bytes: &[u8], nul: bool, terminated: bool) -> Option<()> {
        self.begin(run)?;
        match self.body.runs.get(run)?.tail {
            Tail::Items(prefix, _) => self.prefix(prefix, bytes.len().checked_add(usize::from(nul))?)?,
            _ if terminated && bytes.contains(&0) => return None,
            _ => {}
        }
        self.out.try_reserve(bytes.len().checked_add(1)?).ok()?;
        self.out.extend_from_slice(bytes);
        if nul {
            self.out.push(0);
        }
        Some(())
    }

    fn list(
        &mut self,
        run: usize,
        item: &Body,
        items: &Column,
        range: core::ops::Range<usize>,
    ) -> Option<()> {
        self.begin(run)?;
        let (Tail::Items(prefix, _) | Tail::Rows(prefix, _)) = self.body.runs.get(run)?.tail else {
            return None;
        };
        self.prefix(prefix, range.len())?;
        let Some(size) = item.size else {
            let mut each = range;
            return each
                .all(|row| put_row(item, core::iter::once(items.borrowed()), row, self.little, self.out))
                .then_some(());
        };
        let start = self.out.len();
        let all = size.checked_mul(range.len())?;
        self.out.try_reserve(all).ok()?;
        self.out.resize(start.checked_add(all)?, 0);
        let room = self.out.get_mut(start..)?;
        put_items(item, items, range, self.little, room).then_some(())
    }

    /// A value of a fixed size.
    fn fixed(&mut self, node: &Node, column: ColumnRef<'_>, run: usize) -> Option<()> {
        self.begin(run)?;
        let start = (*self.starts.get(run)?)?;
        let bytes = self.out.get_mut(start..)?;
        let places = Places::Strided(bytes.len());
        let rows = self.row..self.row.checked_add(1)?;
        let mut target = Target { bytes, places, rows, little: self.little };
        (put_fixed(self.body, node, column, &mut target, None) == 1).then_some(())
    }

    /// Writes what must be there.
    fn checks(&mut self) -> Option<()> {
        for check in &self.body.checks {
            let start = (*self.starts.get(check.at.run)?)?.checked_add(check.at.offset)?;
            let bytes = checks_of(check, self.little);
            self.out.get_mut(start..start.checked_add(bytes.len())?)?.copy_from_slice(bytes);
        }
        Some(())
    }
}

/// The run that a value of fixed size is in.
fn run_of(node: &Node) -> Option<usize> {
    match node {
        Node::Number { at, .. }
        | Node::Narrow { at, .. }
        | Node::Bool { at, .. }
        | Node::FixedBytes { at }
        | Node::FixedText { at, .. }
        | Node::Array { at, .. }
        | Node::Nullable { at, .. } => Some(at.run),
        Node::Ranged { body, .. } => run_of(body),
        _ => None,
    }
}
