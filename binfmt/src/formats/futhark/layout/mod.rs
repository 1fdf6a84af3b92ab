//! The binary form as annotated types, line by line what its specification says.

use crate::BinFormat;
use crate::error::{ErrorKind, Result};
use crate::numbers::{self, F16, NumberType, Numbers, with_numbers};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

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
/// Two values are equal when their types, dimensions and elements are; no NaN is equal to another.
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
    #[binfmt(args(header.element_type.number_type(), num_elements(dims).unwrap_or(u64::MAX)))]
    elements: Numbers,
}

/// What is before the dimensions: seven bytes.
#[derive(BinFormat, Clone, Copy, Debug, PartialEq)]
#[binfmt(le, magic = b"b")]
pub(crate) struct Header {
    #[binfmt(magic = 2u8)]
    version: (),
    // the readers of compiled programs take this byte as signed
    #[binfmt(range = 0..=127)]
    pub(crate) rank: u8,
    pub(crate) element_type: ElementType,
}

impl Header {
    pub(crate) fn new(element_type: ElementType, rank: u8) -> Header {
        Header { version: (), rank, element_type }
    }
}

/// How many elements these dimensions make; `None` when no program can count them, or a dimension is negative to the
/// readers of compiled programs.
pub(crate) fn num_elements(dims: &[u64]) -> Option<u64> {
    if dims.iter().any(|n| i64::try_from(*n).is_err()) {
        return None;
    }
    if dims.contains(&0) {
        return Some(0);
    }
    let product = dims.iter().try_fold(1u64, |n, dim| n.checked_mul(*dim))?;
    i64::try_from(product).is_ok().then_some(product)
}

/// A Rust type that is an element of Futhark values.
///
/// It is implemented for `i8` to `i64`, `u8` to `u64`, [`F16`], `f32`, `f64` and `bool`, and for no other type.
pub trait Scalar: numbers::Element {}

impl Scalar for i8 {}
impl Scalar for i16 {}
impl Scalar for i32 {}
impl Scalar for i64 {}
impl Scalar for u8 {}
impl Scalar for u16 {}
impl Scalar for u32 {}
impl Scalar for u64 {}
impl Scalar for F16 {}
impl Scalar for f32 {}
impl Scalar for f64 {}
impl Scalar for bool {}

impl<T: Scalar> From<T> for Value {
    fn from(scalar: T) -> Value {
        // every `Scalar` is a type of Futhark
        let of = ElementType::of_number(T::TYPE).unwrap_or(ElementType::Bool);
        Value::of(Vec::new(), of, vec![scalar].into())
    }
}

impl ElementType {
    /// All of them.
    pub const ALL: [ElementType; 12] = [
        ElementType::I8,
        ElementType::I16,
        ElementType::I32,
        ElementType::I64,
        ElementType::U8,
        ElementType::U16,
        ElementType::U32,
        ElementType::U64,
        ElementType::F16,
        ElementType::F32,
        ElementType::F64,
        ElementType::Bool,
    ];

    /// The number that an element is.
    ///
    /// ```
    /// use binfmt::{formats::futhark::ElementType, numbers::NumberType};
    /// assert_eq!(ElementType::F16.number_type(), NumberType::F16);
    /// ```
    pub const fn number_type(self) -> NumberType {
        match self {
            ElementType::I8 => NumberType::I8,
            ElementType::I16 => NumberType::I16,
            ElementType::I32 => NumberType::I32,
            ElementType::I64 => NumberType::I64,
            ElementType::U8 => NumberType::U8,
            ElementType::U16 => NumberType::U16,
            ElementType::U32 => NumberType::U32,
            ElementType::U64 => NumberType::U64,
            ElementType::F16 => NumberType::F16,
            ElementType::F32 => NumberType::F32,
            ElementType::F64 => NumberType::F64,
            ElementType::Bool => NumberType::Bool,
        }
    }

    /// The type of a number; `None` for those that Futhark does not have.
    ///
    /// ```
    /// use binfmt::{formats::futhark::ElementType, numbers::NumberType};
    /// assert_eq!(ElementType::of_number(NumberType::U8), Some(ElementType::U8));
    /// assert_eq!(ElementType::of_number(NumberType::I128), None);
    /// ```
    pub fn of_number(kind: NumberType) -> Option<ElementType> {
        ElementType::ALL.into_iter().find(|of| of.number_type() == kind)
    }

    /// The name in Futhark.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::futhark::ElementType::U16.name(), "u16");
    /// ```
    pub const fn name(self) -> &'static str {
        self.number_type().name()
    }

    /// Bytes of an element.
    pub(crate) const fn size(self) -> u64 {
        self.number_type().size() as u64
    }
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

impl Value {
    /// An array of these dimensions; without dimensions a scalar.
    ///
    /// ```
    /// use binfmt::formats::futhark::Value;
    /// let value = Value::new([2, 3], vec![1u8, 2, 3, 4, 5, 6])?;
    /// assert_eq!(value.to_string(), "[[1u8, 2u8, 3u8], [4u8, 5u8, 6u8]]");
    /// let e = Value::new([2, 3], vec![1u8]).unwrap_err();
    /// assert_eq!(e.to_string(), "elements at byte 0x17: the layout requires a length of 6, the value has 1");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The number of elements is not the product of the dimensions, there are more than 127 dimensions, or Futhark has no
    /// such numbers.
    pub fn new(dims: impl Into<Vec<u64>>, elements: impl Into<Numbers>) -> Result<Value> {
        let elements = elements.into();
        let Some(of) = ElementType::of_number(elements.number_type()) else {
            let feature = format!("elements of {}", elements.number_type());
            return Err(ErrorKind::unsupported("Futhark", feature).into());
        };
        let value = Value::of(dims.into(), of, elements);
        // what the encoder refuses is not a value
        crate::encoded_len(&value)?;
        Ok(value)
    }

    /// The value without a look at the dimensions.
    pub(crate) fn of(dims: Vec<u64>, of: ElementType, elements: Numbers) -> Value {
        let rank = u8::try_from(dims.len()).unwrap_or(u8::MAX);
        Value { header: Header::new(of, rank), dims, elements }
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
    /// use binfmt::{formats::futhark::Value, numbers::Numbers};
    /// assert_eq!(Value::from(7u8).elements(), &Numbers::U8(vec![7]));
    /// ```
    pub fn elements(&self) -> &Numbers {
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
    pub fn as_slice<T: numbers::Element>(&self) -> Option<&[T]> {
        self.elements.as_slice()
    }

    /// Dimensions and elements, without copying them.
    ///
    /// ```
    /// use binfmt::{formats::futhark::Value, numbers::Numbers};
    /// assert_eq!(Value::from(7u8).into_parts(), (vec![], Numbers::U8(vec![7])));
    /// ```
    pub fn into_parts(self) -> (Vec<u64>, Numbers) {
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
}

/// `[2][3]f32` and the elements.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.type_name())?;
        with_numbers!(&self.elements, v => fmt::Debug::fmt(v, f))
    }
}
