//! Times as text: dates of ISO 8601, without a zone.
#![allow(clippy::arithmetic_side_effects, reason = "64-bit numbers in 128 bits; what is larger is checked")]

use super::TimeUnit;

const DAY: i128 = 86_400;

/// How long a unit is.
enum Length {
    Months(i128),
    Seconds(i128),
    /// A second has ten to the power of that many of them.
    Parts(u32),
}

fn length(unit: TimeUnit) -> Length {
    match unit {
        TimeUnit::Year => Length::Months(12),
        TimeUnit::Month => Length::Months(1),
        TimeUnit::Week => Length::Seconds(7 * DAY),
        TimeUnit::Day => Length::Seconds(DAY),
        TimeUnit::Hour => Length::Seconds(3600),
        TimeUnit::Minute => Length::Seconds(60),
        TimeUnit::Second => Length::Parts(0),
        TimeUnit::Milli => Length::Parts(3),
        TimeUnit::Micro => Length::Parts(6),
        TimeUnit::Nano => Length::Parts(9),
        TimeUnit::Pico => Length::Parts(12),
        TimeUnit::Femto => Length::Parts(15),
        TimeUnit::Atto => Length::Parts(18),
    }
}

/// How many of the finest unit it has; `None` of those that are not always as long.
fn atto(unit: TimeUnit) -> Option<i128> {
    match length(unit) {
        Length::Months(_) => None,
        Length::Seconds(each) => Some(each * 10_i128.pow(18)),
        Length::Parts(digits) => Some(10_i128.pow(18 - digits)),
    }
}

/// What the least number is called, which is no time.
const NONE: &str = "NaT";

impl TimeUnit {
    /// The time that many units after the beginning of 1970, as ISO 8601 has it: exact, without a zone, and no finer than the unit.
    ///
    /// ```
    /// use binfmt::table::TimeUnit;
    /// assert_eq!(TimeUnit::Second.format_time(1_700_000_000), "2023-11-14T22:13:20");
    /// assert_eq!(TimeUnit::Milli.format_time(-1), "1969-12-31T23:59:59.999");
    /// assert_eq!(TimeUnit::Day.format_time(19_000), "2022-01-08");
    /// assert_eq!(TimeUnit::Nano.format_time(i64::MIN), "NaT"); // no time in NumPy, and where TileDB has nothing
    /// ```
    pub fn format_time(self, n: i64) -> String {
        if n == i64::MIN {
            return NONE.to_owned();
        }
        let n = i128::from(n);
        let (seconds, fraction) = match length(self) {
            Length::Months(each) => {
                let (year, month) = (1970 + (n * each).div_euclid(12), (n * each).rem_euclid(12) + 1);
                return match self {
                    TimeUnit::Year => shown_year(year),
                    _ => format!("{}-{month:02}", shown_year(year)),
                };
            }
            Length::Seconds(each) => (n * each, String::new()),
            Length::Parts(0) => (n, String::new()),
            Length::Parts(digits) => {
                let all = 10_i128.pow(digits);
                (n.div_euclid(all), format!(".{:0width$}", n.rem_euclid(all), width = digits as usize))
            }
        };
        let (year, month, day) = date(seconds.div_euclid(DAY));
        let date = format!("{}-{month:02}-{day:02}", shown_year(year));
        if matches!(self, TimeUnit::Week | TimeUnit::Day) {
            return date;
        }
        let left = seconds.rem_euclid(DAY);
        format!("{date}T{:02}:{:02}:{:02}{fraction}", left / 3600, left / 60 % 60, left % 60)
    }

