//! A file made of a JSON document.

use super::spared::named_truly;
use crate::args::Convert;
use crate::error::{Error, Result};
use crate::find::{Formats, Target};
use crate::format::Format;
use crate::json::Source;
use crate::output;

/// Writes what a document describes.
pub(super) fn from_json(
    args: &Convert,
    mut json: Source,
    formats: Formats,
    target: Option<Target>,
    out: &output::Target,
) -> Result<()> {
    if args.choose.is_some() {
        return Err(Error::usage(
            "--columns, --rows, --where and the like choose from a binary file, not from JSON",
        ));
    }
    let format = match target {
        Some(Target::Format(format)) => format,
        Some(Target::Json | Target::JsonLines | Target::Csv | Target::Npz) => {
            return Err(Error::usage("a JSON document can only be written as a binary file")
                .tip("name the format with --to, then use the binary file"));
        }
        None => match args.reading.format.as_deref().and_then(|name| formats.by_name(name)) {
            Some(format) => format,
            None => named_in(&mut json, formats)?,
        },
    };
    if let [Some(said)] = json.texts(["format"])?
        && said != format.facts().name
    {
        return Err(Error::data(format_args!(
            "the document says that its format is {said}, so it cannot be written as {}",
            format.facts().one()
        )));
    }
    args.reading.settings.check_for(format.facts().settings, format.facts().title)?;
    named_truly(args, Target::Format(format))?;
    format.write_json(&mut json, &args.reading.settings, out).map(|_| ())
}

/// The format that a document says it has.
fn named_in(json: &mut Source, formats: Formats) -> Result<&'static dyn Format> {
    let [name] = json.texts(["format"])?;
    let known = || formats.names().collect::<Vec<_>>().join(", ");
    match name {
        None => Err(Error::data("the document does not name its format")
            .tip(format_args!("it needs a member \"format\" (one of {}), or say --to", known()))),
        Some(name) => formats.by_name(&name).ok_or_else(|| {
            Error::data(format_args!("unknown format `{name}` in the document"))
                .tip(format_args!("known formats: {}", known()))
        }),
    }
}
