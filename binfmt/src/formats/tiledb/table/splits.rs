//! Parts of an array: boxes that end between tiles of the first dimension.

use super::array::TileTable;
use crate::error::Result;
use crate::formats::tiledb::layout::Attribute;
use crate::formats::tiledb::read::Query;
use crate::formats::tiledb::values::{integer, key};
use crate::numbers::{Number, NumberType};
use crate::storage::Storage;
use crate::table::{Estimate, MOST_PARTS, Pruned, Scalar, ScalarRange, Split, Wanted, Within};
use std::ops::Bound;
use std::sync::Arc;

/// The wanted coordinates of a dimension: `None` of all. What a number of its type cannot say exactly leaves out nothing.
pub(super) fn range_of(table: &TileTable, wanted: &Wanted, dimension: usize) -> Option<[Number; 2]> {
    let domain = &table.array.schema().domain;
    let kind = domain.datatype.number_type()?;
    let [low, high] = domain.dimensions.get(dimension)?.domain;
    if !wanted.ranges.iter().any(|(column, _)| *column == dimension) {
        return None;
    }
    if kind.is_float() {
        let ranges = wanted.ranges.iter().filter(|(column, _)| *column == dimension).map(|(_, range)| range);
        let ends =
            ranges.fold([low.to_f64(), high.to_f64()], |[low, high], ScalarRange { low: a, high: b }| {
                [float(a).map_or(low, |a| low.max(a)), float(b).map_or(high, |b| high.min(b))]
            });
        return Some(ends.map(Number::F64));
    }
    let (first, last) = wanted.integers(dimension);
    let (low, high) = (low.as_i128()?, high.as_i128()?);
    let (first, last) = (first.max(low), last.min(high));
    // one without cells has its ends the wrong way round
    let ends = if first > last { [high, low] } else { [first, last] };
    let numbers = ends.map(|end| Number::from_i128(kind, end));
    let [Some(first), Some(last)] = numbers else { return None };
    Some([first, last])
}

/// An end that a float is, exactly.
fn float(end: &Bound<Scalar>) -> Option<f64> {
    let (Bound::Included(Scalar::Number(n)) | Bound::Excluded(Scalar::Number(n))) = end else { return None };
    let float = n.to_f64();
    let exact = Scalar::from(float).compare(&Scalar::from(*n)) == Some(std::cmp::Ordering::Equal);
    exact.then_some(float)
}

/// The number whose key this is.
fn number(key: u64, kind: NumberType) -> Option<Number> {
    const SIGN: u64 = 1 << 63;
    match kind.is_float() {
        true => Some(Number::F64(f64::from_bits(if key >= SIGN { key & !SIGN } else { !key }))),
        false => Number::from_i128(kind, integer(key, kind)),
    }
}

/// The keys at which parts of a dense array may begin.
fn tiles(table: &TileTable, [first, last]: [u64; 2], parts: usize) -> Vec<u64> {
    let domain = &table.array.schema().domain;
    let all = || {
        let kind = domain.datatype.number_type()?;
        let dimension = domain.dimensions.first()?;
        let (low, extent) = (dimension.domain[0].as_i128()?, dimension.tile_extent?.as_i128()?.max(1));
        let tile = |key: u64| (integer(key, kind) - low) / extent;
        let (begin, end) = (tile(first), tile(last) + 1);
        let parts = (parts as i128).min(end - begin);
        let place = |i: i128| number_key(low + (begin + (end - begin) * i / parts) * extent, kind);
        (1..parts).map(place).collect::<Option<Vec<u64>>>()
    };
    all().unwrap_or_default()
}

fn number_key(n: i128, kind: NumberType) -> Option<u64> {
    Number::from_i128(kind, n).map(key)
}

