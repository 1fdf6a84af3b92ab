//! The table of the kinds of numbers, and everything that has one case for each of them.
//!
//! A kind is one line here: its name, its Rust type, its name in texts, and what arithmetic it has; of floats how they come from
//! an `f64`, and how many digits they have. From these lines come
//! the three enums, what [`Element`] says of the Rust type, and [`with_numbers!`], by which all other code does its work for
//! every kind. So a new kind is a line, beside a Rust type that has a codec.

use super::element::{Element, Primitive};
use crate::wire::Order;
use alloc::vec::Vec;

/// What arithmetic a kind has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Unsigned,
    Signed,
    Float,
    Bool,
}

macro_rules! number_types {
    ($d:tt $($(#[$doc:meta])* $Kind:ident $T:ty, $name:literal $Class:ident $(($from:expr, $digits:expr))?;)*) => {
        /// Which number it is.
        ///
        /// ```
        /// use binfmt::numbers::NumberType;
        /// assert_eq!((NumberType::U16.name(), NumberType::U16.size()), ("u16", 2));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum NumberType {
            $($(#[$doc])* $Kind,)*
        }

        impl NumberType {
            /// All of them.
            pub const ALL: &[NumberType] = &[$(NumberType::$Kind),*];

            /// The name: that of the Rust type, if Rust has one.
            ///
            /// ```
            /// use binfmt::numbers::NumberType;
            /// assert_eq!(NumberType::F16.name(), "f16");
            /// ```
            pub const fn name(self) -> &'static str {
                match self {
                    $(NumberType::$Kind => $name,)*
                }
            }

            /// Bytes of one number.
            ///
            /// ```
            /// use binfmt::numbers::NumberType;
            /// assert_eq!(NumberType::ALL.iter().map(|kind| kind.size()).max(), Some(16));
            /// ```
            #[inline]
            pub const fn size(self) -> usize {
                match self {
                    $(NumberType::$Kind => size_of::<$T>(),)*
                }
            }

            /// The kind of this size and class.
            #[inline]
            pub(super) const fn of_class(size: u8, class: Class) -> Option<NumberType> {
                $(if size as usize == size_of::<$T>() && class as u8 == Class::$Class as u8 {
                    return Some(NumberType::$Kind);
                })*
                None
            }

            /// Binary digits of a floating-point number, the leading one among them; of others none.
            #[cfg(feature = "table")]
            pub(crate) const fn digits(self) -> u32 {
                match self {
                    $(NumberType::$Kind => 0 $(+ $digits)?,)*
                }
            }

            #[inline]
            pub(super) const fn class(self) -> Class {
                match self {
                    $(NumberType::$Kind => Class::$Class,)*
                }
            }
        }

        /// One number of any kind.
        ///
        /// Two of them are equal when their kinds and values are, and one is less than another only where the kinds are
        /// the same; a NaN is equal to none.
        ///
        /// ```
        /// use binfmt::numbers::Number;
        /// let n = Number::from(7u8);
        /// assert_eq!((n.as_i128(), n.to_f64(), n.get::<u8>()), (Some(7), 7.0, Some(7)));
        /// assert_ne!(n, Number::from(7u16));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Number {
            $($(#[$doc])* $Kind($T),)*
        }

        /// Numbers of one kind, one beside the other.
        ///
        /// ```
        /// use binfmt::numbers::{Number, NumberType, Numbers};
        /// let mut numbers = Numbers::new(NumberType::F32);
        /// assert_eq!(numbers.push(Number::F32(0.5)), Ok(()));
        /// assert_eq!(numbers.push(Number::U8(1)), Err(Number::U8(1)));
        /// assert_eq!(numbers, Numbers::F32(vec![0.5]));
        /// ```
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Numbers {
            $($(#[$doc])* $Kind(Vec<$T>),)*
        }

        $(
            impl Element for $T {
                const TYPE: NumberType = NumberType::$Kind;
            }

            impl Primitive for $T {
                #[inline(always)]
                fn number(self) -> Number {
                    Number::$Kind(self)
                }

                #[inline(always)]
                fn of(number: Number) -> Option<Self> {
                    if let Number::$Kind(n) = number { Some(n) } else { None }
                }

                #[inline(always)]
                fn numbers(v: Vec<Self>) -> Numbers {
                    Numbers::$Kind(v)
                }

                #[inline(always)]
                fn vec(numbers: &Numbers) -> Option<&Vec<Self>> {
                    if let Numbers::$Kind(v) = numbers { Some(v) } else { None }
                }

                #[inline(always)]
                fn vec_mut(numbers: &mut Numbers) -> Option<&mut Vec<Self>> {
                    if let Numbers::$Kind(v) = numbers { Some(v) } else { None }
                }

                fn into_vec(numbers: Numbers) -> Result<Vec<Self>, Numbers> {
                    if let Numbers::$Kind(v) = numbers { Ok(v) } else { Err(numbers) }
                }

                number_types!(@ $Class $T $(, $from)?);
            }
        )*

        /// Runs the same code for every kind: with the vector of [`Numbers`], with the one value of a [`Number`]
        /// (`one x`), or with the Rust type of a [`NumberType`] (`type T`).
        macro_rules! with_numbers {
            ($d number:expr, one $d x:ident => $d body:expr) => {
                match $d number {
                    $($crate::numbers::Number::$Kind($d x) => $d body,)*
                }
            };
            ($d kind:expr, type $d T:ident => $d body:expr) => {
                match $d kind {
                    $($crate::numbers::NumberType::$Kind => {
                        #[allow(dead_code, clippy::allow_attributes)]
                        type $d T = $T;
                        $d body
                    })*
                }
            };
            ($d numbers:expr, $d v:ident => $d body:expr) => {
                match $d numbers {
                    $($crate::numbers::Numbers::$Kind($d v) => $d body,)*
                }
            };
        }
        pub(crate) use with_numbers;
    };

    (@ Bool $T:ty) => {
        #[inline(always)]
        fn read<O: Order>(bytes: &[u8]) -> Self {
            bytes.first().is_some_and(|b| *b != 0)
        }

        #[inline(always)]
        fn write<O: Order>(self, bytes: &mut [u8]) {
            if let Some(b) = bytes.first_mut() {
                *b = u8::from(self);
            }
        }

        fn to_f64(self) -> f64 {
            u8::from(self).into()
        }
    };
    (@ Float $T:ty, $from:expr) => {
        number_types!(bytes of $T);

        fn to_f64(self) -> f64 {
            self.into()
        }

        fn from_f64(n: f64) -> Option<Self> {
            Some(($from)(n))
        }
    };
    (@ $Integer:ident $T:ty) => {
        number_types!(bytes of $T);

        #[inline(always)]
        fn to_i128(self) -> Option<i128> {
            i128::try_from(self).ok()
        }

        #[inline(always)]
        fn from_i128(n: i128) -> Option<Self> {
            <$T>::try_from(n).ok()
        }

        fn to_f64(self) -> f64 {
            self as f64
        }
    };
    (bytes of $T:ty) => {
        #[inline(always)]
        fn read<O: Order>(bytes: &[u8]) -> Self {
            match bytes.first_chunk() {
                Some(b) if O::LE => <$T>::from_le_bytes(*b),
                Some(b) => <$T>::from_be_bytes(*b),
                None => <$T>::default(),
            }
        }

        #[inline(always)]
        fn write<O: Order>(self, bytes: &mut [u8]) {
            if let Some(b) = bytes.first_chunk_mut() {
                *b = if O::LE { self.to_le_bytes() } else { self.to_be_bytes() };
            }
        }
    };
}

number_types! {
    $
    /// One byte, 0 or 1.
    Bool bool, "bool" Bool;
    /// 8 bits, signed.
    I8 i8, "i8" Signed;
    /// 16 bits, signed.
    I16 i16, "i16" Signed;
    /// 32 bits, signed.
    I32 i32, "i32" Signed;
    /// 64 bits, signed.
    I64 i64, "i64" Signed;
    /// 128 bits, signed.
    I128 i128, "i128" Signed;
    /// 8 bits.
    U8 u8, "u8" Unsigned;
    /// 16 bits.
    U16 u16, "u16" Unsigned;
    /// 32 bits.
    U32 u32, "u32" Unsigned;
    /// 64 bits.
    U64 u64, "u64" Unsigned;
    /// 128 bits.
    U128 u128, "u128" Unsigned;
    /// Half precision.
    F16 crate::numbers::F16, "f16" Float(crate::numbers::F16::from_f64, 11);
    /// Single precision.
    F32 f32, "f32" Float(|n| n as f32, 24);
    /// Double precision.
    F64 f64, "f64" Float(|n| n, 53);
}
