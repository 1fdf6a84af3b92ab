//! Files that have all values of the first column, then all of the second, and so on.

use super::super::batch::Columns;
use super::super::column::Column;
use super::super::form::PlanError;
use super::decode::Rows;
use super::encode::Writer;
use super::{Plan, record_of};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::{Description, Name, Record, Type};
use crate::value::unwrap::is_silent;
use crate::wire::Options;
use alloc::vec::Vec;

/// The picked columns; only one that is picked again is copied.
fn picked(all: Vec<(Name, Column)>, picks: &[usize]) -> Vec<(Name, Column)> {
    let mut all: Vec<Option<(Name, Column)>> = all.into_iter().map(Some).collect();
    let mut times = alloc::vec![0usize; all.len()];
    for pick in picks {
        if let Some(times) = times.get_mut(*pick) {
            *times = times.saturating_add(1);
        }
    }
    let take = |pick: &usize| {
        let (column, times) = (all.get_mut(*pick)?, times.get_mut(*pick)?);
        *times = times.saturating_sub(1);
        if *times == 0 { column.take() } else { column.clone() }
    };
    picks.iter().filter_map(take).collect()
}

impl Plan {
    /// Plans of one column each.
    fn each(&self) -> Result<Vec<Plan>, PlanError> {
        let record = record_of(&self.description)?;
        let one = |field: &crate::schema::Field| {
            let root = Type::Record(Record { fields: [field.clone()].into(), ..record.clone() });
            Plan::new(&Description { root, definitions: self.description.definitions.clone() })
        };
        match record.fields.iter().find(|field| is_silent(&field.ty)) {
            None => record.fields.iter().map(one).collect(),
            Some(_) => {
                Err(PlanError::new("", "bytes between the fields have no place between whole columns"))
            }
        }
    }

    /// The columns of so many rows that stand one column behind the other.
    ///
    /// ```
    /// use binfmt::{Options, columns::{Column, Plan}, schema::{Description, Field, Record, Type}};
    /// let fields = [("a", 1), ("b", 2)].map(|(name, bytes)| Field::new(name, Type::Int { bytes, signed: false }));
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", fields)))).unwrap();
    /// let columns = plan.decode_column_major(&[1, 2, 3, 0, 4, 0], 2, &Options::new())?;
    /// assert_eq!(columns.get("b"), Some(&Column::from(vec![3u16, 4])));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// A value is damaged, there are not so many rows, or more bytes than they take.
    pub fn decode_column_major<C>(&self, bytes: &[u8], rows: usize, options: &Options<C>) -> Result<Columns> {
        let plans = self.each().map_err(|e| Error::other(alloc::format!("{e}")))?;
        let (mut used, mut all) = (0usize, Vec::new());
        for plan in &plans {
            let mut column = Rows::new(plan, options);
            let left = bytes.get(used..).unwrap_or(&[]);
            let progress = column.add(left, rows);
            let stop = match progress.stop {
                None if column.columns.rows < rows => column.one(left, progress.used).err(),
                stop => stop,
            };
            if let Some(e) = stop {
                return Err(e.moved(used as u64, 0));
            }
            used = used.saturating_add(progress.used);
            all.append(&mut column.columns.columns);
        }
        match bytes.len().saturating_sub(used) {
            0 => {}
            n => return Err(Error::new(ErrorKind::TrailingBytes { count: n as u64 }, used as u64)),
        }
        Ok(Columns { rows, columns: picked(all, &self.picks) })
    }

    /// The columns one behind the other.
    ///
    /// ```
    /// # use binfmt::{Options, columns::{Column, Columns, Plan}, schema::{Description, Field, Record, Type}};
    /// let fields = [("a", 1), ("b", 2)].map(|(name, bytes)| Field::new(name, Type::Int { bytes, signed: false }));
    /// let plan = Plan::new(&Description::new(Type::Record(Record::new("Row", fields)))).unwrap();
    /// let columns = vec![("a".into(), Column::from(vec![1u8, 2])), ("b".into(), Column::from(vec![3u16, 4]))];
    /// assert_eq!(plan.encode_column_major(&Columns::new(columns)?, &Options::new())?, [1, 2, 3, 0, 4, 0]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn encode_column_major<C>(&self, columns: &Columns, options: &Options<C>) -> Result<Vec<u8>> {
        // says what is not right with all of them
        Writer::new(self, columns, options)?;
        let plans = self.each().map_err(|e| Error::other(alloc::format!("{e}")))?;
        let mut out = Vec::new();
        for (plan, column) in plans.iter().zip(&columns.columns) {
            let mut writer = Writer::of(plan, core::slice::from_ref(column), columns.rows, options)?;
            while writer.next(&mut out, 0)? {}
        }
        Ok(out)
    }
}