    /// How many units after the beginning of 1970 a time of ISO 8601 is: a date, perhaps with `T` or a blank and a time of day, perhaps
    /// with `Z` or the distance from UTC; or `NaT`, the least number. `None` of another text, and of a time that is not a whole number
    /// of units.
    ///
    /// ```
    /// use binfmt::table::TimeUnit;
    /// assert_eq!(TimeUnit::Second.parse_time("2023-11-14 22:13:20Z"), Some(1_700_000_000));
    /// assert_eq!(TimeUnit::Second.parse_time("2023-11-14T23:13:20+01:00"), Some(1_700_000_000));
    /// assert_eq!(TimeUnit::Second.parse_time("2023-11-14"), Some(1_699_920_000));
    /// assert_eq!(TimeUnit::Second.parse_time("2023-11-14T22:13:20.5"), None);
    /// assert_eq!(TimeUnit::Day.parse_time("2023-02-30"), None);
    /// assert_eq!(TimeUnit::Day.parse_time("NaT"), Some(i64::MIN));
    /// ```
    pub fn parse_time(self, text: &str) -> Option<i64> {
        if text == NONE {
            return Some(i64::MIN);
        }
        if let Some(found) = stamp(text.as_bytes()).and_then(|stamp| stamp.in_unit(self)) {
            return Some(found);
        }
        let text = text.strip_suffix('Z').unwrap_or(text);
        let (date, time) =
            text.split_once(['T', ' ']).map_or((text, None), |(date, time)| (date, Some(time)));
        let (year, month, day) = self.parse_date(date)?;
        let (time, ahead) = time.map_or((None, 0), |time| {
            let (time, ahead) = from_utc(time).unwrap_or((time, 0));
            (Some(time), ahead)
        });
        let (left, parts) = time.map_or(Some((0, 0)), parse_time_of_day)?;
        let seconds = days(year, month, day) * DAY + left - ahead;
        let found = match length(self) {
            Length::Months(each) => {
                let months = (year - 1970) * 12 + month - 1;
                let is_whole = (day, left - ahead, parts) == (1, 0, 0) && months.rem_euclid(each) == 0;
                is_whole.then(|| months.div_euclid(each))
            }
            Length::Seconds(each) => {
                (parts == 0 && seconds.rem_euclid(each) == 0).then(|| seconds.div_euclid(each))
            }
            Length::Parts(digits) => {
                let finer = 10_i128.pow(18_u32.saturating_sub(digits));
                let whole = seconds.checked_mul(10_i128.pow(digits))?.checked_add(parts / finer);
                whole.filter(|_| parts % finer == 0)
            }
        };
        i64::try_from(found?).ok()
    }

    /// The same time in another unit; `None` if it is no whole number of those, or beyond their end.
    pub(crate) fn in_unit(self, n: i64, to: TimeUnit) -> Option<i64> {
        let (Some(from), Some(into)) = (atto(self), atto(to)) else {
            let first = match self {
                TimeUnit::Year => "-01-01",
                TimeUnit::Month => "-01",
                _ => "",
            };
            return to.parse_time(&(self.format_time(n) + first));
        };
        // each unit is a whole number of every finer one
        let found = match from >= into {
            true => i128::from(n).checked_mul(from / into)?,
            false if i128::from(n) % (into / from) == 0 => i128::from(n) / (into / from),
            false => return None,
        };
        i64::try_from(found).ok()
    }

    /// The same time in a finer unit, as far as 128 bits reach: those beyond are as far as they can be, so that they are compared right.
    /// No time is the least of all.
    pub(super) fn in_finer(self, n: i64, to: TimeUnit) -> i128 {
        if n == i64::MIN {
            return i128::MIN;
        }
        let n = i128::from(n);
        let found = match (length(self), length(to)) {
            (Length::Months(each), Length::Months(into)) => n * each / into,
            (Length::Months(each), into) => {
                let (year, month) = (1970 + (n * each).div_euclid(12), (n * each).rem_euclid(12) + 1);
                let seconds = days(year, month, 1) * DAY;
                match into {
                    Length::Seconds(each) => seconds.div_euclid(each),
                    Length::Parts(digits) => seconds.saturating_mul(10_i128.pow(digits)),
                    Length::Months(_) => seconds,
                }
            }
            _ => match atto(self).zip(atto(to)) {
                Some((from, into)) => n.saturating_mul(from / into),
                None => n,
            },
        };
        found.max(i128::MIN + 1)
    }

