//! Random values, and values as they are written.

use super::options::Options;
use super::write::{style, unwritten, written};
use crate::error::{Error, Result};
use crate::format::{Making, Tally};
use crate::output::Target;
use binfmt::formats::futhark::{Generator, OutputStyle, Value};

/// Writes a value for each type; text to standard output, unless something else is asked for.
pub(super) fn write(making: &Making<'_>, options: &Options, out: &Target) -> Result<Tally> {
    let style = match out {
        Target::Stdout if !options.style.is_given() => OutputStyle::Text,
        out => style(options, out),
    };
    let mut generator = Generator::new(making.seed);
    written(out, |writer| {
        for (i, of) in making.types.iter().enumerate() {
            let bounds = making.bounds.get(i).or(making.bounds.first()).map(String::as_str);
            let value = match (generator.value(of, bounds), bounds) {
                (Ok(value), _) => Ok(value),
                // not a type, but what is wanted itself
                (Err(e), None) => Value::from_text(of).map_err(|_| e),
                (Err(e), Some(_)) => Err(e),
            };
            let value = value.map_err(|e| {
                let bounds = bounds.map(|text| format!(" --bounds {text}")).unwrap_or_default();
                Error::usage(format_args!("--generate {of}{bounds}: {}", e.kind()))
            })?;
            writer.write(&value, style).map_err(|e| unwritten(&e))?;
        }
        Ok(())
    })
}
