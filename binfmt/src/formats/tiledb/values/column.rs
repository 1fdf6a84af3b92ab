//! Values of cells: one attribute or one dimension, cell after cell.

use crate::codec::Layout;
use crate::formats::tiledb::layout::{Attribute, CellValNum, Datatype, Number, Scalar};
use crate::wire::raw::plain::bytes_of;
use crate::{ErrorKind, Result};

/// Numbers of one type, little-endian in files.
pub(crate) trait Value: Layout + Copy + Default + Send + Sync {
    const SIZE: usize;
    /// The values of so many bytes into as many places.
    fn load(from: &[u8], to: &mut [Self]);
    /// One value of at least `SIZE` bytes.
    fn one(from: &[u8]) -> Self;
    fn store(from: &[Self], to: &mut Vec<u8>);
    /// The bytes of the values into so many places.
    fn save(from: &[Self], to: &mut [u8]);
    fn scalar(self) -> Scalar;
    fn vec(values: &mut Values) -> Option<&mut Vec<Self>>;
}

macro_rules! values {
    ($($name:ident $t:ident $n:literal),*) => {
        /// Values of any of the types that an attribute or dimension can have.
        ///
        /// Characters and bytes of text are `U8`, UTF-16 is `U16`, UTF-32 is `U32`, times are `I64`.
        ///
        /// ```
        /// use binfmt::formats::tiledb::{Scalar, Values};
        /// let values = Values::I32(vec![1, 2]);
        /// assert_eq!((values.len(), values.get(1)), (2, Some(Scalar::I32(2))));
        /// ```
        #[derive(Clone, Debug)]
        #[allow(missing_docs)]
        pub enum Values {
            $($name(Vec<$t>),)*
        }

        /// Values are equal when their bytes are, so that a NaN is equal to itself.
        impl PartialEq for Values {
            fn eq(&self, other: &Self) -> bool {
                match (self, other) {
                    $((Values::$name(a), Values::$name(b)) => {
                        let same = |(a, b): (&$t, &$t)| a.to_le_bytes() == b.to_le_bytes();
                        a.len() == b.len() && a.iter().zip(b).all(same)
                    })*
                    _ => false,
                }
            }
        }

        impl Values {
            /// No values of this type.
            ///
            /// ```
            /// use binfmt::formats::tiledb::{Number, Values};
            /// assert!(Values::new(Number::F64).is_empty());
            /// ```
            pub fn new(number: Number) -> Values {
                match number {
                    $(Number::$name => Values::$name(Vec::new()),)*
                }
            }

            /// The lowest bits of these numbers as integers of a type.
            pub(crate) fn of_bits(number: Number, bits: &[u64]) -> Values {
                match number {
                    $(Number::$name => Values::$name(bits.iter().map(|v| *v as $t).collect()),)*
                }
            }

            /// The number of values.
            ///
            /// ```
            /// assert_eq!(binfmt::formats::tiledb::Values::U8(vec![7]).len(), 1);
            /// ```
            pub fn len(&self) -> usize {
                match self {
                    $(Values::$name(values) => values.len(),)*
                }
            }

            /// The value at a place.
            ///
            /// ```
            /// assert_eq!(binfmt::formats::tiledb::Values::U8(vec![]).get(0), None);
            /// ```
            pub fn get(&self, i: usize) -> Option<Scalar> {
                match self {
                    $(Values::$name(values) => values.get(i).copied().map(Scalar::$name),)*
                }
            }

            /// The type of the values.
            ///
            /// ```
            /// use binfmt::formats::tiledb::{Number, Values};
            /// assert_eq!(Values::F32(vec![]).number(), Number::F32);
            /// ```
            pub fn number(&self) -> Number {
                match self {
                    $(Values::$name(_) => Number::$name,)*
                }
            }

            /// The bytes of the values, little-endian.
            ///
            /// ```
            /// assert_eq!(binfmt::formats::tiledb::Values::I16(vec![-1, 2]).to_bytes(), [0xff, 0xff, 2, 0]);
            /// ```
            pub fn to_bytes(&self) -> Vec<u8> {
                let mut out = Vec::with_capacity(self.len() * self.number().size());
                match self {
                    $(Values::$name(values) => $t::store(values, &mut out),)*
                }
                out
            }
        }

        $(impl Value for $t {
            const SIZE: usize = $n;

            fn load(from: &[u8], to: &mut [Self]) {
                for (to, from) in to.iter_mut().zip(from.as_chunks::<$n>().0) {
                    *to = $t::from_le_bytes(*from);
                }
            }

            fn one(from: &[u8]) -> Self {
                from.first_chunk().map_or($t::default(), |bytes| $t::from_le_bytes(*bytes))
            }

            fn store(from: &[Self], to: &mut Vec<u8>) {
                match bytes_of($t::FACTS, from) {
                    Some(bytes) => to.extend_from_slice(bytes),
                    None => to.extend(from.iter().flat_map(|value| value.to_le_bytes())),
                }
            }

            fn save(from: &[Self], to: &mut [u8]) {
                for (from, to) in from.iter().zip(to.as_chunks_mut::<$n>().0) {
                    *to = from.to_le_bytes();
                }
            }

            fn scalar(self) -> Scalar {
                Scalar::$name(self)
            }

            fn vec(values: &mut Values) -> Option<&mut Vec<Self>> {
                match values {
                    Values::$name(values) => Some(values),
                    _ => None,
                }
            }
        })*
    };
}
values!(I8 i8 1, U8 u8 1, I16 i16 2, U16 u16 2, I32 i32 4, U32 u32 4, I64 i64 8, U64 u64 8, F32 f32 4, F64 f64 8);