    /// A year, a month and a day that exists; the last two may be left out of coarse units.
    fn parse_date(self, text: &str) -> Option<(i128, i128, i128)> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        let mut parts = digits.split('-');
        let year = sign * number(parts.next()?, 4..=19)?;
        let (month, day) = match (self, parts.next(), parts.next()) {
            (TimeUnit::Year, None, None) => (1, 1),
            (TimeUnit::Year | TimeUnit::Month, Some(month), None) => (number(month, 2..=2)?, 1),
            (_, Some(month), Some(day)) => (number(month, 2..=2)?, number(day, 2..=2)?),
            _ => return None,
        };
        let is_there = date(days(year, month, day)) == (year, month, day);
        is_there.then_some((year, month, day)).filter(|_| parts.next().is_none())
    }
}

/// A time in the form that most files have, in UTC: years of four digits, and no more digits after the point than nanoseconds have.
#[derive(Clone, Copy, Debug)]
struct Stamp {
    seconds: i64,
    nanos: i64,
}

impl Stamp {
    /// How many units it is; `None` if it is no whole number of them, or that is for others to find out.
    fn in_unit(self, unit: TimeUnit) -> Option<i64> {
        const DAY_64: i64 = DAY as i64;
        let Stamp { seconds, nanos } = self;
        let each = match unit {
            TimeUnit::Day if nanos == 0 && seconds % DAY_64 == 0 => return Some(seconds / DAY_64),
            TimeUnit::Second => 1_000_000_000,
            TimeUnit::Milli => 1_000_000,
            TimeUnit::Micro => 1000,
            TimeUnit::Nano => 1,
            _ => return None,
        };
        let whole = seconds.checked_mul(1_000_000_000 / each)?.checked_add(nanos / each)?;
        (nanos % each == 0).then_some(whole)
    }
}

/// `2024-02-01`, and after `T` or a blank `12:00:00` or `12:00:00.25`, perhaps with `Z`: found without a look at each character twice.
fn stamp(text: &[u8]) -> Option<Stamp> {
    let two = |at: usize| {
        let [a, b] = *<&[u8; 2]>::try_from(text.get(at..at + 2)?).ok()?;
        (a.is_ascii_digit() && b.is_ascii_digit()).then(|| i64::from(a - b'0') * 10 + i64::from(b - b'0'))
    };
    let is = |at: usize, byte: u8| text.get(at) == Some(&byte);
    if !(is(4, b'-') && is(7, b'-')) {
        return None;
    }
    let (year, month, day) = (two(0)? * 100 + two(2)?, two(5)?, two(8)?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let most = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => return None,
    };
    if !(1..=most).contains(&day) {
        return None;
    }
    // the number of the day, of years that begin in March
    let before = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (before.div_euclid(400), before.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let midnight = days * DAY as i64;
    if text.len() == 10 {
        return Some(Stamp { seconds: midnight, nanos: 0 });
    }
    if !((is(10, b'T') || is(10, b' ')) && is(13, b':') && is(16, b':')) {
        return None;
    }
    let (hours, minutes, seconds) = (two(11)?, two(14)?, two(17)?);
    if hours > 23 || minutes > 59 || seconds > 59 {
        return None;
    }
    let seconds = midnight + hours * 3600 + minutes * 60 + seconds;
    let rest = text.get(19..)?;
    let rest = rest.strip_suffix(b"Z").unwrap_or(rest);
    let nanos = match rest {
        [] => 0,
        [b'.', digits @ ..] if (1..=9).contains(&digits.len()) => {
            let mut nanos = 0;
            for place in 0..9 {
                let digit = digits.get(place).copied().unwrap_or(b'0');
                if !digit.is_ascii_digit() {
                    return None;
                }
                nanos = nanos * 10 + i64::from(digit - b'0');
            }
            nanos
        }
        _ => return None,
    };
    Some(Stamp { seconds, nanos })
}

/// What a time is in a file of text whose types nobody said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Looks {
    /// The coarsest unit that has it as it is written, of days and seconds and what is finer.
    pub(super) unit: TimeUnit,
    /// Seconds since 1970, without a fraction.
    pub(super) seconds: i64,
    /// Whether it says how far from UTC it is.
    pub(super) is_zoned: bool,
}

