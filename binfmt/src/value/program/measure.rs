//! How many bytes a type takes, and which fields are one run: what the derive knows when compiling.
//!
//! Of a type that is in itself the derive knows nothing where it is met again, for there it is behind a pointer. So every
//! definition is measured after those that it calls, and what calls back is taken for anything. Once more, with what was found:
//! then of each other type the sizes are known, and only of itself a type knows nothing. A last time nothing is unknown, and
//! the nodes get the sizes that a count in front of them is held to.

use super::compile::Calls;
use super::node::{Choice, Kind, Length, Node, Record, Tag};
use super::{Code, Field};
use crate::wire::{OPEN, Sizes};
use alloc::vec;
use alloc::vec::Vec;

/// Nothing is known.
const ANY: Sizes = range(0, 0, OPEN);

/// Measures all nodes of a program.
pub(super) fn measure(code: &mut Code, calls: &Calls) {
    let walk = Walk::new(calls);
    code.is_recursive = walk.backward.iter().any(|back| !back.is_empty());
    let mut known = vec![ANY; code.definitions.len()];
    definitions(code, &walk, &mut known, true);
    if code.is_recursive {
        definitions(code, &walk, &mut known, true);
        // whoever meets a type, be it in itself, finds what is known of it
        definitions(code, &walk, &mut known, false);
    }
    Measure { known: &known, back: &[] }.node(&mut code.root);
}

/// Measures each definition; of itself it knows nothing while its sizes are found.
fn definitions(code: &mut Code, walk: &Walk, known: &mut [Sizes], find: bool) {
    for own in &walk.order {
        let Some(node) = code.definitions.get_mut(*own) else { continue };
        if find {
            known.get_mut(*own).into_iter().for_each(|sizes| *sizes = ANY);
        }
        let back = walk.backward.get(*own).map_or(&[][..], Vec::as_slice);
        let sizes = Measure { known, back }.node(node);
        if find {
            known.get_mut(*own).into_iter().for_each(|known| *known = sizes);
        }
    }
}

/// The order in which definitions are measured, and which calls lead back to one that is around.
struct Walk {
    order: Vec<usize>,
    backward: Vec<Vec<usize>>,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

impl Walk {
    fn new(calls: &Calls) -> Self {
        let num = calls.each.len();
        let mut walk = Walk { order: Vec::with_capacity(num), backward: vec![Vec::new(); num] };
        let mut states = vec![State::New; num];
        // each with how many of its calls were followed; the first is the root
        let mut open: Vec<(Option<usize>, usize)> = vec![(None, 0)];
        while let Some((own, followed)) = open.last_mut() {
            let all = own.map_or(Some(&calls.root), |own| calls.each.get(own));
            let next = all.and_then(|all| all.get(*followed)).copied();
            *followed = followed.saturating_add(1);
            let Some(next) = next else {
                if let Some(own) = *own {
                    walk.order.push(own);
                    states.get_mut(own).into_iter().for_each(|state| *state = State::Done);
                }
                open.pop();
                continue;
            };
            match states.get_mut(next) {
                Some(state @ State::New) => {
                    *state = State::Open;
                    open.push((Some(next), 0));
                }
                Some(State::Open) => {
                    let back = own.and_then(|own| walk.backward.get_mut(own));
                    back.into_iter().for_each(|back| back.push(next));
                }
                _ => {}
            }
        }
        walk.backward.iter_mut().for_each(|back| back.sort_unstable());
        walk
    }
}

struct Measure<'m> {
    /// The sizes of the definitions.
    known: &'m [Sizes],
    /// Those that are around this one.
    back: &'m [usize],
}

