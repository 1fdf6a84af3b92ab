//! Conditions over the columns of a table, and tables of the rows for which one holds.

use super::counted_times::{Recounted, in_one_unit, time_unit};
use super::csv::CellType;
use super::field::{Inferred, Logical, TableSchema};
use super::filled::inner;
use super::leaf::Leaf;
use super::plain::{plain_column, plain_field};
use super::scalar::{Scalar, ScalarRange};
use super::split::{Estimate, Split};
use super::wanted::{Limited, Wanted};
use super::{Batches, Table};
use crate::columns::{Column, ColumnData, ColumnType, Columns, ValueRef};
use crate::error::{Error, ErrorKind, Result, Step};
use crate::numbers::{Number, NumberType};
use crate::schema::expr::{Expression, Literal, Needed, Operand, Operands, What};
use crate::schema::near::did_you_mean;
use crate::wire::amount::{natural, plus};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Bound;
use std::sync::Arc;

/// A condition over the columns of a table.
///
/// It compares columns (`=`, `!=`, `<`, `<=`, `>`, `>=`), numbers such as `0x20` or `1.5e-3`, texts in quotes, and what `+`, `-`,
/// `*`, `/`, `%` make of numbers; `x in (1, 2)` and `x not in (1, 2)` compare with several, `x between 1 and 5` with both ends of a range;
/// `and`, `or`, `not` join comparisons; `x is missing` and `x is not missing` ask for values that are not there, and `name.len()` for the
/// length of a text or list. `name like 'BPM%'` and `not like` match texts as SQL does: `%` is any text, `_` any character, and after a
/// backslash both are themselves; to `ilike` capitals and small letters are the same. A name that is not a plain word stands in
/// backquotes. It is the language of the expressions of a layout, so that `==`, `&&`, `||`, `!` mean the same as there.
///
/// A column of times is compared with numbers or with texts as ISO 8601 has them, `'2024-02-01'` or `'2024-02-01T12:00'`, in UTC. Times
/// that are counted in different units are compared as times; nothing is computed of them, since the result would be in neither unit.
///
/// Numbers are compared exactly, whatever their types. A missing value is neither equal to something nor unequal, smaller or
/// larger: the row is not one of those that are asked for. A NaN is unequal to everything, and that only.
///
/// ```
/// use binfmt::columns::ColumnType;
/// use binfmt::table::{Filter, TableField, TableSchema};
/// let schema = TableSchema::new([TableField::new("name", ColumnType::Text)]);
/// assert!(Filter::new("name in ('Q1', 'Q2') or name.len() > 4", &schema).is_ok());
/// let e = Filter::new("nam = 'Q1'", &schema).unwrap_err();
/// assert_eq!(e.to_string(), "unknown column `nam`, did you mean `name`?");
/// let e = Filter::new("name > 1", &schema).unwrap_err();
/// assert_eq!(e.to_string(), "`name > 1` cannot be computed: text is not a number; `name` is text");
/// ```
#[derive(Clone, Debug)]
pub struct Filter {
    expression: Expression,
    /// What its names stand for, by their slots.
    leaves: Vec<Leaf>,
    /// What values mean that are compared in another form.
    meanings: Vec<Option<Logical>>,
    /// The same columns once more where they are compared in another unit, after all others.
    recounted: Vec<Recounted>,
    /// Values that a row has there for which it holds.
    ranges: Vec<(usize, ScalarRange)>,
}