/// What a field is, if it is a date or a time as files of text have them: of a whole day, of seconds, or of fractions of them.
pub(super) fn looks(field: &[u8]) -> Option<Looks> {
    // most texts are told by this
    is_dated(field).then_some(())?;
    let text = std::str::from_utf8(field).ok()?;
    let has_time = field.contains(&b':');
    let fraction = text.split_once('.').map_or("", |(_, rest)| rest);
    let unit = match fraction.bytes().take_while(u8::is_ascii_digit).count() {
        0 if has_time => TimeUnit::Second,
        0 => TimeUnit::Day,
        1..=3 => TimeUnit::Milli,
        4..=6 => TimeUnit::Micro,
        7..=9 => TimeUnit::Nano,
        10..=12 => TimeUnit::Pico,
        13..=15 => TimeUnit::Femto,
        _ => TimeUnit::Atto,
    };
    let n = unit.parse_time(text)?;
    let seconds = match length(unit) {
        Length::Parts(digits) => n.div_euclid(10_i64.checked_pow(digits)?),
        _ => n.checked_mul(DAY as i64)?,
    };
    Some(Looks { unit, seconds, is_zoned: is_zoned(field) })
}

/// Whether text in which times of a unit are [looks](looks) like times of the same one.
pub(super) fn is_found_again(unit: TimeUnit) -> bool {
    unit == TimeUnit::Day || matches!(length(unit), Length::Parts(_))
}

/// Whether all times from one second to another are within the 64 bits of a unit.
pub(super) fn has_all(unit: TimeUnit, first: i64, last: i64) -> bool {
    [first, last.saturating_add(1)].into_iter().all(|n| match length(unit) {
        Length::Parts(_) => TimeUnit::Second.in_unit(n, unit).is_some(),
        _ => true,
    })
}

/// Whether a field of a column of times may be one: a number is not, nor is a time that says how far from UTC it is where others do not.
pub(super) fn may_be_among(field: &[u8], zoned: bool) -> bool {
    let field = field.trim_ascii();
    is_dated(field) && is_zoned(field) == zoned
}

/// Whether a field is the word for no time.
pub(super) fn is_not_a_time(field: &[u8]) -> bool {
    field == NONE.as_bytes()
}

/// Whether a field begins with a year and a dash.
fn is_dated(field: &[u8]) -> bool {
    match field {
        [b'+' | b'-', rest @ ..] => field.len() > 10 && rest.contains(&b'-'),
        [first, ..] => field.len() >= 10 && first.is_ascii_digit() && field.get(4) == Some(&b'-'),
        [] => false,
    }
}

/// Whether a time says how far from UTC it is, at its end.
fn is_zoned(field: &[u8]) -> bool {
    let sign = field.len().checked_sub(6).filter(|at| *at > 10).and_then(|at| field.get(at));
    field.last() == Some(&b'Z') || (matches!(sign, Some(b'+' | b'-')) && field.contains(&b':'))
}

/// A time of day without what it ends with, and how many seconds that is ahead of UTC: `+02:00`.
fn from_utc(text: &str) -> Option<(&str, i128)> {
    let (time, rest) = text.split_at_checked(text.rfind(['+', '-'])?)?;
    let (hours, minutes) = rest.get(1..)?.split_once(':')?;
    let ahead =
        number(hours, 2..=2).filter(|n| *n <= 23)? * 3600 + number(minutes, 2..=2).filter(|n| *n <= 59)? * 60;
    Some((time, if rest.starts_with('-') { -ahead } else { ahead }))
}

