//! The JSON form of records, read: one after the other into the file.

use super::options::Options;
use super::records::Layout;
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::json::{Keys, Source};
use crate::output::Target;
use crate::rows::Writer;
use crate::settings::OptionValue;
use binfmt::Endian;
use binfmt::schema::Description;
use binfmt::value::ValueSeed;
use serde::de::{IgnoredAny, MapAccess};

/// Writes the records of a document.
pub(super) fn write(json: &mut Source, options: &Options, out: &Target) -> Result<Tally> {
    let layout = layout(json, options)?;
    let mut writer = Writer::new(layout.copies(), json.bound(), out)?;
    json.each("records", ValueSeed::new(&layout.program), |record| writer.write(&record))?;
    writer.finish()
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
