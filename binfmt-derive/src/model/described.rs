//! The description in a file that `schema = ".."` names, as lines that constants compare with the type.
//!
//! What is inside a type, only rustc knows. So the macro reads the file, and leaves to constants of the runtime the comparison with what the
//! types say of themselves. It knows no meanings of words: both sides have the same text where they mean the same, but for the
//! names of types, and rules that say more of values than of bytes.

mod json;
mod line;
mod pieces;

use crate::attr::{Value, Words};
use crate::diag::Errors;
use line::{Leaf, Line};
use std::path::{Path, PathBuf};
use syn::LitStr;

/// A description in a file.
pub(crate) struct Described {
    /// As it stands in the word.
    pub(crate) file: LitStr,
    pub(crate) path: PathBuf,
    /// That of the root first.
    pub(crate) definitions: Vec<DescribedPart>,
}

/// A line of the file, with the lines below it: the runtime's type of this name says what the fields are.
pub(crate) struct DescribedPart {
    pub(crate) name: String,
    pub(crate) what: String,
    pub(crate) shown: String,
    pub(crate) definition: Option<usize>,
    pub(crate) below: Vec<DescribedPart>,
}

/// The file that the word names.
pub(super) fn of(words: &Words, errors: &mut Errors) -> Option<Described> {
    let Value::Text(file) = &words.get("schema")?.value else { return None };
    let path = from_manifest(Path::new(&file.value()));
    let found = std::fs::read_to_string(&path)
        .map_err(|error| {
            let (file, what) = (file.value(), error.kind());
            format!("cannot read `{file}` in the folder of this crate's Cargo.toml: {what}")
        })
        .and_then(|text| definitions(&text).map_err(|error| format!("{}: {error}", file.value())));
    match found {
        Ok(definitions) => Some(Described { file: file.clone(), path, definitions }),
        Err(text) => {
            errors.at(file.span(), text);
            None
        }
    }
}

/// A path that begins at the folder of the crate's Cargo.toml, regardless of the file in which the type is.
fn from_manifest(path: &Path) -> PathBuf {
    std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from).join(path)
}

/// The definitions of a description, in JSON or as a text.
fn definitions(text: &str) -> Result<Vec<DescribedPart>, String> {
    let lines = match text.trim_start().starts_with('{') {
        true => line::tree(&json::text(text)?),
        false => line::tree(text),
    }?;
    if lines.is_empty() {
        return Err("there is no type".to_owned());
    }
    let names: Vec<String> = lines.iter().map(|line| line.name.clone()).collect();
    lines.into_iter().map(|line| said(line, &names)).collect()
}

/// A line, with definitions by their places instead of their names.
fn said(line: Line, names: &[String]) -> Result<DescribedPart, String> {
    let definition = match &line.leaf {
        Leaf::Named(name) => match names.iter().position(|known| known == name) {
            Some(place) => Some(place),
            None => return Err(format!("line {}: unknown type `{name}`", line.number)),
        },
        Leaf::Inline | Leaf::None => None,
    };
    let below = line.below.into_iter().map(|line| said(line, names)).collect::<Result<_, _>>()?;
    Ok(DescribedPart { name: line.name, what: line.what, shown: line.shown, definition, below })
}