/// Seconds, and 10⁻¹⁸ of them, since midnight.
fn parse_time_of_day(text: &str) -> Option<(i128, i128)> {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let mut parts = whole.split(':');
    let mut next = |most: i128| number(parts.next()?, 2..=2).filter(|n| *n <= most);
    let (hours, minutes) = (next(23)?, next(59)?);
    let seconds = match (whole.len(), fraction) {
        (5, None) => 0,
        _ => next(59)?,
    };
    let parts = match fraction {
        Some(digits) => number(digits, 1..=18)? * 10_i128.pow(18_u32.saturating_sub(digits.len() as u32)),
        None => 0,
    };
    (whole.len() <= 8).then_some((hours * 3600 + minutes * 60 + seconds, parts))
}

fn number(digits: &str, len: std::ops::RangeInclusive<usize>) -> Option<i128> {
    let is_one = len.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_one)
}

/// With a sign where it has not four digits.
fn shown_year(year: i128) -> String {
    if (0..=9999).contains(&year) { format!("{year:04}") } else { format!("{year:+05}") }
}

/// Days from the beginning of 1970 to a date; of eras of 400 years, which begin in March, all are alike.
fn days(year: i128, month: i128, day: i128) -> i128 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year * 365 + year / 4 - year / 100 + of_year - 719_468
}

