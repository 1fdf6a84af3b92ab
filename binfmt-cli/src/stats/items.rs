//! The items of lists and arrays, which are summed up together.

use super::column::ColumnStats;
use super::there::{of_items, present};
use binfmt::columns::{Column, ColumnData, ColumnType};

/// How many items the lists of a column have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Items {
    is_list: bool,
    /// All of them, those that are lists included.
    pub(super) all: u64,
    /// Those that are not lists, and are there.
    there: u64,
    missing: u64,
}

impl Items {
    /// None, of a column of this type.
    pub(super) fn of(ty: &ColumnType) -> Self {
        Items { is_list: is_list(ty), ..Items::default() }
    }

    pub(super) fn merge(&mut self, other: Items) {
        self.all += other.all;
        self.there += other.there;
        self.missing += other.missing;
    }
}

impl ColumnStats {
    /// How many elements the lists have, and how many are missing; `None` of a column that has no lists.
    pub(crate) fn elements(&self) -> Option<(u64, u64)> {
        self.items.is_list.then_some((self.items.there, self.items.missing))
    }

    /// Adds the items of lists, of which each begins and ends at these places.
    pub(super) fn add_items(&mut self, ends: &[usize], items: &Column, there: Option<&[bool]>) {
        let there = there.map(|there| of_items(there, ends, items.len()));
        let all = there.as_deref().map_or(items.len(), present) as u64;
        self.items.all += items.len() as u64;
        // a missing item is in a row that is there
        let missing = std::mem::take(&mut self.missing);
        self.add_values(items, there.as_deref());
        let lost = std::mem::replace(&mut self.missing, missing);
        if !is_list(&items.column_type()) {
            self.items.there += all.saturating_sub(lost);
        }
        self.items.missing += lost;
    }
}

/// What the values are, or the items of lists.
pub(super) fn element(ty: &ColumnType) -> &ColumnType {
    match ty {
        ColumnType::Nullable { values, .. } | ColumnType::Optional(values) => element(values),
        ColumnType::List(items) | ColumnType::Array { items, .. } | ColumnType::Shaped(items) => {
            element(items)
        }
        ty => ty,
    }
}

/// Whether values are lists, if they are there.
fn is_list(ty: &ColumnType) -> bool {
    match ty {
        ColumnType::Nullable { values, .. } | ColumnType::Optional(values) => is_list(values),
        ColumnType::List(_) | ColumnType::Array { .. } | ColumnType::Shaped(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Limits;
    use super::*;
    use crate::tabular::Part;
    use binfmt::columns::{ListColumn, NullableColumn};
    use binfmt::table::{TableField, TableSchema};

    fn of(column: Column) -> ColumnStats {
        let schema = TableSchema::new([TableField::new("v", column.column_type())]);
        let part = Part { number: 0, of: 1 };
        let mut stats = ColumnStats::new(&schema.leaves()[0], part, &Limits::of_parts(1), false);
        stats.add(&column);
        stats
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
}
