//! How many bytes a type takes: what the derive computes of a struct, computed of a description.
//!
//! The comparison of two schemas asks this, and so does the compiler of programs, which needs the leading bytes that are always
//! there as well. A named type is measured once, after those that it names. Of a type that contains itself the derive knows
//! nothing at the place where it meets the type again, because there it is behind a pointer: a name that leads back to a type
//! around it may be anything. What was found is then used in a second pass, after which only a type's own name is unknown in it.

use super::DEEPEST;
use super::anatomy::{Anatomy, Room};
use super::types::{Choice, Description, Extent, Field, Type};
use crate::wire::packing::bytes_of;
use crate::wire::{OPEN, Sizes};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

impl Description {
    /// Whether a part of it lies elsewhere (`at = ..`): then a reader must be able to seek, and a file is one value.
    ///
    /// ```
    /// use binfmt::schema::Description;
    /// let archive: Description = "Archive: record\n  place: u32\n  part: u8, at = place\n".parse()?;
    /// assert!(archive.has_parts_elsewhere());
    /// assert!(!"u32".parse::<Description>()?.has_parts_elsewhere());
    /// # Ok::<(), binfmt::schema::SyntaxError>(())
    /// ```
    pub fn has_parts_elsewhere(&self) -> bool {
        fn of(ty: &Type) -> bool {
            matches!(ty, Type::At { .. }) || ty.children().any(of)
        }
        of(&self.root) || self.definitions.values().any(of)
    }
}

/// Nothing is known.
pub(crate) const ANY: Sizes = range(0, 0, OPEN);

/// The sizes of the named types of a description.
pub(crate) struct Measured<'d> {
    known: BTreeMap<&'d str, Sizes>,
    /// For each definition the names in it that lead back to one around it.
    back: BTreeMap<&'d str, BTreeSet<&'d str>>,
}

impl<'d> Measured<'d> {
    pub(crate) fn new(description: &'d Description) -> Self {
        let mut measured = Measured { known: BTreeMap::new(), back: BTreeMap::new() };
        let order = measured.order(description);
        for _ in 0..if measured.is_recursive() { 2 } else { 1 } {
            for &(name, ty) in &order {
                measured.known.insert(name, ANY);
                let sizes = measured.of(ty);
                measured.known.insert(name, sizes);
            }
        }
        measured
    }

    /// Whether a type is in itself.
    pub(crate) fn is_recursive(&self) -> bool {
        !self.back.is_empty()
    }

    /// Whether a type in a definition is one that the definition is in: it is behind a pointer in the struct, and the derive
    /// asks for none of its bytes before it is reached.
    pub(crate) fn is_around(&self, definition: &str, ty: &Type) -> bool {
        match ty.unordered() {
            Type::Named(name) => self.back.get(definition).is_some_and(|back| back.contains(&**name)),
            _ => false,
        }
    }

    /// The size of a type of the description.
    pub(super) fn of(&self, ty: &Type) -> Sizes {
        self.at(ty, 0)
    }

    fn at(&self, ty: &Type, depth: u32) -> Sizes {
        match depth > DEEPEST {
            true => ANY,
            false => self.combined(ty, &mut |child| self.at(child, depth.wrapping_add(1))),
        }
    }

    /// The size of a type, of those of its [children](Type::children): each is asked for once, in their order.
    pub(crate) fn combined(&self, ty: &Type, child: &mut dyn FnMut(&Type) -> Sizes) -> Sizes {
        match ty {
            Type::Record(record) => return in_a_row(&record.fields, child),
            Type::Choice(choice) => return chosen(choice, child),
            Type::Named(name) => return self.known.get(&**name).copied().unwrap_or(ANY),
            _ => {}
        }
        let Anatomy { room, extent, body, .. } = ty.anatomy();
        let body = body.map_or(ANY, child);
        let several = |item| extent.map_or(ANY, |len| several(len, item));
        match room {
            Room::Sizes(sizes) => sizes,
            Room::Units(bytes) => several(exactly(bytes)),
            Room::Items => several(body),
            Room::Packed(bits) => match extent {
                Some(Extent::Fixed(n)) => exactly(bytes_of(bits, narrow(*n))),
                _ => several(body),
            },
            Room::Dimensions(bytes) => match extent {
                Some(Extent::Fixed(_)) => Sizes { max: OPEN, ..several(exactly(bytes)) },
                _ => several(ANY),
            },
            Room::Presence { blank: true } => then(exactly(1), body),
            Room::Presence { blank: false } => then(exactly(1), range(0, 0, body.max)),
            Room::Body => body,
            Room::Perhaps | Room::Elsewhere => ANY,
        }
    }

