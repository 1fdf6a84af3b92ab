//! The declaration that settings say.

use crate::error::{Error, Result};
use crate::formats::beat::text::{Declaration, DeclarationError};
use crate::table::Settings;

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
