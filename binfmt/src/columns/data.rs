//! What columns have in common, and text.
#![allow(clippy::arithmetic_side_effects, reason = "rows, offsets and lengths of what is in memory")]

use crate::wire::raw::bulk::try_room_exact;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// What every column can do: a vector of numbers, text, lists, values that may be missing.
///
/// ```
/// use binfmt::columns::{ColumnData, TextColumn};
/// fn last<C: ColumnData>(column: &C) -> Option<C::Item<'_>> {
///     column.get(column.len().checked_sub(1)?)
/// }
/// assert_eq!(last(&vec![1, 2]), Some(&2));
/// assert_eq!(last(&TextColumn::from_iter(["a", "b"])), Some("b"));
/// ```
pub trait ColumnData {
    /// One row's value.
    type Item<'a>
    where
        Self: 'a;
    /// The values of neighbouring rows.
    type Slice<'a>
    where
        Self: 'a;

    /// How many rows there are.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of row `i`; `None` after the last.
    fn get(&self, i: usize) -> Option<Self::Item<'_>>;

    /// The values of these rows; `None` if the range goes beyond the last.
    fn slice(&self, rows: Range<usize>) -> Option<Self::Slice<'_>>;

    /// Leaves the first `rows` rows.
    fn truncate(&mut self, rows: usize);

    /// Makes room for `more` rows that are expected to be like the last `done` ones, those from row `from` on.
    #[doc(hidden)]
    fn expect(&mut self, from: usize, done: usize, more: usize);

    /// Makes room for `more` rows as far as each takes the same; what is in texts and lists makes its own. `false` where
    /// there is no memory.
    #[doc(hidden)]
    fn room(&mut self, more: usize) -> bool;
}

/// A column that has a value for rows whose own is missing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no value for rows where it is missing",
    label = "a column of values that may be missing needs one",
    note = "the type of the values needs `Default`"
)]
pub trait BlankRows: ColumnData {
    /// Adds such a row.
    fn push_blank(&mut self);

    /// Makes such a row of each whose code is not `present`, from row `start` on.
    fn blank_where(&mut self, start: usize, codes: &[u8], present: u8);
}

/// Room for `more` values after those that `v` holds, and an eighth more, so that a few long rows do not make it grow, where
/// there is none. Exactly as much where the number is not a guess.
pub(super) fn make_room<T>(v: &mut Vec<T>, done: usize, more: usize) {
    if v.capacity() - v.len() < more {
        let more = more.min(isize::MAX as usize);
        let spare = if done == 0 { 0 } else { (more >> 3) + 16 };
        // what cannot be had now is asked for again when it is needed
        let _ = try_room_exact(v, more + spare);
    }
}

/// What the next `more` rows take, when `done` rows took `some`; 0 where that is not known, or more than memory holds.
pub(super) fn foreseen(some: usize, done: usize, more: usize) -> usize {
    if done == 0 {
        return 0;
    }
    isize::try_from(some as u128 * more as u128 / done as u128).map_or(0, isize::unsigned_abs)
}

impl<T: Default> BlankRows for Vec<T> {
    #[inline(always)]
    fn push_blank(&mut self) {
        self.push(T::default());
    }

    #[inline(always)]
    fn blank_where(&mut self, start: usize, codes: &[u8], present: u8) {
        for (value, code) in self[start..].iter_mut().zip(codes) {
            if *code != present {
                *value = T::default();
            }
        }
    }
}

impl<T> ColumnData for Vec<T> {
    type Item<'a>
        = &'a T
    where
        Self: 'a;
    type Slice<'a>
        = &'a [T]
    where
        Self: 'a;

    #[inline(always)]
    fn len(&self) -> usize {
        Vec::len(self)
    }

    #[inline(always)]
    fn get(&self, i: usize) -> Option<&T> {
        self.as_slice().get(i)
    }

    #[inline(always)]
    fn slice(&self, rows: Range<usize>) -> Option<&[T]> {
        self.as_slice().get(rows)
    }

    fn truncate(&mut self, rows: usize) {
        Vec::truncate(self, rows);
    }

    fn expect(&mut self, _: usize, done: usize, more: usize) {
        make_room(self, done, more);
    }

    #[inline]
    fn room(&mut self, more: usize) -> bool {
        self.try_reserve(more).is_ok()
    }
}

/// Neighbouring rows of a column that is not a plain vector.
///
/// ```
/// use binfmt::columns::{ListColumn, TextColumn};
/// let mut lists = ListColumn::<TextColumn>::new();
/// lists.push_with(|words| words.extend(["a", "b"]));
/// let first = lists.get(0).unwrap();
/// assert_eq!((first.len(), first.get(1)), (2, Some("b")));
/// ```
#[derive(Debug)]
pub struct View<'a, C> {
    column: &'a C,
    start: usize,
    len: usize,
}

impl<C> Clone for View<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for View<'_, C> {}

