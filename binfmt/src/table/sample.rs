//! Rows of a table, chosen by chance.

use super::csv::CellType;
use super::field::TableSchema;
use super::split::{Estimate, Split};
use super::wanted::{Limited, Wanted};
use super::{Batches, Table};
use crate::columns::Columns;
use crate::error::Result;
use crate::wire::amount::natural;
use std::ops::Range;
use std::sync::Arc;

/// That many rows of a table, each as likely as any other, in their order. The same seed chooses the same rows.
///
/// The rows are counted first, if the table does not know how many there are, and then all are read: none is kept.
///
/// ```
/// use binfmt::columns::{Column, Columns};
/// use binfmt::table::{ColumnsTable, Sampled, Table, Wanted};
/// use std::sync::Arc;
/// let columns = Columns::new(vec![("a".into(), Column::from((0..100).collect::<Vec<i32>>()))])?;
/// let some: Arc<dyn Table> = Arc::new(Sampled::new(Arc::new(ColumnsTable::new(columns)), 7, 0));
/// let batch = some.batches(&Wanted::new())?.next().unwrap()?;
/// assert_eq!(batch.num_rows(), 7);
/// assert!(batch.get("a").unwrap().as_slice::<i32>().unwrap().is_sorted());
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sampled {
    table: Arc<dyn Table>,
    rows: u64,
    seed: u64,
    among: Option<Range<i64>>,
}

impl Sampled {
    /// That many rows of all.
    ///
    /// ```
    /// # use binfmt::columns::Columns;
    /// # use binfmt::table::{ColumnsTable, Estimate, Sampled, Table};
    /// # let table = std::sync::Arc::new(ColumnsTable::new(Columns::new(vec![])?));
    /// assert_eq!(Sampled::new(table, 5, 0).num_rows(), Estimate::Exact(0));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn new(table: Arc<dyn Table>, rows: u64, seed: u64) -> Self {
        Sampled { table, rows, seed, among: None }
    }

    /// Only of these rows.
    ///
    /// ```
    /// # use binfmt::columns::Columns;
    /// # use binfmt::table::{ColumnsTable, Estimate, Sampled, Table};
    /// # let table = std::sync::Arc::new(ColumnsTable::new(Columns::new(vec![])?));
    /// assert_eq!(Sampled::new(table, 5, 0).among(0..9).num_rows(), Estimate::Exact(0));
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    #[must_use]
    pub fn among(self, rows: Range<i64>) -> Self {
        Sampled { among: Some(rows), ..self }
    }

    /// Of how many rows they are chosen.
    fn of(&self, all: u64) -> u64 {
        match &self.among {
            Some(rows) => {
                let at = |row: i64| natural(row).min(all);
                at(rows.end).saturating_sub(at(rows.start))
            }
            None => all,
        }
    }
}

impl Table for Sampled {
    fn schema(&self) -> &TableSchema {
        self.table.schema()
    }

    fn read_as(self: Arc<Self>, columns: &[(usize, CellType)]) -> Option<Arc<dyn Table>> {
        let table = Arc::clone(&self.table).read_as(columns)?;
        Some(Arc::new(Sampled { table, ..(*self).clone() }))
    }

    fn num_rows(&self) -> Estimate {
        match self.table.num_rows() {
            Estimate::Exact(all) => Estimate::Exact(self.of(all).min(self.rows)),
            _ => Estimate::Unknown,
        }
    }

    fn left_out(&self) -> Vec<String> {
        self.table.left_out()
    }

    fn splits(&self, wanted: &Wanted, _: usize) -> Result<Vec<Split>> {
        wanted.columns_of(self.schema())?;
        // a range would leave out rows before they are chosen
        Ok(vec![Split { rows: wanted.rows_of(None), ..Split::default() }])
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let all = self.table.count_rows()?;
        let asked = Wanted { rows: self.among.clone(), ranges: Vec::new(), limit: None, ..wanted.clone() };
        let batches = Arc::clone(&self.table).batches(&asked)?;
        let chance = Chance { left: self.of(all), wanted: self.rows, state: self.seed };
        let most = split.most_rows().min(wanted.limit.unwrap_or(u64::MAX));
        let skip = natural(split.rows.start);
        Ok(Box::new(Limited::new(Chosen { batches, chance, has_ended: false }, most).after(skip)))
    }
}

/// Chooses some of a known number, one after the other.
#[derive(Debug)]
struct Chance {
    /// How many come.
    left: u64,
    /// How many of them are chosen.
    wanted: u64,
    state: u64,
}

impl Chance {
    /// Whether the next one is chosen: with the chance that as many are wanted of those that are left.
    fn takes(&mut self) -> bool {
        let number = self.next_number();
        let place = u128::from(number).saturating_mul(u128::from(self.left)) >> 64;
        let takes = place < u128::from(self.wanted);
        self.left = self.left.saturating_sub(1);
        self.wanted = self.wanted.saturating_sub(u64::from(takes));
        takes
    }

    /// The generator SplitMix64.
    fn next_number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.state;
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// The rows that are chosen.
struct Chosen {
    batches: Batches,
    chance: Chance,
    has_ended: bool,
}

impl Iterator for Chosen {
    type Item = Result<Columns>;

    fn next(&mut self) -> Option<Result<Columns>> {
        while !self.has_ended && self.chance.wanted > 0 {
            match self.batches.next()? {
                Ok(batch) => {
                    let rows: Vec<usize> = (0..batch.num_rows()).filter(|_| self.chance.takes()).collect();
                    if !rows.is_empty() {
                        return Some(Ok(batch.take(&rows)));
                    }
                }
                Err(e) => {
                    self.has_ended = true;
                    return Some(Err(e));
                }
            }
        }
        None
    }
}
