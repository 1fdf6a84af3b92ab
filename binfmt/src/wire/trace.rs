//! The source that notes what the decoder says of the bytes while it reads them: what an annotated dump is drawn from.

mod parts;

#[cfg(feature = "std")]
pub(crate) use parts::PartSize;

use super::amount::{between, inside, plus, times};
use super::budget::{Budget, Lent};
use super::cursor::{Cursor, Found, Saved, forward_only};
use super::endian::Order;
use super::erased::Erased;
use super::hooks::Hooks;
use super::label::{Kind, Label};
use super::limits::Window;
use super::raw::Jump;
use super::raw::{Facts, InputBytes, Slice, Visits};
use super::source::{Source, not_blank, sealed};
use crate::error::{Error, ErrorKind, Result};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use parts::Parts;

impl Label<&str> {
    fn len(self) -> usize {
        match self {
            Label::Field(name) | Label::Piece(name) => name.len(),
            Label::Index(_) | Label::Dimension(_) | Label::Value => 0,
        }
    }

    fn keep(self) -> Label<String> {
        match self {
            Label::Field(name) => Label::Field(name.to_owned()),
            Label::Index(i) => Label::Index(i),
            Label::Piece(name) => Label::Piece(name.to_owned()),
            Label::Dimension(i) => Label::Dimension(i),
            Label::Value => Label::Value,
        }
    }
}

impl Kind<&str> {
    /// Whether a span that was said to be `before` can be this instead.
    fn may_follow(self, before: &Kind<String>) -> bool {
        // who knows the bytes better says so last
        let explains = matches!(
            self,
            Kind::Magic | Kind::Variant(_) | Kind::Text(_) | Kind::Token { .. } | Kind::Bits { .. }
        ) || matches!((self, before), (Kind::Float { .. }, Kind::Int { .. }));
        explains || self.keep() == *before
    }

    fn keep(self) -> Kind<String> {
        match self {
            Kind::Text(encoding) => Kind::Text(encoding.to_owned()),
            Kind::Token { of, value } => {
                Kind::Token { of: of.to_owned(), value: value.map(ToOwned::to_owned) }
            }
            Kind::Variant(name) => Kind::Variant(name.to_owned()),
            Kind::Int { bytes, signed } => Kind::Int { bytes, signed },
            Kind::Varint { code, bytes } => Kind::Varint { code, bytes },
            Kind::Float { bytes } => Kind::Float { bytes },
            Kind::Presence { present, missing } => Kind::Presence { present, missing },
            Kind::Bits { value, bits, name } => Kind::Bits { value, bits, name: name.map(ToOwned::to_owned) },
            Kind::Packed { bits, lowest, signed, num } => Kind::Packed { bits, lowest, signed, num },
            Kind::Bool => Kind::Bool,
            Kind::Bytes => Kind::Bytes,
            Kind::Padding => Kind::Padding,
            Kind::Magic => Kind::Magic,
            Kind::Blank => Kind::Blank,
            Kind::Absent => Kind::Absent,
            Kind::Custom => Kind::Custom,
        }
    }
}

/// Bytes that the decoder named.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) label: Label<String>,
    /// The type in the source, or in the format; may be empty.
    pub(crate) native: String,
    pub(crate) kind: Option<Kind<String>>,
    pub(crate) little: bool,
    /// How many spans are around it, and the place of the innermost of them in the list.
    pub(crate) depth: usize,
    pub(crate) parent: Option<usize>,
    pub(crate) start: u64,
    /// `None` when the decoder failed inside.
    pub(crate) end: Option<u64>,
    pub(crate) has_children: bool,
    /// Whether an earlier part of the trace has it, too.
    pub(crate) is_told: bool,
}

impl Span {
    /// Whether it is a filling beside a value, of no bytes.
    fn is_empty_filling(&self) -> bool {
        let is_beside = match &self.label {
            Label::Piece(_) => true,
            // a struct says it in the place of a type, a description after the name of the field
            Label::Field(name) => {
                matches!(&*self.native, "padding" | "alignment")
                    || name.ends_with(" (padding)")
                    || name.ends_with(" (alignment)")
            }
            _ => false,
        };
        is_beside && self.kind == Some(Kind::Padding) && self.end == Some(self.start) && !self.is_told
    }
}

