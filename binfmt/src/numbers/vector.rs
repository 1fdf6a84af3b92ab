//! Many numbers of one kind.
#![allow(clippy::arithmetic_side_effects, reason = "numbers and bytes that are in memory")]

use super::element::{Element, Primitive};
use super::table::{Number, NumberType, Numbers, with_numbers};
use crate::error::Result;
use crate::wire::Le;
use crate::wire::raw::bulk::{NoMemory, make_room};
use crate::wire::raw::plain::bytes_of;
use alloc::vec::Vec;

/// The facts of the numbers of a vector.
#[cfg(feature = "table")]
fn facts<T: Element>(_: &[T]) -> crate::wire::Facts<T> {
    T::FACTS
}

/// The vector of the same type among other numbers, if they are of it.
fn like<'n, T: Element>(_: &[T], other: &'n Numbers) -> Option<&'n Vec<T>> {
    T::vec(other)
}

impl Numbers {
    /// No numbers of a kind.
    ///
    /// ```
    /// use binfmt::numbers::{NumberType, Numbers};
    /// assert!(Numbers::new(NumberType::I64).is_empty());
    /// ```
    #[inline]
    pub fn new(kind: NumberType) -> Numbers {
        with_numbers!(kind, type T => <T as Primitive>::numbers(Vec::new()))
    }

    /// Which numbers they are.
    ///
    /// ```
    /// use binfmt::numbers::{NumberType, Numbers};
    /// assert_eq!(Numbers::from(vec![1u8]).number_type(), NumberType::U8);
    /// ```
    #[inline]
    pub fn number_type(&self) -> NumberType {
        fn of<T: Element>(_: &[T]) -> NumberType {
            T::TYPE
        }
        with_numbers!(self, v => of(v))
    }

    /// How many.
    ///
    /// ```
    /// assert_eq!(binfmt::numbers::Numbers::from(vec![1u8, 2]).len(), 2);
    /// ```
    #[inline]
    pub fn len(&self) -> usize {
        with_numbers!(self, v => v.len())
    }

    /// Whether there is none.
    ///
    /// ```
    /// assert!(!binfmt::numbers::Numbers::from(vec![1u8, 2]).is_empty());
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them.
    ///
    /// ```
    /// use binfmt::numbers::{Number, Numbers};
    /// let numbers = Numbers::from(vec![1u8, 2]);
    /// assert_eq!((numbers.get(1), numbers.get(2)), (Some(Number::U8(2)), None));
    /// ```
    #[inline]
    pub fn get(&self, i: usize) -> Option<Number> {
        with_numbers!(self, v => v.as_slice().get(i).map(|n| n.number()))
    }

