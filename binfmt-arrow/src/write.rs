//! Columns to arrays. What lies in memory in the same way on both sides is moved.

use crate::error::{narrow, ours, uneven};
use crate::node::{self, Coding, Member, Node, length};
use arrow_array::types::{
    ArrowPrimitiveType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Date32Array, DictionaryArray, FixedSizeBinaryArray, FixedSizeListArray,
    Int32Array, Int64Array, LargeBinaryArray, LargeListArray, LargeStringArray, PrimitiveArray, StringArray,
    StructArray, UInt8Array, UInt64Array, UnionArray, make_array,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_data::ArrayData;
use arrow_data::transform::MutableArrayData;
use arrow_schema::{DataType, Fields};
use binfmt::columns::{BytesColumn, ChoiceColumn, Column, ColumnData, ListColumn, NullableColumn};
use binfmt::numbers::{F16, Numbers};
use binfmt::{Error, Result, Step};
use std::sync::Arc;

/// The arrays of a part: its values, and the codes of the missing ones if they are wanted.
pub(crate) fn member(column: Column, member: &Member, arrays: &mut Vec<ArrayRef>) -> Result<()> {
    let codes = match &column {
        Column::Nullable(v) if member.codes => Some(codes(v)),
        _ => None,
    };
    arrays.push(array(column, &member.node, None)?);
    arrays.extend(codes);
    Ok(())
}

/// The codes of missing values; null where a value is there.
fn codes(column: &NullableColumn<Column>) -> ArrayRef {
    let (codes, present) = (column.codes(), column.present());
    let missing = BooleanBuffer::collect_bool(codes.len(), |row| codes[row] != present);
    Arc::new(UInt8Array::new(codes.to_vec().into(), Some(NullBuffer::new(missing))))
}

/// The array of a column whose rows are null where `nulls` says so.
fn array(column: Column, node: &Node, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
    Ok(match (node, column) {
        (Node::Number(kind) | Node::Wide(kind), Column::Numbers(v)) if v.number_type() == *kind => {
            numbers(v, nulls)?
        }
        (Node::Time { ty, factor }, Column::Numbers(Numbers::I64(v))) => times(v, ty, *factor, nulls)?,
        (Node::Text(coding), Column::Text(v)) => text(v, *coding, nulls)?,
        (Node::Bytes, Column::Bytes(v)) => binary(v, nulls)?,
        (Node::FixedBytes(wanted), Column::FixedBytes { size, rows, bytes }) if *wanted == size => {
            fixed(size, rows, Buffer::from_vec(bytes), nulls)?
        }
        (Node::Nullable { values, .. }, Column::Nullable(v))
        | (Node::Optional(values), Column::Optional(v)) => {
            let nulls = NullBuffer::union(nulls.as_ref(), validity(&v).as_ref());
            array(v.into_parts().1, values, nulls)?
        }
        (Node::Value(member), column) => {
            let rows = column.len();
            let mut arrays = Vec::new();
            self::member(column, member, &mut arrays)?;
            record(node::members(std::slice::from_ref(member)), arrays, nulls, rows)?
        }
        (Node::List(items), Column::List(v)) => list(*v, items, nulls)?,
        (Node::Array { len, items }, Column::Array { len: found, rows, items: column }) if *len == found => {
            let values = array(*column, items, None)?;
            fixed_list(items, *len, values, nulls, rows)?
        }
        (Node::Nested { lens, items }, Column::Array { rows, items: column, .. }) => {
            let mut inside = *column;
            while let Column::Array { items, .. } = inside {
                inside = *items;
            }
            fixed_list(items, lens.iter().product(), array(inside, items, None)?, nulls, rows)?
        }
        (Node::Record(all), Column::Record { rows, fields }) => {
            let mut arrays = Vec::with_capacity(all.len());
            for (member, (name, column)) in all.iter().zip(fields) {
                self::member(column, member, &mut arrays)
                    .map_err(|e| e.within(Step::Name(name.to_string())))?;
            }
            record(node::members(all), arrays, nulls, rows)?
        }
        (Node::Nothing, Column::Record { rows, .. }) => {
            Arc::new(BooleanArray::new(BooleanBuffer::new_set(rows), nulls))
        }
        (Node::Names(names), Column::Choice(v)) => {
            let names: ArrayRef = Arc::new(StringArray::from_iter_values(names));
            dictionary(v.into_parts().0, names, nulls)?
        }
        (Node::Union(all), Column::Choice(v)) => union(*v, all)?,
        (Node::Variants(all), Column::Choice(v)) => variants(*v, all, nulls)?,
        (Node::Shaped(item), Column::Shaped { shapes, items }) => shaped(shapes, *items, item, nulls)?,
        (node, column) => {
            let (found, wanted) = (column.column_type(), node.column_type());
            return Err(Error::other(format!("a column of {found} is not one of {wanted}")));
        }
    })
}

/// Which values are there; `None` if all are.
fn validity(column: &NullableColumn<Column>) -> Option<NullBuffer> {
    let rows = column.len();
    // eight rows make a byte, as Arrow has it
    let bits = BooleanBuffer::new(Buffer::from_vec(column.validity()), 0, rows);
    let nulls = NullBuffer::new(bits);
    (nulls.null_count() > 0).then_some(nulls)
}

fn primitive<T: ArrowPrimitiveType>(v: Vec<T::Native>, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
    Ok(Arc::new(PrimitiveArray::<T>::try_new(ScalarBuffer::from(v), nulls).map_err(ours)?))
}

fn numbers(numbers: Numbers, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
    match numbers {
        Numbers::I8(v) => primitive::<Int8Type>(v, nulls),
        Numbers::I16(v) => primitive::<Int16Type>(v, nulls),
        Numbers::I32(v) => primitive::<Int32Type>(v, nulls),
        Numbers::I64(v) => primitive::<Int64Type>(v, nulls),
        Numbers::U8(v) => primitive::<UInt8Type>(v, nulls),
        Numbers::U16(v) => primitive::<UInt16Type>(v, nulls),
        Numbers::U32(v) => primitive::<UInt32Type>(v, nulls),
        Numbers::U64(v) => primitive::<UInt64Type>(v, nulls),
        Numbers::F32(v) => primitive::<Float32Type>(v, nulls),
        Numbers::F64(v) => primitive::<Float64Type>(v, nulls),
        Numbers::F16(v) => {
            // collected in place, as the offsets below
            let bits: Vec<u16> = v.into_iter().map(F16::to_bits).collect();
            let rows = bits.len();
            let values = ScalarBuffer::new(Buffer::from_vec(bits), 0, rows);
            Ok(Arc::new(PrimitiveArray::<Float16Type>::try_new(values, nulls).map_err(ours)?))
        }
        Numbers::Bool(v) => Ok(Arc::new(BooleanArray::new(BooleanBuffer::from(&v[..]), nulls))),
        Numbers::I128(v) => {
            let v: Vec<i128> = v.into_iter().map(i128::to_le).collect();
            fixed(16, v.len(), Buffer::from_vec(v), nulls)
        }
        Numbers::U128(v) => {
            let v: Vec<i128> = v.into_iter().map(|n| n.to_le().cast_signed()).collect();
            fixed(16, v.len(), Buffer::from_vec(v), nulls)
        }
        other => Err(Error::other(format!("Arrow has no numbers of type {}", other.number_type()))),
    }
}

/// Times, each of which is that many units. The lowest number is not a time in most programs, and stays what it is.
fn times(mut v: Vec<i64>, ty: &DataType, factor: i64, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
    if factor != 1 {
        for (row, n) in v.iter_mut().enumerate().filter(|(_, n)| **n != i64::MIN) {
            *n = n.checked_mul(factor).ok_or_else(|| {
                let text = format!(
                    "the time {n} is too far away for Arrow's {ty}; times may be left in their own unit"
                );
                Error::other(text).within(Step::Index(row))
            })?;
        }
    }
    if *ty == DataType::Date32 {
        let days = v.into_iter().enumerate().map(|(row, n)| day(n).map_err(|e| e.within(Step::Index(row))));
        let days: Vec<i32> = days.collect::<Result<_>>()?;
        return Ok(Arc::new(Date32Array::try_new(ScalarBuffer::from(days), nulls).map_err(ours)?));
    }
    let array = Int64Array::try_new(ScalarBuffer::from(v), nulls).map_err(ours)?;
    retyped(array.into_data(), ty)
}

/// A day as Arrow has it. The lowest number stays what it is, as of other times.
fn day(n: i64) -> Result<i32> {
    if n == i64::MIN {
        return Ok(i32::MIN);
    }
    let far = || {
        let text =
            format!("the day {n} is too far away for Arrow's Date32; times may be left in their own unit");
        Error::other(text)
    };
    i32::try_from(n).map_err(|_| far())
}

/// The same memory as another type of the same width.
fn retyped(data: ArrayData, ty: &DataType) -> Result<ArrayRef> {
    Ok(make_array(data.into_builder().data_type(ty.clone()).build().map_err(ours)?))
}

/// Offsets as Arrow has them: collected in place, where `usize` has 64 bits the memory stays the same.
fn offsets(v: Vec<usize>) -> OffsetBuffer<i64> {
    // no vector has more items than `isize` counts, so that these are the same bits
    let v: Vec<i64> = v.into_iter().map(|n| (n as u64).cast_signed()).collect();
    OffsetBuffer::new(ScalarBuffer::from(v))
}

fn binary(v: BytesColumn, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
    let (starts, bytes) = v.into_parts();
    let array = LargeBinaryArray::try_new(offsets(starts), Buffer::from_vec(bytes), nulls);
    Ok(Arc::new(array.map_err(ours)?))
}

fn text(v: BytesColumn, coding: Coding, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
    let v = match coding {
        Coding::Utf8 => v,
        Coding::Binary => return binary(v, nulls),
        Coding::Latin1 => recoded(&v, |row, out| {
            let chars = row.iter().map(|byte| char::from(*byte));
            chars.for_each(|char| out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()));
        }),
        Coding::Lossy => {
            recoded(&v, |row, out| out.extend_from_slice(String::from_utf8_lossy(row).as_bytes()))
        }
    };
    let (starts, bytes) = v.into_parts();
    let (starts, bytes) = (offsets(starts), Buffer::from_vec(bytes));
    // Arrow looks at all bytes at once; only of what is wrong it is asked in which row
    match LargeStringArray::try_new(starts.clone(), bytes.clone(), nulls) {
        Ok(array) => Ok(Arc::new(array)),
        Err(e) => Err(not_utf8(&starts, &bytes).unwrap_or_else(|| ours(e))),
    }
}

