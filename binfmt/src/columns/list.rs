//! Rows of any number of items each.
#![allow(clippy::arithmetic_side_effects, reason = "rows, offsets and lengths of what is in memory")]

use super::data::{BlankRows, ColumnData, View, are_offsets, foreseen, make_room};
use alloc::vec::Vec;
use core::ops::Range;

/// Bytes, row after row; text whose encoding is not checked is kept this way, too.
///
/// ```
/// use binfmt::columns::BytesColumn;
/// let column = BytesColumn::from_iter([&b"one"[..], b"", b"three"]);
/// assert_eq!(column.offsets(), [0, 3, 3, 8]);
/// assert_eq!(column.items(), b"onethree");
/// assert_eq!(column.get(2), Some(&b"three"[..]));
/// ```
pub type BytesColumn = ListColumn<Vec<u8>>;

/// Rows of any number of items each: those of row `i` are `offsets[i]..offsets[i + 1]` of `items`.
///
/// ```
/// use binfmt::columns::ListColumn;
/// let mut column = ListColumn::<Vec<u16>>::new();
/// column.push(&[1, 2]);
/// column.push(&[]);
/// assert_eq!(column.offsets(), [0, 2, 2]);
/// assert_eq!(column.get(0), Some(&[1, 2][..]));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct ListColumn<C> {
    /// One more than there are rows; the first is 0, none is smaller than the one before.
    offsets: Vec<usize>,
    items: C,
}

impl<C: Default> Default for ListColumn<C> {
    fn default() -> Self {
        ListColumn::new()
    }
}

impl<C: Default> ListColumn<C> {
    /// A column without rows.
    ///
    /// ```
    /// assert!(binfmt::columns::BytesColumn::new().is_empty());
    /// ```
    pub fn new() -> Self {
        ListColumn { offsets: alloc::vec![0], items: C::default() }
    }

    /// The same with room for a few rows, as far as there is memory: whoever adds them asks for it again.
    #[cfg(feature = "dynamic")]
    pub(crate) fn with_room(rows: usize) -> Self {
        let mut offsets = Vec::new();
        let _ = offsets.try_reserve_exact(rows + 1);
        offsets.push(0);
        ListColumn { offsets, items: C::default() }
    }
}

impl<C> ListColumn<C> {
    /// How many rows there are.
    ///
    /// ```
    /// assert_eq!(binfmt::columns::BytesColumn::from_iter([b"a", b"b"]).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is none.
    ///
    /// ```
    /// assert!(!binfmt::columns::BytesColumn::from_iter([b""]).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Which items are those of row `i`.
    ///
    /// ```
    /// let column = binfmt::columns::BytesColumn::from_iter([b"one", b"two"]);
    /// assert_eq!(column.range(1), Some(3..6));
    /// ```
    #[inline]
    pub fn range(&self, i: usize) -> Option<Range<usize>> {
        let end = *self.offsets.get(i.checked_add(1)?)?;
        Some(*self.offsets.get(i)?..end)
    }

    /// Which items are those of row `i`, which is known to be one of the column's.
    #[inline]
    pub(crate) fn span(&self, i: usize) -> Range<usize> {
        self.offsets[i]..self.offsets[i + 1]
    }

    /// Where the items of each row begin, and at last how many there are: one more than there are rows.
    ///
    /// ```
    /// let column = binfmt::columns::BytesColumn::from_iter([b"one", b"two"]);
    /// assert_eq!(column.offsets(), [0, 3, 6]);
    /// ```
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The items of all rows together.
    ///
    /// ```
    /// let column = binfmt::columns::BytesColumn::from_iter([b"one", b"two"]);
    /// assert_eq!(column.items(), b"onetwo");
    /// ```
    pub fn items(&self) -> &C {
        &self.items
    }

    /// The offsets and the items.
    ///
    /// ```
    /// let (offsets, items) = binfmt::columns::BytesColumn::from_iter([b"one"]).into_parts();
    /// assert_eq!((offsets, items), (vec![0, 3], b"one".to_vec()));
    /// ```
    pub fn into_parts(self) -> (Vec<usize>, C) {
        (self.offsets, self.items)
    }

