//! The JSON form of a load file, read: cell by cell into the file.

use super::layout::{Layout, attributes};
use super::write::Writer;
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::json::{Keys, Source};
use crate::output::Target;
use crate::settings::Settings;
use binfmt::value::{Value, ValueSeed};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Writes the cells of a document.
pub(super) fn write(json: &mut Source, settings: &Settings, out: &Target) -> Result<Tally> {
    let layout = layout(json, settings)?;
    let mut cells =
        Cells { layout: &layout, writer: Writer::new(&layout, out)?, found: false, failure: None };
    let read = json.read(&mut cells);
    match cells.failure {
        Some(e) => Err(e),
        None => read.and_then(|()| match cells.found {
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
    Layout::parse(&text, settings).map_err(Error::data)
}

struct Cells<'a> {
    layout: &'a Layout,
    writer: Writer<'a>,
    found: bool,
    /// What went wrong that is not the document's fault.
    failure: Option<Error>,
}

impl Keys for Cells<'_> {
    fn member<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        if key != "cells" {
            return map.next_value::<IgnoredAny>().map(|_| ());
        }
        if self.found {
            return Err(A::Error::custom("a second member \"cells\""));
        }
        self.found = true;
        map.next_value_seed(List(self))
    }
}

/// All cells.
struct List<'c, 'a>(&'c mut Cells<'a>);

impl<'de> DeserializeSeed<'de> for List<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for List<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of cells")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut number = 0_u64;
        while let Some(cell) = list.next_element_seed(Cell { layout: self.0.layout, number })? {
            if let Err(e) = self.0.writer.write(&cell) {
                self.0.failure = Some(e);
                return Err(A::Error::custom("the cell cannot be written"));
            }
            number += 1;
        }
        Ok(())
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
        write!(f, "a list of {} values", self.layout.names.len())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::with_capacity(self.layout.names.len());
        for (name, ty) in attributes(&self.layout.description) {
            let seed = ValueSeed::of(&self.layout.description, ty);
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
