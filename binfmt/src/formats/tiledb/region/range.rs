//! Which coordinates are asked for.

use crate::formats::tiledb::layout::{ArraySchema, Datatype, Dimension, Number, Scalar};
use crate::{Error, ErrorKind, Result, Step};
use std::ops::{Bound, RangeBounds};

/// A coordinate as a user writes it: any integer, or a float.
///
/// ```
/// use binfmt::formats::tiledb::Coordinate;
/// assert_eq!(Coordinate::from(7u8), Coordinate::Integer(7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coordinate {
    /// An integer, or a time in the unit of the dimension.
    Integer(i128),
    /// A float.
    Float(f64),
}

macro_rules! coordinates {
    ($($t:ident)* => $variant:ident) => { $(
        impl From<$t> for Coordinate {
            fn from(value: $t) -> Self {
                Coordinate::$variant(value.into())
            }
        }
    )* };
}
coordinates!(i8 u8 i16 u16 i32 u32 i64 u64 => Integer);
coordinates!(f32 f64 => Float);

/// The bounds of a range.
#[derive(Clone, Copy, Debug)]
struct Range {
    low: Bound<Coordinate>,
    high: Bound<Coordinate>,
}

impl Range {
    fn new<T: Copy + Into<Coordinate>>(range: impl RangeBounds<T>) -> Self {
        let of = |bound: Bound<&T>| bound.map(|value| (*value).into());
        Range { low: of(range.start_bound()), high: of(range.end_bound()) }
    }

    /// Refuses a range of integers that reaches beyond the dimension's domain.
    fn check_within(self, dimension: &Dimension) -> Result<()> {
        let [Some(low), Some(high)] = dimension.domain.map(Scalar::integer) else { return Ok(()) };
        let end = |bound: Bound<Coordinate>, open: i128, step: i128| match bound {
            Bound::Included(Coordinate::Integer(v)) => v,
            Bound::Excluded(Coordinate::Integer(v)) => v.saturating_add(step),
            // floats have an error of their own
            _ => open,
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
    fn keys(self, dimension: &Dimension, datatype: Datatype) -> Result<[u64; 2]> {
        let [low, high] = dimension.domain.map(Scalar::key);
        let wrong = |kind: ErrorKind| Error::from(kind).within(Step::Name(dimension.name.clone()));
        let code = || ErrorKind::UnknownCode { of: "datatype", code: datatype.code().into() };
        let number = datatype.number().ok_or_else(|| wrong(code()))?;
        let first = match self.low {
            Bound::Unbounded => Some(low),
            Bound::Included(c) => at_least(c, number, false).map_err(wrong)?,
            Bound::Excluded(c) => at_least(c, number, true).map_err(wrong)?,
        };
        let last = match self.high {
            Bound::Unbounded => Some(high),
            Bound::Included(c) => at_most(c, number, false).map_err(wrong)?,
            Bound::Excluded(c) => at_most(c, number, true).map_err(wrong)?,
        };
        Ok(match (first, last) {
            (Some(first), Some(last)) => [first.max(low), last.min(high)],
            _ => [1, 0],
        })
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
    pub(crate) fn set<T: Copy + Into<Coordinate>>(&mut self, dimension: usize, range: impl RangeBounds<T>) {
        match self.dimensions.get_mut(dimension) {
            Some(place) => *place = Range::new(range),
            None => self.unknown = Some(format!("number {dimension}")),
        }
    }

    /// Sets the range of the first dimension of this name.
    pub(crate) fn set_named<T: Copy + Into<Coordinate>>(
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
        keys.map(|(range, dimension)| range.keys(dimension, schema.domain.datatype)).collect()
    }
}

/// What is not in the domain of a dimension.
#[cold]
pub(crate) fn outside(dimension: &Dimension, found: String) -> Error {
    let [low, high] = dimension.domain;
    let expected = format!("the domain, {low} to {high}").into();
    Error::from(ErrorKind::OutOfRange { found, expected }).within(Step::Name(dimension.name.clone()))
}

/// The key of the smallest coordinate that is at least, or above, this one; `None` when the type has none.
fn at_least(c: Coordinate, number: Number, above: bool) -> Result<Option<u64>, ErrorKind> {
    let key = match (float(c, number)?, c) {
        (Some(key), _) => key,
        (None, Coordinate::Integer(v)) => match Scalar::of_integer(v, number) {
            Some(scalar) => scalar.key(),
            // beyond the type: everything or nothing
            None => return Ok((v < 0).then_some(0)),
        },
        (None, Coordinate::Float(_)) => return Err(ErrorKind::mismatch("", "an integer", "a float")),
    };
    Ok(if above { key.checked_add(1) } else { Some(key) })
}

/// The same for the largest that is at most, or below, this one.
fn at_most(c: Coordinate, number: Number, below: bool) -> Result<Option<u64>, ErrorKind> {
    let key = match (float(c, number)?, c) {
        (Some(key), _) => key,
        (None, Coordinate::Integer(v)) => match Scalar::of_integer(v, number) {
            Some(scalar) => scalar.key(),
            None => return Ok((v > 0).then_some(u64::MAX)),
        },
        (None, Coordinate::Float(_)) => return Err(ErrorKind::mismatch("", "an integer", "a float")),
    };
    Ok(if below { key.checked_sub(1) } else { Some(key) })
}

/// The key in a dimension of floats; `None` in one of integers.
fn float(c: Coordinate, number: Number) -> Result<Option<u64>, ErrorKind> {
    if !number.is_float() {
        return Ok(None);
    }
    match c {
        Coordinate::Float(v) if v.is_nan() => Err(ErrorKind::invalid("bound", "NaN", "")),
        Coordinate::Float(v) => Ok(Some(Scalar::F64(v).key())),
        Coordinate::Integer(v) => Ok(Some(Scalar::F64(v as f64).key())),
    }
}

/// The integer of a key, in a dimension of integers.
pub(crate) fn integer(key: u64, number: Number) -> i128 {
    match number {
        Number::I8 | Number::I16 | Number::I32 | Number::I64 => i128::from((key ^ 1 << 63) as i64),
        _ => i128::from(key),
    }
}
