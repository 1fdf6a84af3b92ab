//! A part of an array as a condition on the table: the coordinates that are asked for, or those of cells that were written, of which there may be several parts.

use super::options::Options;
use super::subarray;
use super::value::dimension_name;
use crate::error::Result;
use crate::format::Job;
use crate::region::{Region, apart};
use crate::report::remark;
use crate::tabular::failure;
use binfmt::formats::tiledb::{Array, ArraySchema, ArrayType, Fragment, Number};
use binfmt::storage::Storage;
use binfmt::table::{Concatenated, Filter, Filtered, Table};
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

/// The parts of a dense array in which cells were written; `None` of a sparse one.
pub(super) fn written(array: &Array<Arc<dyn Storage>>) -> Option<Vec<Region>> {
    let schema = array.schema();
    if schema.array_type != ArrayType::Dense {
        return None;
    }
    let of = |ends: &[Number; 2]| Some([ends[0].as_i128()?, ends[1].as_i128()?]);
    let domain: Region =
        schema.domain.dimensions.iter().map(|dimension| of(&dimension.domain)).collect::<Option<_>>()?;
    // cells beyond the domain fill tiles
    let within = |ends: [i128; 2], domain: &[i128; 2]| [ends[0].max(domain[0]), ends[1].min(domain[1])];
    let part = |fragment: &Fragment| -> Option<Region> {
        let ends = &fragment.metadata().footer.non_empty_domain;
        ends.iter().zip(&domain).map(|(ends, domain)| Some(within(of(ends)?, domain))).collect()
    };
    array.fragments().iter().map(part).collect::<Option<_>>().map(apart)
}

/// These parts as conditions, of which it is said that nothing else is looked at; `None` if that is the whole array.
pub(super) fn told(job: &Job<'_>, schema: &ArraySchema, parts: &[Region]) -> Option<Vec<String>> {
    let conditions: Vec<String> = parts.iter().map(|part| condition(schema, part)).collect();
    if conditions.iter().any(String::is_empty) {
        return None;
    }
    const TOLD: usize = 4;
    let more = if parts.len() > TOLD { format!(" or {} more", parts.len() - TOLD) } else { String::new() };
    let told = conditions.iter().take(TOLD).map(String::as_str).collect::<Vec<_>>().join(" or ");
    let text = match parts.is_empty() {
        true => "no cell was written; --subarray names a part that is looked at all the same".to_owned(),
        false => format!(
            "only the part was looked at in which cells were written, {told}{more}; --subarray names another"
        ),
    };
    remark(&format!("{}: {text}", job.input.name()));
    Some(conditions)
}

/// The coordinates of a part, where it is not all of a dimension.
fn condition(schema: &ArraySchema, part: &Region) -> String {
    let dimensions = schema.domain.dimensions.iter().enumerate().zip(part);
    let ranges = dimensions.filter_map(|((i, dimension), [low, high])| {
        let [first, last] = dimension.domain.map(|end| end.as_i128());
        let name = dimension_name(schema, i);
        let is_part = first.is_none_or(|first| *low > first) || last.is_none_or(|last| *high < last);
        is_part.then(|| format!("`{name}` >= {low} and `{name}` <= {high}"))
    });
    ranges.collect::<Vec<_>>().join(" and ")
}

/// The cells for which one of these conditions holds, one after the other; all of them without conditions.
pub(super) fn within(table: Arc<dyn Table>, conditions: Option<Vec<String>>) -> Result<Arc<dyn Table>> {
    let Some(mut conditions) = conditions else { return Ok(table) };
    if conditions.is_empty() {
        // no coordinate
        let first = table.schema().fields.first().map(|field| format!("`{0}` < 0 and `{0}` > 0", field.name));
        conditions.extend(first);
    }
    let part = |condition: &String| -> Result<(String, Arc<dyn Table>)> {
        let filter = Filter::new(condition, table.schema()).map_err(|e| failure(&e))?;
        Ok((condition.clone(), Arc::new(Filtered::new(Arc::clone(&table), filter))))
    };
    let parts: Vec<(String, Arc<dyn Table>)> = conditions.iter().map(part).collect::<Result<_>>()?;
    match <[_; 1]>::try_from(parts) {
        Ok([(_, part)]) => Ok(part),
        Err(parts) => Ok(Arc::new(Concatenated::new(parts).map_err(|e| failure(&e))?)),
    }
}
