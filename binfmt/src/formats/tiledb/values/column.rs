//! Values of cells: one attribute or one dimension, cell after cell.

use crate::formats::tiledb::layout::{Attribute, CellValNum, Datatype};
use crate::numbers::{Number, Numbers};
use crate::value::Value;
use crate::{ErrorKind, Result};

/// The values of one attribute, cell after cell.
///
/// A cell has one value, or [`CellValNum::fixed`] of them, or those between two [`offsets`](Column::offsets).
///
/// ```
/// use binfmt::formats::tiledb::{CellValNum, Column, Datatype, Number, Numbers};
/// let column = Column::variable(Datatype::StringAscii, Numbers::U8(b"abb".to_vec()), vec![0, 1, 3]).unwrap();
/// assert_eq!(column.num_cells(), 2);
/// assert_eq!(column.cell(1).collect::<Vec<_>>(), [Number::U8(b'b'), Number::U8(b'b')]);
/// assert_eq!(column.text(1), Some("bb"));
/// ```
#[derive(Clone, Debug)]
pub struct Column {
    datatype: Datatype,
    cell_val_num: CellValNum,
    values: Numbers,
    /// Of variable cells: where each begins among the values, and the end of the last.
    offsets: Vec<usize>,
}

/// Columns are equal when their bytes are, so that a NaN is equal to itself.
impl PartialEq for Column {
    fn eq(&self, other: &Self) -> bool {
        (self.datatype, self.cell_val_num, &self.offsets)
            == (other.datatype, other.cell_val_num, &other.offsets)
            && self.values.is_same(&other.values)
    }
}

