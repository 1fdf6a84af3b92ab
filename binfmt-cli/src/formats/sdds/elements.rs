//! Arrays as columns: their elements are rows.

use crate::error::{Error, Result};
use crate::pattern::is_meant;
use crate::pick::is_named_in;
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
    let is_named =
        |word: &String, name: &str| is_named_in(word, name) || is_of_elements && is_meant(word, name);
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
