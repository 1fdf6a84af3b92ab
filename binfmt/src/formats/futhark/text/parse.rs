//! Reading the text form from any source, window by window.

use super::number::{self, Fault, Guess, guess};
use super::scan::{Token, blank, token};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::formats::futhark::layout::{ElementType, Value, num_elements};
use crate::numbers::{Element, Numbers, with_numbers};
use crate::wire::{Cursor, Erased, Slice, Source};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// The most dimensions that a value has.
const MAX_RANK: usize = 127;
/// Bytes of text after which memory is accounted for.
const BLOCK: usize = 64 << 10;

/// Part of the input that is in memory: at least `want` bytes unless the input ends, and whether it does.
pub(super) fn window<'s>(src: &'s mut Erased<'_, '_>, want: usize) -> Result<(&'s [u8], bool)> {
    let all = src.look(want)?;
    let last = all.len() < want;
    Ok((all.get(..want.max(BLOCK)).unwrap_or(all), last))
}

/// The size of a window after one that was too small.
pub(super) fn larger(len: usize) -> usize {
    (len * 2).max(64)
}

/// Steps over whitespace and comments.
pub(crate) fn skip_blank(src: &mut Erased<'_, '_>) -> Result<()> {
    let mut want = 1;
    loop {
        let (bytes, last) = window(src, want)?;
        let mut at = 0;
        let whole = blank(bytes, &mut at, last);
        let (done, len) = (whole && at < bytes.len(), bytes.len());
        src.skip(at as u64)?;
        if done || last {
            return Ok(());
        }
        want = if at == 0 { larger(len) } else { 1 };
    }
}

