//! The JSON form of values, read: value by value into the file.

use super::write::{Writer, said, style};
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::json::{Keys, Source};
use crate::output::Target;
use crate::settings::Settings;
use binfmt::formats::futhark::Value;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

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

/// All values.
struct List<'a>(&'a mut Values);

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        for number in 0_u64.. {
            let value = list.next_element::<Value>();
            let value = value.map_err(|e| A::Error::custom(format_args!("values[{number}]: {e}")))?;
            let Some(value) = value else { break };
            if let Err(e) = self.0.writer.write(&value) {
                self.0.failure = Some(e);
                return Err(A::Error::custom("the value cannot be written"));
            }
        }
        Ok(())
    }
}
