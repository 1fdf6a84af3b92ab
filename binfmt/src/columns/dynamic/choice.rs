//! A column of choices.
#![allow(clippy::arithmetic_side_effects, reason = "bytes that are in memory")]

use super::cell::ValueRef;
use super::column::Column;
use crate::columns::data::{BlankRows, ColumnData};
use crate::schema::Name;
use alloc::vec::Vec;

/// One of several variants in each row: which, and its fields in the column of that variant, which has a row for each row that
/// has this variant.
///
/// Where a variant has several tags its first field is the tag, under the name `tag`.
///
/// ```
/// use binfmt::columns::{Column, Plan};
/// use binfmt::schema::{Choice, Description, Field, Record, Tag, Type, Variant};
/// let byte = |name| Field::new(name, Type::Int { bytes: 1, signed: false });
/// let variants = [("A", "1", vec![byte("x")]), ("B", "2", vec![byte("y"), byte("z")])];
/// let variants = variants.map(|(name, tag, fields)| Variant::new(name, tag, fields));
/// let tag = Tag::Front(Box::new(Type::Int { bytes: 1, signed: false }));
/// let shape = Type::Choice(Choice::new("Shape", tag, variants));
/// let layout = Description::new(Type::Record(Record::new("Row", [Field::new("shape", shape)])));
///
/// let plan = Plan::new(&layout)?;
/// let bytes = [1, 7, 2, 8, 9, 1, 10];
/// let columns = plan.decode(&bytes)?;
/// let Some(Column::Choice(shapes)) = columns.get("shape") else { unreachable!() };
/// assert_eq!((shapes.variants(), shapes.places()), (&[0, 1, 0][..], &[0, 0, 1][..]));
/// let (name, Column::Record { fields, .. }) = &shapes.columns()[0] else { unreachable!() };
/// assert_eq!((name.as_str(), &fields[0].1), ("A", &Column::from(vec![7u8, 10])));
/// assert_eq!(plan.encode(&columns)?, bytes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceColumn {
    variants: Vec<u32>,
    places: Vec<usize>,
    columns: Vec<(Name, Column)>,
    /// Their numbers in the order of their names.
    by_name: Vec<u32>,
}

/// The numbers of columns in the order of their names; of two with one name the first comes first.
fn by_name(columns: &[(Name, Column)]) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..).take(columns.len()).collect();
    numbers.sort_by_key(|number| columns.get(*number as usize).map(|(name, _)| name));
    numbers
}

impl ChoiceColumn {
    /// No rows of these variants, each a record without rows.
    pub(super) fn of(columns: Vec<(Name, Column)>) -> Self {
        ChoiceColumn { variants: Vec::new(), places: Vec::new(), by_name: by_name(&columns), columns }
    }

    /// These rows, each of which is one of its variant.
    #[cfg(feature = "table")]
    pub(super) fn of_parts(variants: Vec<u32>, places: Vec<usize>, columns: Vec<(Name, Column)>) -> Self {
        ChoiceColumn { variants, places, by_name: by_name(&columns), columns }
    }

    /// Rows of these variants, by the number of the variant in each; the rows of a variant follow each other in its column. `None`
    /// where a column has not as many rows as there are of its variant, or where there is no variant of a number.
    ///
    /// ```
    /// use binfmt::columns::{ChoiceColumn, Column};
    /// let variant = |name: &str, rows| (name.into(), Column::Record { rows, fields: Vec::new() });
    /// let choices = ChoiceColumn::from_parts(vec![1, 0, 1], vec![variant("A", 1), variant("B", 2)]).unwrap();
    /// assert_eq!(choices.places(), [0, 0, 1]);
    /// assert!(ChoiceColumn::from_parts(vec![1], vec![variant("A", 1)]).is_none());
    /// ```
    pub fn from_parts(variants: Vec<u32>, columns: Vec<(Name, Column)>) -> Option<Self> {
        let mut rows = alloc::vec![0; columns.len()];
        let mut place = |variant: &u32| {
            let next: &mut usize = rows.get_mut(*variant as usize)?;
            *next += 1;
            Some(*next - 1)
        };
        let places = variants.iter().map(&mut place).collect::<Option<_>>()?;
        let whole = columns
            .iter()
            .zip(&rows)
            .all(|((_, column), rows)| matches!(column, Column::Record { .. }) && column.len() == *rows);
        whole.then(|| ChoiceColumn { variants, places, by_name: by_name(&columns), columns })
    }

