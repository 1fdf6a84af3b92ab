//! What to do about an error of a table.

use crate::error::Error;
use binfmt::Step;
use binfmt::table::TimeUnit;

/// Says what to do about a field of text that is not of the type of its column, and about a missing value.
pub(super) fn advised(told: Error, e: &binfmt::Error) -> Error {
    let text = e.kind().to_string();
    let is_said = text.contains(" for the file that is written, found ");
    let is_of_text = text.starts_with("expected ") && text.contains(" in line ") && !is_said;
    if text.contains("does not support a missing value") {
        return match text.split('`').nth(1) {
            Some(name) => told.tip(of_missing(name)),
            None => told,
        };
    }
    match e.path().steps().last() {
        Some(Step::Name(name)) if is_of_text => told.tip(match finer(&text) {
            _ if is_of_fraction(&text) => format!("--types {name}:f64 reads the column as numbers"),
            Some(unit) => format!("--types '{name}:time[{unit}]' reads the column as times in {unit}"),
            None => format!("--types {name}:text reads the column as text"),
        }),
        Some(Step::Name(name)) if text.starts_with("a value is missing, and ") => told.tip(of_missing(name)),
        _ if text.starts_with("line ") && text.contains(", expected ") => {
            if let Some((_, mark)) = text.rsplit_once(" with `").filter(|(_, mark)| mark.ends_with('`')) {
                let mark = mark.trim_end_matches('`');
                return told.tip(format_args!("--comment '{mark}' leaves out the lines that begin with it"));
            }
            told.tip("--delimiter says what separates fields, --skip how many lines are before the names")
        }
        _ => told,
    }
}

/// Whether a whole number was expected, and another number found.
fn is_of_fraction(text: &str) -> bool {
    let parts = text.strip_prefix("expected ").and_then(|text| text.split_once(", found "));
    let Some((expected, found)) = parts else { return false };
    let found = found.rsplit_once(" in line ").map_or(found, |(found, _)| found).trim_matches(['"', ' ']);
    let is_whole = found.strip_prefix(['-', '+']).unwrap_or(found).bytes().all(|byte| byte.is_ascii_digit());
    expected.starts_with(['i', 'u']) && !is_whole && found.parse::<f64>().is_ok()
}

/// What to do about a value of this column that is missing.
fn of_missing(name: &str) -> String {
    format!(
        "--fill '{name}=VALUE' puts a value in its place; --where '`{name}` is not missing' leaves such rows out"
    )
}

/// The unit of a time that was found where times of a coarser one were expected. A coarser one would leave out what the other times have, and
/// the tip for that would lead back here.
fn finer(text: &str) -> Option<TimeUnit> {
    let (expected, found) = text.strip_prefix("expected time[")?.split_once("], found \"")?;
    let (found, _) = found.rsplit_once("\" in line ")?;
    let is_one = |unit: &TimeUnit| unit.parse_time(found.trim()).is_some();
    // one of that unit is none of the column for another reason, and a number is none of any
    let expected = TimeUnit::named(expected)?;
    let is_finer = found.contains('-') && !is_one(&expected);
    let units = [TimeUnit::Second, TimeUnit::Milli, TimeUnit::Micro, TimeUnit::Nano];
    units.into_iter().filter(|unit| is_finer && *unit > expected).find(is_one)
}