impl<'a, C: ColumnData> View<'a, C> {
    /// These rows of a column; `None` if the range goes beyond the last.
    ///
    /// ```
    /// use binfmt::columns::View;
    /// assert_eq!(View::of(&vec![1, 2, 3], 1..3).unwrap().get(0), Some(&2));
    /// ```
    pub fn of(column: &'a C, rows: Range<usize>) -> Option<Self> {
        let len = rows.end.checked_sub(rows.start).filter(|_| rows.end <= column.len())?;
        Some(View { column, start: rows.start, len })
    }

    /// How many rows these are.
    ///
    /// ```
    /// use binfmt::columns::{ColumnData, TextColumn};
    /// assert_eq!(TextColumn::from_iter(["a", "b", "c"]).slice(1..3).unwrap().len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    ///
    /// ```
    /// use binfmt::columns::{ColumnData, TextColumn};
    /// assert!(TextColumn::from_iter(["a"]).slice(1..1).unwrap().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value of row `i`, counted from the first of these.
    ///
    /// ```
    /// use binfmt::columns::{ColumnData, TextColumn};
    /// assert_eq!(TextColumn::from_iter(["a", "b", "c"]).slice(1..3).unwrap().get(0), Some("b"));
    /// ```
    pub fn get(&self, i: usize) -> Option<C::Item<'a>> {
        self.column.get(self.start.checked_add(i).filter(|_| i < self.len)?)
    }

    /// The values one after the other.
    ///
    /// ```
    /// use binfmt::columns::{ColumnData, TextColumn};
    /// let column = TextColumn::from_iter(["a", "b", "c"]);
    /// assert!(column.slice(1..3).unwrap().iter().eq(["b", "c"]));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = C::Item<'a>> + use<'a, C> {
        let (column, start) = (self.column, self.start);
        (0..self.len).map_while(move |i| column.get(start + i))
    }
}

/// Text, row after row: `text[offsets[i]..offsets[i + 1]]`.
///
/// ```
/// use binfmt::columns::TextColumn;
/// let column = TextColumn::from_iter(["one", "", "three"]);
/// assert_eq!(column.offsets(), [0, 3, 3, 8]);
/// assert_eq!(column.text(), "onethree");
/// assert_eq!(column.get(2), Some("three"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct TextColumn {
    /// One more than there are rows; the first is 0, none is smaller than the one before, all lie between characters.
    offsets: Vec<usize>,
    text: String,
}

impl Default for TextColumn {
    fn default() -> Self {
        TextColumn::new()
    }
}

impl TextColumn {
    /// A column without rows.
    ///
    /// ```
    /// assert!(binfmt::columns::TextColumn::new().is_empty());
    /// ```
    pub fn new() -> Self {
        TextColumn { offsets: alloc::vec![0], text: String::new() }
    }

    /// How many rows there are.
    ///
    /// ```
    /// assert_eq!(binfmt::columns::TextColumn::from_iter(["a", "b"]).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is none.
    ///
    /// ```
    /// assert!(!binfmt::columns::TextColumn::from_iter([""]).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of row `i`.
    ///
    /// ```
    /// let column = binfmt::columns::TextColumn::from_iter(["a", "b"]);
    /// assert_eq!((column.get(1), column.get(2)), (Some("b"), None));
    /// ```
    #[inline]
    pub fn get(&self, i: usize) -> Option<&str> {
        let end = *self.offsets.get(i.checked_add(1)?)?;
        self.text.get(*self.offsets.get(i)?..end)
    }

