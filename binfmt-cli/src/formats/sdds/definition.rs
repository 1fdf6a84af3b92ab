//! What a header says of its parameters, arrays and columns, for people.

use binfmt::formats::sdds::{Definition, Header};
use serde_json::Value as Json;

/// Those of a header in tables: the key, the title, the names of the columns, and the rows.
pub(super) type Table = (&'static str, &'static str, &'static [&'static str], Vec<Vec<Json>>);

/// Three tables.
pub(super) fn tables(header: &Header) -> [Table; 3] {
    const PARAMETER: &[&str] =
        &["name", "type", "units", "symbol", "description", "format_string", "fixed_value"];
    const ARRAY: &[&str] =
        &["name", "type", "dimensions", "units", "symbol", "description", "format_string", "group_name"];
    const COLUMN: &[&str] = &["name", "type", "units", "symbol", "description", "format_string"];
    let parameters = header.parameters.iter().map(|p| row(p, None)).collect();
    let arrays = header.arrays.iter().map(|a| row(a, Some(a.dimensions))).collect();
    let columns = header.columns.iter().map(|c| row(c, None)).collect();
    [
        ("parameters", "Parameters", PARAMETER, parameters),
        ("arrays", "Arrays", ARRAY, arrays),
        ("columns", "Columns", COLUMN, columns),
    ]
}

fn row<D: Definition>(of: &D, dimensions: Option<u32>) -> Vec<Json> {
    let mut texts: Vec<_> = D::TAGS.iter().zip(of.texts()).collect();
    // people ask for the units first, which a header says after the symbol
    texts.sort_by_key(|(tag, _)| **tag != "units");
    let front = [of.name().into(), of.data_type().name().into()];
    let texts = texts.into_iter().map(|(_, text)| text.as_ref().map_or(Json::Null, |t| t.lossy().into()));
    front.into_iter().chain(dimensions.map(Json::from)).chain(texts).collect()
}
