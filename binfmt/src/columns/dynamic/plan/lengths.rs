//! How long each row will be: the lengths of what is at the tails of its runs, added up before anything is written.

use super::super::column::ColumnRef;
use super::place::{Blank, Body, Node, Tail};
use super::walk::Starts;
use core::ops::Range;

impl Starts {
    /// Notes where the runs of some rows begin that are to be written; how long all are, or `None` if blocks do not know.
    pub(super) fn measure_rows(
        &mut self,
        body: &Body,
        columns: &[ColumnRef<'_>],
        rows: Range<usize>,
    ) -> Option<usize> {
        for run in &body.runs {
            match &run.tail {
                Tail::Rows(..) | Tail::Maybe { .. } => return None,
                // what is not a value and counts its own bytes
                Tail::Skipped(prefix) if prefix.inclusive => return None,
                _ => {}
            }
        }
        if !self.ready(body, rows.len()) {
            return None;
        }
        // first how long the tail of each run is
        self.rows_mut(rows.len()).for_each(|row| row.fill(0));
        for (node, column) in body.nodes.iter().zip(columns) {
            self.measure(body, node, *column, &rows)?;
        }
        let mut pos = 0usize;
        for places in self.rows_mut(rows.len()) {
            for (run, place) in body.runs.iter().zip(places) {
                let tail = core::mem::replace(place, pos);
                pos = pos.checked_add(run.len)?.checked_add(tail)?;
            }
        }
        Some(pos)
    }

    /// The tails of a run in these rows.
    fn tails(&mut self, run: usize, rows: usize) -> impl Iterator<Item = &mut usize> {
        self.rows_mut(rows).filter_map(move |places| places.get_mut(run))
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
                for (tail, code) in self.tails(*run, rows.len()).zip(codes) {
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
        for (tail, ends) in self.tails(run, rows.len()).zip(ends.windows(2)) {
            let [start, end] = ends else { return None };
            *tail = end.checked_sub(*start)?.checked_mul(size)?.checked_add(usize::from(nul))?;
        }
        Some(())
    }
}
