//! The elements of an array: numbers as numbers lie in memory, everything else as values.

use super::Value;
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
/// assert_eq!(numbers, Elements::Values([Value::F32(1.5), Value::F32(2.0)].into()));
///
/// let collected: Elements = [Value::U8(1), Value::U8(2)].into_iter().collect();
/// assert_eq!(collected.as_slice(), Some(&[1u8, 2][..]));
/// let mixed: Elements = [Value::U8(1), Value::Missing(0)].into_iter().collect();
/// assert_eq!(mixed.get(1).as_deref(), Some(&Value::Missing(0)));
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub enum Elements {
    /// Bools.
    Bool(Box<[bool]>),
    /// Integers of one byte.
    I8(Box<[i8]>),
    /// Integers of two bytes.
    I16(Box<[i16]>),
    /// Integers of four bytes.
    I32(Box<[i32]>),
    /// Integers of eight bytes.
    I64(Box<[i64]>),
    /// Integers of sixteen bytes.
    I128(Box<[i128]>),
    /// Unsigned integers of one byte.
    U8(Box<[u8]>),
    /// Unsigned integers of two bytes.
    U16(Box<[u16]>),
    /// Unsigned integers of four bytes.
    U32(Box<[u32]>),
    /// Unsigned integers of eight bytes.
    U64(Box<[u64]>),
    /// Unsigned integers of sixteen bytes.
    U128(Box<[u128]>),
    /// The bits of numbers of half precision.
    F16(Box<[u16]>),
    /// Numbers of single precision.
    F32(Box<[f32]>),
    /// Numbers of double precision.
    F64(Box<[f64]>),
    /// Values of any kind.
    Values(Box<[Value]>),
}

/// Runs the same code for the elements of any form: with what makes a value of a number, or with what makes such elements.
macro_rules! each_elements {
    ($elements:expr, $v:ident $make:ident => $body:expr, values $values:ident => $other:expr) => {
        each_elements!(@ Value $elements, $v $make => $body,
            Bool I8 I16 I32 I64 I128 U8 U16 U32 U64 U128 F16 F32 F64; Elements::Values($values) => $other)
    };
    ($elements:expr, $v:ident $pack:ident => $body:expr) => {
        each_elements!(@ Elements $elements, $v $pack => $body,
            Bool I8 I16 I32 I64 I128 U8 U16 U32 U64 U128 F16 F32 F64 Values;)
    };
    (@ $Of:ident $elements:expr, $v:ident $make:ident => $body:expr, $($variant:ident)*; $($rest:tt)*) => {
        match $elements {
            $( Elements::$variant($v) => {
                let $make = $Of::$variant;
                $body
            } )*
            $($rest)*
        }
    };
}
pub(super) use each_elements;

/// A Rust type that is the element of an array of numbers: `bool`, the integers of Rust, `f32` and `f64`.
///
/// It is implemented for no other type. Numbers of half precision have no type of their own in Rust: see
/// [`Elements::F16`].
pub trait Element: Copy + sealed::Typed + Into<Value> {}

mod sealed {
    use super::{Box, Elements};

    /// What only this crate may say of a type.
    pub trait Typed: Sized {
        /// The elements, when they are of this type.
        fn of(elements: &Elements) -> Option<&[Self]>;

        /// Elements of this type.
        fn wrap(elements: Box<[Self]>) -> Elements;
    }
}

macro_rules! element {
    ($($t:ident $variant:ident;)*) => { $(
        impl Element for $t {}
        impl sealed::Typed for $t {
            fn of(elements: &Elements) -> Option<&[Self]> {
                match elements {
                    Elements::$variant(v) => Some(v),
                    _ => None,
                }
            }

            fn wrap(elements: Box<[Self]>) -> Elements {
                Elements::$variant(elements)
            }
        }
    )* };
}

element! {
    bool Bool;
    i8 I8;
    i16 I16;
    i32 I32;
    i64 I64;
    i128 I128;
    u8 U8;
    u16 U16;
    u32 U32;
    u64 U64;
    u128 U128;
    f32 F32;
    f64 F64;
}

