//! Columns that came in batches, made into one.

use crate::failure::{Failure, Result};
use crate::kept::with_room;
use binfmt::columns::{BytesColumn, Column, ColumnData, ListColumn, NullableColumn};
use binfmt::numbers::{NumberType, Numbers};

/// What became of the batches of a column.
pub(crate) enum Joined {
    One(Column),
    /// Columns whose memory cannot be put together.
    Many(Vec<Column>),
}

/// Adds a batch: to the numbers that there are, so that no more than one batch is held beside them, or as one more. `all` is the
/// number of rows that are expected, or 0.
///
/// Small batches that are copied into memory of their final size take a third of the time of a large one: the memory of each is
/// used again by the next.
pub(crate) fn add(batches: &mut Vec<Column>, batch: Column, all: usize) -> Result<()> {
    match (batches.pop(), batch) {
        (Some(Column::Numbers(mut held)), Column::Numbers(more)) => {
            grow(&mut held, &more)?;
            batches.push(Column::Numbers(held));
        }
        (Some(Column::Nullable(held)), Column::Nullable(more))
            if held.values().numbers().is_some() && more.values().numbers().is_some() =>
        {
            batches.push(Column::Nullable(Box::new(added(*held, &more)?)));
        }
        (None, Column::Numbers(first)) => batches.push(Column::Numbers(with_room(first, all))),
        (None, Column::Nullable(first)) if first.values().numbers().is_some() => {
            let present = first.present();
            let (codes, values) = first.into_parts();
            let values = match values {
                Column::Numbers(numbers) => Column::Numbers(with_room(numbers, all)),
                other => other,
            };
            let first = match with_room(Numbers::U8(codes), all) {
                Numbers::U8(codes) => NullableColumn::from_parts(codes, values, present),
                _ => None,
            };
            batches.push(Column::Nullable(Box::new(first.ok_or_else(differ)?)));
        }
        (held, batch) => batches.extend(held.into_iter().chain([batch])),
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

/// A column of another type or length would be wrong values.
#[cold]
fn differ() -> Failure {
    Failure::other("the batches of a column differ in type")
}

fn grow(held: &mut Numbers, more: &Numbers) -> Result<()> {
    if held.append(more) { Ok(()) } else { Err(differ()) }
}

/// One column of two whose values are numbers.
fn added(held: NullableColumn<Column>, more: &NullableColumn<Column>) -> Result<NullableColumn<Column>> {
    let present = held.present();
    let (mut codes, mut values) = held.into_parts();
    codes.extend_from_slice(more.codes());
    if let (Column::Numbers(numbers), Some(others)) = (&mut values, more.values().numbers()) {
        grow(numbers, others)?;
    }
    NullableColumn::from_parts(codes, values, present).ok_or_else(differ)
}

/// One column of all of them.
pub(crate) fn join(mut batches: Vec<Column>) -> Result<Joined> {
    if batches.len() < 2 {
        return Ok(batches.pop().map_or(Joined::Many(Vec::new()), Joined::One));
    }
    if !batches.iter().all(can_join) {
        return Ok(Joined::Many(batches));
    }
    joined(batches).map(Joined::One).ok_or_else(differ)
}

fn can_join(column: &Column) -> bool {
    match column {
        Column::Numbers(_) | Column::Text(_) | Column::Bytes(_) | Column::FixedBytes { .. } => true,
        Column::Nullable(v) | Column::Optional(v) => can_join(v.values()),
        Column::List(v) => can_join(v.items()),
        Column::Array { items, .. } => can_join(items),
        Column::Record { fields, .. } => fields.iter().all(|(_, field)| can_join(field)),
        Column::Shaped { items, .. } => can_join(items.items()),
        _ => false,
    }
}

fn joined(batches: Vec<Column>) -> Option<Column> {
    Some(match batches.first()? {
        Column::Numbers(_) => Column::Numbers(numbers(batches)?),
        Column::Text(_) => Column::Text(strings(batches)?),
        Column::Bytes(_) => Column::Bytes(strings(batches)?),
        Column::FixedBytes { size, .. } => {
            let (size, mut all, mut count) = (*size, Vec::new(), 0);
            for batch in batches {
                let Column::FixedBytes { rows, bytes, .. } = batch else { return None };
                all.extend_from_slice(&bytes);
                count += rows;
            }
            Column::FixedBytes { size, rows: count, bytes: all }
        }
        Column::Nullable(_) => Column::Nullable(Box::new(nullable(batches)?)),
        Column::Optional(_) => Column::Optional(Box::new(nullable(batches)?)),
        Column::List(_) => {
            let (mut offsets, mut inner) = (vec![0], Vec::new());
            for batch in batches {
                let Column::List(v) = batch else { return None };
                let (places, items) = v.into_parts();
                extend(&mut offsets, &places);
                inner.push(items);
            }
            Column::List(Box::new(ListColumn::from_parts(offsets, joined(inner)?)?))
        }
        Column::Array { len, .. } => {
            let (len, mut count, mut inner) = (*len, 0, Vec::new());
            for batch in batches {
                let Column::Array { rows, items, .. } = batch else { return None };
                count += rows;
                inner.push(*items);
            }
            Column::Array { len, rows: count, items: Box::new(joined(inner)?) }
        }
        Column::Record { .. } => record(batches)?,
        Column::Shaped { .. } => shaped(batches)?,
        _ => return None,
    })
}

fn numbers(batches: Vec<Column>) -> Option<Numbers> {
    let mut all: Vec<Numbers> = Vec::with_capacity(batches.len());
    for batch in batches {
        let Column::Numbers(numbers) = batch else { return None };
        all.push(numbers);
    }
    let rows = all.iter().map(Numbers::len).sum();
    let mut whole = Numbers::new(all.first()?.number_type());
    whole.reserve_exact(rows);
    // each batch is given back before the next is copied
    all.into_iter().all(|batch| whole.append(&batch)).then_some(whole)
}

/// The places of one more batch after those that there are.
fn extend(offsets: &mut Vec<usize>, more: &[usize]) {
    let base = offsets.last().copied().unwrap_or(0);
    offsets.extend(more.get(1..).unwrap_or_default().iter().map(|place| base + place));
}

fn strings(batches: Vec<Column>) -> Option<BytesColumn> {
    let mut all: Vec<BytesColumn> = Vec::with_capacity(batches.len());
    for batch in batches {
        let (Column::Text(v) | Column::Bytes(v)) = batch else { return None };
        all.push(v);
    }
    let (rows, bytes) = all.iter().fold((0, 0), |(rows, bytes), v| (rows + v.len(), bytes + v.items().len()));
    let (mut offsets, mut items) = (Vec::with_capacity(rows + 1), Vec::with_capacity(bytes));
    offsets.push(0);
    // each batch is given back before the next is copied
    for batch in all {
        extend(&mut offsets, batch.offsets());
        items.extend_from_slice(batch.items());
    }
    BytesColumn::from_parts(offsets, items)
}

fn nullable(batches: Vec<Column>) -> Option<NullableColumn<Column>> {
    let rows = batches.iter().map(Column::len).sum();
    let (mut codes, mut inner, mut present) =
        (Vec::with_capacity(rows), Vec::with_capacity(batches.len()), 0);
    for batch in batches {
        let (Column::Nullable(v) | Column::Optional(v)) = batch else { return None };
        present = v.present();
        let (more, values) = v.into_parts();
        codes.extend_from_slice(&more);
        inner.push(values);
    }
    NullableColumn::from_parts(codes, joined(inner)?, present)
}

fn shaped(batches: Vec<Column>) -> Option<Column> {
    let (mut offsets, mut sizes, mut lists) = (vec![0], Vec::new(), Vec::new());
    for batch in batches {
        let Column::Shaped { shapes, items } = batch else { return None };
        let (places, more) = shapes.into_parts();
        extend(&mut offsets, &places);
        sizes.extend(more);
        lists.push(Column::List(items));
    }
    let Column::List(items) = joined(lists)? else { return None };
    Some(Column::Shaped { shapes: ListColumn::from_parts(offsets, sizes)?, items })
}

fn record(batches: Vec<Column>) -> Option<Column> {
    let (mut count, mut columns) = (0, Vec::new());
    for batch in batches {
        let Column::Record { rows, fields } = batch else { return None };
        count += rows;
        if columns.is_empty() {
            columns = fields.iter().map(|(name, _)| (name.clone(), Vec::new())).collect();
        }
        for ((_, into), (_, field)) in columns.iter_mut().zip(fields) {
            into.push(field);
        }
    }
    let fields = columns.into_iter().map(|(name, field)| Some((name, joined(field)?)));
    Some(Column::Record { rows: count, fields: fields.collect::<Option<_>>()? })
}
