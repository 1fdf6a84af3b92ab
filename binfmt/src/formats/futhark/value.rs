//! A value as annotated types, line by line what the specification of the binary form says.

use crate::{BinFormat, Error, Result};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use half::f16;

/// The type of the elements of a value: four bytes on the wire, spaces in front.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[binfmt(tag([u8; 4]), rename = "any type of Futhark, four characters with the spaces in front")]
pub enum ElementType {
    /// 8 bits, signed.
    #[binfmt(tag = b"  i8")]
    I8,
    /// 16 bits, signed.
    #[binfmt(tag = b" i16")]
    I16,
    /// 32 bits, signed.
    #[binfmt(tag = b" i32")]
    I32,
    /// 64 bits, signed.
    #[binfmt(tag = b" i64")]
    I64,
    /// 8 bits.
    #[binfmt(tag = b"  u8")]
    U8,
    /// 16 bits.
    #[binfmt(tag = b" u16")]
    U16,
    /// 32 bits.
    #[binfmt(tag = b" u32")]
    U32,
    /// 64 bits.
    #[binfmt(tag = b" u64")]
    U64,
    /// IEEE binary16.
    #[binfmt(tag = b" f16")]
    F16,
    /// IEEE binary32.
    #[binfmt(tag = b" f32")]
    F32,
    /// IEEE binary64.
    #[binfmt(tag = b" f64")]
    F64,
    /// One byte, 0 or 1.
    #[binfmt(tag = b"bool")]
    Bool,
}

/// One Futhark value: a scalar, or an array of any number of dimensions, with its binary form.
///
/// Two values are equal when their types, dimensions and elements are; a NaN is equal to none.
///
/// ```
/// use binfmt::formats::futhark::Value;
/// let value: Value = binfmt::from_slice(b"b\x02\x00 i32\x01\x00\x00\x00")?;
/// assert_eq!(value, Value::from(1i32));
/// assert_eq!(value.to_string(), "1i32");
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, PartialEq)]
#[binfmt(le)]
pub struct Value {
    #[binfmt(rename = "")]
    header: Header,
    #[binfmt(count = header.rank, assert(num_elements(dims).is_some(), "the product of the dimensions is too large"))]
    dims: Vec<u64>,
    #[binfmt(args(header.element_type, num_elements(dims).unwrap_or(u64::MAX)))]
    elements: Elements,
}

/// What stands in front of the dimensions: seven bytes.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(le, magic = b"b")]
pub(super) struct Header {
    #[binfmt(magic = 2u8)]
    version: (),
    // the readers of compiled programs take this byte as signed
    #[binfmt(range = 0..=127)]
    pub(super) rank: u8,
    pub(super) element_type: ElementType,
}

impl Header {
    pub(super) fn new(element_type: ElementType, rank: u8) -> Header {
        Header { version: (), rank, element_type }
    }
}

