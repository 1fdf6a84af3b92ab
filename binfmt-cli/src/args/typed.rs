//! Paths as they are typed.

use crate::paths;
use clap::builder::{PathBufValueParser, TypedValueParser};
use std::path::PathBuf;

/// Takes `file:///x` for `/x`, as programs do that read from servers, too.
pub(super) fn typed() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(paths::typed)
}
