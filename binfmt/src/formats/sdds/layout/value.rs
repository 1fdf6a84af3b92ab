//! Values and runs of values of one type, as they are in binary pages.

use super::definition::{Array, Header};
use super::text::Text;
use super::types::DataType;
use super::x87::X87;
use crate::BinFormat;
use crate::codec::{Decode, Encode};
use crate::columns::{BytesColumn, ColumnData};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::numbers::{Element, Number, NumberType, Numbers, with_numbers};
use crate::wire::amount::{times, times64};
use crate::wire::limits::checked;
use crate::wire::raw::bulk;
use crate::wire::{Cursor, Erased, Hooks, Kind, Label, Order, Sink, Source};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// One value; the type is its context.
///
/// ```
/// use binfmt::Options;
/// use binfmt::formats::sdds::{DataType, Value};
/// let v: Value = binfmt::from_slice_with(&[0, 1], &Options::new().ctx(DataType::Short))?;
/// assert_eq!(v, Value::from(256i16));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(kind: DataType), tag_from = kind)]
pub enum Value {
    /// `longdouble`.
    #[binfmt(tag = DataType::LongDouble)]
    LongDouble(X87),
    /// `string`.
    #[binfmt(tag = DataType::String)]
    String(Text),
    /// A number; a `character` is a `u8`.
    #[binfmt(tag = _)]
    Number(#[binfmt(args(number(kind)))] Number),
}

/// The number that a type is which is neither of the other two.
fn number(kind: DataType) -> NumberType {
    kind.number_type().unwrap_or(NumberType::U8)
}

impl Value {
    /// The type; `None` of a number that SDDS has no type for.
    ///
    /// ```
    /// use binfmt::formats::sdds::{DataType, Value};
    /// assert_eq!(Value::from(1.0f32).data_type(), Some(DataType::Float));
    /// assert_eq!(Value::from(1i8).data_type(), None);
    /// ```
    pub fn data_type(&self) -> Option<DataType> {
        match self {
            Value::Number(n) => DataType::of_number(n.number_type()),
            Value::LongDouble(_) => Some(DataType::LongDouble),
            Value::String(_) => Some(DataType::String),
        }
    }

    /// The text of it as a value of this type, as a dump tells it: a `character` is one, and the zero that stands for none is empty.
    pub(crate) fn text(&self, kind: DataType) -> String {
        match (self, kind) {
            (Value::Number(Number::U8(0)), DataType::Character) => String::new(),
            (Value::Number(Number::U8(byte)), DataType::Character) => {
                String::from_utf8_lossy(&[*byte]).into_owned()
            }
            (Value::Number(number), _) => number.to_string(),
            (Value::LongDouble(number), _) => number.to_string(),
            (Value::String(text), _) => text.to_string(),
        }
    }

