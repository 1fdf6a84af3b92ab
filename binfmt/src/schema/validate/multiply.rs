//! Named types that multiply each other: thirty types of two fields of the next are enough for more fields than anyone
//! waits for.
#![allow(clippy::arithmetic_side_effects, reason = "no name counts for more than `MOST_FIELDS`")]

use crate::schema::anatomy::Room;
use crate::schema::size::Measured;
use crate::schema::types::{Choice, Description, Extent, Tag, Type, Variant};
use alloc::vec;
use alloc::vec::Vec;

/// Fields that one value of a description may go through without a byte that bounds them.
const MOST_FIELDS: u64 = 1 << 20;
/// Rounds after which the count is believed: each goes through what is in itself once more.
const ROUNDS: usize = 64;

/// Whether a value of this description without a byte would take ages. What stands in a list, or after a presence byte
/// or tag, is bounded by the input.
pub(super) fn is_endless(description: &Description) -> bool {
    // without names inside names nothing multiplies
    if !description.definitions.values().any(holds_names) {
        return false;
    }
    let names: Vec<(&str, &Type)> = description.definitions.iter().map(|(n, ty)| (n.as_str(), ty)).collect();
    let mut counts =
        Counts { names: &names, of: vec![0; names.len()], takes_bytes: vec![false; names.len()] };
    let order = counts.order();
    counts.takes_bytes = counts.take_bytes(description);
    for _ in 0..ROUNDS {
        let mut changed = false;
        for &i in &order {
            let n = counts.fields_of(names[i].1);
            if n > MOST_FIELDS {
                return true;
            }
            changed |= core::mem::replace(&mut counts.of[i], n) != n;
        }
        if !changed {
            break;
        }
    }
    counts.fields_of(&description.root) > MOST_FIELDS
}

/// The types in a type whose fields count for it: nothing but the description bounds how many there are.
fn unbounded(ty: &Type) -> impl Iterator<Item = &Type> {
    let is_bounded = match ty {
        Type::Choice(choice) => choice.tag.front().is_some(),
        ty => matches!(ty.anatomy().room, Room::Items | Room::Dimensions(_) | Room::Presence { .. }),
    };
    ty.children().filter(move |_| !is_bounded)
}

/// Whether a name counts for a type.
fn holds_names(ty: &Type) -> bool {
    matches!(ty, Type::Named(_)) || unbounded(ty).any(holds_names)
}

/// Whether the bytes of a named type are read without being taken.
fn peeks_at_names(ty: &Type) -> bool {
    match ty {
        Type::Peeked { body } => holds_names(body),
        ty => ty.children().any(peeks_at_names),
    }
}

struct Counts<'d> {
    /// In the order of the names.
    names: &'d [(&'d str, &'d Type)],
    of: Vec<u64>,
    /// Which are in themselves, or have such types in them, and take a byte of the input each time: the input bounds them.
    takes_bytes: Vec<bool>,
}

impl Counts<'_> {
    /// Every name after those that it holds, unless they hold each other.
    fn order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.names.len());
        let mut met = vec![false; self.names.len()];
        // each with the names that it holds and nothing has looked into
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        for start in 0..self.names.len() {
            self.enter(start, &mut met, &mut open);
            while let Some((name, inside)) = open.last_mut() {
                match inside.pop() {
                    Some(next) => self.enter(next, &mut met, &mut open),
                    None => {
                        order.push(*name);
                        open.pop();
                    }
                }
            }
        }
        order
    }

    fn enter(&self, name: usize, met: &mut [bool], open: &mut Vec<(usize, Vec<usize>)>) {
        if !core::mem::replace(&mut met[name], true) {
            let mut inside = Vec::new();
            self.each_name(self.names[name].1, &mut inside);
            open.push((name, inside));
        }
    }

    /// The names that count for a type.
    fn each_name(&self, ty: &Type, found: &mut Vec<usize>) {
        if let Type::Named(name) = ty {
            found.extend(self.place(name));
        }
        unbounded(ty).for_each(|inner| self.each_name(inner, found));
    }

    /// What [`takes_bytes`](Self::takes_bytes) says. Where a type is looked at and not taken, the same byte may be met again.
    fn take_bytes(&self, description: &Description) -> Vec<bool> {
        let mut takes = vec![false; self.names.len()];
        if self.names.iter().any(|(_, ty)| peeks_at_names(ty)) || peeks_at_names(&description.root) {
            return takes;
        }
        let measured = Measured::new(description);
        let mut inside: Vec<usize> = vec![0; self.names.len()];
        let mut around: Vec<Vec<usize>> = vec![Vec::new(); self.names.len()];
        for (i, (_, ty)) in self.names.iter().enumerate() {
            let mut found = Vec::new();
            self.each_name(ty, &mut found);
            inside[i] = found.len();
            found.into_iter().for_each(|name| around[name].push(i));
        }
        // those that lead to no type in itself, each after what it holds
        let mut ends: Vec<usize> = (0..inside.len()).filter(|i| inside[*i] == 0).collect();
        while let Some(end) = ends.pop() {
            for &i in &around[end] {
                inside[i] -= 1;
                if inside[i] == 0 {
                    ends.push(i);
                }
            }
        }
        for (i, (name, _)) in self.names.iter().enumerate() {
            takes[i] = inside[i] > 0 && measured.of(&Type::Named((*name).into())).min > 0;
        }
        takes
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.binary_search_by(|(other, _)| (*other).cmp(name)).ok()
    }

    /// The fields of a type, those of named types as far as they are counted.
    fn fields_of(&self, ty: &Type) -> u64 {
        match ty {
            Type::Record(_) => 1 + unbounded(ty).map(|field| self.fields_of(field)).sum::<u64>(),
            Type::Choice(Choice { tag: Tag::Expr(_) | Tag::Untagged, variants, .. }) => {
                let all =
                    |variant: &Variant| variant.fields.iter().map(|field| self.fields_of(&field.ty)).sum();
                variants.iter().map(all).max().map_or(0, |most: u64| most + 1)
            }
            Type::Named(name) => {
                self.place(name).map_or(0, |i| if self.takes_bytes[i] { 1 } else { self.of[i] })
            }
            Type::Region { len, .. }
                if !matches!(len, Extent::Fixed(_) | Extent::Expr(_) | Extent::ToEnd) =>
            {
                1
            }
            // a body, or no type at all
            _ => unbounded(ty).map(|body| self.fields_of(body)).next().unwrap_or(1),
        }
    }
}