impl Elements {
    /// How many.
    ///
    /// ```
    /// assert_eq!(binfmt::value::Elements::from(vec![1i16, 2]).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        each_elements!(self, v _make => v.len(), values v => v.len())
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
    /// assert_eq!(numbers.get(1).as_deref(), Some(&Value::I16(2)));
    /// assert_eq!(numbers.get(2), None);
    /// ```
    pub fn get(&self, i: usize) -> Option<Cow<'_, Value>> {
        each_elements!(self, v make => v.get(i).map(|n| Cow::Owned(make(*n))), values v => v.get(i).map(Cow::Borrowed))
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
        T::of(self)
    }

    /// Each as a value of its own.
    ///
    /// ```
    /// use binfmt::value::{Elements, Value};
    /// assert_eq!(Elements::from(vec![true]).into_values(), [Value::Bool(true)]);
    /// ```
    pub fn into_values(self) -> Vec<Value> {
        each_elements!(self, v make => v.into_iter().map(make).collect(), values v => v.into_vec())
    }
}

impl Default for Elements {
    fn default() -> Self {
        Elements::Values(Box::default())
    }
}

impl<T: Element> From<Vec<T>> for Elements {
    fn from(elements: Vec<T>) -> Self {
        T::wrap(elements.into_boxed_slice())
    }
}

/// In the form of numbers, where all are of one type.
impl From<Vec<Value>> for Elements {
    fn from(values: Vec<Value>) -> Self {
        macro_rules! packed {
            ($($variant:ident)*) => {
                match values.first() {
                    $( Some(Value::$variant(_)) => values
                        .iter()
                        .map(|value| if let Value::$variant(n) = value { Some(*n) } else { None })
                        .collect::<Option<Box<[_]>>>()
                        .map(Elements::$variant), )*
                    _ => None,
                }
            };
        }
        let packed = packed!(Bool I8 I16 I32 I64 I128 U8 U16 U32 U64 U128 F16 F32 F64);
        packed.unwrap_or_else(|| Elements::Values(values.into()))
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
        macro_rules! typed {
            ($($variant:ident)*) => {
                match (self, other) {
                    $( (Elements::$variant(a), Elements::$variant(b)) => a == b, )*
                    _ => self.len() == other.len() && self.iter().eq(other.iter()),
                }
            };
        }
        typed!(Bool I8 I16 I32 I64 I128 U8 U16 U32 U64 U128 F16 F32 F64 Values)
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
            both(Elements::F16([0x3c00, 0].into())),
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
        assert_ne!(Elements::from(vec![1u8]), Elements::Values([Value::U8(1), Value::U8(1)].into()));
        assert_ne!(Elements::from(vec![f32::NAN]), Elements::from(vec![f32::NAN]));
        // nothing is left to tell them apart
        assert_eq!(Elements::from(Vec::<u8>::new()), Elements::from(Vec::<f64>::new()));
    }

    #[test]
    fn values_of_one_type_are_packed() {
        for (packed, values) in forms() {
            let collected: Elements = values.iter().map(Cow::into_owned).collect();
            assert_eq!(core::mem::discriminant(&collected), core::mem::discriminant(&packed), "{packed:?}");
            assert_eq!(collected.into_values(), values.into_values());
        }
        for mixed in [[Value::U8(1), Value::U16(1)], [Value::Unit, Value::U8(1)], [Value::U8(1), Value::Unit]]
        {
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
        let half = Elements::F16([1].into());
        assert_eq!(half.as_slice::<u16>(), None);
        assert_eq!(Elements::from(vec![1u16]).as_slice::<u16>(), Some(&[1][..]));
        assert_eq!(Elements::from(vec![Value::Unit]).as_slice::<u16>(), None);
    }

    #[cfg(target_pointer_width = "64")]
    #[test]
    fn values_are_small() {
        assert_eq!((size_of::<Elements>(), size_of::<Value>()), (24, 48));
    }
}
