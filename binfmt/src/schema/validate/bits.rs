//! Runs of bits: each is opened once and full.
#![allow(clippy::arithmetic_side_effects, reason = "a run has at most 128 bits, and fields at most 255 more")]

use super::{Checked, DescriptionError, quoted};
use crate::schema::size::Measured;
use crate::schema::types::{Description, Extent, Type};
use crate::wire::BitOrder;
use alloc::format;
use core::cell::OnceCell;

/// The run that is open, from field to field.
#[derive(Clone, Copy, Default)]
pub(super) struct Open {
    /// Bits of the integer that no field has yet.
    left: u32,
    order: Option<BitOrder>,
}

impl Open {
    /// The bits of a field or tag, if it has some, end where a run does; what else it is comes after a full run.
    pub(super) fn part<'d>(
        &mut self,
        ty: &Type,
        description: &'d Description,
        measured: &OnceCell<Measured<'d>>,
    ) -> Checked {
        let Some((bits, run, order, body)) = bits_of(ty) else { return self.end() };
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
        value(body, bits, description, measured)
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

/// An element of a list that has some bits, all of them with a value.
pub(super) fn element<'d>(
    ty: &Type,
    bits: u8,
    description: &'d Description,
    measured: &OnceCell<Measured<'d>>,
) -> Checked {
    if !(1..=128).contains(&bits) || ty.is_silent() {
        return Err(DescriptionError::new("an element of a list has 1 to 128 bits with a value"));
    }
    value(ty, bits, description, measured)
}

fn value<'d>(
    ty: &Type,
    bits: u8,
    description: &'d Description,
    measured: &OnceCell<Measured<'d>>,
) -> Checked {
    let wrong = |what: &str| Err(DescriptionError::new(format!("{bits} bits are not {what}")));
    match ty {
        Type::Int { bytes, .. } if u32::from(bits) > u32::from(*bytes) * 8 => {
            wrong(&format!("a number of {bytes} bytes"))
        }
        Type::Float { bytes } if u32::from(bits) != u32::from(*bytes) * 8 => {
            wrong(&format!("a float of {bytes} bytes"))
        }
        Type::Int { .. } | Type::Padding { len: Extent::Fixed(0), fill: 0, .. } => Ok(()),
        ty if ty.is_silent() => wrong("bytes without a value"),
        Type::Named(name) if !description.definitions.contains_key(name) => {
            wrong(&format!("`{}`, which has no definition", quoted(name)))
        }
        ty => match measured.get_or_init(|| Measured::new(description)).of(ty).exact() {
            Some(n @ 1..=16) if usize::from(bits).div_ceil(8) == n => Ok(()),
            _ => wrong("a type of that size: all its values must have the same bytes, 16 at most"),
        },
    }
}