impl Column {
    /// Cells of a fixed number of values; `None` when the values are of another type or no whole cells.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{CellValNum, Column, Datatype, Numbers};
    /// let column = Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::I32(vec![1, 2])).unwrap();
    /// assert_eq!(column.num_cells(), 2);
    /// assert_eq!(Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::U8(vec![1])), None);
    /// ```
    pub fn fixed(datatype: Datatype, cell_val_num: CellValNum, values: Numbers) -> Option<Column> {
        let n = cell_val_num.fixed()?;
        let whole = n > 0 && values.len().is_multiple_of(n as usize);
        (whole && datatype.number_type() == Some(values.number_type())).then_some(Column {
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
    /// use binfmt::formats::tiledb::{Column, Datatype, Numbers};
    /// assert!(Column::variable(Datatype::Any, Numbers::U8(vec![1, 2]), vec![0, 3]).is_none());
    /// ```
    pub fn variable(datatype: Datatype, values: Numbers, offsets: Vec<usize>) -> Option<Column> {
        let ends = offsets.first() == Some(&0) && offsets.last() == Some(&values.len());
        (ends && offsets.is_sorted() && datatype.number_type() == Some(values.number_type()))
            .then_some(Column { datatype, cell_val_num: CellValNum::VAR, values, offsets })
    }

    /// The datatype of the attribute.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Column, Datatype, Numbers};
    /// let column = Column::variable(Datatype::Any, Numbers::U8(vec![]), vec![0]).unwrap();
    /// assert_eq!(column.datatype(), Datatype::Any);
    /// ```
    pub fn datatype(&self) -> Datatype {
        self.datatype
    }

    /// How many values a cell has.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{CellValNum, Column, Datatype, Numbers};
    /// let column = Column::fixed(Datatype::Char, CellValNum::new(2).unwrap(), Numbers::U8(vec![0; 6])).unwrap();
    /// assert_eq!((column.cell_val_num().fixed(), column.num_cells()), (Some(2), 3));
    /// ```
    pub fn cell_val_num(&self) -> CellValNum {
        self.cell_val_num
    }

    /// All values, cell after cell.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{CellValNum, Column, Datatype, Numbers};
    /// let column = Column::fixed(Datatype::Int8, CellValNum::ONE, Numbers::I8(vec![5])).unwrap();
    /// assert_eq!(column.values(), &Numbers::I8(vec![5]));
    /// ```
    pub fn values(&self) -> &Numbers {
        &self.values
    }

    /// Of variable cells, where each begins among the values, and the end of the last; empty for fixed ones.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Column, Datatype, Numbers};
    /// let column = Column::variable(Datatype::Any, Numbers::U8(vec![1, 2]), vec![0, 0, 2]).unwrap();
    /// assert_eq!(column.offsets(), [0, 0, 2]);
    /// ```
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The number of cells.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Column, Datatype, Numbers};
    /// assert_eq!(Column::variable(Datatype::Any, Numbers::U8(vec![]), vec![0, 0]).unwrap().num_cells(), 1);
    /// ```
    pub fn num_cells(&self) -> usize {
        match self.cell_val_num.fixed() {
            Some(n) => self.values.len() / (n as usize).max(1),
            // one more than cells
            None => self.offsets.len() - 1,
        }
    }

    /// The values of a cell; there are none after the last cell.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Column, Datatype, Numbers};
    /// let column = Column::variable(Datatype::Any, Numbers::U8(vec![1, 2]), vec![0, 0, 2]).unwrap();
    /// assert_eq!(column.cell(1).count(), 2);
    /// ```
    pub fn cell(&self, i: usize) -> impl Iterator<Item = Number> + '_ {
        let range = self.range(i).unwrap_or(0..0);
        range.filter_map(|k| self.values.get(k))
    }

    /// The text of a cell whose type is ASCII or UTF-8, or characters; `None` when it is not UTF-8, or of another type.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Column, Datatype, Numbers};
    /// let column = Column::variable(Datatype::Char, Numbers::U8(b"hi".to_vec()), vec![0, 2]).unwrap();
    /// assert_eq!(column.text(0), Some("hi"));
    /// ```
    pub fn text(&self, i: usize) -> Option<&str> {
        if !self.datatype.is_byte_text() {
            return None;
        }
        let Numbers::U8(bytes) = &self.values else { return None };
        std::str::from_utf8(bytes.get(self.range(i)?)?).ok()
    }

    /// A cell as a value: a number, a list of numbers, a text in the encoding of its type, or the bytes of one that is not in it.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Column, Datatype, Numbers};
    /// use binfmt::value::Value;
    /// let column = Column::variable(Datatype::StringUtf16, Numbers::U16(vec![104, 105]), vec![0, 2]).unwrap();
    /// assert_eq!(column.value(0), Value::Text("hi".into()));
    /// ```
    pub fn value(&self, i: usize) -> Value {
        if let Some(text) = self.text(i) {
            return Value::Text(text.to_owned());
        }
        if self.datatype.is_text() {
            return encoded_text(self.datatype, self.cell(i));
        }
        let mut numbers = self.cell(i).map(Value::from);
        match self.cell_val_num {
            CellValNum::ONE => numbers.next().unwrap_or(Value::Unit),
            _ => Value::List(numbers.collect()),
        }
    }

    /// Whether a cell contains the [fill value](Datatype::fill) of its type, as every cell does that was never written: once in
    /// a cell of any number of values, otherwise in each. The format has no other mark of such cells.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{CellValNum, Column, Datatype, Numbers};
    /// let column = Column::fixed(Datatype::Int8, CellValNum::ONE, Numbers::I8(vec![3, -128])).unwrap();
    /// assert!(!column.is_fill(0) && column.is_fill(1));
    /// ```
    pub fn is_fill(&self, i: usize) -> bool {
        let fill = Numbers::from_le_bytes(self.values.number_type(), self.datatype.fill());
        let Some(fill) = fill.and_then(|fill| fill.get(0)) else { return false };
        let values = self.range(i).map_or(0, |range| range.len());
        values == self.cell_val_num.fixed().unwrap_or(1) as usize
            && self.cell(i).all(|value| value.is_same(fill))
    }

    /// The values and, of cells of any length, where each begins: nothing is copied.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{CellValNum, Column, Datatype, Numbers};
    /// let column = Column::fixed(Datatype::Int32, CellValNum::ONE, Numbers::from(vec![1i32])).unwrap();
    /// assert_eq!(column.into_parts(), (Numbers::from(vec![1i32]), vec![]));
    /// ```
    pub fn into_parts(self) -> (Numbers, Vec<usize>) {
        (self.values, self.offsets)
    }

    /// Adds the cells of another column of the same type; says whether it is of the same type.
    ///
    /// ```
    /// use binfmt::formats::tiledb::{Column, Datatype, Numbers};
    /// let of = |text: &str| Column::variable(Datatype::Char, Numbers::U8(text.into()), vec![0, text.len()]).unwrap();
    /// let mut column = of("ab");
    /// assert!(column.append(&of("c")));
    /// assert_eq!((column.num_cells(), column.text(1)), (2, Some("c")));
    /// ```
    pub fn append(&mut self, other: &Column) -> bool {
        let before = self.values.len();
        let is_same = (self.datatype, self.cell_val_num) == (other.datatype, other.cell_val_num);
        if !is_same || !self.values.append(&other.values) {
            return false;
        }
        self.offsets.extend(other.offsets.iter().skip(1).map(|at| at + before));
        true
    }

    /// Takes the cells from one on; none if there are fewer.
    pub(crate) fn split_off(&mut self, cell: usize) -> Column {
        let cell = cell.min(self.num_cells());
        let (at, offsets) = match self.cell_val_num.fixed() {
            Some(n) => (cell * n as usize, Vec::new()),
            None => {
                let at = self.offsets[cell];
                let offsets = self.offsets[cell..].iter().map(|offset| offset - at).collect();
                self.offsets.truncate(cell + 1);
                (at, offsets)
            }
        };
        Column { values: self.values.split_off(at), offsets, ..*self }
    }

    pub(crate) fn into_values(self) -> Numbers {
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

/// The column of an attribute, unless its values end inside a cell.
pub(crate) fn whole(column: Option<Column>, attribute: &Attribute) -> Result<Column> {
    column.ok_or_else(|| ErrorKind::invalid("column", &attribute.name, "its values end inside a cell").into())
}

/// The characters of a cell, where they are text in the encoding of its type.
fn encoded_text(datatype: Datatype, values: impl Iterator<Item = Number>) -> Value {
    let units: Vec<u32> = values.filter_map(|v| u32::try_from(v.as_i128()?).ok()).collect();
    let text: Option<String> = match datatype {
        Datatype::StringUtf16 | Datatype::StringUcs2 => {
            char::decode_utf16(units.iter().map(|unit| *unit as u16)).collect::<Result<_, _>>().ok()
        }
        Datatype::StringUtf32 | Datatype::StringUcs4 => {
            units.iter().map(|unit| char::from_u32(*unit)).collect()
        }
        _ => None,
    };
    let size = datatype.size().unwrap_or(1);
    let bytes = || units.iter().flat_map(|unit| unit.to_le_bytes().into_iter().take(size)).collect();
    text.map_or_else(|| Value::Bytes(bytes()), Value::Text)
}
