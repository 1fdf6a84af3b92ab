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
            Some(bytes @ 1..=16) => {
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
        value(body, bits, description)
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

fn value(ty: &Type, bits: u8, description: &Description) -> Checked {
    let wrong = |what: &str| Err(DescriptionError::new(format!("{bits} bits are not {what}")));
    // as many types are enough for so few bytes, and those that name each other twice are not followed for ever
    let mut left = DEEPEST;
    match (ty, size(ty, description, &mut left)) {
        (Type::Int { bytes, .. }, _) if u32::from(bits) > u32::from(*bytes) * 8 => {
            wrong(&format!("a number of {bytes} bytes"))
        }
        (Type::Float { bytes }, _) if u32::from(bits) != u32::from(*bytes) * 8 => {
            wrong(&format!("a float of {bytes} bytes"))
        }
        (Type::Int { .. } | Type::Padding { len: Extent::Fixed(0), fill: 0, .. }, _) => Ok(()),
        (Type::Named(name), None) if !description.definitions.contains_key(name) => {
            wrong(&format!("`{}`, which has no definition", quoted(name)))
        }
        (_, Some(n @ 1..=16)) if u64::from(bits).div_ceil(8) == n => Ok(()),
        _ => wrong("a type of that size: all its values must have the same bytes, 16 at most"),
    }
}

/// The bytes of all values of a type that may be some bits: numbers, and what is made of them alone, of as many types as are left.
fn size(ty: &Type, description: &Description, left: &mut u32) -> Option<u64> {
    *left = left.checked_sub(1)?;
    let mut inner = |ty| size(ty, description, left);
    match ty {
        Type::Unit => Some(0),
        Type::Int { bytes, .. } | Type::Float { bytes } => Some(u64::from(*bytes)),
        Type::Bool { .. } => Some(1),
        Type::Bytes { len: Extent::Fixed(n) } | Type::Padding { len: Extent::Fixed(n), .. } => Some(*n),
        Type::List { item, len: Extent::Fixed(n) } => inner(item)?.checked_mul(*n),
        Type::Bits { run, .. } => Some(run.map_or(0, u64::from)),
        Type::Ordered { body, .. } => inner(body),
        Type::Record(record) => {
            record.fields.iter().try_fold(0_u64, |sum, field| sum.checked_add(inner(&field.ty)?))
        }
        Type::Choice(Choice { tag: Tag::Front(tag), variants, magic: None, .. })
            if variants.iter().all(|variant| variant.fields.is_empty()) =>
        {
            inner(tag)
        }
        Type::Named(name) => inner(description.definitions.get(name)?),
        _ => None,
    }
}
