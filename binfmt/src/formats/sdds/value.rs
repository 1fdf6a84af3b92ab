//! Values and runs of values of one type, as they stand in binary pages.

use super::ascii;
use super::header::{Array, Header, Parameter};
use super::text::Text;
use super::types::DataType;
use super::x87::X87;
use crate::BinFormat;
use crate::columns::{BytesColumn, ColumnData};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// One value; the type is its context.
///
/// ```
/// use binfmt::Options;
/// use binfmt::formats::sdds::{DataType, Value};
/// let v: Value = binfmt::from_slice_with(&[0, 1], &Options::new().ctx(DataType::Short))?;
/// assert_eq!(v, Value::Short(256));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(kind: DataType), tag_from = kind)]
pub enum Value {
    /// `short`.
    #[binfmt(tag = DataType::Short)]
    Short(i16),
    /// `ushort`.
    #[binfmt(tag = DataType::UShort)]
    UShort(u16),
    /// `long`.
    #[binfmt(tag = DataType::Long)]
    Long(i32),
    /// `ulong`.
    #[binfmt(tag = DataType::ULong)]
    ULong(u32),
    /// `long64`.
    #[binfmt(tag = DataType::Long64)]
    Long64(i64),
    /// `ulong64`.
    #[binfmt(tag = DataType::ULong64)]
    ULong64(u64),
    /// `float`.
    #[binfmt(tag = DataType::Float)]
    Float(f32),
    /// `double`.
    #[binfmt(tag = DataType::Double)]
    Double(f64),
    /// `longdouble`.
    #[binfmt(tag = DataType::LongDouble)]
    LongDouble(X87),
    /// `string`.
    #[binfmt(tag = DataType::String)]
    String(Text),
    /// `character`.
    #[binfmt(tag = DataType::Character)]
    Character(u8),
}

impl Value {
    /// The type.
    ///
    /// ```
    /// use binfmt::formats::sdds::{DataType, Value};
    /// assert_eq!(Value::Float(1.0).data_type(), DataType::Float);
    /// ```
    pub fn data_type(&self) -> DataType {
        match self {
            Value::Short(_) => DataType::Short,
            Value::UShort(_) => DataType::UShort,
            Value::Long(_) => DataType::Long,
            Value::ULong(_) => DataType::ULong,
            Value::Long64(_) => DataType::Long64,
            Value::ULong64(_) => DataType::ULong64,
            Value::Float(_) => DataType::Float,
            Value::Double(_) => DataType::Double,
            Value::LongDouble(_) => DataType::LongDouble,
            Value::String(_) => DataType::String,
            Value::Character(_) => DataType::Character,
        }
    }
}

impl Parameter {
    /// The value of `fixed_value`, or why it is none of the parameter's type; `None` when the pages have the values.
    ///
    /// ```
    /// use binfmt::formats::sdds::{DataType, Parameter, Value};
    /// let p = Parameter::new("n", DataType::Long);
    /// assert!(p.fixed().is_none());
    /// assert_eq!(p.clone().fixed_value("42").fixed(), Some(Ok(Value::Long(42))));
    /// assert_eq!(p.fixed_value("abc").fixed(), Some(Err("the fixed value `abc` is no long".into())));
    /// ```
    pub fn fixed(&self) -> Option<Result<Value, String>> {
        let text = self.fixed_value.as_ref()?;
        let value = ascii::alone(self.data_type, text.as_bytes());
        Some(value.ok_or_else(|| format!("the fixed value `{text}` is no {}", self.data_type)))
    }
}

