//! The JSON form of a file, read: the header first, then page by page into the file.

use super::options::Options;
use super::page::OnePage;
use super::seed::{One, within};
use super::write::Writer;
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::json::{Items, Keys, Source};
use crate::output::Target;
use binfmt::Endian;
use binfmt::formats::sdds::{Array, Column, DataType, Definition, Header, Mode, Page, Parameter, Text};
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess};
use serde_json::{Map, Value as Json};

/// Writes the pages of a document.
pub(super) fn write(json: &mut Source, options: &Options, out: &Target) -> Result<Tally> {
    let mut head = Head::default();
    json.read(&mut head)?;
    if let Some(Json::String(error)) = head.0.get("error") {
        return Err(Error::data(format_args!("the document is of a damaged file and not complete: {error}")));
    }
    let header = header(&head.0).map_err(Error::data)?;
    let mut writer = Writer::new(header, options, out)?;
    json.items(&mut writer)?;
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

/// The header that the members describe.
fn header(members: &Map<String, Json>) -> Result<Header, String> {
    let mode = match members.get("mode").and_then(Json::as_str) {
        Some("binary") => Mode::Binary,
        Some("ascii") => Mode::Ascii,
        _ => return Err("the member \"mode\" must be \"binary\" or \"ascii\"".into()),
    };
    let mut header = Header::new(mode);
    header.endian = match members.get("byte_order") {
        None | Some(Json::Null) => None,
        Some(Json::String(order)) if order == "little" => Some(Endian::Little),
        Some(Json::String(order)) if order == "big" => Some(Endian::Big),
        Some(_) => return Err("the member \"byte_order\" must be \"little\" or \"big\"".into()),
    };
    header.column_major = flag(members, "column_major")?;
    header.fixed_row_count = flag(members, "fixed_row_count")?;
    header.no_row_counts = flag(members, "no_row_counts")?;
    if let Some(lines) = members.get("lines_per_row") {
        let lines = lines.as_u64().and_then(|n| u32::try_from(n).ok());
        header.lines_per_row = lines.ok_or("the member \"lines_per_row\" must be a number")?;
    }
    if let Some(Json::Object(description)) = members.get("description") {
        header.text = text(description, "text")?;
        header.contents = text(description, "contents")?;
    }
    for p in objects(members, "parameters")? {
        header.parameters.push(with_texts(Parameter::new(name(p)?, kind(p)?), p)?);
    }
    for a in objects(members, "arrays")? {
        let dimensions = match a.get("dimensions") {
            None => 1,
            Some(n) => {
                n.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or("bad \"dimensions\" of an array")?
            }
        };
        header.arrays.push(with_texts(Array::new(name(a)?, kind(a)?, dimensions), a)?);
    }
    for c in objects(members, "columns")? {
        header.columns.push(with_texts(Column::new(name(c)?, kind(c)?), c)?);
    }
    Ok(header)
}

fn with_texts<D: Definition>(mut definition: D, members: &Map<String, Json>) -> Result<D, String> {
    for (tag, to) in D::TAGS.iter().zip(definition.texts_mut()) {
        *to = text(members, tag)?;
    }
    Ok(definition)
}

fn flag(members: &Map<String, Json>, key: &str) -> Result<bool, String> {
    match members.get(key) {
        None | Some(Json::Null) => Ok(false),
        Some(Json::Bool(on)) => Ok(*on),
        Some(_) => Err(format!("the member \"{key}\" must be true or false")),
    }
}

fn objects<'a>(
    members: &'a Map<String, Json>,
    key: &str,
) -> Result<impl Iterator<Item = &'a Map<String, Json>>, String> {
    let list = match members.get(key) {
        None => &[],
        Some(Json::Array(list)) if list.iter().all(Json::is_object) => list.as_slice(),
        Some(_) => return Err(format!("the member \"{key}\" must be a list of objects")),
    };
    Ok(list.iter().filter_map(Json::as_object))
}

fn name(definition: &Map<String, Json>) -> Result<&str, String> {
    definition.get("name").and_then(Json::as_str).ok_or_else(|| "a definition without \"name\"".into())
}

fn kind(definition: &Map<String, Json>) -> Result<DataType, String> {
    let word = definition.get("type").and_then(Json::as_str).ok_or("a definition without \"type\"")?;
    DataType::named(word).ok_or_else(|| {
        let known = DataType::ALL.map(DataType::name).join(", ");
        format!("unknown data type `{word}`, expected one of {known}")
    })
}

/// A text of the header: a string, or `{"hex": ..}`.
fn text(definition: &Map<String, Json>, key: &str) -> Result<Option<Text>, String> {
    match definition.get(key) {
        None | Some(Json::Null) => Ok(None),
        Some(value) => match One(DataType::String).deserialize(value) {
            Ok(binfmt::formats::sdds::Value::String(text)) => Ok(Some(text)),
            _ => Err(format!("\"{key}\" must be a text")),
        },
    }
}

impl Items for Writer {
    const LIST: &'static str = "pages";

    type Item = Page;

    fn next<'de, A: SeqAccess<'de>>(&mut self, number: u64, list: &mut A) -> Result<Option<Page>, A::Error> {
        let page = list.next_element_seed(OnePage(self.header()));
        page.map_err(|e| within(format_args!("pages[{number}]"), e))
    }

    fn write(&mut self, page: Page) -> Result<()> {
        self.put(&page)
    }
}