    /// The nearest number of double precision, as the C library casts it; `None` of a string. A `character` is the number
    /// of its byte.
    ///
    /// ```
    /// use binfmt::formats::sdds::Value;
    /// assert_eq!((Value::from(3i16).to_f64(), Value::from("3").to_f64()), (Some(3.0), None));
    /// ```
    pub fn to_f64(&self) -> Option<f64> {
        match self {
            Value::Number(n) => Some(n.to_f64()),
            Value::LongDouble(x) => Some((*x).into()),
            Value::String(_) => None,
        }
    }
}

impl<T: Element> From<T> for Value {
    fn from(n: T) -> Self {
        Value::Number(n.into())
    }
}

impl From<X87> for Value {
    fn from(n: X87) -> Self {
        Value::LongDouble(n)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::String(text.into())
    }
}

/// When writing: a value that is not of the type that the header says.
#[cold]
pub(crate) fn mismatch(of: &'static str, found: Option<DataType>, at: u64) -> Error {
    Error::new(ErrorKind::VariantMismatch { of, found: found.map_or("Number", DataType::name) }, at)
}

/// Many values of one type: of an array, or of a column. Type and number are the context.
///
/// ```
/// use binfmt::Options;
/// use binfmt::formats::sdds::{DataType, Elements};
/// let options = Options::new().ctx((DataType::Short, 2));
/// let e: Elements = binfmt::from_slice_with(&[1, 0, 2, 0], &options)?;
/// assert_eq!(e, Elements::from(vec![1i16, 2]));
/// assert_eq!(e.f64s(), Some(vec![1.0, 2.0]));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(kind: DataType, n: u64), tag_from = kind)]
pub enum Elements {
    /// `longdouble`.
    #[binfmt(tag = DataType::LongDouble)]
    LongDouble(#[binfmt(count = n)] Vec<X87>),
    /// `string`: each with its length in front.
    #[binfmt(tag = DataType::String)]
    String(#[binfmt(decode_with = strings, encode_with = put_strings, args(n))] BytesColumn),
    /// Numbers; each `character` is a `u8`.
    #[binfmt(tag = _)]
    Numbers(#[binfmt(args(number(kind), n))] Numbers),
}

impl<T: Element> From<Vec<T>> for Elements {
    fn from(v: Vec<T>) -> Self {
        Elements::Numbers(v.into())
    }
}

impl Elements {
    /// No values of a type.
    ///
    /// ```
    /// use binfmt::formats::sdds::{DataType, Elements};
    /// assert!(Elements::empty(DataType::Long).is_empty());
    /// ```
    pub fn empty(kind: DataType) -> Self {
        match (kind, kind.number_type()) {
            (_, Some(kind)) => Elements::Numbers(Numbers::new(kind)),
            (DataType::LongDouble, _) => Elements::LongDouble(Vec::new()),
            _ => Elements::String(BytesColumn::new()),
        }
    }

    /// Strings.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Elements, Value};
    /// assert_eq!(Elements::strings(["a", "b"]).get(1), Some(Value::String("b".into())));
    /// ```
    pub fn strings<T: AsRef<[u8]>>(texts: impl IntoIterator<Item = T>) -> Self {
        let mut column = BytesColumn::new();
        for text in texts {
            column.push(text.as_ref());
        }
        Elements::String(column)
    }

    /// The type; `None` of numbers that SDDS has no type for.
    ///
    /// ```
    /// use binfmt::formats::sdds::{DataType, Elements};
    /// assert_eq!(Elements::from(vec![1.0f32]).data_type(), Some(DataType::Float));
    /// assert_eq!(Elements::from(vec![true]).data_type(), None);
    /// ```
    pub fn data_type(&self) -> Option<DataType> {
        match self {
            Elements::Numbers(v) => DataType::of_number(v.number_type()),
            Elements::LongDouble(_) => Some(DataType::LongDouble),
            Elements::String(_) => Some(DataType::String),
        }
    }

    /// Whether the values are of this type.
    pub(crate) fn is_of(&self, kind: DataType) -> bool {
        match self {
            Elements::Numbers(v) => kind.number_type() == Some(v.number_type()),
            Elements::LongDouble(_) => kind == DataType::LongDouble,
            Elements::String(_) => kind == DataType::String,
        }
    }

    /// Bytes of a value in a binary page; `None` for strings.
    pub(crate) fn size(&self) -> Option<usize> {
        match self {
            Elements::Numbers(v) => Some(v.number_type().size()),
            Elements::LongDouble(_) => DataType::LongDouble.size(),
            Elements::String(_) => None,
        }
    }

    /// How many.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::Elements::from(vec![1i32, 2]).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        match self {
            Elements::Numbers(v) => v.len(),
            Elements::LongDouble(v) => v.len(),
            Elements::String(v) => v.len(),
        }
    }

    /// Whether it is empty.
    ///
    /// ```
    /// assert!(!binfmt::formats::sdds::Elements::from(vec![1i32, 2]).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers; `None` of `longdouble` and of strings.
    ///
    /// ```
    /// use binfmt::{formats::sdds::Elements, numbers::Numbers};
    /// assert_eq!(Elements::from(vec![1i32, 2]).numbers(), Some(&Numbers::I32(vec![1, 2])));
    /// ```
    pub fn numbers(&self) -> Option<&Numbers> {
        match self {
            Elements::Numbers(v) => Some(v),
            _ => None,
        }
    }

    /// The numbers, if they are of type `T`.
    ///
    /// ```
    /// use binfmt::formats::sdds::Elements;
    /// let e = Elements::from(vec![1i32, 2]);
    /// assert_eq!((e.as_slice::<i32>(), e.as_slice::<f64>()), (Some(&[1, 2][..]), None));
    /// ```
    pub fn as_slice<T: Element>(&self) -> Option<&[T]> {
        self.numbers()?.as_slice()
    }

    /// Each as the nearest number of double precision, as the C library casts them; `None` of strings.
    ///
    /// ```
    /// use binfmt::formats::sdds::Elements;
    /// assert_eq!(Elements::from(vec![1i16, 2]).f64s(), Some(vec![1.0, 2.0]));
    /// assert_eq!(Elements::strings(["1"]).f64s(), None);
    /// ```
    pub fn f64s(&self) -> Option<Vec<f64>> {
        match self {
            Elements::Numbers(v) => Some(v.f64s()),
            Elements::LongDouble(v) => Some(v.iter().map(|x| (*x).into()).collect()),
            Elements::String(_) => None,
        }
    }

    /// One of them.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Elements, Value};
    /// assert_eq!(Elements::from(vec![1i32, 2]).get(1), Some(Value::from(2i32)));
    /// ```
    pub fn get(&self, i: usize) -> Option<Value> {
        Some(match self {
            Elements::Numbers(v) => Value::Number(v.get(i)?),
            Elements::LongDouble(v) => Value::LongDouble(*v.get(i)?),
            Elements::String(v) => Value::String(Text::new(v.get(i)?)),
        })
    }

    /// All of them, one by one.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Elements, Value};
    /// assert_eq!(Elements::from(vec![1i32]).iter().next(), Some(Value::from(1i32)));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.len()).map_while(|i| self.get(i))
    }

