//! Values that may be missing.

use super::data::{ColumnData, View, make_room};
use crate::containers::nullable::Nullable;
use alloc::vec::Vec;
use core::ops::Range;

/// Values that may be missing: one presence byte a row as it stands on the wire, and a value for every row, which is 0
/// or empty where it is missing.
///
/// ```
/// use binfmt::{Nullable, columns::NullableColumn};
/// let mut column = NullableColumn::<Vec<f64>>::new();
/// column.push(Nullable::Value(0.5));
/// column.push(Nullable::Missing(3));
/// assert_eq!(column.codes(), [255, 3]);
/// assert_eq!(column.values(), &[0.5, 0.0]);
/// assert_eq!(column.get(1), Some(Nullable::Missing(3)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NullableColumn<C> {
    codes: Vec<u8>,
    values: C,
    present: u8,
}

impl<C: Default> Default for NullableColumn<C> {
    fn default() -> Self {
        NullableColumn::new()
    }
}

impl<C: Default> NullableColumn<C> {
    /// A column without rows, where 0xFF is the code of a value.
    ///
    /// ```
    /// assert!(binfmt::columns::NullableColumn::<Vec<u8>>::new().is_empty());
    /// ```
    pub fn new() -> Self {
        NullableColumn { codes: Vec::new(), values: C::default(), present: 0xFF }
    }
}

impl<C> NullableColumn<C> {
    /// A column without rows, where `present` is the code of a value, and with a column without rows for the values.
    pub(crate) fn over(values: C, present: u8) -> Self {
        NullableColumn { codes: Vec::new(), values, present }
    }

    /// A column of these parts, of which there are as many.
    #[cfg(feature = "dynamic")]
    pub(super) fn of_parts(codes: Vec<u8>, values: C, present: u8) -> Self {
        NullableColumn { codes, values, present }
    }

    /// How many rows there are.
    ///
    /// ```
    /// use binfmt::{Nullable, columns::NullableColumn};
    /// assert_eq!(NullableColumn::from_iter([Nullable::Value(1), Nullable::Missing(2)]).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there is none.
    ///
    /// ```
    /// use binfmt::{Nullable, columns::NullableColumn};
    /// assert!(!NullableColumn::<Vec<u8>>::from_iter([Nullable::Missing(2)]).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The byte of each row as it stands on the wire: the code of a missing value, or the one of a value.
    ///
    /// ```
    /// use binfmt::{Nullable, columns::NullableColumn};
    /// assert_eq!(NullableColumn::from_iter([Nullable::Value(1), Nullable::Missing(2)]).codes(), [255, 2]);
    /// ```
    pub fn codes(&self) -> &[u8] {
        &self.codes
    }

    /// A value for each row, 0 or empty where it is missing.
    ///
    /// ```
    /// use binfmt::{Nullable, columns::NullableColumn};
    /// assert_eq!(NullableColumn::from_iter([Nullable::Value(1), Nullable::Missing(2)]).values(), &[1, 0]);
    /// ```
    pub fn values(&self) -> &C {
        &self.values
    }

    /// The code of a value, 0xFF unless the layout says another.
    ///
    /// ```
    /// assert_eq!(binfmt::columns::NullableColumn::<Vec<u8>>::new().present(), 255);
    /// ```
    pub fn present(&self) -> u8 {
        self.present
    }

    /// Why the value of row `i` is missing; `None` if it is there, and after the last row.
    ///
    /// ```
    /// use binfmt::{Nullable, columns::NullableColumn};
    /// let column = NullableColumn::from_iter([Nullable::Value(1), Nullable::Missing(2)]);
    /// assert_eq!((column.missing(0), column.missing(1)), (None, Some(2)));
    /// ```
    #[inline]
    pub fn missing(&self, i: usize) -> Option<u8> {
        self.codes.get(i).copied().filter(|code| *code != self.present)
    }

    /// Whether the value of row `i` is missing.
    ///
    /// ```
    /// use binfmt::{Nullable, columns::NullableColumn};
    /// assert!(NullableColumn::<Vec<u8>>::from_iter([Nullable::Missing(2)]).is_missing(0));
    /// ```
    #[inline]
    pub fn is_missing(&self, i: usize) -> bool {
        self.missing(i).is_some()
    }