/// The first row that is not UTF-8.
fn not_utf8(starts: &OffsetBuffer<i64>, bytes: &Buffer) -> Option<Error> {
    let place = |n: i64| usize::try_from(n).unwrap_or(usize::MAX);
    let row = starts.windows(2).position(|ends| {
        let row = bytes.get(place(ends[0])..place(ends[1])).unwrap_or(&[]);
        std::str::from_utf8(row).is_err()
    })?;
    let text =
        "the text is not UTF-8: it may be read as binary, as Latin-1, or with U+FFFD for what is wrong";
    Some(Error::other(text).within(Step::Index(row)))
}

fn recoded(v: &BytesColumn, put: impl Fn(&[u8], &mut Vec<u8>)) -> BytesColumn {
    let mut recoded = BytesColumn::new();
    for row in v.iter() {
        recoded.push_with(|out| put(row, out));
    }
    recoded
}

fn fixed(size: usize, rows: usize, bytes: Buffer, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
    let array = FixedSizeBinaryArray::try_new_with_len(length(size), bytes, nulls, rows);
    Ok(Arc::new(array.map_err(ours)?))
}

fn list(v: ListColumn<Column>, items: &Node, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
    let (starts, column) = v.into_parts();
    let values = array(column, items, None)?;
    let array = LargeListArray::try_new(items.item(), offsets(starts), values, nulls);
    Ok(Arc::new(array.map_err(ours)?))
}

