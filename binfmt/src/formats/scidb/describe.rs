//! Format strings and schemas of arrays as descriptions of bytes.

use super::text::{AflSchema, ColumnLength, ScidbType, Template, TemplateColumn, column_name};
use crate::numbers::NumberType;
use crate::schema::{self, ByteOrder, Description, Encoding, Field, Record, Type};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl Template {
    /// What a cell of this format is.
    ///
    /// A format string has no names: the columns are called a, b, …, z, aa, … ([`column_name`]), and the record has no
    /// name of its own, so that a struct is [compared](crate::schema::Schema::check) with it by position. What is
    /// skipped is padding without a name. `opaque` is described as bytes that nothing explains.
    ///
    /// ```
    /// use binfmt::formats::scidb::Template;
    /// let format: Template = "(int8, skip(2), int16 null, string)".parse().unwrap();
    /// assert_eq!(format.description().to_string(), "\
    /// record, le
    ///   a: i8
    ///   _: skip(bytes = 2)
    ///   b: i16, nullable
    ///   c: text, length_prefixed(u32), nul, text = bytes
    /// ");
    /// ```
    #[must_use]
    pub fn description(&self) -> Description {
        match self.columns() {
            Some(columns) => describe("", columns, &column_name),
            None => Description::new(Type::Opaque {
                by: "SciDB's own dump of chunks".to_string(),
                min: 0,
                max: None,
            }),
        }
    }
}

impl AflSchema {
    /// What a cell is in a file of the schema's [`template`](AflSchema::template), with the names of the attributes.
    ///
    /// ```
    /// use binfmt::formats::scidb::AflSchema;
    /// let schema: AflSchema = "readings<id:int64 NOT NULL, mass:double>[i]".parse().unwrap();
    /// assert_eq!(schema.description().to_string(), "record, le\n  id: i64\n  mass: f64, nullable\n");
    /// ```
    #[must_use]
    pub fn description(&self) -> Description {
        let name = |i: usize| self.attributes().get(i).map_or_else(String::new, |a| a.name().to_string());
        describe(self.name().unwrap_or("cell"), &self.columns().collect::<Vec<_>>(), &name)
    }
}

fn describe(record: &str, columns: &[TemplateColumn], name: &dyn Fn(usize) -> String) -> Description {
    let mut fields = Vec::new();
    let mut attributes = 0..;
    for column in columns {
        match column.ty() {
            Some(ty) => {
                let name = attributes.next().map_or_else(String::new, name);
                fields.push(Field::new(name, nullable(column, value(ty, column))).native(column.to_string()));
            }
            None => fields.extend(skip(column)),
        }
    }
    Description::new(Type::Record(Record::new(record, fields).ordered(ByteOrder::Little)))
}

/// What no attribute owns. The presence byte before a nullable one says nothing: the same follows any of them.
fn skip(column: &TemplateColumn) -> Vec<Field> {
    let padding = |len| Field::new("", Type::Padding { len, fill: 0, strict: false });
    let presence = column.is_nullable().then(|| padding(schema::Extent::Fixed(1)).native("presence byte"));
    let (len, word) = match column.length() {
        ColumnLength::Fixed(n) => (schema::Extent::Fixed(u64::from(n)), format!("skip({n})")),
        ColumnLength::Prefixed => (PREFIX, String::from("skip")),
    };
    presence.into_iter().chain([padding(len).native(word)]).collect()
}

fn nullable(column: &TemplateColumn, body: Type) -> Type {
    match column.is_nullable() {
        true => Type::Nullable { present: 0xFF, missing: (0, 127), blank: true, body: Box::new(body) },
        false => body,
    }
}

/// The length before text, of bytes and of what is skipped.
const PREFIX: schema::Extent =
    schema::Extent::Prefixed { len: schema::Integer::unsigned(4), max: None, inclusive: false };

fn value(ty: &ScidbType, column: &TemplateColumn) -> Type {
    let len = match column.length() {
        ColumnLength::Fixed(n) => schema::Extent::Fixed(u64::from(n)),
        ColumnLength::Prefixed => PREFIX,
    };
    if let Some(kind) = ty.number_type().filter(|kind| *kind != NumberType::Bool) {
        return kind.into();
    }
    match ty {
        // SciDB keeps any byte
        ScidbType::Bool => Type::Bool { lax: true },
        ScidbType::Datetimetz => {
            Type::Record(Record::new("", ["0", "1"].map(|name| Field::new(name, NumberType::I64.into()))))
        }
        // its encoding is unchecked
        ScidbType::String => Type::Text { encoding: Encoding::Any, nul: true, len },
        ScidbType::Binary => Type::Bytes { len },
        ScidbType::User(_) => match len {
            schema::Extent::Fixed(n) => Type::Opaque { by: ty.name().to_string(), min: n, max: Some(n) },
            len => Type::Bytes { len },
        },
        // numbers
        _ => Type::Unit,
    }
}
