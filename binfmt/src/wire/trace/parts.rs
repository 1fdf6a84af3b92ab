//! Handing over what was noted before the decoder has ended: parts of bounded size.

use super::{Noted, Span, Tracer};
use crate::error::Error;
use crate::wire::amount::{after, between, inside, plus};
use crate::wire::cursor::Cursor;
#[cfg(feature = "std")]
use crate::wire::erased::Erased;
use crate::wire::label::Label;
use alloc::vec::Vec;
use core::fmt;

/// How a trace comes in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartSize {
    /// Spans and bytes that are noted before a part is handed over.
    pub(crate) spans: usize,
    pub(crate) bytes: usize,
    /// Groups at this depth are told without what is in them.
    pub(crate) depth: usize,
    /// Bytes that are kept of a value that is stepped over, and of a group that is told without what is in it.
    pub(crate) kept: usize,
    /// Whether the others come in parts, too, and are not left out.
    pub(crate) in_pieces: bool,
}

/// Where parts go.
pub(super) struct Parts<'t> {
    size: PartSize,
    give: &'t mut dyn FnMut(Noted) -> bool,
    /// How many callers want bytes to be there that were read.
    held: usize,
}

impl Parts<'_> {
    pub(super) fn held(&self) -> usize {
        self.held
    }

    /// What has failed wants nothing any more.
    pub(super) fn hold(&mut self, held: usize) {
        self.held = held;
    }
}

impl fmt::Debug for Parts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").field("size", &self.size).finish_non_exhaustive()
    }
}

/// The memory that a span was charged for.
fn cost(span: &Span) -> usize {
    let label = match &span.label {
        Label::Field(name) | Label::Piece(name) => name.len(),
        Label::Index(_) | Label::Dimension(_) | Label::Value => 0,
    };
    plus(plus(label, span.native.len()), size_of::<Span>())
}

impl<'a, 'de> Tracer<'a, 'de> {
    /// One that hands over parts. Where nothing more is wanted of them the function says so, and the decoder fails.
    #[cfg(feature = "std")]
    pub(crate) fn in_parts(
        inner: Erased<'a, 'de>,
        size: PartSize,
        give: &'a mut dyn FnMut(Noted) -> bool,
    ) -> Self {
        Tracer { parts: Some(Parts { size, give, held: 0 }), ..Tracer::new(inner) }
    }

    pub(super) fn keep_bytes(&mut self, more: bool) {
        if let Some(parts) = &mut self.parts {
            parts.held = if more { plus(parts.held, 1) } else { parts.held.saturating_sub(1) };
        }
    }

    /// Whether bytes that were read may go.
    fn is_free(&self) -> bool {
        self.away.is_empty() && self.parts.as_ref().is_some_and(|parts| parts.held == 0)
    }

    /// How many bytes are kept of that many that are stepped over, if not all of them: of a value that is stepped over bit by bit, as text is,
    /// none after those of a part.
    pub(super) fn kept_of(&self, n: u64) -> Option<usize> {
        let size = self.parts.as_ref()?.size;
        if !self.is_free() {
            return None;
        }
        let read = self.elsewhere.iter().fold(self.bytes.len(), |sum, (_, run)| plus(sum, run.len()));
        if read >= size.bytes { Some(0) } else { (n > size.kept as u64).then_some(size.kept) }
    }

    /// Whether bytes that are stepped over, and would not be kept, come in parts of so many.
    pub(super) fn piece(&self) -> Option<usize> {
        self.parts.as_ref().map(|parts| parts.size).filter(|size| size.in_pieces).map(|size| size.kept)
    }

    /// Hands over what there is of the value that is stepped over.
    pub(super) fn hand_over_piece(&mut self) {
        if let Some(size) = self.parts.as_ref().map(|parts| parts.size).filter(|_| !self.is_full) {
            self.hand_over(size);
        }
    }

    /// Begins a run of bytes after some that are not kept.
    pub(super) fn leave_out(&mut self) {
        if !self.bytes.is_empty() || self.from == self.first {
            let run = (self.from, core::mem::take(&mut self.bytes));
            self.elsewhere.push(run);
        }
        self.from = self.inner.pos();
    }

    /// How deep in named groups the innermost of these spans is.
    fn named_depth(&self, spans: impl Iterator<Item = usize>) -> usize {
        let named = spans.filter_map(|at| self.spans.get(at));
        named.filter(|span| !matches!(span.label, Label::Value)).count().saturating_sub(1)
    }

    /// The span of this place has ended: what is not told of it goes, and a part is handed over if there is enough for one.
    pub(super) fn ended(&mut self, index: usize) {
        let Some(size) = self.parts.as_ref().map(|parts| parts.size).filter(|_| !self.is_full) else {
            return;
        };
        if size.depth < usize::MAX {
            self.drop_hidden(index, size);
        }
        if self.is_tag(index) || self.open.iter().any(|at| self.is_tag(*at)) {
            return;
        }
        let elsewhere: usize = self.elsewhere.iter().map(|(_, run)| run.len()).sum();
        if self.spans.len() >= plus(size.spans, self.open.len())
            || plus(self.bytes.len(), elsewhere) >= size.bytes
        {
            self.hand_over(size);
        }
    }

    /// Forgets the span that was noted last.
    pub(super) fn forget_last(&mut self) {
        if let Some(gone) = self.spans.pop() {
            self.inner.budget_mut().0.give_back(cost(&gone));
        }
    }

    /// Whether it is only said after it what the group is that it is in.
    fn is_tag(&self, span: usize) -> bool {
        matches!(self.spans.get(span), Some(Span { label: Label::Piece(name), .. }) if name == "tag")
    }

