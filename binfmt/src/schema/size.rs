//! How many bytes a type takes: what the derive computes of a struct, computed of a description.
//!
//! The comparison of two schemas asks this, and so does the compiler of programs, which needs the leading bytes that are always
//! there as well. A named type is measured once, after those that it names. Of a type that contains itself the derive knows
//! nothing at the place where it meets the type again, because there it is behind a pointer: a name that leads back to a type
//! around it may be anything. What was found is then used in a second pass, after which only a type's own name is unknown in it.

use super::DEEPEST;
use super::types::{Description, Extent, Field, Magic, Tag, Type};
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
        match ty {
            Type::Named(name) => self.back.get(definition).is_some_and(|back| back.contains(&**name)),
            Type::Ordered { body, .. } => self.is_around(definition, body),
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
            Type::Unit => exactly(0),
            Type::Int { bytes, .. } | Type::Float { bytes } => exactly(usize::from(*bytes)),
            Type::Varint { code, bytes } => range(1, 1, code.max_len(*bytes)),
            Type::Bool { .. } => exactly(1),
            Type::Text { encoding, len, .. } => several(len, exactly(encoding.unit().bytes)),
            Type::Bytes { len } | Type::Padding { len, .. } => several(len, exactly(1)),
            Type::Region { len, body, .. } => {
                child(body);
                several(len, exactly(1))
            }
            Type::List { item, len } => several(len, child(item)),
            Type::Shaped { item, dim_bytes, rank, .. } => {
                child(item);
                match rank {
                    Extent::Fixed(_) => {
                        Sizes { max: OPEN, ..several(rank, exactly(usize::from(*dim_bytes))) }
                    }
                    rank => several(rank, ANY),
                }
            }
            Type::Nullable { blank, body, .. } => {
                let body = child(body);
                then(exactly(1), if *blank { body } else { range(0, 0, body.max) })
            }
            Type::Processed { .. } => ANY,
            Type::Conditional { body, .. }
            | Type::At { body, .. }
            | Type::Peeked { body }
            | Type::Tail { body } => {
                child(body);
                ANY
            }
            Type::Bits { run, body, .. } => {
                child(body);
                exactly(run.map_or(0, usize::from))
            }
            Type::Ordered { body, .. } | Type::Trimmed { body, .. } => child(body),
            Type::Padded { size, body, .. } => {
                child(body);
                exactly(narrow(*size))
            }
            Type::Alignment { to, .. } => range(0, 0, narrow(to.saturating_sub(1))),
            Type::Magic { value: Magic::Bytes(bytes) } => exactly(bytes.len()),
            Type::Magic { value: Magic::Number { bytes, .. } } => exactly(usize::from(*bytes)),
            Type::Record(record) => in_a_row(&record.fields, child),
            Type::Choice(choice) => {
                let tag = if let Tag::Front(tag) = &choice.tag { child(tag) } else { exactly(0) };
                let tag = match &choice.magic {
                    None => tag,
                    Some(Magic::Bytes(bytes)) => then(exactly(bytes.len()), tag),
                    Some(Magic::Number { bytes, .. }) => then(exactly(usize::from(*bytes)), tag),
                };
                let arms = choice.variants.iter().map(|variant| in_a_row(&variant.fields, child));
                let arms = arms.map(|arm| range(0, arm.min, arm.max));
                let any = arms.reduce(|a, b| range(0, a.min.min(b.min), a.max.max(b.max)));
                let all = then(tag, any.unwrap_or(exactly(0)));
                Sizes { head: if all.min == all.max { all.min } else { tag.head }, ..all }
            }
            Type::Named(name) => self.known.get(&**name).copied().unwrap_or(ANY),
            Type::Opaque { min, max, .. } => {
                let (min, max) = (narrow(*min), max.map_or(OPEN, narrow));
                range(if min == max { min } else { 0 }, min, max)
            }
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

/// The names in a type.
fn names(ty: &Type) -> vec::IntoIter<&str> {
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

const fn range(head: usize, min: usize, max: usize) -> Sizes {
    Sizes { head, min, max }
}

fn exactly(n: usize) -> Sizes {
    range(n, n, n)
}

fn narrow(n: u64) -> usize {
    usize::try_from(n).unwrap_or(OPEN)
}

/// One type, then another; a sum that is too large has no limit.
fn then(first: Sizes, next: Sizes) -> Sizes {
    let head = first.exact().map_or(first.head, |n| n.saturating_add(next.head));
    range(head, first.min.saturating_add(next.min), first.max.saturating_add(next.max))
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
