//! What to do about an error of a table.

use crate::error::Error;
use binfmt::Step;

/// Says what to do about a field of text that is not of the type of its column, and about a missing value.
pub(super) fn advised(told: Error, e: &binfmt::Error) -> Error {
    let text = e.kind().to_string();
    let is_said = text.contains(" for the file that is written, found ");
    let is_of_text = text.starts_with("expected ") && text.contains(" in line ") && !is_said;
    match e.path().steps().last() {
        Some(Step::Name(name)) if is_of_text => {
            let (ty, what) = if is_of_fraction(&text) { ("f64", "numbers") } else { ("text", "text") };
            told.tip(format_args!("--types {name}:{ty} reads the column as {what}"))
        }
        Some(Step::Name(name)) if text.starts_with("a value is missing, and ") => {
            told.tip(format_args!("--where '`{name}` is not missing' leaves such rows out"))
        }
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
