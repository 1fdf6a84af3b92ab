//! Columns that come in batches, made into one.

use crate::failure::Result;
use binfmt::columns::{Column, ColumnData};
use binfmt::numbers::{NumberType, Numbers};

/// Adds a batch to the rows that there are, so that no more than one batch is held beside them. `all` is the number of rows that are
/// expected, or 0.
pub(crate) fn add(column: &mut Option<Column>, batch: Column, all: usize) -> Result<()> {
    match column {
        Some(held) => held.append(&batch)?,
        None if all <= batch.len() => *column = Some(batch),
        None => {
            let mut held = batch.column_type().empty();
            held.reserve(all)?;
            held.append(&batch)?;
            *column = Some(held);
        }
    }
    Ok(())
}

/// Floats of which some may be missing as floats: those are NaN. In a batch, which is still in the cache, that costs little.
pub(crate) fn with_nan(batch: Column) -> Column {
    fn set<T: Copy>(codes: &[u8], present: u8, values: &mut [T], nan: T) {
        for (value, code) in values.iter_mut().zip(codes) {
            *value = if *code == present { *value } else { nan };
        }
    }
    let floats = [NumberType::F32, NumberType::F64];
    match batch {
        Column::Nullable(held)
            if held.values().numbers().is_some_and(|numbers| floats.contains(&numbers.number_type())) =>
        {
            let present = held.present();
            let (codes, mut values) = held.into_parts();
            match &mut values {
                Column::Numbers(Numbers::F32(values)) => set(&codes, present, values, f32::NAN),
                Column::Numbers(Numbers::F64(values)) => set(&codes, present, values, f64::NAN),
                _ => {}
            }
            values
        }
        other => other,
    }
}
