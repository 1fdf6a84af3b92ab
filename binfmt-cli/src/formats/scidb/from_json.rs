//! The JSON form of a load file, read: cell by cell into the file.

use super::layout::Layout;
use super::write::Writer;
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::json::{Items, Keys, List, Source};
use crate::output::Target;
use crate::settings::Settings;
use crate::units;
use binfmt::value::{Value, ValueSeed};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Writes the cells of a document.
pub(super) fn write(json: &mut Source, settings: &Settings, out: &Target) -> Result<Tally> {
    let layout = layout(json, settings)?;
    let own = settings.get("schema").is_none();
    let mut cells =
        Cells { layout: &layout, writer: Writer::new(&layout, out)?, found: Vec::new(), own, failure: None };
    let read = json.read(&mut cells);
    match cells.failure {
        Some(e) => Err(e),
        None => read.and_then(|()| match cells.found.contains(&"cells") {
            true => cells.writer.finish(),
            false => Err(Error::data("the document has no member \"cells\"")),
        }),
    }
}

/// The layout that the command line says, or else the document.
fn layout(json: &mut Source, settings: &Settings) -> Result<Layout> {
    if settings.get("schema").is_some() {
        return Layout::of(settings);
    }
    let [schema] = json.texts(["schema"])?;
    let text = schema.ok_or_else(|| {
        Error::data("the document has no member \"schema\"").tip("say --schema, or add it to the document")
    })?;
    Layout::parse(&text, settings).map_err(|e| Error::drawn(|text| Error::data(text), &e))
}

struct Cells<'a> {
    layout: &'a Layout,
    writer: Writer<'a>,
    /// Members that were there.
    found: Vec<&'static str>,
    /// Whether the document says itself what its cells are.
    own: bool,
    /// What went wrong that is not the document's fault.
    failure: Option<Error>,
}

impl Keys for Cells<'_> {
    fn member<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        let Some(known) = ["format", "schema", "fields", "cells"].into_iter().find(|known| *known == key)
        else {
            return map.next_value::<IgnoredAny>().map(|_| ());
        };
        if self.found.contains(&known) {
            return Err(A::Error::custom(format_args!("a second member \"{known}\"")));
        }
        self.found.push(known);
        match known {
            "cells" => map.next_value_seed(List(self)),
            "fields" if self.own => self.same(&map.next_value::<Vec<Said>>()?).map_err(A::Error::custom),
            _ => map.next_value::<IgnoredAny>().map(|_| ()),
        }
    }
}

/// What a document says of a column beside its schema.
#[derive(serde::Deserialize)]
struct Said {
    #[serde(rename = "type")]
    ty: Option<String>,
    nullable: Option<bool>,
}

impl Cells<'_> {
    /// Whether "fields" and "schema" say the same. Names may differ: a format string has none.
    fn same(&self, said: &[Said]) -> Result<(), String> {
        if said.len() != self.layout.names.len() {
            let columns = units::count(self.layout.names.len() as u64, "column", "columns");
            return Err(format!("\"fields\" has {} and \"schema\" {columns}", said.len()));
        }
        for (said, field) in said.iter().zip(self.layout.fields()) {
            let nullable = said.nullable.unwrap_or(field.nullable);
            let ty = said.ty.as_ref().unwrap_or(&field.ty);
            if nullable != field.nullable || *ty != field.ty {
                let word = |nullable| if nullable { " null" } else { "" };
                let (here, there) = (word(nullable), word(field.nullable));
                return Err(format!(
                    "the column `{}` is {ty}{here} in \"fields\" and {}{there} in \"schema\"",
                    field.name, field.ty
                ));
            }
        }
        Ok(())
    }
}

impl Items for Cells<'_> {
    const WHAT: &'static str = "cells";

    fn item<'de, A: SeqAccess<'de>>(&mut self, number: u64, list: &mut A) -> Result<bool, A::Error> {
        let cell = list.next_element_seed(Cell { layout: self.layout, number })?;
        let Some(cell) = cell else { return Ok(false) };
        if let Err(e) = self.writer.write(&cell) {
            self.failure = Some(e);
            return Err(A::Error::custom("the cell cannot be written"));
        }
        Ok(true)
    }
}

/// One cell: a list of its attributes.
struct Cell<'a> {
    layout: &'a Layout,
    number: u64,
}

impl<'de> DeserializeSeed<'de> for Cell<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let number = self.number;
        deserializer.deserialize_seq(self).map_err(|e| match e.to_string() {
            text if text.starts_with("cells[") => e,
            text => D::Error::custom(format_args!("cells[{number}]: {text}")),
        })
    }
}

impl<'de> Visitor<'de> for Cell<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of {}", units::count(self.layout.names.len() as u64, "value", "values"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::with_capacity(self.layout.names.len());
        // what is skipped has no name
        let fields = ValueSeed::fields(self.layout.plan.program()).filter(|(name, _)| !name.is_empty());
        for (name, seed) in fields {
            let value = list
                .next_element_seed(seed)
                .map_err(|e| A::Error::custom(format_args!("cells[{}].{name}: {e}", self.number)))?;
            match value {
                Some(value) => values.push(value),
                None => return Err(A::Error::invalid_length(values.len(), &self)),
            }
        }
        if list.next_element::<IgnoredAny>()?.is_some() {
            return Err(A::Error::invalid_length(values.len() + 1, &self));
        }
        Ok(Value::List(values))
    }
}