/// Runs code with the vector inside of [`Values`], whatever its type.
macro_rules! with_values {
    ($values:expr, $v:ident => $body:expr) => {
        match $values {
            Values::I8($v) => $body,
            Values::U8($v) => $body,
            Values::I16($v) => $body,
            Values::U16($v) => $body,
            Values::I32($v) => $body,
            Values::U32($v) => $body,
            Values::I64($v) => $body,
            Values::U64($v) => $body,
            Values::F32($v) => $body,
            Values::F64($v) => $body,
        }
    };
}
pub(crate) use with_values;

impl Values {
    /// The values whose bytes these are, little-endian; `None` when the bytes end inside of one.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Number, Values};
    /// assert_eq!(Values::from_bytes(Number::U16, &[1, 0]), Some(Values::U16(vec![1])));
    /// assert_eq!(Values::from_bytes(Number::U16, &[1]), None);
    /// ```
    pub fn from_bytes(number: Number, bytes: &[u8]) -> Option<Values> {
        let mut values = Values::new(number);
        values.extend_from_bytes(bytes);
        bytes.len().is_multiple_of(number.size()).then_some(values)
    }

    /// Whether there are none.
    ///
    /// ```
    /// assert!(binfmt::formats::tiledb::Values::U8(vec![]).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn num_bytes(&self) -> usize {
        self.len() * self.number().size()
    }

    /// Appends the values of these little-endian bytes.
    pub(crate) fn extend_from_bytes(&mut self, bytes: &[u8]) {
        fn extend<T: Value>(values: &mut Vec<T>, bytes: &[u8]) {
            let at = values.len();
            values.resize(at + bytes.len() / T::SIZE, T::default());
            T::load(bytes, &mut values[at..]);
        }
        with_values!(self, values => extend(values, bytes));
    }

    /// Appends values of the same type; others are none.
    pub(crate) fn append(&mut self, other: &Values) {
        match (self, other) {
            (Values::I8(a), Values::I8(b)) => a.extend_from_slice(b),
            (Values::U8(a), Values::U8(b)) => a.extend_from_slice(b),
            (Values::I16(a), Values::I16(b)) => a.extend_from_slice(b),
            (Values::U16(a), Values::U16(b)) => a.extend_from_slice(b),
            (Values::I32(a), Values::I32(b)) => a.extend_from_slice(b),
            (Values::U32(a), Values::U32(b)) => a.extend_from_slice(b),
            (Values::I64(a), Values::I64(b)) => a.extend_from_slice(b),
            (Values::U64(a), Values::U64(b)) => a.extend_from_slice(b),
            (Values::F32(a), Values::F32(b)) => a.extend_from_slice(b),
            (Values::F64(a), Values::F64(b)) => a.extend_from_slice(b),
            _ => {}
        }
    }

    /// The values of these cells, `n` each.
    pub(crate) fn gather(&self, cells: &[usize], n: usize) -> Values {
        fn gather<T: Value>(values: &[T], cells: &[usize], n: usize) -> Vec<T> {
            if n == 1 {
                return cells.iter().map(|cell| values.get(*cell).copied().unwrap_or_default()).collect();
            }
            let cell = |cell: &usize| values.get(cell * n..(cell + 1) * n).unwrap_or_default();
            cells.iter().flat_map(cell).copied().collect()
        }
        match self {
            Values::I8(v) => Values::I8(gather(v, cells, n)),
            Values::U8(v) => Values::U8(gather(v, cells, n)),
            Values::I16(v) => Values::I16(gather(v, cells, n)),
            Values::U16(v) => Values::U16(gather(v, cells, n)),
            Values::I32(v) => Values::I32(gather(v, cells, n)),
            Values::U32(v) => Values::U32(gather(v, cells, n)),
            Values::I64(v) => Values::I64(gather(v, cells, n)),
            Values::U64(v) => Values::U64(gather(v, cells, n)),
            Values::F32(v) => Values::F32(gather(v, cells, n)),
            Values::F64(v) => Values::F64(gather(v, cells, n)),
        }
    }
}

