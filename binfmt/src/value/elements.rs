//! The elements of an array: numbers as numbers lie in memory, everything else as values.

use super::Value;
use crate::numbers::{Element, Number, Numbers, with_numbers};
use crate::wire::raw::bulk::try_room_exact;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// The elements of an array: numbers and bools of one type one beside the other, everything else as values.
///
/// Two of them are equal, and look alike as `Debug`, when their elements are, whatever the form. What is collected from values takes the form of
/// numbers where all are of one type.
///
/// ```
/// use binfmt::value::{Elements, Value};
/// let numbers = Elements::from(vec![1.5f32, 2.0]);
/// assert_eq!(numbers.as_slice::<f32>(), Some(&[1.5, 2.0][..]));
/// assert_eq!(numbers, Elements::Values([1.5f32.into(), 2f32.into()].into()));
///
/// let collected: Elements = [Value::from(1u8), Value::from(2u8)].into_iter().collect();
/// assert_eq!(collected.as_slice(), Some(&[1u8, 2][..]));
/// let mixed: Elements = [Value::from(1u8), Value::Missing(0)].into_iter().collect();
/// assert_eq!(mixed.get(1).as_deref(), Some(&Value::Missing(0)));
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub enum Elements {
    /// Numbers of one kind, or bools.
    Numbers(Numbers),
    /// Values of any kind.
    Values(Box<[Value]>),
}

impl Elements {
    /// How many.
    ///
    /// ```
    /// assert_eq!(binfmt::value::Elements::from(vec![1i16, 2]).len(), 2);
    /// ```
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Elements::Numbers(numbers) => numbers.len(),
            Elements::Values(values) => values.len(),
        }
    }

    /// Whether there is none.
    ///
    /// ```
    /// assert!(binfmt::value::Elements::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them.
    ///
    /// ```
    /// use binfmt::value::{Elements, Value};
    /// let numbers = Elements::from(vec![1i16, 2]);
    /// assert_eq!(numbers.get(1).as_deref(), Some(&Value::from(2i16)));
    /// assert_eq!(numbers.get(2), None);
    /// ```
    pub fn get(&self, i: usize) -> Option<Cow<'_, Value>> {
        match self {
            Elements::Numbers(numbers) => numbers.get(i).map(|n| Cow::Owned(n.into())),
            Elements::Values(values) => values.get(i).map(Cow::Borrowed),
        }
    }

    /// All of them.
    ///
    /// ```
    /// use binfmt::value::Elements;
    /// let numbers = Elements::from(vec![1i16, 2]);
    /// assert_eq!(numbers.iter().filter_map(|n| n.as_i128()).sum::<i128>(), 3);
    /// ```
    pub fn iter(&self) -> Iter<'_> {
        Iter { elements: self, left: 0..self.len() }
    }

    /// The numbers, when they are of type `T`.
    ///
    /// ```
    /// use binfmt::value::Elements;
    /// let numbers = Elements::from(vec![1i16, 2]);
    /// assert_eq!(numbers.as_slice::<i16>(), Some(&[1, 2][..]));
    /// assert_eq!(numbers.as_slice::<u16>(), None);
    /// ```
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        self.numbers()?.as_slice()
    }

    /// The numbers, where all are of one kind.
    ///
    /// ```
    /// use binfmt::{numbers::Numbers, value::Elements};
    /// assert_eq!(Elements::from(vec![1i16, 2]).numbers(), Some(&Numbers::I16(vec![1, 2])));
    /// ```
    pub fn numbers(&self) -> Option<&Numbers> {
        match self {
            Elements::Numbers(numbers) => Some(numbers),
            Elements::Values(_) => None,
        }
    }

    /// Each as a value of its own.
    ///
    /// ```
    /// use binfmt::value::{Elements, Value};
    /// assert_eq!(Elements::from(vec![true]).into_values(), [Value::from(true)]);
    /// ```
    pub fn into_values(self) -> Vec<Value> {
        match self {
            Elements::Numbers(numbers) => {
                with_numbers!(numbers, v => v.into_iter().map(Value::from).collect())
            }
            Elements::Values(values) => values.into_vec(),
        }
    }
}

impl Default for Elements {
    fn default() -> Self {
        Elements::Values(Box::default())
    }
}

impl<T: Element> From<Vec<T>> for Elements {
    fn from(elements: Vec<T>) -> Self {
        Elements::Numbers(elements.into())
    }
}

impl From<Numbers> for Elements {
    fn from(numbers: Numbers) -> Self {
        Elements::Numbers(numbers)
    }
}

/// In the form of numbers, where all are of one type.
impl From<Vec<Value>> for Elements {
    fn from(values: Vec<Value>) -> Self {
        fn all<T: Element>(values: &[Value]) -> Option<Numbers> {
            let mut numbers: Vec<T> = Vec::new();
            // without memory for both forms the values stay as they are
            try_room_exact(&mut numbers, values.len()).ok()?;
            for value in values {
                numbers.push(value.as_number()?.get::<T>()?);
            }
            Some(numbers.into())
        }
        let kind = values.first().and_then(Value::as_number).map(Number::number_type);
        let packed = kind.and_then(|kind| with_numbers!(kind, type T => all::<T>(&values)));
        packed.map_or_else(|| Elements::Values(values.into()), Elements::Numbers)
    }
}