impl Filter {
    /// The condition of a text.
    ///
    /// ```
    /// use binfmt::table::{Filter, TableSchema};
    /// let e = Filter::new("1 <", &TableSchema::default()).unwrap_err();
    /// assert_eq!(e.to_string(), "`1 <` is not a condition: something is missing at the end");
    /// ```
    ///
    /// # Errors
    /// It is not understood, names a column that the table does not have, or compares a text with a number.
    pub fn new(text: &str, schema: &TableSchema) -> Result<Self> {
        let all = schema.leaves();
        // of two columns of one name the first
        let by_name: HashMap<&str, &Leaf> = all.iter().rev().map(|leaf| (leaf.name.as_str(), leaf)).collect();
        let (used, slots) = (RefCell::new(Vec::<Leaf>::new()), RefCell::new(HashMap::new()));
        let slot = |name: &str| {
            let leaf = *by_name.get(name)?;
            let (mut used, mut slots) = (used.borrow_mut(), slots.borrow_mut());
            Some(*slots.entry(leaf.name.as_str()).or_insert_with(|| {
                used.push(leaf.clone());
                used.len().saturating_sub(1)
            }))
        };
        let mut expression = Expression::of_words(text, &slot);
        if let Some(why) = expression.not_understood() {
            return Err(Error::other(format!("`{text}` is not a condition: {why}")));
        }
        if let Some(name) = expression.unknown_name() {
            return Err(unknown(&name, &all));
        }
        let leaves = used.into_inner();
        let plain = |leaf: &Leaf| {
            let field = schema.fields.get(leaf.column).filter(|_| leaf.path.is_empty())?;
            plain_field(field).map(|plain| (field.logical.clone(), plain.ty))
        };
        let (meanings, types): (Vec<Option<Logical>>, Vec<ColumnType>) =
            leaves.iter().map(|leaf| plain(leaf).unwrap_or((None, leaf.ty.clone()))).unzip();
        let unit = |leaf: &Leaf| time_unit(leaf, schema);
        let recounted = in_one_unit(&mut expression, &leaves, schema, text)?;
        // what has no value may be of any type
        let is_nothing = |leaf: &Leaf| {
            schema.fields.get(leaf.column).is_some_and(|field| field.inferred == Some(Inferred::Nothing))
        };
        let kind = |slot: usize| match leaves.get(slot).is_some_and(is_nothing) {
            true => What::Any,
            false => types.get(slot).map_or(What::Any, kind),
        };
        if let Some(why) = expression.mismatch(&kind) {
            let types = leaves.iter().zip(&types).map(|(leaf, ty)| match unit(leaf) {
                Some(unit) => format!("; `{}` is a time, such as '{}'", leaf.name, unit.format_time(0)),
                None => format!("; `{}` is {ty}", leaf.name),
            });
            let types: String = types.collect();
            let time = leaves.iter().find(|leaf| unit(leaf).is_some());
            let tip = time.filter(|_| why.ends_with(" is not text")).map(|leaf| {
                let name = &leaf.name;
                format!("; times are found by `{name} >= .. and {name} < ..`, or read as text (setting `types`: `{name}:text`)")
            });
            let tip = tip.unwrap_or_default();
            return Err(Error::other(format!("`{text}` cannot be computed: {why}{types}{tip}")));
        }
        let range = |needed: Needed| {
            let is_as_it_is = meanings.get(needed.slot).is_some_and(Option::is_none);
            let leaf: &Leaf = leaves.get(needed.slot).filter(|leaf| leaf.path.is_empty() && is_as_it_is)?;
            Some((leaf.column, ScalarRange { low: bound(needed.low), high: bound(needed.high) }))
        };
        let ranges = expression.needed().into_iter().filter_map(range).collect();
        Ok(Filter { expression, leaves, meanings, recounted, ranges })
    }

