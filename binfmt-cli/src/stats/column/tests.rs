//! What is known of columns of every type.

use super::*;
use binfmt::columns::{ListColumn, NullableColumn};
use binfmt::numbers::NumberType;
use binfmt::table::{TableField, TableSchema};

fn of(column: Column) -> ColumnStats {
    let schema = TableSchema::new([TableField::new("v", column.column_type())]);
    let part = Part { number: 0, of: 1 };
    let mut stats =
        ColumnStats::new((&schema.leaves()[0], Meaning::Plain), part, &Limits::of_parts(1), false);
    stats.add(&column);
    stats
}

#[test]
fn every_kind_of_number_is_summed_up() {
    for kind in NumberType::ALL {
        let stats = of(Column::Numbers(Numbers::from_le_bytes(*kind, &vec![0; kind.size() * 3000]).unwrap()));
        assert_eq!((stats.mean(), stats.deviation()), (Some(0.0), Some(0.0)), "{kind:?}");
        assert_eq!(stats.distinct(), Some((1, true)), "{kind:?}");
    }
}

fn lists(ends: &[usize], items: Column) -> Column {
    Column::List(Box::new(ListColumn::from_parts(ends.to_vec(), items).unwrap()))
}

#[test]
fn elements_are_counted_apart_from_rows() {
    let missing = |codes: &[u8], values| {
        Column::Nullable(Box::new(NullableColumn::from_parts(codes.to_vec(), values, 1).unwrap()))
    };
    let items = || missing(&[1, 0, 1, 1], Column::from(vec![1i32, 0, 3, 8]));
    let stats = of(lists(&[0, 3, 3, 4], items()));
    assert_eq!((stats.elements(), stats.missing, stats.mean()), (Some((3, 1)), 0, Some(4.0)));
    // of a list that is missing nothing is counted
    let stats = of(missing(&[1, 1, 0], lists(&[0, 3, 3, 4], items())));
    assert_eq!((stats.elements(), stats.missing, stats.mean()), (Some((2, 1)), 1, Some(2.0)));
    // lists in lists
    let stats = of(lists(&[0, 1, 3], lists(&[0, 3, 3, 4], items())));
    assert_eq!((stats.elements(), stats.missing, stats.mean()), (Some((3, 1)), 0, Some(4.0)));
    let stats = of(Column::Array { len: 2, rows: 2, items: Box::new(items()) });
    assert_eq!((stats.elements(), stats.distinct()), (Some((3, 1)), Some((3, true))));
    assert_eq!(of(Column::from(vec![1u8])).elements(), None);
}