    /// The definitions that are needed, each after those that it names.
    fn order(&mut self, description: &'d Description) -> Vec<(&'d str, &'d Type)> {
        let (mut order, mut done) = (Vec::new(), BTreeSet::new());
        // each with the names in it that are not followed yet
        let mut open = vec![(None, &description.root, names(&description.root))];
        while let Some((own, ty, names_left)) = open.last_mut() {
            let (own, ty) = (*own, *ty);
            let Some(next) = names_left.next() else {
                open.pop();
                order.extend(own.map(|own| (own, ty)));
                done.extend(own);
                continue;
            };
            let Some((next, ty)) = description.definitions.get_key_value(next) else { continue };
            if self.known.insert(next, ANY).is_none() {
                open.push((Some(next.as_str()), ty, names(ty)));
            } else if let Some(own) = own
                && !done.contains(next.as_str())
            {
                self.back.entry(own).or_default().insert(next);
            }
        }
        order
    }
}

/// The names in a type, in the order of the wire.
pub(super) fn names(ty: &Type) -> vec::IntoIter<&str> {
    fn collect<'d>(ty: &'d Type, depth: u32, found: &mut Vec<&'d str>) {
        if depth > DEEPEST {
            return;
        }
        if let Type::Named(name) = ty {
            found.push(name);
        }
        ty.children().for_each(|child| collect(child, depth.wrapping_add(1), found));
    }
    let mut found = Vec::new();
    collect(ty, 0, &mut found);
    found.into_iter()
}

pub(super) const fn range(head: usize, min: usize, max: usize) -> Sizes {
    Sizes { head, min, max }
}

pub(super) fn exactly(n: usize) -> Sizes {
    range(n, n, n)
}

pub(super) fn narrow(n: u64) -> usize {
    usize::try_from(n).unwrap_or(OPEN)
}

/// One type, then another; a sum that is too large has no limit.
fn then(first: Sizes, next: Sizes) -> Sizes {
    let head = first.exact().map_or(first.head, |n| n.saturating_add(next.head));
    range(head, first.min.saturating_add(next.min), first.max.saturating_add(next.max))
}

fn chosen(choice: &Choice, child: &mut dyn FnMut(&Type) -> Sizes) -> Sizes {
    let tag = choice.tag.front().map_or(exactly(0), &mut *child);
    let tag = choice.magic.as_ref().map_or(tag, |magic| then(exactly(magic.len()), tag));
    let arms = choice.variants.iter().map(|variant| in_a_row(&variant.fields, child));
    let arms = arms.map(|arm| range(0, arm.min, arm.max));
    let any = arms.reduce(|a, b| range(0, a.min.min(b.min), a.max.max(b.max)));
    let all = then(tag, any.unwrap_or(exactly(0)));
    Sizes { head: if all.min == all.max { all.min } else { tag.head }, ..all }
}

fn in_a_row(fields: &[Field], child: &mut dyn FnMut(&Type) -> Sizes) -> Sizes {
    fields.iter().map(|field| child(&field.ty)).fold(exactly(0), then)
}

/// That many elements of a size.
fn several(len: &Extent, item: Sizes) -> Sizes {
    match len {
        Extent::Fixed(n) => {
            let n = narrow(*n);
            let (min, max) = (n.saturating_mul(item.min), n.saturating_mul(item.max));
            range(if min == max { min } else { item.head.min(min) }, min, max)
        }
        Extent::Prefixed { len, .. } => {
            let min = usize::try_from(len.sizes().0).unwrap_or(OPEN);
            range(min, min, OPEN)
        }
        Extent::Terminated => range(item.min, item.min, OPEN),
        Extent::Ends(end) => range(end.least(), end.least(), OPEN),
        Extent::Expr(_) | Extent::Each(_) | Extent::Until(_) | Extent::ToEnd | Extent::Gaps => ANY,
    }
}
