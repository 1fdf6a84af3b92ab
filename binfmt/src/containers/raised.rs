//! Errors that functions of the user's return.
//!
//! Generated code knows their types, so that it can ask for more than this crate could of any type: what implements `Error` is
//! kept, anything else that displays becomes text. Both are called `error`, and rustc takes the method of the type before
//! that of a trait.

use crate::error::Error;
use crate::error::owned::{custom, told};
use core::any::Any;
use core::fmt::Display;

/// An error of the user's.
#[derive(Debug)]
pub struct Raised<E>(pub E);

impl<E: core::error::Error + Send + Sync + 'static> Raised<E> {
    /// The error, kept as it is; one of this crate stays what it is.
    #[cold]
    #[inline(never)]
    pub fn error(self, at: Option<u64>) -> Error {
        let mut own = Some(self.0);
        if let Some(own) = (&mut own as &mut dyn Any).downcast_mut::<Option<Error>>()
            && let Some(error) = own.take()
        {
            return placed(error, at);
        }
        match own {
            Some(own) => placed(Error::from(custom(own)), at),
            None => Error::other(""),
        }
    }
}

/// An error that is text and nothing else.
pub trait AsText {
    /// The text as an error.
    fn error(self, at: Option<u64>) -> Error;
}

impl<E: Display> AsText for Raised<E> {
    #[cold]
    #[inline(never)]
    fn error(self, at: Option<u64>) -> Error {
        placed(
            Error::other(told(format_args!("{}", self.0), "a function of the layout returned an error")),
            at,
        )
    }
}

fn placed(error: Error, at: Option<u64>) -> Error {
    match at {
        Some(at) => error.or_at(at),
        None => error,
    }
}