/// The year, month and day of a day that is counted from the beginning of 1970.
fn date(day: i128) -> (i128, i128, i128) {
    let day = day + 719_468;
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = (year + era * 400, if month < 10 { month + 3 } else { month - 9 });
    (if month <= 2 { year + 1 } else { year }, month, of_month)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_the_same_in_every_unit_that_has_it() {
        use TimeUnit::{Atto, Day, Hour, Milli, Month, Nano, Second, Week, Year};
        for (from, n, to, expected) in [
            (Second, -1, Milli, Some(-1000)),
            (Milli, 1500, Second, None),
            (Nano, -2_000_000_000, Second, Some(-2)),
            (Week, 1, Day, Some(7)),
            (Day, 7, Week, Some(1)),
            (Day, 8, Week, None),
            (Hour, 24, Day, Some(1)),
            (Year, 1, Month, Some(12)),
            (Year, -1, Day, Some(-365)),
            (Day, 31, Month, Some(1)),
            (Day, 30, Month, None),
            (Second, i64::MAX, Milli, None),
            (Week, i64::MIN, Atto, None),
        ] {
            assert_eq!(from.in_unit(n, to), expected, "{n} {from} in {to}");
        }
    }

    #[test]
    fn every_day_is_found_again() {
        for n in (-1_000_000..1_000_000).step_by(17).chain(-800..800) {
            let (year, month, day) = date(n);
            assert_eq!(days(year, month, day), n);
            assert!((1..=12).contains(&month) && (1..=31).contains(&day), "{n}");
        }
        assert_eq!((date(0), date(59), date(11_016)), ((1970, 1, 1), (1970, 3, 1), (2000, 2, 29)));
    }

    #[test]
    fn times_of_every_unit_are_read_again() {
        for unit in TimeUnit::ALL {
            for n in [0, 1, -1, 59, -60, 1_234_567_890_123, -987_654_321_987, i64::MAX, i64::MIN] {
                let text = unit.format_time(n);
                assert_eq!(unit.parse_time(&text), Some(n), "{unit}: {text}");
            }
        }
        assert_eq!(TimeUnit::Year.format_time(-1971), "-0001");
        assert_eq!(TimeUnit::Month.format_time(12), "1971-01");
        assert_eq!(TimeUnit::Hour.format_time(1), "1970-01-01T01:00:00");
    }

    #[test]
    fn what_is_no_time_of_the_unit_is_refused() {
        for text in
            ["", "5", "2024", "2024-1-1", "2024-13-01", "2024-01-01T", "2024-01-01T24:00", "2024-01-01T10"]
        {
            assert_eq!(TimeUnit::Second.parse_time(text), None, "{text}");
        }
        for text in ["2024-01-01T10:00:00.", "2024-01-01T10:00.5", "2024-01-01-01", "2024-01-01T1:00:00"] {
            assert_eq!(TimeUnit::Atto.parse_time(text), None, "{text}");
        }
        assert_eq!(TimeUnit::Month.parse_time("2024-01-02"), None);
        assert_eq!(TimeUnit::Second.parse_time("2024-01-01T10:00"), Some(1_704_103_200));
    }

    #[test]
    fn the_form_that_most_files_have_is_read_as_any_other() {
        for n in (-80_000_000_000_i64..253_402_300_000).step_by(1_234_567_891).chain(-5..5) {
            let text = TimeUnit::Second.format_time(n);
            for (end, nanos) in
                [("", 0), ("Z", 0), (".5", 500_000_000), (".000000001", 1), (".250Z", 250_000_000)]
            {
                let text = format!("{text}{end}");
                if n >= -62_167_219_200 {
                    let found = stamp(text.as_bytes()).unwrap();
                    assert_eq!((found.seconds, found.nanos), (n, nanos), "{text}");
                }
                let expected = n.checked_mul(1_000_000_000).and_then(|n| n.checked_add(nanos));
                assert_eq!(TimeUnit::Nano.parse_time(&text), expected, "{text}");
            }
            let date = TimeUnit::Day.format_time(n.div_euclid(86_400));
            assert_eq!(TimeUnit::Day.parse_time(&date), Some(n.div_euclid(86_400)), "{date}");
        }
        for text in
            ["2024-13-01", "2023-02-29", "2024-00-10", "2024-01-00", "2024-01-01x", "2024-01-01T24:00:00"]
        {
            assert!(stamp(text.as_bytes()).is_none(), "{text}");
        }
        for text in ["2024-01-01T10:00:00.", "2024-01-01T10:00:00.1234567890", "2024-01-01T10:00:00+01:00"] {
            assert!(stamp(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn fields_look_like_times_of_the_unit_that_they_are_written_in() {
        use TimeUnit::{Day, Femto, Micro, Milli, Nano, Pico, Second};
        let of = |text: &str| looks(text.as_bytes()).map(|looks| (looks.unit, looks.seconds, looks.is_zoned));
        for (text, expected) in [
            ("1970-01-02", Some((Day, 86_400, false))),
            ("1970-01-01T00:00:01", Some((Second, 1, false))),
            ("1970-01-01 00:01", Some((Second, 60, false))),
            ("1970-01-01T01:00:00+01:00", Some((Second, 0, true))),
            ("1969-12-31T23:59:59.5Z", Some((Milli, -1, true))),
            ("1970-01-01T00:00:00.0001", Some((Micro, 0, false))),
            ("1970-01-01T00:00:00.000000001", Some((Nano, 0, false))),
            ("1970-01-01T00:00:00.000000000001", Some((Pico, 0, false))),
            ("1970-01-01T00:00:00.0000000000001", Some((Femto, 0, false))),
            ("+12024-03-01", Some((Day, 317_278_771_200, false))),
            // beyond the 64 bits of its unit
            ("9999-01-01T00:00:00.000000001", None),
            ("20240301", None),
            ("2024-13-01", None),
            ("2024-3-1", None),
            ("12:00:00", None),
            ("2024-03", None),
            ("2024-03-01x", None),
            ("-1.5e-3", None),
            ("+49-30-1234567", None),
        ] {
            assert_eq!(of(text), expected, "{text}");
        }
        assert!(
            may_be_among(b" 2024-03-01T12:00:00 ", false) && !may_be_among(b"2024-03-01T12:00:00Z", false)
        );
        assert!(
            !may_be_among(b"NaT", false) && !may_be_among(b"5", false) && !may_be_among(b"20240301", false)
        );
        assert!(has_all(Nano, 0, 1) && !has_all(Nano, 0, 32_503_680_000) && has_all(Day, i64::MIN, i64::MAX));
    }
}