    /// Both parts, for a caller that adds to the items first and then says where the row ends.
    #[inline(always)]
    pub(crate) fn parts_mut(&mut self) -> (&mut Vec<usize>, &mut C) {
        (&mut self.offsets, &mut self.items)
    }

    /// A column of these parts, whose offsets fit.
    #[cfg(feature = "dynamic")]
    pub(crate) fn of_parts(offsets: Vec<usize>, items: C) -> Self {
        ListColumn { offsets, items }
    }

    /// A column without rows, with these items as the place where those of its rows will be.
    #[cfg(feature = "dynamic")]
    pub(crate) fn over(items: C) -> Self {
        ListColumn { offsets: alloc::vec![0], items }
    }
}

impl<C: ColumnData> ListColumn<C> {
    /// The items of row `i`: a slice where they are a vector.
    ///
    /// ```
    /// let column = binfmt::columns::BytesColumn::from_iter([b"one", b"two"]);
    /// assert_eq!((column.get(1), column.get(2)), (Some(&b"two"[..]), None));
    /// ```
    #[inline]
    pub fn get(&self, i: usize) -> Option<C::Slice<'_>> {
        self.items.slice(self.range(i)?)
    }

    /// The rows one after the other.
    ///
    /// ```
    /// let column = binfmt::columns::BytesColumn::from_iter([b"one", b"two"]);
    /// assert!(column.iter().eq([b"one", b"two"]));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = C::Slice<'_>> {
        (0..self.len()).map_while(|i| self.get(i))
    }

    /// Adds a row: the items that `add` appends.
    ///
    /// ```
    /// use binfmt::columns::{ListColumn, TextColumn};
    /// let mut column = ListColumn::<TextColumn>::new();
    /// column.push_with(|items| items.push("a"));
    /// assert_eq!(column.offsets(), [0, 1]);
    /// ```
    ///
    /// # Panics
    /// When `add` takes away items of earlier rows.
    #[inline]
    pub fn push_with<R>(&mut self, add: impl FnOnce(&mut C) -> R) -> R {
        let result = add(&mut self.items);
        let end = self.items.len();
        assert!(self.offsets.last().is_none_or(|start| *start <= end), "items of earlier rows are gone");
        self.offsets.push(end);
        result
    }

    /// Leaves the first `rows` rows.
    ///
    /// ```
    /// let mut column = binfmt::columns::BytesColumn::from_iter([b"a", b"b"]);
    /// column.truncate(1);
    /// assert!(column.iter().eq([b"a"]));
    /// ```
    pub fn truncate(&mut self, rows: usize) {
        if let Some(end) = self.offsets.get(rows) {
            self.items.truncate(*end);
            self.offsets.truncate(rows + 1);
        }
    }

    /// Leaves no row, and keeps the room.
    ///
    /// ```
    /// let mut column = binfmt::columns::BytesColumn::from_iter([b"a"]);
    /// column.clear();
    /// assert!(column.is_empty());
    /// ```
    pub fn clear(&mut self) {
        self.truncate(0);
    }

    /// A column of these parts; `None` if the offsets do not fit these items: see [`offsets`](ListColumn::offsets).
    ///
    /// ```
    /// use binfmt::columns::BytesColumn;
    /// assert!(BytesColumn::from_parts(vec![0, 3], b"one".to_vec()).is_some());
    /// assert!(BytesColumn::from_parts(vec![0, 4], b"one".to_vec()).is_none());
    /// ```
    pub fn from_parts(offsets: Vec<usize>, items: C) -> Option<Self> {
        are_offsets(&offsets, items.len()).then_some(ListColumn { offsets, items })
    }
}

impl<T> ListColumn<Vec<T>> {
    /// Row `i` of a column that has that many.
    #[inline(always)]
    pub(super) fn row(&self, i: usize) -> &[T] {
        &self.items[self.offsets[i]..self.offsets[i + 1]]
    }

    /// Adds a row of these items.
    ///
    /// ```
    /// let mut column = binfmt::columns::BytesColumn::new();
    /// column.push(b"one");
    /// assert_eq!(column.get(0), Some(&b"one"[..]));
    /// ```
    #[inline]
    pub fn push(&mut self, row: &[T])
    where
        T: Clone,
    {
        self.items.extend_from_slice(row);
        self.offsets.push(self.items.len());
    }