/// Those of a sparse array: where boxes of the R-trees begin.
fn leaves(table: &TileTable, [first, last]: [u64; 2], parts: usize) -> Vec<u64> {
    let leaves = table.array.fragments().iter().flat_map(|fragment| fragment.metadata().rtree.leaves());
    let lows = leaves.filter_map(|leaf| leaf.ranges.first()).map(|[low, _]| key(*low));
    let mut lows: Vec<u64> = lows.filter(|low| (first..=last).contains(low)).collect();
    lows.sort_unstable();
    let mut starts: Vec<u64> =
        (1..parts).filter_map(|i| lows.get(lows.len() * i / parts.max(1)).copied()).collect();
    starts.dedup();
    starts.retain(|start| *start > first);
    starts
}

/// The query for the wanted coordinates.
pub(super) fn query<'a>(table: &'a TileTable, wanted: &Wanted) -> Query<'a, Arc<dyn Storage>> {
    let mut query = table.array.query();
    for dimension in 0..table.num_dimensions() {
        if let Some([low, high]) = range_of(table, wanted, dimension) {
            query = query.range_of(dimension, low..=high);
        }
    }
    query
}

/// Whether the value of cells that were never written is not wanted of an attribute. Rows are counted with all cells.
pub(super) fn wants_written(table: &TileTable, wanted: &Wanted) -> bool {
    let attribute = |column: usize| {
        let place = column.checked_sub(table.num_dimensions())?;
        table.array.schema().attributes.get(place)
    };
    let is_unwanted = |(column, range): &(usize, ScalarRange)| {
        let Some(fill) = attribute(*column).and_then(Attribute::fill_number) else { return false };
        let has_end = !matches!((&range.low, &range.high), (Bound::Unbounded, Bound::Unbounded));
        let fill = Scalar::from(fill);
        // a NaN is in no range
        has_end && (fill.compare(&fill).is_none() || !range.may_meet(&fill, &fill))
    };
    table.is_dense() && wanted.rows.is_none() && wanted.ranges.iter().any(is_unwanted)
}

/// The tiles with wanted cells.
pub(super) fn pruned(table: &TileTable, wanted: &Wanted) -> Result<Pruned> {
    let (tiles, all) = query(table, wanted).any().tiles()?;
    Ok(Pruned::new("tiles", tiles.into_iter().map(|tile| tile as u64), all as u64))
}

pub(super) fn of(table: &TileTable, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
    let (rows, parts) = (wanted.rows_of(None), parts.min(MOST_PARTS));
    let keys = query(table, wanted).any().keys()?;
    if rows.is_empty() || keys.iter().any(|[low, high]| low > high) {
        return Ok(Vec::new());
    }
    // rows are counted from the first cell on, so that they cannot be found in a part
    let Some(&ends) = keys.first().filter(|_| parts > 1 && wanted.rows.is_none()) else {
        return Ok(vec![Split { rows, ..Split::default() }]);
    };
    let starts = if table.is_dense() { tiles(table, ends, parts) } else { leaves(table, ends, parts) };
    let kind = table.array.schema().domain.datatype.number_type().unwrap_or(NumberType::U8);
    // other dimensions have all of the domain in the number of rows, or a range
    let others = keys
        .iter()
        .skip(1)
        .try_fold(1u64, |n, [low, high]| n.checked_mul(high.checked_sub(*low)?.checked_add(1)?));
    let all_come = table.is_dense() && !wants_written(table, wanted);
    let split = |low: u64, high: u64| {
        let num_rows =
            match others.filter(|_| all_come).and_then(|n| n.checked_mul((high - low).checked_add(1)?)) {
                Some(cells) => Estimate::Exact(cells),
                None => Estimate::Unknown,
            };
        let (low, high) = (number(low, kind)?, number(high, kind)?);
        let within = vec![Within { column: 0, low: low.into(), high: high.into() }];
        Some(Split { within, num_rows, ..Split::default() })
    };
    let begins = std::iter::once(ends[0]).chain(starts.iter().copied());
    let lasts = starts.iter().map(|start| start - 1).chain([ends[1]]);
    Ok(begins.zip(lasts).filter_map(|(low, high)| split(low, high)).collect())
}