/// The values of one attribute, cell after cell.
///
/// A cell has one value, or [`CellValNum::fixed`] of them, or those between two [`offsets`](Column::offsets).
///
/// ```
/// use binfmt::formats::tiledb::{CellValNum, Column, Datatype, Scalar, Values};
/// let column = Column::variable(Datatype::StringAscii, Values::U8(b"abb".to_vec()), vec![0, 1, 3]).unwrap();
/// assert_eq!(column.num_cells(), 2);
/// assert_eq!(column.cell(1).collect::<Vec<_>>(), [Scalar::U8(b'b'), Scalar::U8(b'b')]);
/// assert_eq!(column.text(1), Some("bb"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    datatype: Datatype,
    cell_val_num: CellValNum,
    values: Values,
    /// Of variable cells: where each begins among the values, and the end of the last.
    offsets: Vec<usize>,
}

impl Column {
    /// Cells of a fixed number of values; `None` when the values are of another type or no whole cells.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{CellValNum, Column, Datatype, Values};
    /// let column = Column::fixed(Datatype::Int32, CellValNum::ONE, Values::I32(vec![1, 2])).unwrap();
    /// assert_eq!(column.num_cells(), 2);
    /// assert_eq!(Column::fixed(Datatype::Int32, CellValNum::ONE, Values::U8(vec![1])), None);
    /// ```
    pub fn fixed(datatype: Datatype, cell_val_num: CellValNum, values: Values) -> Option<Column> {
        let n = cell_val_num.fixed()?;
        let whole = n > 0 && values.len().is_multiple_of(n as usize);
        (whole && datatype.number() == Some(values.number())).then_some(Column {
            datatype,
            cell_val_num,
            values,
            offsets: Vec::new(),
        })
    }

    /// Cells of any number of values: cell i is `values[offsets[i]..offsets[i + 1]]`. `None` when the offsets do not go
    /// from 0 to the number of values, or fall, or the values are of another type.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Column, Datatype, Values};
    /// assert!(Column::variable(Datatype::Any, Values::U8(vec![1, 2]), vec![0, 3]).is_none());
    /// ```
    pub fn variable(datatype: Datatype, values: Values, offsets: Vec<usize>) -> Option<Column> {
        let ends = offsets.first() == Some(&0) && offsets.last() == Some(&values.len());
        (ends && offsets.is_sorted() && datatype.number() == Some(values.number())).then_some(Column {
            datatype,
            cell_val_num: CellValNum::VAR,
            values,
            offsets,
        })
    }

    /// The datatype of the attribute.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Column, Datatype, Values};
    /// let column = Column::variable(Datatype::Any, Values::U8(vec![]), vec![0]).unwrap();
    /// assert_eq!(column.datatype(), Datatype::Any);
    /// ```
    pub fn datatype(&self) -> Datatype {
        self.datatype
    }