    /// As [`push`](ListColumn::push); `false` if there is no memory.
    pub(crate) fn try_push(&mut self, row: &[T]) -> bool
    where
        T: Clone,
    {
        let room = self.offsets.room(1) && self.items.room(row.len());
        if room {
            self.push(row);
        }
        room
    }

    /// Makes room for `rows` more rows with `items` items together.
    ///
    /// ```
    /// let mut column = binfmt::columns::BytesColumn::new();
    /// column.reserve(100, 1000);
    /// ```
    pub fn reserve(&mut self, rows: usize, items: usize) {
        self.offsets.reserve(rows);
        self.items.reserve(items);
    }
}

impl ListColumn<Vec<u8>> {
    /// The bytes of a row with all that follow, and how many are its own.
    #[inline(always)]
    #[cfg(feature = "dynamic")]
    pub(super) fn front(&self, i: usize) -> Option<(&[u8], usize)> {
        let (start, end) = (*self.offsets.get(i)?, *self.offsets.get(i.checked_add(1)?)?);
        Some((self.items.as_slice().get(start..)?, end.checked_sub(start)?))
    }

    /// As `try_push`. A row that is longer than all room so far, and the first, becomes the column's memory.
    #[cfg(feature = "dynamic")]
    pub(super) fn try_push_owned(&mut self, row: Vec<u8>) -> bool {
        if !self.items.is_empty() || row.len() <= self.items.capacity() {
            return self.try_push(&row);
        }
        let room = self.offsets.room(1);
        if room {
            self.offsets.push(row.len());
            self.items = row;
        }
        room
    }
}

impl<T> ListColumn<Vec<T>> {
    /// Drops the rows before the end of `rows`, as that of a vector.
    #[cfg(feature = "sdds")]
    pub(crate) fn drain(&mut self, rows: core::ops::RangeTo<usize>) {
        let rows = rows.end.min(self.len());
        let first = self.offsets[rows];
        self.offsets.drain(..rows);
        self.offsets.iter_mut().for_each(|offset| *offset -= first);
        self.items.drain(..first);
    }
}

impl<T: Clone, R: AsRef<[T]>> Extend<R> for ListColumn<Vec<T>> {
    fn extend<I: IntoIterator<Item = R>>(&mut self, rows: I) {
        rows.into_iter().for_each(|row| self.push(row.as_ref()));
    }
}

impl<T: Clone, R: AsRef<[T]>> FromIterator<R> for ListColumn<Vec<T>> {
    fn from_iter<I: IntoIterator<Item = R>>(rows: I) -> Self {
        let mut column = ListColumn::new();
        column.extend(rows);
        column
    }
}

impl<C: core::fmt::Debug> core::fmt::Debug for ListColumn<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ListColumn").field("offsets", &self.offsets).field("items", &self.items).finish()
    }
}

impl<C: ColumnData> ColumnData for ListColumn<C> {
    type Item<'a>
        = C::Slice<'a>
    where
        Self: 'a;
    type Slice<'a>
        = View<'a, Self>
    where
        Self: 'a;

    fn len(&self) -> usize {
        ListColumn::len(self)
    }

    fn get(&self, i: usize) -> Option<C::Slice<'_>> {
        ListColumn::get(self, i)
    }

    fn slice(&self, rows: Range<usize>) -> Option<View<'_, Self>> {
        View::of(self, rows)
    }

    fn truncate(&mut self, rows: usize) {
        ListColumn::truncate(self, rows);
    }

    fn expect(&mut self, from: usize, done: usize, more: usize) {
        make_room(&mut self.offsets, done, more);
        let start = self.offsets[from];
        let items = self.items.len() - start;
        if items > 0 {
            self.items.expect(start, items, foreseen(items, done, more));
        }
    }

    #[inline]
    fn room(&mut self, more: usize) -> bool {
        self.offsets.room(more)
    }
}

impl<C: ColumnData> BlankRows for ListColumn<C> {
    #[inline(always)]
    fn push_blank(&mut self) {
        self.offsets.push(self.items.len());
    }

    // lists are read row by row
    fn blank_where(&mut self, _: usize, _: &[u8], _: u8) {}
}
