//! What is written in the metadata of a field, so that the same column comes back.

use crate::node::{Coding, Node};
use arrow_schema::extension::{EXTENSION_TYPE_METADATA_KEY, EXTENSION_TYPE_NAME_KEY};
use binfmt::numbers::NumberType;
use std::collections::HashMap;

/// The column whose missing values this one has the codes of.
pub(crate) const CODES_OF: &str = "binfmt:codes_of";
/// What the values are ([`logical`](crate::logical)).
pub(crate) const LOGICAL: &str = "binfmt:logical";
/// `true` of a column that has one value in each part.
pub(crate) const CONSTANT: &str = "binfmt:constant";
/// The code of a value that is there.
pub(crate) const PRESENT: &str = "binfmt:present";
/// `true` of values under a condition.
pub(crate) const OPTIONAL: &str = "binfmt:optional";
/// What the bytes of a text are: `binary`, `latin1`, `lossy`.
pub(crate) const TEXT: &str = "binfmt:text";
/// The names of the variants of a choice, each in a line.
pub(crate) const VARIANTS: &str = "binfmt:variants";
/// That many units are one of the column's.
pub(crate) const FACTOR: &str = "binfmt:factor";
/// The lengths of arrays in arrays.
pub(crate) const NESTED: &str = "binfmt:nested";
/// `true` of records without fields.
pub(crate) const NOTHING: &str = "binfmt:nothing";
/// All of them.
pub(crate) const ALL: [&str; 10] =
    [NOTHING, CODES_OF, LOGICAL, CONSTANT, PRESENT, OPTIONAL, TEXT, VARIANTS, FACTOR, NESTED];

pub(crate) const INT128: &str = "binfmt.int128";
pub(crate) const UINT128: &str = "binfmt.uint128";
pub(crate) const X87: &str = "binfmt.x87";
pub(crate) const VALUE: &str = "binfmt.value";
pub(crate) const SHAPED: &str = "binfmt.shaped";
pub(crate) const TENSOR: &str = "arrow.fixed_shape_tensor";

/// Notes what the type in Arrow does not say of a node.
pub(crate) fn put(node: &Node, said: &mut HashMap<String, String>) {
    let mut say = |key: &str, text: String| {
        said.insert(key.to_owned(), text);
    };
    match node {
        Node::Wide(NumberType::I128) => say(EXTENSION_TYPE_NAME_KEY, INT128.to_owned()),
        Node::Wide(_) => say(EXTENSION_TYPE_NAME_KEY, UINT128.to_owned()),
        Node::Time { factor, .. } if *factor != 1 => say(FACTOR, factor.to_string()),
        Node::Text(Coding::Binary) => say(TEXT, "binary".to_owned()),
        Node::Text(Coding::Latin1) => say(TEXT, "latin1".to_owned()),
        Node::Text(Coding::Lossy) => say(TEXT, "lossy".to_owned()),
        Node::Nullable { present, values } => {
            say(PRESENT, present.to_string());
            put(values, said);
        }
        Node::Optional(values) => {
            say(OPTIONAL, "true".to_owned());
            put(values, said);
        }
        Node::Nothing => say(NOTHING, "true".to_owned()),
        Node::Value(_) => say(EXTENSION_TYPE_NAME_KEY, VALUE.to_owned()),
        Node::Shaped(_) => say(EXTENSION_TYPE_NAME_KEY, SHAPED.to_owned()),
        Node::Nested { lens, .. } => {
            let lens: Vec<u64> = lens.iter().map(|n| *n as u64).collect();
            say(NESTED, list(&lens));
            tensor(&lens, false, said);
        }
        // the dictionary of a batch without rows, or one that went through Parquet, does not tell the variants
        Node::Names(names) => say(VARIANTS, names.iter().map(|name| format!("{name}\n")).collect()),
        Node::Variants(all) => say(VARIANTS, all.iter().map(|m| format!("{}\n", m.name)).collect()),
        _ => {}
    }
}

fn list(numbers: &[u64]) -> String {
    numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(",")
}

/// Says that the elements of fixed lists are arrays with these lengths.
pub(crate) fn tensor(shape: &[u64], column_major: bool, said: &mut HashMap<String, String>) {
    // Arrow has the lengths as they are in memory, and then the order in which they are meant
    let physical: Vec<u64> =
        if column_major { shape.iter().rev().copied().collect() } else { shape.to_vec() };
    let order: Vec<u64> = (0..shape.len() as u64).rev().collect();
    let order = if column_major { format!(",\"permutation\":[{}]", list(&order)) } else { String::new() };
    said.insert(EXTENSION_TYPE_NAME_KEY.to_owned(), TENSOR.to_owned());
    said.insert(
        EXTENSION_TYPE_METADATA_KEY.to_owned(),
        format!("{{\"shape\":[{}]{order}}}", list(&physical)),
    );
}
