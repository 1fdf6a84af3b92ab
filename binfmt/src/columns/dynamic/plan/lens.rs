//! How long each row will be: what stands at the tails of its runs.

use super::super::column::ColumnRef;
use super::place::{Blank, Body, Node, Tail};
use super::walk::Starts;
use alloc::vec::Vec;
use core::ops::Range;

/// The lengths of the tails of some rows, and where the runs then begin.
#[derive(Debug, Default)]
pub(super) struct Lens {
    /// `tails[run][row]`, in bytes.
    tails: Vec<Vec<usize>>,
    starts: Starts,
}

impl Lens {
    /// Where the runs of some rows begin, and how long all are; `None` where blocks do not know that.
    pub(super) fn starts(
        &mut self,
        body: &Body,
        columns: &[ColumnRef<'_>],
        rows: Range<usize>,
    ) -> Option<(&Starts, usize)> {
        self.tails.resize_with(body.runs.len(), Vec::new);
        for (of, tails) in body.runs.iter().zip(&mut self.tails) {
            tails.clear();
            tails.resize(rows.len(), 0);
            match &of.tail {
                Tail::Rows(..) | Tail::Maybe { .. } => return None,
                // what is no value and counts its own bytes
                Tail::Skipped(prefix) if prefix.inclusive => return None,
                _ => {}
            }
        }
        for (node, column) in body.nodes.iter().zip(columns) {
            self.measure(body, node, *column, &rows)?;
        }
        self.starts.clear(body);
        let mut pos = 0usize;
        for row in 0..rows.len() {
            for ((of, tails), starts) in body.runs.iter().zip(&self.tails).zip(&mut self.starts.runs) {
                starts.push(pos);
                let tail = tails.get(row).copied().unwrap_or(0);
                pos = pos.checked_add(of.len)?.checked_add(tail)?;
            }
            self.starts.runs.last_mut()?.push(pos);
        }
        Some((&self.starts, pos))
    }

    fn measure(
        &mut self,
        body: &Body,
        node: &Node,
        column: ColumnRef<'_>,
        rows: &Range<usize>,
    ) -> Option<()> {
        match (node, column) {
            (Node::Text { run, nul, .. }, ColumnRef::Text(v)) => {
                self.offsets(*run, v.offsets(), rows, 1, *nul)
            }
            (Node::Bytes { run, terminated }, ColumnRef::Bytes(v)) => {
                self.offsets(*run, v.offsets(), rows, 1, *terminated)
            }
            (Node::List { run, item }, ColumnRef::List(v)) => {
                self.offsets(*run, v.offsets(), rows, item.size?, false)
            }
            (Node::Nullable { blank: Blank::Empty { run }, body: inner, .. }, ColumnRef::Nullable(v)) => {
                self.measure(body, inner, v.values().borrowed(), rows)?;
                let nul = usize::from(body.runs.get(*run)?.tail.is_terminated());
                let codes = v.codes().get(rows.clone())?;
                for (tail, code) in self.tails.get_mut(*run)?.iter_mut().zip(codes) {
                    if *code != v.present() {
                        *tail = nul;
                    }
                }
                Some(())
            }
            (Node::Nullable { blank: Blank::Zeros(_), .. }, _) => Some(()),
            (Node::Nullable { .. } | Node::Text { .. } | Node::Bytes { .. } | Node::List { .. }, _) => None,
            (Node::Ranged { body: inner, .. }, column) => self.measure(body, inner, column, rows),
            (Node::Record { nodes }, ColumnRef::Record { fields, .. }) => nodes
                .iter()
                .zip(fields)
                .try_for_each(|(node, (_, column))| self.measure(body, node, column.borrowed(), rows)),
            _ => Some(()),
        }
    }

    fn offsets(
        &mut self,
        run: usize,
        offsets: &[usize],
        rows: &Range<usize>,
        size: usize,
        nul: bool,
    ) -> Option<()> {
        let ends = offsets.get(rows.start..rows.end.checked_add(1)?)?;
        for (tail, ends) in self.tails.get_mut(run)?.iter_mut().zip(ends.windows(2)) {
            let [start, end] = ends else { return None };
            *tail = end.checked_sub(*start)?.checked_mul(size)?.checked_add(usize::from(nul))?;
        }
        Some(())
    }
}
