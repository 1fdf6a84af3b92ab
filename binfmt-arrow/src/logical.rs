//! What the values of a column are, as texts in the metadata of a field, and times in units that Arrow has.

use crate::options::Times;
use arrow_schema::TimeUnit as ArrowUnit;
use binfmt::table::{Logical, TimeUnit};

const UNITS: [TimeUnit; 13] = [
    TimeUnit::Year,
    TimeUnit::Month,
    TimeUnit::Week,
    TimeUnit::Day,
    TimeUnit::Hour,
    TimeUnit::Minute,
    TimeUnit::Second,
    TimeUnit::Milli,
    TimeUnit::Micro,
    TimeUnit::Nano,
    TimeUnit::Pico,
    TimeUnit::Femto,
    TimeUnit::Atto,
];

/// As [`parse`] reads it; `None` of what is not known here.
pub(crate) fn text(logical: &Logical) -> Option<String> {
    Some(match logical {
        Logical::Timestamp(unit) => format!("timestamp[{unit}]"),
        Logical::Duration(unit) => format!("duration[{unit}]"),
        Logical::TimestampWithOffset => "timestamp_with_offset".to_owned(),
        Logical::Character => "character".to_owned(),
        Logical::CodeUnits => "code_units".to_owned(),
        Logical::Complex => "complex".to_owned(),
        Logical::X87 => "x87".to_owned(),
        Logical::Tensor { shape, column_major } => {
            let order = if *column_major { "F" } else { "C" };
            format!("tensor[{order}{}]", shape.iter().map(|n| format!(",{n}")).collect::<String>())
        }
        _ => return None,
    })
}

pub(crate) fn parse(text: &str) -> Option<Logical> {
    let (name, inside) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((name, inside)) => (name, inside),
        None => (text, ""),
    };
    let unit = || UNITS.into_iter().find(|unit| unit.to_string() == inside);
    Some(match name {
        "timestamp" => Logical::Timestamp(unit()?),
        "duration" => Logical::Duration(unit()?),
        "timestamp_with_offset" => Logical::TimestampWithOffset,
        "character" => Logical::Character,
        "code_units" => Logical::CodeUnits,
        "complex" => Logical::Complex,
        "x87" => Logical::X87,
        "tensor" => {
            let mut parts = inside.split(',');
            let column_major = match parts.next()? {
                "C" => false,
                "F" => true,
                _ => return None,
            };
            let shape = parts.map(|n| n.parse().ok()).collect::<Option<_>>()?;
            Logical::Tensor { shape, column_major }
        }
        _ => return None,
    })
}

/// The unit of Arrow for times in a unit of ours, and how many of it are one of ours. `None` where Arrow has none.
pub(crate) fn unit(unit: TimeUnit, times: Times) -> Option<(ArrowUnit, i64)> {
    let seconds = |n: i64| match times {
        Times::Milliseconds => Some((ArrowUnit::Millisecond, n.saturating_mul(1000))),
        Times::Unscaled if n != 1 => None,
        _ => Some((ArrowUnit::Second, n)),
    };
    Some(match unit {
        TimeUnit::Week => seconds(7 * 24 * 60 * 60)?,
        TimeUnit::Day => seconds(24 * 60 * 60)?,
        TimeUnit::Hour => seconds(60 * 60)?,
        TimeUnit::Minute => seconds(60)?,
        TimeUnit::Second => seconds(1)?,
        TimeUnit::Milli => (ArrowUnit::Millisecond, 1),
        TimeUnit::Micro => (ArrowUnit::Microsecond, 1),
        TimeUnit::Nano => (ArrowUnit::Nanosecond, 1),
        _ => return None,
    })
}

/// The same unit.
pub(crate) fn ours(unit: ArrowUnit) -> TimeUnit {
    match unit {
        ArrowUnit::Second => TimeUnit::Second,
        ArrowUnit::Millisecond => TimeUnit::Milli,
        ArrowUnit::Microsecond => TimeUnit::Micro,
        ArrowUnit::Nanosecond => TimeUnit::Nano,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_again() {
        let tensor = |shape: &[u64], column_major| Logical::Tensor { shape: shape.to_vec(), column_major };
        let mut all = vec![
            Logical::TimestampWithOffset,
            Logical::Character,
            Logical::Complex,
            Logical::X87,
            Logical::CodeUnits,
        ];
        all.extend([tensor(&[], false), tensor(&[2, 3], true)]);
        all.extend(UNITS.into_iter().flat_map(|unit| [Logical::Timestamp(unit), Logical::Duration(unit)]));
        for logical in all {
            assert_eq!(parse(&text(&logical).unwrap()), Some(logical));
        }
        for wrong in ["", "time", "timestamp", "timestamp[x]", "tensor", "tensor[C,x]", "tensor[X]"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
