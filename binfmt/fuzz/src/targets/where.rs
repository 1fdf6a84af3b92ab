//! Any condition over a table of CSV with missing values, NaN, dates and texts: a condition that is understood has a negation.
//! No row is in both, one that is in neither has a missing value, and two negations are none. The filtered table has the rows
//! that the condition chooses, and these are in the ranges that it needs.

use crate::targets::shared::condition::condition;
use crate::targets::shared::input::{Choices, split};
use binfmt::columns::{ColumnData, Columns, ValueRef};
use binfmt::storage::{Memory, Storage};
use binfmt::table::csv::Csv;
use binfmt::table::{Filter, Filtered, Scalar, Settings, Table, TableFormat, Wanted};
use std::sync::Arc;

/// What fields of the rows are made of, by column.
const VALUES: [&[&str]; 5] = [
    &["1", "", "-1", "0", "2", "9007199254740993", "9223372036854775807", "-9223372036854775808", "40"],
    &["1.5", "nan", "", "-0.0", "0", "inf", "-inf", "9007199254740992", "1e308", "5e-324"],
    &["2024-02-01", "", "2024-02-01T12:00:00.5", "1970-01-01", "0001-01-01", "9999-12-31", "NaT"],
    &["a", "\"\"", "", "b", "a b", "\"q,\"\"q\"", "\u{e4}", "1", "nan"],
    &["true", "", "false"],
];
const TYPES: &[&str] =
    &["i:i64,x:f64,t:time[ms],s:text,b:bool", "t:time[s]", "i:f64,x:text", "t:time[D],s:bytes", ""];
const ROWS: usize = 40;

pub fn run(data: &[u8]) {
    let (condition_of, rows_of) = split(data);
    let text = condition(&mut Choices(condition_of));
    let Some(table) = table(rows_of) else { return };
    let Ok(filter) = Filter::new(&text, table.schema()) else { return };
    let also = |text: String| {
        Filter::new(&text, table.schema()).unwrap_or_else(|e| panic!("{e}: a condition has no negation"))
    };
    let (not, twice) = (also(format!("not ({text})")), also(format!("not (not ({text}))")));
    let Ok(batches) =
        Arc::clone(&table).batches(&Wanted::new()).and_then(Iterator::collect::<Result<Vec<_>, _>>)
    else {
        return;
    };
    let mut chosen = Vec::new();
    let mut before = 0;
    for batch in &batches {
        // where a condition cannot be computed, neither can its negation
        let (Ok(yes), no) = (rows(&filter, batch), rows(&not, batch)) else {
            return assert!(rows(&not, batch).is_err() && rows(&twice, batch).is_err(), "{text}");
        };
        let no = no.unwrap_or_else(|e| panic!("{e}: not ({text})"));
        assert_eq!(rows(&twice, batch).unwrap_or_else(|e| panic!("{e}: {text}")), yes, "{text}");
        for row in 0..batch.num_rows() {
            match (yes.contains(&row), no.contains(&row)) {
                (true, true) => panic!("row {row} is in both: {text}\n{:?}", batch.row(row)),
                (false, false) => {
                    assert!(
                        has_missing(&filter, batch, row),
                        "row {row} is in neither: {text}\n{:?}",
                        batch.row(row)
                    );
                }
                _ => {}
            }
        }
        yes.iter().for_each(|&row| is_in_ranges(&filter, batch, row, &text));
        chosen.extend(yes.iter().map(|row| before + row));
        before += batch.num_rows();
    }
    filtered(&table, filter, &batches, &chosen, &text);
}

fn table(bytes: &[u8]) -> Option<Arc<dyn Table>> {
    let c = &mut Choices(bytes);
    let types = c.pick(TYPES);
    let settings = Settings::new();
    let settings = if types.is_empty() { settings } else { settings.with("types", types) };
    let mut text = String::from("i,x,t,s,b\n");
    for _ in 0..ROWS {
        if c.is_empty() {
            break;
        }
        let fields: Vec<&str> = VALUES.iter().map(|values| c.pick(values)).collect();
        text += &fields.join(",");
        text.push('\n');
    }
    let files = Memory::new();
    files.write("rows.csv", text.as_bytes()).expect("there is room in memory");
    Csv.open(Arc::new(files), "rows.csv", &settings).ok()
}

/// The rows of a batch of all columns.
fn rows(filter: &Filter, batch: &Columns) -> binfmt::Result<Vec<usize>> {
    let columns: Vec<_> = batch.iter().map(|(_, column)| column).collect();
    let leaves = filter.leaves().iter();
    let of: Vec<_> = leaves.map(|leaf| leaf.of(columns[leaf.column]).expect("the column is there")).collect();
    filter.rows(&of, batch.num_rows())
}

fn has_missing(filter: &Filter, batch: &Columns, row: usize) -> bool {
    let columns: Vec<_> = batch.iter().map(|(_, column)| column).collect();
    let is_missing = |value| matches!(value, None | Some(ValueRef::Missing(_) | ValueRef::Absent));
    filter.leaves().iter().any(|leaf| is_missing(columns[leaf.column].get(row)))
}

/// A part of a file in which no value is in a range is not read.
fn is_in_ranges(filter: &Filter, batch: &Columns, row: usize, text: &str) {
    for (column, range) in filter.ranges() {
        let value = batch.iter().nth(*column).and_then(|(_, column)| column.get(row));
        let value = match value {
            Some(ValueRef::Number(n)) => Scalar::Number(n),
            Some(ValueRef::Text(bytes) | ValueRef::Bytes(bytes)) => Scalar::Bytes(bytes.to_vec()),
            other => panic!("{other:?} has no range: {text}"),
        };
        assert!(range.may_meet(&value, &value), "{value:?} is not in {range:?}: {text}");
    }
}

/// The filtered table in batches of any size has these rows, also when one column alone is wanted.
fn filtered(table: &Arc<dyn Table>, filter: Filter, batches: &[Columns], chosen: &[usize], text: &str) {
    let all: Vec<String> = batches
        .iter()
        .flat_map(|batch| (0..batch.num_rows()).map(|row| format!("{:?}", batch.row(row))))
        .collect();
    let filtered: Arc<dyn Table> = Arc::new(Filtered::new(Arc::clone(table), filter));
    let mut found = Vec::new();
    for batch in Arc::clone(&filtered).batches(&Wanted::new().batch_rows(3)).expect("it was read") {
        let batch = batch.expect("it was read");
        found.extend((0..batch.num_rows()).map(|row| format!("{:?}", batch.row(row))));
    }
    let expected: Vec<String> = chosen.iter().map(|row| all[*row].clone()).collect();
    assert_eq!(found, expected, "{text}");
    let one = Wanted::new().columns([1]).rows(1..4);
    let batches = filtered.batches(&one).expect("it was read");
    let rows: usize = batches.map(|batch| batch.expect("it was read").num_rows()).sum();
    assert_eq!(rows, chosen.len().clamp(1, 4) - 1, "{text}");
}
