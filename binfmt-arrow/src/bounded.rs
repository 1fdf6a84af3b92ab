//! How many rows a file of so many bytes may have: its metadata may say any number of those that take no bytes.

use arrow_schema::{DataType, Schema};
use binfmt::{Error, Result};

/// As many rows may have no bytes at all.
const MOST_BARE: u64 = 1 << 16;

/// How the rows of a file are stored.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stored {
    /// As they are: a value has at least a bit.
    Plain,
    /// Compressed, or as runs: no program makes more rows of a byte.
    Packed,
}

const ROWS_OF_BYTE: u64 = 8;
const PACKED_ROWS_OF_BYTE: u64 = 1 << 16;

/// Whether a file of so many bytes can have as many rows of this schema.
pub(crate) fn check(schema: &Schema, rows: u64, bytes: u64, stored: Stored) -> Result<()> {
    let each = match stored {
        _ if !schema.fields().iter().any(|field| has_bits(field.data_type())) => 1,
        Stored::Plain => ROWS_OF_BYTE,
        Stored::Packed => PACKED_ROWS_OF_BYTE,
    };
    let most = bytes.saturating_mul(each).saturating_add(MOST_BARE);
    match rows > most {
        true => Err(Error::other(format!(
            "{rows} rows in a file of {bytes} bytes, which can have {most} at most"
        ))),
        false => Ok(()),
    }
}

/// Whether each value of a type takes at least a bit. Whether it is null may be said of all at once.
fn has_bits(ty: &DataType) -> bool {
    match ty {
        DataType::Null
        | DataType::FixedSizeBinary(0)
        | DataType::FixedSizeList(_, 0)
        | DataType::RunEndEncoded(..) => false,
        DataType::FixedSizeList(item, _) => has_bits(item.data_type()),
        DataType::Struct(fields) => fields.iter().any(|field| has_bits(field.data_type())),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_schema::{Field, Fields};
    use std::sync::Arc;

    #[test]
    fn rows_without_bytes_are_few() {
        let item = |ty| Arc::new(Field::new("item", ty, true));
        let bare = [
            DataType::Null,
            DataType::FixedSizeBinary(0),
            DataType::FixedSizeList(item(DataType::Int32), 0),
            DataType::FixedSizeList(item(DataType::Null), 1 << 20),
            DataType::Struct(Fields::empty()),
        ];
        let schemas = bare.map(|ty| Schema::new(vec![Field::new("x", ty, true)]));
        for schema in schemas.iter().chain([&Schema::empty()]) {
            assert!(check(schema, 65_636, 100, Stored::Packed).is_ok());
            assert!(check(schema, 65_637, 100, Stored::Packed).is_err(), "{schema}");
        }
        let bits = Schema::new(vec![Field::new("x", DataType::Boolean, false)]);
        assert!(check(&bits, 66_336, 100, Stored::Plain).is_ok());
        assert!(check(&bits, 66_337, 100, Stored::Plain).is_err());
        assert!(check(&bits, 6_000_000, 100, Stored::Packed).is_ok());
        assert!(check(&bits, u64::MAX, 100, Stored::Packed).is_err());
    }
}
