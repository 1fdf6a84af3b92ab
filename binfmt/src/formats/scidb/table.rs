//! Load files as tables.

use super::describe::strict_description;
use super::read::Reader;
use super::text::{AflSchema, Template, TextError, UserType};
use crate::columns::{ColumnType, Plan};
use crate::error::{Error, Result};
use crate::numbers::NumberType;
use crate::schema::Description;
use crate::storage::Storage;
use crate::table::{
    Logical, Match, RowsSink, RowsTable, Setting, Settings, Table, TableField, TableFormat, TableSchema,
    TableSink, TimeUnit, fields_of, keys,
};
use std::sync::Arc;

/// SciDB load files as tables. What the cells are is not in the file: the setting `schema` says it.
///
/// ```
/// use binfmt::formats::scidb::Tables;
/// use binfmt::storage::{Memory, Storage};
/// use binfmt::table::{Estimate, Settings, TableFormat};
/// use std::sync::Arc;
/// let files = Memory::new();
/// files.write("load.bin", &[1, 2])?;
/// let table = Tables.open(Arc::new(files), "load.bin", &Settings::new().with("schema", "(int8)"))?;
/// assert_eq!(table.num_rows(), Estimate::Exact(2));
/// # Ok::<(), binfmt::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables;

impl TableFormat for Tables {
    fn name(&self) -> &'static str {
        "scidb"
    }

    fn settings(&self) -> &'static [Setting] {
        &[
            Setting { name: "schema", help: "The format string, `(int8, string null)`, or the AFL schema" },
            TEMPLATE,
            USER_TYPES,
            Setting { name: "strict", help: "Whether only what SciDB itself writes is read (true or false)" },
            Setting { name: "row_numbers", help: "Whether there is a column `_row` (true or false)" },
        ]
    }

    fn open(&self, storage: Arc<dyn Storage>, path: &str, settings: &Settings) -> Result<Arc<dyn Table>> {
        settings.check(self.settings())?;
        let Some(text) = settings.get("schema") else {
            return Err(Error::other(
                "a load file does not say what its cells are: the setting `schema` must",
            ));
        };
        let Cells { layout, text, template } = cells(text, settings)?;
        let (reader, layout) = match settings.is_on("strict")? {
            true => (Reader::strict(), strict_description(layout)),
            false => (Reader::new(), layout),
        };
        let table =
            RowsTable::open(storage, path, &layout, &reader.options().max_memory(settings.max_memory()?))?
                .describe(|schema| {
                    *schema = std::mem::take(schema).with(keys::FORMAT, "scidb").with("scidb:schema", text);
                    if let Some(template) = template {
                        *schema = std::mem::take(schema).with("scidb:template", template);
                    }
                    logical(schema);
                });
        let numbered = settings.is_on("row_numbers")?;
        Ok(Arc::new(if numbered { table.with_row_numbers() } else { table }))
    }

    fn writes(&self) -> bool {
        true
    }

    fn write_settings(&self) -> &'static [Setting] {
        &[
            Setting {
                name: "schema",
                help: "The format string or the AFL schema; without this what the columns are",
            },
            TEMPLATE,
            USER_TYPES,
        ]
    }

    fn create(
        &self,
        storage: Arc<dyn Storage>,
        path: &str,
        schema: &TableSchema,
        settings: &Settings,
    ) -> Result<Box<dyn TableSink>> {
        settings.check(self.write_settings())?;
        // the names of a table that was read by a format string are those that it has been given, and not the user's
        let said = (settings.get("schema"), schema.get("scidb:schema"));
        let (text, by) = match said {
            (Some(text), _) if is_template(text) => (text.to_owned(), Match::Place),
            (Some(text), _) | (None, Some(text)) => (text.to_owned(), Match::Name),
            (None, None) => (format_string(schema)?, Match::Place),
        };
        // what was read by an array and a format is written so
        let settings = match (settings.get("schema"), schema.get("scidb:template")) {
            (None, Some(template)) if settings.get("template").is_none() => {
                settings.clone().with("template", template)
            }
            _ => settings.clone(),
        };
        let layout = cells(&text, &settings)?.layout;
        let plan = Plan::new(&layout)?;
        let mut cells = TableSchema { fields: fields_of(&plan), ..TableSchema::default() };
        logical(&mut cells);
        let options = Reader::new().options();
        let sink = RowsSink::new(storage, path, plan, options, (schema, cells.fields), by)?;
        let mut sink = sink.counted(schema);
        if said == (None, None) {
            sink.tell(format!("the format string is made of the columns, and not in the file: {text}"));
        }
        Ok(Box::new(sink))
    }
}

const TEMPLATE: Setting = Setting {
    name: "template",
    help: "The format string of a file whose columns have the names of the AFL schema",
};
const USER_TYPES: Setting =
    Setting { name: "user_types", help: "Types of plugins and their sizes: rational=16,polygon" };