    /// How many values are missing.
    ///
    /// ```
    /// use binfmt::{Nullable, columns::NullableColumn};
    /// assert_eq!(NullableColumn::from_iter([Nullable::Value(1), Nullable::Missing(2)]).num_missing(), 1);
    /// ```
    pub fn num_missing(&self) -> usize {
        self.codes.iter().filter(|code| **code != self.present).count()
    }

    /// Which values are there, as Arrow wants it: bit `i % 8` of byte `i / 8` is 1 where the value of row `i` is.
    ///
    /// ```
    /// use binfmt::{Nullable, columns::NullableColumn};
    /// let column = NullableColumn::from_iter([Nullable::Value(1), Nullable::Missing(2), Nullable::Value(3)]);
    /// assert_eq!(column.validity(), [0b101]);
    /// ```
    pub fn validity(&self) -> Vec<u8> {
        const LOW: u64 = 0x0101_0101_0101_0101;
        let all = LOW.wrapping_mul(u64::from(self.present));
        // eight codes at a time: of those that are there the highest bit is left, and a product brings these bits together
        let bits = |codes: [u8; 8]| {
            let other = u64::from_le_bytes(codes) ^ all;
            let is_other = (other & (LOW * 0x7F)).wrapping_add(LOW * 0x7F) | other;
            let there = !(is_other >> 7) & LOW;
            (there.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
        };
        let (whole, rest) = self.codes.as_chunks::<8>();
        let mut packed = Vec::with_capacity(self.codes.len().div_ceil(8));
        packed.extend(whole.iter().map(|codes| bits(*codes)));
        if !rest.is_empty() {
            let last = rest.iter().rev().fold(0, |bits, code| (bits << 1) | u8::from(*code == self.present));
            packed.push(last);
        }
        packed
    }

    /// The codes and the values.
    ///
    /// ```
    /// use binfmt::{Nullable, columns::NullableColumn};
    /// let (codes, values) = NullableColumn::from_iter([Nullable::Value(1)]).into_parts();
    /// assert_eq!((codes, values), (vec![255], vec![1]));
    /// ```
    pub fn into_parts(self) -> (Vec<u8>, C) {
        (self.codes, self.values)
    }

    /// Makes `present` the code of a value, which changes the bytes of rows that are there; `None` if it is the code
    /// of a missing one among them.
    pub(crate) fn set_present(&mut self, present: u8) -> Option<()> {
        if self.present != present {
            if self.codes.contains(&present) {
                return None;
            }
            let old = core::mem::replace(&mut self.present, present);
            self.codes.iter_mut().filter(|code| **code == old).for_each(|code| *code = present);
        }
        Some(())
    }

    /// Both parts, for a caller that adds one row to each.
    #[inline(always)]
    pub(crate) fn parts_mut(&mut self) -> (&mut Vec<u8>, &mut C) {
        (&mut self.codes, &mut self.values)
    }
}

impl<C: ColumnData> NullableColumn<C> {
    /// A column of these parts, where `present` is the code of a value; `None` if they have not as many rows.
    ///
    /// ```
    /// use binfmt::{Nullable, columns::NullableColumn};
    /// let column = NullableColumn::from_parts(vec![1, 0], vec![7, 0], 1).unwrap();
    /// assert_eq!((column.get(0), column.get(1)), (Some(Nullable::Value(&7)), Some(Nullable::Missing(0))));
    /// assert!(NullableColumn::from_parts(vec![1], vec![7, 0], 1).is_none());
    /// ```
    pub fn from_parts(codes: Vec<u8>, values: C, present: u8) -> Option<Self> {
        (codes.len() == values.len()).then_some(NullableColumn { codes, values, present })
    }

