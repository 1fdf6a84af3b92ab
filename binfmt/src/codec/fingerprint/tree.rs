//! What a tree, its notes and its constants say.
#![allow(clippy::arithmetic_side_effects, reason = "places in a list")]

use super::notes::{find, is_transparent};
use super::text::Constants;
use super::{ConstValue, Fields, Inner, Own, Tree};
use crate::wire::{Note, Notes, Part, Shape};

#[inline]
pub(super) const fn inner(tree: &Tree) -> &'static Tree {
    match tree.inner {
        Inner::One(inner) => inner,
        _ => &Tree::BYTES,
    }
}

#[inline]
pub(super) const fn is_byte(tree: &Tree) -> bool {
    match tree.shape {
        Shape::Int { bytes: 1, signed: false } | Shape::NonZero { bytes: 1, signed: false } => true,
        Shape::Boxed { .. } => is_byte(inner(tree)),
        _ => false,
    }
}

/// Whether a description refers to it by a name.
#[inline]
pub(super) const fn is_named(tree: &Tree) -> bool {
    match tree.shape {
        Shape::Record { name, .. } => !name.is_empty() && !is_silent(tree, tree.shape),
        Shape::Choice { .. } => true,
        Shape::Boxed { .. } => is_named(inner(tree)),
        _ => false,
    }
}

/// Whether these are bytes without a value.
#[inline]
pub(super) const fn is_silent(tree: &Tree, shape: Shape) -> bool {
    match shape {
        Shape::Padding { .. } | Shape::Alignment { .. } | Shape::Magic { .. } | Shape::MagicNumber { .. } => {
            true
        }
        Shape::Ignored | Shape::Bits { reserved: Some(_), .. } => true,
        Shape::Bounded { .. } | Shape::Ordered { .. } | Shape::Boxed { .. } => {
            let body = inner(tree);
            is_silent(body, body.shape)
        }
        Shape::Record { notes, .. } if is_transparent(notes) => match &tree.inner {
            Inner::Record { fields, .. } => is_silent(&fields.trees[0], fields.parts[0].shape()),
            _ => false,
        },
        _ => false,
    }
}

#[inline]
pub(super) const fn has_order(own: &Own, notes: Notes) -> bool {
    own.order.is_some() || find(notes, Note::Endian).is_some()
}

#[inline]
pub(super) const fn known_of(fields: &Fields, i: usize) -> Constants {
    if i < fields.known.len() { fields.known[i] } else { &[] }
}

#[inline]
pub(super) const fn constant(name: &str, known: Constants) -> Option<ConstValue> {
    let mut i = 0;
    while i < known.len() {
        if known[i].0.len() == name.len() {
            return Some(known[i].1);
        }
        i += 1;
    }
    None
}

/// Whether a part is in an order of its own, and not under a condition beside a field.
#[inline]
pub(super) const fn is_ordered(part: &Part) -> bool {
    matches!(part.shape(), Shape::Ordered { .. }) && find(part.notes(), Note::If).is_none()
}
