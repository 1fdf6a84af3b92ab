//! One value as an NPY file.

use super::values::Values;
use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::npy;
use crate::output::Target;
use crate::span::Span;

/// Writes the only value of a file.
pub(super) fn write(job: &mut Job<'_>, out: &Target) -> Result<Tally> {
    let mut values = Values::open(job, Span::ALL)?;
    let Some((_, value)) = values.next()? else { return Err(Error::data("the file has no value")) };
    if values.next()?.is_some() {
        return Err(Error::data("an NPY file contains one array: the file has several values")
            .tip("binfmt cat --pages N --style packed writes one of them"));
    }
    let kind = npy::kind(value.element_type().number_type());
    let kind = kind.ok_or_else(|| Error::data(format_args!("NPY holds no {}", value.element_type())))?;
    npy::write(&kind, value.dims(), &value.elements().to_le_bytes(), out)
}
