//! What is known of the rows before they are read.

use crate::files::{File, Files};
use binfmt::table::{Scalar, ScalarRange};
use binfmt_arrow::Texts;
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::stats::Precision;
use datafusion::common::{ColumnStatistics, ScalarValue, Statistics};
use datafusion::datasource::table_schema::TableSchema;
use std::ops::Bound;

/// The number of rows of the files that are read and the least and largest values of their columns, exact if all rows are wanted and
/// every file knows them.
pub(crate) fn statistics(
    files: &Files,
    schema: &TableSchema,
    all_wanted: bool,
    is_read: impl Fn(usize) -> bool,
) -> Statistics {
    let read: Vec<&File> = files.all().filter(|(number, _)| is_read(*number)).map(|(_, file)| file).collect();
    let exact = sum(read.iter().map(|file| file.table.num_rows().exact()));
    let guess = sum(read.iter().map(|file| file.table.num_rows().guess()));
    let narrow = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let num_rows = match (exact, guess) {
        (Some(rows), _) if all_wanted => Precision::Exact(narrow(rows)),
        (_, Some(rows)) => Precision::Inexact(narrow(rows)),
        _ => Precision::Absent,
    };
    let exact = matches!(num_rows, Precision::Exact(_));
    let texts = files.opening().texts;
    let of = |(number, field)| match exact {
        true => column(&read, number, field, texts),
        false => ColumnStatistics::new_unknown(),
    };
    let fields = schema.file_schema().fields().iter().enumerate();
    // nothing is said of the columns that folders are
    let folders = schema.table_partition_cols().iter().map(|_| ColumnStatistics::new_unknown());
    Statistics {
        num_rows,
        total_byte_size: Precision::Absent,
        column_statistics: fields.map(|(number, field)| of((number, field))).chain(folders).collect(),
    }
}

/// How many rows there are together; `None` if that is not known of all, or more than there are numbers: a domain may have any number of cells.
pub(crate) fn sum(mut rows: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    rows.try_fold(0u64, |sum, rows| sum.checked_add(rows?))
}

/// What all files that are read know of a field.
fn column(files: &[&File], number: usize, field: &Field, texts: Texts) -> ColumnStatistics {
    let mut known = ColumnStatistics::new_unknown();
    if !field.is_nullable() {
        known.null_count = Precision::Exact(0);
    }
    let ends = files.iter().map(|file| {
        let columns = 0..file.table.schema().fields.len();
        let column = columns.into_iter().find(|column| file.mapping.fields_of(*column).start == number)?;
        ends(&file.table.bounds(column)?, field.data_type(), texts)
    });
    // a file without rows has no least value, which leaves the others as they are only if it is asked
    let Some(all) = ends.collect::<Option<Vec<_>>>() else { return known };
    let (mut low, mut high): (Vec<_>, Vec<_>) = all.into_iter().unzip();
    low.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    high.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    if let (Some(low), Some(high)) = (low.into_iter().next(), high.pop()) {
        known.min_value = Precision::Exact(low);
        known.max_value = Precision::Exact(high);
    }
    known
}

/// The ends as values of a type: of numbers and texts, which are the same there. Texts that are made of other bytes have another order.
fn ends(range: &ScalarRange, data_type: &DataType, texts: Texts) -> Option<(ScalarValue, ScalarValue)> {
    let value = |end: &Bound<Scalar>| match (end, data_type) {
        (Bound::Included(Scalar::Number(n)), _) if data_type.is_numeric() => {
            ScalarValue::try_from_string(n.to_string(), data_type).ok()
        }
        (Bound::Included(Scalar::Bytes(bytes)), DataType::LargeUtf8) if texts == Texts::Checked => {
            Some(ScalarValue::LargeUtf8(Some(String::from_utf8(bytes.clone()).ok()?)))
        }
        _ => None,
    };
    Some((value(&range.low)?, value(&range.high)?))
}

#[cfg(test)]
mod tests {
    use super::sum;

    #[test]
    fn more_rows_than_there_are_numbers_are_not_known() {
        assert_eq!(sum([Some(1), Some(2)].into_iter()), Some(3));
        assert_eq!(sum([Some(1), None].into_iter()), None);
        assert_eq!(sum([Some(1 << 63), Some(1 << 63)].into_iter()), None);
    }
}