    /// Between which values columns are in every row for which it holds: what leaves out parts of a table that cannot match.
    ///
    /// ```
    /// use binfmt::{columns::ColumnType, numbers::NumberType};
    /// use binfmt::table::{Filter, ScalarRange, TableField, TableSchema};
    /// let schema = TableSchema::new([TableField::new("x", ColumnType::Number(NumberType::U8))]);
    /// let filter = Filter::new("x >= 5 and x % 2 = 0", &schema)?;
    /// assert_eq!(filter.ranges(), [(0, ScalarRange::of(5i128..))]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn ranges(&self) -> &[(usize, ScalarRange)] {
        &self.ranges
    }

    /// The columns that it asks for.
    ///
    /// ```
    /// use binfmt::table::{Filter, TableSchema};
    /// assert!(Filter::new("true", &TableSchema::default())?.leaves().is_empty());
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// The rows for which it holds, of some rows of [its columns](Self::leaves).
    ///
    /// ```
    /// use binfmt::{columns::{Column, ColumnType}, numbers::NumberType};
    /// use binfmt::table::{Filter, TableField, TableSchema};
    /// let schema = TableSchema::new([TableField::new("x", ColumnType::Number(NumberType::U8))]);
    /// let filter = Filter::new("x > 1", &schema)?;
    /// assert_eq!(filter.rows(&[&Column::from(vec![1u8, 2, 3])], 3)?, [1, 2]);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    ///
    /// # Errors
    /// The condition cannot be computed in a row, which is told: it compares a text with a number, a number is too large, or it
    /// divides by 0.
    pub fn rows(&self, columns: &[&Column], rows: usize) -> Result<Vec<usize>> {
        let meant = self.meant(columns)?;
        let columns: Vec<&Column> =
            columns.iter().zip(&meant).map(|(column, meant)| meant.as_ref().unwrap_or(column)).collect();
        let recounted = self.recounted.iter().map(|recounted| recounted.of(&columns));
        let recounted = recounted.collect::<Result<Vec<Column>>>()?;
        let columns: Vec<&Column> = columns.into_iter().chain(&recounted).collect();
        let mut found = Vec::new();
        let mut cells = Row(Vec::with_capacity(columns.len()));
        for row in 0..rows {
            cells.0.clear();
            cells.0.extend(columns.iter().map(|column| Cell(column.get(row).unwrap_or(ValueRef::Absent))));
            let holds = self.expression.test::<Cell<'_>>(&cells);
            // the expression is about no byte
            if holds.map_err(|e| Error::other(e.kind().to_string()).within(Step::Index(row)))? == Some(true) {
                found.push(row);
            }
        }
        Ok(found)
    }
}

impl Filter {
    /// The columns that are compared in another form.
    fn meant(&self, columns: &[&Column]) -> Result<Vec<Option<Column>>> {
        let all = columns.iter().zip(&self.meanings);
        let of = |(column, meaning): (&&Column, &Option<Logical>)| {
            meaning.as_ref().map(|meaning| plain_column((*column).clone(), meaning)).transpose()
        };
        all.map(of).collect()
    }

    /// The same of a batch, in which its columns are at these places.
    fn rows_of(&self, batch: &Columns, places: &[usize]) -> Result<Vec<usize>> {
        let leaves = self.leaves.iter().zip(places);
        let columns = leaves.filter_map(|(leaf, place)| leaf.of(batch.at(*place)?));
        self.rows(&columns.collect::<Vec<_>>(), batch.num_rows())
    }
}

/// What the values of a column are to a condition.
fn kind(ty: &ColumnType) -> What {
    match inner(ty) {
        ColumnType::Number(NumberType::Bool) => What::Flag,
        ColumnType::Number(_) => What::Number,
        ColumnType::Text | ColumnType::Bytes | ColumnType::FixedBytes(_) => What::Text,
        ColumnType::List(_) | ColumnType::Array { .. } | ColumnType::Shaped(_) => What::List,
        _ => What::Any,
    }
}

#[cold]
fn unknown(name: &str, all: &[Leaf]) -> Error {
    let known = || all.iter().map(|leaf| leaf.name.as_str());
    let word = match name.to_ascii_lowercase().as_str() {
        "null" | "none" | "na" => Some("values that are not there are asked for by `x is missing`"),
        "nan" => Some("a NaN is all that `x != x` holds for"),
        "true" => Some("the word is `true`"),
        "false" => Some("the word is `false`"),
        _ => None,
    };
    match word.map(str::to_owned).or_else(|| did_you_mean(name, known())) {
        Some(tip) => Error::other(format!("unknown column `{name}`, {tip}")),
        None => ErrorKind::unknown("column", name, known()).into(),
    }
}

fn bound(end: Bound<Literal>) -> Bound<Scalar> {
    end.map(|value| match value {
        Literal::Number(n) => Scalar::Number(n),
        Literal::Bytes(bytes) => Scalar::Bytes(bytes),
    })
}

/// One value of a row.
struct Cell<'a>(ValueRef<'a>);

/// The values of a row that the condition asks for.
struct Row<'a>(Vec<Cell<'a>>);

impl<'a> Operands<Cell<'a>> for Row<'a> {
    fn at(&self, slot: usize) -> Option<&Cell<'a>> {
        self.0.get(slot)
    }

    fn in_order(&self) -> &[Cell<'a>] {
        &self.0
    }
}

