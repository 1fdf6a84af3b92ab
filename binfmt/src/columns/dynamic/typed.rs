//! Columns of the derive as columns that are known at run time, and back.

use super::batch::Columns;
use super::column::Column;
use crate::columns::data::ColumnData;
use crate::columns::record::ColumnSet;
use crate::columns::rows::even;
use crate::columns::{ListColumn, NullableColumn, TextColumn};
use crate::error::{Error, Result, Step};
use crate::numbers::{Element, Numbers};
use crate::schema::Name;
use crate::wire::amount::plus;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::{array, iter};

/// A column of a struct with `#[binfmt(columns)]`, which becomes one that is known at run time and back; its memory is moved.
///
/// [`into_columns`](crate::TypedColumns::into_columns) and [`from_columns`](crate::TypedColumns::from_columns) do it for all columns of
/// a struct.
///
/// ```
/// use binfmt::columns::{Column, TypedColumn};
/// let column = vec![1u16, 2].into_column();
/// assert_eq!(column, Column::from(vec![1u16, 2]));
/// assert_eq!(Vec::<u32>::from_column(column), Err(Column::from(vec![1u16, 2])));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no form as a column that is known at run time",
    label = "not supported in `Columns`",
    note = "supported: numbers, arrays of them, text, bytes, lists of these, what may be missing, and structs with columns"
)]
pub trait TypedColumn: ColumnData + Sized {
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

/// Copied: a vector of numbers has not always the room of a vector of arrays.
fn arrays<T: Element, const N: usize>(v: Vec<T>, rows: usize) -> Vec<[T; N]> {
    match v.as_chunks::<N>() {
        _ if N == 0 => (0..rows).map(|_| array::from_fn(|_| T::default())).collect(),
        (rows, _) => rows.to_vec(),
    }
}

impl<T: Element> TypedColumn for Vec<T> {
    fn into_column(self) -> Column {
        Column::from(self)
    }

    fn from_column(column: Column) -> Result<Self, Column> {
        numbers_of(column)
    }
}

impl<T: Element, const N: usize> TypedColumn for Vec<[T; N]> {
    fn into_column(self) -> Column {
        let rows = self.len();
        Column::Array { len: N, rows, items: Box::new(Column::from(self.into_flattened())) }
    }

    fn from_column(column: Column) -> Result<Self, Column> {
        arrays_of(column)
    }
}

fn of_list<C: TypedColumn>(lists: ListColumn<C>) -> Column {
    let (offsets, items) = lists.into_parts();
    Column::List(Box::new(ListColumn::of_parts(offsets, items.into_column())))
}

fn list_of<C: TypedColumn>(column: Column) -> Result<ListColumn<C>, Column> {
    let Column::List(v) = column else { return Err(column) };
    let (offsets, items) = v.into_parts();
    match C::from_column(items) {
        Ok(items) => Ok(ListColumn::of_parts(offsets, items)),
        Err(items) => Err(Column::List(Box::new(ListColumn::of_parts(offsets, items)))),
    }
}

/// Lists of numbers; those of `u8` are bytes.
impl<T: Element> TypedColumn for ListColumn<Vec<T>> {
    fn into_column(self) -> Column {
        let (offsets, items) = self.into_parts();
        match Numbers::from(items) {
            Numbers::U8(bytes) => Column::Bytes(ListColumn::of_parts(offsets, bytes)),
            items => Column::List(Box::new(ListColumn::of_parts(offsets, Column::Numbers(items)))),
        }
    }

    fn from_column(column: Column) -> Result<Self, Column> {
        let Column::Bytes(v) = column else { return list_of(column) };
        let (offsets, bytes) = v.into_parts();
        match Numbers::U8(bytes).into_vec() {
            Ok(items) => Ok(ListColumn::of_parts(offsets, items)),
            Err(Numbers::U8(bytes)) => Err(Column::Bytes(ListColumn::of_parts(offsets, bytes))),
            Err(items) => Err(Column::List(Box::new(ListColumn::of_parts(offsets, Column::Numbers(items))))),
        }
    }
}

impl<C> TypedColumn for ListColumn<ListColumn<C>>
where
    ListColumn<C>: TypedColumn,
    ListColumn<ListColumn<C>>: ColumnData,
{
    fn into_column(self) -> Column {
        of_list(self)
    }

    fn from_column(column: Column) -> Result<Self, Column> {
        list_of(column)
    }
}

impl<C: ColumnSet> TypedColumn for ListColumn<C>
where
    C::Parts: TypedParts,
{
    fn into_column(self) -> Column {
        of_list(self)
    }

    fn from_column(column: Column) -> Result<Self, Column> {
        list_of(column)
    }
}

impl TypedColumn for TextColumn {
    fn into_column(self) -> Column {
        let (offsets, text) = self.into_parts();
        Column::Text(ListColumn::of_parts(offsets, text.into_bytes()))
    }