/// The elements of a value, the last index running fastest.
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(le, ctx(element_type: ElementType, num: u64), tag_from = element_type)]
pub enum Elements {
    /// `i8`.
    #[binfmt(tag = ElementType::I8)]
    I8(#[binfmt(count = num, rename = "")] Vec<i8>),
    /// `i16`.
    #[binfmt(tag = ElementType::I16)]
    I16(#[binfmt(count = num, rename = "")] Vec<i16>),
    /// `i32`.
    #[binfmt(tag = ElementType::I32)]
    I32(#[binfmt(count = num, rename = "")] Vec<i32>),
    /// `i64`.
    #[binfmt(tag = ElementType::I64)]
    I64(#[binfmt(count = num, rename = "")] Vec<i64>),
    /// `u8`.
    #[binfmt(tag = ElementType::U8)]
    U8(#[binfmt(count = num, rename = "")] Vec<u8>),
    /// `u16`.
    #[binfmt(tag = ElementType::U16)]
    U16(#[binfmt(count = num, rename = "")] Vec<u16>),
    /// `u32`.
    #[binfmt(tag = ElementType::U32)]
    U32(#[binfmt(count = num, rename = "")] Vec<u32>),
    /// `u64`.
    #[binfmt(tag = ElementType::U64)]
    U64(#[binfmt(count = num, rename = "")] Vec<u64>),
    /// `f16`.
    #[binfmt(tag = ElementType::F16)]
    F16(#[binfmt(count = num, rename = "")] Vec<f16>),
    /// `f32`.
    #[binfmt(tag = ElementType::F32)]
    F32(#[binfmt(count = num, rename = "")] Vec<f32>),
    /// `f64`.
    #[binfmt(tag = ElementType::F64)]
    F64(#[binfmt(count = num, rename = "")] Vec<f64>),
    /// `bool`: a byte that is neither 0 nor 1 is an error, where the readers of Futhark keep it.
    #[binfmt(tag = ElementType::Bool)]
    Bool(#[binfmt(count = num, rename = "")] Vec<bool>),
}

/// How many elements these dimensions make; `None` when no program can count them, or a dimension is negative to the
/// readers of compiled programs.
pub(super) fn num_elements(dims: &[u64]) -> Option<u64> {
    if dims.iter().any(|n| i64::try_from(*n).is_err()) {
        return None;
    }
    if dims.contains(&0) {
        return Some(0);
    }
    let product = dims.iter().try_fold(1u64, |n, dim| n.checked_mul(*dim))?;
    i64::try_from(product).is_ok().then_some(product)
}

/// Runs the same expression for the vector of any variant.
macro_rules! each_elements {
    ($elements:expr, $v:ident => $body:expr) => {
        match $elements {
            $crate::formats::futhark::Elements::I8($v) => $body,
            $crate::formats::futhark::Elements::I16($v) => $body,
            $crate::formats::futhark::Elements::I32($v) => $body,
            $crate::formats::futhark::Elements::I64($v) => $body,
            $crate::formats::futhark::Elements::U8($v) => $body,
            $crate::formats::futhark::Elements::U16($v) => $body,
            $crate::formats::futhark::Elements::U32($v) => $body,
            $crate::formats::futhark::Elements::U64($v) => $body,
            $crate::formats::futhark::Elements::F16($v) => $body,
            $crate::formats::futhark::Elements::F32($v) => $body,
            $crate::formats::futhark::Elements::F64($v) => $body,
            $crate::formats::futhark::Elements::Bool($v) => $body,
        }
    };
}
pub(super) use each_elements;

/// A Rust type that is an element of Futhark values.
///
/// It is implemented for `i8` to `i64`, `u8` to `u64`, `half::f16`, `f32`, `f64` and `bool`, and for no other type.
pub trait Element: super::number::TextElement + Sized + Copy + fmt::Debug + 'static {
    /// The type's name in Futhark and its tag on the wire.
    const TYPE: ElementType;

    /// The elements, when they are of this type.
    fn of(elements: &Elements) -> Option<&[Self]>;

    /// Elements of this type.
    fn wrap(elements: Vec<Self>) -> Elements;

    /// The elements themselves, when they are of this type.
    fn unwrap(elements: Elements) -> Option<Vec<Self>>;
}

macro_rules! elements {
    ($($t:ident $variant:ident $name:literal;)*) => {
        $(
            impl Element for $t {
                const TYPE: ElementType = ElementType::$variant;
                fn of(elements: &Elements) -> Option<&[Self]> {
                    match elements {
                        Elements::$variant(v) => Some(v),
                        _ => None,
                    }
                }
                fn wrap(elements: Vec<Self>) -> Elements {
                    Elements::$variant(elements)
                }
                fn unwrap(elements: Elements) -> Option<Vec<Self>> {
                    match elements {
                        Elements::$variant(v) => Some(v),
                        _ => None,
                    }
                }
            }
            impl From<Vec<$t>> for Elements {
                fn from(elements: Vec<$t>) -> Elements {
                    Elements::$variant(elements)
                }
            }
            impl From<$t> for Value {
                fn from(scalar: $t) -> Value {
                    Value::of(Vec::new(), Elements::$variant(vec![scalar]))
                }
            }
        )*

        impl ElementType {
            /// All of them.
            pub const ALL: [ElementType; 12] = [$(ElementType::$variant),*];

            /// The name in Futhark.
            ///
            /// ```
            /// assert_eq!(binfmt::formats::futhark::ElementType::U16.name(), "u16");
            /// ```
            pub const fn name(self) -> &'static str {
                match self {
                    $(ElementType::$variant => $name,)*
                }
            }

            /// Bytes of an element.
            pub(super) const fn size(self) -> u64 {
                match self {
                    $(ElementType::$variant => size_of::<$t>() as u64,)*
                }
            }
        }

        impl Elements {
            /// The type of each.
            ///
            /// ```
            /// use binfmt::formats::futhark::{ElementType, Elements};
            /// assert_eq!(Elements::from(vec![1u8]).element_type(), ElementType::U8);
            /// ```
            pub const fn element_type(&self) -> ElementType {
                match self {
                    $(Elements::$variant(_) => ElementType::$variant,)*
                }
            }

            /// None, of a type.
            pub(super) fn none(of: ElementType) -> Elements {
                match of {
                    $(ElementType::$variant => Elements::$variant(Vec::new()),)*
                }
            }
        }
    };
}

elements! {
    i8 I8 "i8";
    i16 I16 "i16";
    i32 I32 "i32";
    i64 I64 "i64";
    u8 U8 "u8";
    u16 U16 "u16";
    u32 U32 "u32";
    u64 U64 "u64";
    f16 F16 "f16";
    f32 F32 "f32";
    f64 F64 "f64";
    bool Bool "bool";
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl core::str::FromStr for ElementType {
    type Err = UnknownType;

    /// ```
    /// use binfmt::formats::futhark::ElementType;
    /// assert_eq!("f16".parse(), Ok(ElementType::F16));
    /// ```
    fn from_str(name: &str) -> Result<Self, UnknownType> {
        ElementType::ALL.into_iter().find(|t| t.name() == name).ok_or(UnknownType)
    }
}

/// No type of Futhark has this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownType;

impl fmt::Display for UnknownType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64 or bool")
    }
}

impl core::error::Error for UnknownType {}

impl Elements {
    /// How many.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::futhark::Elements::from(vec![1.5f64]).len(), 1);
    /// ```
    pub fn len(&self) -> usize {
        each_elements!(self, v => v.len())
    }

    /// Whether there is none.
    ///
    /// ```
    /// assert!(binfmt::formats::futhark::Elements::from(Vec::<i8>::new()).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Value {
    /// An array of these dimensions; without dimensions a scalar.
    ///
    /// ```
    /// use binfmt::formats::futhark::Value;
    /// let value = Value::new([2, 3], vec![1u8, 2, 3, 4, 5, 6])?;
    /// assert_eq!(value.to_string(), "[[1u8, 2u8, 3u8], [4u8, 5u8, 6u8]]");
    /// let e = Value::new([2, 3], vec![1u8]).unwrap_err();
    /// assert_eq!(e.to_string(), "elements at byte 0x17: the layout gives a length of 6, the value has 1");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The number of elements is not the product of the dimensions, or there are more than 127 dimensions.
    pub fn new(dims: impl Into<Vec<u64>>, elements: impl Into<Elements>) -> Result<Value> {
        let value = Value::of(dims.into(), elements.into());
        // what the encoder refuses is no value
        crate::encoded_len(&value)?;
        Ok(value)
    }

    /// The value without a look at the dimensions.
    pub(super) fn of(dims: Vec<u64>, elements: Elements) -> Value {
        let rank = u8::try_from(dims.len()).unwrap_or(u8::MAX);
        let header = Header::new(elements.element_type(), rank);
        Value { header, dims, elements }
    }

    /// The type of the elements.
    ///
    /// ```
    /// use binfmt::formats::futhark::{ElementType, Value};
    /// assert_eq!(Value::from(true).element_type(), ElementType::Bool);
    /// ```
    pub fn element_type(&self) -> ElementType {
        self.header.element_type
    }

    /// The dimensions, outermost first; none for a scalar.
    ///
    /// ```
    /// use binfmt::formats::futhark::Value;
    /// assert_eq!(Value::new([1, 2], vec![1i8, 2])?.dims(), [1, 2]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn dims(&self) -> &[u64] {
        &self.dims
    }

    /// The elements in row-major order; one for a scalar.
    ///
    /// ```
    /// use binfmt::formats::futhark::{Elements, Value};
    /// assert_eq!(Value::from(7u8).elements(), &Elements::U8(vec![7]));
    /// ```
    pub fn elements(&self) -> &Elements {
        &self.elements
    }

    /// The elements as a slice, when they are of type `T`.
    ///
    /// ```
    /// use binfmt::formats::futhark::Value;
    /// let value = Value::from(7u8);
    /// assert_eq!(value.as_slice::<u8>(), Some(&[7][..]));
    /// assert_eq!(value.as_slice::<i8>(), None);
    /// ```
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        T::of(&self.elements)
    }

    /// Dimensions and elements, without copying them.
    ///
    /// ```
    /// use binfmt::formats::futhark::{Elements, Value};
    /// assert_eq!(Value::from(7u8).into_parts(), (vec![], Elements::U8(vec![7])));
    /// ```
    pub fn into_parts(self) -> (Vec<u64>, Elements) {
        (self.dims, self.elements)
    }

    /// The type as Futhark writes it, with the dimensions: `[2][3]f32`.
    ///
    /// ```
    /// use binfmt::formats::futhark::Value;
    /// assert_eq!(Value::new([2, 0], Vec::<f32>::new())?.type_name(), "[2][0]f32");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn type_name(&self) -> alloc::string::String {
        let mut name = alloc::string::String::new();
        for dim in &self.dims {
            name.push_str(&alloc::format!("[{dim}]"));
        }
        name.push_str(self.element_type().name());
        name
    }

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
    /// The text is no value, or more than one.
    pub fn from_text(text: &str) -> Result<Value> {
        let mut src = crate::wire::Slice::new(text.as_bytes());
        super::stream::text_only(&mut src)
    }
}

/// `[2][3]f32` and the elements.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.type_name())?;
        each_elements!(&self.elements, v => fmt::Debug::fmt(v, f))
    }
}

/// The text form, as compiled programs print it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Vec::new();
        let mut send = |text: &mut Vec<u8>| -> fmt::Result {
            f.write_str(core::str::from_utf8(text).unwrap_or_default())?;
            text.clear();
            Ok(())
        };
        super::print::value(self, &mut text, &mut send)?;
        send(&mut text)
    }
}

impl core::str::FromStr for Value {
    type Err = Error;

    /// [`Value::from_text`].
    fn from_str(text: &str) -> Result<Value> {
        Value::from_text(text)
    }
}