impl Operand for Cell<'_> {
    fn int(&self) -> Option<i128> {
        match self.0 {
            ValueRef::Number(n) => n.as_i128(),
            _ => None,
        }
    }

    fn small(&self) -> Option<i64> {
        match &self.0 {
            ValueRef::Number(n) => n.as_i64(),
            _ => None,
        }
    }

    fn number(&self) -> Option<Number> {
        match self.0 {
            ValueRef::Number(Number::Bool(_)) => None,
            ValueRef::Number(n) => Some(n),
            _ => None,
        }
    }

    fn flag(&self) -> Option<bool> {
        match self.0 {
            ValueRef::Number(n) => n.as_bool(),
            _ => None,
        }
    }

    fn bytes(&self) -> Option<&[u8]> {
        match self.0 {
            ValueRef::Text(bytes) | ValueRef::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    fn member(&self, _: &str) -> Option<&Self> {
        // fields of records are columns of their own
        None
    }

    fn num_items(&self) -> Option<usize> {
        match self.0 {
            ValueRef::Text(bytes) | ValueRef::Bytes(bytes) => Some(bytes.len()),
            ValueRef::List(items) | ValueRef::Array(_, items) => Some(items.len()),
            _ => None,
        }
    }

    fn is_there(&self) -> bool {
        !matches!(self.0, ValueRef::Missing(_) | ValueRef::Absent)
    }

    fn what(&self) -> &'static str {
        match self.0 {
            ValueRef::Number(Number::Bool(_)) => "a bool",
            ValueRef::Number(_) => "a number",
            ValueRef::Text(_) => "text",
            ValueRef::Bytes(_) => "bytes",
            ValueRef::Missing(_) | ValueRef::Absent => "a missing value",
            ValueRef::List(_) => "a list",
            ValueRef::Record(..) => "a record",
            ValueRef::Variant { .. } => "a variant",
            ValueRef::Array(..) => "an array",
        }
    }
}

/// The rows of a table for which a condition holds.
///
/// The rows of a [`Wanted`] are counted among them, which needs all rows before them to be read.
///
/// ```
/// use binfmt::columns::{Column, Columns};
/// use binfmt::table::{ColumnsTable, Filter, Filtered, Table, Wanted};
/// use std::sync::Arc;
/// let columns = Columns::new(vec![("a".into(), Column::from(vec![1u8, 2, 3, 4]))])?;
/// let table = Arc::new(ColumnsTable::new(columns));
/// let filter = Filter::new("a % 2 = 0", table.schema())?;
/// let even: Arc<dyn Table> = Arc::new(Filtered::new(table, filter));
/// let batch = even.batches(&Wanted::new())?.next().unwrap()?;
/// assert_eq!(batch.get("a"), Some(&Column::from(vec![2u8, 4])));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Filtered {
    table: Arc<dyn Table>,
    filter: Arc<Filter>,
}

/// The first row of a split whose rows are counted among those that match. No table counts from there.
const COUNTED: i64 = i64::MIN;

impl Filtered {
    /// The rows for which a condition of the table holds.
    ///
    /// ```
    /// # use binfmt::columns::Columns;
    /// # use binfmt::table::{ColumnsTable, Estimate, Filter, Filtered, Table};
    /// # let table = std::sync::Arc::new(ColumnsTable::new(Columns::new(vec![])?));
    /// let filter = Filter::new("true", table.schema())?;
    /// assert_eq!(Filtered::new(table, filter).num_rows(), Estimate::Unknown);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn new(table: Arc<dyn Table>, filter: Filter) -> Self {
        Filtered { table, filter: Arc::new(filter) }
    }

    /// What the table is asked for: the columns that are wanted, then those that only the condition needs. And where the columns
    /// of the condition are among them.
    fn asked(&self, wanted: &Wanted) -> Result<(Wanted, usize, Vec<usize>)> {
        let mut columns = wanted.columns_of(self.schema())?;
        let shown = columns.len();
        let mut known: HashMap<usize, usize> =
            columns.iter().enumerate().rev().map(|(place, column)| (*column, place)).collect();
        let mut place = |leaf: &Leaf| {
            *known.entry(leaf.column).or_insert_with(|| {
                columns.push(leaf.column);
                columns.len().saturating_sub(1)
            })
        };
        let places = self.filter.leaves.iter().map(&mut place).collect();
        let mut asked = Wanted { columns: Some(columns), rows: None, limit: None, ..wanted.clone() };
        asked.ranges.extend(self.filter.ranges.iter().cloned());
        Ok((asked, shown, places))
    }

    /// The error in the first row of the table for which the condition cannot be computed. Of a part that is read nobody knows how many
    /// rows are before it, so they are counted; where that cannot be, the error has no row.
    #[cold]
    fn counted(&self, e: &Error) -> Error {
        let found = || {
            let (asked, _, places) = self.asked(&Wanted::new().columns([])).ok()?;
            let asked = Wanted { ranges: Vec::new(), ..asked };
            let mut before = 0;
            for batch in Arc::clone(&self.table).batches(&asked).ok()? {
                let batch = batch.ok()?;
                if let Err(e) = self.filter.rows_of(&batch, &places) {
                    return e.path().steps().next().cloned().map(|step| (before, step));
                }
                before = plus(before, batch.num_rows());
            }
            None
        };
        let told = Error::other(e.kind().to_string());
        match found() {
            Some((before, Step::Index(row))) => told.within(Step::Index(plus(before, row))),
            _ => told,
        }
    }
}