    /// All of them, one after the other.
    ///
    /// ```
    /// let numbers = binfmt::numbers::Numbers::from(vec![1u8, 2]);
    /// assert_eq!(numbers.iter().filter_map(|n| n.as_i128()).sum::<i128>(), 3);
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Number> + DoubleEndedIterator + '_ {
        (0..self.len()).map(move |i| with_numbers!(self, v => Number::from(v[i])))
    }

    /// The numbers, if they are of type `T`.
    ///
    /// ```
    /// use binfmt::numbers::{F16, Numbers};
    /// let numbers = Numbers::from(vec![F16::from_f64(1.0)]);
    /// assert_eq!(numbers.as_slice::<F16>(), Some(&[F16::from_bits(0x3c00)][..]));
    /// assert_eq!(numbers.as_slice::<u16>(), None);
    /// ```
    #[inline]
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        T::vec(self).map(Vec::as_slice)
    }

    /// The vector, if it is of type `T`.
    ///
    /// ```
    /// use binfmt::numbers::Numbers;
    /// let mut numbers = Numbers::from(vec![1u8, 2]);
    /// numbers.as_vec_mut::<u8>().unwrap().insert(0, 7);
    /// assert_eq!(numbers, Numbers::U8(vec![7, 1, 2]));
    /// ```
    #[inline]
    pub fn as_vec_mut<T: Element>(&mut self) -> Option<&mut Vec<T>> {
        T::vec_mut(self)
    }

    /// The vector itself.
    ///
    /// ```
    /// use binfmt::numbers::Numbers;
    /// assert_eq!(Numbers::U8(vec![1]).into_vec::<u8>(), Ok(vec![1]));
    /// assert_eq!(Numbers::U8(vec![1]).into_vec::<i8>(), Err(Numbers::U8(vec![1])));
    /// ```
    ///
    /// # Errors
    /// They are of another type: these numbers.
    pub fn into_vec<T: Element>(self) -> Result<Vec<T>, Numbers> {
        T::into_vec(self)
    }

    /// Each as the nearest number of double precision: see [`Number::to_f64`].
    ///
    /// ```
    /// use binfmt::numbers::Numbers;
    /// assert_eq!(Numbers::U8(vec![1, 2]).f64s(), [1.0, 2.0]);
    /// ```
    pub fn f64s(&self) -> Vec<f64> {
        with_numbers!(self, v => v.iter().map(|n| Primitive::to_f64(*n)).collect())
    }

    /// Integers as the widest type; `None` when one is too large, or they are not integers.
    ///
    /// ```
    /// use binfmt::numbers::Numbers;
    /// assert_eq!(Numbers::I8(vec![1, -2]).i128s(), Some(vec![1, -2]));
    /// assert_eq!(Numbers::F64(vec![1.0]).i128s(), None);
    /// ```
    pub fn i128s(&self) -> Option<Vec<i128>> {
        if !self.number_type().is_int() {
            return None;
        }
        with_numbers!(self, v => v.iter().map(|n| Primitive::to_i128(*n)).collect())
    }

    /// Adds one of the same kind; hands it back when it is of another.
    ///
    /// ```
    /// use binfmt::numbers::{Number, Numbers};
    /// let mut numbers = Numbers::from(vec![1u8]);
    /// assert_eq!(numbers.push(Number::U8(2)), Ok(()));
    /// assert_eq!(numbers.push(Number::I8(2)), Err(Number::I8(2)));
    /// ```
    ///
    /// # Errors
    /// It is of another kind.
    #[inline]
    pub fn push(&mut self, number: Number) -> Result<(), Number> {
        fn add<T: Element>(v: &mut Vec<T>, number: Number) -> Result<(), Number> {
            v.push(number.get().ok_or(number)?);
            Ok(())
        }
        with_numbers!(self, v => add(v, number))
    }

    /// Adds all of the others, if they are of the same kind; says whether they are.
    ///
    /// ```
    /// use binfmt::numbers::Numbers;
    /// let mut numbers = Numbers::from(vec![1u8]);
    /// assert!(numbers.append(&Numbers::U8(vec![2, 3])) && !numbers.append(&Numbers::I8(vec![4])));
    /// assert_eq!(numbers.len(), 3);
    /// ```
    pub fn append(&mut self, other: &Numbers) -> bool {
        with_numbers!(self, v => match like(v, other) {
            Some(other) => {
                v.extend_from_slice(other);
                true
            }
            None => false,
        })
    }

    /// Gives the memory of large numbers back for the next that are decoded: of what a process has given back it keeps the last 128 MiB.
    /// Memory that is new to it comes from the system page by page, which takes longer than to fill it.
    ///
    /// ```
    /// use binfmt::numbers::Numbers;
    /// let read: Vec<f64> = vec![0.5; 1 << 20];
    /// Numbers::from(read).recycle();
    /// ```
    #[cfg(feature = "table")]
    pub fn recycle(self) {
        with_numbers!(self, v => crate::wire::raw::kept::keep(facts(&v), v));
    }

    /// Keeps the first `n`.
    ///
    /// ```
    /// use binfmt::numbers::Numbers;
    /// let mut numbers = Numbers::from(vec![1u8, 2]);
    /// numbers.truncate(1);
    /// assert_eq!(numbers, Numbers::U8(vec![1]));
    /// ```
    pub fn truncate(&mut self, n: usize) {
        with_numbers!(self, v => v.truncate(n));
    }

    /// Takes those from `n` on; none if there are fewer.
    ///
    /// ```
    /// use binfmt::numbers::Numbers;
    /// let mut numbers = Numbers::from(vec![1u8, 2, 3]);
    /// assert_eq!(numbers.split_off(1), Numbers::U8(vec![2, 3]));
    /// assert_eq!(numbers, Numbers::U8(vec![1]));
    /// ```
    pub fn split_off(&mut self, n: usize) -> Numbers {
        with_numbers!(self, v => v.split_off(n.min(v.len())).into())
    }

    /// Bytes that they take in memory, and in a file.
    ///
    /// ```
    /// assert_eq!(binfmt::numbers::Numbers::from(vec![1u16, 2]).num_bytes(), 4);
    /// ```
    pub fn num_bytes(&self) -> usize {
        with_numbers!(self, v => size_of_val(v.as_slice()))
    }

    /// The bytes, little-endian.
    ///
    /// ```
    /// assert_eq!(binfmt::numbers::Numbers::from(vec![-1i16, 2]).to_le_bytes(), [0xff, 0xff, 2, 0]);
    /// ```
    pub fn to_le_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put_le_bytes(&mut out);
        out
    }

    /// Appends the bytes, little-endian.
    ///
    /// ```
    /// let mut bytes = vec![7];
    /// binfmt::numbers::Numbers::from(vec![1u16]).put_le_bytes(&mut bytes);
    /// assert_eq!(bytes, [7, 1, 0]);
    /// ```
    pub fn put_le_bytes(&self, out: &mut Vec<u8>) {
        with_numbers!(self, v => put_le(v, out));
    }

    /// The numbers of these bytes, little-endian; `None` when the bytes end inside one, or there is no memory for them. A bool is any
    /// byte but 0.
    ///
    /// ```
    /// use binfmt::numbers::{NumberType, Numbers};
    /// assert_eq!(Numbers::from_le_bytes(NumberType::U16, &[1, 0]), Some(Numbers::U16(vec![1])));
    /// assert_eq!(Numbers::from_le_bytes(NumberType::U16, &[1]), None);
    /// ```
    pub fn from_le_bytes(kind: NumberType, bytes: &[u8]) -> Option<Numbers> {
        if bytes.len().checked_rem(kind.size()) != Some(0) {
            return None;
        }
        let mut numbers = Numbers::new(kind);
        numbers.extend_from_le_bytes(bytes).ok()?;
        Some(numbers)
    }

    /// Adds the numbers of these bytes, little-endian; what is not a whole one at the end is left out. A bool is any byte but 0.
    ///
    /// ```
    /// use binfmt::numbers::Numbers;
    /// let mut numbers = Numbers::U16(vec![7]);
    /// numbers.extend_from_le_bytes(&[1, 0, 2])?;
    /// assert_eq!(numbers, Numbers::U16(vec![7, 1]));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// There is no memory for them.
    pub fn extend_from_le_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        fn extend<T: Element>(v: &mut Vec<T>, bytes: &[u8]) -> Result<(), NoMemory> {
            let numbers = bytes.chunks_exact(size_of::<T>().max(1));
            make_room(v, numbers.len(), None)?;
            v.extend(numbers.map(T::read::<Le>));
            Ok(())
        }
        Ok(with_numbers!(self, v => extend(v, bytes))?)
    }

    /// Whether kind and bits are the same: see [`Number::is_same`].
    ///
    /// ```
    /// use binfmt::numbers::Numbers;
    /// let nan = || Numbers::from(vec![f64::NAN]);
    /// assert!(nan().is_same(&nan()) && nan() != nan());
    /// ```
    pub fn is_same(&self, other: &Numbers) -> bool {
        fn same<T: Element>(a: &[T], b: &[T]) -> bool {
            match (bytes_of(T::FACTS, a), bytes_of(T::FACTS, b)) {
                (Some(a), Some(b)) => a == b,
                _ => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.number().is_same(b.number())),
            }
        }
        with_numbers!(self, v => like(v, other).is_some_and(|other| same(v, other)))
    }

    /// No numbers, with room for a few, as far as there is memory: whoever adds them asks for it again.
    #[cfg(feature = "dynamic")]
    pub(crate) fn with_room(kind: NumberType, n: usize) -> Numbers {
        with_numbers!(kind, type T => {
            let mut v = Vec::<T>::new();
            let _ = v.try_reserve_exact(n);
            Numbers::from(v)
        })
    }

    /// Room for `more` numbers; `false` if there is no memory.
    #[cfg(feature = "dynamic")]
    pub(crate) fn room(&mut self, more: usize) -> bool {
        with_numbers!(self, v => v.try_reserve(more).is_ok())
    }
}