    /// How many values a cell has.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{CellValNum, Column, Datatype, Values};
    /// let column = Column::fixed(Datatype::Char, CellValNum::new(2).unwrap(), Values::U8(vec![0; 6])).unwrap();
    /// assert_eq!((column.cell_val_num().fixed(), column.num_cells()), (Some(2), 3));
    /// ```
    pub fn cell_val_num(&self) -> CellValNum {
        self.cell_val_num
    }

    /// All values, cell after cell.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{CellValNum, Column, Datatype, Values};
    /// let column = Column::fixed(Datatype::Int8, CellValNum::ONE, Values::I8(vec![5])).unwrap();
    /// assert_eq!(column.values(), &Values::I8(vec![5]));
    /// ```
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Of variable cells, where each begins among the values, and the end of the last; empty for fixed ones.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Column, Datatype, Values};
    /// let column = Column::variable(Datatype::Any, Values::U8(vec![1, 2]), vec![0, 0, 2]).unwrap();
    /// assert_eq!(column.offsets(), [0, 0, 2]);
    /// ```
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The number of cells.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Column, Datatype, Values};
    /// assert_eq!(Column::variable(Datatype::Any, Values::U8(vec![]), vec![0, 0]).unwrap().num_cells(), 1);
    /// ```
    pub fn num_cells(&self) -> usize {
        match self.cell_val_num.fixed() {
            Some(n) => self.values.len() / (n as usize).max(1),
            None => self.offsets.len().saturating_sub(1),
        }
    }

    /// The values of a cell; none behind the last cell.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Column, Datatype, Values};
    /// let column = Column::variable(Datatype::Any, Values::U8(vec![1, 2]), vec![0, 0, 2]).unwrap();
    /// assert_eq!(column.cell(1).count(), 2);
    /// ```
    pub fn cell(&self, i: usize) -> impl Iterator<Item = Scalar> + '_ {
        let range = self.range(i).unwrap_or(0..0);
        range.filter_map(|k| self.values.get(k))
    }

    /// The text of a cell whose type is ASCII or UTF-8, or characters; `None` when it is no UTF-8, or of another type.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Column, Datatype, Values};
    /// let column = Column::variable(Datatype::Char, Values::U8(b"hi".to_vec()), vec![0, 2]).unwrap();
    /// assert_eq!(column.text(0), Some("hi"));
    /// ```
    pub fn text(&self, i: usize) -> Option<&str> {
        if !matches!(self.datatype, Datatype::Char | Datatype::StringAscii | Datatype::StringUtf8) {
            return None;
        }
        let Values::U8(bytes) = &self.values else { return None };
        std::str::from_utf8(bytes.get(self.range(i)?)?).ok()
    }

    /// Whether a cell holds the [fill value](Datatype::fill) of its type, as every cell does that was never written: once in
    /// a cell of any number of values, otherwise in each. The format has no other mark of such cells.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{CellValNum, Column, Datatype, Values};
    /// let column = Column::fixed(Datatype::Int8, CellValNum::ONE, Values::I8(vec![3, -128])).unwrap();
    /// assert!(!column.is_fill(0) && column.is_fill(1));
    /// ```
    pub fn is_fill(&self, i: usize) -> bool {
        let fill = Values::from_bytes(self.values.number(), self.datatype.fill());
        let fill = fill.and_then(|fill| fill.get(0));
        let (mut values, mut same) = (0u32, true);
        for value in self.cell(i) {
            values += 1;
            same &= Some(value) == fill;
        }
        same && values == self.cell_val_num.fixed().unwrap_or(1)
    }

    pub(crate) fn into_values(self) -> Values {
        self.values
    }

    /// Where the values of a cell are.
    pub(crate) fn range(&self, i: usize) -> Option<std::ops::Range<usize>> {
        if i >= self.num_cells() {
            return None;
        }
        match self.cell_val_num.fixed() {
            Some(n) => Some(i * n as usize..(i + 1) * n as usize),
            None => Some(*self.offsets.get(i)?..*self.offsets.get(i + 1)?),
        }
    }
}

/// The column of an attribute, unless its values end inside of a cell.
pub(crate) fn whole(column: Option<Column>, attribute: &Attribute) -> Result<Column> {
    column.ok_or_else(|| {
        ErrorKind::invalid("column", &attribute.name, "its values end inside of a cell").into()
    })
}
