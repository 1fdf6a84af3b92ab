//! Times that are looked for as dates, among numbers.

use binfmt::numbers::Number;
use binfmt::table::TimeUnit;
use std::fmt;

/// A time, as the numbers of a column count it.
#[derive(Clone, Debug)]
pub(crate) struct Time {
    pub(crate) column: String,
    pub(crate) unit: TimeUnit,
    pub(crate) count: i64,
}

impl Time {
    /// Whether a path such as `[1].t` or `[1].t[0]` is one of its column.
    pub(super) fn is_of(&self, path: &str) -> bool {
        let mut name = path;
        while let Some((before, _)) = name.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
            name = before;
        }
        name.strip_suffix(&self.column).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }
}

/// The number that is looked for: that of a time, where there is one.
pub(super) fn wanted(time: Option<&Time>, number: Option<Number>) -> Option<Number> {
    time.map(|time| Number::I64(time.count)).or(number)
}

/// A number that was found, as a date where it is a time.
pub(super) fn told(time: Option<&Time>, n: Number) -> String {
    time.map_or_else(|| n.to_string(), Time::to_string)
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.unit.format_time(self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_end_in_the_names_of_columns() {
        let of = |column: &str| Time { column: column.into(), unit: TimeUnit::Day, count: 0 };
        for path in ["[1].t1", "t1", "[1].t1[0]", "[1].t1[0][2]", "a.t1"] {
            assert!(of("t1").is_of(path), "{path}");
        }
        for path in ["[1].t", "[1].at1", "t1.x", "[1]", "[1].t1.x[0]"] {
            assert!(!of("t1").is_of(path), "{path}");
        }
    }
}
