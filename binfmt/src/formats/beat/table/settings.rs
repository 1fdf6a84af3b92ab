//! The declaration that settings say.

use crate::error::{Error, Result};
use crate::formats::beat::text::{Declaration, DeclarationError};
use crate::table::Settings;
use std::path::Path;

/// The declaration of the objects that are written, if settings say it: that of `schema`, or the one that stands beneath the prefix by
/// the name of their format. A file that says this name is read by it.
pub(super) fn written(settings: &Settings, format: &str) -> Result<Option<Declaration>> {
    let (folder, name) = match format.strip_prefix("analysis:") {
        Some(analyzer) => ("algorithms", analyzer),
        None => ("dataformats", format),
    };
    let file = |prefix: &str| Path::new(prefix).join(folder).join(format!("{name}.json"));
    let is_said =
        settings.get("schema").is_some() || settings.get("prefix").is_some_and(|at| file(at).is_file());
    is_said.then(|| declaration(settings, format)).transpose()
}

/// The declaration of the objects of a format.
pub(super) fn declaration(settings: &Settings, format: &str) -> Result<Declaration> {
    let refused = |e: DeclarationError| Error::other(e.to_string());
    match (settings.get("schema"), settings.get("prefix")) {
        (Some(json), Some(prefix)) if json.trim_start().starts_with('{') => {
            Declaration::parse_beneath(json, prefix).map_err(refused)
        }
        (Some(json), None) if json.trim_start().starts_with('{') => Declaration::parse(json).map_err(refused),
        (name, Some(prefix)) => Declaration::load(name.unwrap_or(format), prefix).map_err(refused),
        _ => Err(Error::other(format!(
            "what an object of `{format}` is, the file does not say: the setting `schema` or `prefix` must"
        ))),
    }
}
