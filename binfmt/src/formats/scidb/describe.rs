//! Format strings and schemas of arrays as descriptions of bytes.

use super::layout::{
    Bool, Datetimetz, FixedBinary, FixedText, NullOr, SizedBinary, SizedSkip, SizedText, Skip,
};
use super::text::{
    AflSchema, AttributeMismatch, ColumnLength, ScidbType, Template, TemplateColumn, column_name,
};
use crate::codec::Layout;
use crate::numbers::NumberType;
use crate::schema::{ByteOrder, Description, Encoding, Extent, Field, Record, Schema, Type};
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

impl Template {
    /// The same with the names of the attributes of a schema, of which it has one column each: as `load` with an array and a format.
    ///
    /// ```
    /// use binfmt::formats::scidb::{AflSchema, Template};
    /// let format: Template = "(int8, skip(2), string(4))".parse().unwrap();
    /// let schema: AflSchema = "<id:int64 NOT NULL, name:string NOT NULL>[i]".parse().unwrap();
    /// let text = format.described_by(&schema)?.to_string();
    /// assert!(text.contains("id: i8") && text.contains("name: text"), "{text}");
    /// # Ok::<(), binfmt::formats::scidb::AttributeMismatch>(())
    /// ```
    ///
    /// # Errors
    /// It has more or fewer columns than the schema has attributes.
    pub fn described_by(&self, schema: &AflSchema) -> Result<Description, AttributeMismatch> {
        self.check_attributes(schema)?;
        let Some(columns) = self.columns() else { return Ok(self.description()) };
        Ok(describe(schema.name().unwrap_or("cell"), columns, &|i| schema.attribute_name(i)))
    }
}

impl AflSchema {
    fn attribute_name(&self, i: usize) -> String {
        self.attributes().get(i).map_or_else(String::new, |a| a.name().to_string())
    }

    /// What a cell is in a file of the schema's [`template`](AflSchema::template), with the names of the attributes.
    ///
    /// ```
    /// use binfmt::formats::scidb::AflSchema;
    /// let schema: AflSchema = "readings<id:int64 NOT NULL, mass:double>[i]".parse().unwrap();
    /// assert_eq!(schema.description().to_string(), "record(readings), le\n  id: i64\n  mass: f64, nullable\n");
    /// ```
    #[must_use]
    pub fn description(&self) -> Description {
        let columns = self.columns().collect::<Vec<_>>();
        describe(self.name().unwrap_or("cell"), &columns, &|i| self.attribute_name(i))
    }
}

fn describe(record: &str, columns: &[TemplateColumn], name: &dyn Fn(usize) -> String) -> Description {
    let mut fields = Vec::new();
    let mut attributes = 0..;
    let null_or = of::<NullOr<u8>>();
    for column in columns {
        match column.ty() {
            Some(ty) => {
                let name = attributes.next().map_or_else(String::new, name);
                fields.push(
                    Field::new(name, nullable(column, value(ty, column), &null_or))
                        .native(column.to_string()),
                );
            }
            None => fields.extend(skip(column)),
        }
    }
    Description::new(Type::Record(Record::new(record, fields).ordered(ByteOrder::Little)))
}

/// What no attribute owns. The presence byte before a nullable one says nothing: the same follows any of them.
fn skip(column: &TemplateColumn) -> Vec<Field> {
    let presence = column.is_nullable().then(|| Field::new("", of::<Skip<1>>()).native("presence byte"));
    let (ty, word) = match column.length() {
        ColumnLength::Fixed(n) => (of_length(of::<Skip<1>>(), n), format!("skip({n})")),
        ColumnLength::Prefixed => (of::<SizedSkip>(), String::from("skip")),
    };
    presence.into_iter().chain([Field::new("", ty).native(word)]).collect()
}

/// The value of a column, in the frame of those that may be missing if it may be.
fn nullable(column: &TemplateColumn, value: Type, null_or: &Type) -> Type {
    match null_or {
        Type::Nullable { present, missing, blank, .. } if column.is_nullable() => {
            Type::Nullable { present: *present, missing: *missing, blank: *blank, body: Box::new(value) }
        }
        _ => value,
    }
}

fn value(ty: &ScidbType, column: &TemplateColumn) -> Type {
    if let Some(kind) = ty.number_type().filter(|kind| *kind != NumberType::Bool) {
        return kind.into();
    }
    match (ty, column.length()) {
        (ScidbType::Bool, _) => of::<Bool>(),
        (ScidbType::Datetimetz, _) => of::<Datetimetz>(),
        (ScidbType::String, ColumnLength::Prefixed) => unchecked(of::<SizedText>()),
        (ScidbType::String, ColumnLength::Fixed(n)) => of_length(unchecked(of::<FixedText<1>>()), n),
        (ScidbType::User(_), ColumnLength::Fixed(n)) => {
            Type::Opaque { by: ty.name().to_string(), min: n.into(), max: Some(n.into()) }
        }
        (_, ColumnLength::Prefixed) => of::<SizedBinary>(),
        (_, ColumnLength::Fixed(n)) => of_length(of::<FixedBinary<1>>(), n),
    }
}

/// What an annotated type is, without its name and its byte order, which is that of the cell.
fn of<T: Layout>() -> Type {
    let schema = Schema::of::<T>();
    let description = schema.description();
    match description.resolve(&description.root).cloned() {
        Some(Type::Ordered { body, .. }) => *body,
        Some(Type::Record(record)) => {
            let plain = |field: Field| Field::new(field.name, field.ty);
            Type::Record(Record::new("", record.fields.into_iter().map(plain)))
        }
        ty => ty.unwrap_or(Type::Unit),
    }
}

/// The same of another length: what is a constant of the annotated type is a number in the format string.
fn of_length(mut ty: Type, n: u32) -> Type {
    if let Type::Text { len, .. } | Type::Bytes { len } | Type::Padding { len, .. } = &mut ty {
        *len = Extent::Fixed(n.into());
    }
    ty
}

/// SciDB looks at no byte of a text.
fn unchecked(mut ty: Type) -> Type {
    if let Type::Text { encoding, .. } = &mut ty {
        *encoding = Encoding::Any;
    }
    ty
}

/// The same cells without what SciDB reads and never writes: it keeps any byte of a bool.
///
/// ```
/// use binfmt::formats::scidb::{Template, strict_description};
/// let format: Template = "(bool)".parse().unwrap();
/// assert_eq!(strict_description(format.description()).to_string(), "record, le\n  a: bool\n");
/// ```
pub fn strict_description(mut description: Description) -> Description {
    if let Type::Record(record) = &mut description.root {
        for field in &mut record.fields {
            let ty = match &mut field.ty {
                Type::Nullable { body, .. } => &mut **body,
                ty => ty,
            };
            if let Type::Bool { lax } = ty {
                *lax = false;
            }
        }
    }
    description
}
