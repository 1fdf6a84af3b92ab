//! The path of an error that is found when everything else is written: the value is written once more, up to the field.
//!
//! Parts, and what must be the last, have numbers in the order in which they are written, which is always the same. So the second
//! run stops at a number, and the error there gets its path like any other.

use super::placed::Placed;
use super::watch::{Asked, Blame, Watch};
use crate::error::{Error, ErrorKind, Result};
use crate::wire::raw::grow::boxed;
use alloc::boxed::Box;
use alloc::string::{String, ToString};

impl Placed {
    pub(super) fn watch(&mut self, at: u64) -> Result<&mut Watch> {
        let place = &mut self.list(at)?.watch;
        let watch = match place.take() {
            Some(watch) => watch,
            None => boxed(Watch::default()).map_err(|e| e.at(at))?,
        };
        Ok(place.insert(watch))
    }

    /// What all parts are looked at for, if they are.
    pub(super) fn watched(&mut self) -> Option<&mut Box<Watch>> {
        self.list.as_mut()?.watch.as_mut()
    }

    /// Notes what an error is about.
    pub(super) fn blames(&mut self, blame: Blame) {
        // without memory for it, the error has no path
        if let Ok(watch) = self.watch(0) {
            watch.blame = Some(blame);
        }
    }
}

/// How often a value is written: once, unless an error must find its fields.
#[derive(Debug, Default)]
pub(crate) struct Locator {
    // one word, which is looked at when a value is written
    search: Option<Box<Search>>,
}

#[derive(Debug, Default)]
struct Search {
    asked: Option<Asked>,
    found: bool,
    blame: Option<Blame>,
    error: Option<Error>,
    other: Option<String>,
}

impl Locator {
    /// Looks for what may only be the last, by its number.
    #[cfg(feature = "dynamic")]
    pub(super) fn last(number: u64) -> Self {
        Locator { search: Some(Box::new(Search { asked: Some(Asked::Last(number)), ..Search::default() })) }
    }

    /// Whether it is written again.
    #[inline(always)]
    pub(crate) fn is_asking(&self) -> bool {
        self.search.is_some()
    }

    /// Begins to write.
    #[inline(always)]
    pub(crate) fn begin(&self, placed: &mut Placed) {
        if self.is_asking() {
            self.ask(placed);
        }
    }

    #[cold]
    #[inline(never)]
    fn ask(&self, placed: &mut Placed) {
        // without memory for it, the first error stays as it is
        if let Ok(watch) = placed.watch(0) {
            watch.asked = self.search.as_ref().and_then(|search| search.asked);
        }
    }

    /// Notes what an error is about.
    #[cold]
    #[inline(never)]
    pub(crate) fn note(&mut self, placed: &mut Placed) {
        if let Some(watch) = placed.list.as_mut().and_then(|list| list.watch.as_mut())
            && (watch.blame.is_some() || self.search.is_some())
        {
            let search = self.search.get_or_insert_default();
            (search.found, search.blame) = (watch.found, watch.blame);
        }
    }

    /// What came of it; `None` where it is written again.
    #[cold]
    #[inline(never)]
    pub(crate) fn next<T>(&mut self, done: Result<T>) -> Option<Result<T>> {
        let Some(search) = &mut self.search else { return Some(done) };
        let found = core::mem::take(&mut search.found);
        let (value, e) = match done {
            Ok(value) => (Some(value), None),
            Err(e) => (None, Some(e)),
        };
        match (search.asked.take(), e.filter(|_| found || search.error.is_none())) {
            (None, Some(e)) => {
                let Some(blame) = search.blame else { return Some(Err(e)) };
                search.error = Some(e);
                search.asked = Some(match blame {
                    Blame::Over { part, byte } => Asked::Other { part, byte },
                    Blame::Part(part) => Asked::Part(part),
                    Blame::Last(number) => Asked::Last(number),
                });
                None
            }
            (Some(Asked::Other { part, .. }), e) => {
                search.other = e.map(|e| e.path().to_string());
                search.asked = Some(Asked::Part(part));
                None
            }
            (Some(Asked::Last(_)), Some(e)) => Some(Err(e)),
            (Some(Asked::Part(_)), Some(e)) => {
                let first = search.error.take()?;
                let ErrorKind::Overlap { position, .. } = *first.kind() else {
                    return Some(Err(first.at_path_of(e)));
                };
                let kind = ErrorKind::Overlap { position, other: search.other.take() };
                Some(Err(e.relocate(kind, first.offset().unwrap_or(position))))
            }
            (_, None) => Some(match search.error.take() {
                Some(first) => Err(first),
                None => {
                    value.ok_or_else(|| Error::other("the value is another one when it is written again"))
                }
            }),
        }
    }
}