/// Appends the bytes of numbers, little-endian.
///
/// ```
/// let mut bytes = vec![7];
/// binfmt::numbers::put_le(&[1u16, 2], &mut bytes);
/// assert_eq!(bytes, [7, 1, 0, 2, 0]);
/// ```
pub fn put_le<T: Element>(v: &[T], out: &mut Vec<u8>) {
    if let Some(bytes) = bytes_of(T::FACTS, v) {
        return out.extend_from_slice(bytes);
    }
    let start = out.len();
    out.resize(start + size_of_val(v), 0);
    save_le(v, &mut out[start..]);
}

/// Writes the bytes of numbers, little-endian, as many numbers as there is room for.
///
/// ```
/// let mut room = [0; 5];
/// binfmt::numbers::save_le(&[1u16, 2, 3], &mut room);
/// assert_eq!(room, [1, 0, 2, 0, 0]);
/// ```
pub fn save_le<T: Element>(v: &[T], room: &mut [u8]) {
    for (n, bytes) in v.iter().zip(room.chunks_exact_mut(size_of::<T>().max(1))) {
        n.write::<Le>(bytes);
    }
}

/// Reads numbers from little-endian bytes, as many as there are of both. A bool is any byte but 0.
///
/// ```
/// let mut numbers = [0u16; 3];
/// binfmt::numbers::load_le(&[1, 0, 2, 0, 9], &mut numbers);
/// assert_eq!(numbers, [1, 2, 0]);
/// ```
pub fn load_le<T: Element>(bytes: &[u8], v: &mut [T]) {
    for (n, bytes) in v.iter_mut().zip(bytes.chunks_exact(size_of::<T>().max(1))) {
        *n = T::read::<Le>(bytes);
    }
}

impl<T: Element> From<Vec<T>> for Numbers {
    fn from(v: Vec<T>) -> Numbers {
        T::numbers(v)
    }
}

impl<T: Element, const N: usize> From<[T; N]> for Numbers {
    fn from(v: [T; N]) -> Numbers {
        T::numbers(v.into())
    }
}