    /// The texts one after the other.
    ///
    /// ```
    /// let column = binfmt::columns::TextColumn::from_iter(["a", "b"]);
    /// assert!(column.iter().eq(["a", "b"]));
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.offsets.windows(2).map(|pair| match pair {
            [start, end] => self.text.get(*start..*end).unwrap_or(""),
            _ => "",
        })
    }

    /// Adds a row.
    ///
    /// ```
    /// let mut column = binfmt::columns::TextColumn::new();
    /// column.push("a");
    /// assert_eq!(column.get(0), Some("a"));
    /// ```
    #[inline]
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.offsets.push(self.text.len());
    }

    /// Where each row begins in the text, and at last where the text ends: one more than there are rows.
    ///
    /// ```
    /// let column = binfmt::columns::TextColumn::from_iter(["one", "two"]);
    /// assert_eq!(column.offsets(), [0, 3, 6]);
    /// ```
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The texts of all rows together.
    ///
    /// ```
    /// assert_eq!(binfmt::columns::TextColumn::from_iter(["one", "two"]).text(), "onetwo");
    /// ```
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Makes room for `rows` more rows with `bytes` of text together.
    ///
    /// ```
    /// let mut column = binfmt::columns::TextColumn::new();
    /// column.reserve(100, 1000);
    /// ```
    pub fn reserve(&mut self, rows: usize, bytes: usize) {
        self.offsets.reserve(rows);
        self.text.reserve(bytes);
    }

    /// Leaves the first `rows` rows.
    ///
    /// ```
    /// let mut column = binfmt::columns::TextColumn::from_iter(["a", "b"]);
    /// column.truncate(1);
    /// assert!(column.iter().eq(["a"]));
    /// ```
    pub fn truncate(&mut self, rows: usize) {
        if let Some(end) = self.offsets.get(rows) {
            self.text.truncate(*end);
            self.offsets.truncate(rows + 1);
        }
    }

    /// Leaves no row, and keeps the room.
    ///
    /// ```
    /// let mut column = binfmt::columns::TextColumn::from_iter(["a"]);
    /// column.clear();
    /// assert!(column.is_empty());
    /// ```
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// The offsets and the text.
    ///
    /// ```
    /// let (offsets, text) = binfmt::columns::TextColumn::from_iter(["one"]).into_parts();
    /// assert_eq!((offsets, text.as_str()), (vec![0, 3], "one"));
    /// ```
    pub fn into_parts(self) -> (Vec<usize>, String) {
        (self.offsets, self.text)
    }

    /// A column of these parts; `None` if the offsets do not fit this text: see [`offsets`](TextColumn::offsets).
    ///
    /// ```
    /// use binfmt::columns::TextColumn;
    /// assert!(TextColumn::from_parts(vec![0, 3], "one".into()).is_some());
    /// assert!(TextColumn::from_parts(vec![0, 4], "one".into()).is_none());
    /// ```
    pub fn from_parts(offsets: Vec<usize>, text: String) -> Option<Self> {
        let fits = are_offsets(&offsets, text.len()) && offsets.iter().all(|at| text.is_char_boundary(*at));
        fits.then_some(TextColumn { offsets, text })
    }

    /// The same of offsets that fit as many bytes; the parts, if one lies inside a character.
    #[cfg(feature = "dynamic")]
    pub(super) fn of_parts(offsets: Vec<usize>, text: String) -> Result<Self, (Vec<usize>, String)> {
        match offsets.iter().all(|at| text.is_char_boundary(*at)) {
            true => Ok(TextColumn { offsets, text }),
            false => Err((offsets, text)),
        }
    }

    /// Row `i` of a column that has that many.
    #[inline(always)]
    pub(super) fn row(&self, i: usize) -> &str {
        &self.text[self.offsets[i]..self.offsets[i + 1]]
    }

    /// The bytes of row `i`; 0 after the last.
    #[inline(always)]
    pub(super) fn len_of(&self, i: usize) -> usize {
        match self.offsets.as_slice().get(i..).and_then(<[usize]>::first_chunk) {
            Some([start, end]) => end - start,
            None => 0,
        }
    }

    /// The text from row `i` on, and how many bytes of it are the row's; nothing after the last.
    #[inline(always)]
    pub(super) fn front(&self, i: usize) -> (&[u8], usize) {
        let start = self.offsets.get(i).copied().unwrap_or(self.text.len());
        (&self.text.as_bytes()[start..], self.len_of(i))
    }

    /// As [`push`](TextColumn::push); `false` if there is no memory.
    pub(super) fn try_push(&mut self, text: &str) -> bool {
        let room = self.offsets.room(1) && self.text.try_reserve(text.len()).is_ok();
        if room {
            self.push(text);
        }
        room
    }

    /// Adds a row whose end is all of what `add` has appended to the text.
    #[inline(always)]
    pub(crate) fn push_with<R>(&mut self, add: impl FnOnce(&mut String) -> R) -> R {
        let result = add(&mut self.text);
        self.offsets.push(self.text.len());
        result
    }
}

/// Whether these begin at 0, end at `len` and never fall.
pub(super) fn are_offsets(offsets: &[usize], len: usize) -> bool {
    offsets.first() == Some(&0) && offsets.last() == Some(&len) && offsets.is_sorted()
}

impl core::fmt::Debug for TextColumn {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<S: AsRef<str>> Extend<S> for TextColumn {
    fn extend<I: IntoIterator<Item = S>>(&mut self, rows: I) {
        rows.into_iter().for_each(|row| self.push(row.as_ref()));
    }
}

impl<S: AsRef<str>> FromIterator<S> for TextColumn {
    fn from_iter<I: IntoIterator<Item = S>>(rows: I) -> Self {
        let mut column = TextColumn::new();
        column.extend(rows);
        column
    }
}

impl ColumnData for TextColumn {
    type Item<'a> = &'a str;
    type Slice<'a> = View<'a, Self>;

    fn len(&self) -> usize {
        TextColumn::len(self)
    }

    fn get(&self, i: usize) -> Option<&str> {
        TextColumn::get(self, i)
    }

    fn slice(&self, rows: Range<usize>) -> Option<View<'_, Self>> {
        View::of(self, rows)
    }

    fn truncate(&mut self, rows: usize) {
        TextColumn::truncate(self, rows);
    }

    fn expect(&mut self, from: usize, done: usize, more: usize) {
        make_room(&mut self.offsets, done, more);
        let bytes = foreseen(self.text.len() - self.offsets[from], done, more);
        if self.text.capacity() - self.text.len() < bytes {
            let _ = self.text.try_reserve_exact(bytes + (bytes >> 3));
        }
    }

    #[inline]
    fn room(&mut self, more: usize) -> bool {
        self.offsets.room(more)
    }
}

impl BlankRows for TextColumn {
    #[inline(always)]
    fn push_blank(&mut self) {
        self.offsets.push(self.text.len());
    }

    // columns of text are read row by row
    fn blank_where(&mut self, _: usize, _: &[u8], _: u8) {}
}
