//! What a text is, without memory for its elements, in one pass.
//!
//! The type of an array may be said by its last element: until one says it, what is wrong with the elements is noted for each type that
//! they could have. So the errors are those of a reader that knows the type before it begins.

use super::number::{self, Guess, guess};
use super::parse::{self, Elements, Rows, State, explained, larger, next, window};
use super::scan::Token;
use crate::error::{Error, ErrorKind, Result};
use crate::formats::futhark::layout::ElementType;
use crate::numbers::with_numbers;
use crate::wire::{Cursor, Erased, Source};
use alloc::vec::Vec;

/// Type and dimensions of a value.
pub(crate) fn outline(src: &mut Erased<'_, '_>) -> Result<(ElementType, Vec<u64>)> {
    if src.look(1)?.first() == Some(&b'[') {
        return array(src);
    }
    let value = parse::value(src, None)?;
    Ok((value.element_type(), value.into_parts().0))
}

fn array(src: &mut Erased<'_, '_>) -> Result<(ElementType, Vec<u64>)> {
    let (mut rows, mut passed) = (Rows::new(), Passed::new());
    let mut want = 1;
    while rows.state != State::Done {
        let pos = src.pos();
        let (bytes, last) = window(src, want)?;
        let len = bytes.len();
        match rows.run((bytes, pos), last, &mut passed) {
            Ok(used) => {
                src.skip(used as u64)?;
                want = if used == 0 { larger(len) } else { 1 };
            }
            Err(e) => return Err(passed.error(src, &rows, e)?),
        }
    }
    let of = passed.decided()?;
    Ok((of, rows.dims()))
}

/// Elements that are checked and not kept.
struct Passed {
    /// Their type, once it is known.
    of: Option<ElementType>,
    float: bool,
    integer: bool,
    /// What is wrong with the first element that each type does not have.
    faults: Vec<(ElementType, Option<Error>)>,
}

impl Passed {
    fn new() -> Self {
        let faults = ElementType::ALL.into_iter().map(|of| (of, None)).collect();
        Passed { of: None, float: false, integer: false, faults }
    }

    /// The type as far as elements without a suffix tell it.
    fn guessed(&self) -> ElementType {
        if self.integer && !self.float { ElementType::I32 } else { ElementType::F64 }
    }

    /// From here on the type is known.
    fn decide(&mut self, of: ElementType) -> Result<ElementType> {
        self.of = Some(of);
        let fault = self.faults.drain(..).find(|(other, _)| *other == of);
        fault.and_then(|(_, e)| e).map_or(Ok(of), Err)
    }

    /// The type of all elements.
    fn decided(&mut self) -> Result<ElementType> {
        self.of.map_or_else(|| self.decide(self.guessed()), Ok)
    }

    /// What is to be told of rows that are wrong: an element before them may be wrong by what one after them says.
    #[cold]
    fn error(&mut self, src: &mut Erased<'_, '_>, rows: &Rows, e: Error) -> Result<Error> {
        // a trace ends where the rows are wrong
        let Some(at) = e.offset().filter(|_| self.of.is_none() && !src.is_heard()) else { return Ok(e) };
        src.skip(at - src.pos())?;
        let mut depth = rows.counts.len() + usize::from(matches!(e.kind(), ErrorKind::CountMismatch { .. }));
        while depth > 0 {
            let (of, _) = next(src, |found| match found {
                Token::Word(word) => self.look_at(word),
                Token::Mark(b'[') => {
                    depth += 1;
                    None
                }
                Token::Mark(b']') => {
                    depth -= 1;
                    None
                }
                Token::End => Some(self.guessed()),
                Token::Mark(_) | Token::Cut => None,
            })?;
            if let Some(of) = of {
                return Ok(self.decide(of).err().unwrap_or(e));
            }
        }
        Ok(self.decided().err().unwrap_or(e))
    }

    /// The type, if the word ends the search for it.
    fn look_at(&mut self, word: &[u8]) -> Option<ElementType> {
        match guess(word) {
            Guess::Suffix(of) => return Some(of),
            Guess::Nothing => return Some(self.guessed()),
            Guess::Float => self.float = true,
            Guess::Integer => self.integer = true,
        }
        None
    }
}

impl Elements for Passed {
    fn is_full(&self) -> bool {
        false
    }

    #[inline]
    fn element(&mut self, word: &[u8], at: u64, rows: &Rows) -> Result<()> {
        if let Some(of) = self.of {
            return checked(of, word, at, rows);
        }
        if let Some(of) = self.look_at(word) {
            self.decide(of)?;
            return checked(of, word, at, rows);
        }
        for (of, fault) in self.faults.iter_mut().filter(|(_, fault)| fault.is_none()) {
            *fault = checked(*of, word, at, rows).err();
        }
        Ok(())
    }
}

fn checked(of: ElementType, word: &[u8], at: u64, rows: &Rows) -> Result<()> {
    let done = with_numbers!(of.number_type(), type T => number::parse::<T>(word).map(drop));
    done.map_err(|fault| rows.place(Error::new(explained(fault, word, of), at)))
}
