//! The JSON form of values, read: value by value into the file.

use super::write::{Writer, said, style};
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::json::{Items, Keys, List, Source};
use crate::output::Target;
use crate::settings::Settings;
use binfmt::formats::futhark::Value;
use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess};

/// Writes the values of a document.
pub(super) fn write(json: &mut Source, settings: &Settings, out: &Target) -> Result<Tally> {
    let writer = Writer::new(style(said(settings)?, out), out)?;
    let mut values = Values { writer, found: false, failure: None };
    let read = json.read(&mut values);
    match values.failure {
        Some(e) => Err(e),
        None => read.and_then(|()| match values.found {
            true => values.writer.finish(),
            false => Err(Error::data("the document has no member \"values\"")),
        }),
    }
}

struct Values {
    writer: Writer,
    found: bool,
    /// What went wrong that is not the document's fault.
    failure: Option<Error>,
}

impl Keys for Values {
    fn member<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        if key != "values" {
            return map.next_value::<IgnoredAny>().map(|_| ());
        }
        if self.found {
            return Err(A::Error::custom("a second member \"values\""));
        }
        self.found = true;
        map.next_value_seed(List(self))
    }
}

impl Items for Values {
    const WHAT: &'static str = "values";

    fn item<'de, A: SeqAccess<'de>>(&mut self, number: u64, list: &mut A) -> Result<bool, A::Error> {
        let value = list.next_element::<Value>();
        let value = value.map_err(|e| A::Error::custom(format_args!("values[{number}]: {e}")))?;
        let Some(value) = value else { return Ok(false) };
        if let Err(e) = self.writer.write(&value) {
            self.failure = Some(e);
            return Err(A::Error::custom("the value cannot be written"));
        }
        Ok(true)
    }
}
