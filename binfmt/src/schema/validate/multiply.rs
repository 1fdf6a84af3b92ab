//! Named types that multiply each other: thirty types of two fields of the next are enough for more fields than anybody
//! waits for.

use crate::schema::types::{Choice, Description, Extent, Field, Tag, Type};
use alloc::vec;
use alloc::vec::Vec;

/// Fields that one value of a description may go through without a byte that bounds them.
const MOST_FIELDS: u64 = 1 << 20;
/// Rounds after which the count is believed: more levels are refused by the decoder anyway.
const ROUNDS: usize = 256;

/// Whether a value of this description without a byte would take ages. What stands in a list, or behind a presence byte
/// or tag, is bounded by the input.
pub(super) fn is_endless(description: &Description) -> bool {
    if description.definitions.is_empty() {
        return false;
    }
    let names: Vec<(&str, &Type)> = description.definitions.iter().map(|(n, ty)| (n.as_str(), ty)).collect();
    let mut counts = Counts { names: &names, of: vec![0; names.len()] };
    for round in 0..ROUNDS {
        let mut changed = false;
        for i in 0..names.len() {
            // forth and back: in one of the two directions most types stand behind those that they need
            let i = if round % 2 == 0 { names.len().saturating_sub(i).saturating_sub(1) } else { i };
            let n = names.get(i).map_or(0, |(_, ty)| counts.fields_of(ty));
            if n > MOST_FIELDS {
                return true;
            }
            if let Some(count) = counts.of.get_mut(i) {
                changed |= core::mem::replace(count, n) != n;
            }
        }
        if !changed {
            break;
        }
    }
    counts.fields_of(&description.root) > MOST_FIELDS
}

struct Counts<'d> {
    /// In the order of the names.
    names: &'d [(&'d str, &'d Type)],
    of: Vec<u64>,
}

impl Counts<'_> {
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
            Type::Named(name) => {
                let place = self.names.binary_search_by(|(other, _)| (*other).cmp(name)).ok();
                place.and_then(|i| self.of.get(i)).copied().unwrap_or(0)
            }
            Type::Conditional { body, .. } | Type::Ordered { body, .. } | Type::Padded { body, .. } => {
                self.fields_of(body)
            }
            Type::Region { len: Extent::Fixed(_) | Extent::Expr(_) | Extent::ToEnd, body } => {
                self.fields_of(body)
            }
            _ => 1,
        }
    }
}
