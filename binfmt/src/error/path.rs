//! Where: the path of fields, and the bytes around an offset.

use super::owned::String;
use core::fmt;

/// One step of a field path.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Step {
    /// A field, by its name on the wire (a tuple field by its number).
    Field(&'static str),
    /// A column or another name that is known only at run time.
    Name(String),
    /// An element, by its index from 0.
    Index(usize),
}

/// The path of a field, outermost step first. Prints as `fragment.tile_offsets[3]`.
#[derive(Clone, Copy)]
pub struct Path<'a>(pub(super) &'a [Step]);

impl<'a> Path<'a> {
    /// The steps, outermost first.
    ///
    /// ```
    /// use binfmt::Step;
    /// let e = binfmt::from_slice::<[u16; 2]>(&[1, 2, 3]).unwrap_err();
    /// assert_eq!(e.path().steps().count(), 0); // a whole array of numbers is read at once
    /// let e = binfmt::from_slice::<[bool; 2]>(&[1, 2]).unwrap_err();
    /// assert_eq!(e.path().steps().next(), Some(&Step::Index(1)));
    /// ```
    pub fn steps(self) -> impl Iterator<Item = &'a Step> {
        self.0.iter().rev()
    }
}

/// A path of more steps is that of values which hold one another without end, and says nothing in its middle.
const MOST_STEPS: usize = 32;
/// The steps that are shown of such a path at either end.
const ENDS: usize = 9;

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.steps().count();
        for (i, step) in self.steps().enumerate() {
            if count > MOST_STEPS && (ENDS..count - ENDS).contains(&i) {
                if i == ENDS {
                    f.write_str(" … ")?;
                }
                continue;
            }
            match step {
                Step::Field(name) => write!(f, "{}{name}", if i > 0 { "." } else { "" })?,
                Step::Name(name) => write!(f, "{}{name}", if i > 0 { "." } else { "" })?,
                Step::Index(k) => write!(f, "[{k}]")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Path({self})")
    }
}

/// The bytes around an offset: one row of up to 16, with `>` before the byte at fault. Nothing where there is no offset.
#[derive(Clone, Copy, Debug)]
pub struct Excerpt<'a> {
    pub(super) input: &'a [u8],
    pub(super) offset: Option<u64>,
}

impl fmt::Display for Excerpt<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(offset) = self.offset else { return Ok(()) };
        let at = usize::try_from(offset).unwrap_or(usize::MAX).min(self.input.len());
        let from = at.saturating_sub(8);
        let to = (from + 16).min(self.input.len());
        write!(f, "{from:#010x} ")?;
        for (i, b) in self.input.iter().enumerate().take(to).skip(from) {
            write!(f, "{}{b:02x}", if i == at { '>' } else { ' ' })?;
        }
        if at == self.input.len() { f.write_str(">end") } else { Ok(()) }
    }
}
