//! The error of bytes that no variant of an enum takes: those of all variants, in one.

use super::owned::Static;
use super::{Error, ErrorKind};
use alloc::vec::Vec;
use core::fmt;

impl Error {
    /// No variant fits, of which each has its error, under its name: at this byte.
    #[cold]
    pub(crate) fn no_variant(of: Static, errors: Vec<Error>, at: u64) -> Self {
        // lists in lists would grow with each level of a value
        let errors = errors.into_iter().map(Error::of_farthest).collect();
        Error::new(ErrorKind::NoVariant { of, errors }, at)
    }

    /// Of the error of all variants that of the one that got farthest, at the place of this one in the path.
    fn of_farthest(mut self) -> Self {
        let ErrorKind::NoVariant { errors, .. } = &mut self.0.kind else { return self };
        // of equals the first
        let farthest = (0..errors.len()).rev().max_by_key(|i| errors.get(*i).and_then(Error::offset));
        match farthest {
            Some(i) => {
                let mut inner = errors.swap_remove(i);
                inner.0.path.append(&mut self.0.path);
                inner
            }
            None => self,
        }
    }

    /// The errors that this one is made of.
    pub(super) fn parts(&mut self) -> &mut [Error] {
        match &mut self.0.kind {
            ErrorKind::NoVariant { errors, .. } => errors,
            _ => &mut [],
        }
    }
}

/// How many bytes more one of the variants needs at least.
pub(super) fn needed(errors: &[Error]) -> Option<u64> {
    errors.iter().filter_map(Error::needed).min()
}

pub(super) fn show(f: &mut fmt::Formatter<'_>, of: &str, errors: &[Error]) -> fmt::Result {
    write!(f, "no variant of {of} fits")?;
    for (i, error) in errors.iter().enumerate() {
        write!(f, "{} {error}", if i == 0 { ':' } else { ';' })?;
    }
    Ok(())
}
