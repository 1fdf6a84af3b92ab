//! Runs of bits: each is opened once and full.
#![allow(clippy::arithmetic_side_effects, reason = "a run has at most 128 bits, and fields at most 255 more")]

use super::{Checked, DescriptionError, quoted};
use crate::schema::DEEPEST;
use crate::schema::types::{Choice, Description, Extent, Field, Tag, Type};
use crate::wire::BitOrder;
use alloc::format;

/// The run that is open, from field to field.
#[derive(Default)]
pub(super) struct Open {
    /// Bits of the integer that no field has yet.
    left: u32,
    order: Option<BitOrder>,
}

impl Open {
    /// The bits of a field, if it has some, end where a run does; what else it is comes after a full run.
    pub(super) fn field(&mut self, field: &Field, description: &Description) -> Checked {
        let Some((bits, run, order, body)) = bits_of(&field.ty) else { return self.end() };
        match run {
            Some(bytes @ (1..=8 | 16)) => {
                self.end()?;
                *self = Open { left: u32::from(bytes) * 8, order };
            }
            Some(bytes) => {
                return Err(DescriptionError::new(format!(
                    "there are no bits of an integer of {bytes} bytes"
                )));
            }
            None if self.left == 0 => {
                return Err(DescriptionError::new("no run of bits is open for these"));
            }
            None if order != self.order => {
                return Err(DescriptionError::new("the bits of a run have one order"));
            }
            None => {}
        }
        if bits == 0 || u32::from(bits) > self.left {
            return Err(DescriptionError::new(format!("{bits} bits in a run that has {} left", self.left)));
        }
        self.left -= u32::from(bits);
        value(body, bits, description, 0)
    }

    /// After the last field.
    pub(super) fn end(&self) -> Checked {
        match self.left {
            0 => Ok(()),
            n => Err(DescriptionError::new(format!("{n} bits of the run before this belong to no field"))),
        }
    }
}

/// The bits that a field is, and what they are.
pub(super) fn bits_of(ty: &Type) -> Option<(u8, Option<u8>, Option<BitOrder>, &Type)> {
    match ty.unordered() {
        Type::Bits { bits, run, order, body } => Some((*bits, *run, *order, body)),
        _ => None,
    }
}

fn value(ty: &Type, bits: u8, description: &Description, depth: u32) -> Checked {
    let wrong = |what: &str| Err(DescriptionError::new(format!("{bits} bits are not {what}")));
    match ty {
        Type::Int { bytes, .. } if u32::from(bits) <= u32::from(*bytes) * 8 => Ok(()),
        Type::Int { bytes, .. } => wrong(&format!("a number of {bytes} bytes")),
        Type::Bool { .. } if bits <= 8 => Ok(()),
        Type::Padding { len: Extent::Fixed(0), fill: 0, .. } => Ok(()),
        Type::Choice(Choice { tag: Tag::Front(tag), variants, .. })
            if **tag == (Type::Int { bytes: 1, signed: false })
                && bits <= 8
                && variants.iter().all(|variant| variant.fields.is_empty()) =>
        {
            Ok(())
        }
        Type::Named(name) if depth < DEEPEST => match description.definitions.get(name) {
            Some(ty) => value(ty, bits, description, depth + 1),
            None => wrong(&format!("`{}`, which has no definition", quoted(name))),
        },
        _ => wrong("an integer, a bool, or a choice with a tag of one byte and without fields"),
    }
}
