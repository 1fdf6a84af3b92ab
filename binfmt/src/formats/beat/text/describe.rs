//! Declarations as descriptions of bytes, and as JSON.

use super::format::{Basic, FieldType, Format};
use crate::numbers::NumberType;
use crate::schema::{ByteOrder, Description, Encoding, Extent, Field, Integer, Record, Type};
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

/// What the bytes of an object are. Formats with a name are definitions.
pub(super) fn description(format: &Format) -> Description {
    let mut definitions = BTreeMap::new();
    let root = Type::Record(record(format, &mut definitions));
    Description { root, definitions }
}

fn record(format: &Format, definitions: &mut BTreeMap<String, Type>) -> Record {
    // fields of a record without a name would be compared by their places
    let name = format.name().map_or_else(|| "object".to_string(), ToString::to_string);
    let fields = format.fields().iter().map(|(name, ty)| {
        let item = if let FieldType::Array(_, item) = ty { item } else { ty };
        let native = match item {
            FieldType::Basic(basic) => basic.name(),
            _ => "",
        };
        let mut field = Field::new(name.clone(), field_type(ty, definitions)).native(native);
        if let FieldType::Array(dims, _) = ty
            && dims.iter().any(|dim| *dim != 0)
        {
            field.rules.push(format!("dimensions = {dims:?}"));
        }
        field
    });
    Record::new(name, fields.collect::<alloc::vec::Vec<_>>()).ordered(ByteOrder::Little)
}

fn field_type(ty: &FieldType, definitions: &mut BTreeMap<String, Type>) -> Type {
    match ty {
        FieldType::Basic(basic) => of_basic(*basic),
        FieldType::Array(dims, item) => Type::Shaped {
            item: Box::new(field_type(item, definitions)),
            dim_bytes: 8,
            dim_signed: false,
            rank: Extent::Fixed(dims.len() as u64),
            column_major: false,
        },
        FieldType::Object(format) => match format.name().map(ToString::to_string) {
            None => Type::Record(record(format, definitions)),
            Some(name) => {
                if !definitions.contains_key(&name) {
                    let record = record(format, definitions);
                    definitions.insert(name.clone(), Type::Record(record));
                }
                Type::Named(name)
            }
        },
    }
}

fn of_basic(basic: Basic) -> Type {
    match (basic.number_type(), basic.half()) {
        // the backend takes every byte but 0 for true
        (Some(NumberType::Bool), _) => Type::Bool { lax: true },
        (Some(kind), _) => kind.into(),
        (None, Some(half)) => Type::List { item: Box::new(half.into()), len: Extent::Fixed(2) },
        (None, None) => Type::Text {
            encoding: Encoding::Utf8,
            nul: false,
            len: Extent::Prefixed { len: Integer::unsigned(8), max: None, inclusive: false },
        },
    }
}

/// The declaration of a format in JSON. Names are letters, digits, `_` and `-`: nothing needs an escape.
pub(super) fn put_json(format: &Format, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("{")?;
    for (i, (name, ty)) in format.fields().iter().enumerate() {
        write!(f, "{}\"{name}\": ", if i > 0 { ", " } else { "" })?;
        field(ty, f)?;
    }
    f.write_str("}")
}

/// As declarations have it: `"int32"`, `[0, 3, "float64"]`.
impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        field(self, f)
    }
}

fn field(ty: &FieldType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match ty {
        FieldType::Basic(basic) => write!(f, "\"{}\"", basic.name()),
        FieldType::Object(format) => put_json(format, f),
        FieldType::Array(dims, item) => {
            f.write_str("[")?;
            for dim in dims {
                write!(f, "{dim}, ")?;
            }
            field(item, f)?;
            f.write_str("]")
        }
    }
}
