//! Arrays as columns: their elements are rows.

use super::open::header;
use crate::error::{Error, Result};
use crate::format::Job;
use crate::pattern::{is_meant, is_pattern};
use crate::pick::is_named_in;
use binfmt::table::TableSchema;

/// The names of the arrays that patterns among these mean.
pub(super) fn named(names: &str, job: &mut Job<'_>) -> Result<String> {
    if names == "*" || !is_pattern(names) {
        return Ok(names.to_owned());
    }
    let header = header(job)?;
    let all = || header.iter().flat_map(|header| &header.arrays).map(|array| array.name.as_str());
    let meant = |word: &str| match all().filter(|name| is_meant(word, name)).collect::<Vec<_>>() {
        // it is told what there is
        none if none.is_empty() => word.to_owned(),
        some => some.join(","),
    };
    Ok(names.split(',').map(|word| meant(word.trim())).collect::<Vec<_>>().join(","))
}

/// The arrays that are named where it is said which columns and rows are wanted, as the library is told; `None` if none is.
pub(super) fn asked(words: &[String], schema: &TableSchema) -> Result<Option<String>> {
    let is_of_elements = schema.get("sdds:rows") == Some("elements");
    // of an array and a column of one name the column is meant
    let columns: Vec<&str> = match is_of_elements {
        true => Vec::new(),
        false => schema.fields.iter().filter(|field| !field.constant).map(|field| &*field.name).collect(),
    };
    let arrays = schema.get("sdds:arrays").unwrap_or_default().split(',');
    let is_named =
        |word: &String, name: &str| is_named_in(word, name) || is_of_elements && is_meant(word, name);
    // a condition alone is about all of them
    let names_some = |word: &String| arrays.clone().any(|name| word == name || is_meant(word, name));
    if is_of_elements && !words.iter().any(names_some) {
        return Ok(None);
    }
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
