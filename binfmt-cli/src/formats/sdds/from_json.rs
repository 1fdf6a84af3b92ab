//! The JSON form of a file, read: the header first, then page by page into the file.

use super::options::Options;
use super::write::Writer;
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::json::{Keys, Source};
use crate::output::Target;
use binfmt::formats::sdds::PageSeed;
use serde::de::{Error as _, IgnoredAny, MapAccess};
use serde_json::{Map, Value as Json};

/// Writes the pages of a document.
pub(super) fn write(json: &mut Source, options: &Options, out: &Target) -> Result<Tally> {
    let mut head = Head::default();
    json.read(&mut head)?;
    if let Some(Json::String(error)) = head.0.get("error") {
        return Err(Error::data(format_args!("the document is of a damaged file and not complete: {error}")));
    }
    let header = serde_json::from_value(Json::Object(head.0)).map_err(Error::data)?;
    let mut writer = Writer::new(header, options, out)?;
    let header = writer.header().clone();
    json.each("pages", PageSeed::new(&header), |page| writer.put(&page))?;
    writer.finish()
}

/// All members but the pages.
#[derive(Default)]
struct Head(Map<String, Json>);

impl Keys for Head {
    fn member<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        if key == "pages" {
            return map.next_value::<IgnoredAny>().map(|_| ());
        }
        match self.0.insert(key.to_owned(), map.next_value()?) {
            Some(_) => Err(A::Error::custom(format_args!("a second member \"{key}\""))),
            None => Ok(()),
        }
    }
}