fn fixed_list(
    items: &Node,
    len: usize,
    values: ArrayRef,
    nulls: Option<NullBuffer>,
    rows: usize,
) -> Result<ArrayRef> {
    let array = FixedSizeListArray::try_new_with_length(items.item(), length(len), values, nulls, rows);
    Ok(Arc::new(array.map_err(ours)?))
}

fn record(fields: Fields, arrays: Vec<ArrayRef>, nulls: Option<NullBuffer>, rows: usize) -> Result<ArrayRef> {
    let array = StructArray::try_new_with_length(fields, arrays, nulls, rows);
    Ok(Arc::new(array.map_err(ours)?))
}

fn dictionary(variants: Vec<u32>, names: ArrayRef, nulls: Option<NullBuffer>) -> Result<ArrayRef> {
    // a choice has fewer variants than `i32` counts; in place, as the offsets
    let keys: Vec<i32> = variants.into_iter().map(|n| i32::try_from(n).unwrap_or(i32::MAX)).collect();
    let keys = Int32Array::try_new(ScalarBuffer::from(keys), nulls).map_err(ours)?;
    Ok(Arc::new(DictionaryArray::try_new(keys, names).map_err(ours)?))
}

fn union(v: ChoiceColumn, all: &[Member]) -> Result<ArrayRef> {
    let (variants, places, columns) = v.into_parts();
    let ids: Vec<i8> = variants.into_iter().map(|n| i8::try_from(n).unwrap_or(i8::MAX)).collect();
    let places = places.into_iter().map(|n| narrow(n, "rows of a variant")).collect::<Result<Vec<i32>>>()?;
    let children = all.iter().zip(columns).map(|(member, (_, column))| array(column, &member.node, None));
    let children = children.collect::<Result<_>>()?;
    let array = UnionArray::try_new(node::variants(all), ids.into(), Some(places.into()), children);
    Ok(Arc::new(array.map_err(ours)?))
}

