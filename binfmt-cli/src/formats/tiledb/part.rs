//! A part of an array as a condition on the table: the coordinates that are asked for, or those of cells that were written.

use super::options::Options;
use super::subarray::{self, coordinate};
use super::value::dimension_name;
use crate::error::Result;
use crate::format::Job;
use crate::report::remark;
use crate::tabular::failure;
use binfmt::formats::tiledb::{Array, ArraySchema, ArrayType, Fragment, Number};
use binfmt::storage::Storage;
use binfmt::table::{Filter, Filtered, Table};
use std::ops::Bound;
use std::sync::Arc;

/// The condition of `--subarray`.
pub(super) fn asked(options: &Options, schema: &ArraySchema) -> Result<String> {
    let spans = subarray::wanted(options, schema)?;
    let ranges = spans.iter().enumerate().flat_map(|(i, (low, high))| {
        let name = dimension_name(schema, i);
        let end = |bound: &Bound<Number>, with: &str, without: &str| match bound {
            Bound::Included(n) => Some(format!("`{name}` {with} {n}")),
            Bound::Excluded(n) => Some(format!("`{name}` {without} {n}")),
            Bound::Unbounded => None,
        };
        [end(low, ">=", ">"), end(high, "<=", "<")]
    });
    Ok(ranges.flatten().collect::<Vec<_>>().join(" and "))
}

/// The condition of the part of a dense array in which cells were written; `None` if that is all of it.
pub(super) fn written(array: &Array<Arc<dyn Storage>>) -> Option<String> {
    let schema = array.schema();
    if schema.array_type != ArrayType::Dense || array.fragments().is_empty() {
        return None;
    }
    let mut conditions = Vec::new();
    for (i, dimension) in schema.domain.dimensions.iter().enumerate() {
        let of = |fragment: &Fragment| fragment.metadata().footer.non_empty_domain.get(i).copied();
        let boxes: Option<Vec<[Number; 2]>> = array.fragments().iter().map(of).collect();
        let [first, last] = dimension.domain.map(coordinate);
        let [low, high] = boxes?.into_iter().fold([last, first], |[low, high], ends| {
            let [from, to] = ends.map(coordinate);
            [if from < low { from } else { low }, if to > high { to } else { high }]
        });
        if low > first || high < last {
            let name = dimension_name(schema, i);
            conditions.push(format!("`{name}` >= {low} and `{name}` <= {high}"));
        }
    }
    (!conditions.is_empty()).then(|| conditions.join(" and "))
}

/// Says which part is looked at.
pub(super) fn tell(job: &Job<'_>, part: &str) {
    let name = job.input.name();
    remark(&format!(
        "{name}: only the part was looked at in which cells were written, {part}; --subarray names another"
    ));
}

/// The cells for which it holds.
pub(super) fn within(table: Arc<dyn Table>, condition: Option<&str>) -> Result<Arc<dyn Table>> {
    let Some(condition) = condition else { return Ok(table) };
    let filter = Filter::new(condition, table.schema()).map_err(|e| failure(&e))?;
    Ok(Arc::new(Filtered::new(table, filter)))
}