/// The next token, and its offset.
pub(super) fn next<R>(src: &mut Erased<'_, '_>, read: impl FnOnce(Token<'_>) -> R) -> Result<(R, u64)> {
    let mut want = 1;
    loop {
        let pos = src.pos();
        let (bytes, last) = window(src, want)?;
        let mut at = 0;
        let found = token(bytes, &mut at, last);
        if found == Token::Cut {
            want = larger(bytes.len());
            continue;
        }
        let end = at + found.len();
        let answer = read(found);
        src.skip(end as u64)?;
        return Ok((answer, pos + at as u64));
    }
}

/// A token for a message.
fn shown(found: Token<'_>) -> String {
    const SHOWN: usize = 40;
    match found {
        Token::Word(word) if word.len() > SHOWN => {
            format!("`{}…`", String::from_utf8_lossy(&word[..SHOWN]))
        }
        Token::Word(word) => format!("`{}`", String::from_utf8_lossy(word)),
        Token::Mark(c) => format!("`{}`", c.escape_ascii()),
        Token::End | Token::Cut => "the end of the input".into(),
    }
}

#[cold]
#[inline(never)]
fn unexpected(expected: &'static str, found: Token<'_>) -> ErrorKind {
    if found == Token::Mark(b'"') {
        let found = "a string: its bytes as u8 are a value, such as [97u8, 98u8]";
        return ErrorKind::mismatch("", expected, found);
    }
    ErrorKind::mismatch("", expected, shown(found))
}

#[cold]
#[inline(never)]
pub(crate) fn explained(fault: Fault, word: &[u8], of: ElementType) -> ErrorKind {
    let digits = word.strip_prefix(b"-").unwrap_or(word);
    let octal = digits.starts_with(b"0") && digits.iter().all(u8::is_ascii_digit);
    let is_float = matches!(guess(word), Guess::Float);
    let word = shown(Token::Word(word));
    let expected = of.name();
    match fault {
        Fault::TooLarge => {
            ErrorKind::OutOfRange { found: word, expected: format!("the range of {of}").into() }
        }
        Fault::Suffix(other) if other != of => ErrorKind::mismatch(word, expected, other.name()),
        Fault::NotANumber if octal => {
            ErrorKind::mismatch("", expected, format!("{word}, whose leading 0 begins octal digits"))
        }
        // the type of what is before it, which has one for each element
        _ if word == format!("`{expected}`") => {
            ErrorKind::mismatch("", "a value", format!("the type {word} without a number before it"))
        }
        Fault::NotANumber if is_float => ErrorKind::mismatch(word, expected, "a float"),
        Fault::NotANumber | Fault::Suffix(_) => ErrorKind::mismatch("", expected, word),
    }
}

/// Reads one value as text, and nothing else.
fn whole(src: &mut Erased<'_, '_>) -> Result<Value> {
    skip_blank(src)?;
    let value = value(src, None)?;
    skip_blank(src)?;
    match src.left() {
        Some(0) | None => Ok(value),
        Some(n) => Err(Error::new(ErrorKind::TrailingBytes { count: n as u64 }, src.pos())),
    }
}

impl Value {
    /// The value of a text, in any form that Futhark's own readers take.
    ///
    /// What the text does not say is taken as their Python reader takes it: an integer without a suffix is an `i32`, a
    /// float an `f64`, `[]` an array of `f64`.
    ///
    /// ```
    /// use binfmt::formats::futhark::Value;
    /// let value = Value::from_text("[[1, 2], [3, 0x1_0]] -- i32")?;
    /// assert_eq!(value, Value::new([2, 2], vec![1i32, 2, 3, 16])?);
    /// let e = Value::from_text("[[1, 2], [3]]").unwrap_err();
    /// assert_eq!(e.to_string(), "[1] at byte 0xb: expected 2 items of the row, found 1");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The text is not a value, or more than one.
    pub fn from_text(text: &str) -> Result<Value> {
        whole(&mut Slice::new(text.as_bytes()).erase())
    }
}

impl core::str::FromStr for Value {
    type Err = Error;

    /// [`Value::from_text`].
    fn from_str(text: &str) -> Result<Value> {
        Value::from_text(text)
    }
}

/// Reads one value as text; what it leaves open is the expected type, or that of the Python reader.
pub(crate) fn value(src: &mut Erased<'_, '_>, expected: Option<ElementType>) -> Result<Value> {
    match src.look(1)?.first() {
        Some(b'[') => return array_of(src, expected),
        Some(_) => {}
        None => return Err(Error::new(unexpected("a value", Token::End), src.pos())),
    }
    let (word, at) = next(src, |found| match found {
        Token::Word(word) => Ok(word.to_vec()),
        other => Err(unexpected("a value", other)),
    })?;
    let word = word.map_err(|kind| Error::new(kind, at))?;
    if word == b"empty" {
        return empty(src);
    }
    let of = match (expected, guess(&word)) {
        (Some(of), _) | (None, Guess::Suffix(of)) => of,
        (None, Guess::Float) => ElementType::F64,
        (None, Guess::Integer) => ElementType::I32,
        (None, Guess::Nothing) => return Err(Error::new(unexpected("a value", Token::Word(&word)), at)),
    };
    scalar_of(&word, of).map_err(|fault| Error::new(explained(fault, &word, of), at))
}

fn scalar_of(word: &[u8], of: ElementType) -> Result<Value, Fault> {
    with_numbers!(of.number_type(), type T => {
        number::parse::<T>(word).map(|x| Value::of(Vec::new(), of, vec![x].into()))
    })
}

fn array_of(src: &mut Erased<'_, '_>, expected: Option<ElementType>) -> Result<Value> {
    let of = match expected {
        Some(of) => of,
        None => guess_array(src)?,
    };
    with_numbers!(of.number_type(), type T => array::<T>(src, of))
}

/// What the elements of an array are: what the first suffix says; else floats, where one is there.
fn guess_array(src: &mut Erased<'_, '_>) -> Result<ElementType> {
    let mut want = 1;
    loop {
        let all = src.look(want)?;
        let last = all.len() < want;
        let (mut at, mut depth) = (0usize, 0usize);
        let (mut float, mut integer) = (false, false);
        loop {
            let found = token(all, &mut at, last);
            match found {
                Token::Mark(b'[') => depth += 1,
                Token::Mark(b']') => depth -= 1,
                Token::Word(word) => match guess(word) {
                    Guess::Suffix(of) => return Ok(of),
                    Guess::Float => float = true,
                    Guess::Integer => integer = true,
                    // the reader says what is wrong
                    Guess::Nothing => depth = 0,
                },
                Token::Mark(_) | Token::End | Token::Cut => {}
            }
            if found == Token::Cut {
                want = larger(all.len());
                break;
            }
            if depth == 0 || found == Token::End {
                return Ok(if integer && !float { ElementType::I32 } else { ElementType::F64 });
            }
            at += found.len();
        }
    }
}

/// `empty([0][2]i32)`, after the word.
fn empty(src: &mut Erased<'_, '_>) -> Result<Value> {
    mark(src, b'(', "`(`")?;
    let mut dims = Vec::new();
    let (of, at) = loop {
        let (found, at) = next(src, |found| match found {
            Token::Mark(b'[') => Ok(None),
            other => match type_of(other) {
                Some(of) => Ok(Some(of)),
                None => Err(unexpected("a dimension or a type", other)),
            },
        })?;
        match found.map_err(|kind| Error::new(kind, at))? {
            Some(of) => break (of, at),
            None if dims.len() < MAX_RANK => dims.push(dimension(src)?),
            None => return Err(Error::new(too_deep(), at)),
        }
    };
    mark(src, b')', "`)`")?;
    match num_elements(&dims) {
        Some(0) => {}
        None if dims.contains(&0) => return Err(Error::new(ErrorKind::DimensionsOverflow { dims }, at)),
        _ => return Err(Error::new(ErrorKind::invalid("empty array", "", "no dimension is 0"), at)),
    }
    Ok(Value::of(dims, of, Numbers::new(of.number_type())))
}

fn type_of(found: Token<'_>) -> Option<ElementType> {
    let Token::Word(word) = found else { return None };
    core::str::from_utf8(word).ok()?.parse().ok()
}

fn mark(src: &mut Erased<'_, '_>, byte: u8, name: &'static str) -> Result<()> {
    let (found, at) = next(src, |found| match found {
        Token::Mark(c) if c == byte => Ok(()),
        other => Err(unexpected(name, other)),
    })?;
    found.map_err(|kind| Error::new(kind, at))
}

#[cold]
fn too_deep() -> ErrorKind {
    ErrorKind::invalid("array", "", format!("more than {MAX_RANK} dimensions"))
}

/// The number of a dimension. The C reader takes the digits in front and does not look at what follows: a type after them
/// is stepped over as there, anything else would make `1_0` a 1.
fn size(word: &[u8]) -> Option<u64> {
    let digits = word.strip_prefix(b"+").unwrap_or(word);
    let end = digits.iter().position(|c| !c.is_ascii_digit()).unwrap_or(digits.len());
    let (digits, rest) = digits.split_at_checked(end)?;
    let is_type = ElementType::ALL.into_iter().any(|of| of.name().as_bytes() == rest);
    if !rest.is_empty() && !is_type {
        return None;
    }
    core::str::from_utf8(digits).ok()?.parse().ok()
}

/// `2]`
fn dimension(src: &mut Erased<'_, '_>) -> Result<u64> {
    let (found, at) = next(src, |found| match found {
        Token::Word(word) => size(word).ok_or_else(|| unexpected("a dimension", found)),
        other => Err(unexpected("a dimension", other)),
    })?;
    let dim = found.map_err(|kind| Error::new(kind, at))?;
    mark(src, b']', "`]`")?;
    Ok(dim)
}

/// What may come next in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// An element, a row, or the end of the row.
    Item,
    /// A comma, or the end of the row.
    After,
    /// Nothing: the outermost row is closed.
    Done,
}

