//! `untagged`: of the variants in their order, the first that the bytes fit.
//!
//! When reading, a source comes back from a variant that does not fit as if it had not been there, but for the work, which is counted.
//! When writing, those that are tried before the variant of the value read what it has written, in the memory of the sink: what one of them
//! takes would not come back as what it was.

use crate::containers::peek::written;
use crate::error::owned::Static;
use crate::error::{Error, ErrorKind, Result, Step};
use crate::wire::amount::between;
use crate::wire::raw::Slice;
use crate::wire::sink::must_end;
use crate::wire::{Order, Sink, Source};

/// An enum that is read by trying.
pub trait Untagged<'de, C = ()>: Sized {
    /// The first variant that the bytes fit, of those that may be tried.
    ///
    /// # Errors
    /// Those of the source; that a variant does not fit is none.
    fn first<O: Order, S: Source<'de>>(src: &mut S, ctx: C, tries: &mut Tries) -> Result<Option<Self>>;
}

/// What came of the variants so far.
#[derive(Debug)]
pub struct Tries {
    /// How many more may be tried.
    left: usize,
    /// The last one.
    name: Static,
    /// The first that did not fit only because the bytes ended.
    open: Option<Static>,
    failed: Failed,
}

/// The errors, each under the name of its variant.
#[cfg(feature = "alloc")]
type Failed = alloc::vec::Vec<Error>;
/// That of the variant that got farthest.
#[cfg(not(feature = "alloc"))]
type Failed = Option<Error>;

impl Tries {
    /// All variants may be tried.
    #[must_use]
    #[inline]
    pub fn all() -> Self {
        Tries::before(usize::MAX)
    }

    /// Those before the variant of this number may be.
    #[must_use]
    #[inline]
    pub fn before(k: usize) -> Self {
        Tries { left: k, name: "".into(), open: None, failed: Failed::default() }
    }

    /// One more, under this name, if it may be.
    #[inline]
    pub(crate) fn begin(&mut self, name: impl FnOnce() -> Static) -> bool {
        let Some(left) = self.left.checked_sub(1) else { return false };
        (self.left, self.name) = (left, name());
        true
    }

    /// The last one does not fit.
    #[cold]
    fn note(&mut self, e: Error) {
        if self.open.is_none() && (e.is_incomplete() || matches!(e.kind(), ErrorKind::NoPosition { .. })) {
            self.open = Some(<Static>::clone(&self.name));
        }
        self.keep(e.within(step(&self.name)));
    }

    #[cfg(feature = "alloc")]
    fn keep(&mut self, e: Error) {
        self.failed.push(e);
    }

    #[cfg(not(feature = "alloc"))]
    fn keep(&mut self, e: Error) {
        if self.failed.as_ref().is_none_or(|before| before.offset() < e.offset()) {
            self.failed = Some(e);
        }
    }

    /// The error where none fits.
    #[cfg(feature = "alloc")]
    #[cold]
    pub fn none(self, of: impl Into<Static>, at: u64) -> Error {
        Error::no_variant(of.into(), self.failed, at)
    }

    /// The error where none fits.
    #[cfg(not(feature = "alloc"))]
    #[cold]
    pub fn none(self, _: &'static str, at: u64) -> Error {
        self.failed.unwrap_or_else(|| Error::message("no variant fits", at))
    }
}

/// A variant in the path of its error.
#[cfg(feature = "alloc")]
fn step(name: &Static) -> Step {
    match name {
        Static::Borrowed(name) => Step::Field(name),
        Static::Owned(name) => Step::Name(name.clone()),
    }
}

#[cfg(not(feature = "alloc"))]
fn step(name: &Static) -> Step {
    Step::Field(name)
}

/// Tries one variant: `None` where it does not fit, or may not be tried.
///
/// # Errors
/// Those that are not about the bytes.
#[inline]
pub fn tried<'de, S: Source<'de>, T>(
    src: &mut S,
    tries: &mut Tries,
    name: &'static str,
    read: impl FnOnce(&mut S) -> Result<T>,
) -> Result<Option<T>> {
    if !tries.begin(|| name.into()) {
        return Ok(None);
    }
    attempt(src, tries, read)
}

/// Tries what was begun.
#[inline]
pub(crate) fn attempt<'de, S: Source<'de>, T>(
    src: &mut S,
    tries: &mut Tries,
    read: impl FnOnce(&mut S) -> Result<T>,
) -> Result<Option<T>> {
    let (start, held, before) = (src.pos(), src.hold(), src.budget().tries());
    let saved = src.save();
    match read(src) {
        Ok(v) => {
            src.release(held);
            Ok(Some(v))
        }
        Err(e) if e.is_of_bytes() => {
            let read = between(start, src.pos());
            src.restore(saved)?;
            src.release(held);
            if !src.budget_mut().0.tried(read, before, start) {
                return Err(Error::new(ErrorKind::TryLimit, start));
            }
            tries.note(e);
            Ok(None)
        }
        Err(e) => Err(e),
    }
}

/// When writing: what a variant has written since a position is not read as one that is tried before it.
///
/// # Errors
/// It is, or may be where more bytes follow and some do; an earlier variant cannot be asked.
#[inline]
pub fn is_none_before<W: Sink>(
    out: &mut W,
    at: u64,
    k: usize,
    (of, found): (&'static str, &'static str),
    read: impl FnOnce(&mut Slice<'_>, &mut Tries) -> Result<bool>,
) -> Result<()> {
    if W::MEMORY { none_before(out, at, k, (of.into(), found.into()), read) } else { Ok(()) }
}

/// The same in any case.
pub(crate) fn none_before<W: Sink>(
    out: &mut W,
    at: u64,
    k: usize,
    (of, found): (Static, Static),
    read: impl FnOnce(&mut Slice<'_>, &mut Tries) -> Result<bool>,
) -> Result<()> {
    let to = out.pos();
    if out.has_number_in(at, to) {
        return Err(Error::message(
            "a variant without a tag contains a position that is filled in later",
            at,
        ));
    }
    let mut tries = Tries::before(k);
    let Some(bytes) = written(out, at) else { return Ok(()) };
    let (earlier, with_more) = match (read(&mut Slice::new(bytes), &mut tries), tries.open) {
        (Err(e), _) => return Err(e.shifted(at)),
        (Ok(true), _) => (tries.name, false),
        (Ok(false), Some(open)) => (open, true),
        (Ok(false), None) => return Ok(()),
    };
    let e = Error::new(ErrorKind::ReadAsAnother { of, found, earlier, with_more }, at);
    if with_more { must_end(out, || e) } else { Err(e) }
}