/// What a tracing source noted.
#[derive(Debug, Default)]
pub(crate) struct Noted {
    /// In the order in which they began.
    pub(crate) spans: Vec<Span>,
    pub(crate) bytes: Vec<u8>,
    /// The offset of the first byte, and that after the last.
    pub(crate) base: u64,
    pub(crate) end: u64,
    /// Whether it is a part of a trace, and more comes after it.
    pub(crate) is_part: bool,
    pub(crate) goes_on: bool,
    /// The bytes of other places, each with its offset.
    pub(crate) elsewhere: Vec<(u64, Vec<u8>)>,
}

impl Noted {
    /// The end of the bytes that were read one after the other from this offset on.
    pub(crate) fn end_of(&self, from: u64) -> u64 {
        if self.is_part {
            return self.end;
        }
        let runs = self.elsewhere.iter().map(|(base, bytes)| (*base, bytes));
        let ends = core::iter::once((self.base, &self.bytes))
            .chain(runs)
            .map(|(base, bytes)| base..=base.saturating_add(bytes.len() as u64));
        ends.filter(|run| run.contains(&from)).map(|run| *run.end()).next().unwrap_or(from)
    }
}

/// The most bytes of a stream that are asked for at a time.
const PIECE: usize = 1 << 20;

/// A source that keeps every byte it hands out, and what the decoder says of it.
pub(crate) struct Tracer<'a, 'de> {
    inner: Erased<'a, 'de>,
    /// The first offset of all.
    first: u64,
    /// What was read one after the other, since this offset.
    from: u64,
    bytes: Vec<u8>,
    /// The same of what the decoder left for another place, to which it comes back.
    away: Vec<(u64, Vec<u8>)>,
    /// The same of other places.
    elsewhere: Vec<(u64, Vec<u8>)>,
    spans: Vec<Span>,
    /// Places of the open spans in `spans`.
    open: Vec<usize>,
    /// Whether the memory for what is noted is used up: nothing more is.
    is_full: bool,
    /// Why, until a decoder is told.
    untold: Option<Error>,
    /// Where parts go, if what is noted does not stay together.
    parts: Option<Parts<'a>>,
}

/// What a tracing source was at a place.
#[derive(Debug)]
pub struct SavedTracer<'de> {
    inner: Saved<'de>,
    from: u64,
    /// How many there were of each.
    bytes: usize,
    away: usize,
    elsewhere: usize,
    spans: usize,
    open: usize,
    held: usize,
}

impl<'a, 'de> Tracer<'a, 'de> {
    pub(crate) fn new(inner: Erased<'a, 'de>) -> Self {
        Tracer {
            first: inner.pos(),
            from: inner.pos(),
            inner,
            bytes: Vec::new(),
            away: Vec::new(),
            elsewhere: Vec::new(),
            spans: Vec::new(),
            open: Vec::new(),
            is_full: false,
            untold: None,
            parts: None,
        }
    }

    /// What was noted.
    pub(crate) fn finish(mut self) -> Noted {
        while !self.away.is_empty() {
            self.come_back();
        }
        let end = self.end_in_parts();
        let Tracer { spans, bytes, first, from, elsewhere, .. } = self;
        let noted = Noted::of(spans, bytes, (first, from), elsewhere);
        Noted { end: end.unwrap_or(noted.end), is_part: end.is_some(), ..noted }
    }

    fn come_back(&mut self) {
        if let Some(before) = self.away.pop() {
            let there = (self.from, core::mem::take(&mut self.bytes));
            self.elsewhere.push(there);
            (self.from, self.bytes) = before;
        }
    }

    /// Whether there is memory to note one more span with so much text. If not, who reads next is told.
    fn has_room(&mut self, texts: usize) -> bool {
        if self.is_full {
            return false;
        }
        let requested = plus(texts, size_of::<Span>());
        let at = self.pos();
        let kept =
            self.spans.try_reserve(1).map_err(|_| Error::new(ErrorKind::OutOfMemory { requested }, at));
        self.untold = kept.and_then(|()| self.inner.charge(requested)).err();
        self.is_full = self.untold.is_some();
        !self.is_full
    }

    /// Why nothing more is noted, if nobody was told yet.
    pub(crate) fn untold(&mut self) -> Option<Error> {
        self.untold.take()
    }

    /// Tells a decoder, once, that nothing more is noted.
    fn tell(&mut self) -> Result<()> {
        self.untold().map_or(Ok(()), Err)
    }

    /// The next n bytes, kept, as a source of their own. Bytes that are not there take no memory; those of a stream come in
    /// pieces, for their number is unknown.
    fn pull(&mut self, n: usize) -> Result<Slice<'_>> {
        self.tell()?;
        let from = self.bytes.len();
        let most = if self.inner.left().is_some() { n } else { PIECE };
        let mut left = n;
        loop {
            let piece = left.min(most);
            self.inner.append(piece, &mut self.bytes)?;
            self.inner.charge(piece)?;
            left = left.wrapping_sub(piece);
            if left == 0 {
                break;
            }
        }
        Ok(Slice::new(inside(&self.bytes, from..)))
    }
}

