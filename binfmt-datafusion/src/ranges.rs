//! Filters as ranges of the values of columns.

use binfmt::columns::ColumnType;
use binfmt::numbers::NumberType;
use binfmt::table::{Logical, Scalar, ScalarRange};
use binfmt_arrow::{Mapping, Texts};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{Between, BinaryExpr, Expr, Operator};
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
                Operator::Eq => (Bound::Included(value.clone()), Bound::Included(value)),
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
        _ => {}
    }
}
