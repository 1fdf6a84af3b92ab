//! The items of lists and arrays, which are summed up together.

use binfmt::columns::{Column, ColumnData, ColumnType};

/// How many items the lists of a column have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Items {
    is_list: bool,
    /// Two of the innermost are one.
    is_complex: bool,
    /// All of them, those that are lists included.
    pub(super) all: u64,
    /// Those that are not lists, and are there.
    there: u64,
    missing: u64,
}

impl Items {
    /// None, of a column of this type; a complex number is no list of its halves.
    pub(super) fn of(ty: &ColumnType, is_complex: bool) -> Self {
        let is_list = if is_complex { inner(ty).is_some_and(is_list) } else { is_list(ty) };
        Items { is_list, is_complex, ..Items::default() }
    }

    /// Adds items of which so many are in lists that are there, and so many of those are missing.
    pub(super) fn add(&mut self, items: &Column, there: usize, missing: u64) {
        self.all += items.len() as u64;
        if !is_list(&items.column_type()) {
            self.there += (there as u64).saturating_sub(missing);
        }
        self.missing += missing;
    }

    /// How many there are, and how many are missing; `None` of a column that has no lists.
    pub(super) fn count(&self) -> Option<(u64, u64)> {
        let each = if self.is_complex { 2 } else { 1 };
        self.is_list.then_some((self.there / each, self.missing / each))
    }

    pub(super) fn merge(&mut self, other: Items) {
        self.all += other.all;
        self.there += other.there;
        self.missing += other.missing;
    }
}

/// What a list has.
fn inner(ty: &ColumnType) -> Option<&ColumnType> {
    match ty {
        ColumnType::Nullable { values, .. } | ColumnType::Optional(values) => inner(values),
        ColumnType::List(items) | ColumnType::Array { items, .. } | ColumnType::Shaped(items) => Some(items),
        _ => None,
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
