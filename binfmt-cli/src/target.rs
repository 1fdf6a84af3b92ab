//! What `convert` writes: a format, or a form that any table has.

use crate::format::Format;
use crate::settings::Setting;

/// What `convert` writes.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    Json,
    JsonLines,
    Csv,
    Npz,
    Format(&'static dyn Format),
}

impl Target {
    /// The options that are about it.
    pub(crate) fn settings(self) -> &'static [Setting] {
        match self {
            Target::Format(format) if format.facts().takes_tables => format.facts().settings,
            _ => &[],
        }
    }

    /// As messages call it.
    pub(crate) fn what(self) -> String {
        match self {
            Target::Json => "JSON".to_owned(),
            Target::JsonLines => "JSON lines".to_owned(),
            Target::Csv => "CSV".to_owned(),
            Target::Npz => "NPZ".to_owned(),
            Target::Format(format) => format.facts().one(),
        }
    }
}
