//! Random values, and values as they are written.

use super::options::Options;
use super::write::{style, unwritten, written};
use crate::error::{Error, Result};
use crate::format::{Making, Tally};
use crate::output::Target;
use crate::place::Start;
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
                (Err(e), None) => {
                    Value::from_text(of).map_err(|of_value| if is_value(of) { of_value } else { e })
                }
                (Err(e), Some(_)) => Err(e),
            };
            let value = value.map_err(|e| {
                let bounds = bounds.map(|text| format!(" --bounds {text}")).unwrap_or_default();
                let place = if is_list(of) {
                    Start::default().located(&e).text().to_owned()
                } else {
                    e.kind().to_string()
                };
                Error::usage(format_args!("--generate {of}{bounds}: {place}"))
            })?;
            writer.write(&value, style).map_err(|e| unwritten(&e))?;
        }
        Ok(())
    })
}

/// Whether a text begins as a value does that is written out, and not as a type: `[1, 2]` and `1`, not `[2]f32` and `f32`.
fn is_value(of: &str) -> bool {
    is_list(of)
        || of.starts_with(|first: char| first.is_ascii_digit() || first == '-')
        || of.starts_with("empty(")
}

/// Whether it begins as an array that is written out.
fn is_list(of: &str) -> bool {
    let dimension = of.strip_prefix('[').and_then(|inner| inner.split(']').next());
    dimension.is_some_and(|text| !text.bytes().all(|byte| byte.is_ascii_digit()))
}