/// Many values of one type: of an array, or of a column. Type and number are the context.
///
/// ```
/// use binfmt::Options;
/// use binfmt::formats::sdds::{DataType, Elements};
/// let options = Options::new().ctx((DataType::Short, 2));
/// let e: Elements = binfmt::from_slice_with(&[1, 0, 2, 0], &options)?;
/// assert_eq!(e, Elements::Short(vec![1, 2]));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(BinFormat, Clone, Debug, PartialEq)]
#[binfmt(ctx(kind: DataType, n: u64), tag_from = kind)]
pub enum Elements {
    /// `short`.
    #[binfmt(tag = DataType::Short)]
    Short(#[binfmt(count = n)] Vec<i16>),
    /// `ushort`.
    #[binfmt(tag = DataType::UShort)]
    UShort(#[binfmt(count = n)] Vec<u16>),
    /// `long`.
    #[binfmt(tag = DataType::Long)]
    Long(#[binfmt(count = n)] Vec<i32>),
    /// `ulong`.
    #[binfmt(tag = DataType::ULong)]
    ULong(#[binfmt(count = n)] Vec<u32>),
    /// `long64`.
    #[binfmt(tag = DataType::Long64)]
    Long64(#[binfmt(count = n)] Vec<i64>),
    /// `ulong64`.
    #[binfmt(tag = DataType::ULong64)]
    ULong64(#[binfmt(count = n)] Vec<u64>),
    /// `float`.
    #[binfmt(tag = DataType::Float)]
    Float(#[binfmt(count = n)] Vec<f32>),
    /// `double`.
    #[binfmt(tag = DataType::Double)]
    Double(#[binfmt(count = n)] Vec<f64>),
    /// `longdouble`.
    #[binfmt(tag = DataType::LongDouble)]
    LongDouble(#[binfmt(count = n)] Vec<X87>),
    /// `string`: each with its length in front.
    #[binfmt(tag = DataType::String)]
    String(#[binfmt(with = strings, args(n))] BytesColumn),
    /// `character`.
    #[binfmt(tag = DataType::Character)]
    Character(#[binfmt(count = n)] Vec<u8>),
}

/// Runs `$body` with `$v` as the vector or column inside.
macro_rules! each_kind {
    ($elements:expr, $v:ident => $body:expr) => {
        match $elements {
            Elements::Short($v) => $body,
            Elements::UShort($v) => $body,
            Elements::Long($v) => $body,
            Elements::ULong($v) => $body,
            Elements::Long64($v) => $body,
            Elements::ULong64($v) => $body,
            Elements::Float($v) => $body,
            Elements::Double($v) => $body,
            Elements::LongDouble($v) => $body,
            Elements::String($v) => $body,
            Elements::Character($v) => $body,
        }
    };
}

impl Elements {
    /// No values of a type.
    ///
    /// ```
    /// use binfmt::formats::sdds::{DataType, Elements};
    /// assert!(Elements::empty(DataType::Long).is_empty());
    /// ```
    pub fn empty(kind: DataType) -> Self {
        match kind {
            DataType::Short => Elements::Short(Vec::new()),
            DataType::UShort => Elements::UShort(Vec::new()),
            DataType::Long => Elements::Long(Vec::new()),
            DataType::ULong => Elements::ULong(Vec::new()),
            DataType::Long64 => Elements::Long64(Vec::new()),
            DataType::ULong64 => Elements::ULong64(Vec::new()),
            DataType::Float => Elements::Float(Vec::new()),
            DataType::Double => Elements::Double(Vec::new()),
            DataType::LongDouble => Elements::LongDouble(Vec::new()),
            DataType::String => Elements::String(BytesColumn::new()),
            DataType::Character => Elements::Character(Vec::new()),
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

    /// The type.
    ///
    /// ```
    /// use binfmt::formats::sdds::{DataType, Elements};
    /// assert_eq!(Elements::Float(vec![]).data_type(), DataType::Float);
    /// ```
    pub fn data_type(&self) -> DataType {
        match self {
            Elements::Short(_) => DataType::Short,
            Elements::UShort(_) => DataType::UShort,
            Elements::Long(_) => DataType::Long,
            Elements::ULong(_) => DataType::ULong,
            Elements::Long64(_) => DataType::Long64,
            Elements::ULong64(_) => DataType::ULong64,
            Elements::Float(_) => DataType::Float,
            Elements::Double(_) => DataType::Double,
            Elements::LongDouble(_) => DataType::LongDouble,
            Elements::String(_) => DataType::String,
            Elements::Character(_) => DataType::Character,
        }
    }

    /// How many.
    ///
    /// ```
    /// assert_eq!(binfmt::formats::sdds::Elements::Long(vec![1, 2]).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        each_kind!(self, v => v.len())
    }

    /// Whether there are none.
    ///
    /// ```
    /// assert!(!binfmt::formats::sdds::Elements::Long(vec![1, 2]).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Elements, Value};
    /// assert_eq!(Elements::Long(vec![1, 2]).get(1), Some(Value::Long(2)));
    /// ```
    pub fn get(&self, i: usize) -> Option<Value> {
        Some(match self {
            Elements::Short(v) => Value::Short(*v.get(i)?),
            Elements::UShort(v) => Value::UShort(*v.get(i)?),
            Elements::Long(v) => Value::Long(*v.get(i)?),
            Elements::ULong(v) => Value::ULong(*v.get(i)?),
            Elements::Long64(v) => Value::Long64(*v.get(i)?),
            Elements::ULong64(v) => Value::ULong64(*v.get(i)?),
            Elements::Float(v) => Value::Float(*v.get(i)?),
            Elements::Double(v) => Value::Double(*v.get(i)?),
            Elements::LongDouble(v) => Value::LongDouble(*v.get(i)?),
            Elements::String(v) => Value::String(Text::new(v.get(i)?)),
            Elements::Character(v) => Value::Character(*v.get(i)?),
        })
    }

    /// All of them, one by one.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Elements, Value};
    /// assert_eq!(Elements::Long(vec![1]).iter().next(), Some(Value::Long(1)));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.len()).map_while(|i| self.get(i))
    }

    /// Adds one of the same type; hands it back when it is of another.
    ///
    /// ```
    /// use binfmt::formats::sdds::{Elements, Value};
    /// let mut e = Elements::Long(vec![1]);
    /// assert_eq!(e.push(Value::Long(2)), Ok(()));
    /// assert_eq!(e.push(Value::Float(2.0)), Err(Value::Float(2.0)));
    /// ```
    ///
    /// # Errors
    /// The value is of another type.
    pub fn push(&mut self, value: Value) -> Result<(), Value> {
        match (self, value) {
            (Elements::Short(v), Value::Short(x)) => v.push(x),
            (Elements::UShort(v), Value::UShort(x)) => v.push(x),
            (Elements::Long(v), Value::Long(x)) => v.push(x),
            (Elements::ULong(v), Value::ULong(x)) => v.push(x),
            (Elements::Long64(v), Value::Long64(x)) => v.push(x),
            (Elements::ULong64(v), Value::ULong64(x)) => v.push(x),
            (Elements::Float(v), Value::Float(x)) => v.push(x),
            (Elements::Double(v), Value::Double(x)) => v.push(x),
            (Elements::LongDouble(v), Value::LongDouble(x)) => v.push(x),
            (Elements::String(v), Value::String(x)) => v.push(x.as_bytes()),
            (Elements::Character(v), Value::Character(x)) => v.push(x),
            (_, value) => return Err(value),
        }
        Ok(())
    }

    /// Makes room for `n` values more, of strings without their bytes.
    pub(super) fn room(&mut self, n: usize, at: u64) -> crate::Result<()> {
        match each_kind!(self, v => ColumnData::room(v, n)) {
            true => Ok(()),
            false => Err(no_memory(n.saturating_mul(self.data_type().min_size()), at)),
        }
    }

    /// Drops the first `n`.
    pub(super) fn drop_front(&mut self, n: usize) {
        let n = n.min(self.len());
        each_kind!(self, v => {
            v.drain(..n);
        });
    }

    /// Keeps the first `n`.
    ///
    /// ```
    /// use binfmt::formats::sdds::Elements;
    /// let mut e = Elements::Long(vec![1, 2]);
    /// e.truncate(1);
    /// assert_eq!(e, Elements::Long(vec![1]));
    /// ```
    pub fn truncate(&mut self, n: usize) {
        each_kind!(self, v => v.truncate(n));
    }
}

/// Strings, each with its length in front.
mod strings {
    use super::{BytesColumn, ColumnData, Text};
    use crate::codec::{Decode, Encode};
    use crate::error::{Error, ErrorKind, Result, Step};
    use crate::formats::sdds::table::{at_hand, foresee, push_texts};
    use crate::wire::limits::checked;
    use crate::wire::{Label, Order, Sink, Source};

    pub(super) fn decode<'de, O: Order, S: Source<'de>>(src: &mut S, n: u64) -> Result<BytesColumn> {
        let at = src.pos();
        let n = checked(src, i128::from(n), (4, usize::MAX), u64::MAX, at)?;
        let mut column = BytesColumn::new();
        let mut room = src.expected().is_some_and(|left| n <= left / 4);
        while column.len() < n {
            let i = column.len();
            let missing = n.saturating_sub(i);
            let (whole, size) = {
                let at = src.pos();
                push_texts::<O>(at_hand(src)?, missing, &mut column).map_err(|e| e.at(at))?
            };
            if whole > 0 {
                src.charge(size.saturating_add(whole.saturating_mul(size_of::<usize>())))?;
                src.skip(size as u64)?;
                if core::mem::take(&mut room) {
                    let most = src.expected().unwrap_or(0);
                    foresee(&mut column, missing.saturating_sub(whole), most, src.policy().huge_pages);
                }
                continue;
            }
            src.open(Label::Index(i), "string");
            super::push_string::<O, S>(src, &mut column).map_err(|e| e.within(Step::Index(i)))?;
            src.close();
        }
        Ok(column)
    }

    pub(super) fn encode<O: Order, W: Sink>(column: &BytesColumn, out: &mut W, n: u64) -> Result<()> {
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
    pub(in crate::formats::sdds) fn put_string<O: Order, W: Sink>(text: &[u8], out: &mut W) -> Result<()> {
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
    pub(in crate::formats::sdds) fn no_memory(requested: usize, at: u64) -> Error {
        Error::new(ErrorKind::OutOfMemory { requested }, at)
    }

    /// A string as [`Text`] reads it.
    pub(in crate::formats::sdds) fn push_string<'de, O: Order, S: Source<'de>>(
        src: &mut S,
        column: &mut BytesColumn,
    ) -> Result<()> {
        if S::TRACED {
            let text = Text::decode::<O, S>(src, ())?;
            return match column.try_push(text.as_bytes()) {
                true => Ok(()),
                false => Err(no_memory(text.as_bytes().len(), src.pos())),
            };
        }
        let at = src.pos();
        let n = i32::decode::<O, S>(src, ())?;
        let n = checked(src, i128::from(n), (1, 1), u64::MAX, at)?;
        src.charge(n.saturating_add(size_of::<usize>()))?;
        let rows = column.len();
        if !ColumnData::room(column, 1) {
            return Err(no_memory(size_of::<usize>(), at));
        }
        let read = column.push_with(|bytes| src.append(n, bytes));
        if read.is_err() {
            // a string that is not whole is none
            column.truncate(rows);
        }
        read
    }
}
pub(super) use strings::{no_memory, push_string, put_string};

/// An array of a page: its sizes, then its elements, the last index running fastest. The definition is the context.
///
/// ```
/// use binfmt::Options;
/// use binfmt::formats::sdds::{Array, ArrayValue, DataType, Elements};
/// let definition = Array::new("a", DataType::Character, 2);
/// let bytes = [2, 0, 0, 0, 3, 0, 0, 0, 1, 2, 3, 4, 5, 6];
/// let a: ArrayValue = binfmt::from_slice_with(&bytes, &Options::new().ctx(&definition))?;
/// assert_eq!((a.sizes(), a.elements()), (&[2, 3][..], &Elements::Character(vec![1, 2, 3, 4, 5, 6])));
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

/// The product of the sizes; a size of 0 makes it 0, whatever the others are.
fn num_elements(sizes: &[i32]) -> u64 {
    if sizes.contains(&0) {
        return 0;
    }
    // a product that does not fit is refused as a count is that no input can hold
    sizes.iter().fold(1u64, |n, size| n.saturating_mul(u64::from(size.unsigned_abs())))
}

impl ArrayValue {
    /// An array of these sizes; `None` when their product is not the number of elements, or one is above 2³¹ - 1.
    ///
    /// ```
    /// use binfmt::formats::sdds::{ArrayValue, Elements};
    /// assert!(ArrayValue::new(&[2, 2], Elements::Long(vec![1, 2, 3, 4])).is_some());
    /// assert!(ArrayValue::new(&[2, 2], Elements::Long(vec![1, 2, 3])).is_none());
    /// ```
    pub fn new(sizes: &[usize], elements: Elements) -> Option<Self> {
        let sizes: Result<Vec<i32>, _> = sizes.iter().map(|n| i32::try_from(*n)).collect();
        let sizes = sizes.ok()?;
        (num_elements(&sizes) == elements.len() as u64).then_some(ArrayValue { sizes, elements })
    }

    /// The sizes, one for each dimension.
    ///
    /// ```
    /// use binfmt::formats::sdds::{ArrayValue, Elements};
    /// assert_eq!(ArrayValue::new(&[1], Elements::Long(vec![1])).unwrap().sizes(), [1]);
    /// ```
    pub fn sizes(&self) -> &[i32] {
        &self.sizes
    }

    /// The elements, the last index running fastest.
    ///
    /// ```
    /// use binfmt::formats::sdds::{ArrayValue, Elements};
    /// assert_eq!(ArrayValue::new(&[1], Elements::Long(vec![1])).unwrap().elements().len(), 1);
    /// ```
    pub fn elements(&self) -> &Elements {
        &self.elements
    }
}

impl Header {
    /// The types of the parameters that pages hold.
    pub(super) fn stored_types(&self) -> impl Iterator<Item = DataType> + '_ {
        self.stored_parameters().map(|p| p.data_type)
    }

    /// The types of the columns.
    pub(super) fn column_types(&self) -> impl Iterator<Item = DataType> + '_ {
        self.columns.iter().map(|c| c.data_type)
    }
}
