//! How many bytes a type takes: what the derive knows when compiling.

use super::unwrap::magic_len;
use crate::schema::{Choice, Description, Extent, Field, Tag, Type};
use crate::wire::{OPEN, Sizes};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::cell::RefCell;

/// Types inside of types that are looked into. What goes beyond may have any size.
const DEEPEST: u32 = 256;

/// Types that one answer looks into: named types that all hold each other have more ways through them than anybody goes.
const FUEL: u32 = 1 << 16;

/// The sizes of a type.
pub(crate) fn sizes(description: &Description, ty: &Type) -> Sizes {
    Known::of(description).sizes(ty)
}

/// A description with the sizes of those of its named types that somebody asked for.
pub(crate) struct Known<'d> {
    pub(crate) description: &'d Description,
    /// By the place of the definition in memory.
    names: RefCell<BTreeMap<usize, Sizes>>,
}

fn key(definition: &Type) -> usize {
    core::ptr::from_ref(definition).addr()
}

impl<'d> Known<'d> {
    pub(crate) fn of(description: &'d Description) -> Self {
        Known { description, names: RefCell::default() }
    }

    /// The sizes of a type.
    #[inline]
    pub(crate) fn sizes(&self, ty: &Type) -> Sizes {
        match ty {
            Type::Int { bytes, .. } | Type::Float { bytes } => exactly(usize::from(*bytes)),
            ty => self.measured(ty),
        }
    }

    /// The smallest and the largest size of a type in bytes; the largest is `usize::MAX` when there is none.
    pub(crate) fn min_max(&self, ty: &Type) -> (usize, usize) {
        let sizes = self.sizes(ty);
        (sizes.min, sizes.max)
    }

    fn measured(&self, ty: &Type) -> Sizes {
        Measure { known: self, inside: Vec::new(), outermost: usize::MAX, depth: 0, fuel: FUEL }.of(ty)
    }
}

/// The leading bytes that fields always have: one check serves them all.
pub(crate) fn run(parts: impl Iterator<Item = Sizes>) -> usize {
    let mut n = 0usize;
    for part in parts {
        n = n.saturating_add(part.head);
        if part.exact().is_none() {
            break;
        }
    }
    n
}

struct Measure<'k> {
    known: &'k Known<'k>,
    /// The definitions that are being looked into.
    inside: Vec<usize>,
    /// The outermost of these that was met again, by its place.
    outermost: usize,
    depth: u32,
    fuel: u32,
}

