//! Arrays as columns: their elements are rows.

use crate::error::{Error, Result};
use crate::pattern::is_meant;
use binfmt::table::TableSchema;

/// The arrays that are named where it is said which columns and rows are wanted, as the library is told; `None` if none is.
pub(super) fn asked(words: &[String], schema: &TableSchema) -> Result<Option<String>> {
    let is_of_elements = schema.get("sdds:rows") == Some("elements");
    // of an array and a column of one name the column is meant
    let columns: Vec<&str> = match is_of_elements {
        true => Vec::new(),
        false => schema.fields.iter().filter(|field| !field.constant).map(|field| &*field.name).collect(),
    };
    let arrays = schema.get("sdds:arrays").unwrap_or_default().split(',');
    let is_named = |word: &String, name: &str| names(word, name) || is_of_elements && is_meant(word, name);
    let is_asked = |name: &&str| !columns.contains(name) && words.iter().any(|word| is_named(word, name));
    let asked: Vec<&str> = arrays.filter(is_asked).collect();
    let column = words.iter().find(|word| columns.contains(&word.as_str()));
    match (asked.first(), column) {
        (None, _) => Ok(None),
        (Some(_), None) => Ok(Some(asked.join(","))),
        (Some(array), Some(column)) => {
            let text = format_args!("`{array}` is an array and `{column}` a column, which has other rows");
            Err(Error::usage(text).tip("arrays go with arrays and parameters"))
        }
    }
}

/// Whether a name or a condition names this column.
fn names(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_apart = |(at, found): (usize, &str)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + found.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    };
    !name.is_empty() && text.match_indices(name).any(is_apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_apart_in_conditions() {
        for text in ["hor", "`hor` > 1", "x < hor", "(hor = 2)"] {
            assert!(names(text, "hor"), "{text}");
        }
        for text in ["horizontal > 1", "a_hor", "*x", "'x' * hora"] {
            assert!(!names(text, "hor"), "{text}");
        }
    }
}
