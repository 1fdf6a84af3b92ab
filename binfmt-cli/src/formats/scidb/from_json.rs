//! The JSON form of a load file, read: cell by cell into the file.

use super::layout::Layout;
use super::options::Options;
use crate::error::{Error, Result};
use crate::format::Tally;
use crate::json::{Items, Source};
use crate::output::Target;
use crate::rows::Writer;
use crate::units;
use binfmt::value::{Value, ValueSeed};
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Writes the cells of a document.
pub(super) fn write(json: &mut Source, options: &Options, out: &Target) -> Result<Tally> {
    let layout = layout(json, options)?;
    let own = !options.schema.is_given();
    let mut cells = Cells {
        layout: &layout,
        writer: Writer::new(layout.rows(), json.bound(), out)?,
        found: Vec::new(),
        own,
    };
    json.items(&mut cells)?;
    cells.writer.finish()
}

/// The layout that the command line says, or else the document.
fn layout(json: &mut Source, options: &Options) -> Result<Layout> {
    if options.schema.is_given() {
        return Layout::of(options);
    }
    let [schema] = json.texts(["schema"])?;
    let text = schema.ok_or_else(|| {
        Error::data("the document has no member \"schema\"").tip("say --schema, or add it to the document")
    })?;
    Layout::parse(&text, None, options).map_err(|e| Error::drawn(|text| Error::data(text), &e))
}

struct Cells<'a> {
    layout: &'a Layout,
    writer: Writer<'a>,
    /// Other members that were there.
    found: Vec<&'static str>,
    /// Whether the document says itself what its cells are.
    own: bool,
}

impl Items for Cells<'_> {
    type Item = Value;

    fn list(&self) -> &'static str {
        "cells"
    }

    fn next<'de, A: SeqAccess<'de>>(&mut self, number: u64, list: &mut A) -> Result<Option<Value>, A::Error> {
        list.next_element_seed(Cell { layout: self.layout, number })
    }

    fn write(&mut self, cell: Value) -> Result<()> {
        self.writer.write(&cell)
    }

    fn other<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        let Some(known) = ["format", "schema", "fields"].into_iter().find(|known| *known == key) else {
            return map.next_value::<IgnoredAny>().map(|_| ());
        };
        if self.found.contains(&known) {
            return Err(A::Error::custom(format_args!("a second member \"{known}\"")));
        }
        self.found.push(known);
        match known {
            "fields" if self.own => {
                self.same(&map.next_value::<Vec<FieldSummary>>()?).map_err(A::Error::custom)
            }
            _ => map.next_value::<IgnoredAny>().map(|_| ()),
        }
    }
}

/// What a document says of a column beside its schema.
#[derive(serde::Deserialize)]
struct FieldSummary {
    #[serde(rename = "type")]
    ty: Option<String>,
    nullable: Option<bool>,
}

impl Cells<'_> {
    /// Whether "fields" and "schema" say the same. Names may differ: a format string has none.
    fn same(&self, summaries: &[FieldSummary]) -> Result<(), String> {
        if summaries.len() != self.layout.names.len() {
            let columns = units::count(self.layout.names.len() as u64, "column", "columns");
            return Err(format!("\"fields\" has {} and \"schema\" {columns}", summaries.len()));
        }
        for (summary, field) in summaries.iter().zip(self.layout.fields()) {
            let nullable = summary.nullable.unwrap_or(field.nullable);
            let ty = summary.ty.as_ref().unwrap_or(&field.ty);
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