impl Measure<'_> {
    fn of(&mut self, ty: &Type) -> Sizes {
        self.fuel = self.fuel.saturating_sub(1);
        if self.depth >= DEEPEST || self.fuel == 0 {
            return range(0, 0, OPEN);
        }
        self.depth = self.depth.saturating_add(1);
        let sizes = self.any(ty);
        self.depth = self.depth.saturating_sub(1);
        sizes
    }

    /// As the derive has it of a type that is in itself: the inner one may have any size.
    fn named(&mut self, ty: &Type) -> Sizes {
        let unknown = range(0, 0, OPEN);
        let Some(ty) = self.known.description.resolve(ty) else { return unknown };
        let name = key(ty);
        if let Some(sizes) = self.known.names.borrow().get(&name) {
            return *sizes;
        }
        if let Some(place) = self.inside.iter().position(|other| *other == name) {
            self.outermost = self.outermost.min(place);
            return unknown;
        }
        let place = self.inside.len();
        let outer = core::mem::replace(&mut self.outermost, usize::MAX);
        self.inside.push(name);
        let sizes = self.of(ty);
        self.inside.pop();
        // what holds only inside of another type is worked out again elsewhere
        if self.outermost >= place || self.fuel == 0 {
            let sizes = if self.fuel == 0 { unknown } else { sizes };
            self.known.names.borrow_mut().insert(name, sizes);
            self.outermost = usize::MAX;
        }
        self.outermost = self.outermost.min(outer);
        sizes
    }

    fn any(&mut self, ty: &Type) -> Sizes {
        match ty {
            Type::Unit => exactly(0),
            Type::Int { bytes, .. } | Type::Float { bytes } => exactly(usize::from(*bytes)),
            Type::Bool { .. } => exactly(1),
            Type::Text { len, .. }
            | Type::Bytes { len }
            | Type::Padding { len, .. }
            | Type::Region { len, .. } => extent(len, exactly(1)),
            Type::List { item, len: len @ Extent::Fixed(_) } => extent(len, self.of(item)),
            Type::List { len, .. } => extent(len, range(0, 0, OPEN)),
            Type::Shaped { dim_bytes, rank: Extent::Fixed(n), .. } => {
                let dims = narrow(*n).saturating_mul(usize::from(*dim_bytes));
                range(dims, dims, OPEN)
            }
            Type::Shaped { rank, .. } => extent(rank, range(0, 0, OPEN)),
            Type::Nullable { blank, body, .. } => {
                let Sizes { head, min, max } = self.of(body);
                let max = max.saturating_add(1);
                if *blank {
                    range(head.saturating_add(1), min.saturating_add(1), max)
                } else {
                    range(1, 1, max)
                }
            }
            Type::Conditional { .. } => range(0, 0, OPEN),
            Type::Ordered { body, .. } => self.of(body),
            Type::Padded { size, .. } => exactly(narrow(*size)),
            Type::Alignment { to, .. } => range(0, 0, narrow(to.saturating_sub(1))),
            Type::Magic { value } => exactly(magic_len(value)),
            Type::Record(record) => self.fields(&record.fields),
            Type::Choice(choice) => self.choice(choice),
            Type::Named(_) => self.named(ty),
            Type::Opaque { min, max, .. } => {
                let (min, max) = (narrow(*min), max.map_or(OPEN, narrow));
                range(if min == max { min } else { 0 }, min, max)
            }
        }
    }

    fn fields(&mut self, fields: &[Field]) -> Sizes {
        let (mut head, mut min, mut max) = (0usize, 0usize, 0usize);
        let mut fixed = true;
        for field in fields {
            let of = self.of(&field.ty);
            head = if fixed { head.saturating_add(of.head) } else { head };
            fixed = fixed && of.exact().is_some();
            min = min.saturating_add(of.min);
            max = max.saturating_add(of.max);
        }
        range(head, min, max)
    }

    fn choice(&mut self, choice: &Choice) -> Sizes {
        let tag = match &choice.tag {
            Tag::Front(ty) => self.of(ty),
            Tag::Expr(_) => exactly(0),
        };
        let (mut min, mut max) = (OPEN, 0);
        for variant in &choice.variants {
            let of = self.fields(&variant.fields);
            min = min.min(of.min);
            max = max.max(of.max);
        }
        let (min, max) = (tag.min.saturating_add(min.min(max)), tag.max.saturating_add(max));
        range(if min == max { min } else { tag.head }, min, max)
    }
}

fn range(head: usize, min: usize, max: usize) -> Sizes {
    Sizes { head, min, max }
}

fn exactly(n: usize) -> Sizes {
    range(n, n, n)
}

fn narrow(n: u64) -> usize {
    usize::try_from(n).unwrap_or(OPEN)
}

/// So many elements of a size.
fn extent(len: &Extent, item: Sizes) -> Sizes {
    match len {
        Extent::Fixed(n) => {
            let n = narrow(*n);
            let (min, max) = (n.saturating_mul(item.min), n.saturating_mul(item.max));
            let head = if min == max { min } else { item.head.min(min) };
            range(head, min, max)
        }
        Extent::Prefixed { bytes, .. } => range(usize::from(*bytes), usize::from(*bytes), OPEN),
        Extent::Terminated => range(1, 1, OPEN),
        Extent::Expr(_) | Extent::Each(_) | Extent::Until(_) | Extent::ToEnd => range(0, 0, OPEN),
    }
}
