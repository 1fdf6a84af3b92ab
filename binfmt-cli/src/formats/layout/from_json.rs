//! The JSON form of records, read: one after the other into the file.

use super::options::Options;
use super::records::Layout;
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::json::{Items, Keys, Source};
use crate::output::Target;
use crate::rows::Writer;
use crate::settings::OptionValue;
use binfmt::Endian;
use binfmt::schema::Description;
use binfmt::value::{Value, ValueSeed};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess};

/// Writes the records of a document.
pub(super) fn write(json: &mut Source, options: &Options, out: &Target) -> Result<Tally> {
    let layout = layout(json, options)?;
    let mut records = Records { layout: &layout, writer: Writer::new(layout.copies(), out)? };
    json.items(&mut records)?;
    records.writer.finish()
}

/// The layout that the command line gives, or else the document.
fn layout(json: &mut Source, options: &Options) -> Result<Layout> {
    if options.layout.is_given() {
        return Layout::of(options);
    }
    let mut said = Header::default();
    json.read(&mut said)?;
    let description = said.layout.ok_or_else(|| {
        Error::data("the document has no member \"layout\"").tip("say --layout, or add it to the document")
    })?;
    let order = said.order.map(|word| Endian::parse("byte_order", &word)).transpose()?;
    Layout::compile(description, options, order)
}

/// What a document says beside its records.
#[derive(Default)]
struct Header {
    layout: Option<Description>,
    order: Option<String>,
}

impl Keys for Header {
    fn member<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "layout" => self.layout = Some(map.next_value()?),
            "byte_order" => self.order = Some(map.next_value()?),
            _ => drop(map.next_value::<IgnoredAny>()?),
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.layout.is_some() && self.order.is_some()
    }
}

struct Records<'a> {
    layout: &'a Layout,
    writer: Writer<'a>,
}

impl Items for Records<'_> {
    const LIST: &'static str = "records";

    type Item = Value;

    fn next<'de, A: SeqAccess<'de>>(&mut self, number: u64, list: &mut A) -> Result<Option<Value>, A::Error> {
        list.next_element_seed(Numbered { seed: ValueSeed::new(&self.layout.program), number })
    }

    fn write(&mut self, record: Value) -> Result<()> {
        self.writer.write(&record)
    }
}

/// A record, whose errors tell which one it is.
struct Numbered<'a> {
    seed: ValueSeed<'a>,
    number: u64,
}

impl<'de> DeserializeSeed<'de> for Numbered<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let told = |e| D::Error::custom(format_args!("records[{}]: {e}", self.number));
        self.seed.deserialize(deserializer).map_err(told)
    }
}
