//! The JSON form of values, read: value by value into the file.

use super::options::Options;
use super::write::{Writer, style};
use crate::error::Result;
use crate::format::Tally;
use crate::json::{Items, Source};
use crate::output::Target;
use binfmt::formats::futhark::Value;
use serde::de::{Error as _, SeqAccess};

/// Writes the values of a document.
pub(super) fn write(json: &mut Source, options: &Options, out: &Target) -> Result<Tally> {
    let mut writer = Writer::new(style(options, out), out)?;
    json.items(&mut writer)?;
    writer.finish()
}

impl Items for Writer {
    const LIST: &'static str = "values";

    type Item = Value;

    fn next<'de, A: SeqAccess<'de>>(&mut self, number: u64, list: &mut A) -> Result<Option<Value>, A::Error> {
        let value = list.next_element();
        value.map_err(|e| A::Error::custom(format_args!("values[{number}]: {e}")))
    }

    fn write(&mut self, value: Value) -> Result<()> {
        self.put(&value)
    }
}