    /// The variant of each row, where the row is in the column of its variant, and these columns.
    ///
    /// ```
    /// use binfmt::columns::{ChoiceColumn, Column};
    /// let choices = ChoiceColumn::from_parts(vec![0], vec![("A".into(), Column::Record { rows: 1, fields: Vec::new() })]);
    /// let (variants, places, columns) = choices.unwrap().into_parts();
    /// assert_eq!((variants, places, columns.len()), (vec![0], vec![0], 1));
    /// ```
    pub fn into_parts(self) -> (Vec<u32>, Vec<usize>, Vec<(Name, Column)>) {
        (self.variants, self.places, self.columns)
    }

    /// For each row the number of its variant in [`columns`](Self::columns).
    ///
    /// ```
    /// # use binfmt::{columns::{Column, Plan}, schema::{Choice, Description, Field, Record, Tag, Type, Variant}};
    /// # let tag = Tag::Front(Box::new(Type::Int { bytes: 1, signed: false }));
    /// # let choice = Type::Choice(Choice::new("C", tag, [Variant::new("A", "1", []), Variant::new("B", "2", [])]));
    /// # let layout = Description::new(Type::Record(Record::new("Row", [Field::new("c", choice)])));
    /// # let columns = Plan::new(&layout).unwrap().decode(&[1, 2, 2])?;
    /// # let Some(Column::Choice(choices)) = columns.get("c") else { unreachable!() };
    /// assert_eq!(choices.variants(), [0, 1, 1]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn variants(&self) -> &[u32] {
        &self.variants
    }

    /// For each row which row it is in the column of its variant.
    ///
    /// ```
    /// # use binfmt::{columns::{Column, Plan}, schema::{Choice, Description, Field, Record, Tag, Type, Variant}};
    /// # let tag = Tag::Front(Box::new(Type::Int { bytes: 1, signed: false }));
    /// # let choice = Type::Choice(Choice::new("C", tag, [Variant::new("A", "1", []), Variant::new("B", "2", [])]));
    /// # let layout = Description::new(Type::Record(Record::new("Row", [Field::new("c", choice)])));
    /// # let columns = Plan::new(&layout).unwrap().decode(&[1, 2, 2])?;
    /// # let Some(Column::Choice(choices)) = columns.get("c") else { unreachable!() };
    /// assert_eq!(choices.places(), [0, 0, 1]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn places(&self) -> &[usize] {
        &self.places
    }

    /// The variants with their names; each column is a [`Column::Record`].
    ///
    /// ```
    /// # use binfmt::{columns::{Column, Plan}, schema::{Choice, Description, Field, Record, Tag, Type, Variant}};
    /// # let tag = Tag::Front(Box::new(Type::Int { bytes: 1, signed: false }));
    /// # let choice = Type::Choice(Choice::new("C", tag, [Variant::new("A", "1", []), Variant::new("B", "2", [])]));
    /// # let layout = Description::new(Type::Record(Record::new("Row", [Field::new("c", choice)])));
    /// # let columns = Plan::new(&layout).unwrap().decode(&[1, 2, 2])?;
    /// # let Some(Column::Choice(choices)) = columns.get("c") else { unreachable!() };
    /// assert_eq!(choices.columns()[1].0, "B");
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn columns(&self) -> &[(Name, Column)] {
        &self.columns
    }

    /// How many rows there are.
    ///
    /// ```
    /// # use binfmt::{columns::{Column, Plan}, schema::{Choice, Description, Field, Record, Tag, Type, Variant}};
    /// # let tag = Tag::Front(Box::new(Type::Int { bytes: 1, signed: false }));
    /// # let choice = Type::Choice(Choice::new("C", tag, [Variant::new("A", "1", []), Variant::new("B", "2", [])]));
    /// # let layout = Description::new(Type::Record(Record::new("Row", [Field::new("c", choice)])));
    /// # let columns = Plan::new(&layout).unwrap().decode(&[1, 2, 2])?;
    /// # let Some(Column::Choice(choices)) = columns.get("c") else { unreachable!() };
    /// assert_eq!(choices.len(), 3);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.variants.len()
    }

    /// Whether there is none.
    ///
    /// ```
    /// # use binfmt::{columns::{Column, Plan}, schema::{Choice, Description, Field, Record, Tag, Type, Variant}};
    /// # let tag = Tag::Front(Box::new(Type::Int { bytes: 1, signed: false }));
    /// # let choice = Type::Choice(Choice::new("C", tag, [Variant::new("A", "1", []), Variant::new("B", "2", [])]));
    /// # let layout = Description::new(Type::Record(Record::new("Row", [Field::new("c", choice)])));
    /// # let columns = Plan::new(&layout).unwrap().decode(&[1, 2, 2])?;
    /// # let Some(Column::Choice(choices)) = columns.get("c") else { unreachable!() };
    /// assert!(!choices.is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.variants.is_empty()
    }

    /// The value of a row.
    pub(super) fn cell(&self, i: usize) -> Option<ValueRef<'_>> {
        let (name, column) = self.columns.get(*self.variants.get(i)? as usize)?;
        let Column::Record { fields, .. } = column else { return None };
        Some(ValueRef::Variant { name, fields, row: *self.places.get(i)? })
    }

    /// The column of the variant of this name, after a row of it was noted.
    pub(super) fn begin(&mut self, name: &Name) -> Option<&mut Column> {
        let known = |number: &u32| self.columns.get(*number as usize).map(|(known, _)| known);
        let first = self.by_name.partition_point(|number| known(number) < Some(name));
        let number = *self.by_name.get(first).filter(|number| known(number) == Some(name))? as usize;
        let (_, column) = self.columns.get_mut(number)?;
        self.variants.push(u32::try_from(number).ok()?);
        self.places.push(column.len());
        Some(column)
    }

    /// The variant of each row, its place, and the columns of the variants.
    pub(super) fn parts_mut(&mut self) -> (&mut Vec<u32>, &mut Vec<usize>, &mut [(Name, Column)]) {
        (&mut self.variants, &mut self.places, &mut self.columns)
    }

    pub(super) fn truncate(&mut self, n: usize) {
        let gone = self.variants.iter().zip(&self.places).skip(n);
        // the first place of each variant that goes
        for (variant, place) in gone.collect::<Vec<_>>().into_iter().rev() {
            if let Some((_, column)) = self.columns.get_mut(*variant as usize) {
                column.truncate(*place);
            }
        }
        self.variants.truncate(n);
        self.places.truncate(n);
    }

    pub(super) fn room(&mut self, more: usize) -> bool {
        self.variants.room(more) && self.places.room(more)
    }

    pub(super) fn push_blank(&mut self) {
        let place = self.columns.first_mut().map_or(0, |(_, column)| {
            let place = column.len();
            column.push_blank();
            place
        });
        self.variants.push(0);
        self.places.push(place);
    }

    pub(super) fn same_form(&self, other: &Self) -> bool {
        self.columns.len() == other.columns.len()
            && self
                .columns
                .iter()
                .zip(&other.columns)
                .all(|((m, x), (n, y))| m == n && super::form::same_form(x, y))
    }

    /// Whether every row is one of its variant, or missing where there is no variant.
    pub(super) fn is_whole(&self) -> bool {
        let there = |(variant, place): (&u32, &usize)| {
            self.columns.get(*variant as usize).is_some_and(|(_, column)| *place < column.len())
        };
        self.variants.len() == self.places.len()
            && (self.columns.is_empty() || self.variants.iter().zip(&self.places).all(there))
            && self.columns.iter().all(|(_, column)| super::form::is_whole(column))
    }

    /// Bytes of memory that the rows take.
    pub(super) fn memory(&self) -> usize {
        let columns: usize = self.columns.iter().map(|(_, column)| super::form::memory(column)).sum();
        size_of_val(&*self.variants) + size_of_val(&*self.places) + columns
    }
}