/// In the form of numbers, where all are of one type.
impl FromIterator<Value> for Elements {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> Self {
        Elements::from(values.into_iter().collect::<Vec<Value>>())
    }
}

impl PartialEq for Elements {
    fn eq(&self, other: &Elements) -> bool {
        match (self, other) {
            (Elements::Numbers(a), Elements::Numbers(b)) if a.number_type() == b.number_type() => a == b,
            _ => self.len() == other.len() && self.iter().eq(other.iter()),
        }
    }
}

impl fmt::Debug for Elements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<'a> IntoIterator for &'a Elements {
    type Item = Cow<'a, Value>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

/// The elements of an array, one after the other: see [`Elements::iter`].
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    elements: &'a Elements,
    left: Range<usize>,
}

impl<'a> Iterator for Iter<'a> {
    type Item = Cow<'a, Value>;

    #[inline]
    fn next(&mut self) -> Option<Cow<'a, Value>> {
        self.elements.get(self.left.next()?)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.elements.get(self.left.next_back()?)
    }
}

impl ExactSizeIterator for Iter<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::F16;
    use alloc::{format, vec};

    /// One value of each type, with two elements of it in both forms.
    fn forms() -> Vec<(Elements, Elements)> {
        let both = |packed: Elements| {
            let values = Elements::Values(packed.iter().map(Cow::into_owned).collect());
            (packed, values)
        };
        vec![
            both(vec![true, false].into()),
            both(vec![-1i8, 2].into()),
            both(vec![-1i16, 2].into()),
            both(vec![-1i32, 2].into()),
            both(vec![-1i64, 2].into()),
            both(vec![-1i128, 2].into()),
            both(vec![1u8, 2].into()),
            both(vec![1u16, 2].into()),
            both(vec![1u32, 2].into()),
            both(vec![1u64, 2].into()),
            both(vec![1u128, 2].into()),
            both(vec![F16::from_bits(0x3c00), F16::from_bits(0)].into()),
            both(vec![0.5f32, 2.0].into()),
            both(vec![0.5f64, 2.0].into()),
        ]
    }

    #[test]
    fn both_forms_are_equal_and_types_are_not() {
        let all = forms();
        for (i, (packed, values)) in all.iter().enumerate() {
            assert!(matches!(values, Elements::Values(_)) && !matches!(packed, Elements::Values(_)));
            for (k, (other, other_values)) in all.iter().enumerate() {
                for (a, b) in
                    [(packed, other), (packed, other_values), (values, other), (values, other_values)]
                {
                    assert_eq!(a == b, i == k, "{a:?} {b:?}");
                }
            }
        }
        assert_ne!(Elements::from(vec![1u8]), Elements::from(vec![1u8, 1]));
        assert_ne!(Elements::from(vec![1u8]), Elements::Values([Value::from(1u8), Value::from(1u8)].into()));
        assert_ne!(Elements::from(vec![f32::NAN]), Elements::from(vec![f32::NAN]));
        // nothing is left to tell them apart
        assert_eq!(Elements::from(Vec::<u8>::new()), Elements::from(Vec::<f64>::new()));
    }

    #[test]
    fn values_of_one_type_are_packed() {
        for (packed, values) in forms() {
            let collected: Elements = values.iter().map(Cow::into_owned).collect();
            let kind = |elements: &Elements| elements.numbers().map(Numbers::number_type);
            assert_eq!(kind(&collected), kind(&packed), "{packed:?}");
            assert_eq!(collected.into_values(), values.into_values());
        }
        for mixed in [[1u8.into(), 1u16.into()], [Value::Unit, 1u8.into()], [1u8.into(), Value::Unit]] {
            let collected = Elements::from(mixed.to_vec());
            assert!(matches!(&collected, Elements::Values(v) if v[..] == mixed), "{collected:?}");
        }
    }

    #[test]
    fn elements_one_by_one() {
        for (packed, values) in forms() {
            assert_eq!(format!("{packed:?}"), format!("{values:?}"));
            for elements in [&packed, &values] {
                assert_eq!((elements.len(), elements.iter().len(), elements.is_empty()), (2, 2, false));
                assert_eq!(elements.iter().next_back(), values.get(1));
                assert_eq!(elements.into_iter().next(), values.get(0));
                assert_eq!(elements.get(2), None);
            }
        }
    }

    #[test]
    fn only_the_own_type_is_lent() {
        let half = Elements::from(vec![F16::from_bits(1)]);
        assert_eq!(half.as_slice::<u16>(), None);
        assert_eq!(Elements::from(vec![1u16]).as_slice::<u16>(), Some(&[1][..]));
        assert_eq!(Elements::from(vec![Value::Unit]).as_slice::<u16>(), None);
    }

    #[cfg(target_pointer_width = "64")]
    #[test]
    fn values_are_small() {
        assert_eq!((size_of::<Elements>(), size_of::<Value>()), (32, 48));
    }
}
