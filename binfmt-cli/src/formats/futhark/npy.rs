//! One value as an NPY file.

use super::values::Values;
use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::npy;
use crate::output::Target;
use crate::span::Span;
use binfmt::formats::futhark::ElementType;

/// Bytes of a value before its dimensions.
const FRONT: usize = 7;

/// Writes the only value of a file.
pub(super) fn write(job: &mut Job<'_>, out: &Target) -> Result<Tally> {
    let mut values = Values::open(job, Span::ALL)?;
    let Some((_, value)) = values.next()? else { return Err(Error::data("the file has no value")) };
    if values.next()?.is_some() {
        return Err(Error::data("an NPY file holds one array: the file has several values")
            .tip("binfmt cat --pages N --style packed writes one of them"));
    }
    let kind = match value.element_type() {
        ElementType::I8 => "i1",
        ElementType::I16 => "i2",
        ElementType::I32 => "i4",
        ElementType::I64 => "i8",
        ElementType::U8 => "u1",
        ElementType::U16 => "u2",
        ElementType::U32 => "u4",
        ElementType::U64 => "u8",
        ElementType::F16 => "f2",
        ElementType::F32 => "f4",
        ElementType::F64 => "f8",
        ElementType::Bool => "b1",
    };
    // the elements of the binary form are those of the file
    let bytes = binfmt::to_vec(&value).map_err(Error::data)?;
    let front = value.dims().len().saturating_mul(8).saturating_add(FRONT);
    npy::write(kind, value.dims(), bytes.get(front..).unwrap_or(&[]), out)
}