    /// The value of row `i`, or the code of why it is missing.
    ///
    /// ```
    /// use binfmt::{Nullable, columns::NullableColumn};
    /// let column = NullableColumn::from_iter([Nullable::Value(1), Nullable::Missing(2)]);
    /// assert_eq!(column.get(0), Some(Nullable::Value(&1)));
    /// assert_eq!(column.get(1), Some(Nullable::Missing(2)));
    /// assert_eq!(column.get(2), None);
    /// ```
    #[inline]
    pub fn get(&self, i: usize) -> Option<Nullable<C::Item<'_>>> {
        match *self.codes.get(i)? {
            code if code == self.present => Some(Nullable::Value(self.values.get(i)?)),
            code => Some(Nullable::Missing(code)),
        }
    }

    /// The rows one after the other.
    ///
    /// ```
    /// use binfmt::{Nullable, columns::NullableColumn};
    /// let column = NullableColumn::from_iter([Nullable::Value(1), Nullable::Missing(2)]);
    /// assert_eq!(column.iter().filter_map(Nullable::value).sum::<i32>(), 1);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = Nullable<C::Item<'_>>> {
        (0..self.len()).map_while(|i| self.get(i))
    }

    /// Leaves the first `rows` rows.
    ///
    /// ```
    /// use binfmt::{Nullable, columns::NullableColumn};
    /// let mut column = NullableColumn::from_iter([Nullable::Value(1), Nullable::Missing(2)]);
    /// column.truncate(1);
    /// assert_eq!(column.num_missing(), 0);
    /// ```
    pub fn truncate(&mut self, rows: usize) {
        self.codes.truncate(rows);
        self.values.truncate(rows);
    }

    /// Leaves no row, and keeps the room.
    ///
    /// ```
    /// use binfmt::{Nullable, columns::NullableColumn};
    /// let mut column = NullableColumn::from_iter([Nullable::Value(1)]);
    /// column.clear();
    /// assert!(column.is_empty());
    /// ```
    pub fn clear(&mut self) {
        self.truncate(0);
    }
}

impl<T: Default> NullableColumn<Vec<T>> {
    /// Adds a row; a missing one gets the default value.
    ///
    /// ```
    /// use binfmt::{Nullable, columns::NullableColumn};
    /// let mut column = NullableColumn::<Vec<u8>>::new();
    /// column.push(Nullable::Missing(7));
    /// assert_eq!(column.missing(0), Some(7));
    /// ```
    ///
    /// # Panics
    /// When the code of a missing value is the one of a value.
    #[inline]
    pub fn push(&mut self, row: Nullable<T>) {
        match row {
            Nullable::Value(value) => {
                self.codes.push(self.present);
                self.values.push(value);
            }
            Nullable::Missing(code) => {
                assert!(code != self.present, "{code} is the code of a value");
                self.codes.push(code);
                self.values.push(T::default());
            }
        }
    }
}

impl<T: Default> Extend<Nullable<T>> for NullableColumn<Vec<T>> {
    fn extend<I: IntoIterator<Item = Nullable<T>>>(&mut self, rows: I) {
        rows.into_iter().for_each(|row| self.push(row));
    }
}

impl<T: Default> FromIterator<Nullable<T>> for NullableColumn<Vec<T>> {
    fn from_iter<I: IntoIterator<Item = Nullable<T>>>(rows: I) -> Self {
        let mut column = NullableColumn::new();
        column.extend(rows);
        column
    }
}

impl<C: ColumnData> ColumnData for NullableColumn<C> {
    type Item<'a>
        = Nullable<C::Item<'a>>
    where
        Self: 'a;
    type Slice<'a>
        = View<'a, Self>
    where
        Self: 'a;

    fn len(&self) -> usize {
        NullableColumn::len(self)
    }

    fn get(&self, i: usize) -> Option<Nullable<C::Item<'_>>> {
        NullableColumn::get(self, i)
    }

    fn slice(&self, rows: Range<usize>) -> Option<View<'_, Self>> {
        View::of(self, rows)
    }

    fn truncate(&mut self, rows: usize) {
        NullableColumn::truncate(self, rows);
    }

    fn expect(&mut self, from: usize, done: usize, more: usize) {
        make_room(&mut self.codes, done, more);
        self.values.expect(from, done, more);
    }

    #[inline]
    fn room(&mut self, more: usize) -> bool {
        self.codes.room(more) && self.values.room(more)
    }
}
