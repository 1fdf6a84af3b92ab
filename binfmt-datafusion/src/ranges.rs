//! Filters as ranges of the values of columns.

use binfmt::columns::ColumnType;
use binfmt::numbers::NumberType;
use binfmt::table::{Logical, Scalar, ScalarRange};
use binfmt_arrow::{Mapping, Texts};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::expr::InList;
use datafusion::logical_expr::{Between, BinaryExpr, Expr, Operator};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Bound;

/// What filters say of columns, by their numbers: rows outside cannot match. What is not understood says nothing.
pub(crate) fn ranges<'a>(
    mapping: &Mapping,
    texts: Texts,
    filters: impl IntoIterator<Item = &'a Expr>,
) -> Vec<(usize, ScalarRange)> {
    let mut found = Vec::new();
    filters.into_iter().for_each(|filter| collect(mapping, filter, &mut found));
    // what was made UTF-8 on the way is compared with what it was
    let is_text = |end: &Bound<Scalar>| {
        matches!(end, Bound::Included(Scalar::Bytes(_)) | Bound::Excluded(Scalar::Bytes(_)))
    };
    found.retain(|(_, range)| texts == Texts::Checked || !(is_text(&range.low) || is_text(&range.high)));
    found
}

/// The number of the column in the table, if its values are compared as they are.
fn column(mapping: &Mapping, e: &Expr) -> Option<usize> {
    let Expr::Column(column) = e else { return None };
    let fields = &mapping.table_schema().fields;
    let number = fields.iter().position(|field| field.name == column.name.as_str())?;
    // times may be in another unit there
    match fields.get(number)?.logical {
        Some(Logical::Timestamp(_) | Logical::Duration(_)) => None,
        _ => Some(number),
    }
}

fn literal(e: &Expr) -> Option<Scalar> {
    let Expr::Literal(value, _) = e else { return None };
    Some(match value {
        ScalarValue::Boolean(Some(b)) => (*b).into(),
        ScalarValue::Int8(Some(n)) => (*n).into(),
        ScalarValue::Int16(Some(n)) => (*n).into(),
        ScalarValue::Int32(Some(n)) => (*n).into(),
        ScalarValue::Int64(Some(n)) => (*n).into(),
        ScalarValue::UInt8(Some(n)) => (*n).into(),
        ScalarValue::UInt16(Some(n)) => (*n).into(),
        ScalarValue::UInt32(Some(n)) => (*n).into(),
        ScalarValue::UInt64(Some(n)) => (*n).into(),
        // nothing is equal to a NaN here, and everything is less than one there
        ScalarValue::Float32(Some(n)) if !n.is_nan() => (*n).into(),
        ScalarValue::Float64(Some(n)) if !n.is_nan() => (*n).into(),
        ScalarValue::Utf8(Some(text))
        | ScalarValue::LargeUtf8(Some(text))
        | ScalarValue::Utf8View(Some(text)) => text.as_str().into(),
        _ => return None,
    })
}

/// Whether a column and what it is compared with are integers.
fn are_integers(mapping: &Mapping, column: usize, value: &Scalar) -> bool {
    let ty = mapping.table_schema().fields.get(column).map(|field| &field.ty);
    let ty = match ty {
        Some(ColumnType::Nullable { values, .. } | ColumnType::Optional(values)) => Some(&**values),
        ty => ty,
    };
    let is_one = |kind: NumberType| !kind.is_float();
    matches!((ty, value), (Some(ColumnType::Number(kind)), Scalar::Number(n)) if is_one(*kind) && is_one(n.number_type()))
}

