//! What the cells of a file consist of, as the user says it.

use super::options::Options;
use crate::error::{Error, Result};
use crate::pick::Pick;
use crate::rows::{RowFile, Words};
use crate::settings::Text;
use crate::summary;
use binfmt::columns::Plan;
use binfmt::formats::scidb::{
    AflSchema, Reader, Template, TemplateColumn, TextError, UserType, strict_description,
};
use binfmt::schema::{Description, Type};

/// What is counted, and what says what it is.
pub(super) const WORDS: Words = Words { unit: ("cell", "cells"), option: "--schema" };

/// The columns of a file, and which of them are wanted.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) template: Template,
    /// One for each attribute.
    pub(super) names: Vec<String>,
    /// The wanted attributes, by their places among the attributes.
    pub(super) chosen: Vec<usize>,
    pub(super) reader: Reader,
    /// How cells are read and written.
    pub(super) plan: Plan,
}

/// A column for people and for JSON.
#[derive(Debug, serde::Serialize)]
pub(super) struct Field {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) ty: String,
    pub(super) nullable: bool,
    #[serde(skip)]
    pub(super) bytes: serde_json::Value,
}

impl Layout {
    /// The layout that `--schema` gives.
    pub(super) fn of(options: &Options) -> Result<Self> {
        given(options, Self::parse)
    }

    /// The layout of a schema's text; the error is a message of several lines.
    pub(super) fn parse(text: &str, named: Option<&str>, options: &Options) -> Result<Self, String> {
        let (template, description) = parse(text, named, options)?;
        let names: Vec<String> = attributes(&description).map(|field| field.name.to_string()).collect();
        let reader = if options.strict.is_given() { Reader::strict() } else { Reader::new() };
        let plan = Plan::new(&description).map_err(|e| e.to_string())?;
        Ok(Layout { template, chosen: (0..names.len()).collect(), names, reader, plan })
    }

    /// The same cells, of which only some columns are wanted.
    pub(super) fn select(mut self, pick: &Pick) -> Result<Self> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        self.chosen = pick.columns_of(&names)?;
        Ok(self)
    }

    /// How its cells are read and written.
    pub(super) fn rows(&self) -> RowFile<'_> {
        RowFile {
            program: self.plan.program(),
            plan: Some(&self.plan),
            options: self.reader.options(),
            words: WORDS,
        }
    }

    /// The format string of a file that contains the wanted columns only.
    pub(super) fn chosen_template(&self) -> Option<Template> {
        let attributes: Vec<&TemplateColumn> = self.template.attributes().collect();
        if self.chosen.iter().copied().eq(0..attributes.len()) {
            return Some(self.template.clone());
        }
        Template::new(self.chosen.iter().filter_map(|i| attributes.get(*i).copied().cloned()))
    }

    /// The wanted columns.
    pub(super) fn fields(&self) -> impl Iterator<Item = Field> + '_ {
        let attributes: Vec<&TemplateColumn> = self.template.attributes().collect();
        self.chosen.iter().filter_map(move |i| Some(field(self.names.get(*i)?, attributes.get(*i)?)))
    }
}

/// Looks at what `--schema` says: what is wrong with it is drawn.
pub(super) fn check(options: &Options) -> Result<()> {
    given(options, parse).map(drop)
}

/// What is parsed of `--schema`, and of `--template` if there is one.
fn given<T>(
    options: &Options,
    parse: impl FnOnce(&str, Option<&str>, &Options) -> Result<T, String>,
) -> Result<T> {
    match options.schema.value() {
        Some(Text(text)) => {
            let template = options.template.value().map(|Text(text)| text.as_str());
            parse(text, template, options).map_err(|e| Error::drawn(|text| Error::usage(text), &e))
        }
        None => Err(Error::usage("a SciDB load file does not say what its cells are: --schema must")
            .tip("say for example --schema '(int8, string null)'")),
    }
}