    /// Drops a part that is too deep to be told, and the bytes of the group that is told in its place.
    fn drop_hidden(&mut self, index: usize, size: PartSize) {
        let open = || self.open.iter().copied();
        let is_named =
            self.spans.get(index).is_some_and(|span| matches!(span.label, Label::Field(_) | Label::Index(_)));
        if is_named && self.named_depth(open().chain([index])) > size.depth {
            let gone: usize = inside(&self.spans, index..).iter().map(cost).sum();
            self.spans.truncate(index);
            self.inner.budget_mut().0.give_back(gone);
        }
        if self.bytes.len() < size.bytes || !self.is_free() {
            return;
        }
        // the outermost group that is told without what is in it
        let told = (1..=self.open.len())
            .find(|n| self.named_depth(self.open.iter().copied().take(*n)) >= size.depth)
            .and_then(|n| self.spans.get(*self.open.get(n.wrapping_sub(1))?));
        let Some(start) = told.map(|span| span.start) else { return };
        let kept = match start.checked_sub(self.from) {
            Some(before) => plus(usize::try_from(before).unwrap_or(usize::MAX), size.kept),
            None => 0,
        };
        if kept < self.bytes.len() {
            self.inner.budget_mut().0.give_back(self.bytes.len().wrapping_sub(kept));
            self.bytes.truncate(kept);
            self.bytes.shrink_to(size.kept);
            self.leave_out();
        }
    }

    /// Hands over what was noted; the groups that go on are noted again.
    fn hand_over(&mut self, size: PartSize) {
        let is_hidden = size.depth < usize::MAX
            && !self.open.is_empty()
            && self.named_depth(self.open.iter().copied()) >= size.depth;
        if is_hidden || !self.is_free() {
            return;
        }
        let around: Vec<Span> = self.open.iter().filter_map(|at| self.spans.get(*at)).cloned().collect();
        let again = around.into_iter().enumerate().map(|(i, span)| Span {
            parent: i.checked_sub(1),
            is_told: true,
            ..span
        });
        let spans = core::mem::replace(&mut self.spans, again.collect());
        self.open = (0..self.spans.len()).collect();
        let cost: usize =
            spans.iter().map(cost).sum::<usize>().saturating_sub(self.spans.iter().map(cost).sum());
        let (pos, bytes) = (self.inner.pos(), core::mem::take(&mut self.bytes));
        let elsewhere = core::mem::take(&mut self.elsewhere);
        let read: usize = elsewhere.iter().map(|(_, run)| run.len()).sum();
        self.inner.budget_mut().0.give_back(plus(plus(cost, bytes.len()), read));
        let noted = Noted::of(spans, bytes, (self.first, self.from), elsewhere);
        (self.first, self.from) = (pos, pos);
        let noted = Noted { end: pos, is_part: true, goes_on: true, ..noted };
        let wants_more = self.parts.as_mut().is_none_or(|parts| (parts.give)(noted));
        if !wants_more {
            self.is_full = true;
            self.untold = Some(Error::other("nothing more is wanted of the dump"));
        }
    }

    /// Where the bytes end that the last part is of, those that were left out, too.
    pub(super) fn end_in_parts(&self) -> Option<u64> {
        self.parts.as_ref().filter(|_| self.away.is_empty()).map(|_| self.inner.pos())
    }
}

impl Noted {
    /// The bytes of a run from `first` on in their place; `from` is where those at hand begin.
    pub(super) fn of(
        spans: Vec<Span>,
        mut bytes: Vec<u8>,
        (first, from): (u64, u64),
        mut elsewhere: Vec<(u64, Vec<u8>)>,
    ) -> Noted {
        // a run that a region has ended is not the one at hand
        if let Some((base, run)) = elsewhere.iter_mut().find(|(base, _)| *base == first && from != first) {
            core::mem::swap(run, &mut bytes);
            *base = from;
        }
        let end = after(first, bytes.len() as u64);
        Noted { spans, bytes, base: first, end, is_part: false, goes_on: false, elsewhere }
    }

    /// The bytes of a part of the input, if they were read: where not all are kept, those at its beginning.
    pub(crate) fn bytes_at(&self, from: u64, to: u64) -> &[u8] {
        if self.is_part {
            return self.kept_at(from, to);
        }
        let in_place = |(base, bytes): (u64, &'_ [u8])| {
            let place = |at: u64| at.checked_sub(base).and_then(|n| usize::try_from(n).ok());
            Some(place(from)?..place(to)?).filter(|range| bytes.get(range.clone()).is_some())
        };
        let own = in_place((self.base, &self.bytes)).and_then(|range| self.bytes.get(range));
        let others = || self.elsewhere.iter().find_map(|(base, bytes)| bytes.get(in_place((*base, bytes))?));
        own.or_else(others).unwrap_or_default()
    }

    /// The bytes of a part of the input from its beginning on, or where this part of the trace begins, as far as they were kept.
    fn kept_at(&self, from: u64, to: u64) -> &[u8] {
        let goes_on = |span: &Span| span.is_told && span.start == from && !span.has_children;
        let from = if from < self.base && self.spans.iter().any(goes_on) { self.base } else { from };
        let runs = self.elsewhere.iter().map(|(base, bytes)| (*base, bytes.as_slice()));
        let mut runs = core::iter::once((self.base, self.bytes.as_slice())).chain(runs);
        let place = |at: u64, base: u64| usize::try_from(between(base, at)).unwrap_or(usize::MAX);
        let is_there = |base: u64, bytes: &[u8]| base <= from && place(from, base) < bytes.len();
        match runs.find(|(base, bytes)| is_there(*base, bytes)) {
            Some((base, bytes)) => inside(bytes, place(from, base)..place(to, base).min(bytes.len())),
            None => &[],
        }
    }
}