/// The cells that have these columns.
fn format_string(schema: &TableSchema) -> Result<String> {
    if schema.fields.is_empty() {
        return Err(Error::other("the table has no columns, and a cell of SciDB has one at least"));
    }
    let attributes: Vec<String> = schema.fields.iter().map(attribute).collect::<Result<_>>()?;
    Ok(format!("({})", attributes.join(", ")))
}

fn attribute(field: &TableField) -> Result<String> {
    let (ty, null) = match &field.ty {
        ColumnType::Nullable { values, .. } => (&**values, " null"),
        ty => (ty, ""),
    };
    let word = match (ty, &field.logical) {
        _ if is_datetime(field) => "datetime",
        (ColumnType::Record(_), Some(Logical::TimestampWithOffset)) => "datetimetz",
        (ColumnType::Number(NumberType::U8), Some(Logical::Character)) => "char",
        (ColumnType::Number(kind), _) => match kind {
            NumberType::Bool => "bool",
            NumberType::I8 => "int8",
            NumberType::I16 => "int16",
            NumberType::I32 => "int32",
            NumberType::I64 => "int64",
            NumberType::U8 => "uint8",
            NumberType::U16 => "uint16",
            NumberType::U32 => "uint32",
            NumberType::U64 => "uint64",
            NumberType::F16 | NumberType::F32 => "float",
            NumberType::F64 => "double",
            _ => return Err(unfit(field)),
        },
        (ColumnType::Text, _) => "string",
        (ColumnType::Bytes, _) => "binary",
        (ColumnType::List(items), _) if **items == ColumnType::Number(NumberType::U8) => "binary",
        (ColumnType::Array { len, items }, _) if **items == ColumnType::Number(NumberType::U8) => {
            return Ok(format!("binary({len}){null}"));
        }
        (ColumnType::FixedBytes(n), _) => return Ok(format!("binary({n}){null}")),
        _ => return Err(unfit(field)),
    };
    Ok(format!("{word}{null}"))
}

/// Times that a cell has as such.
fn is_datetime(field: &TableField) -> bool {
    let ty = match &field.ty {
        ColumnType::Nullable { values, .. } => values,
        ty => ty,
    };
    *ty == ColumnType::Number(NumberType::I64) && field.logical == Some(Logical::Timestamp(TimeUnit::Second))
}

fn unfit(field: &TableField) -> Error {
    Error::other(format!(
        "column `{}` is {}, which a cell of SciDB cannot have",
        field.name,
        field.type_name()
    ))
}

/// Whether it is a format string, which has no names, and not an AFL schema.
fn is_template(text: &str) -> bool {
    text.trim_start().starts_with('(')
}

/// What cells are.
struct Cells {
    layout: Description,
    /// The format string or the schema that says so.
    text: String,
    /// The format string, where the schema has only the names.
    template: Option<String>,
}

/// What a format string or a schema says.
fn cells(text: &str, settings: &Settings) -> Result<Cells> {
    let refused = |e: TextError| Error::other(e.to_string());
    let user = user_types(settings)?;
    let template = settings.get("template");
    if is_template(text) {
        if template.is_some() {
            return Err(Error::other("setting `template`: the setting `schema` is a format string already"));
        }
        let template = Template::parse_with(text, &user).map_err(refused)?;
        return Ok(Cells { layout: template.description(), text: template.to_string(), template: None });
    }
    let schema = AflSchema::parse_with(text, &user).map_err(refused)?;
    let Some(template) = template else {
        return Ok(Cells { layout: schema.description(), text: schema.to_string(), template: None });
    };
    let template = Template::parse_with(template, &user).map_err(refused)?;
    let layout =
        template.described_by(&schema).map_err(|e| Error::other(format!("setting `template`: {e}")))?;
    Ok(Cells { layout, text: schema.to_string(), template: Some(template.to_string()) })
}

/// The types that are said: `rational=16,polygon`.
fn user_types(settings: &Settings) -> Result<Vec<UserType>> {
    let words = settings.get("user_types").into_iter().flat_map(|text| text.split(','));
    UserType::listed(words).map_err(|e| Error::other(format!("setting `user_types`: {e}")))
}

/// What the values of some types are.
fn logical(schema: &mut TableSchema) {
    for field in &mut schema.fields {
        let native = field.get(keys::NATIVE).unwrap_or_default();
        field.logical = match native.split([' ', '(']).next() {
            Some("datetime") => Some(Logical::Timestamp(TimeUnit::Second)),
            Some("datetimetz") => Some(Logical::TimestampWithOffset),
            Some("char") => Some(Logical::Character),
            _ => None,
        };
    }
}