/// The types of the columns, and what their bytes are. The error is a message of several lines.
fn parse(text: &str, named: Option<&str>, options: &Options) -> Result<(Template, Description), String> {
    let words = options.user_types.value().into_iter().flat_map(|text| text.split(','));
    let user = UserType::listed(words).map_err(|e| format!("--user-types: {e}"))?;
    let (template, description) = match text.trim_start().chars().next() {
        Some('(') if named.is_some() => {
            return Err(
                "--template is for an array schema, whose names it takes: --schema is a format string".into(),
            );
        }
        Some('(') => {
            let template = Template::parse_with(text, &user).map_err(|e| shown(&e, text))?;
            let description = template.description();
            (template, description)
        }
        _ if text.trim().eq_ignore_ascii_case("opaque") => {
            return Err("opaque, SciDB's dump of its own chunks, is not supported".to_owned());
        }
        _ if !text.contains('<') => {
            let kinds = "a format string such as '(int8, string null)' or an array schema such as\n  \
                         '<a:int8 NOT NULL, b:string>[i=0:*]'";
            return Err(format!("`{}` is not a schema: expected {kinds}", text.trim()));
        }
        _ => {
            let schema = AflSchema::parse_with(text, &user).map_err(|e| shown(&e, text))?;
            match named {
                None => (schema.template(), schema.description()),
                Some(text) => {
                    let template = Template::parse_with(text, &user).map_err(|e| shown(&e, text))?;
                    let description = template.described_by(&schema);
                    let description = description.map_err(|e| format!("--template: {e}"))?;
                    (template, description)
                }
            }
        }
    };
    let description = match options.strict.is_given() {
        true => strict_description(description),
        false => description,
    };
    Ok((template, description))
}

fn field(name: &str, column: &TemplateColumn) -> Field {
    let text = column.to_string();
    let len = column.wire_len();
    Field {
        name: name.to_owned(),
        ty: text.strip_suffix(" null").unwrap_or(&text).to_owned(),
        nullable: column.is_nullable(),
        bytes: summary::bytes(len.min(), len.max()),
    }
}

/// The attributes of a cell. What is skipped has no name.
fn attributes(description: &Description) -> impl Iterator<Item = &binfmt::schema::Field> {
    let fields = match &description.root {
        Type::Record(record) => record.fields.as_slice(),
        _ => &[],
    };
    fields.iter().filter(|f| !f.name.is_empty())
}

/// What is wrong with a text, drawn under it.
fn shown(e: &TextError, text: &str) -> String {
    let drawn = e.caret(text).to_string();
    let lines: Vec<String> = drawn.lines().map(|line| format!("  {line}")).collect();
    format!("the schema cannot be read, byte {}:\n{}", e.position(), lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    fn parse(text: &str) -> Result<Layout, String> {
        Layout::parse(text, None, &Options::of(&Settings::default()).unwrap())
    }

    #[test]
    fn texts_that_are_no_schemas() {
        let e = |text| parse(text).unwrap_err();
        assert!(e("int8, string").contains("'(int8, string null)'"), "{}", e("int8, string"));
        assert!(e(" Opaque").contains("not supported"));
        assert_eq!(
            e("(int8, strng)"),
            "the schema cannot be read, byte 7:\n  (int8, strng)\n         ^^^^^ unknown type `strng`, did you mean `string`?"
        );
        assert!(e("").contains("expected"));
    }

    #[test]
    fn a_name_is_there_once() {
        let e = |text| parse(text).unwrap_err();
        let e = e("<a:int8, b:int8, a:string>[i=0:*]");
        assert!(e.contains("byte 17:") && e.ends_with("^ a second attribute `a`"), "{e}");
    }

    #[test]
    fn an_array_schema_names_the_columns() {
        let layout = parse("<x:int8 NOT NULL, y:string>[i=0:*]").unwrap();
        assert_eq!(layout.names, ["x", "y"]);
        let some = Pick { columns: Some(vec!["y".into()]), ..Pick::ALL };
        let layout = layout.select(&some).unwrap();
        assert_eq!(layout.chosen_template().unwrap().to_string(), "(string null)");
    }
}
