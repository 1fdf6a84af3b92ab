//! Arrays to columns. Memory that nothing else holds, and that is laid out in the same way, is taken over.

mod choices;
mod plain;
mod runs;

use crate::error::{ours, uneven};
use crate::node::{Coding, Member, Node};
use arrow_array::cast::AsArray;
use arrow_array::types::UInt8Type;
use arrow_array::{AnyDictionaryArray, Array, ArrayRef, UInt8Array, make_array};
use arrow_buffer::NullBuffer;
use arrow_data::transform::MutableArrayData;
use binfmt::columns::{Column, ListColumn, NullableColumn};
use binfmt::numbers::{NumberType, Numbers};
use binfmt::schema::Name;
use binfmt::{Error, Result, Step};
use choices::{named, union, variants};
use plain::{fixed, numbers, times, wide};
use runs::{bytes, latin1, list};

/// Rows that are there, as far as what they are in says.
type Mask<'a> = Option<&'a NullBuffer>;

/// The column of a part; `codes` are those of its missing values.
pub(crate) fn member(
    array: ArrayRef,
    codes: Option<ArrayRef>,
    member: &Member,
    mask: Mask<'_>,
) -> Result<Column> {
    match &member.node {
        Node::Nullable { present, values } => nullable(array, codes, *present, values, mask),
        node => column(array, node, mask),
    }
}

fn nullable(
    array: ArrayRef,
    codes: Option<ArrayRef>,
    present: u8,
    values: &Node,
    mask: Mask<'_>,
) -> Result<Column> {
    let nulls = NullBuffer::union(mask, array.logical_nulls().as_ref());
    let rows = array.len();
    let codes = match &nulls {
        None => vec![present; rows],
        Some(nulls) => {
            let first = u8::from(present == 0);
            let known = codes.as_ref().and_then(|codes| codes.as_primitive_opt::<UInt8Type>());
            let known =
                |row| known.filter(|codes: &&UInt8Array| codes.is_valid(row)).map(|codes| codes.value(row));
            // a row that its record has not is blank
            let masked = |row| mask.is_some_and(|mask| mask.is_null(row));
            let code = |row| match nulls.is_null(row) {
                false => present,
                true if masked(row) => first,
                true => known(row).filter(|code| *code != present).unwrap_or(first),
            };
            (0..rows).map(code).collect()
        }
    };
    let values = column(array, values, nulls.as_ref())?;
    let column = NullableColumn::from_parts(codes, values, present);
    Ok(Column::Nullable(Box::new(column.ok_or_else(|| uneven("a column with nulls"))?)))
}

/// The column of an array. Rows that are not there, by the mask, get 0 or nothing: what stands in them may be anything.
pub(crate) fn column(array: ArrayRef, node: &Node, mask: Mask<'_>) -> Result<Column> {
    if !node.is_nullable() {
        all_there(&array, mask)?;
    }
    Ok(match node {
        Node::Number(kind) => Column::Numbers(numbers(array, *kind, mask)?),
        Node::Wide(kind) => Column::Numbers(wide(&array, *kind, mask)?),
        Node::Time { factor, .. } => Column::from(times(array, *factor, mask)?),
        Node::Text(Coding::Latin1) => Column::Text(latin1(&bytes(array, mask)?)?),
        Node::Text(_) => Column::Text(bytes(array, mask)?),
        Node::Bytes => Column::Bytes(bytes(array, mask)?),
        Node::FixedBytes(size) => fixed(array, *size, mask)?,
        Node::Nullable { present, values } => nullable(array, None, *present, values, mask)?,
        Node::Optional(values) => {
            let nulls = NullBuffer::union(mask, array.logical_nulls().as_ref());
            let there = |row| u8::from(nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)));
            let codes = (0..array.len()).map(there).collect();
            let values = column(array, values, nulls.as_ref())?;
            let column =
                NullableColumn::from_parts(codes, values, 1).ok_or_else(|| uneven("a column with nulls"))?;
            Column::Optional(Box::new(column))
        }
        Node::Value(inside) => {
            let mut parts = parts_of(array, node)?.into_iter();
            let first = parts.next().ok_or_else(|| uneven("a struct"))?;
            member(first, parts.next().filter(|_| inside.codes), inside, mask)?
        }
        Node::List(items) => Column::List(Box::new(list(array, items, mask)?)),
        Node::Array { len, items } => {
            let rows = array.len();
            Column::Array { len: *len, rows, items: Box::new(fixed_list(array, *len, items, mask)?) }
        }
        Node::Nested { lens, items } => {
            let rows = array.len();
            let inside = fixed_list(array, lens.iter().product(), items, mask)?;
            nested(inside, lens, rows)
        }
        Node::Record(all) => {
            let rows = array.len();
            Column::Record { rows, fields: record(parts_of(array, node)?, all, mask)? }
        }
        Node::Nothing => Column::Record { rows: array.len(), fields: Vec::new() },
        Node::Names(names) => Column::Choice(Box::new(named(&array, names, mask)?)),
        Node::Union(all) => Column::Choice(Box::new(union(&array, all)?)),
        Node::Variants(all) => Column::Choice(Box::new(variants(array, all, node, mask)?)),
        Node::Shaped(item) => {
            let mut parts = parts_of(array, node)?.into_iter();
            let (Some(data), Some(shape)) = (parts.next(), parts.next()) else {
                return Err(uneven("arrays"));
            };
            let items = list(data, item, mask)?;
            let (starts, lengths) = list(shape, &Node::Number(NumberType::U64), mask)?.into_parts();
            let Column::Numbers(Numbers::U64(lengths)) = lengths else { return Err(uneven("arrays")) };
            let shapes = ListColumn::from_parts(starts, lengths).ok_or_else(|| uneven("arrays"))?;
            same_sizes(&shapes, &items)?;
            Column::Shaped { shapes, items: Box::new(items) }
        }
        Node::Unpacked(values) => column(unpacked(&array)?, values, mask)?,
    })
}

