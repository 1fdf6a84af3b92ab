//! Types of descriptions in few words.

use binfmt::schema::{Description, Encoding, Extent, Field, Integer, Record, Type};

pub(crate) fn int(bytes: u8) -> Type {
    Type::Int { bytes, signed: true }
}

pub(crate) fn uint(bytes: u8) -> Type {
    Type::Int { bytes, signed: false }
}

pub(crate) fn prefixed(bytes: u8) -> Extent {
    Extent::Prefixed { len: Integer::unsigned(bytes), max: None, inclusive: false }
}

pub(crate) fn text(encoding: Encoding, nul: bool, len: Extent) -> Type {
    Type::Text { encoding, nul, len }
}

pub(crate) fn null(body: Type) -> Type {
    Type::Nullable { present: 255, missing: (0, 127), blank: true, body: Box::new(body) }
}

pub(crate) fn record(fields: impl IntoIterator<Item = Field>) -> Description {
    Description::new(Type::Record(Record::new("Row", fields)))
}
