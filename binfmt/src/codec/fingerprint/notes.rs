//! What the notes of a part say.
#![allow(clippy::arithmetic_side_effects, reason = "places in a list")]

use crate::wire::{Endian, Note, Notes};

/// The text of a note.
#[inline]
pub(super) const fn find(notes: Notes, what: Note) -> Option<&'static str> {
    let mut i = 0;
    while i < notes.len() {
        let is = matches!(
            (notes[i].0, what),
            (Note::If, Note::If)
                | (Note::Endian, Note::Endian)
                | (Note::Count, Note::Count)
                | (Note::Region, Note::Region)
                | (Note::At, Note::At)
                | (Note::Process, Note::Process)
                | (Note::Each, Note::Each)
                | (Note::Rank, Note::Rank)
                | (Note::Until, Note::Until)
                | (Note::TagFrom, Note::TagFrom)
                | (Note::Args, Note::Args)
                | (Note::Untagged, Note::Untagged)
                | (Note::Transparent, Note::Transparent)
        );
        if is {
            return Some(notes[i].1);
        }
        i += 1;
    }
    None
}

#[inline]
pub(super) const fn is_transparent(notes: Notes) -> bool {
    find(notes, Note::Transparent).is_some()
}

/// The byte order that a variant fixes for its fields.
#[inline]
pub(super) const fn fixed_order(notes: Notes) -> Option<Endian> {
    order(notes, false)
}

#[inline]
pub(super) const fn tag_order(notes: Notes) -> Option<Endian> {
    order(notes, true)
}

#[inline]
const fn order(notes: Notes, of_tag: bool) -> Option<Endian> {
    let mut i = 0;
    while i < notes.len() {
        match notes[i].0 {
            Note::Order(order) if !of_tag => return Some(order),
            Note::TagOrder(order) if of_tag => return Some(order),
            _ => i += 1,
        }
    }
    None
}
