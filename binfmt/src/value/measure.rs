//! How many bytes a type takes: what the derive knows when compiling.

use super::unwrap::magic_len;
use crate::schema::{Choice, Description, Extent, Field, Tag, Type};
use crate::wire::{OPEN, Sizes};
use alloc::collections::BTreeMap;

/// Types that are looked into. A type that goes beyond, or is in itself, may have any size.
const FUEL: u32 = 1 << 12;

/// The smallest and the largest size of a type in bytes; the largest is `usize::MAX` when there is none.
pub(crate) fn min_max(description: &Description, ty: &Type) -> (usize, usize) {
    let sizes = sizes(description, ty);
    (sizes.min, sizes.max)
}

/// The sizes of a type.
pub(crate) fn sizes(description: &Description, ty: &Type) -> Sizes {
    let mut measure = Measure { description, fuel: FUEL };
    let sizes = measure.of(ty);
    if measure.fuel == 0 { range(0, 0, OPEN) } else { sizes }
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

/// Fields that one value of a description may go through without a byte that bounds them.
const MOST_FIELDS: u64 = 1 << 20;
/// Rounds after which the count of [`is_endless`] is believed: more levels are refused by the decoder anyway.
const ROUNDS: usize = 256;

/// Whether named types multiply each other, so that a value without a byte would take ages: thirty types of two fields of
/// the next are enough. What stands in a list, or behind a presence byte or tag, is bounded by the input.
pub(super) fn is_endless(description: &Description) -> bool {
    let definitions = &description.definitions;
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (name, ty) in definitions {
            let n = fields_of(ty, &counts);
            if n > MOST_FIELDS {
                return true;
            }
            changed |= counts.insert(name, n) != Some(n);
        }
        if !changed {
            break;
        }
    }
    fields_of(&description.root, &counts) > MOST_FIELDS
}

/// The fields of a type, those of named types as far as they are counted.
fn fields_of(ty: &Type, counts: &BTreeMap<&str, u64>) -> u64 {
    let all = |fields: &[Field]| {
        fields.iter().fold(1u64, |n, field| n.saturating_add(fields_of(&field.ty, counts)))
    };
    match ty {
        Type::Record(record) => all(&record.fields),
        Type::Choice(Choice { tag: Tag::Expr(_), variants, .. }) => {
            variants.iter().map(|variant| all(&variant.fields)).max().unwrap_or(0)
        }
        Type::Named(name) => counts.get(name.as_str()).copied().unwrap_or(0),
        Type::Conditional { body, .. } | Type::Ordered { body, .. } | Type::Padded { body, .. } => {
            fields_of(body, counts)
        }
        Type::Region { len: Extent::Fixed(_) | Extent::Expr(_) | Extent::ToEnd, body } => {
            fields_of(body, counts)
        }
        _ => 1,
    }
}

struct Measure<'d> {
    description: &'d Description,
    fuel: u32,
}

impl Measure<'_> {
    fn of(&mut self, ty: &Type) -> Sizes {
        self.fuel = self.fuel.saturating_sub(1);
        if self.fuel == 0 {
            return range(0, 0, OPEN);
        }
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
            Type::Named(_) => match self.description.resolve(ty) {
                Some(ty) => self.of(ty),
                None => range(0, 0, OPEN),
            },
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
