//! `gaps`: the bytes of a file that no part describes.
//!
//! While such a struct is read, its source notes what is read by jumps. When everything else is read, the bytes that nothing has
//! read are the gaps.

use super::at::{Elsewhere, elsewhere, put_elsewhere};
use super::bounded;
use super::counted::ToEnd;
use super::items::Items;
use crate::codec::Layout;
use crate::codec::fingerprint::Tree;
use crate::codec::form::{As, DecodeAs, EncodeAs, Own};
use crate::codec::run::record;
use crate::error::{Result, Step};
use crate::wire::amount::between;
use crate::wire::budget::Lent;
use crate::wire::cursor::forward_only;
use crate::wire::raw::visits::{Noted, Range};
use crate::wire::raw::{bulk, link};
use crate::wire::{Bound, Facts, Kind, Label, OPEN, Order, Origin, Part, Shape, Sink, Source, Visits};
use alloc::vec::Vec;

/// Bytes that no part describes.
///
/// ```
/// let gap = binfmt::Gap { offset: 8, bytes: vec![1, 2] };
/// assert_eq!(gap.bytes.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Gap {
    /// The position of the first of them, in bytes from the first byte of the struct.
    pub offset: u64,
    /// They themselves.
    pub bytes: Vec<u8>,
}

/// What lies between the parts of a struct that has some of them elsewhere: the type of a field with
/// [`gaps`](crate::attributes#gaps), which makes a file come back byte for byte.
///
/// ```
/// use binfmt::{BinFormat, Gaps};
/// #[derive(BinFormat)]
/// struct File {
///     place: u8,
///     #[binfmt(at = place)]
///     number: u16,
///     #[binfmt(gaps)]
///     gaps: Gaps,
/// }
/// let bytes = [4, 9, 8, 7, 1, 0, 6];
/// let mut file: File = binfmt::from_slice(&bytes)?;
/// assert_eq!((file.gaps.list[0].offset, &file.gaps.list[0].bytes[..]), (1, &[9, 8, 7][..]));
/// assert_eq!(binfmt::to_vec(&file)?, bytes);
/// file.gaps = Gaps::default();
/// assert_eq!(binfmt::to_vec(&file)?, [4, 0, 0, 0, 1, 0]);
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Gaps {
    /// The gaps in the order of their positions. One that is only zeros, which are written there anyway, is in it only at the
    /// end, or where nothing comes after it but parts that count from there.
    pub list: Vec<Gap>,
}

/// What follows the offset of a gap, in descriptions.
type Rest = ToEnd<Items>;

impl Layout for Gap {
    const PARTS: &'static [Part] =
        &link([Part::of::<Own, u64>("offset", "u64"), Part::of::<Rest, Vec<u8>>("bytes", "Vec<u8>")]);
    const FACTS: Facts<Self> = Facts::fields(<Self as Layout>::PARTS);
    const SHAPE: Shape = record::<Self>("Gap");
    const TREE: Tree = Tree::record::<Self>("", &[u64::TREE, <Rest as As<Vec<u8>>>::TREE], &[], &[]);
}

/// `gaps`: what nothing has read. The context is the position of the struct.
#[derive(Debug)]
pub struct Unread;

const LIST: Shape = Shape::Sequence { item: || Gap::SHAPE };

impl As<Gaps> for Unread {
    const FACTS: Facts<Gaps> = Facts::range(0, 0, OPEN).to_end();
    const SHAPE: Shape = bounded(Bound::Gaps, || LIST);
    const TREE: Tree = Tree::around(Self::SHAPE, &Tree::around(LIST, &Gap::TREE));
}

impl<'de> DecodeAs<'de, Gaps, u64> for Unread {
    fn decode<O: Order, S: Source<'de>>(src: &mut S, start: u64) -> Result<Gaps> {
        let mut list = Vec::new();
        unread(src, start, |offset, bytes| list.push(Gap { offset, bytes }))?;
        Ok(Gaps { list })
    }
}