/// No row is null that is not null outside, too.
fn all_there(array: &ArrayRef, mask: Mask<'_>) -> Result<()> {
    let Some(nulls) = array.nulls().filter(|nulls| nulls.null_count() > 0) else { return Ok(()) };
    let there = |row: &usize| nulls.is_null(*row) && mask.is_none_or(|mask| mask.is_valid(*row));
    match (0..array.len()).find(there) {
        None => Ok(()),
        Some(row) => {
            Err(Error::other("the value is null, in a field that has no nulls").within(Step::Index(row)))
        }
    }
}

#[cold]
fn wrong(array: &dyn Array, wanted: &str) -> Error {
    Error::other(format!("an array of Arrow's type {} is not one of {wanted}", array.data_type()))
}

fn masked(mask: Mask<'_>) -> impl Iterator<Item = usize> + '_ {
    let nulls = mask.filter(|mask| mask.null_count() > 0);
    nulls.into_iter().flat_map(|mask| (0..mask.len()).filter(|row| mask.is_null(*row)))
}

/// The parts of a struct; those of a part of it have as many rows.
fn parts_of(array: ArrayRef, node: &Node) -> Result<Vec<ArrayRef>> {
    let typed =
        array.as_struct_opt().cloned().ok_or_else(|| wrong(&array, &node.column_type().to_string()))?;
    drop(array);
    Ok(typed.into_parts().1)
}

/// The columns of the parts of a struct, or of a batch.
pub(crate) fn record(parts: Vec<ArrayRef>, all: &[Member], mask: Mask<'_>) -> Result<Vec<(Name, Column)>> {
    let mut parts = parts.into_iter();
    let mut columns = Vec::with_capacity(all.len());
    for part in all {
        let array = parts.next().ok_or_else(|| uneven("a struct"))?;
        let codes = if part.codes { parts.next() } else { None };
        let column =
            member(array, codes, part, mask).map_err(|e| e.within(Step::Name(part.name.to_string())))?;
        columns.push((part.name.clone(), column));
    }
    Ok(columns)
}

fn fixed_list(array: ArrayRef, len: usize, items: &Node, mask: Mask<'_>) -> Result<Column> {
    let typed = array.as_fixed_size_list_opt().cloned();
    let typed = typed.filter(|typed| usize::try_from(typed.value_length()) == Ok(len));
    let typed = typed.ok_or_else(|| wrong(&array, &format!("lists of {len}")))?;
    drop(array);
    let (_, _, values, _) = typed.into_parts();
    let mask = mask.map(|mask| mask.expand(len));
    column(values, items, mask.as_ref())
}

/// Arrays of arrays, of the elements of all.
fn nested(elements: Column, lens: &[usize], rows: usize) -> Column {
    let mut rows = lens.iter().fold(rows, |rows, len| rows.saturating_mul(*len));
    lens.iter().rev().fold(elements, |items, len| {
        rows = rows.checked_div(*len).unwrap_or(0);
        Column::Array { len: *len, rows, items: Box::new(items) }
    })
}

/// The places of the values of a dictionary. One without any, for which Arrow has no such places, has only rows that are null.
fn keys_of(typed: &dyn AnyDictionaryArray) -> Vec<usize> {
    if typed.values().is_empty() { vec![0; typed.keys().len()] } else { typed.normalized_keys() }
}

fn unpacked(array: &ArrayRef) -> Result<ArrayRef> {
    let typed = array.as_any_dictionary_opt().ok_or_else(|| wrong(array, "dictionaries"))?;
    let (keys, values) = (keys_of(typed), typed.values().to_data());
    let mut all = MutableArrayData::new(vec![&values], true, keys.len());
    for (row, key) in keys.iter().enumerate() {
        match typed.keys().is_valid(row) && *key < values.len() {
            true => all.try_extend(0, *key, key.saturating_add(1)).map_err(ours)?,
            false => all.try_extend_nulls(1).map_err(ours)?,
        }
    }
    Ok(make_array(all.freeze()))
}

/// Arrays with lengths of their own have as many elements as these multiply to.
fn same_sizes(shapes: &ListColumn<Vec<u64>>, items: &ListColumn<Column>) -> Result<()> {
    for row in 0..items.len() {
        let lengths = shapes.get(row).unwrap_or(&[]);
        let wanted = lengths.iter().try_fold(1u64, |all, n| all.checked_mul(*n));
        let found = items.range(row).map_or(0, |range| range.len()) as u64;
        // a row that is not there has neither
        if wanted != Some(found) && !(lengths.is_empty() && found == 0) {
            let text = format!("an array with the lengths {lengths:?} has {found} elements");
            return Err(Error::other(text).within(Step::Index(row)));
        }
    }
    Ok(())
}