fn collect(mapping: &Mapping, e: &Expr, found: &mut Vec<(usize, ScalarRange)>) {
    match e {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::And, right }) => {
            collect(mapping, left, found);
            collect(mapping, right, found);
        }
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Or, right }) => {
            found.extend(either(collected(mapping, left), collected(mapping, right)));
        }
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => {
            let said = match (column(mapping, left), literal(right)) {
                (Some(column), Some(value)) => Some((column, value, *op)),
                _ => column(mapping, right).zip(literal(left)).zip(op.swap()).map(|((c, v), op)| (c, v, op)),
            };
            let Some((column, value, op)) = said else { return };
            // of floats the ends are part of the range: -0.0 is less than 0.0 there, and equal here
            let beyond = match are_integers(mapping, column, &value) {
                true => Bound::Excluded(value.clone()),
                false => Bound::Included(value.clone()),
            };
            let (low, high) = match op {
                Operator::Eq => return found.push((column, equal(value))),
                Operator::Gt => (beyond, Bound::Unbounded),
                Operator::GtEq => (Bound::Included(value), Bound::Unbounded),
                Operator::Lt => (Bound::Unbounded, beyond),
                Operator::LtEq => (Bound::Unbounded, Bound::Included(value)),
                _ => return,
            };
            found.push((column, ScalarRange { low, high }));
        }
        Expr::Between(Between { expr, negated: false, low, high }) => {
            if let (Some(column), Some(low), Some(high)) =
                (column(mapping, expr), literal(low), literal(high))
            {
                found.push((column, ScalarRange { low: Bound::Included(low), high: Bound::Included(high) }));
            }
        }
        Expr::InList(InList { expr, list, negated: false }) => {
            let Some(column) = column(mapping, expr) else { return };
            let one = |e: &Expr| literal(e).map(|value| vec![(column, equal(value))]);
            let each: Option<Vec<_>> = list.iter().map(one).collect();
            found.extend(each.and_then(|each| each.into_iter().reduce(either)).unwrap_or_default());
        }
        _ => {}
    }
}

/// What an expression alone says.
fn collected(mapping: &Mapping, e: &Expr) -> Vec<(usize, ScalarRange)> {
    let mut found = Vec::new();
    collect(mapping, e, &mut found);
    found
}

fn equal(value: Scalar) -> ScalarRange {
    ScalarRange { low: Bound::Included(value.clone()), high: Bound::Included(value) }
}

/// What holds of a row for which one of the two does: of each column that both speak of, one range that has both in it.
fn either(a: Vec<(usize, ScalarRange)>, b: Vec<(usize, ScalarRange)>) -> Vec<(usize, ScalarRange)> {
    let (a, b) = (met(a), met(b));
    let both = a.iter().filter_map(|(column, a)| {
        let b = b.get(column)?;
        let low = end(&a.low, &b.low, Ordering::Less, true);
        let high = end(&a.high, &b.high, Ordering::Greater, true);
        let says_something = low != Bound::Unbounded || high != Bound::Unbounded;
        says_something.then_some((*column, ScalarRange { low, high }))
    });
    both.collect()
}

/// One range for each column: where all of its ranges meet.
fn met(ranges: Vec<(usize, ScalarRange)>) -> BTreeMap<usize, ScalarRange> {
    let mut met: BTreeMap<usize, ScalarRange> = BTreeMap::new();
    for (column, range) in ranges {
        let so_far = met.entry(column).or_insert_with(|| range.clone());
        so_far.low = end(&so_far.low, &range.low, Ordering::Greater, false);
        so_far.high = end(&so_far.high, &range.high, Ordering::Less, false);
    }
    met
}

/// Of two ends the one that is on that side, or lets more values in.
fn end(a: &Bound<Scalar>, b: &Bound<Scalar>, side: Ordering, is_wider: bool) -> Bound<Scalar> {
    use Bound::{Excluded, Included, Unbounded};
    match (a, b) {
        (Unbounded, _) | (_, Unbounded) if is_wider => Unbounded,
        (Unbounded, other) | (other, Unbounded) => other.clone(),
        (Included(x) | Excluded(x), Included(y) | Excluded(y)) => match x.compare(y) {
            Some(Ordering::Equal) if matches!(a, Included(_)) == is_wider => a.clone(),
            Some(Ordering::Equal) => b.clone(),
            Some(order) if order == side => a.clone(),
            Some(_) => b.clone(),
            None if is_wider => Unbounded,
            None => a.clone(),
        },
    }
}
