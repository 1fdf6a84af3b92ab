//! Columns of the derive as columns that are known at run time, and back.

use binfmt::columns::{BytesColumn, Column, ColumnData, ListColumn, NullableColumn, TextColumn};
use binfmt::numbers::{Element, F16};

/// A column of a struct with `#[binfmt(columns)]`, which becomes one for [`Mapping`](crate::Mapping) and back; its memory is
/// moved. One line for each field:
///
/// ```
/// use binfmt::columns::Columns;
/// use binfmt::table::{ColumnsTable, Table};
/// use binfmt::{BinFormat, Nullable, TypedColumns};
/// use binfmt_arrow::{Mapping, TypedColumn};
///
/// #[derive(BinFormat, Clone, Debug, PartialEq)]
/// #[binfmt(le, columns)]
/// struct Reading {
///     station: u16,
///     xyz: [f32; 3],
///     #[binfmt(nullable)]
///     celsius: Nullable<f64>,
/// }
///
/// let bytes = [1, 0, 0, 0, 128, 63, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 240, 63];
/// let ReadingColumns { station, xyz, celsius } = ReadingColumns::from_slice(&bytes)?;
/// let columns = Columns::new(vec![
///     ("station".into(), station.into_column()),
///     ("xyz".into(), xyz.into_column()),
///     ("celsius".into(), celsius.into_column()),
/// ])?;
///
/// let table = ColumnsTable::new(columns.clone());
/// let batch = Mapping::of_table(table.schema(), &Default::default())?.to_batch(columns)?;
///
/// let mut columns = Mapping::of_arrow(&batch.schema())?.to_columns(batch)?.into_columns().into_iter().map(|(_, column)| column);
/// let mut next = || columns.next().unwrap();
/// let again = ReadingColumns {
///     station: Vec::from_column(next()).unwrap(),
///     xyz: Vec::from_column(next()).unwrap(),
///     celsius: TypedColumn::from_column(next()).unwrap(),
/// };
/// assert_eq!(again.to_vec()?, bytes);
/// # Ok::<(), binfmt::Error>(())
/// ```
pub trait TypedColumn: Sized {
    /// The same as a column whose type is known at run time.
    fn into_column(self) -> Column;

    /// Back; a column of another type is handed back.
    ///
    /// # Errors
    /// The column itself, if it is not of this type.
    fn from_column(column: Column) -> Result<Self, Column>;
}

fn numbers_of<T: Element>(column: Column) -> Result<Vec<T>, Column> {
    match column {
        Column::Numbers(numbers) => numbers.into_vec().map_err(Column::Numbers),
        other => Err(other),
    }
}

fn arrays_of<T: Element, const N: usize>(column: Column) -> Result<Vec<[T; N]>, Column> {
    match column {
        Column::Array { len, rows, items } if len == N => match numbers_of::<T>(*items) {
            Ok(v) => Ok(arrays(v, rows)),
            Err(items) => Err(Column::Array { len, rows, items: Box::new(items) }),
        },
        other => Err(other),
    }
}

// one impl for all numbers would meet the one for arrays of them
macro_rules! numbers {
    ($($T:ty)*) => { $(
        impl TypedColumn for Vec<$T> {
            fn into_column(self) -> Column {
                Column::from(self)
            }

            fn from_column(column: Column) -> Result<Self, Column> {
                numbers_of(column)
            }
        }

        impl<const N: usize> TypedColumn for Vec<[$T; N]> {
            fn into_column(self) -> Column {
                let rows = self.len();
                Column::Array { len: N, rows, items: Box::new(Column::from(self.into_flattened())) }
            }

            fn from_column(column: Column) -> Result<Self, Column> {
                arrays_of(column)
            }
        }
    )* };
}
numbers!(i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 bool F16);

macro_rules! lists {
    ($($C:ty)*) => { $(
        impl TypedColumn for ListColumn<$C> {
            fn into_column(self) -> Column {
                let (starts, items) = self.into_parts();
                let column = ListColumn::from_parts(starts, items.into_column());
                Column::List(Box::new(known(column)))
            }

            fn from_column(column: Column) -> Result<Self, Column> {
                let Column::List(v) = column else { return Err(column) };
                let (starts, items) = v.into_parts();
                match <$C>::from_column(items) {
                    Ok(items) => Ok(known(ListColumn::from_parts(starts, items))),
                    Err(items) => Err(Column::List(Box::new(known(ListColumn::from_parts(starts, items))))),
                }
            }
        }
    )* };
}
// a list of `u8` is a column of bytes
lists!(Vec<i8> Vec<i16> Vec<i32> Vec<i64> Vec<i128> Vec<u16> Vec<u32> Vec<u64> Vec<u128> Vec<f32> Vec<f64> Vec<bool> Vec<F16>);
lists!(TextColumn BytesColumn);

/// Parts that were those of one column, and are again.
#[expect(clippy::expect_used, reason = "no data can make it fail")]
fn known<C>(column: Option<C>) -> C {
    column.expect("parts of a column")
}

/// Copied: a vector of numbers has not always the room of a vector of arrays.
fn arrays<T: Element, const N: usize>(v: Vec<T>, rows: usize) -> Vec<[T; N]> {
    if N == 0 {
        return (0..rows).map(|_| std::array::from_fn(|_| T::default())).collect();
    }
    v.chunks_exact(N).filter_map(|row| row.try_into().ok()).collect()
}

impl TypedColumn for BytesColumn {
    fn into_column(self) -> Column {
        Column::Bytes(self)
    }

    fn from_column(column: Column) -> Result<Self, Column> {
        match column {
            Column::Bytes(v) => Ok(v),
            other => Err(other),
        }
    }
}

impl TypedColumn for TextColumn {
    fn into_column(self) -> Column {
        let (starts, text) = self.into_parts();
        Column::Text(known(BytesColumn::from_parts(starts, text.into_bytes())))
    }

    fn from_column(column: Column) -> Result<Self, Column> {
        let Column::Text(v) = column else { return Err(column) };
        let (starts, bytes) = v.into_parts();
        let back = |starts, bytes| Column::Text(known(BytesColumn::from_parts(starts, bytes)));
        match String::from_utf8(bytes) {
            Ok(text) if starts.iter().all(|start| text.is_char_boundary(*start)) => {
                Ok(known(TextColumn::from_parts(starts, text)))
            }
            Ok(text) => Err(back(starts, text.into_bytes())),
            Err(e) => Err(back(starts, e.into_bytes())),
        }
    }
}

impl<C: TypedColumn + ColumnData> TypedColumn for NullableColumn<C> {
    fn into_column(self) -> Column {
        let present = self.present();
        let (codes, values) = self.into_parts();
        Column::Nullable(Box::new(known(NullableColumn::from_parts(codes, values.into_column(), present))))
    }

    fn from_column(column: Column) -> Result<Self, Column> {
        let Column::Nullable(v) = column else { return Err(column) };
        let present = v.present();
        let (codes, values) = v.into_parts();
        match C::from_column(values) {
            Ok(values) => Ok(known(NullableColumn::from_parts(codes, values, present))),
            Err(values) => {
                Err(Column::Nullable(Box::new(known(NullableColumn::from_parts(codes, values, present)))))
            }
        }
    }
}
