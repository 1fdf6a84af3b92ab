//! Numbers, times, and bytes of one size.

use super::{Mask, masked, wrong};
use crate::error::ours;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, PrimitiveArray, make_array};
use arrow_buffer::Buffer;
use arrow_schema::DataType;
use binfmt::columns::Column;
use binfmt::numbers::{F16, NumberType, Numbers};
use binfmt::{Error, Result, Step};

/// A buffer as a vector: the same memory where nothing else holds it.
pub(super) fn vector<T: arrow_buffer::ArrowNativeType>(buffer: Buffer) -> Vec<T> {
    buffer.into_vec::<T>().unwrap_or_else(|buffer| buffer.typed_data::<T>().to_vec())
}

fn primitive<T: ArrowPrimitiveType>(array: ArrayRef, mask: Mask<'_>) -> Result<Vec<T::Native>> {
    let typed = array.as_primitive_opt::<T>().cloned();
    let typed: PrimitiveArray<T> = typed.ok_or_else(|| wrong(&array, &T::DATA_TYPE.to_string()))?;
    // the last who holds the memory
    drop(array);
    let (_, values, _) = typed.into_parts();
    let mut v = vector::<T::Native>(values.into_inner());
    for row in masked(mask) {
        v[row] = T::Native::default();
    }
    Ok(v)
}

pub(super) fn numbers(array: ArrayRef, kind: NumberType, mask: Mask<'_>) -> Result<Numbers> {
    Ok(match kind {
        NumberType::I8 => primitive::<Int8Type>(array, mask)?.into(),
        NumberType::I16 => primitive::<Int16Type>(array, mask)?.into(),
        NumberType::I32 => primitive::<Int32Type>(array, mask)?.into(),
        NumberType::I64 => primitive::<Int64Type>(array, mask)?.into(),
        NumberType::U8 => primitive::<UInt8Type>(array, mask)?.into(),
        NumberType::U16 => primitive::<UInt16Type>(array, mask)?.into(),
        NumberType::U32 => primitive::<UInt32Type>(array, mask)?.into(),
        NumberType::U64 => primitive::<UInt64Type>(array, mask)?.into(),
        NumberType::F32 => primitive::<Float32Type>(array, mask)?.into(),
        NumberType::F64 => primitive::<Float64Type>(array, mask)?.into(),
        NumberType::F16 => {
            let v = primitive::<Float16Type>(array, mask)?;
            v.into_iter().map(|n| F16::from_bits(n.to_bits())).collect::<Vec<F16>>().into()
        }
        // a column of nothing but nulls
        NumberType::Bool if *array.data_type() == DataType::Null => vec![false; array.len()].into(),
        NumberType::Bool => {
            let bits = array.as_boolean_opt().ok_or_else(|| wrong(&array, "Boolean"))?;
            let mut v: Vec<bool> = bits.values().iter().collect();
            masked(mask).for_each(|row| v[row] = false);
            v.into()
        }
        kind => return Err(wrong(&array, kind.name())),
    })
}

pub(super) fn wide(array: &ArrayRef, kind: NumberType, mask: Mask<'_>) -> Result<Numbers> {
    let mut v: Vec<i128> = if let Some(decimals) =
        array.as_primitive_opt::<arrow_array::types::Decimal128Type>()
    {
        decimals.values().to_vec()
    } else {
        let typed = array.as_fixed_size_binary_opt().filter(|typed| typed.value_size() == 16);
        let typed = typed.ok_or_else(|| wrong(array, kind.name()))?;
        typed.value_data().chunks_exact(16).map(|row| row.try_into().map_or(0, i128::from_le_bytes)).collect()
    };
    masked(mask).for_each(|row| v[row] = 0);
    Ok(match kind {
        NumberType::U128 => v.into_iter().map(i128::cast_unsigned).collect::<Vec<u128>>().into(),
        _ => v.into(),
    })
}

pub(super) fn times(array: ArrayRef, factor: i64, mask: Mask<'_>) -> Result<Vec<i64>> {
    let ty = array.data_type().clone();
    let mut v = match ty {
        DataType::Date32 | DataType::Time32(_) => {
            let data = array.to_data().into_builder().data_type(DataType::Int32).build().map_err(ours)?;
            let v = primitive::<Int32Type>(make_array(data), mask)?;
            // no day, as of other times
            let day = |n: i32| if n == i32::MIN && ty == DataType::Date32 { i64::MIN } else { i64::from(n) };
            v.into_iter().map(day).collect()
        }
        DataType::Timestamp(..)
        | DataType::Duration(_)
        | DataType::Date64
        | DataType::Time64(_)
        | DataType::Int64 => {
            let data = array.to_data();
            // the last who holds the memory
            drop(array);
            let data = data.into_builder().data_type(DataType::Int64).build().map_err(ours)?;
            primitive::<Int64Type>(make_array(data), mask)?
        }
        _ => return Err(wrong(&array, "times")),
    };
    if factor > 1 {
        for (row, n) in v.iter_mut().enumerate().filter(|(_, n)| **n != i64::MIN) {
            if n.checked_rem(factor) != Some(0) {
                let text =
                    format!("the time {n} is between two of the units of {factor} that the column has");
                return Err(Error::other(text).within(Step::Index(row)));
            }
            *n = n.checked_div(factor).unwrap_or(0);
        }
    }
    Ok(v)
}

pub(super) fn fixed(array: ArrayRef, size: usize, mask: Mask<'_>) -> Result<Column> {
    let typed = array.as_fixed_size_binary_opt().filter(|typed| typed.value_size() == size).cloned();
    let typed = typed.ok_or_else(|| wrong(&array, &format!("bytes of {size}")))?;
    let rows = typed.len();
    drop(array);
    let (_, buffer, _) = typed.into_parts();
    let mut bytes = vector::<u8>(buffer);
    for row in masked(mask) {
        let start = row.saturating_mul(size);
        bytes[start..start.saturating_add(size)].fill(0);
    }
    Ok(Column::FixedBytes { size, rows, bytes })
}