impl EncodeAs<Gaps, u64> for Unread {
    fn encode<O: Order, W: Sink>(value: &Gaps, out: &mut W, start: u64) -> Result<()> {
        for (i, gap) in value.list.iter().enumerate() {
            put_gap(out, start, gap.offset, &gap.bytes).map_err(|e| e.within(Step::Index(i)))?;
        }
        Ok(())
    }
}

/// Reads a struct that keeps what nothing in it describes.
///
/// # Errors
/// Those of `read`.
#[inline]
pub fn noting<'de, S: Source<'de>, T>(src: &mut S, read: impl FnOnce(&mut S) -> Result<T>) -> Result<T> {
    let around = src.visits().map(|visits| core::mem::replace(visits.0, Visits::begin()));
    let value = read(src);
    if let (Some(around), Some(Lent(visits))) = (around, src.visits()) {
        let own = visits.take();
        *visits = around;
        own.given.into_iter().chain(own.from_end).try_for_each(|range| visits.add(range))?;
    }
    value
}

/// Reads what nothing has read since the position `start`, to the end of the input or region; `keep` gets the gaps, with their
/// distances from there.
pub(crate) fn unread<'de, S: Source<'de>>(
    src: &mut S,
    start: u64,
    mut keep: impl FnMut(u64, Vec<u8>),
) -> Result<()> {
    let (here, end) = (src.pos(), src.end()?);
    let Noted { given: mut parts, from_end, .. } = match src.visits() {
        Some(Lent(visits)) => {
            visits.add((start, here))?;
            visits.take()
        }
        None => return Err(forward_only(here)),
    };
    // a part without bytes ends no gap, nor does one that lies beyond the region
    let is_here = |(from, to): &Range| from < to && *from < end;
    // what counts from the end comes after what is written, and brings only the zeros with it that are between its parts
    let given = parts.iter().filter(|part| is_here(part)).fold(start, |last, (_, to)| last.max(*to)).min(end);
    bulk::try_room(&mut parts, from_end.len()).map_err(|e| e.at(here))?;
    parts.extend(from_end);
    parts.sort_unstable();
    let (mut at, mut num) = (start, 0);
    for (from, to) in parts.iter().copied().filter(is_here).chain([(end, end)]) {
        if from > at {
            src.open(Label::Index(num), "");
            let bytes = gap(src, start, (at, from.min(end)))?;
            src.close();
            num = num.saturating_add(1);
            if at == given || from >= end || bytes.iter().any(|byte| *byte != 0) {
                keep(between(start, at), bytes);
            }
        }
        at = at.max(to);
    }
    if let Some(Lent(visits)) = src.visits() {
        *visits = Visits::begin();
        parts.into_iter().try_for_each(|range| visits.add(range))?;
    }
    Ok(())
}

/// The bytes of a part of the input.
fn gap<'de, S: Source<'de>>(src: &mut S, start: u64, (from, to): Range) -> Result<Vec<u8>> {
    let n = usize::try_from(between(from, to)).unwrap_or(usize::MAX);
    elsewhere(src, (start, i128::from(between(start, from))), Origin::Container, |src| {
        src.charge(n)?;
        src.mark(Kind::Bytes, true);
        let mut bytes = Vec::new();
        src.append(n, &mut bytes)?;
        Ok(bytes)
    })
}

struct Bytes<'b>(&'b [u8]);

impl Elsewhere for Bytes<'_> {
    fn put<W: Sink>(self, out: &mut W) -> Result<()> {
        out.bytes(self.0, 0)
    }
}

/// Writes a gap.
pub(crate) fn put_gap<W: Sink>(out: &mut W, start: u64, offset: u64, bytes: &[u8]) -> Result<()> {
    put_elsewhere(out, (start, i128::from(offset)), Origin::Container, Bytes(bytes))
}
