//! Values and rows as descriptions of bytes.

use super::types::DataType;
use super::x87::X87;
use crate::schema::{ByteOrder, Description, Encoding, Extent, Field, Integer, Record, Schema, Type};
use crate::wire::Endian;

/// What a value of a type is in a binary page.
pub(crate) fn value(kind: DataType) -> Type {
    match (kind.number_type(), kind) {
        (Some(number), _) => number.into(),
        (None, DataType::LongDouble) => Schema::of::<X87>().description().root.clone(),
        (None, _) => Type::Text {
            encoding: Encoding::Any,
            nul: false,
            len: Extent::Prefixed { len: Integer::signed(4), max: None, inclusive: false },
        },
    }
}

/// What a row of these columns is, in a byte order if one is said.
pub(crate) fn row<'a>(
    columns: impl Iterator<Item = (&'a str, DataType)> + Clone,
    endian: Option<Endian>,
) -> Description {
    let fields = columns.clone().map(|(name, kind)| Field::new(name, value(kind)).native(kind.name()));
    let record = Record::new("row", fields);
    let root = Type::Record(match endian {
        Some(Endian::Little) => record.ordered(ByteOrder::Little),
        Some(Endian::Big) => record.ordered(ByteOrder::Big),
        None => record,
    });
    let definitions = match columns.into_iter().any(|(_, kind)| kind == DataType::LongDouble) {
        true => Schema::of::<X87>().description().definitions.clone(),
        false => Default::default(),
    };
    Description { root, definitions }
}
