//! Named types that multiply each other: thirty types of two fields of the next are enough for more fields than anybody
//! waits for.

use crate::schema::types::{Choice, Description, Extent, Field, Tag, Type};
use alloc::vec;
use alloc::vec::Vec;

/// Fields that one value of a description may go through without a byte that bounds them.
const MOST_FIELDS: u64 = 1 << 20;
/// Rounds after which the count is believed: each goes through what is in itself once more.
const ROUNDS: usize = 64;

/// Whether a value of this description without a byte would take ages. What stands in a list, or behind a presence byte
/// or tag, is bounded by the input.
pub(super) fn is_endless(description: &Description) -> bool {
    // without names inside of names nothing multiplies
    if !description.definitions.values().any(holds_names) {
        return false;
    }
    let names: Vec<(&str, &Type)> = description.definitions.iter().map(|(n, ty)| (n.as_str(), ty)).collect();
    let mut counts = Counts { names: &names, of: vec![0; names.len()] };
    let order = counts.order();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for i in &order {
            let n = names.get(*i).map_or(0, |(_, ty)| counts.fields_of(ty));
            if n > MOST_FIELDS {
                return true;
            }
            if let Some(count) = counts.of.get_mut(*i) {
                changed |= core::mem::replace(count, n) != n;
            }
        }
        if !changed {
            break;
        }
    }
    counts.fields_of(&description.root) > MOST_FIELDS
}

/// Whether a name counts for a type.
fn holds_names(ty: &Type) -> bool {
    match ty {
        Type::Named(_) => true,
        Type::Record(record) => record.fields.iter().any(|field| holds_names(&field.ty)),
        Type::Choice(Choice { tag: Tag::Expr(_), variants, .. }) => {
            variants.iter().any(|variant| variant.fields.iter().any(|field| holds_names(&field.ty)))
        }
        Type::Conditional { body, .. }
        | Type::Ordered { body, .. }
        | Type::Padded { body, .. }
        | Type::Region { body, .. } => holds_names(body),
        _ => false,
    }
}

struct Counts<'d> {
    /// In the order of the names.
    names: &'d [(&'d str, &'d Type)],
    of: Vec<u64>,
}

impl Counts<'_> {
    /// Every name behind those that it holds, unless they hold each other.
    fn order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.names.len());
        let mut met = vec![false; self.names.len()];
        // each with the names that it holds and nobody has looked into
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
        let new = met.get_mut(name).is_some_and(|met| !core::mem::replace(met, true));
        if let (true, Some((_, ty))) = (new, self.names.get(name)) {
            let mut inside = Vec::new();
            self.each_name(ty, &mut inside);
            open.push((name, inside));
        }
    }

    /// The names that count for a type.
    fn each_name(&self, ty: &Type, found: &mut Vec<usize>) {
        match ty {
            Type::Record(record) => record.fields.iter().for_each(|field| self.each_name(&field.ty, found)),
            Type::Choice(Choice { tag: Tag::Expr(_), variants, .. }) => {
                let fields = variants.iter().flat_map(|variant| &variant.fields);
                fields.for_each(|field| self.each_name(&field.ty, found));
            }
            Type::Named(name) => found.extend(self.place(name)),
            Type::Conditional { body, .. }
            | Type::Ordered { body, .. }
            | Type::Padded { body, .. }
            | Type::Region { body, .. } => self.each_name(body, found),
            _ => {}
        }
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.binary_search_by(|(other, _)| (*other).cmp(name)).ok()
    }

    /// The fields of a type, those of named types as far as they are counted.
    fn fields_of(&self, ty: &Type) -> u64 {
        let all = |fields: &[Field]| {
            fields.iter().fold(1u64, |n, field| n.saturating_add(self.fields_of(&field.ty)))
        };
        match ty {
            Type::Record(record) => all(&record.fields),
            Type::Choice(Choice { tag: Tag::Expr(_), variants, .. }) => {
                variants.iter().map(|variant| all(&variant.fields)).max().unwrap_or(0)
            }
            Type::Named(name) => self.place(name).and_then(|i| self.of.get(i)).copied().unwrap_or(0),
            Type::Conditional { body, .. } | Type::Ordered { body, .. } | Type::Padded { body, .. } => {
                self.fields_of(body)
            }
            Type::Region { len: Extent::Fixed(_) | Extent::Expr(_) | Extent::ToEnd, body, .. } => {
                self.fields_of(body)
            }
            _ => 1,
        }
    }
}