    /// Adds one of the same type; hands it back when it is of another.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Elements, Value};
    /// let mut e = Elements::from(vec![1i32]);
    /// assert_eq!(e.push(Value::from(2i32)), Ok(()));
    /// assert_eq!(e.push(Value::from(2f32)), Err(Value::from(2f32)));
    /// ```
    ///
    /// # Errors
    /// The value is of another type.
    pub fn push(&mut self, value: Value) -> core::result::Result<(), Value> {
        match (self, value) {
            (Elements::Numbers(v), Value::Number(x)) => return v.push(x).map_err(Value::Number),
            (Elements::LongDouble(v), Value::LongDouble(x)) => v.push(x),
            (Elements::String(v), Value::String(x)) => v.push(x.as_bytes()),
            (_, value) => return Err(value),
        }
        Ok(())
    }

    /// Makes room for `n` values more, of strings without their bytes.
    pub(crate) fn room(&mut self, n: usize, at: u64) -> Result<()> {
        let room = match self {
            Elements::Numbers(v) => v.room(n),
            Elements::LongDouble(v) => ColumnData::room(v, n),
            Elements::String(v) => ColumnData::room(v, n),
        };
        if room { Ok(()) } else { Err(no_memory(times(n, self.size().unwrap_or(4)), at)) }
    }

    /// Drops the first `n`.
    pub(crate) fn drop_front(&mut self, n: usize) {
        let n = n.min(self.len());
        match self {
            Elements::Numbers(numbers) => with_numbers!(numbers, v => drop(v.drain(..n))),
            Elements::LongDouble(v) => drop(v.drain(..n)),
            Elements::String(v) => v.drain(..n),
        }
    }

