//! Which coordinates are asked for.

use crate::formats::tiledb::layout::{ArraySchema, Dimension};
use crate::formats::tiledb::values::key;
use crate::numbers::{Number, NumberType};
use crate::{Error, ErrorKind, Result, Step};
use std::ops::{Bound, RangeBounds};

/// The bounds of a range.
#[derive(Clone, Copy, Debug)]
struct Range {
    low: Bound<Number>,
    high: Bound<Number>,
}

impl Range {
    fn new<T: Copy + Into<Number>>(range: impl RangeBounds<T>) -> Self {
        let of = |bound: Bound<&T>| bound.map(|value| (*value).into());
        Range { low: of(range.start_bound()), high: of(range.end_bound()) }
    }

    /// Refuses a range of integers that reaches beyond the dimension's domain.
    fn check_within(self, dimension: &Dimension) -> Result<()> {
        let [Some(low), Some(high)] = dimension.domain.map(Number::as_i128) else { return Ok(()) };
        // what is not an integer has an error of its own
        let end = |bound: Bound<Number>, open: i128, step: i128| match bound {
            Bound::Included(c) => integer(c).unwrap_or(open),
            Bound::Excluded(c) => integer(c).map_or(open, |c| c.saturating_add(step)),
            Bound::Unbounded => open,
        };
        let (first, last) = (end(self.low, low, 1), end(self.high, high, -1));
        // one without cells is nowhere
        if first > last || low <= first && last <= high {
            return Ok(());
        }
        Err(outside(dimension, format!("{first} to {last}")))
    }

    /// Whether it leaves nothing out.
    fn is_full(&self) -> bool {
        matches!((self.low, self.high), (Bound::Unbounded, Bound::Unbounded))
    }

    /// The smallest and the largest key of the coordinates in this range and in the dimension's domain; the first is
    /// larger than the second when there are none.
    fn keys(self, dimension: &Dimension, kind: NumberType) -> Result<[u64; 2]> {
        let [low, high] = dimension.domain.map(key);
        let wrong = |e: ErrorKind| Error::from(e).within(Step::Name(dimension.name.clone()));
        let place = |c: Number| place(c, kind).map_err(wrong);
        let first = match self.low {
            Bound::Unbounded => low.into(),
            Bound::Included(c) => place(c)?,
            Bound::Excluded(c) => place(c)? + 1,
        };
        let last = match self.high {
            Bound::Unbounded => high.into(),
            Bound::Included(c) => place(c)?,
            Bound::Excluded(c) => place(c)? - 1,
        };
        let ends = [first.max(low.into()), last.min(high.into())].map(u64::try_from);
        Ok(if let [Ok(first), Ok(last)] = ends { [first, last] } else { [1, 0] })
    }
}

/// The ranges of all dimensions, as they were asked for.
#[derive(Clone, Debug)]
pub(crate) struct Ranges {
    dimensions: Vec<Range>,
    /// A dimension that was named and does not exist.
    unknown: Option<String>,
}

impl Ranges {
    /// The whole domain.
    pub(crate) fn all(schema: &ArraySchema) -> Ranges {
        let dimensions = vec![Range::new::<i64>(..); schema.domain.dimensions.len()];
        Ranges { dimensions, unknown: None }
    }

    /// Sets the range of a dimension.
    pub(crate) fn set<T: Copy + Into<Number>>(&mut self, dimension: usize, range: impl RangeBounds<T>) {
        match self.dimensions.get_mut(dimension) {
            Some(place) => *place = Range::new(range),
            None => self.unknown = Some(format!("number {dimension}")),
        }
    }

    /// Sets the range of the first dimension of this name.
    pub(crate) fn set_named<T: Copy + Into<Number>>(
        &mut self,
        schema: &ArraySchema,
        name: &str,
        range: impl RangeBounds<T>,
    ) {
        match schema.domain.dimensions.iter().position(|d| d.name == name) {
            Some(dimension) => self.set(dimension, range),
            None => self.unknown = Some(name.into()),
        }
    }

    /// Whether all dimensions exist.
    pub(crate) fn check(&self, schema: &ArraySchema) -> Result<()> {
        let Some(name) = &self.unknown else { return Ok(()) };
        let known = schema.domain.dimensions.iter().map(|d| &d.name);
        Err(ErrorKind::unknown("dimension", name, known).into())
    }

    /// Whether nothing is left out of the domain.
    pub(crate) fn is_full(&self) -> bool {
        self.dimensions.iter().all(Range::is_full)
    }

    /// Whether what is asked for lies in the domain.
    pub(crate) fn check_within(&self, schema: &ArraySchema) -> Result<()> {
        let pairs = self.dimensions.iter().zip(&schema.domain.dimensions);
        pairs.into_iter().try_for_each(|(range, dimension)| range.check_within(dimension))
    }

    /// What the ranges leave of the domain.
    pub(crate) fn keys(&self, schema: &ArraySchema) -> Result<Vec<[u64; 2]>> {
        let keys = self.dimensions.iter().zip(&schema.domain.dimensions);
        keys.map(|(range, dimension)| range.keys(dimension, schema.domain.number_type())).collect()
    }
}

/// What is not in the domain of a dimension.
#[cold]
pub(crate) fn outside(dimension: &Dimension, found: String) -> Error {
    let [low, high] = dimension.domain;
    let expected = format!("the domain, {low} to {high}").into();
    Error::from(ErrorKind::OutOfRange { found, expected }).within(Step::Name(dimension.name.clone()))
}

/// Where a bound lies among the keys of a type: below all of them, or above, where the type has no such integer.
fn place(c: Number, kind: NumberType) -> Result<i128, ErrorKind> {
    if kind.is_float() {
        let c = c.to_f64();
        return if c.is_nan() {
            Err(ErrorKind::invalid("bound", "NaN", ""))
        } else {
            Ok(key(Number::F64(c)).into())
        };
    }
    let found = if c.number_type().is_float() { "a float" } else { c.number_type().name() };
    let c = integer(c).ok_or_else(|| ErrorKind::mismatch("", "an integer", found))?;
    let beyond = if c < 0 { -1 } else { 1 << 64 };
    Ok(Number::from_i128(kind, c).map_or(beyond, |c| key(c).into()))
}

/// A bound that is an integer; those of 128 bits are beyond the coordinates of any type.
fn integer(c: Number) -> Option<i128> {
    match c {
        Number::U128(c) => Some(i128::try_from(c).unwrap_or(i128::MAX)),
        c => c.as_i128(),
    }
}