/// The rows of each variant in the places where they are, with nulls between them.
fn variants(v: ChoiceColumn, all: &[Member], nulls: Option<NullBuffer>) -> Result<ArrayRef> {
    let (variants, places, columns) = v.into_parts();
    let rows = variants.len();
    let mut arrays = Vec::with_capacity(all.len());
    for (number, (member, (_, column))) in all.iter().zip(columns).enumerate() {
        let some = array(column, &member.node, None)?.into_data();
        let mut spread = MutableArrayData::new(vec![&some], true, rows);
        for (variant, place) in variants.iter().zip(&places) {
            if *variant as usize != number {
                spread.try_extend_nulls(1).map_err(ours)?;
                continue;
            }
            let end =
                place.checked_add(1).filter(|end| *end <= some.len()).ok_or_else(|| uneven("a choice"))?;
            spread.try_extend(0, *place, end).map_err(ours)?;
        }
        arrays.push(make_array(spread.freeze()));
    }
    let names: ArrayRef = Arc::new(StringArray::from_iter_values(all.iter().map(|member| &member.name)));
    arrays.insert(0, dictionary(variants, names, None)?);
    record(node::tagged(all), arrays, nulls, rows)
}

fn shaped(
    shapes: ListColumn<Vec<u64>>,
    items: ListColumn<Column>,
    item: &Node,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef> {
    let rows = items.len();
    let data = list(items, item, None)?;
    let (starts, lengths) = shapes.into_parts();
    let lengths: ArrayRef = Arc::new(UInt64Array::from(lengths));
    let node = Node::Number(binfmt::numbers::NumberType::U64);
    let shape = LargeListArray::try_new(node.item(), offsets(starts), lengths, None).map_err(ours)?;
    record(node::shaped(item), vec![data, Arc::new(shape)], nulls, rows)
}
