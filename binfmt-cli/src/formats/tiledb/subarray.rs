//! Which part of an array is wanted: `--subarray '10..20, ..=5'`, a range for each dimension.

use super::options::Options;
use super::value::dimension_name;
use crate::error::{Error, Result};
use binfmt::formats::tiledb::{ArraySchema, Dimension, Number};
use binfmt::table::TimeUnit;
use std::ops::Bound;

/// Coordinates of one dimension.
pub(super) type Span = (Bound<Number>, Bound<Number>);

/// The coordinates that are wanted, of each dimension.
pub(super) fn wanted(options: &Options, schema: &ArraySchema) -> Result<Vec<Span>> {
    let dimensions = &schema.domain.dimensions;
    let Some(text) = options.subarray.value() else { return Ok(dimensions.iter().map(whole).collect()) };
    let text = text.trim();
    let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let ranges: Vec<&str> = text.split(',').map(str::trim).collect();
    if ranges.len() != dimensions.len() {
        let names: Vec<String> = (0..dimensions.len()).map(|i| dimension_name(schema, i)).collect();
        let (given, needed) = (ranges.len(), dimensions.len());
        let text = format!("--subarray has {}", crate::units::count(given as u64, "range", "ranges"));
        let needed = crate::units::count(needed as u64, "dimension", "dimensions");
        return Err(Error::usage(format_args!("{text}, the array has {needed}: {}", names.join(", ")))
            .tip("separate ranges by commas; .. is all of a dimension"));
    }
    let parsed = ranges.iter().zip(dimensions).enumerate().map(|(i, (text, dimension))| {
        range(text, dimension, schema.domain.datatype.time_unit()).map_err(|why| {
            let name = dimension_name(schema, i);
            Error::usage(format_args!("--subarray, range {} (`{text}`) of `{name}`: {why}", i + 1))
        })
    });
    parsed.collect()
}

/// A dimension's whole domain.
pub(super) fn whole(dimension: &Dimension) -> Span {
    let [low, high] = dimension.domain.map(coordinate);
    (Bound::Included(low), Bound::Included(high))
}

/// A number of a dimension in the widest type, as those are that a user writes.
pub(super) fn coordinate(value: Number) -> Number {
    value.as_i128().map_or_else(|| Number::F64(value.to_f64()), Number::I128)
}

fn range(text: &str, dimension: &Dimension, time: Option<TimeUnit>) -> Result<Span, String> {
    let [low, high] = dimension.domain.map(coordinate);
    let number = |text: &str| match time.and_then(|unit| unit.parse_time(text.trim())) {
        Some(n) => Ok(Number::I128(n.into())),
        None => number(text.trim(), low),
    };
    let Some((from, to)) = text.split_once("..") else {
        if text.contains(':') && time.is_none() {
            return Err("write 10..20 (without 20) or 10..=20 (with it)".into());
        }
        let only = number(text)?;
        inside(only, [low, high])?;
        return Ok((Bound::Included(only), Bound::Included(only)));
    };
    let from = if from.trim().is_empty() { low } else { number(from)? };
    inside(from, [low, high])?;
    let to = match (to.strip_prefix('='), to.trim().is_empty()) {
        (Some(last), _) => Bound::Included(number(last)?),
        (None, true) => Bound::Included(high),
        (None, false) => Bound::Excluded(number(to)?),
    };
    match to {
        Bound::Excluded(end) if from >= end => return Err("it has no coordinates".into()),
        Bound::Included(last) if last < from => return Err("it ends before it begins".into()),
        // the end itself is not asked for
        Bound::Excluded(Number::I128(end)) => {
            let last = Number::I128(end - 1);
            inside(last, [low, high]).map_err(|why| format!("its last coordinate, {why}"))?;
        }
        Bound::Excluded(end) | Bound::Included(end) => inside(end, [low, high])?,
        Bound::Unbounded => {}
    }
    Ok((Bound::Included(from), to))
}

/// A number as the dimension has them.
fn number(text: &str, like: Number) -> Result<Number, String> {
    let digits = text.replace('_', "");
    match like {
        Number::I128(_) => match (digits.parse::<i64>(), digits.parse::<u64>()) {
            (Ok(n), _) => Ok(Number::I128(n.into())),
            (_, Ok(n)) => Ok(Number::I128(n.into())),
            _ if digits.parse::<f64>().is_ok() => Err(format!("`{text}` is not a 64-bit integer")),
            _ => Err(format!("`{text}` is not a number")),
        },
        _ => match digits.parse::<f64>() {
            Ok(n) if !n.is_nan() => Ok(Number::F64(n)),
            _ => Err(format!("`{text}` is not a number")),
        },
    }
}

fn inside(c: Number, [low, high]: [Number; 2]) -> Result<(), String> {
    if c < low || high < c {
        return Err(format!("{c} is not in the domain, {low} to {high}"));
    }
    Ok(())
}

/// The first and the last coordinate of a span, in a dimension of integers.
pub(super) fn ends(span: &Span) -> [i128; 2] {
    let of = |bound: Bound<Number>, off: i128| match bound {
        Bound::Included(Number::I128(n)) => n,
        Bound::Excluded(Number::I128(n)) => n + off,
        _ => 0,
    };
    [of(span.0, 1), of(span.1, -1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dimension(low: Number, high: Number) -> Dimension {
        Dimension::new("x", low, high, None)
    }

    #[test]
    fn every_form() {
        let x = dimension(Number::I32(-10), Number::I32(19));
        let ends = |text: &str| range(text, &x, None).map(|span| super::ends(&span));
        assert_eq!(ends("-5..=5"), Ok([-5, 5]));
        assert_eq!(ends("0..20"), Ok([0, 19]));
        assert_eq!(ends(".."), Ok([-10, 19]));
        assert_eq!(ends("..-3"), Ok([-10, -4]));
        assert_eq!(ends("1_0.."), Ok([10, 19]));
        assert_eq!(ends("7"), Ok([7, 7]));
        for (wrong, why) in [
            ("0..21", "its last coordinate, 20 is not in the domain, -10 to 19"),
            ("-11", "not in the domain"),
            ("5..5", "no coordinates"),
            ("5..=3", "ends before"),
            ("x..3", "`x` is not a number"),
            ("0.5", "not a 64-bit integer"),
            ("1:2", "10..=20"),
            ("", "not a number"),
        ] {
            assert!(range(wrong, &x, None).unwrap_err().contains(why), "{wrong}");
        }
        let day = dimension(Number::I64(0), Number::I64(20_000));
        let spans = |text: &str| range(text, &day, Some(TimeUnit::Day)).map(|span| super::ends(&span));
        assert_eq!(spans("1970-01-03..=1970-02-01"), Ok([2, 31]));
        assert_eq!(spans("5..1970-01-10"), Ok([5, 8]));
        let y = dimension(Number::F32(0.0), Number::F32(2.0));
        assert_eq!(range("0.5..1.5", &y, None).unwrap().1, Bound::Excluded(Number::F64(1.5)));
        assert_eq!(range(".5..=2", &y, None).unwrap().0, Bound::Included(Number::F64(0.5)));
    }
}