/// What is done with the elements of an array.
pub(super) trait Elements {
    /// Whether the next element is for later.
    fn is_full(&self) -> bool;

    /// Takes a word, which is at the offset; `rows` tells where in the array.
    fn element(&mut self, word: &[u8], at: u64, rows: &Rows) -> Result<()>;
}

/// Elements that are kept, up to so many.
struct Kept<T> {
    of: ElementType,
    most: usize,
    out: Vec<T>,
}

impl<T: Element> Elements for Kept<T> {
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.out.len() >= self.most
    }

    #[inline(always)]
    fn element(&mut self, word: &[u8], at: u64, rows: &Rows) -> Result<()> {
        let item = number::parse(word)
            .map_err(|fault| rows.place(Error::new(explained(fault, word, self.of), at)))?;
        if self.out.len() == self.out.capacity() {
            let requested = size_of_val(&self.out[..]) + size_of::<T>();
            let grown = self.out.try_reserve(1);
            grown.map_err(|_| rows.place(Error::new(ErrorKind::OutOfMemory { requested }, at)))?;
        }
        self.out.push(item);
        Ok(())
    }
}

/// How far the rows of an array have come.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) state: State,
    /// Items so far of each row that is open, outermost first.
    pub(super) counts: Vec<u64>,
    /// Items of the innermost open row.
    count: u64,
    /// The dimensions, where a row has ended.
    dims: Vec<Option<u64>>,
    /// The number of dimensions, once an element or an empty row has said it.
    rank: usize,
}

