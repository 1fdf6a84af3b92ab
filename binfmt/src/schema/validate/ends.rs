//! Types that take everything to the end: what follows one is written and can never be read.

use super::{Checked, DescriptionError, quoted};
use crate::schema::DEEPEST;
use crate::schema::anatomy::{Anatomy, Reach, Room};
use crate::schema::types::{Description, Extent, Field, Type};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;

/// Which named types take everything to the end.
pub(super) struct Ends<'d> {
    description: &'d Description,
    names: BTreeSet<&'d str>,
}

impl<'d> Ends<'d> {
    pub(super) fn none(description: &'d Description) -> Self {
        Ends { description, names: BTreeSet::new() }
    }

    pub(super) fn of(description: &'d Description) -> Self {
        let mut ends = Ends::none(description);
        let mut around: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut found: Vec<&str> = Vec::new();
        for (name, ty) in &description.definitions {
            let mut note = |inner: &'d str| around.entry(inner).or_default().push(name);
            if tail(ty, 0, &mut note) {
                found.push(name);
            }
        }
        while let Some(name) = found.pop() {
            if ends.names.insert(name) {
                found.extend(around.get(name).into_iter().flatten());
            }
        }
        ends
    }

    /// Whether the type of this name takes everything to the end.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Whether a field may follow one that takes everything. Two fields with a condition each may exclude each
    /// other.
    pub(super) fn may_follow(&self, first: &Field, field: &Field) -> Checked {
        let both = is_conditional(&first.ty) && is_conditional(&field.ty);
        let tails = is_tail(&first.ty) && is_tail(&field.ty);
        if both || tails || !self.has_bytes(&field.ty, 0) {
            return Ok(());
        }
        let text = match first.name.is_empty() {
            true => "this comes after bytes that take everything to the end".into(),
            false => {
                format!("this comes after `{}`, which takes everything to the end", quoted(&first.name))
            }
        };
        Err(DescriptionError::new(text).within(&field.name))
    }

    fn has_bytes(&self, ty: &Type, depth: u32) -> bool {
        if depth > 8 {
            return true;
        }
        let mut inside = ty.children().map(|ty| self.has_bytes(ty, depth + 1));
        let Anatomy { room, extent, reach, .. } = ty.anatomy();
        match (ty, room) {
            (Type::Named(_), _) => {
                self.description.resolve(ty).is_none_or(|ty| self.has_bytes(ty, depth + 1))
            }
            (Type::Choice(_), _) => true,
            (_, Room::Elsewhere) => false,
            _ if reach == Reach::Always => true,
            (_, Room::Sizes(sizes)) => sizes.max > 0,
            (_, Room::Items) => extent != Some(&Extent::Fixed(0)) && inside.any(|bytes| bytes),
            (_, Room::Units(_) | Room::Packed(_)) => extent != Some(&Extent::Fixed(0)),
            (_, Room::Body | Room::Perhaps) => inside.any(|bytes| bytes),
            (_, Room::Dimensions(_) | Room::Presence { .. }) => true,
        }
    }
}

fn is_conditional(ty: &Type) -> bool {
    matches!(ty.unordered(), Type::Conditional { .. })
}

fn is_tail(ty: &Type) -> bool {
    matches!(ty.unordered(), Type::Tail { .. })
}

/// Whether a type takes everything to the end by itself; if not, `name` hears of the named types that would do it for it.
fn tail<'d>(ty: &'d Type, depth: u32, name: &mut dyn FnMut(&'d str)) -> bool {
    if depth >= DEEPEST {
        return false;
    }
    match ty {
        Type::Named(inner) => {
            name(inner);
            false
        }
        ty => {
            let anatomy = ty.anatomy();
            anatomy.takes_all(false)
                || anatomy.takes_all(true) && ty.children().any(|child| tail(child, depth + 1, name))
        }
    }
}
