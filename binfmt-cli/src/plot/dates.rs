//! Marks of an axis of times.

use super::axis::{Axis, Tick};
use binfmt::table::TimeUnit;

const DAY: i64 = 86_400_000;

/// Milliseconds between marks, from the shortest on.
const STEPS: [i64; 21] = [
    1,
    10,
    100,
    1000,
    2000,
    5000,
    10_000,
    15_000,
    30_000,
    60_000,
    120_000,
    300_000,
    600_000,
    1_800_000,
    3_600_000,
    7_200_000,
    10_800_000,
    21_600_000,
    43_200_000,
    DAY,
    2 * DAY,
];

/// Months between marks.
const MONTHS: [i64; 12] = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 12_000];

impl Axis {
    /// The same with dates at its marks, where its numbers count that many seconds each. An axis beyond our years keeps its numbers.
    pub(super) fn dated(mut self, seconds: f64, most: usize) -> Self {
        let most = most.max(2) as f64;
        let milli = |x: f64| x * seconds * 1000.0;
        let (low, high) = (milli(self.low), milli(self.high));
        // from the year 0 to 9999
        if !(-6e13..2.5e14).contains(&low) || !(-6e13..2.5e14).contains(&high) || high - low < most {
            return self;
        }
        let step = STEPS.into_iter().find(|step| (high - low) / *step as f64 <= most);
        let marks = match step {
            Some(step) => days(low, high, step),
            None => months(low, high, most),
        };
        self.power = 0;
        self.day = Some(match step {
            Some(step) if step < DAY => TimeUnit::Day.format_time((low.floor() as i64).div_euclid(DAY)),
            _ => String::new(),
        });
        self.ticks = marks
            .into_iter()
            .map(|(at, label)| Tick { value: at as f64 / 1000.0 / seconds, label })
            .filter(|tick| (self.low..=self.high).contains(&tick.value))
            .collect();
        self
    }
}

/// Marks in even steps, with their labels.
fn days(low: f64, high: f64, step: i64) -> Vec<(i64, String)> {
    let (first, last) = ((low / step as f64).ceil() as i64, (high / step as f64).floor() as i64);
    let mark = |n: i64| {
        let at = n * step;
        let text = TimeUnit::Milli.format_time(at);
        let (day, time) = text.split_once('T').unwrap_or((&text, ""));
        let shown = match step {
            step if step >= DAY => day,
            _ if at.rem_euclid(DAY) == 0 => day,
            step if step >= 60_000 => time.get(..5).unwrap_or(time),
            step if step >= 1000 => time.get(..8).unwrap_or(time),
            _ => time,
        };
        (at, shown.to_owned())
    };
    (first..=last).map(mark).collect()
}

/// Marks at the beginnings of months or years.
fn months(low: f64, high: f64, most: f64) -> Vec<(i64, String)> {
    let month = |x: f64| {
        let text = TimeUnit::Milli.format_time(x as i64);
        text.get(..7).and_then(|text| TimeUnit::Month.parse_time(text)).unwrap_or_default()
    };
    let (first, last) = (month(low), month(high));
    let step = MONTHS.into_iter().find(|step| (last - first) as f64 / *step as f64 <= most).unwrap_or(12_000);
    // years are those that the step divides
    let from = (first + 1970 * 12).div_euclid(step) * step - 1970 * 12;
    let mark = |n: i64| {
        let text = TimeUnit::Month.format_time(n);
        let at = TimeUnit::Milli.parse_time(&format!("{text}-01"))?;
        let shown = if step >= 12 { text.get(..4).unwrap_or(&text) } else { &text };
        Some((at, shown.to_owned()))
    };
    let count = usize::try_from((last - from) / step + 2).unwrap_or(0);
    (0..count).filter_map(|i| mark(from + step * i as i64)).collect()
}

/// How long a unit is; those of calendars have no one length.
pub(super) fn seconds(unit: TimeUnit) -> Option<f64> {
    let digits = |power: i32| Some(10_f64.powi(power));
    match unit {
        TimeUnit::Week => Some(604_800.0),
        TimeUnit::Day => Some(86_400.0),
        TimeUnit::Hour => Some(3600.0),
        TimeUnit::Minute => Some(60.0),
        TimeUnit::Second => Some(1.0),
        TimeUnit::Milli => digits(-3),
        TimeUnit::Micro => digits(-6),
        TimeUnit::Nano => digits(-9),
        TimeUnit::Pico => digits(-12),
        TimeUnit::Femto => digits(-15),
        TimeUnit::Atto => digits(-18),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::axis::Shape;
    use super::*;

    fn labels(low: f64, high: f64) -> (Vec<String>, Option<String>) {
        let axis = Axis::between(low, high, Shape { is_log: false, margin: 0.0, most: 6 }).dated(1.0, 6);
        (axis.ticks.into_iter().map(|tick| tick.label).collect(), axis.day)
    }

    #[test]
    fn marks_are_where_clocks_and_calendars_have_them() {
        let start = 1_700_000_000.0;
        let (hours, day) = labels(start, start + 20.0 * 3600.0);
        assert_eq!(hours, ["2023-11-15", "06:00", "12:00", "18:00"]);
        assert_eq!(day.as_deref(), Some("2023-11-14"));
        assert_eq!(
            labels(start, start + 40.0).0,
            ["22:13:20", "22:13:30", "22:13:40", "22:13:50", "22:14:00"]
        );
        assert_eq!(
            labels(start, start + 4.0 * 86_400.0).0,
            ["2023-11-15", "2023-11-16", "2023-11-17", "2023-11-18"]
        );
        assert_eq!(
            labels(start, start + 150.0 * 86_400.0).0,
            ["2023-12", "2024-01", "2024-02", "2024-03", "2024-04"]
        );
        assert_eq!(labels(0.0, start).0, ["1970", "1980", "1990", "2000", "2010", "2020"]);
        assert_eq!(labels(start, start + 150.0 * 86_400.0).1.as_deref(), Some(""));
        // what is not a time stays a number
        assert_eq!((labels(0.0, 1e30).0.len(), labels(0.0, 1e30).1), (6, None));
        assert_eq!(labels(-1e5, 0.0).0.last().map(String::as_str), Some("1970-01-01"));
    }
}