impl Table for Filtered {
    fn schema(&self) -> &TableSchema {
        self.table.schema()
    }

    fn read_as(self: Arc<Self>, columns: &[(usize, CellType)]) -> Option<Arc<dyn Table>> {
        let table = Arc::clone(&self.table).read_as(columns)?;
        Some(Arc::new(Filtered { table, filter: Arc::clone(&self.filter) }))
    }

    fn num_rows(&self) -> Estimate {
        Estimate::Unknown
    }

    fn left_out(&self) -> Vec<String> {
        self.table.left_out()
    }

    fn splits(&self, wanted: &Wanted, parts: usize) -> Result<Vec<Split>> {
        if wanted.rows.is_some() {
            wanted.columns_of(self.schema())?;
            return Ok(vec![Split { first: COUNTED, rows: wanted.rows_of(None), ..Split::default() }]);
        }
        let mut splits = self.table.splits(&self.asked(wanted)?.0, parts)?;
        splits.iter_mut().for_each(|split| split.num_rows = Estimate::Unknown);
        Ok(splits)
    }

    fn read(self: Arc<Self>, split: &Split, wanted: &Wanted) -> Result<Batches> {
        let (asked, shown, places) = self.asked(wanted)?;
        let table = Arc::clone(&self.table);
        let is_counted = split.first == COUNTED;
        let batches = if is_counted { table.batches(&asked)? } else { table.read(split, &asked)? };
        let matching = Matching { batches, rows: Arc::clone(&self), shown, places, has_ended: false };
        let (skip, most) = match is_counted {
            true => (natural(split.rows.start), split.most_rows()),
            false => (0, u64::MAX),
        };
        let most = most.min(wanted.limit.unwrap_or(u64::MAX));
        Ok(Box::new(Limited::new(matching, most).after(skip)))
    }
}

/// The rows of batches for which a condition holds.
struct Matching {
    batches: Batches,
    rows: Arc<Filtered>,
    /// That many of the columns are wanted, the others only looked at.
    shown: usize,
    places: Vec<usize>,
    has_ended: bool,
}

impl Matching {
    fn of(&self, batch: Columns) -> Result<Columns> {
        let rows = self.rows.filter.rows_of(&batch, &self.places).map_err(|e| self.rows.counted(&e))?;
        let found = if rows.len() == batch.num_rows() { batch } else { batch.take(&rows) };
        let columns = found.into_columns().into_iter().take(self.shown).collect();
        Ok(Columns::of_rows(rows.len(), columns))
    }
}

impl Iterator for Matching {
    type Item = Result<Columns>;

    fn next(&mut self) -> Option<Result<Columns>> {
        while !self.has_ended {
            match self.batches.next()?.and_then(|batch| self.of(batch)) {
                Ok(batch) if batch.num_rows() == 0 => {}
                Ok(batch) => return Some(Ok(batch)),
                Err(e) => {
                    self.has_ended = true;
                    return Some(Err(e));
                }
            }
        }
        None
    }
}