    /// Keeps the first `n`.
    ///
    /// ```
    /// use binfmt::formats::sdds::Elements;
    /// let mut e = Elements::from(vec![1i32, 2]);
    /// e.truncate(1);
    /// assert_eq!(e, Elements::from(vec![1i32]));
    /// ```
    pub fn truncate(&mut self, n: usize) {
        match self {
            Elements::Numbers(v) => v.truncate(n),
            Elements::LongDouble(v) => v.truncate(n),
            Elements::String(v) => v.truncate(n),
        }
    }
}

/// Strings, each with its length in front.
fn strings<'de, O: Order, S: Source<'de>>(src: &mut S, n: u64) -> Result<BytesColumn> {
    let src = &mut src.erase();
    let at = src.pos();
    let n = checked(src, i128::from(n), (4, usize::MAX), u64::MAX, at)?;
    let mut column = BytesColumn::new();
    for i in 0..n {
        src.open(Label::Index(i), "string");
        push_string::<O>(src, &mut column).map_err(|e| e.within(Step::Index(i)))?;
        src.close();
    }
    Ok(column)
}

/// Numbers of type `longdouble`, of each of which a tracing source hears.
fn long_doubles<O: Order>(src: &mut Erased<'_, '_>, n: u64) -> Result<Vec<X87>> {
    let at = src.pos();
    let n = checked(src, i128::from(n), (16, size_of::<X87>()), u64::MAX, at)?;
    src.charge(times(n, size_of::<X87>()))?;
    let mut all = Vec::new();
    bulk::try_room(&mut all, n).map_err(|e| e.at(at))?;
    for i in 0..n {
        src.open(Label::Index(i), DataType::LongDouble.name());
        all.push(X87::decode::<O, _>(src, ()).map_err(|e| e.within(Step::Index(i)))?);
        src.close();
    }
    Ok(all)
}

fn put_strings<O: Order, W: Sink>(column: &BytesColumn, out: &mut W, n: u64) -> Result<()> {
    if column.len() as u64 != n {
        let kind = ErrorKind::LengthMismatch { expected: i128::from(n), found: column.len() as u64 };
        return Err(Error::new(kind, out.pos()));
    }
    for text in column.iter() {
        put_string::<O, W>(text, out)?;
    }
    Ok(())
}

/// A string as [`Text`] writes it.
fn put_string<O: Order, W: Sink>(text: &[u8], out: &mut W) -> Result<()> {
    let at = out.pos();
    match i32::try_from(text.len()) {
        Ok(n) => n.encode::<O, W>(out, ())?,
        Err(_) => {
            let kind = ErrorKind::PrefixOverflow { value: text.len() as u64, max: i32::MAX as u64 };
            return Err(Error::new(kind, at));
        }
    }
    out.bytes(text, 0)
}

#[cold]
pub(crate) fn no_memory(requested: usize, at: u64) -> Error {
    Error::new(ErrorKind::OutOfMemory { requested }, at)
}

/// A string as [`Text`] reads it; a tracing source hears that it is text.
pub(super) fn text<O: Order>(src: &mut Erased<'_, '_>) -> Result<Text> {
    if !src.is_heard() {
        return Text::decode::<O, _>(src, ());
    }
    let at = src.pos();
    src.open(Label::Piece("length"), "");
    let n = i32::decode::<O, _>(src, ())?;
    src.close();
    let n = checked(src, i128::from(n), (1, 1), u64::MAX, at)?;
    src.charge(n)?;
    let mut bytes = Vec::new();
    src.open(Label::Value, "");
    src.append(n, &mut bytes)?;
    src.mark(Kind::Text("text"), O::LE);
    src.close();
    Ok(Text::new(bytes))
}

/// A string as [`Text`] reads it.
fn push_string<O: Order>(src: &mut Erased<'_, '_>, column: &mut BytesColumn) -> Result<()> {
    if src.is_heard() {
        let text = text::<O>(src)?;
        return match column.try_push(text.as_bytes()) {
            true => Ok(()),
            false => Err(no_memory(text.as_bytes().len(), src.pos())),
        };
    }
    let at = src.pos();
    let n = i32::decode::<O, _>(src, ())?;
    let n = checked(src, i128::from(n), (1, 1), u64::MAX, at)?;
    src.charge(n + size_of::<usize>())?;
    let rows = column.len();
    if !ColumnData::room(column, 1) {
        return Err(no_memory(size_of::<usize>(), at));
    }
    let read = column.push_with(|bytes| src.append(n, bytes));
    if read.is_err() {
        // a string that is not whole does not count
        column.truncate(rows);
    }
    read
}

/// An array of a page: its sizes, then its elements, the last index running fastest. The definition is the context.
///
/// ```
/// use binfmt::Options;
/// use binfmt::formats::sdds::{Array, ArrayValue, DataType, Elements};
/// let definition = Array::new("a", DataType::Character, 2);
/// let bytes = [2, 0, 0, 0, 3, 0, 0, 0, 1, 2, 3, 4, 5, 6];
/// let a: ArrayValue = binfmt::from_slice_with(&bytes, &Options::new().ctx(&definition))?;
/// assert_eq!((a.sizes(), a.elements()), (&[2, 3][..], &Elements::from(vec![1u8, 2, 3, 4, 5, 6])));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(array: &Array))]
pub struct ArrayValue {
    #[binfmt(count = array.dimensions, assert(sizes.iter().all(|n| *n >= 0), "a size is negative"))]
    sizes: Vec<i32>,
    #[binfmt(args(array.data_type, num_elements(sizes)))]
    elements: Elements,
}

/// The product of the sizes; a size of 0 makes it 0, regardless of the others.
fn num_elements(sizes: &[i32]) -> u64 {
    if sizes.contains(&0) {
        return 0;
    }
    // a product that does not fit is refused as a count is that no input can hold
    sizes.iter().map(|size| size.unsigned_abs().into()).fold(1, times64)
}

impl ArrayValue {
    /// Reads what [`decode`](Decode::decode) does; sizes and elements are called those of the array itself.
    pub(super) fn read<O: Order>(src: &mut Erased<'_, '_>, array: &Array) -> Result<Self> {
        let at = src.pos();
        let dimensions = checked(src, i128::from(array.dimensions), (4, 4), u64::MAX, at)
            .map_err(|e| e.within(Step::Field("sizes")))?;
        let mut sizes = Vec::new();
        for i in 0..dimensions {
            let at = src.pos();
            src.open(Label::Dimension(i), "");
            let size = i32::decode::<O, _>(src, ())?;
            src.close();
            if size < 0 {
                return Err(Error::message("a size is negative", at).within(Step::Field("sizes")));
            }
            src.charge(size_of::<i32>())?;
            sizes.push(size);
        }
        let n = num_elements(&sizes);
        let elements = match (array.data_type, array.data_type.number_type()) {
            (of, Some(kind)) => {
                src.open(Label::Value, of.name());
                let numbers = Numbers::decode::<O, _>(src, (kind, n))?;
                src.close();
                Elements::Numbers(numbers)
            }
            (DataType::LongDouble, _) => Elements::LongDouble(long_doubles::<O>(src, n)?),
            _ => Elements::String(strings::<O, _>(src, n)?),
        };
        Ok(ArrayValue { sizes, elements })
    }

