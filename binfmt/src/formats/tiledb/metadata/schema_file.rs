//! The file of an array's schema.

use super::generic::{read, write};
use crate::formats::tiledb::filter::Key;
use crate::formats::tiledb::layout::ArraySchema;
use crate::{Error, ErrorKind, Result, Step};

impl ArraySchema {
    /// Reads `__array_schema.tdb`.
    ///
    /// # Errors
    /// The file is damaged, of another version (the message says which TileDB writes it), or encrypted with another key.
    ///
    /// ```
    /// use binfmt::formats::tiledb::ArraySchema;
    /// let e = ArraySchema::from_file(&[4, 0, 0, 0, 0], None).unwrap_err();
    /// assert_eq!(
    ///     e.to_string(),
    ///     "version at byte 0x0: unsupported format version 4, which TileDB 1.7 writes; expected 3"
    /// );
    /// ```
    pub fn from_file(bytes: &[u8], key: Option<&Key>) -> Result<ArraySchema> {
        Self::from_file_within(bytes, key, SCHEMA_LIMIT)
    }

    /// The same with at most that many bytes without the filters.
    pub(crate) fn from_file_within(bytes: &[u8], key: Option<&Key>, limit: u64) -> Result<ArraySchema> {
        let tile = read(bytes, key, limit)?;
        let schema: ArraySchema =
            crate::from_slice(&tile.data).map_err(|e| e.within(Step::Field("schema")))?;
        schema.check().map_err(|e| e.within(Step::Field("schema")))?;
        match bytes.len() as u64 - tile.len {
            0 => Ok(schema),
            count => Err(Error::new(ErrorKind::TrailingBytes { count }, tile.len)),
        }
    }

    /// The bytes of `__array_schema.tdb`.
    ///
    /// # Errors
    /// What [`check`](ArraySchema::check) refuses.
    ///
    /// ```
    /// use binfmt::formats::tiledb::*;
    /// let x = Dimension::new("x", Number::I32(1), Number::I32(4), Number::I32(2));
    /// let schema = ArraySchema::dense(Datatype::Int32, [x]).attribute(Attribute::new("a", Datatype::Int32));
    /// let key = Key::new([1; 32]);
    /// let file = schema.to_file(Some(&key))?;
    /// assert_eq!(ArraySchema::from_file(&file, Some(&key))?, schema);
    /// # Ok::<(), binfmt::Error>(())
    /// ```
    pub fn to_file(&self, key: Option<&Key>) -> Result<Vec<u8>> {
        self.check()?;
        let mut out = Vec::new();
        write(&crate::to_vec(self)?, key, &mut out)?;
        Ok(out)
    }
}

/// No schema is so large: it is refused before it is decompressed.
const SCHEMA_LIMIT: u64 = 1 << 28;
