//! The layout of a cell as a description that the run-time codec reads.

use binfmt::formats::scidb::{Column, Extent as ColumnExtent, ScidbType};
use binfmt::schema::{ByteOrder, Description, Encoding, Extent, Field, Record, Type};

/// The description of a cell of these columns, whose attributes have these names.
pub(super) fn describe(columns: &[Column], names: &[String]) -> Description {
    let mut names = names.iter();
    let mut fields = Vec::with_capacity(columns.len());
    for column in columns {
        match column.ty() {
            None => fields.extend(skipped(column)),
            Some(ty) => {
                let name = names.next().map_or("", String::as_str);
                fields.push(Field::new(name, attribute(column, ty)).native(ty.name()));
            }
        }
    }
    Description::new(Type::Record(Record::new("", fields).ordered(ByteOrder::Little)))
}

const LENGTH: Extent = Extent::Prefixed { bytes: 4, signed: false, max: None, inclusive: false };

fn skipped(column: &Column) -> Vec<Field> {
    let padding = |len| Field::new("", Type::Padding { len, fill: 0, strict: false });
    let flag = u64::from(column.is_nullable());
    match column.extent() {
        ColumnExtent::Fixed(n) => vec![padding(Extent::Fixed(u64::from(n) + flag))],
        ColumnExtent::Prefixed if flag > 0 => vec![padding(Extent::Fixed(flag)), padding(LENGTH)],
        ColumnExtent::Prefixed => vec![padding(LENGTH)],
    }
}

fn attribute(column: &Column, ty: &ScidbType) -> Type {
    let body = value(column, ty);
    if !column.is_nullable() {
        return body;
    }
    Type::Nullable { present: 0xff, missing: (0, 0x7f), blank: true, body: Box::new(body) }
}

fn value(column: &Column, ty: &ScidbType) -> Type {
    let int = |bytes, signed| Type::Int { bytes, signed };
    let len = match column.extent() {
        ColumnExtent::Fixed(n) => Extent::Fixed(n.into()),
        ColumnExtent::Prefixed => LENGTH,
    };
    match ty {
        ScidbType::Bool => Type::Bool { lax: true },
        ScidbType::Char | ScidbType::Uint8 => int(1, false),
        ScidbType::Uint16 => int(2, false),
        ScidbType::Uint32 => int(4, false),
        ScidbType::Uint64 => int(8, false),
        ScidbType::Int8 => int(1, true),
        ScidbType::Int16 => int(2, true),
        ScidbType::Int32 => int(4, true),
        ScidbType::Int64 | ScidbType::Datetime => int(8, true),
        ScidbType::Float => Type::Float { bytes: 4 },
        ScidbType::Double => Type::Float { bytes: 8 },
        ScidbType::Datetimetz => {
            Type::Record(Record::new("", [Field::new("0", int(8, true)), Field::new("1", int(8, true))]))
        }
        ScidbType::String => Type::Text { encoding: Encoding::Any, nul: true, len },
        ScidbType::Binary | ScidbType::User(_) => Type::Bytes { len },
    }
}