    /// An array of these sizes; `None` when their product is not the number of elements, or one is above 2³¹ - 1.
    ///
    /// ```
    /// use binfmt::formats::sdds::{ArrayValue, Elements};
    /// assert!(ArrayValue::new(&[2, 2], Elements::from(vec![1i32, 2, 3, 4])).is_some());
    /// assert!(ArrayValue::new(&[2, 2], Elements::from(vec![1i32, 2, 3])).is_none());
    /// ```
    pub fn new(sizes: &[usize], elements: Elements) -> Option<Self> {
        let sizes: core::result::Result<Vec<i32>, _> = sizes.iter().map(|n| i32::try_from(*n)).collect();
        let sizes = sizes.ok()?;
        (num_elements(&sizes) == elements.len() as u64).then_some(ArrayValue { sizes, elements })
    }

    /// The sizes, one for each dimension.
    ///
    /// ```
    /// use binfmt::formats::sdds::{ArrayValue, Elements};
    /// assert_eq!(ArrayValue::new(&[1], Elements::from(vec![1i32])).unwrap().sizes(), [1]);
    /// ```
    pub fn sizes(&self) -> &[i32] {
        &self.sizes
    }

    /// The elements, the last index running fastest.
    ///
    /// ```
    /// use binfmt::formats::sdds::{ArrayValue, Elements};
    /// assert_eq!(ArrayValue::new(&[1], Elements::from(vec![1i32])).unwrap().elements().len(), 1);
    /// ```
    pub fn elements(&self) -> &Elements {
        &self.elements
    }

    /// The sizes and the elements.
    ///
    /// ```
    /// use binfmt::formats::sdds::{ArrayValue, Elements};
    /// let (sizes, elements) = ArrayValue::new(&[1], Elements::from(vec![1i32])).unwrap().into_parts();
    /// assert_eq!((sizes, elements.len()), (vec![1], 1));
    /// ```
    pub fn into_parts(self) -> (Vec<i32>, Elements) {
        (self.sizes, self.elements)
    }
}

impl Header {
    /// The types of the columns.
    pub(crate) fn column_types(&self) -> impl Iterator<Item = DataType> + '_ {
        self.columns.iter().map(|c| c.data_type)
    }
}