impl Measure<'_> {
    fn node(&self, node: &mut Node) -> Sizes {
        node.sizes = self.kind(&mut node.kind);
        node.sizes
    }

    fn kind(&self, kind: &mut Kind) -> Sizes {
        match kind {
            Kind::Unit => exactly(0),
            Kind::Number(number) => exactly(number.size()),
            Kind::Integer(integer, _) => {
                let (min, max) = integer.sizes();
                range(narrow(min), narrow(min), narrow(max))
            }
            Kind::Bool { .. } => exactly(1),
            Kind::Text { len, .. } | Kind::Bytes { len } | Kind::Padding { len, .. } => {
                extent(len, exactly(1))
            }
            Kind::Region { len, body } => {
                self.node(body);
                extent(len, exactly(1))
            }
            Kind::List { item, len } => {
                let item = self.node(item);
                extent(len, if matches!(len, Length::Fixed(_)) { item } else { ANY })
            }
            Kind::Shaped(shaped) => {
                self.node(&mut shaped.item);
                match shaped.rank {
                    Length::Fixed(n) => {
                        let dims = narrow(n).saturating_mul(usize::from(shaped.dim_bytes));
                        range(dims, dims, OPEN)
                    }
                    _ => extent(&shaped.rank, ANY),
                }
            }
            Kind::Nullable { blank, body, .. } => {
                let Sizes { head, min, max } = self.node(body);
                let max = max.saturating_add(1);
                if *blank {
                    range(head.saturating_add(1), min.saturating_add(1), max)
                } else {
                    range(1, 1, max)
                }
            }
            Kind::Conditional { body, .. } => {
                self.node(body);
                ANY
            }
            Kind::Ordered { body, .. } => self.node(body),
            Kind::Padded { size, body, .. } => {
                self.node(body);
                exactly(narrow(*size))
            }
            Kind::Alignment { to, .. } => range(0, 0, narrow(to.saturating_sub(1))),
            Kind::Magic(magic) => exactly(magic.len()),
            Kind::Record(record) => self.record(record),
            Kind::Choice(choice) => self.choice(choice),
            Kind::Named(number) => self.known.get(*number).copied().unwrap_or(ANY),
            Kind::Opaque { min, max, .. } => {
                let (min, max) = (narrow(*min), max.map_or(OPEN, narrow));
                range(if min == max { min } else { 0 }, min, max)
            }
            Kind::Unreachable => ANY,
        }
    }

    fn record(&self, record: &mut Record) -> Sizes {
        let (mut head, mut min, mut max) = (0usize, 0usize, 0usize);
        let mut fixed = true;
        for field in &mut record.fields {
            let sizes = self.node(&mut field.node);
            field.part = if self.is_around(&field.node) { ANY } else { sizes };
            head = if fixed { head.saturating_add(sizes.head) } else { head };
            fixed = fixed && sizes.exact().is_some();
            min = min.saturating_add(sizes.min);
            max = max.saturating_add(sizes.max);
        }
        runs(&mut record.fields);
        range(head, min, max)
    }

    /// Whether a type is one that this one is in: it is behind a pointer in the struct, and the derive asks for none of
    /// its bytes before it is reached.
    fn is_around(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Named(number) => self.back.binary_search(number).is_ok(),
            Kind::Ordered { body, .. } => self.is_around(body),
            _ => false,
        }
    }

    fn choice(&self, choice: &mut Choice) -> Sizes {
        let tag = match &mut choice.tag {
            Tag::Front(tag) => self.node(tag),
            Tag::Expr(_) => exactly(0),
        };
        let (mut min, mut max) = (OPEN, 0);
        for arm in &mut choice.arms {
            let sizes = self.record(&mut arm.record);
            min = min.min(sizes.min);
            max = max.max(sizes.max);
        }
        let (min, max) = (tag.min.saturating_add(min.min(max)), tag.max.saturating_add(max));
        range(if min == max { min } else { tag.head }, min, max)
    }
}

/// The leading bytes that fields always have are one run, up to the first field that may have more of them.
fn runs(fields: &mut [Field]) {
    let mut begin = 0usize;
    while let Some(run) = fields.get_mut(begin..).filter(|rest| !rest.is_empty()) {
        let len = run.iter().position(|field| field.part.exact().is_none());
        let len = len.map_or(run.len(), |last| last.saturating_add(1));
        let bytes = run.iter().take(len).fold(0usize, |n, field| n.saturating_add(field.part.head));
        run.iter_mut().take(len).for_each(|field| field.run = 0);
        run.iter_mut().take(1).for_each(|field| field.run = bytes);
        begin = begin.saturating_add(len);
    }
}

const fn range(head: usize, min: usize, max: usize) -> Sizes {
    Sizes { head, min, max }
}

fn exactly(n: usize) -> Sizes {
    range(n, n, n)
}

fn narrow(n: u64) -> usize {
    usize::try_from(n).unwrap_or(OPEN)
}

/// So many elements of a size.
fn extent(len: &Length, item: Sizes) -> Sizes {
    match len {
        Length::Fixed(n) => {
            let n = narrow(*n);
            let (min, max) = (n.saturating_mul(item.min), n.saturating_mul(item.max));
            let head = if min == max { min } else { item.head.min(min) };
            range(head, min, max)
        }
        Length::Prefixed { len, .. } => {
            let min = narrow(len.sizes().0);
            range(min, min, OPEN)
        }
        Length::Terminated => range(1, 1, OPEN),
        Length::Expr(_) | Length::Each(_) | Length::Until(_) | Length::ToEnd => ANY,
    }
}