    fn from_column(column: Column) -> Result<Self, Column> {
        let Column::Text(v) = column else { return Err(column) };
        let (offsets, bytes) = v.into_parts();
        match String::from_utf8(bytes) {
            Ok(text) => TextColumn::of_parts(offsets, text)
                .map_err(|(offsets, text)| Column::Text(ListColumn::of_parts(offsets, text.into_bytes()))),
            Err(e) => Err(Column::Text(ListColumn::of_parts(offsets, e.into_bytes()))),
        }
    }
}

impl<C: TypedColumn> TypedColumn for NullableColumn<C> {
    fn into_column(self) -> Column {
        let present = self.present();
        let (codes, values) = self.into_parts();
        Column::Nullable(Box::new(NullableColumn::of_parts(codes, values.into_column(), present)))
    }

    fn from_column(column: Column) -> Result<Self, Column> {
        let Column::Nullable(v) = column else { return Err(column) };
        let present = v.present();
        let (codes, values) = v.into_parts();
        match C::from_column(values) {
            Ok(values) => Ok(NullableColumn::of_parts(codes, values, present)),
            Err(values) => Err(Column::Nullable(Box::new(NullableColumn::of_parts(codes, values, present)))),
        }
    }
}

/// Structs in a struct.
impl<C: ColumnSet> TypedColumn for C
where
    C::Parts: TypedParts,
{
    fn into_column(self) -> Column {
        Column::Record { rows: ColumnData::len(&self), fields: named(self) }
    }

    fn from_column(column: Column) -> Result<Self, Column> {
        let Column::Record { rows, fields } = column else { return Err(column) };
        let names: Vec<Name> = fields.iter().map(|(name, _)| name.clone()).collect();
        if !names.iter().map(Name::as_str).eq(names_of::<C>()) {
            return Err(Column::Record { rows, fields });
        }
        let parts = C::Parts::take(&mut fields.into_iter().map(|(_, column)| column));
        parts.map(C::from_parts).map_err(|(columns, _)| {
            let fields = names.into_iter().zip(columns).collect();
            Column::Record { rows, fields }
        })
    }
}

/// The columns of a struct, as the derive lists them: a pair of the first and of those that follow.
#[doc(hidden)]
pub trait TypedParts: Sized {
    /// Adds them.
    fn put(self, all: &mut Vec<Column>);

    /// Takes them.
    ///
    /// # Errors
    /// All columns, and the place of the first that is not of its type.
    fn take(all: &mut dyn Iterator<Item = Column>) -> Result<Self, (Vec<Column>, usize)>;
}

impl TypedParts for () {
    fn put(self, _: &mut Vec<Column>) {}

    fn take(_: &mut dyn Iterator<Item = Column>) -> Result<Self, (Vec<Column>, usize)> {
        Ok(())
    }
}

impl<A: TypedColumn, B: TypedParts> TypedParts for (A, B) {
    fn put(self, all: &mut Vec<Column>) {
        all.push(self.0.into_column());
        self.1.put(all);
    }

    fn take(all: &mut dyn Iterator<Item = Column>) -> Result<Self, (Vec<Column>, usize)> {
        let Some(column) = all.next() else { return Err((Vec::new(), 0)) };
        let first = match A::from_column(column) {
            Ok(first) => first,
            Err(column) => return Err((iter::once(column).chain(all).collect(), 0)),
        };
        match B::take(all) {
            Ok(rest) => Ok((first, rest)),
            Err((mut rest, place)) => {
                rest.insert(0, first.into_column());
                Err((rest, plus(place, 1)))
            }
        }
    }
}

/// The names of the columns.
fn names_of<C: ColumnSet>() -> Vec<&'static str> {
    let mut names = Vec::new();
    C::default().lengths(&mut |name, _| names.push(name));
    names
}

/// The columns with their names.
fn named<C: ColumnSet>(columns: C) -> Vec<(Name, Column)>
where
    C::Parts: TypedParts,
{
    let mut all = Vec::new();
    columns.into_parts().put(&mut all);
    names_of::<C>().into_iter().map(Name::from).zip(all).collect()
}

/// The columns of a struct, as they are known at run time.
pub(in crate::columns) fn into_columns<C: ColumnSet>(columns: C) -> Result<Columns>
where
    C::Parts: TypedParts,
{
    Columns::with_rows(even(&columns)?, named(columns))
}

/// The columns of a struct, found by their names.
pub(in crate::columns) fn from_columns<C: ColumnSet>(columns: Columns) -> Result<C>
where
    C::Parts: TypedParts,
{
    let names = names_of::<C>();
    let mut left: Vec<Option<(Name, Column)>> = columns.into_columns().into_iter().map(Some).collect();
    let mut found = Vec::new();
    for name in &names {
        let mut has_name =
            left.iter_mut().filter(|column| column.as_ref().is_some_and(|(own, _)| own == name));
        match has_name.next().and_then(Option::take) {
            Some((_, column)) => found.push(column),
            None => return Err(Error::other(format!("no column is called `{name}`"))),
        }
    }
    C::Parts::take(&mut found.into_iter()).map(C::from_parts).map_err(|(columns, place)| {
        let found = columns.get(place).map(Column::column_type);
        let expected = named(C::default()).get(place).map(|(_, column)| column.column_type());
        let text = match (expected, found) {
            (Some(expected), Some(found)) if expected != found => {
                format!("expected {expected}, found {found}")
            }
            _ => "a text is not UTF-8".to_string(),
        };
        Error::other(text).within(Step::Name(names.get(place).copied().unwrap_or_default().to_string()))
    })
}