impl sealed::Sealed for Tracer<'_, '_> {}

impl Hooks for Tracer<'_, '_> {
    fn is_traced(&self) -> bool {
        true
    }

    fn open(&mut self, label: Label<&str>, native: &str) {
        let parent = self.open.last().copied();
        if let Some(around) = parent.and_then(|i| self.spans.get_mut(i)) {
            around.has_children = true;
        }
        let depth = self.open.len();
        let texts = plus(label.len(), native.len());
        if !self.has_room(texts) {
            self.open.push(usize::MAX);
            return;
        }
        self.open.push(self.spans.len());
        self.spans.push(Span {
            label: label.keep(),
            native: native.to_owned(),
            kind: None,
            little: true,
            depth,
            parent,
            start: self.inner.pos(),
            end: None,
            has_children: false,
            is_told: false,
        });
    }

    fn mark(&mut self, kind: Kind<&str>, little: bool) {
        if self.is_full {
            return;
        }
        if let Some(span) = self.open.last().and_then(|i| self.spans.get_mut(*i)) {
            span.kind = match &span.kind {
                // several numbers of one kind are a list, of different kinds nobody has named them
                Some(before) if !kind.may_follow(before) => Some(Kind::Custom),
                _ => Some(kind.keep()),
            };
            span.little = little;
        } else {
            // a value without a name, such as a bare number
            self.open(Label::Value, "");
            self.mark(kind, little);
        }
    }

    fn close(&mut self) {
        let end = self.inner.pos();
        let Some(index) = self.open.pop() else { return };
        if let Some(span) = self.spans.get_mut(index) {
            span.end = Some(end);
            match span.is_empty_filling() && index.wrapping_add(1) == self.spans.len() {
                true => self.forget_last(),
                false => self.ended(index),
            }
        }
    }
}

impl<'de> Cursor<'de> for Tracer<'_, 'de> {
    fn budget(&self) -> &Budget {
        self.inner.budget()
    }