impl Rows {
    pub(super) fn new() -> Self {
        Rows { state: State::Item, counts: Vec::new(), count: 0, dims: Vec::new(), rank: 0 }
    }

    pub(super) fn dims(&self) -> Vec<u64> {
        self.dims.iter().map(|dim| dim.unwrap_or(0)).collect()
    }

    /// Reads what the window has, which begins at the offset; answers how many bytes are used up.
    pub(super) fn run<E: Elements>(
        &mut self,
        (window, pos): (&[u8], u64),
        last: bool,
        out: &mut E,
    ) -> Result<usize> {
        let mut at = 0usize;
        loop {
            let found = token(window, &mut at, last);
            match (self.state, found) {
                (_, Token::Cut) => return Ok(at),
                (State::Item, Token::Word(word)) => {
                    if out.is_full() {
                        return Ok(at);
                    }
                    if self.rank != self.counts.len() {
                        self.element(found).map_err(|kind| self.wrong(kind, pos, at))?;
                    }
                    out.element(word, pos + at as u64, self)?;
                    self.count += 1;
                    self.state = State::After;
                }
                (State::After, Token::Mark(b',')) => self.state = State::Item,
                (State::Item, Token::Mark(b'[')) => self.open().map_err(|kind| self.wrong(kind, pos, at))?,
                (State::Item | State::After, Token::Mark(b']')) if !self.counts.is_empty() => {
                    self.close().map_err(|kind| self.wrong(kind, pos, at))?;
                }
                (State::Done, _) => return Ok(at),
                (State::Item, other) => return Err(self.wrong(unexpected("an element", other), pos, at)),
                (State::After, other) => return Err(self.wrong(unexpected("`,` or `]`", other), pos, at)),
            }
            at += found.len();
            if self.state == State::Done {
                return Ok(at);
            }
        }
    }

    /// An element where no element has been before, or where a row should be.
    #[cold]
    fn element(&mut self, found: Token<'_>) -> Result<(), ErrorKind> {
        if self.rank == 0 && !self.counts.is_empty() {
            self.rank = self.counts.len();
            return Ok(());
        }
        Err(unexpected("a row", found))
    }

    fn open(&mut self) -> Result<(), ErrorKind> {
        if self.rank > 0 && self.counts.len() == self.rank {
            return Err(unexpected("an element", Token::Mark(b'[')));
        }
        if self.counts.len() == MAX_RANK {
            return Err(too_deep());
        }
        // the row is an item of the one around it
        if let Some(outer) = self.counts.last_mut() {
            *outer = self.count + 1;
        }
        self.counts.push(0);
        self.count = 0;
        Ok(())
    }

