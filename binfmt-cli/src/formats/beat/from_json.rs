//! The JSON form of a data file or an object, read: chunk by chunk into the file.

use super::chunks::Item;
use super::declared::{beneath, given, parsed};
use super::options::Options;
use super::write::Writer;
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::json::{Keys, Source};
use crate::output::Target;
use binfmt::formats::beat::Declaration;
use binfmt::value::{Value, ValueSeed};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use std::fmt;

/// Writes the chunks of a document.
pub(super) fn write(json: &mut Source, options: &Options, out: &Target) -> Result<Tally> {
    let mut about = About::default();
    json.read(&mut about)?;
    let declaration = declaration(&about, options)?;
    let begin = |name: Option<&String>| Writer::new(&declaration, name.map(String::as_str), out);
    let mut writer = None;
    json.each("chunks", One(&declaration), |chunk: Item| {
        let writer = match &mut writer {
            Some(writer) => writer,
            // the one object of a file without header has no indices
            none => none.insert(begin(about.name.as_ref().filter(|_| chunk.indices.is_some()))?),
        };
        writer.write(chunk)
    })?;
    writer.map_or_else(|| begin(about.name.as_ref()), Ok)?.finish()
}

/// The declaration that the command line says, or else the document, or the one that the document names.
fn declaration(about: &About, options: &Options) -> Result<Declaration> {
    if let Some((declaration, _)) = given(options)? {
        return Ok(declaration);
    }
    let Some(json) = &about.declaration else {
        if let (Some(name), Some(_)) = (&about.name, options.prefix.value()) {
            return beneath(name, options);
        }
        return Err(Error::data("the document has no member \"declaration\"").tip(
            "say --prefix with the folder of the declarations, or --schema, or add it to the document",
        ));
    };
    parsed(&json.to_string(), options, Error::data)
}

/// What has to be known before the first chunk.
#[derive(Default)]
struct About {
    name: Option<String>,
    declaration: Option<serde_json::Value>,
}

impl Keys for About {
    fn member<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "dataformat" => self.name = map.next_value()?,
            "declaration" => self.declaration = Some(map.next_value()?),
            _ => {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// One chunk: an object with its value, and its indices.
#[derive(Clone, Copy)]
struct One<'a>(&'a Declaration);

impl<'de> DeserializeSeed<'de> for One<'_> {
    type Value = Item;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Item, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for One<'_> {
    type Value = Item;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with \"start\", \"end\" and \"value\"")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Item, A::Error> {
        let (mut start, mut end, mut value): (Option<u64>, Option<u64>, Option<Value>) = (None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "start" => start = map.next_value()?,
                "end" => end = map.next_value()?,
                "value" => value = Some(map.next_value_seed(ValueSeed::new(self.0.program()))?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        let value = value.ok_or_else(|| A::Error::missing_field("value"))?;
        match (start, end) {
            (None, Some(_)) => Err(A::Error::missing_field("start")),
            (Some(_), None) => Err(A::Error::missing_field("end")),
            (start, end) => Ok(Item { indices: start.zip(end), value, takes_newline: false }),
        }
    }
}