    fn budget_mut(&mut self) -> Lent<'_, Budget> {
        self.inner.budget_mut()
    }

    fn blank(&mut self, n: usize) -> Result<()> {
        let (at, strict) = (self.pos(), self.budget().policy.blank_missing);
        let body = self.pull(n)?;
        match not_blank(body.rest(), at).filter(|_| strict) {
            None => Ok(()),
            Some(e) => Err(e),
        }
    }

    fn pos(&self) -> u64 {
        self.inner.pos()
    }

    fn left(&self) -> Option<usize> {
        self.inner.left()
    }

    fn in_region(&self) -> bool {
        self.inner.in_region()
    }

    fn at_end(&mut self) -> Result<bool> {
        self.inner.at_end()
    }

    fn chunk(&mut self) -> Result<usize> {
        self.inner.chunk()
    }

    fn find(&mut self, byte: u8) -> Result<usize> {
        self.inner.find(byte)
    }

    fn search(&mut self, wanted: &[u8]) -> Result<Found> {
        self.inner.search(wanted)
    }

    fn look(&mut self, n: usize) -> Result<&[u8]> {
        self.inner.look(n)
    }

    /// Nothing: a run that is cut short is read up to the cut.
    fn ensure(&mut self, _: usize) -> Result<()> {
        Ok(())
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.tell()?;
        let bytes = self.inner.array::<N>()?;
        self.inner.charge(N)?;
        self.bytes.extend_from_slice(&bytes);
        Ok(bytes)
    }

    fn take(&mut self, n: usize) -> Result<InputBytes<'_>> {
        self.pull(n)?.take_bytes(n)
    }

    fn borrow(&mut self, n: usize) -> Result<InputBytes<'de>> {
        self.tell()?;
        let taken = self.inner.borrow(n)?;
        self.inner.charge(n)?;
        self.bytes.extend_from_slice(taken.bytes());
        Ok(taken)
    }

    fn skip(&mut self, n: u64) -> Result<()> {
        let Some(kept) = self.kept_of(n) else {
            self.pull(usize::try_from(n).unwrap_or(usize::MAX))?;
            return Ok(());
        };
        if let Some(piece) = self.piece() {
            let mut left = n;
            if kept == 0 {
                self.hand_over_piece();
            }
            while left > piece as u64 {
                self.pull(piece)?;
                left = left.wrapping_sub(piece as u64);
                self.hand_over_piece();
            }
            self.pull(usize::try_from(left).unwrap_or(usize::MAX))?;
            return Ok(());
        }
        if kept > 0 {
            self.pull(kept)?;
        }
        self.inner.skip(n.wrapping_sub(kept as u64))?;
        self.leave_out();
        Ok(())
    }

    fn append(&mut self, n: usize, out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(self.pull(n)?.rest());
        Ok(())
    }

    fn bulk<O: Order, T>(&mut self, facts: Facts<T>, n: usize, out: &mut Vec<T>) -> Result<()> {
        self.charge(times(n, size_of::<T>()))?;
        self.pull(times(n, facts.sizes().min))?.bulk::<O, T>(facts, n, out)
    }

    fn plain<O: Order, T>(&mut self, _: Facts<T>) -> Result<Option<T>> {
        Ok(None)
    }

    fn hold(&mut self) -> u64 {
        self.keep_bytes(true);
        self.inner.hold()
    }

    fn release(&mut self, before: u64) {
        self.keep_bytes(false);
        self.inner.release(before);
    }

    fn held(&self, from: u64) -> Option<&[u8]> {
        self.inner.held(from)
    }

    fn rewind(&mut self, to: u64) {
        let back = usize::try_from(between(to, self.inner.pos())).unwrap_or(usize::MAX);
        let again = self.bytes.split_off(self.bytes.len().saturating_sub(back));
        // they are read once more, unless the decoder fails before
        self.elsewhere.push((to, again));
        self.inner.rewind(to);
    }

    fn save(&mut self) -> Saved<'de> {
        Saved::Traced(Box::new(SavedTracer {
            inner: self.inner.save(),
            from: self.from,
            bytes: self.bytes.len(),
            away: self.away.len(),
            elsewhere: self.elsewhere.len(),
            spans: self.spans.len(),
            open: self.open.len(),
            held: self.parts.as_ref().map_or(0, Parts::held),
        }))
    }

    /// What was noted is forgotten, and the memory for it free again.
    fn restore(&mut self, saved: Saved<'de>) -> Result<()> {
        let Saved::Traced(saved) = saved else { return Err(forward_only(self.inner.pos())) };
        if let Some((from, bytes)) = self.away.drain(saved.away..).next() {
            (self.from, self.bytes) = (from, bytes);
        }
        if self.from != saved.from {
            // a region that ended elsewhere began a new run
            let before = self.elsewhere.drain(saved.elsewhere..).find(|(from, _)| *from == saved.from);
            (self.from, self.bytes) = before.unwrap_or((saved.from, Vec::new()));
        }
        self.bytes.truncate(saved.bytes);
        self.elsewhere.truncate(saved.elsewhere);
        self.spans.truncate(saved.spans);
        self.open.truncate(saved.open);
        if let Some(parts) = &mut self.parts {
            parts.hold(saved.held);
        }
        self.inner.restore(saved.inner)
    }

    fn narrow(&mut self, n: u64) -> Result<Window> {
        self.inner.narrow(n)
    }

    fn widen(&mut self, window: Window) -> Result<()> {
        let before = self.inner.pos();
        self.inner.widen(window)?;
        let now = self.inner.pos();
        if now != before {
            // what is left of the region was read by jumps
            self.elsewhere.push((self.from, core::mem::take(&mut self.bytes)));
            self.from = now;
        }
        Ok(())
    }

    fn jump(&mut self, to: u64, whole: bool) -> Result<Jump> {
        let jump = self.inner.jump(to, whole)?;
        self.away.push((self.from, core::mem::take(&mut self.bytes)));
        self.from = to;
        Ok(jump)
    }

    fn land(&mut self, jump: Jump) -> Result<()> {
        self.come_back();
        self.inner.land(jump)
    }

    fn end(&self) -> Result<u64> {
        self.inner.end()
    }

    fn lend(&self) -> Option<Slice<'de>> {
        self.inner.lend()
    }

    fn visits(&mut self) -> Option<Lent<'_, Visits>> {
        self.inner.visits()
    }

    fn input_size(&self) -> u64 {
        self.inner.input_size()
    }

    fn left_over(&self) -> Option<usize> {
        self.inner.left_over()
    }
}

impl<'de> Source<'de> for Tracer<'_, 'de> {
    const HEARS: bool = true;

    fn erase(&mut self) -> Erased<'_, 'de> {
        Erased::Other(self)
    }
}