    fn close(&mut self) -> Result<(), ErrorKind> {
        let level = self.counts.len() - 1;
        if self.rank == 0 {
            self.rank = self.counts.len();
        }
        if self.dims.len() <= level {
            self.dims.resize(level + 1, None);
        }
        let found = self.count;
        self.counts.pop();
        self.state = match self.counts.last() {
            Some(count) => {
                self.count = *count;
                State::After
            }
            None => State::Done,
        };
        match self.dims.get_mut(level) {
            Some(Some(expected)) if *expected != found => {
                Err(ErrorKind::CountMismatch { of: "items of the row", expected: *expected, found })
            }
            Some(dim) => {
                *dim = Some(found);
                Ok(())
            }
            None => Ok(()),
        }
    }

    #[cold]
    fn wrong(&self, kind: ErrorKind, pos: u64, at: usize) -> Error {
        self.place(Error::new(kind, pos + at as u64))
    }

    /// The place of the wrong item: an index for each row that is open.
    #[cold]
    pub(super) fn place(&self, mut e: Error) -> Error {
        let index = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        // after an item it is the item that was not ended well
        let at = self.count - u64::from(self.state == State::After);
        if let Some((_, outer)) = self.counts.split_last() {
            e = e.within(Step::Index(index(at)));
            // each has an item, the row inside
            for count in outer.iter().rev() {
                e = e.within(Step::Index(index(count - 1)));
            }
        }
        e
    }
}

/// The next elements of an array, up to so many; all before the end of the array when there are as many.
fn elements<T: Element>(
    src: &mut Erased<'_, '_>,
    rows: &mut Rows,
    of: ElementType,
    most: usize,
) -> Result<Vec<T>> {
    let mut kept = Kept::<T> { of, most, out: Vec::new() };
    let mut want = 1;
    let mut charged = 0usize;
    while rows.state != State::Done && !(kept.is_full() && rows.state == State::Item) {
        let pos = src.pos();
        let (bytes, last) = window(src, want)?;
        let len = bytes.len();
        let used = rows.run((bytes, pos), last, &mut kept)?;
        src.skip(used as u64)?;
        want = if used == 0 { larger(len) } else { 1 };
        let grown = kept.out.capacity() - charged;
        src.charge(grown * size_of::<T>())?;
        charged = kept.out.capacity();
    }
    Ok(kept.out)
}

fn array<T: Element>(src: &mut Erased<'_, '_>, of: ElementType) -> Result<Value> {
    let mut rows = Rows::new();
    let out = elements::<T>(src, &mut rows, of, usize::MAX)?;
    Ok(Value::of(rows.dims(), of, out.into()))
}

/// An array whose elements are read some at a time.
#[cfg(feature = "std")]
#[derive(Debug)]
pub(crate) struct InPieces {
    of: ElementType,
    rows: Rows,
}

#[cfg(feature = "std")]
impl InPieces {
    /// One of this type, of which nothing has been read.
    pub(crate) fn new(of: ElementType) -> Self {
        InPieces { of, rows: Rows::new() }
    }

    /// The next elements, at most so many.
    pub(crate) fn next(&mut self, src: &mut Erased<'_, '_>, most: usize) -> Result<Numbers> {
        with_numbers!(self.of.number_type(), type T => elements::<T>(src, &mut self.rows, self.of, most).map(Into::into))
    }

    /// Whether all of it has been read.
    pub(crate) fn has_ended(&self) -> bool {
        self.rows.state == State::Done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_any_size_give_the_same() {
        let text = b"[[1i8, -2] , [0x1_0, 4]] -- end";
        for cut in 0..text.len() {
            let mut kept = Kept::<i8> { of: ElementType::I8, most: usize::MAX, out: Vec::new() };
            let (mut rows, (front, _)) = (Rows::new(), text.split_at(cut));
            let used = rows.run((front, 0), false, &mut kept).unwrap();
            rows.run((&text[used..], used as u64), true, &mut kept).unwrap();
            assert_eq!((rows.dims, kept.out), (vec![Some(2), Some(2)], vec![1, -2, 16, 4]), "{cut}");
        }
    }
}
